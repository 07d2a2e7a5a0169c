//! Evaluation of groups of equations: constraints and contacts alike.

use super::places::{Block, Strip};
use super::{Group, Moment, Scratch};
use crate::constraint::Constraint;
use crate::scene::{Scene, World};
use nalgebra::{Matrix6, Vector6};
use rotula_dae::{Level, Point, Weights};

/// Where equations are evaluated: motions with tangents of the retraction, the point, its angles.
type Here<'a> = (&'a Moment, &'a Point<'a>, &'a [f64]);

/// The residuals of all rows at a level.
pub(super) fn residuals(groups: &[Group], level: Level, world: &World, out: &mut [f64]) {
    out.fill(0.0);
    for group in groups {
        if group.rows_at(level) > 0 && !group.holds {
            let scene = Scene { world, nodes: &group.nodes };
            let end = group.row + group.rows;
            group.constraint.residual(level, scene, &mut out[group.row..end]);
        }
    }
}

/// The matrix whose transpose carries the reactions, zero where groups are left out.
pub(super) fn gradients<'a>(
    groups: impl Iterator<Item = &'a Group>,
    (moment, at, angles): Here<'a>,
    scratch: &mut Scratch,
    values: &mut [f64],
) {
    values.fill(0.0);
    let world = moment.world(at, angles);
    for group in groups {
        let scene = Scene { world: &world, nodes: &group.nodes };
        let count = group.rows * scene.nodes.len();
        let rows = &mut scratch.rows[..count];
        rows.fill(Vector6::zeros());
        group.constraint.gradient(scene, rows);
        moment.keep_rows(rows, &group.nodes);
        group.add_rows(rows, 1.0, values);
    }
}

/// The derivatives of the residuals at a level, zero where groups are left out.
pub(super) fn tangents<'a>(
    groups: impl Iterator<Item = &'a Group>,
    level: Level,
    weights: Weights,
    (moment, at, angles): Here,
    scratch: &mut Scratch,
    values: &mut [f64],
) {
    values.fill(0.0);
    let world = moment.world(at, angles);
    for group in groups {
        let scene = Scene { world: &world, nodes: &group.nodes };
        let nodes = scene.nodes.len();
        let count = group.rows_at(level) * nodes;
        if count == 0 {
            continue;
        }
        // Rates in axes that stay turn with the increment in those of the body: there, what goes with
        // rates goes with the increment, too.
        let fixed = moment.any_fixed(&group.nodes);
        let Weights { mass, damping, stiffness } = weights;
        let wanted = [
            stiffness != 0.0,
            damping != 0.0 || fixed && stiffness != 0.0,
            mass != 0.0 || fixed && (stiffness != 0.0 || damping != 0.0),
        ];
        let levels = scratch.levels.each_mut().map(|rows| &mut rows[..count]);
        let mut present = [false; 3];
        for (order, rows) in levels.into_iter().enumerate() {
            if wanted[order] || fixed {
                rows.fill(Vector6::zeros());
            }
            present[order] = wanted[order] && group.derivative(level, order, scene, rows);
        }
        if fixed {
            for k in 0..count {
                let node = scene.nodes[k % nodes];
                let mut rows = [0, 1, 2].map(|order| scratch.levels[order][k]);
                moment.kept[node].chain(&moment.motions[node], &mut rows);
                (0..3).for_each(|order| scratch.levels[order][k] = rows[order]);
            }
            // of an acceleration, velocities in the world make rates in the body
            present[1] |= present[2];
        }
        let [by_variation, by_twist, by_rate] = scratch.levels.each_mut();
        if present[0] {
            let rows = &mut by_variation[..count];
            for (k, row) in rows.iter_mut().enumerate() {
                *row = moment.along_increment(*row, scene.nodes[k % nodes]);
            }
            group.add_rows(rows, stiffness, values);
        }
        for (there, rows, weight) in [(present[1], by_twist, damping), (present[2], by_rate, mass)]
        {
            if there && weight != 0.0 {
                let rows = &mut rows[..count];
                moment.keep_rows(rows, scene.nodes);
                group.add_rows(rows, weight, values);
            }
        }
    }
}

/// Adds `weight · ∂(Gᵀλ)/∂Δ`.
pub(super) fn curvatures(
    groups: &[Group],
    multipliers: &[f64],
    weight: f64,
    (moment, at, angles): Here,
    scratch: &mut Scratch,
    values: &mut [f64],
) {
    let world = moment.world(at, angles);
    for group in groups {
        // open contacts, the most of all, react with nothing
        if group.multipliers(multipliers).iter().all(|multiplier| *multiplier == 0.0) {
            continue;
        }
        let scene = Scene { world: &world, nodes: &group.nodes };
        let count = scene.nodes.len();
        let blocks = &mut scratch.blocks[..count * count];
        blocks.fill(Matrix6::zeros());
        group.constraint.curvature(scene, group.multipliers(multipliers), blocks);
        let wrenches = &mut scratch.rows[..count];
        wrenches.fill(Vector6::zeros());
        if moment.any_fixed(scene.nodes) {
            group.constraint.reaction(scene, group.multipliers(multipliers), wrenches);
        }
        moment.keep_stiffness(blocks, wrenches, scene.nodes);
        for (place, block) in group.blocks.iter().zip(blocks.iter()) {
            place.add(block, weight, values);
        }
    }
}

impl Group {
    /// A constraint whose rows begin at `row`.
    pub(super) fn new(
        (owner, row): (String, usize),
        constraint: Box<dyn Constraint>,
        (strips, blocks): (Vec<Strip>, Vec<Block>),
    ) -> Self {
        Group {
            owner,
            nodes: constraint.nodes().to_vec(),
            rows: constraint.rows(),
            position_rows: constraint.position_rows(),
            works: constraint.works(),
            constraint,
            row,
            strips,
            blocks,
            holds: false,
        }
    }

    /// Rows that exist at a level.
    fn rows_at(&self, level: Level) -> usize {
        match level {
            Level::Position => self.position_rows,
            Level::Velocity | Level::Acceleration => self.rows,
        }
    }

    /// Adds the derivatives of the residuals at a level along body variations, twists (order 1) or their
    /// rates (order 2); false if there are none.
    fn derivative(
        &self,
        level: Level,
        order: usize,
        scene: Scene,
        out: &mut [Vector6<f64>],
    ) -> bool {
        match (level, order) {
            (Level::Position, 0) | (Level::Velocity, 1) | (Level::Acceleration, 2) => {
                self.constraint.gradient(scene, out)
            }
            (Level::Velocity, 0) => self.constraint.rate_gradient(scene, out),
            (Level::Acceleration, 0) => self.constraint.acceleration_gradient(scene, out),
            (Level::Acceleration, 1) => self.constraint.acceleration_velocity(scene, out),
            _ => return false,
        }
        true
    }

    /// Its own part of all multipliers.
    pub(super) fn multipliers<'a>(&self, all: &'a [f64]) -> &'a [f64] {
        &all[self.row..self.row + self.rows]
    }

    /// Adds rows, by row and slot, to the values of a constraint matrix.
    fn add_rows(&self, rows: &[Vector6<f64>], weight: f64, values: &mut [f64]) {
        let nodes = self.strips.len();
        for (k, row) in rows.iter().enumerate() {
            self.strips[k % nodes].add(k / nodes, row, weight, values);
        }
    }
}
