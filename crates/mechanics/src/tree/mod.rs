//! Mechanisms in the coordinates of their joints.
//!
//! A spanning tree of the joints takes the place of their constraints: the configuration is what the joints of the tree leave
//! free, and a [`TreeSystem`] maps it to the motions of bodies, asks the [`Assembly`] for what these miss, and sums that up
//! along the branches. Forces, sensors and control see body motions and stay as they are; joints that close loops,
//! drives and couplings stay constraints.
//!
//! ```text
//! V = R(q) v,     ρ = Rᵀ (M V̇ − f − Gᵀλ),     G_tree = G R
//! ```
//!
//! | file | concept |
//! |---|---|
//! | `spanning` | which joint carries each body |
//! | `link`, `layout` | joints as chains of single motions; where everything is |
//! | `chart` | how coordinates move |
//! | `stations` | where links are and how they move |
//! | `columns` | derivatives of body motions along joints |
//! | `tangent`, `rows` | derivatives of equations along joints |
//! | `recursion` | accelerations without a matrix, and what constraints do to them |
//! | `articulated` | what acts there |
//! | `scales` | how large coordinates are, by the motions of bodies |
//! | `lift` | states of the whole system, with the reactions of all joints |
//! | `system`, `facets` | what integrators ask for |
//! | `choice` | whether joint coordinates are possible, and whether they pay |

mod articulated;
mod chart;
mod choice;
mod columns;
mod facets;
mod layout;
mod lift;
mod link;
mod recursion;
mod rows;
mod scales;
mod spanning;
mod stations;
mod system;
mod tangent;

use crate::assembly::{Assembly, Branch};
use crate::node::stack;
use crate::registers::Three;
use columns::Columns;
use layout::Layout;
use link::GROUND;
use nalgebra::Vector6;
use recursion::{Recursion, Responses};
use rotula_dae::{Patterns, Point, Sizes, State, System, Terms};
use rotula_lie::Frame;
use rows::Rows;
use scales::scales;
use spanning::Carried;
use stations::Stations;
use std::cell::RefCell;
use tangent::Tangent;

/// A mechanism in joint coordinates. See the [module](self).
pub(crate) struct TreeSystem {
    /// As everybody else knows it.
    whole: Assembly,
    /// The same with velocities in the axes of bodies.
    inner: Assembly,
    branches: Vec<Branch>,
    order: Vec<Carried>,
    layout: Layout,
    /// The constraint rows that remain, of those of the whole.
    kept: Vec<usize>,
    sizes: Sizes,
    patterns: Patterns,
    tangent: Tangent,
    constraints: Rows,
    auxiliary: Rows,
    /// For each entry of the dependence on auxiliary unknowns of the assembly: the body, where its values are, and the
    /// places along joints.
    commands: Vec<Command>,
    columns: Columns,
    stations: Stations,
    /// Characteristic magnitudes of all motions.
    scales: Vec<f64>,
    recursion: Recursion,
    responses: Responses,
    /// Weight, as an acceleration of the ground.
    upwards: Three,
    /// The bodies on which forces act, and those that the constraints hold that remain, by their places among the riders.
    pushed: Vec<usize>,
    held: Vec<usize>,
    /// Those whose angles count their turns.
    turning: Vec<usize>,
    /// What everything above each link misses.
    wrenches: Vec<Vector6<f64>>,
    /// The state of the assembly at the point of evaluation.
    state: State,
    residual: Vec<f64>,
    /// Of the length of velocities.
    zeros: Vec<f64>,
    /// One number for each constraint of the whole.
    all_rows: Vec<f64>,
    room_for_rows: Vec<f64>,
    /// Room to follow angles.
    room: RefCell<(Vec<Frame>, Vec<f64>, Vec<f64>)>,
}

/// How the equations of a body depend on an auxiliary unknown.
struct Command {
    rider: usize,
    column: usize,
    /// Column of a velocity along joints, and place of the entry.
    places: Vec<(usize, usize)>,
}

impl TreeSystem {
    /// The mechanism as it stands at a state of the whole.
    fn new(
        whole: &Assembly,
        branches: Vec<Branch>,
        order: Vec<Carried>,
        start: &State,
    ) -> TreeSystem {
        let mut inner = whole.in_axes_of_bodies();
        let all = whole.sizes();
        let layout = Layout::new(&inner, &branches, &order, &start.q);
        let mut carrying = vec![false; all.multipliers()];
        for k in order.iter().filter_map(|carried| carried.joint) {
            branches[k].rows.iter().for_each(|&row| carrying[row] = true);
        }
        inner.leave(|row| carrying[row]);
        let kept: Vec<usize> = (0..all.multipliers()).filter(|&row| !carrying[row]).collect();
        let turns = all.configuration - inner.angle_start();
        let sizes = Sizes {
            configuration: layout.stored + turns,
            motion: layout.count,
            holonomic: kept.iter().filter(|&&row| row < all.holonomic).count(),
            nonholonomic: kept.iter().filter(|&&row| row >= all.holonomic).count(),
            ..all
        };
        let known = inner.patterns();
        let pairs = inner.coupled_nodes(|row| !carrying[row]);
        let tangent = Tangent::new(&inner, &layout, &pairs);
        let constraints = Rows::new(&inner, &layout, &known.constraints, &kept);
        let every: Vec<usize> = (0..all.auxiliary()).collect();
        let auxiliary = Rows::new(&inner, &layout, &known.auxiliary_motion, &every);
        let (commands, dynamics_auxiliary) = commands(&inner, &layout, all.auxiliary());
        let mut place = vec![None; all.multipliers()];
        kept.iter().enumerate().for_each(|(new, &old)| place[old] = Some(new));
        let measured: Vec<_> = known
            .auxiliary_multipliers
            .iter()
            .filter_map(|(row, column)| place[column].map(|column| (row, column)))
            .collect();
        let patterns = Patterns {
            dynamics: tangent.pattern.clone(),
            constraints: constraints.pattern.clone(),
            reactions: None,
            dynamics_auxiliary,
            auxiliary_motion: auxiliary.pattern.clone(),
            auxiliary_multipliers: rotula_linear::Pattern::from_entries(
                all.auxiliary(),
                kept.len(),
                &measured,
            ),
            auxiliary: known.auxiliary,
        };
        let stations = Stations::at_rest(&layout);
        TreeSystem {
            scales: scales(&inner, &layout, &stations),
            whole: whole.clone(),
            recursion: recursion(&inner, &layout),
            responses: responses(&layout, &constraints, kept.len()),
            upwards: Three::from(&-inner.gravity()),
            held: constraints.riders(),
            pushed: pushed(&inner, &layout),
            wrenches: vec![Vector6::zeros(); layout.links.len()],
            state: State::zeros(all),
            residual: vec![0.0; all.motion],
            zeros: vec![0.0; layout.count],
            all_rows: vec![0.0; all.multipliers()],
            room_for_rows: Vec::with_capacity(all.multipliers()),
            room: RefCell::new((
                Vec::new(),
                vec![0.0; all.configuration],
                vec![0.0; all.configuration],
            )),
            turning: turning(&inner, &layout),
            columns: Columns::default(),
            stations,
            inner,
            branches,
            order,
            layout,
            kept,
            sizes,
            patterns,
            tangent,
            constraints,
            auxiliary,
            commands,
        }
    }

    /// Works out the motions of links at a point, and of the state of the assembly all but the motions of bodies.
    fn place_links(&mut self, at: &Point) {
        let TreeSystem { layout, stations, state, inner, kept, .. } = self;
        stations.place(layout, at.q, at.v, at.vdot);
        let angles = inner.angle_start();
        state.q[angles..].copy_from_slice(&at.q[layout.stored..]);
        state.t = at.t;
        state.x.copy_from_slice(at.x);
        state.xdot.copy_from_slice(at.xdot);
        state.y.copy_from_slice(at.y);
        for (row, value) in kept.iter().zip(at.multipliers) {
            state.multipliers[*row] = *value;
        }
    }

    /// The same, and hands the motions of bodies over to the assembly.
    fn hand_over(&mut self, at: &Point) {
        self.place_links(at);
        let TreeSystem { layout, stations, inner, .. } = self;
        for rider in &layout.riders {
            inner.hand_over(rider.node, stations.motion(rider));
        }
    }

    /// The same, with the motions of bodies in the state of the assembly.
    fn place(&mut self, at: &Point) {
        self.place_links(at);
        let TreeSystem { layout, stations, state, inner, .. } = self;
        for rider in &layout.riders {
            let frame = &stations.frames[rider.link];
            layout.store(rider, frame, at.q, inner, &mut state.q);
            let motion = stations.motion(rider);
            let node = &inner.nodes()[rider.node];
            let twist = motion.twist();
            let rate = stack(&motion.velocity_rate, &motion.omega_rate);
            for (k, &column) in node.kind.columns().iter().enumerate() {
                state.v[node.v + k] = twist[column];
                state.vdot[node.v + k] = rate[column];
            }
        }
    }

    /// Asks the assembly something at the same point.
    fn ask<T>(&mut self, at: &Point, question: impl FnOnce(&mut Assembly, &Point) -> T) -> T {
        self.place(at);
        question(&mut self.inner, &self.state.point())
    }

    /// Asks it something between two points.
    fn ask_between<T>(
        &mut self,
        [from, to]: [&Point; 2],
        question: impl FnOnce(&mut Assembly, &Point, &Point) -> T,
    ) -> T {
        self.place(from);
        let before = self.state.clone();
        self.place(to);
        question(&mut self.inner, &before.point(), &self.state.point())
    }

    /// What the bodies above each link miss, from what each misses itself.
    fn gather(&mut self) {
        let TreeSystem { layout, stations, inner, residual, wrenches, .. } = self;
        wrenches.fill(Vector6::zeros());
        for rider in &layout.riders {
            let own = inner.nodes()[rider.node].embed(residual);
            wrenches[rider.link] += stations.to_world(rider, &own);
        }
        for l in (0..layout.links.len()).rev() {
            let parent = layout.links[l].parent;
            if parent != GROUND {
                let above = wrenches[l];
                wrenches[parent] += above;
            }
        }
    }

    /// The terms of the assembly that matter: reactions only if some constraints remain.
    fn terms(&self, terms: Terms) -> Terms {
        Terms { reactions: terms.reactions && !self.kept.is_empty(), ..terms }
    }

    /// The parts of the gathered wrenches along free motions.
    fn project(&self, out: &mut [f64]) {
        for (l, wrench) in self.wrenches.iter().enumerate() {
            for k in self.layout.columns(l) {
                out[k] = self.stations.screws[k].dot(wrench);
            }
        }
    }
}

/// The recursion over the bodies of an assembly.
fn recursion(inner: &Assembly, layout: &Layout) -> Recursion {
    let inertias = inner.inertias();
    Recursion::new(layout, |rider| inertias[rider.node])
}

/// Its responses to the constraints that remain.
fn responses(layout: &Layout, constraints: &Rows, count: usize) -> Responses {
    let acting = constraints.acting();
    Responses::new(layout, count, acting.map(|(row, rider, _)| (row, layout.riders[rider].link)))
}

/// The bodies on which forces act, by their places among the riders.
fn pushed(inner: &Assembly, layout: &Layout) -> Vec<usize> {
    let nodes = inner.pushed_nodes();
    (0..layout.riders.len()).filter(|&k| nodes[layout.riders[k].node]).collect()
}

/// The bodies whose angles count their turns, by their places among the riders.
fn turning(inner: &Assembly, layout: &Layout) -> Vec<usize> {
    let bodies = inner.turning_nodes().filter(|&node| node > 0);
    let mut riders: Vec<usize> = bodies.map(|node| layout.rider_of[node]).collect();
    riders.sort_unstable();
    riders.dedup();
    riders
}

/// How equations of motion depend on auxiliary unknowns, and the pattern along joints.
fn commands(
    inner: &Assembly,
    layout: &Layout,
    auxiliary: usize,
) -> (Vec<Command>, rotula_linear::Pattern) {
    let known = inner.patterns().dynamics_auxiliary;
    let mut found = Vec::new();
    for column in 0..auxiliary {
        for (k, rider) in layout.riders.iter().enumerate() {
            let node = &inner.nodes()[rider.node];
            if known.position(node.v, column).is_some() {
                found.push((k, column, layout.columns_down(rider.link).collect::<Vec<_>>()));
            }
        }
    }
    let entries: Vec<(usize, usize)> = found
        .iter()
        .flat_map(|(_, column, rows)| rows.iter().map(move |row| (*row, *column)))
        .collect();
    let pattern = rotula_linear::Pattern::from_entries(layout.count, auxiliary, &entries);
    let commands = found.into_iter().map(|(rider, column, rows)| Command {
        rider,
        column,
        places: rows
            .into_iter()
            .filter_map(|row| pattern.position(row, column).map(|place| (row, place)))
            .collect(),
    });
    (commands.collect(), pattern)
}
