//! The heavy top as a free rigid body with a constraint that fixes its tip. [Dymore note, sheet §5]
//!
//! Configuration: position of the centre of mass and a unit quaternion (w, x, y, z). Velocities are
//! body-fixed, linear part first: `V = (Rᵀẋ; Ω)`. With `X` the vector from the tip to the centre,
//!
//! ```text
//! m v̇ + m Ω × v − Rᵀ m g = Rᵀλ,     J Ω̇ + Ω × J Ω = X~ᵀ Rᵀλ
//! C = x − R X = 0,     B = [R, R X~]
//! ```

use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3, Vector6};
use rotula_dae::{
    Energetics, Energy, Level, Manifold, Point, Sizes, State, System, Terms, Weights,
};
use rotula_lie::{Frame, Quaternion, Retraction, so3::skew};

type Rows = SMatrix<f64, 3, 6>;

/// The top of the literature: 15 kg, spinning at 150 rad/s about its axis.
#[derive(Clone, Debug)]
pub struct HeavyTop {
    map: Retraction,
    mass: f64,
    inertia: Matrix3<f64>,
    arm: Vector3<f64>,
    gravity: Vector3<f64>,
}

/// What a point means.
struct Motion {
    rotation: Matrix3<f64>,
    v: Vector3<f64>,
    omega: Vector3<f64>,
    vdot: Vector3<f64>,
    omegadot: Vector3<f64>,
}

impl Motion {
    fn of(at: &Point) -> Self {
        let three = |values: &[f64]| Vector3::new(values[0], values[1], values[2]);
        Motion {
            rotation: frame(at.q).orientation.to_matrix(),
            v: three(at.v),
            omega: three(&at.v[3..]),
            vdot: three(at.vdot),
            omegadot: three(&at.vdot[3..]),
        }
    }
}

fn frame(q: &[f64]) -> Frame {
    Frame::new(Vector3::new(q[0], q[1], q[2]), Quaternion::new(q[3], q[4], q[5], q[6]))
}

fn store(frame: &Frame, out: &mut [f64]) {
    out[..3].copy_from_slice(frame.position.as_slice());
    out[3..].copy_from_slice(&frame.orientation.to_array());
}

fn rows(linear: Matrix3<f64>, angular: Matrix3<f64>) -> Rows {
    let mut rows = Rows::zeros();
    rows.fixed_view_mut::<3, 3>(0, 0).copy_from(&linear);
    rows.fixed_view_mut::<3, 3>(0, 3).copy_from(&angular);
    rows
}

fn stack(top: Rows, bottom: Rows) -> Matrix6<f64> {
    let mut matrix = Matrix6::zeros();
    matrix.fixed_view_mut::<3, 6>(0, 0).copy_from(&top);
    matrix.fixed_view_mut::<3, 6>(3, 0).copy_from(&bottom);
    matrix
}

impl HeavyTop {
    /// The top, moved by increments through `map`.
    pub fn new(map: Retraction) -> Self {
        HeavyTop {
            map,
            mass: 15.0,
            inertia: Matrix3::from_diagonal(&Vector3::new(0.234375, 0.46875, 0.234375)),
            arm: Vector3::new(0.0, 1.0, 0.0),
            gravity: Vector3::new(0.0, 0.0, -9.81),
        }
    }

    /// The start: upright axes, spin 150 rad/s, precession −4.61538 rad/s.
    pub fn start(&self) -> State {
        let mut state = State::zeros(self.sizes());
        store(&Frame::new(self.arm, Quaternion::identity()), &mut state.q);
        let omega = Vector3::new(0.0, 150.0, -4.61538);
        state.v[..3].copy_from_slice(omega.cross(&self.arm).as_slice());
        state.v[3..].copy_from_slice(omega.as_slice());
        state
    }

    /// Velocity of the tip, in body axes: `v + X~Ω`.
    fn tip(&self, v: &Vector3<f64>, omega: &Vector3<f64>) -> Vector3<f64> {
        v + self.arm.cross(omega)
    }

    /// Acceleration of the tip in body axes.
    fn tip_acceleration(&self, motion: &Motion) -> Vector3<f64> {
        self.tip(&motion.vdot, &motion.omegadot)
            + motion.omega.cross(&self.tip(&motion.v, &motion.omega))
    }

    fn gradient(&self, motion: &Motion) -> Rows {
        rows(motion.rotation, motion.rotation * skew(&self.arm))
    }

    /// The derivative with respect to the increment: body variations are `T(Δ) dΔ`.
    fn variation(&self, at: &Point) -> Matrix6<f64> {
        self.map.tangent(&Vector6::from_column_slice(at.increment))
    }
}

impl System for HeavyTop {
    fn sizes(&self) -> Sizes {
        Sizes { configuration: 7, motion: 6, holonomic: 3, ..Sizes::default() }
    }

    fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        let moved = self.map.retract(&frame(q), &Vector6::from_column_slice(increment));
        store(&moved, out);
    }

    fn local(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        out.copy_from_slice(self.map.local(&frame(q), &frame(other)).as_slice());
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        let motion = Motion::of(at);
        let Motion { v, omega, .. } = &motion;
        let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
        if terms.inertia {
            force += self.mass * motion.vdot;
            moment += self.inertia * motion.omegadot;
        }
        if terms.forces {
            force += self.mass * (omega.cross(v) - motion.rotation.tr_mul(&self.gravity));
            moment += omega.cross(&(self.inertia * omega));
        }
        if terms.reactions {
            let reaction = motion.rotation.tr_mul(&Vector3::from_column_slice(at.multipliers));
            force -= reaction;
            moment += self.arm.cross(&reaction);
        }
        out[..3].copy_from_slice(force.as_slice());
        out[3..].copy_from_slice(moment.as_slice());
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        let motion = Motion::of(at);
        let Motion { v, omega, .. } = &motion;
        let zero = Matrix3::zeros();
        let mut stiffness = Matrix6::zeros();
        let mut sum = Matrix6::zeros();
        if terms.inertia {
            let mass = Matrix3::from_diagonal_element(self.mass);
            sum += stack(rows(mass, zero), rows(zero, self.inertia)) * weights.mass;
        }
        if terms.forces {
            let spin = skew(omega) * self.inertia - skew(&(self.inertia * omega));
            let top = rows(self.mass * skew(omega), -self.mass * skew(v));
            sum += stack(top, rows(zero, spin)) * weights.damping;
            let weight = motion.rotation.tr_mul(&(self.mass * self.gravity));
            stiffness += stack(rows(zero, -skew(&weight)), Rows::zeros());
        }
        if terms.reactions {
            let reaction =
                skew(&motion.rotation.tr_mul(&Vector3::from_column_slice(at.multipliers)));
            stiffness += stack(rows(zero, -reaction), rows(zero, skew(&self.arm) * reaction));
        }
        if weights.stiffness != 0.0 {
            sum += stiffness * self.variation(at) * weights.stiffness;
        }
        values.copy_from_slice(sum.as_slice());
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        let motion = Motion::of(at);
        let residual = match level {
            Level::Position => frame(at.q).position - motion.rotation * self.arm,
            Level::Velocity => motion.rotation * self.tip(&motion.v, &motion.omega),
            Level::Acceleration => motion.rotation * self.tip_acceleration(&motion),
        };
        out.copy_from_slice(residual.as_slice());
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        values.copy_from_slice(self.gradient(&Motion::of(at)).as_slice());
    }

    fn constraint_tangent(&mut self, level: Level, at: &Point, w: Weights, values: &mut [f64]) {
        let motion = Motion::of(at);
        let (rotation, spin, arm) = (motion.rotation, skew(&motion.omega), skew(&self.arm));
        let tip = self.tip(&motion.v, &motion.omega);
        let gradient = self.gradient(&motion);
        // δ(R a) = −R a~ δr
        let turned = |a: &Vector3<f64>| rows(Matrix3::zeros(), -(rotation * skew(a)));
        let (sum, stiffness) = match level {
            Level::Position => (Rows::zeros(), gradient),
            Level::Velocity => (gradient * w.damping, turned(&tip)),
            Level::Acceleration => {
                let damping = rows(rotation * spin, rotation * (spin * arm - skew(&tip)));
                let stiffness = turned(&self.tip_acceleration(&motion));
                (gradient * w.mass + damping * w.damping, stiffness)
            }
        };
        let sum = sum + stiffness * self.variation(at) * w.stiffness;
        values.copy_from_slice(sum.as_slice());
    }

    rotula_dae::hand_out!(Manifold, Energetics);
}

impl Manifold for HeavyTop {
    fn increment_rate(&self, increment: &[f64], v: &[f64], out: &mut [f64]) {
        let inverse = self.map.tangent_inverse(&Vector6::from_column_slice(increment));
        out.copy_from_slice((inverse * Vector6::from_column_slice(v)).as_slice());
    }
}

impl Energetics for HeavyTop {
    fn energy(&mut self, at: &Point) -> Option<Energy> {
        let Motion { v, omega, .. } = Motion::of(at);
        let turning = 0.5 * omega.dot(&(self.inertia * omega));
        Some(Energy {
            kinetic: 0.5 * self.mass * v.norm_squared() + turning,
            potential: -self.mass * self.gravity.dot(&frame(at.q).position),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point away from everything special, reached by an increment.
    fn state(top: &HeavyTop, increment: &[f64], v: &[f64]) -> State {
        let mut state = top.start();
        let base = state.q.clone();
        top.retract(&base, increment, &mut state.q);
        state.increment = increment.to_vec();
        state.v = v.to_vec();
        state.vdot = vec![0.3, -2.0, 1.0, 4.0, 0.5, -0.7];
        state.multipliers = vec![30.0, -20.0, 11.0];
        state
    }

    const INCREMENT: [f64; 6] = [0.1, -0.2, 0.3, 0.4, -0.5, 0.2];
    const VELOCITY: [f64; 6] = [1.0, 2.0, -0.5, 0.3, 7.0, -2.0];

    /// Central differences along the increment and the velocity.
    fn differences(
        top: &mut HeavyTop,
        size: usize,
        f: &dyn Fn(&mut HeavyTop, &State, &mut [f64]),
    ) -> (Vec<f64>, Vec<f64>) {
        let h = 1e-5;
        let mut columns = (Vec::new(), Vec::new());
        for j in 0..6 {
            let (mut up, mut down) = (vec![0.0; size], vec![0.0; size]);
            let (mut d, mut v) = (INCREMENT, VELOCITY);
            d[j] += h;
            f(top, &state(top, &d, &VELOCITY), &mut up);
            d[j] -= 2.0 * h;
            f(top, &state(top, &d, &VELOCITY), &mut down);
            columns.0.extend(up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * h)));
            v[j] += h;
            f(top, &state(top, &INCREMENT, &v), &mut up);
            v[j] -= 2.0 * h;
            f(top, &state(top, &INCREMENT, &v), &mut down);
            columns.1.extend(up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * h)));
        }
        columns
    }

    fn assert_close(a: &[f64], b: &[f64]) {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{a} {b}");
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        for map in [Retraction::Cayley, Retraction::Exponential, Retraction::WienerMilenkovic] {
            let mut top = HeavyTop::new(map);
            let here = state(&top, &INCREMENT, &VELOCITY);
            let (stiffness, damping) = differences(&mut top, 6, &|top, state, out| {
                top.dynamics(&state.point(), Terms::ALL, out);
            });
            let mut values = vec![0.0; 36];
            top.tangent(&here.point(), Weights::STIFFNESS, Terms::ALL, &mut values);
            assert_close(&values, &stiffness);
            top.tangent(&here.point(), Weights::DAMPING, Terms::ALL, &mut values);
            assert_close(&values, &damping);
            for level in [Level::Position, Level::Velocity, Level::Acceleration] {
                let (stiffness, damping) = differences(&mut top, 3, &|top, state, out| {
                    top.constraint(level, &state.point(), out);
                });
                let mut values = vec![0.0; 18];
                top.constraint_tangent(level, &here.point(), Weights::STIFFNESS, &mut values);
                assert_close(&values, &stiffness);
                top.constraint_tangent(level, &here.point(), Weights::DAMPING, &mut values);
                assert_close(&values, &damping);
            }
        }
    }
}
