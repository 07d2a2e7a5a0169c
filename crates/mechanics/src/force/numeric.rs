//! Tangents by differences, for forces whose derivatives nobody wants to write.

use super::Force;
use crate::measure::MAX_NODES;
use crate::node::Motion;
use crate::scene::{Scene, World};
use crate::variation::{faster, varied};
use nalgebra::{Matrix6, Vector6};

/// Fills the tangents of a force by central differences of its wrench: call it from
/// [`Force::tangent`]. It costs 24 evaluations per node and gives about nine digits of a smooth
/// force; nothing is allocated.
///
/// `length` and `speed` are sizes over which the force changes little by little, say the size of the
/// body and its usual speed (radians per second for rotations); steps are 10⁻⁵ of them. The force
/// must see its nodes through [`Scene::motion`] only.
///
/// ```
/// use nalgebra::{Matrix6, Vector3, Vector6};
/// use rotula_mechanics::{Scene, force::{Force, numeric_tangent}};
///
/// /// A wheel on the plane z = 0: a vertical spring, and a lateral force that grows with the angle
/// /// of slip up to what friction allows.
/// #[derive(Clone, Debug)]
/// struct Tyre {
///     node: [usize; 1],
///     radius: f64,
///     stiffness: f64,
///     friction: f64,
///     cornering: f64,
/// }
///
/// impl Force for Tyre {
///     fn nodes(&self) -> &[usize] {
///         &self.node
///     }
///     fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
///         let wheel = scene.motion(0);
///         let load = self.stiffness * (self.radius - wheel.position.z).max(0.0);
///         // the axle is the y axis of the wheel; the road turns it into its own plane
///         let axle = wheel.rotation * Vector3::y();
///         let side = Vector3::new(axle.x, axle.y, 0.0).normalize();
///         let forward = side.cross(&Vector3::z());
///         let velocity = wheel.rotation * wheel.velocity;
///         let slip = velocity.dot(&side) / (velocity.dot(&forward).abs() + 0.1);
///         let lateral = -self.friction * load * (self.cornering * slip).tanh();
///         let force = Vector3::z() * load + side * lateral;
///         let arm = Vector3::new(0.0, 0.0, -wheel.position.z);
///         let (f, m) = (wheel.into_body(&force), wheel.into_body(&arm.cross(&force)));
///         out[0] += Vector6::new(f.x, f.y, f.z, m.x, m.y, m.z);
///     }
///     fn tangent(
///         &mut self,
///         scene: Scene,
///         stiffness: &mut [Matrix6<f64>],
///         damping: &mut [Matrix6<f64>],
///     ) {
///         numeric_tangent(self, scene, self.radius, 1.0, stiffness, damping);
///     }
/// }
/// ```
pub fn numeric_tangent<F: Force + ?Sized>(
    force: &mut F,
    scene: Scene,
    length: f64,
    speed: f64,
    stiffness: &mut [Matrix6<f64>],
    damping: &mut [Matrix6<f64>],
) {
    const STEP: f64 = 1e-5;
    let nodes = scene.nodes.len();
    let mut motions = [*scene.motion(0); MAX_NODES];
    let mut slots = [0; MAX_NODES];
    for slot in 0..nodes {
        (motions[slot], slots[slot]) = (*scene.motion(slot), slot);
    }
    for j in 0..nodes {
        let here = motions[j];
        for k in 0..6 {
            let sizes = [if k < 3 { length } else { 1.0 }, speed];
            let kinds = [(varied as Change, &mut *stiffness), (faster as Change, &mut *damping)];
            for ((change, blocks), size) in kinds.into_iter().zip(sizes) {
                let h = STEP * size;
                let mut difference = [Vector6::zeros(); MAX_NODES];
                for sign in [1.0, -1.0] {
                    motions[j] = change(&here, k, sign * h);
                    let world = World { motions: &motions, ..*scene.world };
                    let mut wrenches = [Vector6::zeros(); MAX_NODES];
                    let scene = Scene { world: &world, nodes: &slots[..nodes] };
                    force.wrench(scene, &mut wrenches[..nodes]);
                    for i in 0..nodes {
                        difference[i] += wrenches[i] * (sign / (2.0 * h));
                    }
                }
                for i in 0..nodes {
                    let mut column = blocks[i * nodes + j].column_mut(k);
                    column += difference[i];
                }
            }
        }
        motions[j] = here;
    }
}

type Change = fn(&Motion, usize, f64) -> Motion;
