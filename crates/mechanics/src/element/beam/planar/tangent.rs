//! The tangent of a planar beam element: first in the axes of the plane, then in those of the nodes.

use super::state::{Knot, quarter};
use super::{KEPT, PlanarBeam, Rule, Station};
use crate::element::Blocks;
use crate::element::beam::MOST_NODES;
use crate::lanes::Number;
use crate::scene::Scene;
use nalgebra::{Matrix3, Matrix6, Vector2, Vector3};
use rotula_dae::{Terms, Weights};

/// Derivatives of the forces on the nodes with respect to `(r, θ)` and their rates, axes of the plane.
struct Flat<T, const N: usize> {
    place: [[Matrix3<T>; N]; N],
    rate: [[Matrix3<T>; N]; N],
}

/// What to add to the block of a row and a column, in the axes of their nodes.
pub(crate) struct Slope<T = f64> {
    pub row: usize,
    pub col: usize,
    /// Along body variations, times the weight of the stiffness.
    pub by_variation: Matrix3<T>,
    /// With respect to velocities and accelerations, times their weights.
    pub plain: Matrix3<T>,
}

/// How the motion of a node changes along a variation in its own axes.
struct Along<T> {
    /// `(δr, δθ)`.
    place: Matrix3<T>,
    /// `(δṙ, δω)`, and by velocities that is `place`.
    velocity: Matrix3<T>,
    /// Of the acceleration.
    acceleration: Matrix3<T>,
    /// Of the acceleration, by velocities.
    by_velocity: Matrix3<T>,
}

/// A matrix from its columns: two of forces, one of a moment.
#[inline(always)]
fn with_column<T: Number>(matrix: &mut Matrix3<T>, k: usize, top: &Vector2<T>, bottom: T) {
    matrix.set_column(k, &Vector3::new(top.x, top.y, bottom));
}

impl<T: Number> Along<T> {
    #[inline(always)]
    fn new(knot: &Knot<T>) -> Self {
        let zero = T::splat(0.0);
        let turn = knot.turn;
        let axes = [turn.of(&Vector2::x()), turn.of(&Vector2::y())];
        let mut place = Matrix3::zeros();
        with_column(&mut place, 0, &axes[0], zero);
        with_column(&mut place, 1, &axes[1], zero);
        place[(2, 2)] = T::splat(1.0);
        let (v, omega) = (knot.velocity, knot.omega);
        let mut velocity = Matrix3::zeros();
        with_column(&mut velocity, 2, &quarter(&v), zero);
        let mut turned = Matrix3::zeros();
        with_column(&mut turned, 2, &quarter(&knot.acceleration.xy()), zero);
        let mut by_velocity = Matrix3::zeros();
        with_column(&mut by_velocity, 0, &(quarter(&axes[0]) * omega), zero);
        with_column(&mut by_velocity, 1, &(quarter(&axes[1]) * omega), zero);
        with_column(&mut by_velocity, 2, &quarter(&v), zero);
        Along { place, velocity, acceleration: turned, by_velocity }
    }
}

impl PlanarBeam {
    pub(super) fn add_tangent(&self, scene: Scene, weights: Weights, terms: Terms, out: Blocks) {
        match self.count() {
            2 => self.add_tangent_of::<2>(scene, weights, terms, out),
            3 => self.add_tangent_of::<3>(scene, weights, terms, out),
            _ => self.add_tangent_of::<MOST_NODES>(scene, weights, terms, out),
        }
    }

    fn add_tangent_of<const N: usize>(
        &self,
        scene: Scene,
        weights: Weights,
        terms: Terms,
        out: Blocks,
    ) {
        let places = self.places(scene, terms);
        let knots: &[Knot; N] = places.knots().try_into().expect("as many nodes");
        let mut flat = Flat::new();
        if terms.forces {
            self.rule.collect_strain(knots, &mut flat);
            self.collect_loads(scene, knots, &mut flat);
        }
        let forces = self.forces(scene, terms, knots);
        self.rule.spread(&flat, (knots, &forces[..N]), weights, terms, |slope| {
            let at = slope.row * N + slope.col;
            let whole = |block: &Matrix3<f64>| self.handed_over(slope.row, slope.col, block);
            out.by_variation[at] += whole(&slope.by_variation);
            out.plain[at] += whole(&slope.plain);
        });
    }

    /// From sections to the nodes that carry them.
    fn handed_over(&self, row: usize, col: usize, block: &Matrix3<f64>) -> Matrix6<f64> {
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
        whole
    }

    /// Loads that follow the sections.
    fn collect_loads<const N: usize>(
        &self,
        scene: Scene,
        knots: &[Knot; N],
        flat: &mut Flat<f64, N>,
    ) {
        let follower = self.load(scene).follower.xy();
        if follower == Vector2::zeros() {
            return;
        }
        for station in &self.inertial {
            let turned = station.bend(knots).turn.of(&quarter(&follower)) * station.weight;
            for i in 0..N {
                for j in 0..N {
                    let part = station.shape[i] * station.shape[j];
                    flat.place[i][j][(0, 2)] -= part * turned.x;
                    flat.place[i][j][(1, 2)] -= part * turned.y;
                }
            }
        }
    }
}

impl<T: Number, const N: usize> Flat<T, N> {
    fn new() -> Self {
        let zero = [[Matrix3::zeros(); N]; N];
        Flat { place: zero, rate: zero }
    }
}

impl<T: Number> Rule<T> {
    /// The tangent of [`forces`](Rule::forces), block by block.
    #[inline]
    pub fn slopes<const N: usize>(
        &self,
        knots: &[Knot<T>; N],
        weights: Weights,
        out: impl FnMut(&Slope<T>),
    ) {
        let mut flat = Flat::new();
        self.collect_strain(knots, &mut flat);
        let forces = self.forces(knots);
        self.spread(&flat, (knots, &forces), weights, Terms::ALL, out);
    }

    /// From the axes of the plane to those of the nodes, with the terms of inertia.
    #[inline(always)]
    fn spread<const N: usize>(
        &self,
        flat: &Flat<T, N>,
        (knots, forces): (&[Knot<T>; N], &[Vector3<T>]),
        weights: Weights,
        terms: Terms,
        mut out: impl FnMut(&Slope<T>),
    ) {
        // derivatives that a term does not have
        let mass = T::splat(if terms.inertia { weights.mass } else { 0.0 });
        let damping = T::splat(if terms.forces { weights.damping } else { 0.0 });
        let stiffness = T::splat(weights.stiffness);
        let [mass_per_length, inertia] = self.mass;
        let section = Vector3::new(mass_per_length, mass_per_length, inertia);
        let felt = |m: &Matrix3<T>| {
            let mut felt = *m;
            felt.column_iter_mut().for_each(|mut column| column.component_mul_assign(&section));
            felt
        };
        for col in 0..N {
            let along = Along::new(&knots[col]);
            let inertia_along = felt(&along.acceleration) * stiffness;
            let inertia_plain = felt(&(along.by_velocity * damping + along.place * mass));
            for row in 0..N {
                let part = self.overlap[row][col];
                let mut varied = flat.place[row][col] * along.place;
                let mut plain = inertia_plain * part;
                if self.damped {
                    let rate = &flat.rate[row][col];
                    varied += rate * along.velocity;
                    plain += rate * along.place * damping;
                }
                varied = varied * stiffness + inertia_along * part;
                if row == col {
                    // the force stays, the axes turn: R(−Jf) δθ
                    let turned = -quarter(&forces[row].xy()) * stiffness;
                    varied[(0, 2)] += turned.x;
                    varied[(1, 2)] += turned.y;
                }
                let back = |m: Matrix3<T>| {
                    let mut out = m;
                    for k in 0..3 {
                        let column = knots[row].turn.back(&Vector2::new(m[(0, k)], m[(1, k)]));
                        (out[(0, k)], out[(1, k)]) = (column.x, column.y);
                    }
                    out
                };
                out(&Slope { row, col, by_variation: back(varied), plain: back(plain) });
            }
        }
    }

    #[inline(always)]
    fn collect_strain<const N: usize>(&self, knots: &[Knot<T>; N], flat: &mut Flat<T, N>) {
        for station in &self.elastic[..N - 1] {
            self.collect_strain_at(knots, station, flat);
        }
    }

    #[inline(always)]
    fn collect_strain_at<const N: usize>(
        &self,
        knots: &[Knot<T>; N],
        station: &Station<T>,
        flat: &mut Flat<T, N>,
    ) {
        let zero = T::splat(0.0);
        let bent = station.bend(knots);
        let rates = station.rates(knots, &bent);
        let stress = self.stiffness * bent.strain + self.damping * rates.strain;
        let n = stress.xy();
        let axes = [bent.turn.back(&Vector2::x()), bent.turn.back(&Vector2::y())];
        let turned = quarter(&bent.slope);
        let (along, across) = (bent.turn.of(&quarter(&n)), bent.slope.dot(&n));
        let mut strain = [Matrix3::zeros(); N];
        for k in 0..N {
            let (shape, slope) = (station.shape[k], station.slope[k]);
            for (c, axis) in axes.iter().enumerate() {
                with_column(&mut strain[k], c, &(axis * slope), zero);
            }
            with_column(&mut strain[k], 2, &(turned * -shape), slope);
        }
        let force = bent.turn.of(&n);
        for j in 0..N {
            let (shape, slope) = (station.shape[j], station.slope[j]);
            let mut by_place = self.stiffness * strain[j];
            if self.damped {
                let mut rate = Matrix3::zeros();
                for (c, axis) in axes.iter().enumerate() {
                    with_column(&mut rate, c, &(quarter(axis) * (-rates.omega * slope)), zero);
                }
                let turning = quarter(&rates.slope) + bent.slope * rates.omega;
                with_column(&mut rate, 2, &(turning * -shape), zero);
                by_place += self.damping * rate;
            }
            for i in 0..N {
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
                if self.damped {
                    let by_rate = self.damping * strain[j];
                    flat.rate[i][j] += strain[i].tr_mul(&by_rate) * station.weight;
                }
            }
        }
    }
}
