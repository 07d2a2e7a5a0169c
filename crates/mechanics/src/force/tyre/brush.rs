//! The brush model: elastic bristles on a patch with a parabolic pressure [Pacejka 2012, §3.2].
//!
//! With theoretical slips `σx = κ/(1+κ)`, `σy = tan α/(1+κ)`, slip stiffnesses `cκ Fz` and `cα Fz`, and
//! `ψ = √((cκ σx)² + (cα σy)²)/(3 µ)`, the part of the patch that slides grows with ψ:
//!
//! ```text
//! F  = µ Fz (3ψ − 3ψ² + ψ³)   for ψ < 1,   µ Fz beyond
//! t  = (a/3) (1 − ψ)³/(1 − ψ + ψ²/3)       Mz = −t Fy
//! ```
//!
//! F points against the slip; its initial slopes are `∂Fx/∂κ = cκ Fz`, `∂Fy/∂α = −cα Fz` and `t = a/3`.

use super::characteristics::{Answer, Running};
use crate::error::{ModelError, refusal};
use crate::force::varying::Scalar;

/// A tyre with few numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// Free radius.
    pub radius: f64,
    /// Vertical stiffness.
    pub stiffness: f64,
    /// Vertical damping.
    pub damping: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Slip stiffness over load: `∂Fx/∂κ / Fz`.
    pub longitudinal: f64,
    /// Cornering stiffness over load: `−∂Fy/∂α / Fz`.
    pub cornering: f64,
    /// Half the length of the contact patch.
    pub half_length: f64,
    /// Relaxation lengths along and across.
    pub relaxation: [f64; 2],
    /// Rolling resistance over load.
    pub rolling_resistance: f64,
}

/// Theoretical slip stays finite for a locked wheel: `1 + κ` is not less.
const LEAST_ROLLING: f64 = 1e-3;

impl Brush {
    /// Refuses numbers that make no sense.
    pub fn checked(self) -> Result<Self, ModelError> {
        let positive = [
            ("radius", self.radius),
            ("stiffness", self.stiffness),
            ("friction", self.friction),
            ("longitudinal", self.longitudinal),
            ("cornering", self.cornering),
            ("half_length", self.half_length),
            ("relaxation", self.relaxation[0]),
            ("relaxation", self.relaxation[1]),
        ];
        let not_negative =
            [("damping", self.damping), ("rolling_resistance", self.rolling_resistance)];
        let bad = positive.iter().find(|(_, x)| !(x.is_finite() && *x > 0.0));
        if let Some((key, x)) = bad {
            return Err(ModelError::invalid(
                "brush",
                refusal!("`{key}` is {x}"; "it must be positive"),
            ));
        }
        match not_negative.iter().find(|(_, x)| !(x.is_finite() && *x >= 0.0)) {
            Some((key, x)) => {
                let what = refusal!("`{key}` is {x}"; "it must not be negative");
                Err(ModelError::invalid("brush", what))
            }
            None => Ok(self),
        }
    }

    pub(super) fn answer<const M: usize>(&self, at: &Running<M>) -> Answer<M> {
        let rolling = (at.slip + 1.0 - LEAST_ROLLING).hypot(LEAST_ROLLING) + LEAST_ROLLING;
        let x = at.slip / rolling * self.longitudinal;
        let y = at.side_slip / rolling * self.cornering;
        let slip = (x.squared() + y.squared()).value.sqrt();
        // at no slip the force is linear in it: F/|slip| = Fz (1 − ψ + ψ²/3)
        let (psi, sliding) = (slip / (3.0 * self.friction), slip > 3.0 * self.friction);
        let share = if slip > 0.0 {
            let square = x.squared() + y.squared();
            let psi_varying = square.map((psi, psi / (2.0 * square.value)));
            match sliding {
                true => (psi_varying * 3.0).inverse(),
                false => psi_varying.squared() * (1.0 / 3.0) - psi_varying + 1.0,
            }
        } else {
            Scalar::constant(1.0)
        };
        let (fx, fy) = (at.load * share * x, -(at.load * share * y));
        let trail = if slip > 0.0 && !sliding {
            let square = x.squared() + y.squared();
            let psi = square.map((psi, psi / (2.0 * square.value)));
            let rest = -psi + 1.0;
            rest * rest.squared() / share * (self.half_length / 3.0)
        } else {
            Scalar::constant(if sliding { 0.0 } else { self.half_length / 3.0 })
        };
        let zero = Scalar::constant(0.0);
        let turning = at.speed / at.speed.hypot(0.1);
        let my = -(at.load * turning * (self.rolling_resistance * self.radius));
        Answer { fx, fy, mx: zero, my, mz: -(trail * fy) }
    }
}
