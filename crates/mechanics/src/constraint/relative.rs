//! Constraints written as formulas of the motion of one marker as seen from another.
//!
//! The formula is written once, for any kind of number; derivatives come from dual numbers: in twelve
//! directions, the body variations or velocities of two nodes, and along time, once or twice. A body
//! variation `(δu; δr)` moves a node by `x → x + R δu`, `R → R + R δr̂`, and time by
//! `ẋ = R v`, `Ṙ = R ω̂`, `ẍ = R (v̇ + ω × v)`, `R̈ = R (ω̂ ω̂ + ω̇ˆ)`. Numbers live on the stack.

use super::Constraint;
use super::moving::{Moving, Raw, Seed, Twelve, cross, plain, product, seeded, times, transposed};
use crate::marker::Marker;
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::Level;
use rotula_dae::automatic::Scalar;
use std::fmt::Debug;

/// Most rows of one group of formulas.
const MAX_ROWS: usize = 2;

/// How the second marker stands and moves as seen from the first, in the axes of the first.
#[derive(Clone, Copy, Debug)]
pub struct RelativeMotion<T> {
    /// Position of the origin.
    pub position: [T; 3],
    /// `rotation[i][j]` is axis `i` of the first times axis `j` of the second.
    pub rotation: [[T; 3]; 3],
    /// Velocity of the origin relative to the first marker's body.
    pub velocity: [T; 3],
    /// Angular velocity relative to the first marker's body.
    pub angular_velocity: [T; 3],
}

/// Equations of the relative motion.
pub trait Equations: Clone + Debug + Send + Sync {
    /// How many, at most two.
    fn rows(&self) -> usize;

    /// Whether they bind positions. Then they must not look at velocities; otherwise they must be
    /// linear in them, without a constant part.
    fn holonomic(&self) -> bool;

    /// What a row demands, in words.
    fn describe(&self, row: usize) -> String;

    /// Writes the residuals.
    fn evaluate<T: Scalar>(&self, motion: &RelativeMotion<T>, out: &mut [T]);
}

/// Equations of the relative motion of two markers as a constraint.
#[derive(Clone, Debug)]
pub struct Relative<E> {
    nodes: [usize; 2],
    markers: [Marker; 2],
    equations: E,
}

impl<E: Equations> Relative<E> {
    /// The motion of `b` as seen from `a`.
    pub fn new(a: Marker, b: Marker, equations: E) -> Self {
        debug_assert!(equations.rows() <= MAX_ROWS);
        Relative { nodes: [a.node, b.node], markers: [a, b], equations }
    }

    /// The relative motion of the markers.
    fn motion<T: Scalar>(&self, [a, b]: [Moving<T>; 2]) -> RelativeMotion<T> {
        // origin of a marker, its velocity, its axes and its angular velocity in the world
        let world = |node: &Moving<T>, marker: &Marker| {
            let arm: [T; 3] = std::array::from_fn(|k| T::from(marker.frame.position[k]));
            let axes = marker.frame.orientation.to_matrix();
            let axes: [[T; 3]; 3] =
                std::array::from_fn(|i| std::array::from_fn(|j| T::from(axes[(i, j)])));
            let (reach, turned) = (times(&node.r, &arm), cross(&node.w, &arm));
            let origin: [T; 3] = std::array::from_fn(|k| node.x[k] + reach[k]);
            let speed: [T; 3] = std::array::from_fn(|k| node.v[k] + turned[k]);
            (origin, times(&node.r, &speed), product(&node.r, &axes), times(&node.r, &node.w))
        };
        let (p, p_rate, from, spin) = world(&a, &self.markers[0]);
        let (q, q_rate, to, other_spin) = world(&b, &self.markers[1]);
        let back = transposed(&from);
        let offset: [T; 3] = std::array::from_fn(|k| q[k] - p[k]);
        let carried = cross(&spin, &offset);
        RelativeMotion {
            position: times(&back, &offset),
            rotation: product(&back, &to),
            velocity: times(&back, &std::array::from_fn(|k| q_rate[k] - p_rate[k] - carried[k])),
            angular_velocity: times(&back, &std::array::from_fn(|k| other_spin[k] - spin[k])),
        }
    }

    fn rows_of<T: Scalar>(&self, nodes: [Moving<T>; 2]) -> [T; MAX_ROWS] {
        let mut out = [T::from(0.0); MAX_ROWS];
        self.equations.evaluate(&self.motion(nodes), &mut out[..self.equations.rows()]);
        out
    }

    /// The residuals at a level; those of nonholonomic equations begin at velocity level.
    fn at_level<S: Scalar>(&self, level: Level, nodes: [Raw<S>; 2]) -> [S; MAX_ROWS] {
        let derivative = match (level, self.equations.holonomic()) {
            (Level::Position, _) | (Level::Velocity, false) => 0,
            (Level::Velocity, true) | (Level::Acceleration, false) => 1,
            (Level::Acceleration, true) => 2,
        };
        match derivative {
            0 => self.rows_of(nodes.map(|node| node.now)),
            1 => self.rows_of(nodes.map(|node| node.along_time())).map(|row| row.dual[0]),
            _ => {
                let twice = nodes.map(|node| node.along_time_twice());
                self.rows_of(twice).map(|row| row.dual[0].dual[0])
            }
        }
    }

    /// Derivatives of the residuals at a level along the twists of both nodes.
    fn slopes(&self, level: Level, scene: Scene, seed: Seed) -> [Twelve; MAX_ROWS] {
        self.at_level(level, [0, 1].map(|slot| seeded(scene.motion(slot), slot, seed)))
    }

    /// Adds derivatives to rows.
    fn add(&self, slopes: &[Twelve; MAX_ROWS], out: &mut [Vector6<f64>]) {
        for (row, out) in slopes.iter().zip(out.chunks_exact_mut(2)) {
            for (slot, out) in out.iter_mut().enumerate() {
                *out += Vector6::from_column_slice(&row.dual[6 * slot..6 * slot + 6]);
            }
        }
    }

    /// Derivatives at velocity level with respect to velocities.
    fn carriers(&self, scene: Scene) -> [Twelve; MAX_ROWS] {
        if self.equations.holonomic() {
            self.slopes(Level::Position, scene, Seed::Variation)
        } else {
            self.slopes(Level::Velocity, scene, Seed::Velocity)
        }
    }
}

impl<E: Equations + 'static> Constraint for Relative<E> {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn rows(&self) -> usize {
        self.equations.rows()
    }

    fn holonomic(&self) -> bool {
        self.equations.holonomic()
    }

    fn describe(&self, row: usize) -> String {
        self.equations.describe(row)
    }

    fn residual(&self, level: Level, scene: Scene, out: &mut [f64]) {
        let rows = self.at_level(level, [0, 1].map(|slot| plain(scene.motion(slot))));
        out.iter_mut().zip(rows).for_each(|(out, row)| *out += row);
    }

    fn gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.add(&self.carriers(scene), out);
    }

    fn rate_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.add(&self.slopes(Level::Velocity, scene, Seed::Variation), out);
    }

    fn acceleration_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.add(&self.slopes(Level::Acceleration, scene, Seed::Variation), out);
    }

    fn acceleration_velocity(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.add(&self.slopes(Level::Acceleration, scene, Seed::Velocity), out);
    }

    fn reaction(&self, scene: Scene, multipliers: &[f64], out: &mut [Vector6<f64>]) {
        for (row, multiplier) in self.carriers(scene).iter().zip(multipliers) {
            for (slot, out) in out.iter_mut().enumerate().take(2) {
                *out += Vector6::from_column_slice(&row.dual[6 * slot..6 * slot + 6]) * *multiplier;
            }
        }
    }

    fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]) {
        // the rate is linear in velocities, so row i of G is the rate at the unit velocity i
        let mut nodes = [0, 1].map(|slot| seeded(scene.motion(slot), slot, Seed::Variation));
        for node in &mut nodes {
            (node.now.v, node.now.w) = ([Twelve::constant(0.0); 3], [Twelve::constant(0.0); 3]);
        }
        for i in 0..12 {
            let mut unit = nodes;
            let node = &mut unit[i / 6].now;
            let component = if i % 6 < 3 { &mut node.v[i % 3] } else { &mut node.w[i % 3] };
            *component = Twelve::constant(1.0);
            let rows = self.at_level(Level::Velocity, unit);
            for (row, multiplier) in rows.iter().zip(multipliers) {
                for j in 0..12 {
                    blocks[i / 6 * 2 + j / 6][(i % 6, j % 6)] += multiplier * row.dual[j];
                }
            }
        }
    }
}
