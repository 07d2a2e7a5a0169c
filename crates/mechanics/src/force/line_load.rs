//! Loads along a line, as formulas of how its sections lie and move: wind on blades, current on cables, drag.
//!
//! ```text
//! p = x + R r,  v = R (v_B + ω_B × r),  e_k = R Q e_k       place, velocity and axes of the section, in the world
//! u = Qᵀ (v_B + ω_B × r),  w = Qᵀ ω_B                       velocity and angular velocity in its own axes
//! F = ℓ f(station, t, p, v, u, w, e, signals)               ℓ the length that belongs to the node
//! ```
//!
//! `r` and `Q` are the section's place and axes on its node. The load acts at nodes, each with its share `∫ Nᵢ ds` of the length, and at
//! a distance from the node along the line that gives the moment of what rotations of nodes do to the line between them: what shape
//! functions make of a load that changes little from node to node. Derivatives are those of the formulas, carried through the
//! motion of the section.

use super::{Auxiliary, Axes, Force};
use crate::control::{Expression, Given, Input};
use crate::marker::Marker;
use crate::node::stack;
use crate::quantity::Ends;
use crate::scene::Scene;
use nalgebra::{Matrix3, Matrix6, RowVector6, SMatrix, Vector3, Vector6};
use rotula_formula::Timetable;
use rotula_lie::so3::skew;

/// What the formulas of a load may use besides time and signals, by their places among the values.
pub const LINE_NAMES: [&str; 22] = [
    "station", "x", "y", "z", "vx", "vy", "vz", "ux", "uy", "uz", "wx", "wy", "wz", "e1x", "e1y",
    "e1z", "e2x", "e2y", "e2z", "e3x", "e3y", "e3z",
];

const COUNT: usize = LINE_NAMES.len();
const PLACE: usize = 1;
const VELOCITY: usize = 4;
const OWN_VELOCITY: usize = 7;
const OWN_SPIN: usize = 10;
const DIRECTIONS: usize = 13;

/// The share of one node in a load along a line.
#[derive(Clone, Debug)]
pub struct LineLoad {
    node: [usize; 1],
    section: Marker,
    axes: Axes,
    share: Share,
    /// Force per length, then moment per length.
    components: Vec<Expression>,
    auxiliary: Vec<Auxiliary>,
}

/// What of a line belongs to a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Where the node is along the line: from 0 to 1.
    pub station: f64,
    /// The length that belongs to it.
    pub length: f64,
    /// How far from the node along the line its load acts.
    pub ahead: f64,
}

/// A derivative by the twelve numbers of a node: its variations, then its velocities.
type Row = [RowVector6<f64>; 2];

impl LineLoad {
    /// Six formulas of [`LINE_NAMES`], time and signals on a node whose section has these axes: force, then moment per length.
    pub fn new(section: Marker, axes: Axes, share: Share, components: [Expression; 6]) -> Self {
        let mut auxiliary = Vec::new();
        for input in components.iter().flat_map(|component| component.inputs()) {
            let unknown = match *input {
                Input::State(k) => Auxiliary::State(k),
                Input::Variable(k) => Auxiliary::Variable(k),
                _ => continue,
            };
            if !auxiliary.contains(&unknown) {
                auxiliary.push(unknown);
            }
        }
        let (node, components) = ([section.node], components.into());
        LineLoad { node, section, axes, share, components, auxiliary }
    }

    /// The values that the formulas use.
    fn values(&self, scene: Scene) -> [f64; COUNT] {
        let m = scene.motion(0);
        let (r, q) = (self.section.frame.position, self.section.frame.orientation.to_matrix());
        let velocity = m.velocity + m.omega.cross(&r);
        let mut values = [0.0; COUNT];
        values[0] = self.share.station;
        let mut put = |at: usize, vector: Vector3<f64>| {
            values[at..at + 3].copy_from_slice(vector.as_slice());
        };
        put(PLACE, m.position + m.rotation * r);
        put(VELOCITY, m.rotation * velocity);
        put(OWN_VELOCITY, q.tr_mul(&velocity));
        put(OWN_SPIN, q.tr_mul(&m.omega));
        let axes = m.rotation * q;
        (0..3).for_each(|k| put(DIRECTIONS + 3 * k, axes.column(k).into_owned()));
        values
    }

    /// How the values change with the node.
    fn value_slopes(&self, scene: Scene) -> [Row; COUNT] {
        let m = scene.motion(0);
        let (r, q) = (self.section.frame.position, self.section.frame.orientation.to_matrix());
        let velocity = m.velocity + m.omega.cross(&r);
        let none = Matrix3::zeros();
        let mut slopes = [[RowVector6::zeros(); 2]; COUNT];
        let mut put = |at: usize, by: [[Matrix3<f64>; 2]; 2]| {
            for (kind, [linear, angular]) in by.into_iter().enumerate() {
                let mut whole = SMatrix::<f64, 3, 6>::zeros();
                whole.fixed_view_mut::<3, 3>(0, 0).copy_from(&linear);
                whole.fixed_view_mut::<3, 3>(0, 3).copy_from(&angular);
                (0..3).for_each(|k| slopes[at + k][kind] = whole.row(k).into_owned());
            }
        };
        let (arm, turned) = (-m.rotation * skew(&r), -m.rotation * skew(&velocity));
        put(PLACE, [[m.rotation, arm], [none, none]]);
        put(VELOCITY, [[none, turned], [m.rotation, arm]]);
        put(OWN_VELOCITY, [[none, none], [q.transpose(), -q.tr_mul(&skew(&r))]]);
        put(OWN_SPIN, [[none, none], [none, q.transpose()]]);
        for k in 0..3 {
            let axis = -m.rotation * skew(&q.column(k).into_owned());
            put(DIRECTIONS + 3 * k, [[none, axis], [none, none]]);
        }
        slopes
    }

    /// Evaluates all formulas; their slopes are then known too.
    fn evaluate(&mut self, scene: Scene) -> Vector6<f64> {
        let values = self.values(scene);
        let given = Given {
            t: scene.world.t,
            locals: &values,
            states: scene.world.states,
            rates: &[],
            variables: scene.world.variables,
        };
        let mut load = Vector6::zeros();
        for (value, component) in load.iter_mut().zip(&mut self.components) {
            component.differentiate(&given);
            *value = component.value();
        }
        load * self.share.length
    }

    /// From the components of the load to the axes of the node.
    fn rotation(&self, scene: Scene) -> Matrix3<f64> {
        match self.axes {
            Axes::World => scene.motion(0).rotation.transpose(),
            Axes::Marker => self.section.frame.orientation.to_matrix(),
        }
    }

    /// From the node to where the load acts.
    fn arm(&self) -> Vector3<f64> {
        let along = self.section.frame.orientation.rotate(&Vector3::x());
        self.section.frame.position + self.share.ahead * along
    }

    /// The wrench on the node of a load by its components.
    fn wrench_of(&self, rotation: &Matrix3<f64>, load: &Vector6<f64>) -> Vector6<f64> {
        let force = rotation * load.fixed_rows::<3>(0);
        let moment = rotation * load.fixed_rows::<3>(3);
        stack(&force, &(moment + self.arm().cross(&force)))
    }
}

impl Force for LineLoad {
    fn nodes(&self) -> &[usize] {
        &self.node
    }

    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let load = self.evaluate(scene);
        out[0] += self.wrench_of(&self.rotation(scene), &load);
    }

    fn tangent(
        &mut self,
        scene: Scene,
        stiffness: &mut [Matrix6<f64>],
        damping: &mut [Matrix6<f64>],
    ) {
        let load = self.evaluate(scene);
        let rotation = self.rotation(scene);
        let by_values = self.value_slopes(scene);
        for (k, component) in self.components.iter().enumerate() {
            let mut unit = Vector6::zeros();
            unit[k] = self.share.length;
            let wrench = self.wrench_of(&rotation, &unit);
            for (input, slope) in component.inputs().iter().zip(component.slopes()) {
                if let Input::Local(local) = *input {
                    let [by_variation, by_velocity] = &by_values[local];
                    stiffness[0] += *slope * wrench * by_variation;
                    damping[0] += *slope * wrench * by_velocity;
                }
            }
        }
        if self.axes == Axes::World {
            // what keeps its direction turns against the node
            let force = rotation * load.fixed_rows::<3>(0);
            let moment = rotation * load.fixed_rows::<3>(3);
            let turn = skew(&force);
            let mut linear = stiffness[0].fixed_view_mut::<3, 3>(0, 3);
            linear += turn;
            let mut angular = stiffness[0].fixed_view_mut::<3, 3>(3, 3);
            angular += skew(&moment) + skew(&self.arm()) * turn;
        }
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        &self.auxiliary
    }

    fn auxiliary_tangent(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.evaluate(scene);
        let rotation = self.rotation(scene);
        for (unknown, out) in self.auxiliary.iter().zip(out) {
            let wanted = match *unknown {
                Auxiliary::State(k) => Input::State(k),
                Auxiliary::Variable(k) => Input::Variable(k),
            };
            let mut slopes = Vector6::zeros();
            for (slope, component) in slopes.iter_mut().zip(&self.components) {
                let place = component.inputs().iter().position(|input| *input == wanted);
                *slope = place.map_or(0.0, |place| self.share.length * component.slopes()[place]);
            }
            *out += self.wrench_of(&rotation, &slopes);
        }
    }

    fn jumps(&self) -> Vec<f64> {
        self.components.iter().flat_map(Expression::jumps).collect()
    }

    fn timetables(&self) -> Vec<Timetable> {
        self.components.iter().filter_map(Expression::timetable).collect()
    }

    fn explain_not_finite(&mut self, scene: Scene) -> Option<String> {
        self.evaluate(scene);
        self.components.iter().find_map(Expression::explain_not_finite)
    }

    fn ends(&self) -> Ends {
        Ends { first: None, second: self.section, axes: None }
    }
}
