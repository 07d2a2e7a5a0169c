//! Reduced elastic bodies on a floating frame.
//!
//! The frame is an ordinary node, in the centre of mass of the undeformed body; amplitudes of shapes
//! are nodes of the kind [`Amplitudes`](crate::node::NodeKind::Amplitudes), three in each; interfaces
//! are massless nodes that a [`Follower`](crate::constraint::Follower) ties to both, so that joints,
//! forces, sensors and contacts act on them as on any other body. [`Model::flexible`](crate::Model::flexible) lays them all.
//!
//! The body of the frame's node has mass and inertia of the undeformed body. [`Floating`] adds what
//! deformation adds: with no shapes, nothing, and the body is a rigid one.
//!
//! A point at x from the centre is at r = x + Σ φ_k q_k in the axes of the frame, and its velocity there
//! is v + ω × r + Σ φ_k q̇_k. With the integrals S_k = ∫φ_k, C_k = ∫xφ_kᵀ, P_lk = ∫φ_lφ_kᵀ of dm and
//!
//! ```text
//! d = Σ S_k q_k      D_k = ∫rφ_kᵀ = C_k + Σ_l q_l P_lk      B_k = ∫r×φ_k + (rotary inertia ψ_k)
//! J = J₀ + J_d(q)    J_k = ∂J/∂q_k = 2 tr D_k − D_k − D_kᵀ
//! ```
//!
//! the kinetic energy is ½mv² + v·(ω × d + Σ S_k q̇_k) + ½ω·Jω + ω·Σ B_k q̇_k + ½q̇·M_q q̇, and Hamel's
//! equations with a = v̇ + ω × v − g are
//!
//! ```text
//! force    m a + ω̇ × d + Σ S_k q̈_k + ω × (ω × d) + 2 ω × Σ S_k q̇_k
//! moment   J ω̇ + d × a + Σ B_k q̈_k + ω × Jω + J̇ ω + ω × Σ B_k q̇_k
//! shape k  S_k·a + B_k·ω̇ + (M_q q̈)_k + 2 ω·∫ṙ×φ_k − ½ω·J_k ω + κ_k q_k + c_k q̇_k
//! ```
//!
//! where ṙ = Σ φ_l q̇_l: the terms of Coriolis, the centrifugal and the gyroscopic ones are complete, for
//! any deformation that the shapes describe. Strain is linear in the amplitudes: a body does not
//! stiffen when it spins.

mod element;
mod integrals;
mod lay;
mod tangent;

pub use lay::{Flexible, LaidFlexible};

use crate::force::Amplitude;
use integrals::{Integrals, Present};
use nalgebra::{DVector, Vector3, Vector6};

/// A load on the frame and on the shapes, in the axes of the frame.
#[derive(Clone, Debug)]
pub struct ShapeLoad {
    /// Force, and moment about the centre of mass of the undeformed body.
    pub wrench: Vector6<f64>,
    /// Force on each shape.
    pub shapes: DVector<f64>,
    /// A factor: constant, or a function of time.
    pub factor: Amplitude,
}

/// What the shapes of a reduced body add to the rigid body of its floating frame.
#[derive(Clone, Debug)]
pub struct Floating {
    /// The floating frame, then the amplitudes.
    nodes: Vec<usize>,
    integrals: Integrals,
    /// Stiffness κ_k and damping c_k of the shapes.
    stiffness: Vec<f64>,
    damping: Vec<f64>,
    loads: Vec<ShapeLoad>,
    gravity: Vector3<f64>,
    present: Present,
}

impl Floating {
    /// Number of shapes.
    pub fn shapes(&self) -> usize {
        self.stiffness.len()
    }
}
