//! The derivative of the equations of motion along joints, exact.
//!
//! With blocks `M`, `D`, `K` of bodies as forms of the world at `o`, of which those of all bodies above a link add up to `M_c`,
//! `D_c`, `K_c`, and with the wrench `F` that all of them miss,
//!
//! ```text
//! ρ_i = S_iᵀ F_i,    ∂ρ_i/∂j = S_iᵀ c,     c = M_c α_j + D_c β_j + K_c γ_j,      D = D_b − M_b ad(ν_b)
//! ```
//!
//! where the sums are those of the upper of both links. Where `j` is above `i`, `F` turns with it but `S_i` does not: then
//! `c` has `−ad(γ_j)ᵀ F_j` more. Blocks between two bodies belong to the sums from the link on where their branches fork;
//! above it their entries are worked out one by one.

use super::columns::Columns;
use super::layout::Layout;
use super::link::GROUND;
use super::stations::Stations;
use crate::assembly::{Assembly, Block};
use crate::node::NodeKind;
use nalgebra::{Matrix3, Matrix6, Vector6};
use rotula_dae::System;
use rotula_lie::se3::{adjoint_bracket, bracket_transposed};
use rotula_linear::Pattern;

/// Blocks of a body or a pair of bodies along accelerations, velocities and variations, as forms of the world.
type Blocks = [Matrix6<f64>; 3];

/// How the row of an entry stands to its column.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Standing {
    /// On the same link.
    Same,
    /// Below, nearer to the ground.
    Below,
    /// Above.
    Above,
    /// On another branch.
    Apart,
}

/// Two bodies that a force or a constraint couples.
#[derive(Clone, Debug)]
struct Coupling {
    riders: [usize; 2],
    block: Block,
    /// The link where their branches fork.
    fork: usize,
    /// Row, column and place of the entries that are not of the sums.
    entries: Vec<(usize, usize, usize)>,
}

/// An entry between amplitudes of shapes, which move by themselves: it stays what it is.
#[derive(Clone, Debug)]
struct Plain {
    /// Where it is in the assembly.
    value: usize,
    column: usize,
    /// The axis along which the column moves its node.
    axis: usize,
    place: usize,
}

/// The tangent along joints.
#[derive(Clone, Debug)]
pub(super) struct Tangent {
    pub pattern: Pattern,
    standings: Vec<Standing>,
    link_of: Vec<usize>,
    /// The block of each body on itself.
    own: Vec<Block>,
    couplings: Vec<Coupling>,
    plain: Vec<Plain>,
    /// Mass and moments of each body.
    inertias: Vec<(f64, Matrix3<f64>)>,
    /// Values of the assembly along accelerations, velocities and variations; the first only where `has_elements`, for else the inertia
    /// of bodies is known.
    pub values: [Vec<f64>; 3],
    pub has_elements: bool,
    /// Sums of the bodies above each link.
    sums: Vec<Blocks>,
}

impl Tangent {
    pub fn new(assembly: &Assembly, layout: &Layout, pairs: &[[usize; 2]]) -> Self {
        let link_of = layout.links_of_columns();
        let known = assembly.inertias();
        let mut entries = Vec::new();
        for j in 0..layout.count {
            for i in layout.columns_down(link_of[j]) {
                entries.extend([(i, j), (j, i)]);
            }
        }
        let (mut couplings, mut plain) = (Vec::new(), Vec::new());
        for pair in pairs {
            let riders = pair.map(|node| layout.rider_of[node]);
            let [row, col] = pair.map(|node| &assembly.nodes()[node]);
            if let (NodeKind::Amplitudes { .. }, NodeKind::Amplitudes { .. }) = (row.kind, col.kind)
            {
                let [from, to] = riders.map(|rider| layout.links[layout.riders[rider].first].v);
                for (i, axis) in row
                    .kind
                    .columns()
                    .iter()
                    .flat_map(|i| col.kind.columns().iter().map(move |axis| (*i, *axis)))
                {
                    plain.push(([row.v + i, col.v + axis], (from + i, to + axis), axis));
                    entries.push((from + i, to + axis));
                }
                continue;
            }
            let [row, col] = riders.map(|rider| layout.riders[rider].link);
            let fork = layout.fork(row, col);
            let shared = |link: usize| fork != GROUND && link <= fork;
            let mut own = Vec::new();
            for i in layout.columns_down(row) {
                for j in layout.columns_down(col) {
                    // on both ways, up to the fork, the sums hold them
                    if !(shared(link_of[i]) && shared(link_of[j])) {
                        own.push((i, j));
                    }
                }
            }
            entries.extend_from_slice(&own);
            couplings.push((riders, *pair, fork, own));
        }
        let pattern = Pattern::from_entries(layout.count, layout.count, &entries);
        let place = |(i, j): (usize, usize)| pattern.position(i, j).map(|place| (i, j, place));
        let couplings = couplings.into_iter().map(|(riders, pair, fork, own)| Coupling {
            riders,
            block: assembly.block(pair),
            fork,
            entries: own.into_iter().filter_map(place).collect(),
        });
        let couplings = couplings.collect();
        let values = assembly.patterns().dynamics;
        let plain = plain.into_iter().filter_map(|([row, col], (i, column), axis)| {
            let (value, place) = (values.position(row, col)?, pattern.position(i, column)?);
            Some(Plain { value, column, axis, place })
        });
        let plain = plain.collect();
        let standing = |(i, j): (usize, usize)| {
            let (row, col) = (link_of[i], link_of[j]);
            match layout.fork(row, col) {
                _ if row == col => Standing::Same,
                fork if fork == row => Standing::Below,
                fork if fork == col => Standing::Above,
                _ => Standing::Apart,
            }
        };
        Tangent {
            standings: pattern.iter().map(standing).collect(),
            own: layout.riders.iter().map(|rider| assembly.block([rider.node; 2])).collect(),
            inertias: layout.riders.iter().map(|rider| known[rider.node]).collect(),
            values: [0; 3].map(|_| vec![0.0; assembly.tangent_entries()]),
            has_elements: assembly.has_elements(),
            sums: vec![[Matrix6::zeros(); 3]; layout.links.len()],
            pattern,
            link_of,
            couplings,
            plain,
        }
    }

    /// The values along joints; `wrenches` are those that everything above each link misses. Without inertia, bodies have none.
    pub fn along_joints(
        &mut self,
        layout: &Layout,
        at: &Stations,
        columns: &Columns,
        (inertia, wrenches): (bool, &[Vector6<f64>]),
        out: &mut [f64],
    ) {
        let Tangent { pattern, standings, link_of, own, couplings, plain, inertias, sums, .. } =
            self;
        let Columns { alpha, beta, gamma } = columns;
        let [mass, damping, stiffness] = &self.values;
        let has_elements = self.has_elements;
        sums.fill([Matrix6::zeros(); 3]);
        for (k, rider) in layout.riders.iter().enumerate() {
            let form = |values: &[f64]| at.form([rider; 2], &own[k].read(values));
            let mut blocks = [Matrix6::zeros(), form(damping), form(stiffness)];
            if inertia {
                blocks[0] = match has_elements {
                    true => form(mass),
                    false => at.inertia(rider, &inertias[k]),
                };
                blocks[1] -= blocks[0] * adjoint_bracket(&at.links[rider.link].velocity);
            }
            add(&mut sums[rider.link], &blocks);
        }
        let between = couplings.iter().map(|Coupling { riders, block, .. }| {
            let riders = riders.map(|rider| &layout.riders[rider]);
            let form = |values: &[f64]| at.form(riders, &block.read(values));
            let mut blocks = [Matrix6::zeros(), form(damping), form(stiffness)];
            if inertia && has_elements {
                blocks[0] = form(mass);
                blocks[1] -= blocks[0] * adjoint_bracket(&at.links[riders[1].link].velocity);
            }
            blocks
        });
        let between: Vec<Blocks> = between.collect();
        for (coupling, blocks) in couplings.iter().zip(&between) {
            if coupling.fork != GROUND {
                add(&mut sums[coupling.fork], blocks);
            }
        }
        for l in (0..layout.links.len()).rev() {
            let parent = layout.links[l].parent;
            if parent != GROUND {
                let above = sums[l];
                add(&mut sums[parent], &above);
            }
        }
        let forms: Vec<[Vector6<f64>; 3]> = (0..layout.count)
            .map(|i| [0, 1, 2].map(|k| sums[link_of[i]][k].tr_mul(&at.screws[i])))
            .collect();
        let mut entry = 0;
        for j in 0..layout.count {
            let [mass, damping, stiffness] = &sums[link_of[j]];
            let same = mass * alpha[j] + damping * beta[j] + stiffness * gamma[j];
            let below = same - bracket_transposed(&gamma[j], &wrenches[link_of[j]]);
            for i in pattern.column(j).iter().map(|&i| i as usize) {
                out[entry] = match standings[entry] {
                    Standing::Same => at.screws[i].dot(&same),
                    Standing::Below => at.screws[i].dot(&below),
                    Standing::Above => {
                        let [m, d, k] = &forms[i];
                        m.dot(&alpha[j]) + d.dot(&beta[j]) + k.dot(&gamma[j])
                    }
                    Standing::Apart => 0.0,
                };
                entry += 1;
            }
        }
        for Plain { value, column: j, axis, place } in plain.iter() {
            out[*place] += mass[*value] * alpha[*j][*axis]
                + damping[*value] * beta[*j][*axis]
                + stiffness[*value] * gamma[*j][*axis];
        }
        for (coupling, [mass, damping, stiffness]) in couplings.iter().zip(&between) {
            for &(i, j, place) in &coupling.entries {
                let column = mass * alpha[j] + damping * beta[j] + stiffness * gamma[j];
                out[place] += at.screws[i].dot(&column);
            }
        }
    }
}

fn add(sum: &mut Blocks, blocks: &Blocks) {
    sum.iter_mut().zip(blocks).for_each(|(sum, block)| *sum += block);
}
