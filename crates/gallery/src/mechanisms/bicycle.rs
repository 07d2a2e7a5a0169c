//! Whipple's bicycle with the parameters of Meijaard, Papadopoulos, Ruina and Schwab (2007).
//!
//! Axes as in the paper: x forward, y to the right, z down; the ground is at z = 0.

use super::connect;
use nalgebra::{Matrix3, Matrix4, Vector2, Vector3};
use rotula_dae::{Diagnosis, InitialPolicy, State, make_consistent};
use rotula_mechanics::joint::{Revolute, Rolling};
use rotula_mechanics::{Assembly, Body, GROUND, MassProperties, Model, ModelError};

const WHEELBASE: f64 = 1.02;
const TRAIL: f64 = 0.08;
const REAR: f64 = 0.3;
const FRONT: f64 = 0.35;

/// Places of the bodies in the model; the first body is 0 here.
const REAR_WHEEL: usize = 0;
const FRAME: usize = 1;
const FORK: usize = 2;
const FRONT_WHEEL: usize = 3;

/// The direction of the steering axis.
fn steering() -> Vector3<f64> {
    let tilt = std::f64::consts::PI / 10.0;
    Vector3::new(tilt.sin(), 0.0, tilt.cos())
}

/// The bicycle upright; its speed does not matter here.
pub fn bicycle() -> Result<Model, ModelError> {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, 9.81);
    let inertia =
        |xx: f64, yy: f64, zz: f64, xz: f64| Matrix3::new(xx, 0.0, xz, 0.0, yy, 0.0, xz, 0.0, zz);
    let mut body = |name: &str, mass: f64, inertia: Matrix3<f64>, x: f64, z: f64| {
        let mass = MassProperties::new(mass, Vector3::zeros(), inertia);
        model.body(name, Body::rigid(mass).at(Vector3::new(x, 0.0, z)))
    };
    let rear = body("rear wheel", 2.0, inertia(0.0603, 0.12, 0.0603, 0.0), 0.0, -REAR)?;
    let frame = body("frame", 85.0, inertia(9.2, 11.0, 2.8, 2.4), 0.3, -0.9)?;
    let fork = body("fork", 4.0, inertia(0.05892, 0.06, 0.00708, -0.00756), 0.9, -0.7)?;
    let front = body("front wheel", 3.0, inertia(0.1405, 0.28, 0.1405, 0.0), WHEELBASE, -FRONT)?;
    let (y, up) = (Vector3::y(), -Vector3::z());
    let rear_hub = Vector3::new(0.0, 0.0, -REAR);
    let front_hub = Vector3::new(WHEELBASE, 0.0, -FRONT);
    let head = Vector3::new(WHEELBASE + TRAIL, 0.0, 0.0);
    connect(&mut model, "rear hub", &Revolute, [frame, rear], (rear_hub, y))?;
    connect(&mut model, "head", &Revolute, [frame, fork], (head, steering()))?;
    connect(&mut model, "front hub", &Revolute, [fork, front], (front_hub, y))?;
    for (name, wheel, hub, radius) in
        [("rear contact", rear, rear_hub, REAR), ("front contact", front, front_hub, FRONT)]
    {
        let ground = model.marker(GROUND, model.frame(Vector3::zeros(), up));
        let disc = model.marker_at(wheel, model.frame(hub, y));
        model.joint(name, &Rolling { radius }, ground, disc)?;
    }
    Ok(model)
}

/// Angular velocity of a body, or its rate, in the axes of the body.
fn angular(values: &[f64], body: usize) -> Vector3<f64> {
    Vector3::from_column_slice(&values[6 * body + 3..6 * body + 6])
}

/// Roll and steer of velocities or accelerations, to first order in the deviation from upright.
fn roll_and_steer(values: &[f64]) -> Vector2<f64> {
    let (frame, fork) = (angular(values, FRAME), angular(values, FORK));
    Vector2::new(frame.x, (fork - frame).dot(&steering()))
}

/// The state with given roll and steer, their rates and a forward speed.
fn placed(
    system: &mut Assembly,
    angles: Vector2<f64>,
    rates: Vector2<f64>,
    speed: f64,
) -> Result<State, Diagnosis> {
    let mut state = system.start();
    // roll everything about the line of contact, then turn fork and front wheel about the head
    let roll = Vector3::new(angles.x, 0.0, 0.0);
    let turn = steering() * angles.y;
    let centres: Vec<Vector3<f64>> =
        (0..4).map(|k| system.node_frame(k + 1, &state.q).position).collect();
    let head = Vector3::new(WHEELBASE + TRAIL, 0.0, 0.0);
    for (k, centre) in centres.iter().enumerate() {
        let steered = if k == FORK || k == FRONT_WHEEL { turn } else { Vector3::zeros() };
        let steer = rotula_lie::Quaternion::exp(&steered);
        let lean = rotula_lie::Quaternion::exp(&roll);
        let place = lean.rotate(&(head + steer.rotate(&(centre - head))));
        let orientation = lean * steer;
        let q = &mut state.q[7 * k..7 * k + 7];
        q[..3].copy_from_slice(place.as_slice());
        q[3] = orientation.scalar;
        q[4..].copy_from_slice(orientation.vector.as_slice());
    }
    make_consistent(system, &mut state, InitialPolicy::Project)?;
    // Admissible velocities are the projections of three guesses, and they add.
    let mut basis = Vec::new();
    for guess in 0..3 {
        let mut trial = state.clone();
        for k in 0..4 {
            match guess {
                0 => trial.v[6 * k + 3] = 1.0,
                1 => trial.v[6 * k + 5] = if k == FORK || k == FRONT_WHEEL { 1.0 } else { 0.0 },
                _ => trial.v[6 * k] = 1.0,
            }
        }
        make_consistent(system, &mut trial, InitialPolicy::Project)?;
        basis.push(trial.v);
    }
    // the speed is that with which the rear wheel rolls
    let measured = |v: &[f64]| {
        let rates = roll_and_steer(v);
        let rolls = angular(v, REAR_WHEEL).y - angular(v, FRAME).y;
        Vector3::new(rates.x, rates.y, -REAR * rolls)
    };
    let columns: Vec<Vector3<f64>> = basis.iter().map(|v| measured(v)).collect();
    let wanted = Vector3::new(rates.x, rates.y, speed);
    let weights = Matrix3::from_columns(&columns)
        .lu()
        .solve(&wanted)
        .expect("roll, steer and speed are independent");
    for (i, v) in state.v.iter_mut().enumerate() {
        *v = (0..3).map(|k| weights[k] * basis[k][i]).sum();
    }
    make_consistent(system, &mut state, InitialPolicy::Project)?;
    Ok(state)
}

/// Riding upright with a speed.
pub fn riding(system: &mut Assembly, speed: f64) -> Result<State, Diagnosis> {
    placed(system, Vector2::zeros(), Vector2::zeros(), speed)
}

/// `ẋ = A x` of small motions about upright riding, `x` = (roll, steer, roll rate, steer rate).
///
/// The accelerations of the model are differentiated by differences of fourth order. The coordinates
/// do not turn with the wheels; in axes that do, the matrix of small motions would change with time.
pub fn small_motions(system: &mut Assembly, speed: f64) -> Result<Matrix4<f64>, Diagnosis> {
    let step = 1e-3;
    let mut matrix = Matrix4::zeros();
    matrix[(0, 2)] = 1.0;
    matrix[(1, 3)] = 1.0;
    for column in 0..4 {
        for (times, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
            let mut x = [0.0; 4];
            x[column] = times * step;
            let (angles, rates) = (Vector2::new(x[0], x[1]), Vector2::new(x[2], x[3]));
            let state = placed(system, angles, rates, speed)?;
            let found = roll_and_steer(&state.vdot);
            for row in 0..2 {
                matrix[(2 + row, column)] += weight * found[row] / (12.0 * step);
            }
        }
    }
    Ok(matrix)
}

/// How far a placed bicycle is from the angles that were asked for: the projection may move it.
pub fn placement_error(system: &mut Assembly, angles: Vector2<f64>) -> Result<f64, Diagnosis> {
    let state = placed(system, angles, Vector2::zeros(), 0.0)?;
    let of = |k: usize| system.node_frame(k + 1, &state.q).orientation;
    let across = of(FRAME).rotate(&Vector3::y());
    let roll = across.z.asin();
    let steer = of(FRAME).rotate_back(&of(FORK).rotate(&Vector3::y()));
    let axis = steering();
    let sine = axis.dot(&Vector3::y().cross(&steer));
    let found = Vector2::new(roll, sine.atan2(steer.y));
    Ok((found - angles).norm())
}
