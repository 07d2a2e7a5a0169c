//! From a model to its equations: every thing gets its rows, columns and places, once.

use super::control::Control;
use super::deciding::Deciding;
use super::flat::Flat;
use super::inertia::in_fixed_axes;
use super::passages::Watched;
use super::places::{Block, Strip, block_entries, strip_entries};
use super::reaction::Hold;
use super::sheet::Sheet;
use super::touching::Touching;
use super::turns::Turning;
use super::{Assembly, Group, Inertia, Moment, Part, Push, Scratch};
use crate::body::{Body, MassProperties};
use crate::constraint::Constraint;
use crate::element::Element;
use crate::error::ModelError;
use crate::force::Force;
use crate::measure::{MAX_NODES, Measure};
use crate::model::{ConstraintEntry, Model};
use crate::node::{Motion, Node, NodeKind};
use crate::rates::Rates;
use crate::unilateral::Unilateral;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_dae::{Patterns, Sizes, State};
use rotula_linear::Pattern;

/// What a model holds that has equations, with the angles that count turns numbered.
struct Things {
    constraints: Vec<ConstraintEntry>,
    forces: Vec<(String, Box<dyn Force>)>,
    contacts: Vec<(String, Unilateral)>,
    control: Control,
    turning: Vec<Turning>,
}

impl Things {
    fn of(model: &Model) -> Result<Self, ModelError> {
        let mut constraints = model.constraints().to_vec();
        let mut forces = model.forces().to_vec();
        let mut contacts = model.contacts()?;
        let mut control = Control::compile(model)?;

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
        for (_, contact) in &mut contacts {
            let nodes = contact.nodes().to_vec();
            contact.measures_mut().for_each(|measure| keep(&nodes, measure));
        }
        control.measures(&mut keep);
        Ok(Things { constraints, forces, contacts, control, turning })
    }
}

/// Where everything is: columns of the nodes, rows of the constraints, sparsity.
struct Layout {
    nodes: Vec<Node>,
    sizes: Sizes,
    /// The first row of each constraint.
    rows: Vec<usize>,
    dynamics: Pattern,
    gradients: Pattern,
}

impl Layout {
    fn new(model: &Model, things: &Things) -> Self {
        let mut nodes = vec![Node::GROUND];
        let (mut q, mut v) = (0, 0);
        let rates = rates(model, things);
        for ((_, body), &rates) in model.bodies().iter().zip(&rates).skip(1) {
            nodes.push(Node { kind: body.kind, rates, q, v });
            q += body.kind.stored();
            v += body.kind.columns().len();
        }
        let count = |holonomic: bool| -> usize {
            let all = things.constraints.iter().map(|entry| &entry.constraint);
            all.filter(|c| c.holonomic() == holonomic).map(|c| c.rows()).sum()
        };
        let sizes = Sizes {
            configuration: q + things.turning.len(),
            motion: v,
            holonomic: count(true),
            nonholonomic: count(false),
            states: things.control.states.len(),
            variables: things.control.variables.len(),
        };
        // holonomic rows come first
        let mut next = [0, sizes.holonomic];
        let rows = things.constraints.iter().map(|entry| {
            let next = &mut next[usize::from(!entry.constraint.holonomic())];
            let row = *next;
            *next += entry.constraint.rows();
            row
        });
        let rows: Vec<usize> = rows.collect();

        let mut square = Vec::new();
        for node in &nodes {
            block_entries(node, node, &mut square);
        }
        let mut couple = |list: &[usize]| {
            for &i in list {
                list.iter().for_each(|&j| block_entries(&nodes[i], &nodes[j], &mut square));
            }
        };
        let mut strips = Vec::new();
        for (ConstraintEntry { constraint, .. }, &row) in things.constraints.iter().zip(&rows) {
            couple(constraint.nodes());
            for &node in constraint.nodes() {
                strip_entries(row, constraint.rows(), &nodes[node], &mut strips);
            }
        }
        things.forces.iter().for_each(|(_, force)| couple(force.nodes()));
        model.elements().iter().for_each(|(_, element)| couple(element.nodes()));
        let dynamics = Pattern::from_entries(sizes.motion, sizes.motion, &square);
        let gradients = Pattern::from_entries(sizes.multipliers(), sizes.motion, &strips);
        Layout { nodes, sizes, rows, dynamics, gradients }
    }

    /// The blocks of every pair of the nodes, row by row.
    fn blocks(&self, list: &[usize]) -> Vec<Block> {
        let pairs = list.iter().flat_map(|&i| list.iter().map(move |&j| (i, j)));
        pairs.map(|(i, j)| Block::find(&self.dynamics, &self.nodes[i], &self.nodes[j])).collect()
    }

    /// A constraint with its places.
    fn group(&self, entry: ConstraintEntry, row: usize) -> Group {
        let list = entry.constraint.nodes();
        let strip = |node: &usize| Strip::find(&self.gradients, row, &self.nodes[*node]);
        let places = (list.iter().map(strip).collect(), self.blocks(list));
        Group::new((entry.owner, row), entry.constraint, places)
    }

    /// A force with its places.
    fn push(&self, (name, force): (String, Box<dyn Force>)) -> Push {
        let nodes = force.nodes().to_vec();
        Push { name, blocks: self.blocks(&nodes), nodes, force }
    }

    /// Elements with their places and their weight.
    fn parts(&self, model: &Model) -> Vec<Part> {
        let place = |(name, element): &(String, Box<dyn Element>)| {
            let mut element = element.clone();
            element.set_gravity(&model.gravity);
            let nodes = element.nodes().to_vec();
            let (blocks, works) = (self.blocks(&nodes), element.works());
            Part { name: name.clone(), blocks, works, nodes, element, gathered: false }
        };
        model.elements().iter().map(place).collect()
    }

    /// Bodies that have mass, with their places and their weight.
    fn inertias(&self, model: &Model) -> Vec<Inertia> {
        let place = |(node, (_, body)): (usize, &(String, Body))| {
            let weight = model.gravity * body.mass.mass;
            let own = &self.nodes[node];
            Inertia {
                node,
                mass: body.mass.mass,
                moments: body.mass.inertia,
                weight,
                heavy: weight != Vector3::zeros(),
                rates: own.rates,
                fixed_weight: in_fixed_axes(own, &weight),
                block: Block::find(&self.dynamics, own, own),
            }
        };
        let heavy = |(_, (_, body)): &(usize, &(String, Body))| {
            body.mass.mass != 0.0 || body.mass.inertia != Matrix3::zeros()
        };
        model.bodies().iter().enumerate().skip(1).filter(heavy).map(place).collect()
    }
}

/// Nodes whose motion a residual looks at when sheets look after theirs.
fn seen(bodies: &[Inertia], pushes: &[Push], groups: &[Group], parts: &[Part]) -> Vec<usize> {
    let of_parts = parts.iter().filter(|part| !part.gathered).flat_map(|part| &part.nodes);
    let of_groups = groups.iter().flat_map(|group| &group.nodes);
    let of_pushes = pushes.iter().flat_map(|push| &push.nodes);
    let all = bodies.iter().map(|body| &body.node).chain(of_parts).chain(of_groups);
    let mut seen: Vec<usize> = all.chain(of_pushes).copied().filter(|node| *node > 0).collect();
    seen.sort_unstable();
    seen.dedup();
    seen
}

impl Scratch {
    /// Room for the largest constraint, element and contact.
    fn new(groups: &[Group], parts: &[Part]) -> Self {
        let rows = groups.iter().map(|g| g.rows).max().unwrap_or(0).max(Touching::MOST_ROWS);
        let parts = parts.iter().map(|part| part.nodes.len());
        let nodes = groups.iter().map(|g| g.nodes.len()).chain(parts).max();
        let nodes = nodes.unwrap_or(0).max(MAX_NODES);
        Scratch {
            rows: vec![Vector6::zeros(); rows * nodes],
            levels: [0; 3].map(|_| vec![Vector6::zeros(); rows * nodes]),
            blocks: vec![Matrix6::zeros(); nodes * nodes],
            more_blocks: vec![Matrix6::zeros(); nodes * nodes],
        }
    }
}

impl Moment {
    fn new(nodes: &[Node], model: &Model) -> Self {
        let count = nodes.len();
        Moment {
            motions: vec![Motion::at_rest(&Default::default()); count],
            kept: nodes.iter().map(|node| node.kept(&Matrix3::identity())).collect(),
            functions: model.functions().to_vec(),
            values: vec![[0.0; 3]; model.functions().len()],
            time: f64::NAN,
            tangents: vec![Matrix6::identity(); count],
            moved: false,
        }
    }
}

impl Assembly {
    pub(crate) fn new(model: &Model) -> Result<Self, ModelError> {
        let things = Things::of(model)?;
        let layout = Layout::new(model, &things);
        let Things { constraints, forces, contacts, mut control, turning } = things;
        let sizes = layout.sizes;

        let mut patterns = Patterns {
            dynamics: layout.dynamics.clone(),
            constraints: layout.gradients.clone(),
            ..Patterns::dense(Sizes::default())
        };
        let entries = constraints.iter().zip(&layout.rows);
        let ranges: Vec<_> =
            entries.map(|(entry, &row)| row..row + entry.constraint.rows()).collect();
        let commanded: Vec<_> = forces
            .iter()
            .map(|(name, force)| (name.as_str(), force.nodes(), force.auxiliary()))
            .collect();
        control.place(&layout.nodes, &ranges, &commanded, sizes, &mut patterns)?;

        let entries = constraints.into_iter().zip(&layout.rows);
        let groups: Vec<Group> = entries.map(|(entry, &row)| layout.group(entry, row)).collect();
        let mut owners = vec![0; sizes.multipliers()];
        for (k, group) in groups.iter().enumerate() {
            owners[group.row..group.row + group.rows].fill(k as u32);
        }
        let lists = model.candidate_lists().to_vec();
        let touching = Touching::new(contacts, lists, &layout.nodes, sizes.motion);
        let mut parts = layout.parts(model);
        let sheets = Sheet::gather(&mut parts, &layout.nodes);
        let pushes: Vec<Push> = forces.into_iter().map(|force| layout.push(force)).collect();
        let inertias = layout.inertias(model);
        let bodies = model.bodies();
        let soft: Vec<usize> =
            (0..pushes.len()).filter(|&k| pushes[k].force.is_contact()).collect();
        let moment = Moment::new(&layout.nodes, model);
        let watched = Watched::new((&pushes, &soft), &touching, &inertias, &moment.motions);
        let mut assembly = Assembly {
            map: model.retraction,
            names: bodies.iter().map(|(name, _)| name.clone()).collect(),
            owners,
            seen: seen(&inertias, &pushes, &groups, &parts),
            flat: Flat::new(&layout.nodes),
            bodies: inertias,
            soft,
            pushes,
            sheets,
            touching,
            watched,
            turning,
            control,
            joints: model.joints().iter().map(Hold::new).collect(),
            attachments: model.attachments().to_vec(),
            drives: model.drives.clone(),
            sizes,
            patterns,
            start: start(bodies, &layout.nodes, sizes),
            jumps: Vec::new(),
            timetables: Vec::new(),
            deciding: Deciding::default(),
            length: length(bodies),
            moment,
            scratch: Scratch::new(&groups, &parts),
            groups,
            parts,
            nodes: layout.nodes,
        };
        assembly.jumps = assembly.known_jumps(model);
        assembly.timetables = assembly.known_timetables(model);
        assembly.deciding = Deciding::find(&assembly.control.equations, &assembly.pushes);
        assembly.measure_start_angles();
        assembly.start_signals();
        Ok(assembly)
    }
}

/// The state in which bodies were put.
fn start(bodies: &[(String, Body)], nodes: &[Node], sizes: Sizes) -> State {
    let mut state = State::zeros(sizes);
    for ((_, body), node) in bodies.iter().zip(nodes).skip(1) {
        node.store(&body.node_frame(), &mut state.q);
        node.store_twist(&body.node_frame(), &body.start().twist(), &mut state.v);
    }
    state
}

/// How round an inertia must be for its moments to count as equal.
const ROUND: f64 = 1e-12;

/// In which axes each node keeps its velocity: those of the world if nothing holds its body, see
/// [`crate::rates`].
fn rates(model: &Model, things: &Things) -> Vec<Rates> {
    let mut held = vec![false; model.bodies().len()];
    let mut flies = vec![false; things.constraints.len()];
    for joint in model.joints().iter().filter(|joint| joint.flies) {
        flies[joint.constraints.clone()].fill(true);
    }
    let constraints = things.constraints.iter().zip(flies).filter(|(_, flies)| !flies);
    let constraints = constraints.map(|(entry, _)| entry.constraint.nodes());
    let elements = model.elements().iter().map(|(_, element)| element.nodes());
    let mounts = things.forces.iter().filter(|(_, force)| force.holds());
    let mounts = mounts.map(|(_, force)| force.nodes());
    for nodes in constraints.chain(elements).chain(mounts) {
        nodes.iter().for_each(|node| held[*node] = true);
    }
    let rates = |((_, body), held): (&(String, Body), bool)| {
        let MassProperties { mass, inertia, .. } = body.mass;
        let mean = inertia.trace() / 3.0;
        let round = (inertia - Matrix3::from_diagonal_element(mean)).amax() <= ROUND * mean;
        match body.kind {
            _ if held || mass <= 0.0 => Rates::Body,
            NodeKind::Spatial if round => Rates::World,
            NodeKind::Spatial | NodeKind::Planar(_) => Rates::Centre,
            NodeKind::Ground | NodeKind::Point | NodeKind::Amplitudes { .. } => Rates::Body,
        }
    };
    model.bodies().iter().zip(held).map(rates).collect()
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
