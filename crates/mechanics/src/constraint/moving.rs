//! The motion of a node in numbers that carry derivatives.

use crate::node::Motion;
use nalgebra::{Matrix3, Vector3};
use rotula_dae::automatic::{Dual, Scalar};
use rotula_lie::so3::skew;

/// Derivatives along the twists of two nodes.
pub(super) type Twelve = Dual<f64, 12>;

/// A node in numbers that carry derivatives: position, rotation and body-frame velocities.
#[derive(Clone, Copy)]
pub(super) struct Moving<T> {
    pub(super) x: [T; 3],
    pub(super) r: [[T; 3]; 3],
    pub(super) v: [T; 3],
    pub(super) w: [T; 3],
}

/// What the twelve directions are.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Seed {
    Variation,
    Velocity,
}

/// A node with its accelerations, before time is a direction.
#[derive(Clone, Copy)]
pub(super) struct Raw<S> {
    pub(super) now: Moving<S>,
    vdot: [S; 3],
    wdot: [S; 3],
}

impl<S: Scalar> Raw<S> {
    /// First time derivatives of position and rotation.
    fn first(&self) -> ([S; 3], [[S; 3]; 3]) {
        let Moving { r, v, w, .. } = self.now;
        (times(&r, &v), product(&r, &hat(&w)))
    }

    /// Second time derivatives.
    fn second(&self) -> ([S; 3], [[S; 3]; 3]) {
        let Moving { r, v, w, .. } = self.now;
        let turned = cross(&w, &v);
        let linear = std::array::from_fn(|k| self.vdot[k] + turned[k]);
        let (spin, change) = (hat(&w), hat(&self.wdot));
        let squared = product(&spin, &spin);
        let angular =
            std::array::from_fn(|i| std::array::from_fn(|j| squared[i][j] + change[i][j]));
        (times(&r, &linear), product(&r, &angular))
    }

    /// With time as a direction.
    pub(super) fn along_time(&self) -> Moving<Dual<S, 1>> {
        let (x, r) = self.first();
        Moving {
            x: std::array::from_fn(|k| dual(self.now.x[k], x[k])),
            r: std::array::from_fn(|i| std::array::from_fn(|j| dual(self.now.r[i][j], r[i][j]))),
            v: std::array::from_fn(|k| dual(self.now.v[k], self.vdot[k])),
            w: std::array::from_fn(|k| dual(self.now.w[k], self.wdot[k])),
        }
    }

    /// With time as a direction twice; velocities, at which holonomic equations do not look, stand
    /// still.
    pub(super) fn along_time_twice(&self) -> Moving<Dual<Dual<S, 1>, 1>> {
        let ((x1, r1), (x2, r2)) = (self.first(), self.second());
        let twice = |a: S, b: S, c: S| dual(dual(a, b), dual(b, c));
        let Moving { x, r, v, w } = self.now;
        Moving {
            x: std::array::from_fn(|k| twice(x[k], x1[k], x2[k])),
            r: std::array::from_fn(|i| std::array::from_fn(|j| twice(r[i][j], r1[i][j], r2[i][j]))),
            v: v.map(|v| Dual::constant(Dual::constant(v))),
            w: w.map(|w| Dual::constant(Dual::constant(w))),
        }
    }
}

pub(super) fn plain(m: &Motion) -> Raw<f64> {
    Raw {
        now: Moving {
            x: m.position.into(),
            r: std::array::from_fn(|i| std::array::from_fn(|j| m.rotation[(i, j)])),
            v: m.velocity.into(),
            w: m.omega.into(),
        },
        vdot: m.velocity_rate.into(),
        wdot: m.omega_rate.into(),
    }
}

/// The motion of slot 0 or 1 with its six of the twelve directions.
pub(super) fn seeded(m: &Motion, slot: usize, seed: Seed) -> Raw<Twelve> {
    let number = |value: f64, offset: usize, slopes: Option<Vector3<f64>>| {
        let mut number = Twelve::constant(value);
        if let Some(slopes) = slopes {
            let first = 6 * slot + offset;
            number.dual[first..first + 3].copy_from_slice(slopes.as_slice());
        }
        number
    };
    let still =
        |a: &Vector3<f64>| -> [Twelve; 3] { std::array::from_fn(|k| Twelve::constant(a[k])) };
    let row = |m: &Matrix3<f64>, i: usize| m.row(i).transpose();
    let varied = seed == Seed::Variation;
    let unit = |k: usize| (!varied).then(|| row(&Matrix3::identity(), k));
    Raw {
        now: Moving {
            x: std::array::from_fn(|k| {
                number(m.position[k], 0, varied.then(|| row(&m.rotation, k)))
            }),
            // column j of R δr̂ is R (δr × e_j) = −R ê_j δr
            r: std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    let axis: Vector3<f64> = row(&Matrix3::identity(), j);
                    let slopes = varied.then(|| row(&-(m.rotation * skew(&axis)), i));
                    number(m.rotation[(i, j)], 3, slopes)
                })
            }),
            v: std::array::from_fn(|k| number(m.velocity[k], 0, unit(k))),
            w: std::array::from_fn(|k| number(m.omega[k], 3, unit(k))),
        },
        vdot: still(&m.velocity_rate),
        wdot: still(&m.omega_rate),
    }
}

fn dual<S: Scalar>(real: S, slope: S) -> Dual<S, 1> {
    Dual { real, dual: [slope] }
}

pub(super) fn times<T: Scalar>(a: &[[T; 3]; 3], b: &[T; 3]) -> [T; 3] {
    std::array::from_fn(|i| a[i][0] * b[0] + a[i][1] * b[1] + a[i][2] * b[2])
}

pub(super) fn product<T: Scalar>(a: &[[T; 3]; 3], b: &[[T; 3]; 3]) -> [[T; 3]; 3] {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j])
    })
}

pub(super) fn transposed<T: Scalar>(a: &[[T; 3]; 3]) -> [[T; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

pub(crate) fn cross<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn hat<T: Scalar>(a: &[T; 3]) -> [[T; 3]; 3] {
    let zero = T::from(0.0);
    [[zero, -a[2], a[1]], [a[2], zero, -a[0]], [-a[1], a[0], zero]]
}
