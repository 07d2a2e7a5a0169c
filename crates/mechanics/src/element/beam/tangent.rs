//! The tangent of a beam element.
//!
//! Forces on the shape, `s_i`, depend on the charts `x_j`, their rates and the motion of the first
//! node; the charts depend on the nodes. Derivatives of the first are collected over the points of
//! the quadrature, then multiplied by those of the second.

use super::chart::{Chart, Slopes};
use super::element::Charts;
use super::inertia::{self, FeltSlopes};
use super::shape::Sample;
use super::{Beam, MOST_CHARTS, MOST_NODES, MassKind};
use crate::element::Blocks;
use crate::node::{Motion, stack};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::{Terms, Weights};

/// Rows of the derivatives: the first is the wrench on the first node, then one per chart.
const ROWS: usize = MOST_CHARTS + 1;

/// Derivatives of the forces on the shape.
struct Collected {
    /// By chart, its rate and the rate of that.
    chart: [[[Matrix6<f64>; 3]; MOST_CHARTS]; ROWS],
    /// By velocity and acceleration of the first node, and along its turn.
    reference: [[Matrix6<f64>; 3]; ROWS],
}

impl Collected {
    fn new() -> Self {
        let zero = Matrix6::zeros();
        Collected { chart: [[[zero; 3]; MOST_CHARTS]; ROWS], reference: [[zero; 3]; ROWS] }
    }

    /// Adds the inertia of a section.
    fn add_section(&mut self, sample: &Sample, slopes: &FeltSlopes, charts: usize) {
        for row in 0..=charts {
            // the first row is felt by the reference, the others through the shape
            let (kind, share) = if row == 0 { (0, 1.0) } else { (1, sample.shape[row - 1]) };
            let weight = sample.weight * share;
            let by_reference = [&slopes.v[kind], &slopes.a[kind], &slopes.turn[kind]];
            for (out, slope) in self.reference[row].iter_mut().zip(by_reference) {
                *out += slope * weight;
            }
            let by_chart = [&slopes.x[kind], &slopes.rate[kind], &slopes.rate_rate[kind]];
            for k in 0..charts {
                let weight = weight * sample.shape[k];
                for (out, slope) in self.chart[row][k].iter_mut().zip(by_chart) {
                    *out += slope * weight;
                }
            }
        }
    }
}

impl Beam {
    pub(super) fn add_tangent(&self, scene: Scene, weights: Weights, terms: Terms, out: Blocks) {
        let motions = self.motions(scene, terms);
        let charts = self.charts(&motions);
        let mut blocks = Sections::new(self, out);
        let mut collected = Collected::new();
        let mut forces = [Vector6::zeros(); MOST_CHARTS];
        if terms.forces {
            self.collect_strain(&charts, &mut collected, &mut forces);
        }
        match self.mass_kind {
            MassKind::Consistent => {
                let carried = self.carried(&motions[0], scene, terms);
                for sample in &self.inertial {
                    let moving = self.moving(&motions[0], &charts, sample, &carried.gravity);
                    let felt = moving.felt(&carried);
                    for k in 0..self.count - 1 {
                        forces[k] += felt.shape * (sample.weight * sample.shape[k]);
                    }
                    let slopes = moving.slopes(&carried, &felt.wrench);
                    collected.add_section(sample, &slopes, self.count - 1);
                }
            }
            MassKind::Lumped => {
                for slot in 0..self.count {
                    self.lump_tangent(slot, &motions[slot], (scene, terms), &weights, &mut blocks);
                }
            }
        }
        // derivatives that a term does not have
        let weights = Weights {
            mass: if terms.inertia { weights.mass } else { 0.0 },
            damping: if terms.forces { weights.damping } else { 0.0 },
            ..weights
        };
        self.chain(&motions, &charts, &collected, &forces, &weights, &mut blocks);
    }

    /// Derivatives of the strain forces, and the forces.
    fn collect_strain(
        &self,
        charts: &Charts,
        collected: &mut Collected,
        forces: &mut [Vector6<f64>; MOST_CHARTS],
    ) {
        *forces = self.strain_forces(charts);
        if self.count == 2 {
            collected.chart[1][0][0] = self.section.stiffness / self.length;
            collected.chart[1][0][1] = self.section.damping / self.length;
            return;
        }
        for sample in &self.elastic {
            let slopes = self.bent(charts, sample).slopes(sample, &self.section);
            for i in 0..self.count - 1 {
                for j in 0..self.count - 1 {
                    let (n, m) =
                        ([sample.shape[i], sample.slope[i]], [sample.shape[j], sample.slope[j]]);
                    for a in 0..2 {
                        for b in 0..2 {
                            let weight = sample.weight * n[a] * m[b];
                            collected.chart[i + 1][j][0] += slopes.by_shape[a][b] * weight;
                            collected.chart[i + 1][j][1] += slopes.by_rate[a][b] * weight;
                        }
                    }
                }
            }
        }
    }

    fn lump_tangent(
        &self,
        slot: usize,
        motion: &Motion,
        (scene, terms): (Scene, Terms),
        weights: &Weights,
        blocks: &mut Sections,
    ) {
        let carried = self.carried(motion, scene, terms);
        let share = self.shares[slot];
        let gravity = stack(&carried.gravity, &Vector3::zeros());
        let turn = carried.mass * inertia::turn_of(&gravity) + inertia::turn_of(&carried.dead);
        blocks.by_variation(slot, slot, turn * (-share * weights.stiffness));
        let mut plain = Matrix6::zeros();
        if terms.inertia {
            plain += carried.mass * (share * weights.mass);
        }
        if terms.forces {
            let gyroscopic = inertia::wrench_by_velocity(carried.mass, &motion.twist());
            plain += gyroscopic * (share * weights.damping);
        }
        blocks.plain(slot, slot, plain);
    }

    /// From the charts to the nodes.
    fn chain(
        &self,
        motions: &[Motion; MOST_NODES],
        charts: &Charts,
        collected: &Collected,
        forces: &[Vector6<f64>; MOST_CHARTS],
        weights: &Weights,
        blocks: &mut Sections,
    ) {
        let still = Matrix6::zeros();
        let slopes: [Option<Slopes>; MOST_CHARTS] = std::array::from_fn(|k| {
            charts.of[k].as_ref().map(|chart| chart.slopes(&motions[0], &motions[k + 1]))
        });
        let count = self.count - 1;
        // rows of forces, by node: along variations and plain
        let mut rows = [[[still; 2]; MOST_NODES]; ROWS];
        for (row, out) in rows.iter_mut().enumerate().take(count + 1) {
            let [by_v, by_a, turn] = &collected.reference[row];
            out[0] = [turn * weights.stiffness, by_v * weights.damping + by_a * weights.mass];
            for k in 0..count {
                let (Some(chart), Some(slope)) = (&charts.of[k], &slopes[k]) else { continue };
                let [by_x, by_rate, by_rate_rate] = &collected.chart[row][k];
                let along = by_x + by_rate * slope.rate + by_rate_rate * slope.rate_rate;
                let columns = chart.columns();
                let plain = slope.plain(chart, weights);
                for (node, end) in [(0, 0), (k + 1, 1)] {
                    out[node][0] += along * columns[end] * weights.stiffness;
                    out[node][1] += by_rate * plain[end][0] + by_rate_rate * plain[end][1];
                }
            }
        }
        for node in 0..=count {
            blocks.by_variation(0, node, rows[0][node][0]);
            blocks.plain(0, node, rows[0][node][1]);
        }
        for k in 0..count {
            let Some(chart) = &charts.of[k] else { continue };
            let columns = chart.columns();
            for node in 0..=count {
                let [along, plain] = &rows[k + 1][node];
                for (slot, end) in [(0, 0), (k + 1, 1)] {
                    blocks.by_variation(slot, node, columns[end].tr_mul(along));
                    blocks.plain(slot, node, columns[end].tr_mul(plain));
                }
            }
            self.geometric(k, chart, &forces[k], weights, blocks);
        }
    }

    /// The force stays, the chart turns it.
    fn geometric(
        &self,
        k: usize,
        chart: &Chart,
        force: &Vector6<f64>,
        weights: &Weights,
        blocks: &mut Sections,
    ) {
        let columns = chart.columns();
        for (turned, slot) in chart.geometric(force).iter().zip([0, k + 1]) {
            for (column, node) in columns.iter().zip([0, k + 1]) {
                blocks.by_variation(slot, node, turned * column * weights.stiffness);
            }
        }
    }
}

/// Blocks of sections, handed over to the blocks of their nodes.
struct Sections<'a> {
    beam: &'a Beam,
    out: Blocks<'a>,
}

impl<'a> Sections<'a> {
    fn new(beam: &'a Beam, out: Blocks<'a>) -> Self {
        Sections { beam, out }
    }

    fn handed(&self, row: usize, col: usize, block: Matrix6<f64>) -> Matrix6<f64> {
        let ends = &self.beam.ends;
        let block = match ends[row].adjoint() {
            Some(adjoint) => adjoint.tr_mul(&block),
            None => block,
        };
        match ends[col].adjoint() {
            Some(adjoint) => block * adjoint,
            None => block,
        }
    }

    fn by_variation(&mut self, row: usize, col: usize, block: Matrix6<f64>) {
        self.out.by_variation[row * self.beam.count + col] += self.handed(row, col, block);
    }

    fn plain(&mut self, row: usize, col: usize, block: Matrix6<f64>) {
        self.out.plain[row * self.beam.count + col] += self.handed(row, col, block);
    }
}
