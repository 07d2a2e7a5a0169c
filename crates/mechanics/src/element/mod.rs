//! Elements: what has elasticity and inertia of its own, spread over a few nodes.
//!
//! | element | what it is |
//! |---|---|
//! | [`Beam`] | a geometrically exact beam with two, three or four nodes |
//! | [`PlanarBeam`] | the same in a plane |
//! | [`Bar`] | a bar, or a piece of a cable, between two points |
//! | [`Floating`] | a reduced elastic body on a floating frame |
//!
//! The nodes of an element are bodies: massless frames ([`Body::massless`](crate::Body::massless))
//! unless a rigid body serves as one, so that joints, forces, sensors and drives act on them as on
//! any other body. [`Model::beam`](crate::Model::beam) and [`Model::strand`](crate::Model::strand) lay
//! lines of elements with their nodes.

mod bar;
pub mod beam;
pub mod floating;
mod point;
pub mod section;
mod strand;

pub use bar::{Bar, Strand, TAUTENING};
pub use beam::{
    Beam, BeamElement, BeamLine, Distributed, LaidBeam, MassKind, PlanarBeam, SectionState,
};
pub use floating::{Flexible, Floating, LaidFlexible, ShapeLoad};
pub use section::Section;
pub use strand::{LaidStrand, StrandLine};

use crate::scene::Scene;
use dyn_clone::DynClone;
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::{Energy, Terms, Weights};
use std::fmt::Debug;

/// Blocks of a tangent, `∂(residual of slot i)/∂(node of slot j)` at `i * nodes + j`.
#[derive(Debug)]
pub struct Blocks<'a> {
    /// Along body variations, times the weight of the stiffness.
    pub by_variation: &'a mut [Matrix6<f64>],
    /// With respect to velocities and accelerations, times their weights.
    pub plain: &'a mut [Matrix6<f64>],
}

/// Elasticity and inertia on a few nodes.
///
/// Residual wrenches (force, then moment about the node) are those of `M v̇ − f`: inertia counts
/// positive, what pushes the nodes negative. They are in the axes of each node, everything is
/// **added** to the output, and derivatives are taken along body variations, as for forces.
pub trait Element: Debug + DynClone + Send + Sync {
    /// The nodes, by slot.
    fn nodes(&self) -> &[usize];

    /// Told once, when the model is assembled.
    fn set_gravity(&mut self, gravity: &Vector3<f64>);

    /// Inertia (`M v̇`), forces (everything else), or both.
    fn residual(&mut self, scene: Scene, terms: Terms, out: &mut [Vector6<f64>]);

    /// The derivative of the same terms of the residual.
    fn tangent(&mut self, scene: Scene, weights: Weights, terms: Terms, out: Blocks);

    /// Kinetic energy, and potential energy of strain and weight.
    fn energy(&mut self, scene: Scene) -> Energy;

    /// Power of what has no potential: dampers and loads.
    fn power(&mut self, scene: Scene) -> f64;

    /// Whether it has dampers or loads, so that there can be power.
    fn works(&self) -> bool {
        true
    }

    /// Itself, if it is a planar beam: those of one plane are evaluated together.
    fn as_planar(&self) -> Option<&PlanarBeam> {
        None
    }
}

dyn_clone::clone_trait_object!(Element);
