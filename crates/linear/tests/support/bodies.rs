//! Rigid bodies in absolute coordinates: chains with revolute joints and nets with loops.

use nalgebra::{Matrix3, Rotation3, Unit, Vector3};

use super::{Problem, Random, Triplets};

/// Coefficients of mass, damping and stiffness in an implicit step.
#[derive(Clone, Copy)]
pub struct Weights {
    pub mass: f64,
    pub damping: f64,
    pub stiffness: f64,
}

/// Weights scaled so that the mass block is of order one.
pub fn scaled(h: f64) -> Weights {
    Weights { mass: 1.0, damping: 0.55 * h, stiffness: 0.3 * h * h }
}

/// Weights of an index-3 step in position unknowns, unscaled.
pub fn unscaled(h: f64) -> Weights {
    Weights { mass: 1.0 / (0.3 * h * h), damping: 0.55 / (0.3 * h), stiffness: 1.0 }
}

/// Chain of bodies; per body five multipliers, three velocities, three angular velocities.
pub fn chain(bodies: usize, weights: Weights, times: &[f64]) -> Problem {
    let sets: Vec<Triplets> = times.iter().map(|&t| chain_at(bodies, weights, t)).collect();
    let multipliers = (0..11 * bodies).map(|i| i % 11 < 5).collect();
    Problem::new(multipliers, &sets)
}

fn chain_at(bodies: usize, weights: Weights, t: f64) -> Triplets {
    let mut random = Random::new(7);
    let mut triplets = Triplets::default();
    let mut previous = Rotation3::identity();
    let s1 = Vector3::new(0.5, 0.0, -0.02);
    let s2 = Vector3::new(-0.5, 0.0, 0.02);
    for i in 0..bodies {
        let (angle, rate) = (1.2 * random.signed(), 10.0 * random.signed());
        let axis = Vector3::new(0.2 * random.signed(), 0.3 * random.signed(), 1.0).normalize();
        let rotation =
            previous * Rotation3::from_axis_angle(&Unit::new_unchecked(axis), angle + rate * t);
        let row = 11 * i;
        let (velocity, spin) = (row + 5, row + 8);
        let lever = rotation.inverse() * (20.0 * vector(&mut random));
        body(
            &mut triplets,
            &mut random,
            velocity,
            weights,
            lever.cross_matrix() * s2.cross_matrix(),
        );
        joint_side(&mut triplets, row, velocity, -1.0, &(rotation.matrix() * s2.cross_matrix()));
        // Two directions of the earlier body stay normal to the axis of this one.
        let normal = rotation * axis;
        let before = previous * axis;
        let u = before.cross(&Vector3::new(0.3, 1.0, 0.1)).normalize();
        let directions = [u, before.cross(&u)];
        for (k, direction) in directions.iter().enumerate() {
            let gradient = rotation.inverse() * normal.cross(direction);
            for b in 0..3 {
                let drift = 1e-3 * (b as f64 + 1.0) * t;
                triplets.add_pair(row + 3 + k, spin + b, gradient[b] + drift);
            }
        }
        if i > 0 {
            let (velocity, spin_before) = (row - 6, row - 3);
            let arm = -(previous.matrix() * s1.cross_matrix());
            joint_side(&mut triplets, row, velocity, 1.0, &arm);
            for (k, direction) in directions.iter().enumerate() {
                let gradient = previous.inverse() * direction.cross(&normal);
                for b in 0..3 {
                    triplets.add_pair(row + 3 + k, spin_before + b, gradient[b]);
                }
            }
            for a in 0..3 {
                for b in 0..3 {
                    let size = 10.0 * weights.stiffness;
                    triplets.add(spin + a, spin_before + b, size * random.signed());
                    triplets.add(spin_before + a, spin + b, size * random.signed());
                }
            }
        }
        previous = rotation;
    }
    triplets
}

fn vector(random: &mut Random) -> Vector3<f64> {
    Vector3::new(random.signed(), random.signed(), random.signed())
}

/// Mass, gyroscopic and geometric terms of a body whose velocity starts at `place`.
fn body(
    triplets: &mut Triplets,
    random: &mut Random,
    place: usize,
    weights: Weights,
    geometric: Matrix3<f64>,
) {
    let mass = 1.0 + random.unit();
    let principal = Vector3::new(0.02 + 0.01 * random.unit(), 0.1 + 0.05 * random.unit(), 0.12);
    let inertia = Matrix3::from_diagonal(&principal);
    let spin = Vector3::new(3.0 * random.signed(), 3.0 * random.signed(), 10.0 * random.signed());
    let gyroscopic = spin.cross_matrix() * inertia - (inertia * spin).cross_matrix();
    let noise = Matrix3::from_fn(|_, _| random.signed());
    let block = inertia * weights.mass
        + gyroscopic * weights.damping
        + (geometric + noise) * weights.stiffness;
    for a in 0..3 {
        triplets.add(place + a, place + a, weights.mass * mass);
        for b in 0..3 {
            triplets.add(place + 3 + a, place + 3 + b, block[(a, b)]);
        }
    }
}

/// Three rows that hold a point of a body.
fn joint_side(triplets: &mut Triplets, row: usize, place: usize, sign: f64, arm: &Matrix3<f64>) {
    for a in 0..3 {
        triplets.add_pair(row + a, place + a, sign);
        for b in 0..3 {
            triplets.add_pair(row + a, place + 3 + b, arm[(a, b)]);
        }
    }
}

/// Square net of bodies with loops: spherical joints along one direction, distances along the
/// other; `redundant` copies of one joint at the end.
pub fn net(side: usize, redundant: usize, times: &[f64]) -> Problem {
    let mut joints: Vec<(Option<usize>, usize, usize)> = Vec::new();
    for k in 0..side * side {
        if k < side {
            joints.push((None, k, 3));
        }
        if k + side < side * side {
            joints.push((Some(k), k + side, 3));
        }
        if (k + 1) % side != 0 {
            joints.push((Some(k), k + 1, 1));
        }
    }
    let copied = joints[2];
    let originals = joints.len();
    joints.resize(originals + redundant, copied);
    let velocities = 6 * side * side;
    let rows: usize = joints.iter().map(|joint| joint.2).sum();
    let at = |t: f64| {
        let mut random = Random::new(3);
        let mut triplets = Triplets::default();
        let rotations: Vec<Rotation3<f64>> = (0..side * side)
            .map(|k| {
                let axis = Unit::new_normalize(vector(&mut random));
                let angle = 3.0 * random.signed() + 10.0 * t * random.signed();
                body(&mut triplets, &mut random, 6 * k, scaled(1e-3), Matrix3::zeros());
                Rotation3::from_axis_angle(&axis, angle)
            })
            .collect();
        let shapes: Vec<_> = (0..originals)
            .map(|_| {
                let s1 = Vector3::new(0.5, 0.0, 0.0) + 0.15 * vector(&mut random);
                let s2 = Vector3::new(-0.5, 0.0, 0.0) + 0.15 * vector(&mut random);
                let direction = vector(&mut random) + Vector3::new(0.0, 2.0 * t, 0.0);
                (s1, s2, direction.normalize())
            })
            .collect();
        let mut row = velocities;
        for (index, &(before, after, rows)) in joints.iter().enumerate() {
            let (s1, s2, direction) = shapes[if index < originals { index } else { 2 }];
            let sides = [before.map(|k| (k, s1, 1.0)), Some((after, s2, -1.0))];
            for (k, s, sign) in sides.into_iter().flatten() {
                let arm = -sign * (rotations[k].matrix() * s.cross_matrix());
                if rows == 3 {
                    joint_side(&mut triplets, row, 6 * k, sign, &arm);
                } else {
                    let gradient = arm.transpose() * direction;
                    for a in 0..3 {
                        triplets.add_pair(row, 6 * k + a, sign * direction[a]);
                        triplets.add_pair(row, 6 * k + 3 + a, gradient[a]);
                    }
                }
            }
            row += rows;
        }
        triplets
    };
    let sets: Vec<Triplets> = times.iter().map(|&t| at(t)).collect();
    Problem::new((0..velocities + rows).map(|i| i >= velocities).collect(), &sets)
}
