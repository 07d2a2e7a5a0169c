//! What the record of a run takes from a soft contact: the places where it touches.

use super::Contact;
use crate::force::two_bodies::Bodies;
use crate::scene::Scene;
use nalgebra::Vector3;
use rotula_dae::Touch;

impl Contact {
    /// Calls `see` with every place where the surfaces overlap; parting surfaces may touch without a force.
    pub(super) fn each_touch(&mut self, scene: Scene, see: &mut dyn FnMut(Touch)) {
        let bodies = Bodies::<0>::new(scene);
        let law = &self.law;
        self.geometry.each(&bodies, |touch| {
            if touch.gap.value >= 0.0 {
                return;
            }
            let (normal, friction) = match law.press(&bodies, &touch) {
                Some(press) => (press.normal.value, press.friction.value),
                None => (0.0, Vector3::zeros()),
            };
            let outwards = touch.normal.value;
            let velocity = bodies.relative_velocity(&touch.place).value;
            let tangents = across(&outwards);
            see(Touch {
                contact: 0,
                place: touch.place.value.into(),
                gap: touch.gap.value,
                normal,
                tangential: tangents.map(|tangent| tangent.dot(&friction)),
                slip: tangents.map(|tangent| tangent.dot(&velocity)),
                force: (outwards * normal + friction).into(),
            });
        });
    }
}

/// Two tangents of a plane by its normal: the first lies in the plane of the normal and the x axis of the world, or the y
/// axis where that is near the normal.
fn across(normal: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let axis = if normal.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
    let first = (axis - normal * normal.dot(&axis)).normalize();
    [first, normal.cross(&first)]
}
