//! Springs, dampers and actuators on a coordinate: a length, an angle, a displacement.

use super::{Auxiliary, Force, Law, Pull};
use crate::marker::Marker;
use crate::measure::{Coordinate, MAX_NODES, Measure};
use crate::quantity::{Ends, FX, FY, FZ, MX, MY, MZ, POWER, Quantity};
use crate::scene::Scene;
use crate::sensor::Slopes;
use nalgebra::{Matrix6, Vector6};
use rotula_formula::{Decisions, Timetable};

/// Places of its own quantities.
pub(super) const VALUE: usize = 0;
pub(super) const RATE: usize = 1;
pub(super) const FORCE: usize = 2;

static BETWEEN_POINTS: [Quantity; 7] = [
    Quantity::own("length", "m", VALUE),
    Quantity::own("length_velocity", "m/s", RATE),
    Quantity::own("force", "N", FORCE),
    POWER,
    FX,
    FY,
    FZ,
];

pub(super) static OF_TEETH: [Quantity; 10] = [
    Quantity::own("approach", "m", VALUE),
    Quantity::own("approach_velocity", "m/s", RATE),
    Quantity::own("force", "N", FORCE),
    POWER,
    FX,
    FY,
    FZ,
    MX,
    MY,
    MZ,
];

/// A force on a coordinate with this word: the coordinate, its rate, the force or torque, its power, and
/// its action on the second body.
macro_rules! on_coordinate {
    ($word:literal, $unit:literal, $force:literal, $force_unit:literal) => {{
        static ALL: [Quantity; 10] = [
            Quantity::own($word, $unit, VALUE),
            Quantity::own(concat!($word, "_velocity"), concat!($unit, "/s"), RATE),
            Quantity::own($force, $force_unit, FORCE),
            POWER,
            FX,
            FY,
            FZ,
            MX,
            MY,
            MZ,
        ];
        &ALL
    }};
}

/// A law that acts on a coordinate: the generalized force is `Gᵀ f`.
#[derive(Clone, Debug)]
pub struct Spring {
    coordinate: Coordinate,
    law: Box<dyn Law>,
    /// Derivatives by states and variables, worked out anew at every call.
    slopes: Vec<f64>,
    quantities: &'static [Quantity],
    ends: Ends,
}

impl Spring {
    /// A law on a coordinate.
    pub fn new(coordinate: Coordinate, law: impl Law + 'static) -> Self {
        let slopes = vec![0.0; law.auxiliary().len()];
        let quantities = Spring::quantities_on("value");
        let ends = Ends::of_nodes(&coordinate.nodes);
        Spring { coordinate, law: Box::new(law), slopes, quantities, ends }
    }

    /// What a spring offers that acts between two points.
    pub fn quantities_between() -> &'static [Quantity] {
        &BETWEEN_POINTS
    }

    /// What a spring offers that acts on a coordinate of a joint: the coordinate, its rate, the force
    /// or torque that tends to increase it, its power, and its action on the second body.
    pub fn quantities_on(coordinate: &str) -> &'static [Quantity] {
        match coordinate {
            "angle" => on_coordinate!("angle", "rad", "torque", "N m"),
            "first" => on_coordinate!("first", "rad", "torque", "N m"),
            "second" => on_coordinate!("second", "rad", "torque", "N m"),
            "displacement" => on_coordinate!("displacement", "m", "force", "N"),
            "length" => on_coordinate!("length", "m", "force", "N"),
            "x" => on_coordinate!("x", "m", "force", "N"),
            "y" => on_coordinate!("y", "m", "force", "N"),
            "z" => on_coordinate!("z", "m", "force", "N"),
            _ => on_coordinate!("value", "", "force", ""),
        }
    }

    /// The same without the coordinate, where the joint itself offers that.
    pub fn actions_on(coordinate: &str) -> &'static [Quantity] {
        &Spring::quantities_on(coordinate)[FORCE..]
    }

    /// With other quantities to offer, and where it acts.
    pub fn offering(self, quantities: &'static [Quantity], ends: Ends) -> Self {
        Spring { quantities, ends, ..self }
    }

    /// A law on the distance between the origins of two markers, which must not be zero.
    pub fn between(a: &Marker, b: &Marker, law: impl Law + 'static) -> Self {
        let spring = Spring::new(Coordinate::length(a, b), law);
        spring.offering(Spring::quantities_between(), Ends::between(*a, *b))
    }

    /// A law on the angle by which the x axis of one marker is turned about the z axis of another.
    pub fn rotational(a: &Marker, b: &Marker, law: impl Law + 'static) -> Self {
        let spring = Spring::new(Coordinate::angle(a, b), law);
        spring.offering(Spring::quantities_on("angle"), Ends::between(*a, *b))
    }

    fn pull(&mut self, scene: Scene) -> Pull {
        let (value, rate) = (self.coordinate.sum.value(scene), self.coordinate.sum.rate(scene));
        self.law.pull(value, rate, scene)
    }
}

impl Force for Spring {
    fn nodes(&self) -> &[usize] {
        &self.coordinate.nodes
    }

    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let pull = self.pull(scene);
        self.coordinate.sum.gradient(scene, pull.force, out);
    }

    fn tangent(
        &mut self,
        scene: Scene,
        stiffness: &mut [Matrix6<f64>],
        damping: &mut [Matrix6<f64>],
    ) {
        let pull = self.pull(scene);
        let nodes = scene.nodes.len();
        let mut gradient = [Vector6::zeros(); MAX_NODES];
        let mut rate_gradient = [Vector6::zeros(); MAX_NODES];
        self.coordinate.sum.gradient(scene, 1.0, &mut gradient);
        self.coordinate.sum.rate_gradient(scene, 1.0, &mut rate_gradient);
        self.coordinate.sum.curvature(scene, pull.force, stiffness);
        for i in 0..nodes {
            for j in 0..nodes {
                let slope = gradient[j] * pull.by_value + rate_gradient[j] * pull.by_rate;
                stiffness[i * nodes + j].ger(1.0, &gradient[i], &slope, 1.0);
                damping[i * nodes + j].ger(pull.by_rate, &gradient[i], &gradient[j], 1.0);
            }
        }
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.law.auxiliary()
    }

    fn auxiliary_tangent(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let (value, rate) = (self.coordinate.sum.value(scene), self.coordinate.sum.rate(scene));
        self.law.auxiliary_slopes(value, rate, scene, &mut self.slopes);
        for (slope, out) in self.slopes.iter().zip(out.chunks_exact_mut(scene.nodes.len())) {
            self.coordinate.sum.gradient(scene, *slope, out);
        }
    }

    fn energy(&mut self, scene: Scene) -> f64 {
        let value = self.coordinate.sum.value(scene);
        self.law.energy(value, scene)
    }

    fn power(&mut self, scene: Scene) -> f64 {
        let value = self.coordinate.sum.value(scene);
        let lost = self.pull(scene).force - self.law.conservative(value, scene);
        lost * self.coordinate.sum.rate(scene)
    }

    fn jumps(&self) -> Vec<f64> {
        self.law.jumps()
    }

    fn timetables(&self) -> Vec<Timetable> {
        self.law.timetable().cloned().into_iter().collect()
    }

    fn decisions(&self) -> Option<&Decisions> {
        self.law.decisions()
    }

    fn decisions_mut(&mut self) -> Option<&mut Decisions> {
        self.law.decisions_mut()
    }

    fn explain_not_finite(&mut self, scene: Scene) -> Option<String> {
        let (value, rate) = (self.coordinate.sum.value(scene), self.coordinate.sum.rate(scene));
        self.law.explain_not_finite(value, rate, scene)
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        Box::new(self.coordinate.sum.measures_mut())
    }

    fn quantities(&self) -> &'static [Quantity] {
        self.quantities
    }

    fn ends(&self) -> Ends {
        self.ends
    }

    fn own(&mut self, scene: Scene, out: &mut [f64]) {
        let (value, rate) = (self.coordinate.sum.value(scene), self.coordinate.sum.rate(scene));
        out[VALUE] = value;
        out[RATE] = rate;
        out[FORCE] = self.law.pull(value, rate, scene).force;
    }

    fn own_slopes(&mut self, place: usize, scene: Scene, slopes: &mut Slopes) {
        let (value, rate) = (self.coordinate.sum.value(scene), self.coordinate.sum.rate(scene));
        let (by_value, by_rate) = match place {
            VALUE => (1.0, 0.0),
            RATE => (0.0, 1.0),
            _ => {
                let pull = self.law.pull(value, rate, scene);
                self.law.auxiliary_slopes(value, rate, scene, &mut self.slopes);
                slopes.auxiliary.iter_mut().zip(&self.slopes).for_each(|(out, s)| *out += s);
                (pull.by_value, pull.by_rate)
            }
        };
        self.coordinate.sum.gradient(scene, by_value, slopes.increment);
        self.coordinate.sum.rate_gradient(scene, by_rate, slopes.increment);
        self.coordinate.sum.gradient(scene, by_rate, slopes.velocity);
    }
}
