//! Assembly: from things to equations.
//!
//! Nodes get their places in the arrays of the integrator, constraints their rows, and every element
//! its places in the sparsity patterns, once. Evaluation then is one pass over the elements.

mod auxiliary;
mod balance;
mod branches;
mod build;
mod compile;
mod control;
mod deciding;
mod elements;
mod energy;
mod equations;
mod explain;
mod flat;
mod held;
mod inertia;
mod inputs;
mod kept;
mod loads;
mod look;
mod passages;
mod places;
mod pressing;
mod reaction;
mod sheet;
mod system;
mod tangent;
mod touching;
mod turns;
mod twist;

use crate::constraint::Constraint;
use crate::element::Element;
use crate::force::Force;
use crate::function::TimeFunction;
use crate::node::{Motion, Node};
use crate::quantity::{Attachment, Drive};
use crate::rates::Kept;
pub(crate) use branches::Branch;
use control::Control;
use deciding::Deciding;
use flat::Flat;
use inertia::Inertia;
pub use look::Look;
use nalgebra::{Matrix6, Vector6};
use passages::Watched;
pub(crate) use places::{Block, Strip};
pub use pressing::Pressing;
use reaction::Hold;
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_dae::{Patterns, Point, Sizes, State, Terms};
use rotula_formula::Timetable;
use rotula_lie::Retraction;
use sheet::Sheet;
use touching::Touching;
use turns::Turning;

/// A constraint, where its rows are and where its blocks go.
#[derive(Clone, Debug)]
struct Group {
    owner: String,
    constraint: Box<dyn Constraint>,
    /// What the constraint says of itself, kept where it is quickly read.
    nodes: Vec<usize>,
    rows: usize,
    position_rows: usize,
    works: bool,
    /// The first of its rows.
    row: usize,
    strips: Vec<Strip>,
    blocks: Vec<Block>,
    /// Whether it holds by itself, as joints do whose coordinates are the unknowns: nothing of it is evaluated.
    holds: bool,
}

/// A force and where its blocks go.
#[derive(Clone, Debug)]
struct Push {
    name: String,
    nodes: Vec<usize>,
    force: Box<dyn Force>,
    blocks: Vec<Block>,
}

/// An element with elasticity and inertia, and where its blocks go.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    nodes: Vec<usize>,
    element: Box<dyn Element>,
    blocks: Vec<Block>,
    works: bool,
    /// Its residual is worked out with others in a [`Sheet`].
    gathered: bool,
}

/// What is worked out anew at every point.
#[derive(Clone, Debug)]
struct Moment {
    motions: Vec<Motion>,
    /// How the rates of nodes are kept there.
    kept: Vec<Kept>,
    functions: Vec<TimeFunction>,
    values: Vec<[f64; 3]>,
    time: f64,
    /// Tangents of the retraction, when `moved`; else increments are rates.
    tangents: Vec<Matrix6<f64>>,
    moved: bool,
}

impl Moment {
    /// Works out the functions of time.
    fn set_time(&mut self, t: f64) {
        if self.time != t {
            self.time = t;
            for (function, value) in self.functions.iter_mut().zip(&mut self.values) {
                *value = function.evaluate(t);
            }
        }
    }

    /// Puts into a checkpoint what functions of time remember.
    fn save(&self, out: &mut Writer) {
        out.put(&(self.time, &self.values));
        self.functions.iter().for_each(|function| function.save(out));
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        (self.time, self.values) = from.get()?;
        self.functions.iter_mut().try_for_each(|function| function.load(from))
    }
}

/// A model as a system of equations for the integrators.
#[derive(Clone, Debug)]
pub struct Assembly {
    map: Retraction,
    names: Vec<String>,
    nodes: Vec<Node>,
    bodies: Vec<Inertia>,
    groups: Vec<Group>,
    /// The group of each constraint row.
    owners: Vec<u32>,
    pushes: Vec<Push>,
    /// Those that are contacts.
    soft: Vec<usize>,
    parts: Vec<Part>,
    sheets: Vec<Sheet>,
    /// Nodes whose motion a residual looks at when sheets look after theirs.
    seen: Vec<usize>,
    flat: Flat,
    touching: Touching,
    watched: Watched,
    turning: Vec<Turning>,
    control: Control,
    joints: Vec<Hold>,
    attachments: Vec<Attachment>,
    drives: Vec<Drive>,
    sizes: Sizes,
    patterns: Patterns,
    start: State,
    /// Known times at which forces or accelerations jump, increasing.
    jumps: Vec<f64>,
    timetables: Vec<Timetable>,
    deciding: Deciding,
    /// A characteristic length: errors of positions are measured against it.
    length: f64,
    moment: Moment,
    scratch: Scratch,
}

#[derive(Clone, Debug)]
struct Scratch {
    rows: Vec<Vector6<f64>>,
    /// Rows along body variations, twists and their rates.
    levels: [Vec<Vector6<f64>>; 3],
    blocks: Vec<Matrix6<f64>>,
    more_blocks: Vec<Matrix6<f64>>,
}

/// Whether terms are those of which sheets give the sum.
fn together(terms: Terms) -> bool {
    terms.inertia && terms.forces
}

impl Assembly {
    /// The state in which the model was described: positions and velocities of the bodies.
    pub fn start(&self) -> State {
        self.start.clone()
    }

    /// The frame of a body's node (its centre of mass) in a configuration.
    pub fn node_frame(&self, node: usize, q: &[f64]) -> rotula_lie::Frame {
        self.nodes[node].frame(q)
    }

    /// The motion of a body's node at a point.
    pub fn motion(&self, node: usize, at: &Point) -> Motion {
        self.nodes[node].motion(at)
    }

    /// Works out the motions of all nodes and the functions of time.
    fn place(&mut self, at: &Point) {
        for (k, node) in self.nodes.iter().enumerate().skip(1) {
            self.moment.see(k, node, at);
        }
        self.moment.set_time(at.t);
    }

    /// The same for a residual with these terms, which may look at few nodes only.
    fn place_seen(&mut self, at: &Point, terms: Terms) {
        if self.sheets.is_empty() || !together(terms) {
            return self.place(at);
        }
        for &node in &self.seen {
            self.moment.see(node, &self.nodes[node], at);
        }
        self.moment.set_time(at.t);
    }

    /// Works out the tangents of the retraction at the increment.
    fn place_tangents(&mut self, at: &Point) {
        self.moment.moved = at.increment.iter().any(|x| *x != 0.0);
        if self.moment.moved {
            let Moment { tangents, motions, .. } = &mut self.moment;
            let places = tangents.iter_mut().zip(motions.iter());
            for (node, (tangent, motion)) in self.nodes.iter().zip(places).skip(1) {
                *tangent = node.tangent(self.map, at.increment, &motion.rotation);
            }
        }
    }
}
