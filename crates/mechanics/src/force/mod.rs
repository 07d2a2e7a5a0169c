//! Forces: whatever pushes or turns nodes without holding them.
//!
//! | force | what it does |
//! |---|---|
//! | [`Load`] | a force and a moment on a marker |
//! | [`LineLoad`] | a load along a line, by formulas of place, velocity and axes of its sections |
//! | [`Spring`] | any [`law`] on a length, an angle or another coordinate: springs, dampers, motors, friction |
//! | [`Bushing`] | an elastic mount in all six directions |
//! | [`Contact`] | surfaces that push each other apart and rub |
//! | [`Teeth`] | elastic teeth of two wheels, with the load they put on bearings |
//! | [`tyre::Tyre`] | a tyre on a road |
//!
//! The weight of bodies is no element of its own: the assembly adds it to their inertia.
//!
//! Implement [`Force`] for your own; [`numeric_tangent`] spares you the derivatives.

mod bushing;
mod contact;
pub mod law;
mod line_load;
mod load;
mod numeric;
mod relief;
mod spring;
mod stop;
mod teeth;
mod two_bodies;
pub mod tyre;
mod varying;

pub use bushing::Bushing;
pub use contact::{Contact, ContactLaw, PieceContact, PieceSide, Surface};
pub(crate) use contact::{
    from_library, library_hull, library_shape, meeting, support_points, to_library, to_pose,
};
pub use law::{
    Flank, Formula, Friction, Law, Linear, Mesh, Motor, Over, Pull, Smoothing, Stribeck, Table,
    Variation,
};
pub use line_load::{LINE_NAMES, LineLoad, Share};
pub use load::{Amplitude, Axes, Load};
pub use numeric::numeric_tangent;
pub use relief::Relief;
pub use spring::Spring;
pub use stop::SoftStop;
pub use teeth::{Teeth, Wheels};

use crate::measure::Measure;
use crate::quantity::{self, Ends, Quantity};
use crate::scene::Scene;
use crate::sensor::Slopes;
use dyn_clone::DynClone;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::Touch;
use rotula_formula::{Decisions, Timetable};
use std::fmt::Debug;

/// An unknown of a controller that a force may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auxiliary {
    /// First-order state `i`.
    State(usize),
    /// Algebraic variable `i`.
    Variable(usize),
}

/// A force element on a few nodes.
///
/// Wrenches (force, then moment about the node) are in the axes of each node. Everything is
/// **added** to the output; derivatives are taken along body variations and body velocities. Blocks
/// of tangents are `out[i * nodes + j] = ∂wrench_i/∂(node j)`.
///
/// ```
/// use nalgebra::{Matrix6, Vector6};
/// use rotula_mechanics::{Scene, force::Force};
///
/// /// Viscous drag on the velocity of one node.
/// #[derive(Clone, Debug)]
/// struct Drag {
///     node: [usize; 1],
///     coefficient: f64,
/// }
///
/// impl Force for Drag {
///     fn nodes(&self) -> &[usize] {
///         &self.node
///     }
///     fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
///         let drag = -self.coefficient * scene.motion(0).velocity;
///         out[0] += Vector6::new(drag.x, drag.y, drag.z, 0.0, 0.0, 0.0);
///     }
///     fn tangent(&mut self, _: Scene, _: &mut [Matrix6<f64>], damping: &mut [Matrix6<f64>]) {
///         for k in 0..3 {
///             damping[0][(k, k)] -= self.coefficient;
///         }
///     }
/// }
/// ```
pub trait Force: Debug + DynClone + Send + Sync {
    /// The nodes, by slot; at most [`MAX_NODES`](crate::measure::MAX_NODES).
    fn nodes(&self) -> &[usize];

    /// The wrench on each node.
    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]);

    /// `∂wrench/∂Δ` and `∂wrench/∂v`.
    fn tangent(
        &mut self,
        scene: Scene,
        stiffness: &mut [Matrix6<f64>],
        damping: &mut [Matrix6<f64>],
    );

    /// The states and variables the wrench depends on.
    fn auxiliary(&self) -> &[Auxiliary] {
        &[]
    }

    /// `∂wrench/∂(auxiliary k)` in `out[k * nodes + slot]`.
    fn auxiliary_tangent(&mut self, _scene: Scene, _out: &mut [Vector6<f64>]) {}

    /// Potential energy, for forces that have one.
    fn energy(&mut self, _scene: Scene) -> f64 {
        0.0
    }

    /// Power of the part of the force that has no potential. By default the power of all of it.
    fn power(&mut self, scene: Scene) -> f64 {
        total_power(self, scene)
    }

    /// Whether it is a contact, whose places [`touches`](Self::touches) tells.
    fn is_contact(&self) -> bool {
        false
    }

    /// The contact of two surfaces that it is, if so: steps are short enough for those that meet fast.
    fn as_contact(&mut self) -> Option<&mut Contact> {
        None
    }

    /// Whether it holds its nodes together as a joint would: a mount in all directions. Bodies that are held
    /// keep their velocities in their own axes ([`crate::rates`]).
    fn holds(&self) -> bool {
        false
    }

    /// For contacts: every place where the surfaces overlap, with the force on the second node there, in the
    /// world.
    fn touches(&mut self, _scene: Scene, _see: &mut dyn FnMut(Touch)) {}

    /// Known times at which it jumps, besides those of functions of time of the model.
    fn jumps(&self) -> Vec<f64> {
        Vec::new()
    }

    /// What else can be known of times, besides that of functions of time of the model: jumps that come again, short pulses.
    fn timetables(&self) -> Vec<Timetable> {
        Vec::new()
    }

    /// What it decides by other quantities than time, as of the last [`wrench`](Self::wrench).
    fn decisions(&self) -> Option<&Decisions> {
        None
    }

    /// The same, to be changed.
    fn decisions_mut(&mut self) -> Option<&mut Decisions> {
        None
    }

    /// Which formula makes the wrench infinite or undefined, with its numbers, if it is one.
    fn explain_not_finite(&mut self, _scene: Scene) -> Option<String> {
        None
    }

    /// Measures of angles in it, for which the assembly keeps the turns.
    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        Box::new(std::iter::empty())
    }

    /// What it offers as signals. By default the force and moment on its last node and its power.
    fn quantities(&self) -> &'static [Quantity] {
        &quantity::LOAD
    }

    /// Where it acts. By default at the origins of its first and its last node.
    fn ends(&self) -> Ends {
        Ends::of_nodes(self.nodes())
    }

    /// The quantities that it works out itself, by their places.
    fn own(&mut self, _scene: Scene, _out: &mut [f64]) {}

    /// Adds the derivatives of one of them.
    fn own_slopes(&mut self, _place: usize, _scene: Scene, _slopes: &mut Slopes) {}
}

dyn_clone::clone_trait_object!(Force);

/// The power of the whole wrench of a force.
pub fn total_power<F: Force + ?Sized>(force: &mut F, scene: Scene) -> f64 {
    let mut wrenches = [Vector6::zeros(); crate::measure::MAX_NODES];
    force.wrench(scene, &mut wrenches);
    (0..scene.nodes.len()).map(|slot| wrenches[slot].dot(&scene.motion(slot).twist())).sum()
}
