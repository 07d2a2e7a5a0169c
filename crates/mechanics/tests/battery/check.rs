//! Checks that hold for every model, in any configuration.

use crate::joint_coordinates::in_joint_coordinates;
use nalgebra::Vector3;
use rotula_dae::{Level, Point, State, System, Terms, Weights};
use rotula_lie::{Frame, Quaternion, Retraction};
use rotula_linear::Pattern;
use rotula_mechanics::control::SensorId;
use rotula_mechanics::{Assembly, Body, BodyId, MassProperties, Model};

/// A small generator of numbers between −1 and 1: the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.number(), self.number(), self.number())
    }

    pub fn frame(&mut self) -> Frame {
        Frame::new(self.vector(), Quaternion::exp(&(self.vector() * 2.0)))
    }

    pub fn fill(&mut self, values: &mut [f64], scale: f64) {
        values.iter_mut().for_each(|x| *x = scale * self.number());
    }
}

/// A rigid body somewhere, with a centre of mass beside its origin and a full inertia.
pub fn some_body(model: &mut Model, name: &str, random: &mut Random) -> BodyId {
    let principal = Vector3::new(0.3, 0.5, 0.4) + random.vector() * 0.1;
    let mut mass = MassProperties::principal(1.3 + 0.5 * random.number(), principal);
    mass = mass.moved(&random.frame());
    model.body(name, Body::rigid(mass).at_frame(random.frame())).unwrap()
}

/// The same with equal moments of inertia: if nothing holds it, all its rates are those of the world.
pub fn some_ball(model: &mut Model, name: &str, random: &mut Random) -> BodyId {
    let moment = 0.4 + 0.1 * random.vector().x;
    let mass = MassProperties::principal(1.3 + 0.5 * random.number(), Vector3::repeat(moment));
    let body = Body::rigid(mass.moved(&random.frame())).at_frame(random.frame());
    model.body(name, body).unwrap()
}

/// A planar body somewhere in the x-y plane.
pub fn some_planar_body(model: &mut Model, name: &str, random: &mut Random) -> BodyId {
    let mut body = Body::planar(1.2, 0.3);
    let turn = Quaternion::exp(&Vector3::new(0.0, 0.0, random.number()));
    body.frame = Frame::new(Vector3::new(random.number(), random.number(), 0.0), turn);
    body.mass.centre = Vector3::new(random.number(), random.number(), 0.0);
    model.body(name, body).unwrap()
}

/// Runs every check on a model in several random states.
pub fn battery(what: &str, mut model: Model) {
    model.gravity = Vector3::new(1.0, -2.0, -9.0);
    for map in [Retraction::Exponential, Retraction::Cayley] {
        model.retraction = map;
        let assembly = model.assemble().unwrap();
        for seed in 1..4 {
            Subject::new(&assembly, seed).everything(what);
            if let Some(mut subject) = in_joint_coordinates(&assembly, seed + 3) {
                subject.everything(&format!("{what} in joint coordinates"));
            }
        }
    }
}

/// Checks that the second sensor of each pair reads the time derivative of the first.
pub fn sensor_rates(what: &str, model: &Model, pairs: &[(SensorId, SensorId)]) {
    let assembly = model.assemble().unwrap();
    for seed in 1..4 {
        let mut subject = Subject::new(&assembly, seed);
        for (k, (value, rate)) in pairs.iter().enumerate() {
            let read = |system: &mut Assembly, at: &Point, out: &mut [f64]| {
                out[0] = system.read_sensor(*value, &state_of(at));
            };
            let difference = subject.time_derivative(1, &read)[0];
            let exact = subject.system.read_sensor(*rate, &subject.state);
            assert!(
                (exact - difference).abs() < 1e-7 * (1.0 + exact.abs()),
                "{what}: pair {k} reads {exact}, but changes by {difference}"
            );
        }
    }
}

/// The balance of powers alone, for forces whose tangents are approximate on purpose.
pub fn power_balance(what: &str, mut model: Model) {
    model.gravity = Vector3::new(1.0, -2.0, -9.0);
    let assembly = model.assemble().unwrap();
    for seed in 1..4 {
        Subject::new(&assembly, seed).power(what);
    }
}

/// A state from a point.
fn state_of(at: &Point) -> State {
    State {
        t: at.t,
        q: at.q.to_vec(),
        increment: at.increment.to_vec(),
        v: at.v.to_vec(),
        vdot: at.vdot.to_vec(),
        a: at.vdot.to_vec(),
        multipliers: at.multipliers.to_vec(),
        x: at.x.to_vec(),
        xdot: at.xdot.to_vec(),
        y: at.y.to_vec(),
    }
}

/// A system in some state.
pub struct Subject<S = Assembly> {
    pub system: S,
    pub base: Vec<f64>,
    pub state: State,
}

/// Fills the values of a derivative with some weights.
type Tangent<'a, S> = dyn Fn(&mut S, &Point, Weights, &mut [f64]) + 'a;

const LEVELS: [Level; 3] = [Level::Position, Level::Velocity, Level::Acceleration];

impl Subject {
    pub fn new(assembly: &Assembly, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut system = assembly.clone();
        let mut state = system.start();
        let mut far = vec![0.0; state.v.len()];
        random.fill(&mut far, 0.6);
        let mut base = state.q.clone();
        system.retract(&state.q.clone(), &far, &mut base);
        random.fill(&mut state.increment, 0.3);
        system.retract(&base, &state.increment.clone(), &mut state.q);
        random.fill(&mut state.v, 1.0);
        random.fill(&mut state.vdot, 2.0);
        random.fill(&mut state.multipliers, 3.0);
        random.fill(&mut state.x, 0.5);
        random.fill(&mut state.xdot, 0.5);
        random.fill(&mut state.y, 0.5);
        state.t = 0.3 + 0.2 * random.number();
        let _ = &mut system;
        Subject { system, base, state }
    }

    /// In the configuration of the start, with velocities and accelerations anyhow.
    pub fn at_start(assembly: &Assembly, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let system = assembly.clone();
        let mut state = system.start();
        random.fill(&mut state.increment, 0.3);
        let back: Vec<f64> = state.increment.iter().map(|x| -x).collect();
        let mut base = state.q.clone();
        system.retract(&state.q, &back, &mut base);
        system.retract(&base, &state.increment, &mut state.q);
        random.fill(&mut state.v, 1.0);
        random.fill(&mut state.vdot, 2.0);
        Subject { system, base, state }
    }
}

impl<S: System> Subject<S> {
    /// Every check.
    fn everything(&mut self, what: &str) {
        self.tangents(what);
        self.constraints(what);
        self.balance(what);
        self.terms(what);
        self.rates(what);
        self.power(what);
        self.auxiliary(what);
        self.commands(what);
    }

    /// One pass over joints gives what separate ones give.
    fn balance(&mut self, what: &str) {
        let Subject { system, state, .. } = self;
        let sizes = system.sizes();
        let at = state.point();
        let (mut dynamics, mut rows) = (vec![0.0; sizes.motion], vec![0.0; sizes.multipliers()]);
        system.balance(Level::Position, &at, &mut dynamics, &mut rows);
        let (mut other_dynamics, mut other_rows) = (dynamics.clone(), rows.clone());
        system.dynamics(&at, Terms::ALL, &mut other_dynamics);
        system.constraint(Level::Position, &at, &mut other_rows[..sizes.holonomic]);
        for (pair, kind) in
            [((&dynamics, &other_dynamics), "motion"), ((&rows, &other_rows), "rows")]
        {
            for (i, (a, b)) in pair.0.iter().zip(pair.1).enumerate() {
                assert!(
                    (a - b).abs() < 1e-11 * (1.0 + b.abs()),
                    "{what}: {kind} {i}: {a} against {b}"
                );
            }
        }
    }

    /// Inertia and everything else add up, however their sum is worked out, and inertia is `M v̇` alone.
    pub fn terms(&mut self, what: &str) {
        let Subject { system, state, .. } = self;
        let at = state.point();
        let pattern = system.patterns().dynamics;
        let mut mass = vec![0.0; pattern.entries()];
        system.tangent(&at, Weights::MASS, Terms::INERTIA, &mut mass);
        let mut inertia = vec![0.0; at.v.len()];
        system.dynamics(&at, Terms::INERTIA, &mut inertia);
        pattern.multiply_add(&mass, -1.0, at.vdot, &mut inertia);
        let size = 1.0 + mass.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        assert!(inertia.iter().all(|r| r.abs() < 1e-11 * size), "{what}: {inertia:?}");
        let mut value = |terms: Terms| {
            let mut out = vec![0.0; at.v.len()];
            system.dynamics(&at, terms, &mut out);
            out
        };
        let parts = [value(Terms::INERTIA), value(Terms::WITHOUT_INERTIA)];
        for (i, whole) in value(Terms::ALL).iter().enumerate() {
            let sum = parts[0][i] + parts[1][i];
            let size = 1.0 + parts[0][i].abs() + parts[1][i].abs();
            assert!((whole - sum).abs() < 1e-11 * size, "{what}: {i}: {whole} against {sum}");
        }
    }

    /// The state with coordinate `j` of the increment, velocity or acceleration changed.
    fn changed(&self, kind: usize, j: usize, by: f64) -> State {
        let mut state = self.state.clone();
        match kind {
            0 => {
                state.increment[j] += by;
                self.system.retract(&self.base, &state.increment.clone(), &mut state.q);
            }
            1 => state.v[j] += by,
            _ => state.vdot[j] += by,
        }
        state
    }

    /// Compares a derivative with fourth-order differences of `f`.
    pub fn compare(
        &mut self,
        what: &str,
        rows: usize,
        pattern: &Pattern,
        f: &dyn Fn(&mut S, &Point, &mut [f64]),
        tangent: &Tangent<S>,
    ) {
        let kinds = [Weights::STIFFNESS, Weights::DAMPING, Weights::MASS];
        for (kind, weights) in kinds.into_iter().enumerate() {
            let mut values = vec![0.0; pattern.entries()];
            tangent(&mut self.system, &self.state.point(), weights, &mut values);
            let n = self.state.v.len();
            let mut dense = vec![0.0; rows * n];
            for ((row, col), value) in pattern.iter().zip(&values) {
                dense[col * rows + row] = *value;
            }
            let size = 1.0 + dense.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            for j in 0..n {
                let h = 1e-3;
                let mut sum = vec![0.0; rows];
                for (step, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
                    let mut out = vec![0.0; rows];
                    let state = self.changed(kind, j, step * h);
                    f(&mut self.system, &state.point(), &mut out);
                    sum.iter_mut().zip(&out).for_each(|(s, o)| *s += weight * o / (12.0 * h));
                }
                for i in 0..rows {
                    let (exact, difference) = (dense[j * rows + i], sum[i]);
                    assert!(
                        (exact - difference).abs() < 1e-7 * size,
                        "{what}: row {i}, column {j}, kind {kind}: {exact} is not {difference}"
                    );
                }
            }
        }
    }

    fn tangents(&mut self, what: &str) {
        let pattern = self.system.patterns().dynamics;
        let n = self.state.v.len();
        for terms in [Terms::ALL, Terms::REACTIONS, Terms::WITHOUT_REACTIONS] {
            self.compare(
                &format!("{what}, {terms:?}"),
                n,
                &pattern,
                &|system, at, out| system.dynamics(at, terms, out),
                &|system, at, weights, out| system.tangent(at, weights, terms, out),
            );
        }
    }

    fn constraints(&mut self, what: &str) {
        let pattern = self.system.patterns().constraints;
        let sizes = self.system.sizes();
        for level in LEVELS {
            self.compare(
                &format!("{what}, constraints at {level:?}"),
                sizes.multipliers(),
                &pattern,
                &|system, at, out| {
                    let rows = if level == Level::Position { sizes.holonomic } else { out.len() };
                    system.constraint(level, at, &mut out[..rows]);
                },
                &|system, at, weights, out| system.constraint_tangent(level, at, weights, out),
            );
        }
        // the gradient carries the reactions, and is that of the velocity level
        let mut gradient = vec![0.0; pattern.entries()];
        let mut velocity = vec![0.0; pattern.entries()];
        let at = self.state.point();
        self.system.constraint_gradient(&at, &mut gradient);
        self.system.constraint_tangent(Level::Velocity, &at, Weights::DAMPING, &mut velocity);
        for (a, b) in gradient.iter().zip(&velocity) {
            assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{what}: gradient {a}, {b}");
        }
        let mut reactions = vec![0.0; sizes.motion];
        self.system.dynamics(&at, Terms::REACTIONS, &mut reactions);
        pattern.multiply_transposed_add(&gradient, 1.0, &self.state.multipliers, &mut reactions);
        for r in &reactions {
            assert!(r.abs() < 1e-11, "{what}: Gᵀλ differs from the reaction by {r}");
        }
    }

    /// The state a little later: positions along `v` and `v̇` to second order.
    pub fn later(&self, dt: f64) -> State {
        let mut state = self.state.clone();
        state.t += dt;
        let step: Vec<f64> = (0..state.v.len())
            .map(|k| dt * self.state.v[k] + 0.5 * dt * dt * self.state.vdot[k])
            .collect();
        // to second order in the step, the exponential of the mean twist
        self.system.retract(&self.state.q, &step, &mut state.q);
        (0..state.v.len()).for_each(|k| state.v[k] += dt * self.state.vdot[k]);
        state
    }

    /// Central difference in time with one extrapolation.
    pub fn time_derivative(
        &mut self,
        size: usize,
        f: &dyn Fn(&mut S, &Point, &mut [f64]),
    ) -> Vec<f64> {
        let difference = |subject: &mut Self, h: f64| -> Vec<f64> {
            let (mut up, mut down) = (vec![0.0; size], vec![0.0; size]);
            let (later, earlier) = (subject.later(h), subject.later(-h));
            f(&mut subject.system, &later.point(), &mut up);
            f(&mut subject.system, &earlier.point(), &mut down);
            up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * h)).collect()
        };
        let (coarse, fine) = (difference(self, 2e-3), difference(self, 1e-3));
        coarse.iter().zip(&fine).map(|(c, f)| (4.0 * f - c) / 3.0).collect()
    }

    fn rates(&mut self, what: &str) {
        let sizes = self.system.sizes();
        let (holonomic, all) = (sizes.holonomic, sizes.multipliers());
        let steps = [
            (Level::Position, Level::Velocity, holonomic),
            (Level::Velocity, Level::Acceleration, all),
        ];
        for (level, next, rows) in steps {
            let difference =
                self.time_derivative(rows, &|system, at, out| system.constraint(level, at, out));
            let mut exact = vec![0.0; all];
            self.system.constraint(next, &self.state.point(), &mut exact);
            for (i, (a, b)) in exact.iter().zip(&difference).enumerate() {
                assert!(
                    (a - b).abs() < 1e-7 * (1.0 + a.abs()),
                    "{what}: row {i} at {next:?}: {a} is not {b}"
                );
            }
        }
    }

    /// The energy changes by the power of everything: `d(T + V)/dt = vᵀr + power`, where `r` is what
    /// the equations of motion without reactions leave over at an arbitrary acceleration. Reactions
    /// are left out, since velocities here do not meet the constraints.
    fn power(&mut self, what: &str) {
        let change = self.time_derivative(1, &|system, at, out| {
            let system: &mut dyn System = system;
            let energy = system.energy(at).unwrap();
            out[0] = energy.kinetic + energy.potential;
        })[0];
        let mut free = self.state.clone();
        free.multipliers.fill(0.0);
        let at = free.point();
        let mut residual = vec![0.0; self.state.v.len()];
        self.system.dynamics(&at, Terms::ALL, &mut residual);
        let left: f64 = residual.iter().zip(&self.state.v).map(|(r, v)| r * v).sum();
        let system: &mut dyn System = &mut self.system;
        let power = system.power(&at).unwrap();
        let size = 1.0 + change.abs() + power.abs();
        assert!(
            (change - left - power).abs() < 1e-7 * size,
            "{what}: the energy changes by {change}, the powers add up to {}",
            left + power
        );
    }
}
