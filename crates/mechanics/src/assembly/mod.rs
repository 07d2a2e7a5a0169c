//! Assembly: from things to equations.
//!
//! Nodes get their places in the arrays of the integrator, constraints their rows, and every element
//! its places in the sparsity patterns, once. Evaluation then is one pass over the elements.

mod auxiliary;
mod balance;
mod compile;
mod control;
mod elements;
mod energy;
mod equations;
mod explain;
mod places;
mod pressing;
mod reaction;
mod system;
mod touching;

use crate::body::Body;
use crate::constraint::Constraint;
use crate::element::Element;
use crate::error::ModelError;
use crate::force::Force;
use crate::function::TimeFunction;
use crate::measure::{MAX_NODES, Measure, nearest_turn};
use crate::model::Model;
use crate::node::{Motion, Node, NodeKind};
use crate::scene::{Scene, World};
use control::Control;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use places::{Block, Strip, block_entries, strip_entries};
pub use pressing::Pressing;
use reaction::Hold;
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_dae::{Patterns, Point, Sizes, State};
use rotula_lie::Retraction;
use rotula_linear::Pattern;
use touching::Touching;

/// A body with mass and where its own block is.
#[derive(Clone, Debug)]
struct Inertia {
    node: usize,
    mass: f64,
    moments: Matrix3<f64>,
    /// The weight `m g` in the world, and whether there is any.
    weight: Vector3<f64>,
    heavy: bool,
    block: Block,
}

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
}

/// An angle that counts its turns, kept behind the nodes in the configuration.
#[derive(Clone, Debug)]
struct Turning {
    nodes: Vec<usize>,
    measure: Measure,
}

/// What is worked out anew at every point.
#[derive(Clone, Debug)]
struct Moment {
    motions: Vec<Motion>,
    functions: Vec<TimeFunction>,
    values: Vec<[f64; 3]>,
    time: f64,
    /// Tangents of the retraction, when `moved`.
    tangents: Vec<Matrix6<f64>>,
    moved: bool,
}

impl Moment {
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
    parts: Vec<Part>,
    touching: Touching,
    turning: Vec<Turning>,
    control: Control,
    joints: Vec<Hold>,
    sizes: Sizes,
    patterns: Patterns,
    start: State,
    /// Known times at which forces or accelerations jump, increasing.
    jumps: Vec<f64>,
    /// A characteristic length: errors of positions are measured against it.
    length: f64,
    moment: Moment,
    scratch: Scratch,
}

#[derive(Clone, Debug)]
struct Scratch {
    rows: Vec<Vector6<f64>>,
    more_rows: Vec<Vector6<f64>>,
    blocks: Vec<Matrix6<f64>>,
    more_blocks: Vec<Matrix6<f64>>,
}

impl Assembly {
    pub(crate) fn new(model: &Model) -> Result<Self, ModelError> {
        let bodies = model.bodies();
        let mut nodes = vec![Node::GROUND];
        let (mut q, mut v) = (0, 0);
        for (_, body) in &bodies[1..] {
            nodes.push(Node { kind: body.kind, q, v });
            q += body.kind.stored();
            v += body.kind.columns().len();
        }

        let mut constraints: Vec<_> = model.constraints().to_vec();
        let mut forces: Vec<(String, Box<dyn Force>)> = model.forces().to_vec();

        let mut turning = Vec::new();
        let mut keep = |nodes: &[usize], measure: &mut Measure| {
            if let Measure::Angle { turns: turns @ Some(_), .. } = measure {
                *turns = Some(turning.len());
                turning.push(Turning { nodes: nodes.to_vec(), measure: *measure });
            }
        };
        for entry in &mut constraints {
            let nodes = entry.constraint.nodes().to_vec();
            entry.constraint.measures_mut().for_each(|measure| keep(&nodes, measure));
        }
        for (_, force) in &mut forces {
            let nodes = force.nodes().to_vec();
            force.measures_mut().for_each(|measure| keep(&nodes, measure));
        }

        let mut fixed = model.contacts()?;
        for (_, contact) in &mut fixed {
            let nodes = contact.nodes().to_vec();
            contact.measures_mut().for_each(|measure| keep(&nodes, measure));
        }

        let mut control = Control::compile(model)?;
        control.measures(&mut keep);

        let rows = |holonomic: bool| -> usize {
            let of_kind = constraints.iter().filter(|e| e.constraint.holonomic() == holonomic);
            of_kind.map(|e| e.constraint.rows()).sum()
        };
        let sizes = Sizes {
            configuration: q + turning.len(),
            motion: v,
            holonomic: rows(true),
            nonholonomic: rows(false),
            states: control.states.len(),
            variables: control.variables.len(),
        };
        let mut next = [0, sizes.holonomic];
        let placed: Vec<usize> = constraints
            .iter()
            .map(|e| {
                let kind = usize::from(!e.constraint.holonomic());
                let row = next[kind];
                next[kind] += e.constraint.rows();
                row
            })
            .collect();

        let mut square = Vec::new();
        for node in &nodes {
            block_entries(node, node, &mut square);
        }
        let pairs = |list: &[usize], square: &mut Vec<(usize, usize)>| {
            for &i in list {
                list.iter().for_each(|&j| block_entries(&nodes[i], &nodes[j], square));
            }
        };
        let mut gradient = Vec::new();
        for (entry, &row) in constraints.iter().zip(&placed) {
            pairs(entry.constraint.nodes(), &mut square);
            for &node in entry.constraint.nodes() {
                strip_entries(row, entry.constraint.rows(), &nodes[node], &mut gradient);
            }
        }
        forces.iter().for_each(|(_, force)| pairs(force.nodes(), &mut square));
        model.elements().iter().for_each(|(_, part)| pairs(part.nodes(), &mut square));
        let dynamics = Pattern::from_entries(sizes.motion, sizes.motion, &square);
        let gradients = Pattern::from_entries(sizes.multipliers(), sizes.motion, &gradient);

        let blocks = |list: &[usize]| -> Vec<Block> {
            list.iter()
                .flat_map(|&i| list.iter().map(move |&j| (i, j)))
                .map(|(i, j)| Block::find(&dynamics, &nodes[i], &nodes[j]))
                .collect()
        };
        let mut patterns = Patterns {
            dynamics: dynamics.clone(),
            constraints: gradients.clone(),
            ..Patterns::dense(Sizes::default())
        };
        let ranges: Vec<_> = constraints
            .iter()
            .zip(&placed)
            .map(|(entry, &row)| row..row + entry.constraint.rows())
            .collect();
        let commanded: Vec<_> = forces
            .iter()
            .map(|(name, force)| (name.as_str(), force.nodes(), force.auxiliary()))
            .collect();
        control.place(&nodes, &ranges, &commanded, sizes, &mut patterns)?;

        let groups: Vec<Group> = constraints
            .into_iter()
            .zip(&placed)
            .map(|(entry, &row)| {
                let list = entry.constraint.nodes().to_vec();
                let strip = |node: &usize| Strip::find(&gradients, row, &nodes[*node]);
                let places = (list.iter().map(strip).collect(), blocks(&list));
                Group::new((entry.owner, row), entry.constraint, places)
            })
            .collect();
        let pushes = forces
            .into_iter()
            .map(|(name, force)| {
                let nodes = force.nodes().to_vec();
                Push { name, blocks: blocks(&nodes), nodes, force }
            })
            .collect();
        let parts = model
            .elements()
            .iter()
            .map(|(name, element)| {
                let nodes = element.nodes().to_vec();
                let mut element = element.clone();
                element.set_gravity(&model.gravity);
                Part { name: name.clone(), blocks: blocks(&nodes), nodes, element }
            })
            .collect();
        let inertias = bodies
            .iter()
            .enumerate()
            .skip(1)
            .map(|(node, (_, body))| Inertia {
                node,
                mass: body.mass.mass,
                moments: body.mass.inertia,
                weight: model.gravity * body.mass.mass,
                heavy: model.gravity * body.mass.mass != Vector3::zeros(),
                block: Block::find(&dynamics, &nodes[node], &nodes[node]),
            })
            .collect();

        let mut owners = vec![0; sizes.multipliers()];
        for (k, group) in groups.iter().enumerate() {
            owners[group.row..group.row + group.rows].fill(k as u32);
        }
        let most_rows = groups.iter().map(|g| g.rows).max().unwrap_or(0).max(Touching::MOST_ROWS);
        let parts_nodes = model.elements().iter().map(|(_, part)| part.nodes().len());
        let most_nodes = groups.iter().map(|g| g.nodes.len()).chain(parts_nodes).max();
        let most_nodes = most_nodes.unwrap_or(0).max(MAX_NODES);
        let scratch = Scratch {
            rows: vec![Vector6::zeros(); most_rows * most_nodes],
            more_rows: vec![Vector6::zeros(); most_rows * most_nodes],
            blocks: vec![Matrix6::zeros(); most_nodes * most_nodes],
            more_blocks: vec![Matrix6::zeros(); most_nodes * most_nodes],
        };
        let touching = Touching::new(fixed, model.candidate_lists().to_vec(), &nodes, sizes.motion);
        let moment = Moment {
            motions: vec![Motion::at_rest(&Default::default()); nodes.len()],
            functions: model.functions().to_vec(),
            values: vec![[0.0; 3]; model.functions().len()],
            time: f64::NAN,
            tangents: vec![Matrix6::identity(); nodes.len()],
            moved: false,
        };
        let start = start(bodies, &nodes, sizes);
        let mut assembly = Assembly {
            map: model.retraction,
            names: bodies.iter().map(|(name, _)| name.clone()).collect(),
            nodes,
            bodies: inertias,
            groups,
            owners,
            pushes,
            parts,
            touching,
            turning,
            control,
            joints: model.joints().iter().map(Hold::new).collect(),
            sizes,
            patterns,
            start,
            jumps: Vec::new(),
            length: length(bodies),
            moment,
            scratch,
        };
        assembly.jumps = assembly.known_jumps(model);
        assembly.measure_start_angles();
        assembly.start_signals();
        Ok(assembly)
    }

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

    /// Gives angles that count turns their value at the start.
    fn measure_start_angles(&mut self) {
        let state = self.start.clone();
        self.place(&state.point());
        let first = self.sizes.configuration - self.turning.len();
        for k in 0..self.turning.len() {
            self.start.q[first + k] = self.wrapped_angle(k);
        }
    }

    /// Angle `k` at the present motions, without its turns.
    fn wrapped_angle(&self, k: usize) -> f64 {
        let Turning { nodes, measure } = &self.turning[k];
        let Measure::Angle { cosine, sine, .. } = *measure else { return 0.0 };
        let motions = &self.moment.motions;
        let world =
            World { t: 0.0, motions, angles: &[], functions: &[], states: &[], variables: &[] };
        Measure::Angle { cosine, sine, turns: None }.value(Scene { world: &world, nodes })
    }

    /// Works out the motions of all nodes and the functions of time.
    fn place(&mut self, at: &Point) {
        for (node, motion) in self.nodes.iter().zip(&mut self.moment.motions).skip(1) {
            *motion = node.motion(at);
        }
        let moment = &mut self.moment;
        if moment.time != at.t {
            moment.time = at.t;
            for (function, value) in moment.functions.iter_mut().zip(&mut moment.values) {
                *value = function.evaluate(at.t);
            }
        }
    }

    /// Works out the tangents of the retraction at the increment.
    fn place_tangents(&mut self, at: &Point) {
        self.moment.moved = at.increment.iter().any(|x| *x != 0.0);
        if self.moment.moved {
            for (node, tangent) in self.nodes.iter().zip(&mut self.moment.tangents).skip(1) {
                *tangent = node.tangent(self.map, at.increment);
            }
        }
    }

    /// Where angles that count turns are kept in a configuration.
    fn angles<'a>(&self, q: &'a [f64]) -> &'a [f64] {
        &q[self.sizes.configuration - self.turning.len()..]
    }

    /// Carries the turns of angles over to a new configuration.
    fn carry_turns(&self, q: &[f64], out: &mut [f64]) {
        if self.turning.is_empty() {
            return;
        }
        let first = self.sizes.configuration - self.turning.len();
        for (k, Turning { nodes, measure }) in self.turning.iter().enumerate() {
            let Measure::Angle { cosine, sine, .. } = *measure else { continue };
            let mut motions = [Motion::at_rest(&Default::default()); MAX_NODES];
            let mut slots = [0; MAX_NODES];
            for (slot, &node) in nodes.iter().enumerate() {
                motions[slot] = Motion::at_rest(&self.nodes[node].frame(out));
                slots[slot] = slot;
            }
            let world = World {
                t: 0.0,
                motions: &motions,
                angles: &[],
                functions: &[],
                states: &[],
                variables: &[],
            };
            let scene = Scene { world: &world, nodes: &slots[..nodes.len()] };
            let angle = Measure::Angle { cosine, sine, turns: None }.value(scene);
            out[first + k] = nearest_turn(angle, q[first + k]);
        }
    }
}

/// The state in which bodies were put.
fn start(bodies: &[(String, Body)], nodes: &[Node], sizes: Sizes) -> State {
    let mut state = State::zeros(sizes);
    for ((_, body), node) in bodies.iter().zip(nodes).skip(1) {
        node.store(&body.node_frame(), &mut state.q);
        let twist = body.start().twist();
        for (k, &column) in node.kind.columns().iter().enumerate() {
            state.v[node.v + k] = twist[column];
        }
    }
    state
}

/// Half the diagonal of the box around all bodies, or one.
fn length(bodies: &[(String, Body)]) -> f64 {
    let moves = |body: &Body| !matches!(body.kind, NodeKind::Amplitudes { .. });
    let places =
        bodies.iter().filter(|(_, body)| moves(body)).map(|(_, body)| body.node_frame().position);
    let (low, high) = places.fold(
        (Vector3::repeat(f64::INFINITY), Vector3::repeat(-f64::INFINITY)),
        |(low, high), p| (low.inf(&p), high.sup(&p)),
    );
    let half = 0.5 * (high - low).norm();
    if half > 0.0 { half } else { 1.0 }
}
