//! The same models in the coordinates of their joints: every check of the battery, the way there and back, and
//! accelerations without a matrix.

use crate::check::{Random, Subject, some_body};
use nalgebra::Vector3;
use rotula_dae::{Energetics, Level, Point, State, System, Terms, Weights, forward_system};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Linear, Spring};
use rotula_mechanics::joint::{
    Cylindrical, Fixed, Joint, Planar, Prismatic, Revolute, Spherical, Universal,
};
use rotula_mechanics::{Assembly, Body, GROUND, Model};

/// A system that was made by reduction.
pub struct Joints {
    inner: Box<dyn System>,
}

impl System for Joints {
    forward_system!(inner);

    fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        self.inner.retract(q, increment, out);
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.inner.dynamics(at, terms, out);
    }

    fn balance(&mut self, level: Level, at: &Point, dynamics: &mut [f64], rows: &mut [f64]) {
        self.inner.balance(level, at, dynamics, rows);
    }

    fn as_energetics(&mut self) -> Option<&mut dyn Energetics> {
        self.inner.as_energetics()
    }
}

/// A model in joint coordinates in a random state; none if it has none.
pub fn in_joint_coordinates(assembly: &Assembly, seed: u64) -> Option<Subject<Joints>> {
    let start = assembly.start();
    let mut inner = assembly.as_reducible()?.reduction(&start).ok()?.system;
    let mut state = inner.as_reduced()?.begin_at(&start);
    let mut random = Random::new(seed);
    let mut far = vec![0.0; state.v.len()];
    random.fill(&mut far, 0.6);
    let mut base = state.q.clone();
    inner.retract(&state.q, &far, &mut base);
    random.fill(&mut state.increment, 0.3);
    inner.retract(&base, &state.increment, &mut state.q);
    random.fill(&mut state.v, 1.0);
    random.fill(&mut state.vdot, 2.0);
    random.fill(&mut state.multipliers, 3.0);
    random.fill(&mut state.x, 0.5);
    random.fill(&mut state.xdot, 0.5);
    random.fill(&mut state.y, 0.5);
    state.t = 0.3 + 0.2 * random.number();
    Some(Subject { system: Joints { inner }, base, state })
}

/// Bodies one on the other by all joints that can carry one, in both directions, with a branch.
fn tree() -> Model {
    let mut random = Random::new(5);
    let mut model = Model::new();
    model.gravity = random.vector() * 9.0;
    let joints: [&dyn Joint; 8] =
        [&Revolute, &Prismatic, &Cylindrical, &Spherical, &Universal, &Planar, &Fixed, &Revolute];
    let mut carriers = vec![GROUND];
    for (k, joint) in joints.into_iter().enumerate() {
        let body = some_body(&mut model, &format!("body {k}"), &mut random);
        let carrier = carriers[k.saturating_sub(k / 3)];
        let place = random.frame();
        let at = [carrier, body].map(|body| model.marker_at(body, place));
        let [first, second] = if k % 2 == 0 { at } else { [at[1], at[0]] };
        model.joint(&format!("joint {k}"), joint, first, second).unwrap();
        carriers.push(body);
    }
    some_body(&mut model, "free", &mut random);
    model
}

/// States go to joint coordinates and come back, moving as the joints allow, with reactions in balance.
#[test]
fn states_are_lifted() {
    let assembly = tree().assemble().unwrap();
    let mut whole_system = assembly.clone();
    let Subject { system: Joints { mut inner }, mut state, .. } =
        in_joint_coordinates(&assembly, 3).unwrap();
    state.increment.fill(0.0);
    assert_eq!(inner.sizes().multipliers(), 0);
    let mut vdot = vec![0.0; state.v.len()];
    assert!(inner.as_forward_dynamics().unwrap().accelerations(
        &state.point(),
        &[],
        &mut vdot,
        &mut []
    ));
    state.vdot = vdot;

    // what recursion finds meets the equations
    let mut residual = vec![0.0; state.v.len()];
    inner.dynamics(&state.point(), Terms::ALL, &mut residual);
    assert!(residual.iter().all(|r| r.abs() < 1e-10), "{residual:?}");

    let mut whole = State::zeros(assembly.sizes());
    inner.as_reduced().unwrap().lift(&state, &mut whole);
    for level in [Level::Position, Level::Velocity, Level::Acceleration] {
        let mut rows = vec![0.0; assembly.sizes().multipliers()];
        whole_system.constraint(level, &whole.point(), &mut rows);
        assert!(rows.iter().all(|r| r.abs() < 1e-11), "{level:?}: {rows:?}");
    }
    let mut residual = vec![0.0; whole.v.len()];
    whole_system.dynamics(&whole.point(), Terms::ALL, &mut residual);
    assert!(residual.iter().all(|r| r.abs() < 1e-9), "{residual:?}");

    // joint coordinates begin anew there; bodies move as before
    let again = inner.as_reduced().unwrap().begin_at(&whole);
    let mut back = State::zeros(assembly.sizes());
    inner.as_reduced().unwrap().lift(&again, &mut back);
    for (kind, one, other) in [
        ("q", &whole.q, &back.q),
        ("v", &whole.v, &back.v),
        ("vdot", &whole.vdot, &back.vdot),
        ("reactions", &whole.multipliers, &back.multipliers),
    ] {
        for (a, b) in one.iter().zip(other) {
            assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{kind}: {a}, {b}");
        }
    }
}

/// What recursion finds meets the equations of bodies on every kind of joint, with weight alone and with forces that push and turn some of
/// them; and it says so where a motion has no inertia.
#[test]
fn recursion_meets_the_equations() {
    for pushed in [false, true] {
        let mut model = tree();
        if pushed {
            let names = ["body 1", "body 5", "body 7", "free"];
            let node = |name: &str| model.bodies().iter().position(|body| body.0 == name).unwrap();
            let bodies = names.map(|name| model.body_id(node(name)));
            let law = Linear { stiffness: 40.0, damping: 0.3, free: 0.1, preload: 1.5 };
            for (k, pair) in bodies.windows(2).enumerate() {
                let at = Vector3::new(0.1 * k as f64, 0.2, -0.1);
                let ends =
                    [0, 1].map(|i| model.marker(pair[i], Frame::new(at, Quaternion::identity())));
                let along = Spring::between(&ends[0], &ends[1], law);
                model.force(&format!("spring {k}"), along).unwrap();
                let about = Spring::rotational(&ends[0], &ends[1], law);
                model.force(&format!("torsion spring {k}"), about).unwrap();
            }
        }
        let assembly = model.assemble().unwrap();
        for seed in 0..20 {
            let Subject { system: Joints { mut inner }, mut state, .. } =
                in_joint_coordinates(&assembly, seed).unwrap();
            let mut vdot = vec![0.0; state.v.len()];
            assert!(inner.as_forward_dynamics().unwrap().accelerations(
                &state.point(),
                &[],
                &mut vdot,
                &mut []
            ));
            state.vdot = vdot;
            let mut residual = vec![0.0; state.v.len()];
            inner.dynamics(&state.point(), Terms::ALL, &mut residual);
            let largest = residual.iter().fold(0.0, |most: f64, r| most.max(r.abs()));
            assert!(largest < 1e-9, "{pushed}, {seed}: {largest:e}");
            // what is no number is none afterwards
            state.v[3] = f64::NAN;
            let mut vdot = vec![0.0; state.v.len()];
            assert!(!inner.as_forward_dynamics().unwrap().accelerations(
                &state.point(),
                &[],
                &mut vdot,
                &mut []
            ));
        }
    }
    let mut model = Model::new();
    let body = model.body("nothing", Body::massless()).unwrap();
    let frame = Frame::identity();
    let ends = [GROUND, body].map(|body| model.marker(body, frame));
    model.joint("hinge", &Revolute, ends[0], ends[1]).unwrap();
    let subject = in_joint_coordinates(&model.assemble().unwrap(), 1).unwrap();
    let (mut system, state) = (subject.system.inner, subject.state);
    assert!(!system.as_forward_dynamics().unwrap().accelerations(
        &state.point(),
        &[],
        &mut [0.0],
        &mut []
    ));
}

/// With loops closed the recursion finds accelerations and multipliers that meet the equations and all constraints, or some of them; and
/// corrections that change the constraints as wanted, orthogonal in the metric of the mass to what leaves them alone. It says so where a
/// constraint repeats others.
#[test]
fn recursion_meets_loops() {
    let closed = |twice: bool| {
        let mut model = tree();
        let of = |model: &Model, name: &str| {
            model.body_id(model.bodies().iter().position(|body| body.0 == name).unwrap())
        };
        let mut random = Random::new(11);
        let mut close = |model: &mut Model, name: &str, joint: &dyn Joint, pair: [&str; 2]| {
            let place = random.frame();
            let ends = pair.map(|body| model.marker_at(of(model, body), place));
            model.joint(name, joint, ends[0], ends[1]).unwrap();
        };
        close(&mut model, "loop 1", &Spherical, ["body 1", "body 7"]);
        close(&mut model, "loop 2", &Universal, ["body 5", "body 4"]);
        if twice {
            let ends = ["body 1", "body 7"].map(|body| {
                let body = of(&model, body);
                model.marker_at(body, Frame::identity())
            });
            model.joint("once", &Spherical, ends[0], ends[1]).unwrap();
            model.joint("again", &Spherical, ends[0], ends[1]).unwrap();
        }
        model.assemble().unwrap()
    };
    let assembly = closed(false);
    for seed in 0..20 {
        let subject = in_joint_coordinates(&assembly, seed).unwrap();
        let (mut inner, mut state) = (subject.system.inner, subject.state);
        let (n, m) = (state.v.len(), inner.sizes().multipliers());
        assert!(m >= 6, "{m}");
        for rows in [(0..m).collect::<Vec<_>>(), vec![1, 2, 5]] {
            let (mut vdot, mut found) = (vec![0.0; n], vec![0.0; rows.len()]);
            let facet = inner.as_forward_dynamics().unwrap();
            assert!(facet.accelerations(&state.point(), &rows, &mut vdot, &mut found));
            state.vdot = vdot;
            state.multipliers.fill(0.0);
            rows.iter().zip(&found).for_each(|(&row, found)| state.multipliers[row] = *found);
            let (mut residual, mut missed) = (vec![0.0; n], vec![0.0; m]);
            inner.dynamics(&state.point(), Terms::ALL, &mut residual);
            inner.constraint(Level::Acceleration, &state.point(), &mut missed);
            let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
            let size = 1.0 + largest(&mut found.iter().map(|x| x.abs()));
            let off = largest(&mut residual.iter().map(|x| x.abs()));
            assert!(off < 1e-9 * size, "{seed}: {off:e} of {size:e}");
            let off = largest(&mut rows.iter().map(|&row| missed[row].abs()));
            assert!(off < 1e-9 * size, "{seed}: {off:e} of {size:e}");

            let wanted: Vec<f64> = (0..rows.len()).map(|k| 1.0 + 0.3 * k as f64).collect();
            let mut motion = vec![0.0; n];
            let facet = inner.as_forward_dynamics().unwrap();
            assert!(facet.correction(&state.point(), &rows, &wanted, &mut motion));
            let pattern = inner.patterns().constraints;
            let mut gradient = vec![0.0; pattern.entries()];
            inner.constraint_gradient(&state.point(), &mut gradient);
            let mut changed = vec![0.0; m];
            pattern.multiply_add(&gradient, 1.0, &motion, &mut changed);
            let size = 1.0 + largest(&mut motion.iter().map(|x| x.abs()));
            for (&row, wanted) in rows.iter().zip(&wanted) {
                let off = (changed[row] - wanted).abs();
                assert!(off < 1e-10 * size, "{seed}: {off:e} of {size:e}");
            }
            // the mass times the motion is a sum of rows: no multiple of another motion that keeps the rows has power in it
            let pattern = inner.patterns().dynamics;
            let mut mass = vec![0.0; pattern.entries()];
            inner.tangent(&state.point(), Weights::MASS, Terms::INERTIA, &mut mass);
            let mut momentum = vec![0.0; n];
            pattern.multiply_add(&mass, 1.0, &motion, &mut momentum);
            let mut free: Vec<f64> = (0..n).map(|k| (k as f64 + seed as f64).sin()).collect();
            let pattern = inner.patterns().constraints;
            let mut back = vec![0.0; m];
            pattern.multiply_add(&gradient, -1.0, &free, &mut back);
            let back: Vec<f64> = rows.iter().map(|&row| back[row]).collect();
            let mut motion = vec![0.0; n];
            let facet = inner.as_forward_dynamics().unwrap();
            assert!(facet.correction(&state.point(), &rows, &back, &mut motion));
            free.iter_mut().zip(&motion).for_each(|(free, motion)| *free += motion);
            let power: f64 = momentum.iter().zip(&free).map(|(p, v)| p * v).sum();
            let size: f64 = momentum.iter().zip(&free).map(|(p, v)| (p * v).abs()).sum();
            assert!(power.abs() < 1e-9 * size, "{seed}: {power:e} of {size:e}");
        }
    }
    let subject = in_joint_coordinates(&closed(true), 3).unwrap();
    let (mut inner, state) = (subject.system.inner, subject.state);
    let m = inner.sizes().multipliers();
    let (mut vdot, mut found) = (vec![0.0; state.v.len()], vec![0.0; m]);
    let rows: Vec<usize> = (0..m).collect();
    let facet = inner.as_forward_dynamics().unwrap();
    assert!(!facet.accelerations(&state.point(), &rows, &mut vdot, &mut found));
}

/// Tangents hold for a whole tree with branches, and so does the mass matrix that recursion gives way to.
#[test]
fn trees_pass_the_battery() {
    crate::check::battery("tree", tree());
    let assembly = tree().assemble().unwrap();
    let subject = in_joint_coordinates(&assembly, 9).unwrap();
    let (mut system, state) = (subject.system, subject.state);
    let pattern = system.patterns().dynamics;
    let mut mass = vec![0.0; pattern.entries()];
    system.tangent(&state.point(), Weights::MASS, Terms::ALL, &mut mass);
    for (k, (i, j)) in pattern.iter().enumerate() {
        let other = mass[pattern.position(j, i).unwrap()];
        assert!((mass[k] - other).abs() < 1e-11, "{i}, {j}: {} is not {other}", mass[k]);
    }
}
