//! A frame that follows a flexible body: where an interface is when the body has moved and bent.
//!
//! With the floating frame `(p, R)`, the interface at rest at `s`, its displacement `u = Σ φ_k q_k` and
//! small rotation `θ = Σ ψ_k q_k`, both in floating axes, the follower `(p_n, R_n)` obeys
//!
//! ```text
//! Rᵀ(p_n − p) = s + u        RᵀR_n = C(θ)
//! ```
//!
//! where Cayley's map `C` makes a proper rotation of the small one: its angle is `2 atan(|θ|/2)`, which
//! differs from `|θ|` by a third power. For `Q = RᵀR_n` it is the same to demand
//!
//! ```text
//! axial(Q) − ¼ (1 + tr Q) θ = 0
//! ```
//!
//! which is linear in `θ` and in scalar products of axes: measures, with all their derivatives.

use super::Constraint;
use crate::measure::{Attached, Dot, Factor, Measure, Sum};
use crate::node::NodeKind;
use crate::scene::Scene;
use nalgebra::{DMatrix, Matrix6, Vector3, Vector6};
use rotula_dae::Level;

/// Slots before those of the amplitudes: the floating frame and the follower.
const FRAMES: usize = 2;
const AXES: [&str; 3] = ["x", "y", "z"];

/// One equation. Amplitudes enter it by `− factor · Σ weights_k q_k`.
#[derive(Clone, Debug)]
struct Equation {
    name: String,
    sum: Sum,
    weights: Vec<f64>,
    /// Rotations are multiplied by `¼ (1 + tr Q)`.
    turns: bool,
}

/// The equations of a frame that follows a flexible body.
#[derive(Clone, Debug)]
pub struct Follower {
    nodes: Vec<usize>,
    equations: Vec<Equation>,
    /// `¼ tr Q`.
    trace: Sum,
}

/// A quantity and its first two rates.
type Jet = [f64; 3];

impl Follower {
    /// The node `follower` follows the node `floating`, whose amplitudes the nodes `amplitudes` have.
    /// `at` is the place of the interface in the axes of the floating node. Nodes that move in a plane
    /// are held in it by themselves.
    pub fn new(
        (floating, kind): (usize, NodeKind),
        follower: usize,
        amplitudes: &[usize],
        at: Vector3<f64>,
        (translation, rotation): (&DMatrix<f64>, &DMatrix<f64>),
    ) -> Self {
        let axis = |slot: usize, i: usize| Factor::Axis(Attached::new(slot, Vector3::ith(i, 1.0)));
        let product = |i: usize, j: usize| Measure::Dot(Dot(axis(0, i), axis(1, j)));
        let weights = |matrix: &DMatrix<f64>, i: usize| matrix.row(i).iter().copied().collect();
        let way =
            Factor::Offset { from: Attached::new(0, at), to: Attached::new(1, Vector3::zeros()) };
        let equation = |column: usize| match column {
            i @ 0..3 => Equation {
                name: format!("distance along {}", AXES[i]),
                sum: Sum(vec![(1.0, Measure::Dot(Dot(axis(0, i), way)))]),
                weights: weights(translation, i),
                turns: false,
            },
            column => {
                let i = column - 3;
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                Equation {
                    name: format!("angle about {}", AXES[i]),
                    sum: Sum(vec![(0.5, product(k, j)), (-0.5, product(j, k))]),
                    weights: weights(rotation, i),
                    turns: true,
                }
            }
        };
        Follower {
            nodes: [floating, follower].iter().chain(amplitudes).copied().collect(),
            equations: kind.columns().iter().map(|column| equation(*column)).collect(),
            trace: Sum((0..3).map(|i| (0.25, product(i, i))).collect()),
        }
    }

    /// `¼ (1 + tr Q)` and its rates.
    fn factor(&self, scene: Scene) -> Jet {
        let trace = &self.trace;
        [0.25 + trace.value(scene), trace.rate(scene), trace.acceleration(scene)]
    }

    /// Calls `f` with each equation, the jet of its factor and that of its amplitudes.
    fn each(&self, scene: Scene, mut f: impl FnMut(usize, &Equation, Jet, Jet)) {
        let factor = self.factor(scene);
        for (row, equation) in self.equations.iter().enumerate() {
            let factor = if equation.turns { factor } else { [1.0, 0.0, 0.0] };
            f(row, equation, factor, equation.amplitude(scene));
        }
    }
}

impl Equation {
    /// `Σ weights_k q_k` and its rates.
    fn amplitude(&self, scene: Scene) -> Jet {
        let mut jet = [0.0; 3];
        for (k, weight) in self.weights.iter().enumerate() {
            let motion = scene.motion(FRAMES + k / 3);
            jet[0] += weight * motion.position[k % 3];
            jet[1] += weight * motion.velocity[k % 3];
            jet[2] += weight * motion.velocity_rate[k % 3];
        }
        jet
    }

    /// Adds the row along the amplitudes.
    fn along_amplitudes(&self, scale: f64, out: &mut [Vector6<f64>]) {
        for (k, weight) in self.weights.iter().enumerate() {
            out[FRAMES + k / 3][k % 3] += scale * weight;
        }
    }
}

impl Constraint for Follower {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn rows(&self) -> usize {
        self.equations.len()
    }

    fn works(&self) -> bool {
        false
    }

    fn describe(&self, row: usize) -> String {
        self.equations[row].name.clone()
    }

    fn residual(&self, level: Level, scene: Scene, out: &mut [f64]) {
        self.each(scene, |row, equation, s, theta| {
            let sum = &equation.sum;
            out[row] += match level {
                Level::Position => sum.value(scene) - s[0] * theta[0],
                Level::Velocity => sum.rate(scene) - s[1] * theta[0] - s[0] * theta[1],
                Level::Acceleration => {
                    let product = s[2] * theta[0] + 2.0 * s[1] * theta[1] + s[0] * theta[2];
                    sum.acceleration(scene) - product
                }
            };
        });
    }

    fn gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let nodes = self.nodes.len();
        self.each(scene, |row, equation, s, theta| {
            let out = &mut out[row * nodes..(row + 1) * nodes];
            equation.sum.gradient(scene, 1.0, out);
            if equation.turns {
                self.trace.gradient(scene, -theta[0], out);
            }
            equation.along_amplitudes(-s[0], out);
        });
    }

    fn rate_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let nodes = self.nodes.len();
        self.each(scene, |row, equation, s, theta| {
            let out = &mut out[row * nodes..(row + 1) * nodes];
            equation.sum.rate_gradient(scene, 1.0, out);
            if equation.turns {
                self.trace.rate_gradient(scene, -theta[0], out);
                self.trace.gradient(scene, -theta[1], out);
            }
            equation.along_amplitudes(-s[1], out);
        });
    }

    fn acceleration_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let nodes = self.nodes.len();
        self.each(scene, |row, equation, s, theta| {
            let out = &mut out[row * nodes..(row + 1) * nodes];
            equation.sum.acceleration_gradient(scene, 1.0, out);
            if equation.turns {
                self.trace.acceleration_gradient(scene, -theta[0], out);
                self.trace.rate_gradient(scene, -2.0 * theta[1], out);
                self.trace.gradient(scene, -theta[2], out);
            }
            equation.along_amplitudes(-s[2], out);
        });
    }

    fn acceleration_velocity(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let nodes = self.nodes.len();
        self.each(scene, |row, equation, s, theta| {
            let out = &mut out[row * nodes..(row + 1) * nodes];
            equation.sum.acceleration_velocity(scene, 1.0, out);
            if equation.turns {
                self.trace.acceleration_velocity(scene, -theta[0], out);
                self.trace.gradient(scene, -2.0 * theta[1], out);
            }
            equation.along_amplitudes(-2.0 * s[1], out);
        });
    }

    fn reaction(&self, scene: Scene, multipliers: &[f64], out: &mut [Vector6<f64>]) {
        self.each(scene, |row, equation, s, theta| {
            let multiplier = multipliers[row];
            equation.sum.gradient(scene, multiplier, out);
            if equation.turns {
                self.trace.gradient(scene, -multiplier * theta[0], out);
            }
            equation.along_amplitudes(-multiplier * s[0], out);
        });
    }

    fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]) {
        let nodes = self.nodes.len();
        let mut slope = [Vector6::zeros(); FRAMES];
        self.trace.gradient(scene, 1.0, &mut slope);
        self.each(scene, |row, equation, _, theta| {
            let multiplier = multipliers[row];
            equation.sum.curvature(scene, multiplier, blocks);
            if !equation.turns {
                return;
            }
            self.trace.curvature(scene, -multiplier * theta[0], blocks);
            for (k, weight) in equation.weights.iter().enumerate() {
                let (slot, component) = (FRAMES + k / 3, k % 3);
                for (frame, slope) in slope.iter().enumerate() {
                    let cross = slope * (-multiplier * weight);
                    let mut column = blocks[frame * nodes + slot].column_mut(component);
                    column += cross;
                    let mut row = blocks[slot * nodes + frame].row_mut(component);
                    row += cross.transpose();
                }
            }
        });
    }
}
