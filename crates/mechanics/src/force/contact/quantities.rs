//! What a soft contact offers as signals.

use super::{Contact, Touch};
use crate::force::two_bodies::{Bodies, VARIATIONS, add_slopes};
use crate::force::varying::{Scalar, Vector};
use crate::quantity::{FX, FY, FZ, MX, MY, MZ, POWER, Quantity};
use crate::scene::Scene;
use crate::sensor::Slopes;
use nalgebra::Vector3;

/// Places of its own quantities.
const DEPTH: usize = 0;
const DEPTH_RATE: usize = 1;
const NORMAL: usize = 2;
const FRICTION: usize = 3;

pub(super) static QUANTITIES: [Quantity; 11] = [
    Quantity::own("depth", "m", DEPTH),
    Quantity::own("depth_velocity", "m/s", DEPTH_RATE),
    Quantity::own("normal", "N", NORMAL),
    Quantity::own("friction", "N", FRICTION),
    FX,
    FY,
    FZ,
    MX,
    MY,
    MZ,
    POWER,
];

impl Contact {
    /// What a soft contact offers: the greatest depth and its rate, the sum of the normal forces, the
    /// magnitude of the friction of all places, and the action on the second body.
    pub fn all_quantities() -> &'static [Quantity] {
        &QUANTITIES
    }

    /// The own quantities, by their places; zero where the surfaces are apart.
    fn numbers<const N: usize>(&mut self, scene: Scene) -> [Scalar<N>; 4] {
        let bodies = Bodies::<N>::new(scene);
        let law = &self.law;
        let mut numbers = [Scalar::constant(0.0); 4];
        let mut rubbing = Vector::constant(Vector3::zeros());
        self.geometry.each(&bodies, |touch: Touch<N>| {
            let depth = -touch.gap;
            if depth.value > numbers[DEPTH].value {
                let velocity = bodies.relative_velocity(&touch.place);
                numbers[DEPTH] = depth;
                numbers[DEPTH_RATE] = -touch.normal.dot(&velocity);
            }
            if let Some(press) = law.press(&bodies, &touch) {
                numbers[NORMAL] = numbers[NORMAL] + press.normal;
                rubbing = rubbing + press.friction;
            }
        });
        // where it vanishes it has no derivative; zero is taken
        if rubbing.value != Vector3::zeros() {
            numbers[FRICTION] = rubbing.length_with(0.0);
        }
        numbers
    }

    pub(super) fn read_own(&mut self, scene: Scene, out: &mut [f64]) {
        let numbers = self.numbers::<0>(scene);
        out.iter_mut().zip(&numbers).for_each(|(out, number)| *out = number.value);
    }

    pub(super) fn differentiate_own(&mut self, place: usize, scene: Scene, slopes: &mut Slopes) {
        add_slopes(&self.numbers::<VARIATIONS>(scene)[place].by, slopes);
    }
}
