//! The tangent of a planar beam element: first in the axes of the plane, then in those of the nodes.

use super::state::{Bent, Places, quarter};
use super::{KEPT, PlanarBeam, Station};
use crate::element::Blocks;
use crate::element::beam::MOST_NODES;
use crate::scene::Scene;
use nalgebra::{Matrix3, Matrix6, Vector2, Vector3};
use rotula_dae::{Terms, Weights};

/// Derivatives of the forces on the nodes with respect to `(r, θ)` and their rates, axes of the plane.
struct Flat {
    place: [[Matrix3<f64>; MOST_NODES]; MOST_NODES],
    rate: [[Matrix3<f64>; MOST_NODES]; MOST_NODES],
}

/// How the motion of a node changes along a variation in its own axes.
struct Along {
    /// `(δr, δθ)`.
    place: Matrix3<f64>,
    /// `(δṙ, δω)`, and by velocities that is `place`.
    velocity: Matrix3<f64>,
    /// Of the acceleration.
    acceleration: Matrix3<f64>,
    /// Of the acceleration, by velocities.
    by_velocity: Matrix3<f64>,
}

/// A matrix from its columns: two of forces, one of a moment.
fn with_column(matrix: &mut Matrix3<f64>, k: usize, top: &Vector2<f64>, bottom: f64) {
    matrix.set_column(k, &Vector3::new(top.x, top.y, bottom));
}

impl Along {
    fn new(places: &Places, slot: usize) -> Self {
        let turn = places.turn[slot];
        let axes = [turn.of(&Vector2::x()), turn.of(&Vector2::y())];
        let mut place = Matrix3::zeros();
        with_column(&mut place, 0, &axes[0], 0.0);
        with_column(&mut place, 1, &axes[1], 0.0);
        place[(2, 2)] = 1.0;
        let (v, omega) = (places.velocity[slot], places.omega[slot]);
        let mut velocity = Matrix3::zeros();
        with_column(&mut velocity, 2, &quarter(&v), 0.0);
        let mut turned = Matrix3::zeros();
        with_column(&mut turned, 2, &quarter(&places.acceleration[slot].xy()), 0.0);
        let mut by_velocity = Matrix3::zeros();
        with_column(&mut by_velocity, 0, &(quarter(&axes[0]) * omega), 0.0);
        with_column(&mut by_velocity, 1, &(quarter(&axes[1]) * omega), 0.0);
        with_column(&mut by_velocity, 2, &quarter(&v), 0.0);
        Along { place, velocity, acceleration: turned, by_velocity }
    }
}

impl PlanarBeam {
    pub(super) fn add_tangent(&self, scene: Scene, weights: Weights, terms: Terms, out: Blocks) {
        let places = self.places(scene, terms);
        let count = self.count();
        let zero = [[Matrix3::zeros(); MOST_NODES]; MOST_NODES];
        let mut flat = Flat { place: zero, rate: zero };
        if terms.forces {
            for station in &self.elastic {
                self.collect_strain(&places.at(station), station, &mut flat);
            }
            self.collect_loads(scene, &places, &mut flat);
        }
        // derivatives that a term does not have
        let mass = if terms.inertia { weights.mass } else { 0.0 };
        let damping = if terms.forces { weights.damping } else { 0.0 };
        let forces = self.forces(scene, terms, &places);
        let section = Vector3::new(self.mass[0], self.mass[0], self.mass[1]);
        for col in 0..count {
            let along = Along::new(&places, col);
            let felt = |m: &Matrix3<f64>| Matrix3::from_diagonal(&section) * m;
            let (inertia_along, inertia_plain) = (
                felt(&along.acceleration) * weights.stiffness,
                felt(&(along.by_velocity * damping + along.place * mass)),
            );
            for row in 0..count {
                let part = self.overlap[row][col];
                let (place, rate) = (&flat.place[row][col], &flat.rate[row][col]);
                let mut varied = (place * along.place + rate * along.velocity) * weights.stiffness
                    + inertia_along * part;
                let plain = rate * along.place * damping + inertia_plain * part;
                if row == col {
                    // the force stays, the axes turn: R(−Jf) δθ
                    let turned = -quarter(&forces[row].xy()) * weights.stiffness;
                    varied[(0, 2)] += turned.x;
                    varied[(1, 2)] += turned.y;
                }
                let back = |m: Matrix3<f64>| {
                    let mut out = m;
                    for k in 0..3 {
                        let column = places.turn[row].back(&m.fixed_view::<2, 1>(0, k).into());
                        (out[(0, k)], out[(1, k)]) = (column.x, column.y);
                    }
                    out
                };
                let at = row * count + col;
                self.hand_over(row, col, &back(varied), &mut out.by_variation[at]);
                self.hand_over(row, col, &back(plain), &mut out.plain[at]);
            }
        }
    }

    /// From sections to the nodes that carry them.
    fn hand_over(&self, row: usize, col: usize, block: &Matrix3<f64>, out: &mut Matrix6<f64>) {
        let ends = self.ends();
        let (left, right) = (ends[row].adjoint(), ends[col].adjoint());
        let mut whole = Matrix6::zeros();
        for i in 0..3 {
            for j in 0..3 {
                whole[(KEPT[i], KEPT[j])] = block[(i, j)];
            }
        }
        if let Some(adjoint) = left {
            whole = adjoint.tr_mul(&whole);
        }
        if let Some(adjoint) = right {
            whole *= adjoint;
        }
        *out += whole;
    }

    fn collect_strain(&self, bent: &Bent, station: &Station, flat: &mut Flat) {
        let stress = self.stiffness * bent.strain + self.damping * bent.rate;
        let n = stress.xy();
        let axes = [bent.turn.back(&Vector2::x()), bent.turn.back(&Vector2::y())];
        let turned = quarter(&bent.slope);
        let (along, across) = (bent.turn.of(&quarter(&n)), bent.slope.dot(&n));
        let mut strain = [Matrix3::zeros(); MOST_NODES];
        for k in 0..self.count() {
            let (shape, slope) = (station.shape[k], station.slope[k]);
            for (c, axis) in axes.iter().enumerate() {
                with_column(&mut strain[k], c, &(axis * slope), 0.0);
            }
            with_column(&mut strain[k], 2, &(turned * -shape), slope);
        }
        let damped = self.damped;
        let force = bent.turn.of(&n);
        for j in 0..self.count() {
            let (shape, slope) = (station.shape[j], station.slope[j]);
            let mut by_place = self.stiffness * strain[j];
            if damped {
                let mut rate = Matrix3::zeros();
                for (c, axis) in axes.iter().enumerate() {
                    with_column(&mut rate, c, &(quarter(axis) * (-bent.omega * slope)), 0.0);
                }
                let turning = quarter(&bent.slope_rate) + bent.slope * bent.omega;
                with_column(&mut rate, 2, &(turning * -shape), 0.0);
                by_place += self.damping * rate;
            }
            let by_rate = self.damping * strain[j];
            for i in 0..self.count() {
                let (n_i, m_i) = (station.shape[i], station.slope[i]);
                let mut block = strain[i].tr_mul(&by_place);
                // the stress stays, the section turns
                block[(0, 2)] += m_i * shape * along.x;
                block[(1, 2)] += m_i * shape * along.y;
                // −N_i (Rᵀδr′ × n): Rᵀe × n = e × Rn
                block[(2, 0)] -= n_i * slope * force.y;
                block[(2, 1)] += n_i * slope * force.x;
                block[(2, 2)] -= n_i * shape * across;
                flat.place[i][j] += block * station.weight;
                if damped {
                    flat.rate[i][j] += strain[i].tr_mul(&by_rate) * station.weight;
                }
            }
        }
    }

    /// Loads that follow the sections.
    fn collect_loads(&self, scene: Scene, places: &Places, flat: &mut Flat) {
        let follower = self.load(scene).follower.xy();
        if follower == Vector2::zeros() {
            return;
        }
        for station in &self.inertial {
            let turned = places.at(station).turn.of(&quarter(&follower)) * station.weight;
            for i in 0..self.count() {
                for j in 0..self.count() {
                    let part = station.shape[i] * station.shape[j];
                    flat.place[i][j][(0, 2)] -= part * turned.x;
                    flat.place[i][j][(1, 2)] -= part * turned.y;
                }
            }
        }
    }
}
