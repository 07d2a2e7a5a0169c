//! The columns of the data, and the same columns of a run.

use crate::cases::{Case, Report};
use nalgebra::Vector3;
use rotula_dae::{State, Trajectory};
use rotula_mechanics::Assembly;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Vectors over time, by the name before the colon: `Pos`, `Vel`, … `Quat` has four numbers.
pub type Columns = BTreeMap<String, Vec<Vec<f64>>>;

/// A file of data.
pub struct Reference {
    pub times: Vec<f64>,
    pub columns: Columns,
    /// Digits of its numbers.
    pub digits: i32,
}

/// Reads the data of a case.
pub fn reference(name: &str) -> Reference {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/adams");
    let text = std::fs::read_to_string(path.join(format!("{name}.csv"))).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let (mut times, mut columns, mut digits) = (Vec::new(), Columns::new(), 0);
    for line in lines {
        let values: Vec<f64> = line.split(',').map(|text| text.parse().unwrap()).collect();
        digits = digits.max(line.split(',').skip(1).map(count_digits).max().unwrap());
        times.push(values[0]);
        for (name, value) in names.iter().zip(&values).skip(1) {
            let group = name.split(':').next().unwrap();
            let rows: &mut Vec<Vec<f64>> = columns.entry(group.to_string()).or_default();
            rows.resize(times.len(), Vec::new());
            rows[times.len() - 1].push(*value);
        }
    }
    Reference { times, columns, digits }
}

/// The significant digits of a number as it is written.
fn count_digits(text: &str) -> i32 {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').len() as i32
}

/// The same columns of a run, at every `stride`-th recorded instant.
pub fn measured(case: &Case, assembly: &mut Assembly, run: &Trajectory, stride: usize) -> Columns {
    let mut columns = Columns::new();
    let mut state = assembly.start();
    for i in (0..run.len()).step_by(stride) {
        state.t = run.times[i];
        state.q.copy_from_slice(run.q.row(i));
        state.v.copy_from_slice(run.v.row(i));
        state.vdot.copy_from_slice(run.vdot.row(i));
        state.multipliers.copy_from_slice(run.multipliers.row(i));
        for (name, values) in instant(case, assembly, &state) {
            columns.entry(name.to_string()).or_default().push(values);
        }
    }
    columns
}

fn instant(case: &Case, assembly: &mut Assembly, state: &State) -> Vec<(&'static str, Vec<f64>)> {
    let node = assembly.node_frame(case.marker.node, &state.q);
    let frame = node * case.marker.frame;
    let motion = assembly.motion(case.marker.node, &state.point());
    let world = |a: &Vector3<f64>| node.orientation.rotate(a);
    let (velocity, omega) = (motion.velocity, motion.omega);
    let acceleration = motion.velocity_rate + omega.cross(&velocity);
    let angular_acceleration = motion.omega_rate;
    let mut columns = vec![
        ("Pos", frame.position),
        ("Vel", world(&velocity)),
        ("Acc", world(&acceleration)),
        ("Avel", world(&omega)),
        ("Aacc", world(&angular_acceleration)),
    ];
    match &case.report {
        Report::Joint(joint, sign) => {
            let (force, torque) = reaction(assembly, *joint, state);
            columns.extend([("Rforce", force * *sign), ("Rtorque", torque * *sign)]);
        }
        Report::Hinge(joint, law) => {
            let (force, torque) = reaction(assembly, *joint, state);
            // positive angles about y lower the end of the pendulum
            let angle = (-frame.position.z).atan2(frame.position.x);
            let moment = law.stiffness * angle + law.damping * world(&omega).y;
            columns.extend([("Rforce", force), ("Rtorque", torque + Vector3::y() * moment)]);
        }
        Report::Spring { from, to, law } => {
            let offset = node.transform_point(to) - from;
            let length = offset.norm();
            let speed = world(&(velocity + omega.cross(to)));
            let force = match length > 0.0 {
                true => offset / length * -law(length, offset.dot(&speed) / length),
                false => Vector3::zeros(),
            };
            columns.extend([("Rforce", force), ("Rtorque", Vector3::zeros())]);
        }
        Report::Actuator(joint) => {
            let (force, torque) = reaction(assembly, *joint, state);
            // the drive is the last equation; its multiplier is the force on the body along z
            let push = Vector3::z() * state.multipliers[5];
            columns.extend([("RforceP", force), ("RtorqueP", torque)]);
            columns.extend([("RforceA", push), ("RtorqueA", Vector3::zeros())]);
        }
        Report::Rod(joint, ball) => {
            let (force, torque) = reaction(assembly, *joint, state);
            let arm = node.transform_point(ball);
            columns.extend([("Rforce_Body2", force), ("Rtorque_Body2", torque)]);
            columns
                .extend([("Rforce_Body1", -force), ("Rtorque_Body1", -torque - arm.cross(&force))]);
        }
    }
    let mut out: Vec<_> =
        columns.into_iter().map(|(name, v)| (name, v.as_slice().to_vec())).collect();
    out.push(("Quat", frame.orientation.to_array().to_vec()));
    out
}

/// Force and torque on the second marker of a joint, in the axes of the world.
fn reaction(
    assembly: &mut Assembly,
    joint: rotula_mechanics::JointId,
    state: &State,
) -> (Vector3<f64>, Vector3<f64>) {
    let (force, torque) = assembly.reaction(joint, state);
    let first = assembly.first_marker_frame(joint, &state.q);
    (first.orientation.rotate(&force), first.orientation.rotate(&torque))
}

/// Minus one if two quaternions are the same rotation with opposite signs.
pub fn sign(name: &str, a: &[f64], b: &[f64]) -> f64 {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    if name == "Quat" && dot < 0.0 { -1.0 } else { 1.0 }
}

/// The greatest difference of two columns and the greatest value of the first one.
pub fn difference(name: &str, a: &[Vec<f64>], b: &[Vec<f64>]) -> (f64, f64) {
    assert_eq!(a.len(), b.len(), "{name}");
    let (mut greatest, mut scale) = (0.0f64, 0.0f64);
    for (a, b) in a.iter().zip(b) {
        let sign = sign(name, a, b);
        for (a, b) in a.iter().zip(b) {
            greatest = greatest.max((a - sign * b).abs());
            scale = scale.max(a.abs());
        }
    }
    (greatest, scale)
}

/// The greatest kinetic energy in the data, and how much kinetic and gravitational energy together
/// depart from their first value.
pub fn energy(case: &Case, data: &Columns) -> (f64, f64) {
    let body = &case.model.bodies()[case.marker.node].1;
    let axes = case.marker.frame.orientation.to_matrix();
    let inertia = axes.transpose() * body.mass.inertia * axes;
    let weight = case.model.gravity * body.mass.mass;
    let vector = |name: &str, i: usize| Vector3::from_column_slice(&data[name][i]);
    let (mut first, mut change, mut greatest) = (None, 0.0f64, 0.0f64);
    for i in 0..data["Pos"].len() {
        let q = &data["Quat"][i];
        let turn = rotula_lie::Quaternion::new(q[0], q[1], q[2], q[3]);
        let omega = turn.rotate_back(&vector("Avel", i));
        let linear = 0.5 * body.mass.mass * vector("Vel", i).norm_squared();
        let kinetic = linear + 0.5 * omega.dot(&(inertia * omega));
        let total = kinetic - weight.dot(&vector("Pos", i));
        change = change.max((total - *first.get_or_insert(total)).abs());
        greatest = greatest.max(kinetic);
    }
    (greatest, change)
}
