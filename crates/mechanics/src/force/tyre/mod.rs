//! Tyres on roads.
//!
//! | file | what |
//! |---|---|
//! | `road.rs` | planes and heights over them, with normals |
//! | `patch.rs` | where a wheel meets the road and how it moves there |
//! | `characteristics.rs` | forces and moments by load, slips, camber and speed |
//! | `magic/` | the Magic Formula of tyre property files |
//! | `brush.rs` | the brush model |
//! | `rolling.rs` | from the motion of the patch to slips, with relaxation |
//!
//! Forces and moments act on the wheel at the patch, along the axes of the road there (ISO 8855, TYDEX W): x
//! forward, y to the left, z along the normal. With positive slip `κ` the wheel drives, with a positive slip angle `α` it
//! drifts to the left, and `Fy` is then negative.

mod brush;
mod characteristics;
mod magic;
mod patch;
mod road;
mod rolling;

pub use brush::Brush;
pub use characteristics::Characteristics;
pub use magic::{Coefficients, MagicFormula, Version};
pub use road::Road;

use super::two_bodies::{Bodies, VARIATIONS, Wrenches, add_slopes, wrench_and_tangent};
use super::varying::{Scalar, Vector};
use super::{Auxiliary, Force};
use crate::error::{ModelError, refusal};
use crate::marker::Marker;
use crate::node::stack;
use crate::quantity::{Ends, POWER, Quantity};
use crate::scene::Scene;
use crate::sensor::Slopes;
use nalgebra::{Matrix3, Vector3, Vector6};
use patch::Patch;
use rolling::{INPUTS, Rolling, STATES};

static QUANTITIES: [Quantity; 13] = [
    Quantity::own("fx", "N", 0),
    Quantity::own("fy", "N", 1),
    Quantity::own("fz", "N", 2),
    Quantity::own("mx", "N m", 3),
    Quantity::own("my", "N m", 4),
    Quantity::own("mz", "N m", 5),
    Quantity::own("slip", "", 6),
    Quantity::own("slip_angle", "rad", 7),
    Quantity::own("camber", "rad", 8),
    Quantity::own("deflection", "m", 9),
    Quantity::own(Tyre::RATES[0], "m/s", 10),
    Quantity::own(Tyre::RATES[1], "m/s", 11),
    POWER,
];

/// A tyre of a wheel on a road.
#[derive(Clone, Debug)]
pub struct Tyre {
    nodes: [usize; 2],
    road: Road,
    axes: Matrix3<f64>,
    wheel: Marker,
    axle: Vector3<f64>,
    characteristics: Characteristics,
    /// Whether left and right are exchanged against the characteristics.
    mirrored: bool,
    /// The shear of the tyre along and across, if it relaxes.
    states: Vec<Auxiliary>,
}

/// The numbers of a tyre, in the order of its own quantities.
type Numbers<const N: usize> = [Scalar<N>; 12];

impl Tyre {
    /// Names of the two quantities that are the rates of its states.
    pub const RATES: [&'static str; 2] = ["shear_x_rate", "shear_y_rate"];

    /// A tyre around a wheel that turns about an axle, a direction in the axes of the marker that points to the left when the
    /// wheel rolls forward. Without states, forces follow slips at once ([`Tyre::relaxing`]).
    pub fn new(
        road: Road,
        wheel: Marker,
        axle: Vector3<f64>,
        characteristics: Characteristics,
    ) -> Result<Self, ModelError> {
        if road.marker.node == wheel.node {
            let what =
                refusal!("the wheel is on the same body as its road"; "name two different bodies");
            return Err(ModelError::invalid("tyre", what));
        }
        if !(axle.norm().is_finite() && axle.norm() > 0.0) {
            return Err(ModelError::invalid("tyre", "the axle needs a direction, such as y"));
        }
        Ok(Tyre {
            nodes: [road.marker.node, wheel.node],
            axes: road.marker.frame.orientation.to_matrix(),
            axle: wheel.frame.orientation.to_matrix() * axle.normalize(),
            road,
            wheel,
            characteristics,
            mirrored: false,
            states: Vec::new(),
        })
    }

    /// With left and right exchanged.
    pub fn mirrored(mut self, mirrored: bool) -> Self {
        self.mirrored = mirrored;
        self
    }

    /// With two states, the shear of the tyre along and across. Their rates are the quantities [`Tyre::RATES`].
    pub fn relaxing(mut self, along: Auxiliary, across: Auxiliary) -> Self {
        self.states = vec![along, across];
        self
    }

    /// What a tyre offers.
    pub fn all_quantities() -> &'static [Quantity] {
        &QUANTITIES
    }

    /// Where the wheel meets the road, and the numbers there with their derivatives by motion and states.
    fn meet<const N: usize>(
        &self,
        scene: Scene,
    ) -> Option<(Patch<N>, Numbers<INPUTS>, Numbers<N>)> {
        let bodies = Bodies::<N>::new(scene);
        let patch = Patch::new(&bodies, &self.road, &self.axes, &self.wheel, &self.axle)?;
        let mut shear = [0.0; STATES];
        for (shear, state) in shear.iter_mut().zip(&self.states) {
            *shear = match state {
                Auxiliary::State(k) => scene.world.states[*k],
                Auxiliary::Variable(k) => scene.world.variables[*k],
            };
        }
        let rolling = Rolling {
            characteristics: &self.characteristics,
            mirrored: self.mirrored,
            relaxing: !self.states.is_empty(),
        };
        let inputs = [
            -patch.radius + self.characteristics.radius(),
            patch.sinking,
            patch.camber,
            patch.speed,
            patch.drift,
            patch.spin,
        ];
        let numbers = rolling.numbers(inputs.map(|input| input.value), shear);
        Some((patch, numbers, numbers.map(|number| number.through(&inputs))))
    }

    fn act<const N: usize>(&self, scene: Scene) -> Wrenches<N> {
        let mut wrenches = Wrenches::zero();
        let Some((patch, _, numbers)) = self.meet::<N>(scene) else { return wrenches };
        let along = |first: usize| -> Vector<N> {
            patch.forward * numbers[first]
                + patch.left * numbers[first + 1]
                + patch.up * numbers[first + 2]
        };
        let bodies = Bodies::new(scene);
        wrenches.push(&bodies, &along(0), &patch.place);
        wrenches.turn(&bodies, &along(3));
        wrenches
    }
}

impl Force for Tyre {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    wrench_and_tangent!();

    fn auxiliary(&self) -> &[Auxiliary] {
        &self.states
    }

    fn auxiliary_tangent(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        if self.states.is_empty() {
            return;
        }
        let Some((patch, numbers, _)) = self.meet::<0>(scene) else { return };
        for k in 0..STATES {
            let slope = |first: usize| -> Vector3<f64> {
                let [x, y, z] = [0, 1, 2].map(|i| numbers[first + i].by[INPUTS - STATES + k]);
                patch.forward.value * x + patch.left.value * y + patch.up.value * z
            };
            let (force, moment) = (slope(0), slope(3));
            for (slot, sign) in [(0, -1.0), (1, 1.0)] {
                let motion = scene.motion(slot);
                let arm = patch.place.value - motion.position;
                let turned = motion.into_body(&(moment + arm.cross(&force)));
                out[2 * k + slot] += stack(&motion.into_body(&force), &turned) * sign;
            }
        }
    }

    fn quantities(&self) -> &'static [Quantity] {
        Tyre::all_quantities()
    }

    fn ends(&self) -> Ends {
        Ends::between(self.road.marker, self.wheel)
    }

    fn own(&mut self, scene: Scene, out: &mut [f64]) {
        let Some((_, _, numbers)) = self.meet::<0>(scene) else { return };
        out.iter_mut().zip(&numbers).for_each(|(out, number)| *out = number.value);
    }

    fn own_slopes(&mut self, place: usize, scene: Scene, slopes: &mut Slopes) {
        let Some((_, inner, numbers)) = self.meet::<VARIATIONS>(scene) else { return };
        add_slopes(&numbers[place].by, slopes);
        for (k, slope) in slopes.auxiliary.iter_mut().enumerate().take(STATES) {
            *slope += inner[place].by[INPUTS - STATES + k];
        }
    }
}
