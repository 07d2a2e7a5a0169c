//! Accelerations by the recursion: what acts is weight, the forces that the assembly knows, and the constraints that remain.
//!
//! The accelerations without constraints tell how much these miss; the multipliers that make up for it follow from the responses of
//! the recursion to constraints, and a second way from the ground to the leaves gives the accelerations with them.

use super::TreeSystem;
use crate::registers::Three;
use nalgebra::Vector3;
use rotula_dae::{ForwardDynamics, Level, Point};

/// The most constraint rows that are answered one by one; more are better solved for in a sparse matrix.
const MOST_ROWS: usize = 64;

impl TreeSystem {
    /// Whether the recursion knows everything that has inertia or keeps bodies from moving.
    pub(super) fn is_articulated(&self) -> bool {
        self.kept.len() <= MOST_ROWS && !self.inner.has_elements()
    }

    /// Adds the forces of the assembly at the links of the bodies on which they act.
    fn push(&mut self, at: &Point) {
        let zeros = std::mem::take(&mut self.zeros);
        self.place_links(&Point { vdot: &zeros, ..*at });
        self.zeros = zeros;
        let TreeSystem { recursion, layout, stations, inner, residual, state, pushed, .. } = self;
        for &k in pushed.iter() {
            let rider = &layout.riders[k];
            inner.hand_over(rider.node, stations.motion(rider));
        }
        inner.handed_pushes(&state.point(), residual);
        for &k in pushed.iter() {
            let rider = &layout.riders[k];
            let rotation = &stations.links[rider.link].rotation;
            let missed = inner.nodes()[rider.node].embed(residual);
            let force = -(rotation * missed.fixed_rows::<3>(0));
            let moment = (rotation * rider.arm).cross(&force);
            let moment = moment - rotation * missed.fixed_rows::<3>(3);
            recursion.push(rider.link, &force, &moment);
        }
    }

    /// Places the bodies that constraints hold.
    fn place_held(&mut self, at: &Point) {
        self.place_links(at);
        let TreeSystem { layout, stations, inner, held, .. } = self;
        for &k in held.iter() {
            let rider = &layout.riders[k];
            inner.hand_over(rider.node, stations.motion(rider));
        }
    }

    /// Adds the reactions that change accelerations by what rows are wanted to change, where held bodies were placed and links gave way;
    /// `values` are the wanted changes, then the multipliers.
    fn react(&mut self, rows: &[usize], values: &mut [f64]) -> bool {
        let TreeSystem { recursion, responses, layout, stations, inner, constraints, .. } = self;
        let [.., gradients] = &mut constraints.values;
        inner.handed_gradient(&self.state.point(), false, gradients);
        let acting = constraints.acting().map(|(row, rider, wrench)| {
            let rider = &layout.riders[rider];
            let rotation = &stations.links[rider.link].rotation;
            let force: Vector3<f64> = rotation * wrench.fixed_rows::<3>(0);
            let moment = rotation * wrench.fixed_rows::<3>(3);
            let moment = moment + (rotation * rider.arm).cross(&force);
            (row, rider.link, [Three::from(&force), Three::from(&moment)])
        });
        responses.work_out(recursion, acting);
        let solved = responses.solve(rows, values);
        if solved {
            recursion.add(responses.along(rows, values));
        }
        solved
    }
}

impl ForwardDynamics for TreeSystem {
    fn accelerations(
        &mut self,
        at: &Point,
        rows: &[usize],
        vdot: &mut [f64],
        multipliers: &mut [f64],
    ) -> bool {
        self.recursion.place(at.q, at.v);
        if !self.pushed.is_empty() {
            self.push(at);
        }
        if !self.recursion.give_way() || !self.recursion.accelerate(self.upwards, vdot) {
            return false;
        }
        if rows.is_empty() {
            return true;
        }
        self.place_held(&Point { vdot, ..*at });
        let TreeSystem { inner, state, all_rows, kept, .. } = self;
        inner.handed_constraint(Level::Acceleration, &state.point(), all_rows);
        for (value, &row) in multipliers.iter_mut().zip(rows) {
            *value = -all_rows[kept[row]];
        }
        self.react(rows, multipliers) && self.recursion.accelerate(self.upwards, vdot)
    }

    fn correction(&mut self, at: &Point, rows: &[usize], wanted: &[f64], out: &mut [f64]) -> bool {
        let zeros = std::mem::take(&mut self.zeros);
        self.recursion.place(at.q, &zeros);
        self.zeros = zeros;
        if !self.recursion.give_way() {
            return false;
        }
        self.place_held(at);
        let mut multipliers = std::mem::take(&mut self.room_for_rows);
        multipliers.clear();
        multipliers.extend_from_slice(wanted);
        let done =
            self.react(rows, &mut multipliers) && self.recursion.accelerate(Three::default(), out);
        self.room_for_rows = multipliers;
        done
    }
}
