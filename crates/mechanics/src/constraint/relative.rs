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
use nalgebra::{Matrix6, Vector3, Vector6};
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

    /// How far a place in the axes of the first marker is beyond what they are meant for, in words.
    fn beyond(&self, _place: &Vector3<f64>) -> Option<String> {
        None
    }
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
    fn motion<T: Scalar>(&self, [a, b]: &[Moving<T>; 2]) -> RelativeMotion<T> {
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
        let (p, p_rate, from, spin) = world(a, &self.markers[0]);
        let (q, q_rate, to, other_spin) = world(b, &self.markers[1]);
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

    fn rows_of<T: Scalar>(&self, nodes: &[Moving<T>; 2]) -> [T; MAX_ROWS] {
        let mut out = [T::from(0.0); MAX_ROWS];
        self.equations.evaluate(&self.motion(nodes), &mut out[..self.equations.rows()]);
        out
    }

    /// The residuals at a level; those of nonholonomic equations begin at velocity level.
    fn at_level<S: Scalar>(&self, level: Level, nodes: &[Raw<S>; 2]) -> [S; MAX_ROWS] {
        let derivative = match (level, self.equations.holonomic()) {
            (Level::Position, _) | (Level::Velocity, false) => 0,
            (Level::Velocity, true) | (Level::Acceleration, false) => 1,
            (Level::Acceleration, true) => 2,
        };
        match derivative {
            0 => self.rows_of(&[0, 1].map(|slot| nodes[slot].now)),
            1 => {
                let once = [0, 1].map(|slot| nodes[slot].along_time());
                self.rows_of(&once).map(|row| row.dual[0])
            }
            _ => {
                let twice = [0, 1].map(|slot| nodes[slot].along_time_twice());
                self.rows_of(&twice).map(|row| row.dual[0].dual[0])
            }
        }
    }

    /// Derivatives of the residuals at a level along the twists of both nodes.
    fn slopes(&self, level: Level, scene: Scene, seed: Seed) -> [Twelve; MAX_ROWS] {
        self.at_level(level, &[0, 1].map(|slot| seeded(scene.motion(slot), slot, seed)))
    }

    /// Adds derivatives to rows.
    fn add(&self, slopes: &[Twelve; MAX_ROWS], out: &mut [Vector6<f64>]) {
        for (row, out) in slopes.iter().zip(out.chunks_exact_mut(2)) {
            for (slot, out) in out.iter_mut().enumerate() {
                *out += Vector6::from_column_slice(&row.dual[6 * slot..6 * slot + 6]);
            }
        }
    }

    /// Derivatives at velocity level with respect to velocities, by row and slot.
    fn carriers(&self, scene: Scene) -> [[Vector6<f64>; 2]; MAX_ROWS] {
        if !self.equations.holonomic() {
            let nodes = [0, 1].map(|slot| plain(scene.motion(slot)).now);
            return self.rate_carriers(nodes).map(|row| row.map(Vector6::from));
        }
        self.slopes(Level::Position, scene, Seed::Variation).map(|row| {
            [0, 1].map(|slot| Vector6::from_column_slice(&row.dual[6 * slot..6 * slot + 6]))
        })
    }

    /// Derivatives of nonholonomic equations with respect to velocities, by row, slot and direction. They
    /// are linear in the relative velocities, `A·v + B·ω`; so one unit velocity after the other does. In
    /// the axes of the world
    ///
    /// ```text
    /// v = R_b (v_b + ω_b × s_b) − R_a (v_a + ω_a × s_a) − (R_a ω_a) × d,   ω = R_b ω_b − R_a ω_a
    /// ```
    ///
    /// with the arms `s` of the markers and their offset `d`.
    fn rate_carriers<T: Scalar>(&self, mut nodes: [Moving<T>; 2]) -> [[[T; 6]; 2]; MAX_ROWS] {
        let zero = [T::from(0.0); 3];
        nodes.iter_mut().for_each(|node| (node.v, node.w) = (zero, zero));
        let mut motion = self.motion(&nodes);
        let mut slopes = [[zero; 2]; MAX_ROWS];
        for k in 0..6 {
            let unit = |turning: bool| {
                std::array::from_fn(|i| T::from(f64::from(turning == (k >= 3) && i == k % 3)))
            };
            (motion.velocity, motion.angular_velocity) = (unit(false), unit(true));
            let mut rows = zero;
            self.equations.evaluate(&motion, &mut rows[..self.equations.rows()]);
            (0..MAX_ROWS).for_each(|row| slopes[row][k / 3][k % 3] = rows[row]);
        }
        let arms = self.markers.map(|marker| <[f64; 3]>::from(marker.frame.position).map(T::from));
        let place = |slot: usize| -> [T; 3] {
            let reach = times(&nodes[slot].r, &arms[slot]);
            std::array::from_fn(|k| nodes[slot].x[k] + reach[k])
        };
        let (from, to) = (place(0), place(1));
        let offset: [T; 3] = std::array::from_fn(|k| to[k] - from[k]);
        let axes = self.markers[0].frame.orientation.to_matrix();
        let axes: [[T; 3]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| T::from(axes[(i, j)])));
        let axes = product(&nodes[0].r, &axes);
        let backs = [transposed(&nodes[0].r), transposed(&nodes[1].r)];
        slopes.map(|[linear, angular]| {
            let (linear, angular) = (times(&axes, &linear), times(&axes, &angular));
            let carried = cross(&offset, &linear);
            let with_offset = std::array::from_fn(|k| angular[k] + carried[k]);
            [(0, -1.0, with_offset), (1, 1.0, angular)].map(|(slot, sign, turning)| {
                let pull = times(&backs[slot], &linear);
                let (lever, turn) = (cross(&arms[slot], &pull), times(&backs[slot], &turning));
                std::array::from_fn(|k| match k {
                    0..3 => pull[k] * sign,
                    _ => (lever[k - 3] + turn[k - 3]) * sign,
                })
            })
        })
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

    fn beyond(&self, scene: Scene) -> Option<String> {
        let frame = |slot: usize| {
            let m = scene.motion(slot);
            let own = &self.markers[slot].frame;
            (m.position + m.rotation * own.position, m.rotation * own.orientation.to_matrix())
        };
        let ((first, axes), (second, _)) = (frame(0), frame(1));
        self.equations.beyond(&axes.tr_mul(&(second - first)))
    }

    fn describe(&self, row: usize) -> String {
        self.equations.describe(row)
    }

    fn residual(&self, level: Level, scene: Scene, out: &mut [f64]) {
        let rows = self.at_level(level, &[0, 1].map(|slot| plain(scene.motion(slot))));
        out.iter_mut().zip(rows).for_each(|(out, row)| *out += row);
    }

    fn gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let rows = self.carriers(scene);
        out.iter_mut().zip(rows.iter().flatten()).for_each(|(out, row)| *out += row);
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
            out.iter_mut().zip(row).for_each(|(out, wrench)| *out += wrench * *multiplier);
        }
    }

    fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]) {
        let mut nodes = [0, 1].map(|slot| seeded(scene.motion(slot), slot, Seed::Variation));
        if !self.equations.holonomic() {
            let rows = self.rate_carriers(nodes.map(|node| node.now));
            for (row, multiplier) in rows.iter().zip(multipliers) {
                for (i, carrier) in row.iter().flatten().enumerate() {
                    for (j, slope) in carrier.dual.iter().enumerate() {
                        blocks[i / 6 * 2 + j / 6][(i % 6, j % 6)] += multiplier * slope;
                    }
                }
            }
            return;
        }
        // the rate is linear in velocities, so row i of G is the rate at the unit velocity i
        for node in &mut nodes {
            (node.now.v, node.now.w) = ([Twelve::constant(0.0); 3], [Twelve::constant(0.0); 3]);
        }
        for i in 0..12 {
            let mut unit = nodes;
            let node = &mut unit[i / 6].now;
            let component = if i % 6 < 3 { &mut node.v[i % 3] } else { &mut node.w[i % 3] };
            *component = Twelve::constant(1.0);
            let rows = self.at_level(Level::Velocity, &unit);
            for (row, multiplier) in rows.iter().zip(multipliers) {
                for j in 0..12 {
                    blocks[i / 6 * 2 + j / 6][(i % 6, j % 6)] += multiplier * row.dual[j];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Motion;
    use crate::scene::World;
    use nalgebra::Vector3;
    use rotula_lie::{Frame, Quaternion};

    /// A formula with every kind of term.
    #[derive(Clone, Debug)]
    struct Anything;

    impl Equations for Anything {
        fn rows(&self) -> usize {
            2
        }

        fn holonomic(&self) -> bool {
            false
        }

        fn describe(&self, row: usize) -> String {
            format!("row {row}")
        }

        fn evaluate<T: Scalar>(&self, motion: &RelativeMotion<T>, out: &mut [T]) {
            let RelativeMotion { position: p, rotation: r, velocity: v, angular_velocity: w } =
                motion;
            out[0] = p[0] * v[1] - p[2] * v[2] * 0.4 + r[0][1] * w[2] + p[1] * w[0] * 0.3;
            out[1] = v[0] * 1.5 - r[2][0] * v[1] + p[0] * p[1] * w[1];
        }
    }

    /// Gradients by plain numbers against those by dual numbers, which know nothing of the formula.
    #[test]
    fn gradients_of_rates_agree_with_dual_numbers() {
        let turned = |x: f64, y: f64, z: f64| Quaternion::new(0.7, x, y, z).normalised();
        let frame = |shift: f64| {
            Frame::new(Vector3::new(shift, 0.3 - shift, 0.2), turned(shift, 0.4, -0.2 * shift))
        };
        let moving = |frame: &Frame| Motion {
            velocity: Vector3::new(0.4, -0.7, 1.1),
            omega: Vector3::new(-0.3, 0.9, 0.5),
            ..Motion::at_rest(frame)
        };
        let motions = [moving(&frame(0.5)), moving(&frame(-0.8))];
        let world = World {
            t: 0.0,
            motions: &motions,
            angles: &[],
            functions: &[],
            states: &[],
            variables: &[],
        };
        let scene = Scene { world: &world, nodes: &[0, 1] };
        let markers = [0, 1].map(|node| Marker { node, frame: frame(0.1 + 0.6 * node as f64) });
        let group = Relative::new(markers[0], markers[1], Anything);
        let dual = group.slopes(Level::Velocity, scene, Seed::Velocity);
        for (rows, dual) in group.carriers(scene).iter().zip(dual) {
            for (k, expected) in dual.dual.iter().enumerate() {
                let found = rows[k / 6][k % 6];
                assert!((found - expected).abs() < 1e-14, "{k}: {found} {expected}");
            }
        }
    }
}
