//! A rigid body in absolute coordinates: position of its centre of mass and either a unit quaternion
//! or Euler angles 3-1-3 against a reference frame. The coordinates of document 003.

use crate::study::smaller;
use rotula_dae::automatic::{MassMatrix, Scalar};

/// Three numbers of any kind.
pub type Vector<T> = [T; 3];
/// Three rows.
pub type Matrix<T> = [[T; 3]; 3];

/// How the orientation of a body is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Unit quaternion, scalar part first; brings the constraint `½(pᵀp − 1)`.
    Quaternion,
    /// Angles φ, θ, ψ about z, x, z of the reference frame; singular at `sin θ = 0`.
    Euler {
        /// Orientation of the reference frame.
        reference: Matrix<f64>,
    },
}

/// Mass, inertia about the axes of the body, and where its coordinates begin.
#[derive(Clone, Copy, Debug)]
pub struct RigidBody {
    /// Mass.
    pub mass: f64,
    /// Principal moments of inertia about the centre of mass.
    pub inertia: Vector<f64>,
    /// Kind of orientation coordinates.
    pub orientation: Orientation,
    /// Index of its first coordinate.
    pub first: usize,
}

/// Where a body is and how it moves at the start.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Centre of mass.
    pub position: Vector<f64>,
    /// Orientation: columns are the axes of the body.
    pub rotation: Matrix<f64>,
    /// Velocity of the centre of mass.
    pub velocity: Vector<f64>,
    /// Angular velocity in space.
    pub angular_velocity: Vector<f64>,
}

impl RigidBody {
    /// Number of coordinates.
    pub fn size(&self) -> usize {
        3 + self.angles()
    }

    fn angles(&self) -> usize {
        if self.orientation == Orientation::Quaternion { 4 } else { 3 }
    }

    fn orientation_of<'a, T>(&self, q: &'a [T]) -> &'a [T] {
        &q[self.first + 3..self.first + self.size()]
    }

    /// Centre of mass.
    pub fn centre<T: Scalar>(&self, q: &[T]) -> Vector<T> {
        [q[self.first], q[self.first + 1], q[self.first + 2]]
    }

    /// Rotation matrix from body to space.
    pub fn rotation<T: Scalar>(&self, q: &[T]) -> Matrix<T> {
        let p = self.orientation_of(q);
        match self.orientation {
            Orientation::Quaternion => from_quaternion(p),
            Orientation::Euler { reference } => {
                let relative = from_euler(p);
                array(|i, j| (0..3).map(|k| relative[k][j] * reference[i][k]).sum())
            }
        }
    }

    /// A point of the body in space.
    pub fn point<T: Scalar>(&self, q: &[T], local: Vector<f64>) -> Vector<T> {
        let (centre, direction) = (self.centre(q), self.direction(q, local));
        std::array::from_fn(|i| centre[i] + direction[i])
    }

    /// A direction of the body in space.
    pub fn direction<T: Scalar>(&self, q: &[T], local: Vector<f64>) -> Vector<T> {
        let rotation = self.rotation(q);
        std::array::from_fn(|i| (0..3).map(|j| rotation[i][j] * local[j]).sum())
    }

    /// `½(pᵀp − 1)` of a quaternion.
    pub fn norm_defect<T: Scalar>(&self, q: &[T]) -> T {
        let p = self.orientation_of(q);
        (p.iter().map(|&x| x * x).sum::<T>() - 1.0) * 0.5
    }

    /// Adds `diag(m, TᵀJT)`, where `T` turns rates of the orientation into body rates.
    pub fn add_mass<T: Scalar>(&self, q: &[T], m: &mut MassMatrix<T>) {
        for i in self.first..self.first + 3 {
            m.set(i, i, self.mass);
        }
        let (offset, n) = (self.first + 3, self.angles());
        let rates = self.rate_matrix(self.orientation_of(q));
        for i in 0..n {
            for j in 0..=i {
                let entry: T = (0..3).map(|k| rates[k][i] * rates[k][j] * self.inertia[k]).sum();
                m.set(offset + i, offset + j, entry);
            }
        }
    }

    /// Adds weight along −z and the inertia forces `−Tᵀ(J Ṫṗ + ω×Jω)`.
    pub fn add_force<T: Scalar>(&self, gravity: f64, q: &[T], v: &[T], f: &mut [T]) {
        f[self.first + 2] -= self.mass * gravity;
        let (p, rate) = (self.orientation_of(q), self.orientation_of(v));
        let rates = self.rate_matrix(p);
        let n = self.angles();
        let w = self.body_rates(p, rate);
        let momentum: Vector<T> = std::array::from_fn(|k| w[k] * self.inertia[k]);
        let gyroscopic = cross(w, momentum);
        let drift = self.rate_drift(p, rate);
        for i in 0..n {
            f[self.first + 3 + i] -= (0..3)
                .map(|k| rates[k][i] * (drift[k] * self.inertia[k] + gyroscopic[k]))
                .sum::<T>();
        }
    }

    /// `ω = T(p) ṗ`, in the axes of the body.
    pub fn body_rates<T: Scalar>(&self, p: &[T], rate: &[T]) -> Vector<T> {
        let rates = self.rate_matrix(p);
        std::array::from_fn(|k| (0..self.angles()).map(|i| rates[k][i] * rate[i]).sum())
    }

    /// The `ṗ` of body rates; for quaternions the one that keeps their norm.
    pub(super) fn coordinate_rates(&self, p: &[f64], w: Vector<f64>) -> Vec<f64> {
        if self.orientation == Orientation::Quaternion {
            let rates = self.rate_matrix(p);
            return (0..4).map(|i| (0..3).map(|k| rates[k][i] * w[k]).sum::<f64>() / 4.0).collect();
        }
        let ((s, c), (sp, cp)) = (p[1].sin_cos(), p[2].sin_cos());
        let first = (sp * w[0] + cp * w[1]) / s;
        vec![first, cp * w[0] - sp * w[1], w[2] - c * first]
    }

    /// `T` of `ω = T(p) ṗ`; the last column is unused by Euler angles.
    fn rate_matrix<T: Scalar>(&self, p: &[T]) -> [[T; 4]; 3] {
        match self.orientation {
            Orientation::Quaternion => {
                let [a, b, c, d]: [T; 4] = std::array::from_fn(|i| p[i] * 2.0);
                [[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]]
            }
            Orientation::Euler { .. } => {
                let ((s, c), (sp, cp)) = (p[1].sin_cos(), p[2].sin_cos());
                let (zero, one) = (T::from(0.0), T::from(1.0));
                [[s * sp, cp, zero, zero], [s * cp, -sp, zero, zero], [c, zero, one, zero]]
            }
        }
    }

    /// `Ṫ ṗ`: what the body rates change by themselves.
    pub(super) fn rate_drift<T: Scalar>(&self, p: &[T], rate: &[T]) -> Vector<T> {
        if self.orientation == Orientation::Quaternion {
            return [T::from(0.0); 3]; // Ġṗ = 0
        }
        let ((s, c), (sp, cp)) = (p[1].sin_cos(), p[2].sin_cos());
        let [x, y, z] = [rate[0], rate[1], rate[2]];
        [
            (c * sp * y + s * cp * z) * x - sp * z * y,
            (c * cp * y - s * sp * z) * x - cp * z * y,
            -(s * y * x),
        ]
    }

    /// Writes the coordinates and velocities of a pose.
    pub fn place(&self, pose: &Pose, q: &mut [f64], v: &mut [f64]) {
        let (first, n) = (self.first, self.angles());
        q[first..first + 3].copy_from_slice(&pose.position);
        v[first..first + 3].copy_from_slice(&pose.velocity);
        // Body rates.
        let w: Vector<f64> = std::array::from_fn(|j| {
            (0..3).map(|i| pose.rotation[i][j] * pose.angular_velocity[i]).sum()
        });
        let p = match self.orientation {
            Orientation::Quaternion => to_quaternion(&pose.rotation).to_vec(),
            Orientation::Euler { reference } => {
                let relative =
                    array(|i, j| (0..3).map(|k| reference[k][i] * pose.rotation[k][j]).sum());
                to_euler(&relative).to_vec()
            }
        };
        q[first + 3..first + 3 + n].copy_from_slice(&p);
        v[first + 3..first + 3 + n].copy_from_slice(&self.coordinate_rates(&p, w));
    }
}

/// The reference frame against which a rotation has the Euler angles (0, π/2, 0), farthest from the
/// singularity.
pub fn safe_reference(rotation: &Matrix<f64>) -> Matrix<f64> {
    let upright = from_euler(&[0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    array(|i, j| (0..3).map(|k| rotation[i][k] * upright[j][k]).sum())
}

/// Rotation about coordinate axis `axis` (0, 1, 2).
pub fn about(axis: usize, angle: f64) -> Matrix<f64> {
    let (sin, cos) = angle.sin_cos();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut r = [[0.0; 3]; 3];
    r[axis][axis] = 1.0;
    r[i][i] = cos;
    r[j][j] = cos;
    r[i][j] = -sin;
    r[j][i] = sin;
    r
}

/// Product of two rotations.
pub fn compose(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    array(|i, j| (0..3).map(|k| a[i][k] * b[k][j]).sum())
}

/// Angle of the turn from one rotation to another.
pub fn turn_between(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
    let squares = (0..9).map(|k| (a[k / 3][k % 3] - b[k / 3][k % 3]).powi(2)).sum::<f64>();
    // the Frobenius norm of the difference is 2√2 sin(angle/2)
    2.0 * smaller((squares / 8.0).sqrt(), 1.0).asin()
}

/// Cross product.
pub fn cross<T: Scalar>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Column `j` of a matrix.
pub fn column(matrix: &Matrix<f64>, j: usize) -> Vector<f64> {
    std::array::from_fn(|i| matrix[i][j])
}

fn array<T>(entry: impl Fn(usize, usize) -> T) -> Matrix<T> {
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

fn from_quaternion<T: Scalar>(p: &[T]) -> Matrix<T> {
    let [a, b, c, d] = [p[0], p[1], p[2], p[3]];
    [
        [(a * a + b * b) * 2.0 - 1.0, (b * c - a * d) * 2.0, (b * d + a * c) * 2.0],
        [(b * c + a * d) * 2.0, (a * a + c * c) * 2.0 - 1.0, (c * d - a * b) * 2.0],
        [(b * d - a * c) * 2.0, (c * d + a * b) * 2.0, (a * a + d * d) * 2.0 - 1.0],
    ]
}

fn to_quaternion(r: &Matrix<f64>) -> [f64; 4] {
    let rotation =
        nalgebra::Rotation3::from_matrix_unchecked(nalgebra::Matrix3::from_fn(|i, j| r[i][j]));
    let unit = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
    [unit.w, unit.i, unit.j, unit.k]
}

fn from_euler<T: Scalar>(e: &[T]) -> Matrix<T> {
    let ((sf, cf), (st, ct), (sp, cp)) = (e[0].sin_cos(), e[1].sin_cos(), e[2].sin_cos());
    [
        [cf * cp - sf * ct * sp, -(cf * sp) - sf * ct * cp, sf * st],
        [sf * cp + cf * ct * sp, cf * ct * cp - sf * sp, -(cf * st)],
        [st * sp, st * cp, ct],
    ]
}

fn to_euler(r: &Matrix<f64>) -> [f64; 3] {
    [r[0][2].atan2(-r[1][2]), r[2][2].clamp(-1.0, 1.0).acos(), r[2][0].atan2(r[2][1])]
}
