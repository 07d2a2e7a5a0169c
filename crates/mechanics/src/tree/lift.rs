//! States of the whole system, and back.
//!
//! The joints of the tree carry what the bodies above them miss: from the wrench `F` that these need, less the reactions of
//! the constraints that remain, the multipliers of a joint follow by `gᵀ λ = F` with the rows `g` of its own on the body
//! that it carries.
//!
//! The other way joint coordinates are counted anew from where bodies stand. Velocities and accelerations are those whose
//! sums along the links of a joint come nearest to the relative motions of its bodies:
//!
//! ```text
//! Σ S v = ν_b − ν_p,     Σ S v̇ = a_b − a_p − Σ ν_p(k) × S_k v_k
//! ```

use super::layout::Layout;
use super::link::GROUND;
use super::scales::scales;
use super::{TreeSystem, stations::Stations};
use crate::node::stack;
use nalgebra::{DMatrix, DVector, Vector6};
use rotula_dae::{Point, Reduced, State, System, Terms};
use rotula_lie::se3::bracket;

impl TreeSystem {
    /// Carries the turns of angles over to a new configuration.
    pub(super) fn carry_turns(&self, q: &[f64], out: &mut [f64]) {
        let (stored, angles) = (self.layout.stored, self.inner.angle_start());
        if stored == out.len() {
            return;
        }
        let mut room = self.room.borrow_mut();
        let (frames, whole, before) = &mut *room;
        self.layout.frames(out, frames);
        for &rider in &self.turning {
            let rider = &self.layout.riders[rider];
            self.layout.store(rider, &frames[rider.link], out, &self.inner, whole);
        }
        before[angles..].copy_from_slice(&q[stored..]);
        self.inner.carry_turns(before, whole);
        out[stored..].copy_from_slice(&whole[angles..]);
    }

    /// The multipliers of the joints of the tree at the point that was placed last.
    fn carried_multipliers(&mut self, multipliers: &mut [f64]) {
        let terms = self.terms(Terms::ALL);
        self.inner.dynamics(&self.state.point(), terms, &mut self.residual);
        self.gather();
        let pattern = self.inner.patterns().constraints;
        let mut values = vec![0.0; pattern.entries()];
        self.inner.handed_gradient(&self.state.point(), true, &mut values);
        for rider in &self.layout.riders {
            let Some(joint) = rider.joint else { continue };
            let node = &self.inner.nodes()[rider.node];
            let rows = &self.branches[joint].rows;
            let columns = node.kind.columns();
            let gradient = DMatrix::from_fn(columns.len(), rows.len(), |k, row| {
                pattern.position(rows[row], node.v + k).map_or(0.0, |place| values[place])
            });
            // what the joint must give to all that it carries, in the axes of its body at its node
            let whole = self.stations.to_body(rider, &self.wrenches[rider.link]);
            let wanted = DVector::from_fn(columns.len(), |k, _| whole[columns[k]]);
            let found = least_squares(gradient, wanted);
            rows.iter().zip(found.iter()).for_each(|(&row, value)| multipliers[row] = *value);
        }
    }
}

/// The vector that comes nearest; the least of all if there are many.
fn least_squares(matrix: DMatrix<f64>, wanted: DVector<f64>) -> DVector<f64> {
    const RANK: f64 = 1e-12;
    let count = matrix.ncols();
    if matrix.is_empty() {
        return DVector::zeros(count);
    }
    // nearly always the columns are independent, which is quick
    if count <= matrix.nrows() {
        let decomposed = matrix.clone().qr();
        let upper = decomposed.r();
        let pivots = upper.diagonal().abs();
        if pivots.min() > RANK.sqrt() * pivots.max() {
            let mut turned = wanted;
            decomposed.q_tr_mul(&mut turned);
            let turned = turned.rows(0, count).into_owned();
            return upper.solve_upper_triangular(&turned).unwrap_or(turned);
        }
    }
    let decomposed = matrix.svd(true, true);
    let largest = decomposed.singular_values.iter().copied().fold(0.0, f64::max);
    decomposed.solve(&wanted, RANK * largest).unwrap_or_else(|_| DVector::zeros(count))
}

/// The amounts of some screws that come nearest to a twist.
fn amounts(screws: &[Vector6<f64>], twist: &Vector6<f64>) -> DVector<f64> {
    let matrix = DMatrix::from_fn(6, screws.len(), |i, k| screws[k][i]);
    least_squares(matrix, DVector::from_column_slice(twist.as_slice()))
}

/// Twist and its rate of every link that carries a body, at `o`, from the motions of bodies.
fn twists(tree: &TreeSystem, at: &Stations, whole: &Point) -> Vec<[Vector6<f64>; 2]> {
    let mut found = vec![[Vector6::zeros(); 2]; tree.layout.links.len()];
    for rider in &tree.layout.riders {
        let motion = tree.whole.motion(rider.node, whole);
        let turn = |a: &nalgebra::Vector3<f64>| motion.rotation * a;
        let arm = at.arm(rider);
        let outside = |linear, angular| {
            let (linear, angular) = (turn(&linear), turn(&angular));
            stack(&(linear - angular.cross(&arm)), &angular)
        };
        found[rider.link] = [
            outside(motion.velocity, motion.omega),
            outside(motion.velocity_rate, motion.omega_rate),
        ];
    }
    found
}

impl Reduced for TreeSystem {
    fn whole(&mut self) -> &mut dyn System {
        &mut self.whole
    }

    fn begin_at(&mut self, whole: &State) -> State {
        self.layout = Layout::new(&self.inner, &self.branches, &self.order, &whole.q);
        self.recursion = super::recursion(&self.inner, &self.layout);
        let mut own = State { t: whole.t, ..State::zeros(self.sizes) };
        self.layout.chart.reset(&mut own.q);
        let angles = self.inner.angle_start();
        own.q[self.layout.stored..].copy_from_slice(&whole.q[angles..]);
        own.x.copy_from_slice(&whole.x);
        own.xdot.copy_from_slice(&whole.xdot);
        own.y.copy_from_slice(&whole.y);
        for (own, &row) in own.multipliers.iter_mut().zip(&self.kept) {
            *own = whole.multipliers[row];
        }
        self.stations.place(&self.layout, &own.q, &own.v, &own.vdot);
        self.scales = scales(&self.inner, &self.layout, &self.stations);
        let found = twists(self, &self.stations, &whole.point());
        for rider in &self.layout.riders {
            let links = &self.layout.links[rider.first..=rider.link];
            let [below, push] = match links[0].parent {
                GROUND => [Vector6::zeros(); 2],
                parent => found[parent],
            };
            let [velocity, acceleration] = found[rider.link];
            let last = &self.layout.links[rider.link];
            let columns = links[0].v..last.v + last.freedom.count();
            let screws = &self.stations.screws[columns.clone()];
            let v = amounts(screws, &(velocity - below));
            own.v[columns.clone()].copy_from_slice(v.as_slice());
            let (mut moving, mut rest) = (below, acceleration - push);
            for link in links {
                let own = (link.v..link.v + link.freedom.count())
                    .map(|k| self.stations.screws[k] * own.v[k])
                    .sum();
                rest -= bracket(&moving, &own);
                moving += own;
            }
            own.vdot[columns].copy_from_slice(amounts(screws, &rest).as_slice());
        }
        own
    }

    fn lift(&mut self, own: &State, whole: &mut State) {
        self.place(&own.point());
        let mut multipliers = self.state.multipliers.clone();
        self.carried_multipliers(&mut multipliers);
        whole.multipliers.copy_from_slice(&multipliers);
        whole.t = own.t;
        whole.q.copy_from_slice(&self.state.q);
        for rider in &self.layout.riders {
            let node = &self.whole.nodes()[rider.node];
            let motion = self.stations.motion(rider);
            node.store_twist(&node.frame(&whole.q), &motion.twist(), &mut whole.v);
            node.store_acceleration(&motion, &mut whole.vdot);
        }
        whole.x.copy_from_slice(&own.x);
        whole.xdot.copy_from_slice(&own.xdot);
        whole.y.copy_from_slice(&own.y);
        whole.a.copy_from_slice(&whole.vdot);
    }
}
