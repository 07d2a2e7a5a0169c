//! Teeth of two wheels, as springs along their line of action with play.
//!
//! ```text
//! δ = r₁ θ₁ + r₂ θ₂ − (the same at the start)        approach of the flanks, base radii r
//! β = δ − b sign δ  beyond half the play b, else 0    how far they press into each other
//! k = k₀ (1 + Σ aⱼ cos(j z₁ θ₁ − φⱼ))                stiffness, as pairs of teeth come into mesh and leave it
//! f = −k β − c s(|β|) δ̇                               never so that flanks hold each other
//! ```
//!
//! `s` leads smoothly from zero at the touch to one at a depth of damping, so that no force jumps where flanks meet; without play
//! it is one. The mean stiffness k₀ stores energy; what its variation does is work of the teeth, as in all models in which the stiffness is
//! a given function of the angle. [Kahraman, Singh 1990]

use super::{Law, Pull};
use crate::error::{ModelError, Refusal, refusal};
use crate::force::Auxiliary;
use crate::scene::Scene;

/// How the stiffness of a mesh varies with the angle of the first wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The unknown that carries the angle of the first wheel.
    pub angle: Auxiliary,
    /// Teeth of the first wheel.
    pub teeth: f64,
    /// Amplitude, relative to the mean, and phase of each harmonic of the mesh.
    pub harmonics: Vec<[f64; 2]>,
}

/// Which flanks of a pair of wheels a law speaks of: those that press one way act along another line than those that press the other way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flank {
    /// Both, along one line.
    #[default]
    Both,
    /// Those that meet as the approach grows.
    Forward,
    /// Those that meet as it falls.
    Backward,
}

/// The law of teeth on the approach of their flanks.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Mean stiffness along the line of action.
    pub stiffness: f64,
    /// Damping along it.
    pub damping: f64,
    /// Play from flank to flank along it.
    pub backlash: f64,
    /// Depth at which damping is full; of no meaning without play.
    pub damping_depth: f64,
    /// The approach in the middle of the play.
    pub middle: f64,
    /// How the stiffness varies, if it does.
    pub variation: Option<Variation>,
    /// Which flanks it speaks of.
    pub flank: Flank,
}

impl Mesh {
    /// Refuses numbers with which teeth would pull, or press without an end.
    pub fn validate(&self) -> Result<(), ModelError> {
        let invalid = |what: Refusal| Err(ModelError::invalid("gear mesh", what));
        let positive = |value: f64| value.is_finite() && value > 0.0;
        if !positive(self.stiffness) {
            return invalid(refusal!("its stiffness is {}", self.stiffness; "it must be positive"));
        }
        if self.backlash > 0.0 && !positive(self.damping_depth) {
            return invalid(format!("its damping depth is {}", self.damping_depth).into());
        }
        let harmonics = self.variation.iter().flat_map(|variation| &variation.harmonics);
        let swing: f64 = harmonics.map(|[amplitude, _]| amplitude.abs()).sum();
        if swing >= 1.0 {
            return invalid(refusal!(
                "the amplitudes of its harmonics add up to {swing}, so that the stiffness \
                 may vanish";
                "they must stay below 1"
            ));
        }
        Ok(())
    }

    /// How far flanks press into each other, with the sign of the side on which they do.
    fn depth(&self, value: f64) -> f64 {
        let way = value - self.middle;
        way.signum() * (way.abs() - 0.5 * self.backlash).max(0.0)
    }

    /// The stiffness and its slope by the angle.
    fn stiffness_at(&self, scene: Scene) -> (f64, f64) {
        let Some(Variation { angle, teeth, harmonics }) = &self.variation else {
            return (self.stiffness, 0.0);
        };
        let angle = match angle {
            Auxiliary::State(k) => scene.world.states[*k],
            Auxiliary::Variable(k) => scene.world.variables[*k],
        };
        let (mut factor, mut slope) = (1.0, 0.0);
        for (j, [amplitude, phase]) in harmonics.iter().enumerate() {
            let often = (j + 1) as f64 * teeth;
            let (sin, cos) = (often * angle - phase).sin_cos();
            factor += amplitude * cos;
            slope -= amplitude * often * sin;
        }
        (self.stiffness * factor, self.stiffness * slope)
    }

    /// The share of full damping at a depth, and its slope.
    fn damping_share(&self, depth: f64) -> (f64, f64) {
        if self.backlash <= 0.0 {
            return (1.0, 0.0);
        }
        let s = (depth.abs() / self.damping_depth).min(1.0);
        let slope = 6.0 * s * (1.0 - s) / self.damping_depth;
        (s * s * (3.0 - 2.0 * s), slope * depth.signum())
    }

    /// Flanks would hold each other, or others press than those it speaks of.
    fn is_idle(&self, force: f64, depth: f64) -> bool {
        let other = match self.flank {
            Flank::Both => false,
            Flank::Forward => force >= 0.0,
            Flank::Backward => force <= 0.0,
        };
        other || (self.backlash > 0.0 && force * depth >= 0.0)
    }

    /// The depth as far as its own flanks are pressed.
    fn own_depth(&self, value: f64) -> f64 {
        let depth = self.depth(value);
        match self.flank {
            Flank::Both => depth,
            Flank::Forward => depth.max(0.0),
            Flank::Backward => depth.min(0.0),
        }
    }
}

impl Law for Mesh {
    fn pull(&mut self, value: f64, rate: f64, scene: Scene) -> Pull {
        let depth = self.depth(value);
        let (share, share_slope) = self.damping_share(depth);
        let (stiffness, _) = self.stiffness_at(scene);
        let force = -stiffness * depth - self.damping * share * rate;
        if self.is_idle(force, depth) {
            return Pull::default();
        }
        Pull {
            force,
            by_value: -stiffness - self.damping * share_slope * rate,
            by_rate: -self.damping * share,
        }
    }

    fn energy(&mut self, value: f64, _: Scene) -> f64 {
        0.5 * self.stiffness * self.own_depth(value).powi(2)
    }

    fn conservative(&mut self, value: f64, _: Scene) -> f64 {
        -self.stiffness * self.own_depth(value)
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.variation.as_ref().map_or(&[], |variation| std::slice::from_ref(&variation.angle))
    }

    fn auxiliary_slopes(&mut self, value: f64, rate: f64, scene: Scene, out: &mut [f64]) {
        let held = self.pull(value, rate, scene) == Pull::default();
        let (_, slope) = self.stiffness_at(scene);
        out.fill(if held { 0.0 } else { -slope * self.depth(value) });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, in_scene};
    use super::*;

    fn mesh(backlash: f64) -> Mesh {
        Mesh {
            stiffness: 30.0,
            damping: 0.8,
            backlash,
            damping_depth: 0.05,
            middle: 0.1,
            variation: Some(Variation {
                angle: Auxiliary::Variable(0),
                teeth: 3.0,
                harmonics: vec![[0.2, 0.3], [0.1, -0.5]],
            }),
            flank: Flank::Both,
        }
    }

    #[test]
    fn slopes() {
        check(&mut mesh(0.0), &[-0.4, 0.1, 0.3], &[-1.0, 0.0, 0.7]);
        check(&mut mesh(0.2), &[-0.4, -0.02, 0.05, 0.22, 0.6], &[-1.0, 0.0, 0.7]);
    }

    /// Both flanks together are the whole, and each alone has its own slopes and energy.
    #[test]
    fn flanks_share_the_force() {
        for backlash in [0.0, 0.2] {
            let [mut whole, mut forward, mut backward] =
                [Flank::Both, Flank::Forward, Flank::Backward]
                    .map(|flank| Mesh { flank, ..mesh(backlash) });
            check(&mut forward, &[-0.4, 0.05, 0.24, 0.6], &[-1.0, 0.0, 0.7]);
            check(&mut backward, &[-0.4, 0.05, 0.24, 0.6], &[-1.0, 0.0, 0.7]);
            for (value, rate) in [(-0.4, 0.3), (0.1, 0.2), (0.22, -0.7), (0.6, 1.0)] {
                in_scene(0.0, &[0.4, 0.0], |scene| {
                    let [a, b, c] = [&mut forward, &mut backward, &mut whole]
                        .map(|law| (law.pull(value, rate, scene).force, law.energy(value, scene)));
                    assert_eq!((a.0 + b.0, a.1 + b.1), c);
                    assert!(a.0 <= 0.0 && b.0 >= 0.0);
                });
            }
        }
    }

    #[test]
    fn flanks_never_hold_each_other() {
        let mut law = mesh(0.2);
        for step in 0..400 {
            let value = -0.3 + 0.002 * f64::from(step);
            for rate in [-30.0, -1.0, 0.0, 1.0, 30.0] {
                let force = in_scene(0.0, &[0.4, 0.0], |scene| law.pull(value, rate, scene).force);
                assert!(force * (value - 0.1) <= 0.0, "{force} at {value}, {rate}");
                assert!((value - 0.1).abs() > 0.1 || force == 0.0, "{force} within the play");
            }
        }
    }

    #[test]
    fn a_stiffness_that_vanishes_is_refused() {
        let mut law = mesh(0.0);
        assert!(law.validate().is_ok());
        law.variation =
            law.variation.map(|v| Variation { harmonics: vec![[0.7, 0.0], [0.4, 0.0]], ..v });
        assert!(law.validate().is_err_and(|error| error.to_string().contains("below 1")));
    }
}
