//! A straight piece with a radius, between points of two nodes, that touches a sphere or another such
//! piece: what a beam's surface is between its nodes.
//!
//! Gap and sliding velocities are functions of the points `P` at the ends, their velocities `V` and the
//! angular velocities `Ω` of their nodes; dual numbers give their derivatives, with the nearest places
//! moving along. A node brings `P = x + R s`, so with `c = v + ω × s` and `a = v̇ + ω̇ × s + ω × c`
//!
//! ```text
//! V = R c,   A = R a,   Ω = R ω,   Ω̇ = R ω̇
//! ∂P/∂Δ = ∂V/∂v = R [1, −ŝ],   ∂V/∂Δ = R [0, −ĉ],   ∂A/∂Δ = R [0, −â],   ∂A/∂v = R [ω̂, −ĉ − ω̂ŝ]
//! ∂Ω/∂Δ = R [0, −ω̂],   ∂Ω/∂v = R [0, 1],   ∂Ω̇/∂Δ = R [0, −ω̇̂]
//! ```

use super::nearest::{Nearest, dot, minus, nearest};
use crate::constraint::{Constraint, cross};
use crate::marker::Marker;
use crate::node::Motion;
use crate::scene::Scene;
use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3, Vector6};
use rotula_dae::Level;
use rotula_dae::automatic::{Dual, Scalar};
use rotula_lie::so3::skew;

/// Most ends: two of either piece.
const ENDS: usize = 4;
/// Coordinates of all ends.
const ALL: usize = 3 * ENDS;
/// Most rows: two sliding velocities.
const ROWS: usize = 2;

type Points<T> = [[T; 3]; ENDS];
type Along = Dual<f64, ALL>;
type Block = SMatrix<f64, 3, 6>;

/// What the ends do, in the world.
#[derive(Clone, Copy)]
struct Ends<T> {
    place: Points<T>,
    velocity: Points<T>,
    acceleration: Points<T>,
    spin: Points<T>,
    spin_rate: Points<T>,
}

/// What derivatives are taken along.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Place,
    Velocity,
    Acceleration,
    Spin,
    SpinRate,
}

/// What is told of the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Told {
    /// The distance of the surfaces.
    Gap,
    /// Sliding velocities: along the piece and, in space, across it.
    Slip { directions: usize },
}

/// A piece that touches a sphere (three ends) or another piece (four).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    nodes: [usize; ENDS],
    /// Arms from the nodes to the ends.
    arms: [Vector3<f64>; ENDS],
    count: usize,
    radii: [f64; 2],
    told: Told,
}

impl Piece {
    /// The markers of both ends of the piece, then of the sphere or of both ends of the other one.
    pub(super) fn new(markers: &[Marker], radii: [f64; 2], told: Told) -> Self {
        debug_assert!((3..=ENDS).contains(&markers.len()));
        let last = markers.len() - 1;
        let marker = |k: usize| &markers[k.min(last)];
        Piece {
            nodes: std::array::from_fn(|k| marker(k).node),
            arms: std::array::from_fn(|k| marker(k).frame.position),
            count: markers.len(),
            radii,
            told,
        }
    }

    /// The same: its gap, or so many sliding velocities.
    pub(crate) fn of(markers: &[Marker], radii: [f64; 2], slips: usize) -> Self {
        let told = if slips == 0 { Told::Gap } else { Told::Slip { directions: slips } };
        Piece::new(markers, radii, told)
    }

    fn ends(&self, scene: Scene) -> Ends<f64> {
        let motion = |k: usize| scene.motion(k.min(self.count - 1));
        let each = |f: &dyn Fn(&Motion, &Vector3<f64>) -> Vector3<f64>| -> Points<f64> {
            std::array::from_fn(|k| f(motion(k), &self.arms[k]).into())
        };
        Ends {
            place: each(&|m, s| m.position + m.rotation * s),
            velocity: each(&|m, s| m.rotation * at_end(m, s).0),
            acceleration: each(&|m, s| m.rotation * at_end(m, s).1),
            spin: each(&|m, _| m.rotation * m.omega),
            spin_rate: each(&|m, _| m.rotation * m.omega_rate),
        }
    }

    /// The rows themselves, from places and, for slips, velocities and spins.
    fn evaluate<T: Scalar>(&self, p: &Points<T>, v: &Points<T>, spin: &Points<T>) -> [T; ROWS] {
        let point = self.count == 3;
        let Nearest { first, second, way } = nearest(p, point);
        let distance = dot(&way, &way).sqrt();
        let mut out = [T::from(0.0); ROWS];
        let Told::Slip { directions } = self.told else {
            out[0] = distance - (self.radii[0] + self.radii[1]);
            return out;
        };
        let n = way.map(|w| w * distance.recip());
        let mixed = |x: &Points<T>, k: usize, at: T| -> [T; 3] {
            std::array::from_fn(|i| x[k][i] + at * (x[k + 1][i] - x[k][i]))
        };
        let (v0, w0) = (mixed(v, 0, first), mixed(spin, 0, first));
        let (v1, w1) = match point {
            true => (v[2], spin[2]),
            false => (mixed(v, 2, second), mixed(spin, 2, second)),
        };
        // both bodies at the place on the second surface
        let arm = n.map(|n| n * -self.radii[1]);
        let reach: [T; 3] = std::array::from_fn(|k| way[k] + arm[k]);
        let (turned0, turned1) = (cross(&w0, &reach), cross(&w1, &arm));
        let u: [T; 3] = std::array::from_fn(|k| v1[k] + turned1[k] - v0[k] - turned0[k]);
        let axis = minus(&p[1], &p[0]);
        let off = dot(&axis, &n);
        let along: [T; 3] = std::array::from_fn(|k| axis[k] - off * n[k]);
        let along = along.map(|x| x * dot(&along, &along).sqrt().recip());
        out[0] = dot(&along, &u);
        if directions == 2 {
            out[1] = dot(&cross(&n, &along), &u);
        }
        out
    }

    fn at_level<S: Scalar>(&self, level: Level, ends: &Ends<S>) -> [S; ROWS] {
        let Ends { place: p, velocity: v, acceleration: a, spin, spin_rate } = ends;
        let once =
            |x: &Points<S>, rate: &Points<S>| zipped(x, rate, |real, d| Dual { real, dual: [d] });
        match (self.told, level) {
            (Told::Gap, Level::Position) | (Told::Slip { .. }, Level::Velocity) => {
                self.evaluate(p, v, spin)
            }
            (Told::Slip { .. }, Level::Position) => [S::from(0.0); ROWS],
            (Told::Gap, Level::Velocity) | (Told::Slip { .. }, Level::Acceleration) => {
                let rows = self.evaluate(&once(p, v), &once(v, a), &once(spin, spin_rate));
                rows.map(|row| row.dual[0])
            }
            (Told::Gap, Level::Acceleration) => {
                // velocities and spins do not count
                let (first, second) = (once(p, v), once(v, a));
                let twice = zipped(&first, &second, |real, d| Dual { real, dual: [d] });
                self.evaluate(&twice, &twice, &twice).map(|row| row.dual[0].dual[0])
            }
        }
    }

    /// Derivatives of the rows at a level.
    fn slopes(&self, level: Level, ends: &Ends<f64>, by: By) -> [[f64; ALL]; ROWS] {
        self.at_level(level, &seeded(ends, by)).map(|row| row.dual)
    }

    /// Adds derivatives, carried to the twists of the nodes.
    fn carry(
        &self,
        slopes: &[[f64; ALL]; ROWS],
        scene: Scene,
        block: impl Fn(&Motion, &Vector3<f64>) -> Block,
        out: &mut [Vector6<f64>],
    ) {
        for k in 0..self.count {
            let block = block(scene.motion(k), &self.arms[k]);
            for row in 0..self.rows() {
                let slope = Vector3::from_column_slice(&slopes[row][3 * k..3 * k + 3]);
                out[row * self.count + k] += block.tr_mul(&slope);
            }
        }
    }
}

/// `c` and `a` of an end, in the axes of its node.
fn at_end(m: &Motion, s: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let c = m.velocity + m.omega.cross(s);
    (c, m.velocity_rate + m.omega_rate.cross(s) + m.omega.cross(&c))
}

/// `R [left, right]`.
fn block(m: &Motion, left: Matrix3<f64>, right: Matrix3<f64>) -> Block {
    let mut block = Block::zeros();
    block.fixed_columns_mut::<3>(0).copy_from(&(m.rotation * left));
    block.fixed_columns_mut::<3>(3).copy_from(&(m.rotation * right));
    block
}

fn reach(m: &Motion, s: &Vector3<f64>) -> Block {
    block(m, Matrix3::identity(), -skew(s))
}

fn turn(m: &Motion, what: &Vector3<f64>) -> Block {
    block(m, Matrix3::zeros(), -skew(what))
}

fn spinning(m: &Motion) -> Block {
    block(m, Matrix3::zeros(), Matrix3::identity())
}

fn zipped<A: Copy, B>(a: &Points<A>, b: &Points<A>, f: impl Fn(A, A) -> B) -> Points<B> {
    std::array::from_fn(|k| std::array::from_fn(|i| f(a[k][i], b[k][i])))
}

fn seeded(ends: &Ends<f64>, by: By) -> Ends<Along> {
    let raised = |x: &Points<f64>, what: By| -> Points<Along> {
        std::array::from_fn(|k| {
            std::array::from_fn(|i| match what == by {
                true => Along::variable(x[k][i], 3 * k + i),
                false => Along::constant(x[k][i]),
            })
        })
    };
    Ends {
        place: raised(&ends.place, By::Place),
        velocity: raised(&ends.velocity, By::Velocity),
        acceleration: raised(&ends.acceleration, By::Acceleration),
        spin: raised(&ends.spin, By::Spin),
        spin_rate: raised(&ends.spin_rate, By::SpinRate),
    }
}

impl Constraint for Piece {
    fn nodes(&self) -> &[usize] {
        &self.nodes[..self.count]
    }

    fn rows(&self) -> usize {
        match self.told {
            Told::Gap => 1,
            Told::Slip { directions } => directions,
        }
    }

    fn holonomic(&self) -> bool {
        self.told == Told::Gap
    }

    fn describe(&self, row: usize) -> String {
        match self.told {
            Told::Gap => "gap".into(),
            Told::Slip { .. } => format!("slip {}", row + 1),
        }
    }

    fn residual(&self, level: Level, scene: Scene, out: &mut [f64]) {
        let rows = self.at_level(level, &self.ends(scene));
        out.iter_mut().zip(rows).take(self.rows()).for_each(|(out, row)| *out += row);
    }

    fn gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let ends = self.ends(scene);
        let by_velocity = self.slopes(Level::Velocity, &ends, By::Velocity);
        self.carry(&by_velocity, scene, reach, out);
        if !self.holonomic() {
            let by_spin = self.slopes(Level::Velocity, &ends, By::Spin);
            self.carry(&by_spin, scene, |m, _| spinning(m), out);
        }
    }

    fn rate_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let ends = self.ends(scene);
        let slopes = |by: By| self.slopes(Level::Velocity, &ends, by);
        self.carry(&slopes(By::Place), scene, reach, out);
        self.carry(&slopes(By::Velocity), scene, |m, s| turn(m, &at_end(m, s).0), out);
        if !self.holonomic() {
            self.carry(&slopes(By::Spin), scene, |m, _| turn(m, &m.omega), out);
        }
    }

    fn acceleration_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let ends = self.ends(scene);
        let slopes = |by: By| self.slopes(Level::Acceleration, &ends, by);
        self.carry(&slopes(By::Place), scene, reach, out);
        self.carry(&slopes(By::Velocity), scene, |m, s| turn(m, &at_end(m, s).0), out);
        self.carry(&slopes(By::Acceleration), scene, |m, s| turn(m, &at_end(m, s).1), out);
        if !self.holonomic() {
            self.carry(&slopes(By::Spin), scene, |m, _| turn(m, &m.omega), out);
            self.carry(&slopes(By::SpinRate), scene, |m, _| turn(m, &m.omega_rate), out);
        }
    }

    fn acceleration_velocity(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let ends = self.ends(scene);
        let slopes = |by: By| self.slopes(Level::Acceleration, &ends, by);
        self.carry(&slopes(By::Velocity), scene, reach, out);
        let by_speed = |m: &Motion, s: &Vector3<f64>| {
            let spin = skew(&m.omega);
            block(m, spin, -skew(&at_end(m, s).0) - spin * skew(s))
        };
        self.carry(&slopes(By::Acceleration), scene, by_speed, out);
        if !self.holonomic() {
            self.carry(&slopes(By::Spin), scene, |m, _| spinning(m), out);
        }
    }

    fn reaction(&self, scene: Scene, multipliers: &[f64], out: &mut [Vector6<f64>]) {
        let mut rows = [Vector6::zeros(); ROWS * ENDS];
        let rows = &mut rows[..self.rows() * self.count];
        self.gradient(scene, rows);
        for (row, multiplier) in rows.chunks_exact(self.count).zip(multipliers) {
            out.iter_mut().zip(row).for_each(|(out, wrench)| *out += wrench * *multiplier);
        }
    }

    fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]) {
        let count = self.count;
        let mut ends = seeded(&self.ends(scene), By::Place);
        let still = [[Along::constant(0.0); 3]; ENDS];
        (ends.velocity, ends.spin) = (still, still);
        // rates are linear in velocities and spins: a unit of each shows a force or a couple on its end
        let kinds = if self.holonomic() { 1 } else { 2 };
        for k in 0..count {
            let (m, s) = (scene.motion(k), &self.arms[k]);
            for kind in 0..kinds {
                let mut force = Vector3::zeros();
                let mut change = SMatrix::<f64, 3, ALL>::zeros();
                for i in 0..3 {
                    let mut unit = ends;
                    let moving = if kind == 0 { &mut unit.velocity } else { &mut unit.spin };
                    moving[k][i] = Along::constant(1.0);
                    let rows = self.at_level(Level::Velocity, &unit);
                    for (row, multiplier) in rows.iter().zip(multipliers) {
                        force[i] += multiplier * row.real;
                        for (j, slope) in row.dual.iter().enumerate() {
                            change[(i, j)] += multiplier * slope;
                        }
                    }
                }
                let carrier = if kind == 0 { reach(m, s) } else { spinning(m) };
                for j in 0..count {
                    let way = reach(scene.motion(j), &self.arms[j]);
                    let part = change.fixed_columns::<3>(3 * j) * way;
                    blocks[k * count + j] += carrier.tr_mul(&part);
                }
                // the force keeps its direction while the node turns
                let inside = skew(&(m.rotation.transpose() * force));
                let mut own = blocks[k * count + k].fixed_view_mut::<6, 3>(0, 3);
                if kind == 0 {
                    let mut linear = own.fixed_rows_mut::<3>(0);
                    linear += inside;
                    let mut angular = own.fixed_rows_mut::<3>(3);
                    angular += skew(s) * inside;
                } else {
                    let mut angular = own.fixed_rows_mut::<3>(3);
                    angular += inside;
                }
            }
        }
    }
}
