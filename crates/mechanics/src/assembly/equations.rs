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
        if group.rows_at(level) > 0 {
            let scene = Scene { world, nodes: &group.nodes };
            let end = group.row + group.rows;
            group.constraint.residual(level, scene, &mut out[group.row..end]);
        }
    }
}

/// The matrix whose transpose carries the reactions.
pub(super) fn gradients(
    groups: &[Group],
    world: &World,
    scratch: &mut Scratch,
    values: &mut [f64],
) {
    values.fill(0.0);
    for group in groups {
        let scene = Scene { world, nodes: &group.nodes };
        let count = group.rows * scene.nodes.len();
        let rows = &mut scratch.rows[..count];
        rows.fill(Vector6::zeros());
        group.constraint.gradient(scene, rows);
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
        let constraint = &group.constraint;
        let scene = Scene { world: &world, nodes: &group.nodes };
        let nodes = scene.nodes.len();
        let count = group.rows_at(level) * nodes;
        if count == 0 {
            continue;
        }
        // rows along body variations, turned to the increment at the end, and plain ones
        let by_increment = &mut scratch.rows[..count];
        if weights.stiffness != 0.0 {
            by_increment.fill(Vector6::zeros());
            match level {
                Level::Position => constraint.gradient(scene, by_increment),
                Level::Velocity => constraint.rate_gradient(scene, by_increment),
                Level::Acceleration => constraint.acceleration_gradient(scene, by_increment),
            }
            for (k, row) in by_increment.iter_mut().enumerate() {
                *row = moment.along_increment(*row, scene.nodes[k % nodes]);
            }
            group.add_rows(by_increment, weights.stiffness, values);
        }
        let rows = &mut scratch.more_rows[..count];
        let by_rate = match level {
            Level::Position => 0.0,
            Level::Velocity => weights.damping,
            Level::Acceleration => weights.mass,
        };
        if by_rate != 0.0 {
            rows.fill(Vector6::zeros());
            constraint.gradient(scene, rows);
            group.add_rows(rows, by_rate, values);
        }
        if level == Level::Acceleration && weights.damping != 0.0 {
            rows.fill(Vector6::zeros());
            constraint.acceleration_velocity(scene, rows);
            group.add_rows(rows, weights.damping, values);
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
        for (k, place) in group.blocks.iter().enumerate() {
            let turned = moment.columns_along_increment(&blocks[k], scene.nodes[k % count]);
            place.add(&turned, weight, values);
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
        }
    }

    /// Rows that exist at a level.
    fn rows_at(&self, level: Level) -> usize {
        match level {
            Level::Position => self.position_rows,
            Level::Velocity | Level::Acceleration => self.rows,
        }
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
