//! Contact of whole beams: `between` names a beam in place of a node of it.
//!
//! With a sphere or another beam the surface between the nodes touches, as a chain of straight pieces. A
//! straight piece is nearest to a plane at one of its ends, so there and with all other surfaces the nodes
//! touch, each with a sphere about it.

use crate::contact::{Rub, Touch};
use crate::contact_surface::surface;
use crate::fault::refused;
use crate::fields::Fields;
use crate::joint_options::Rigidity;
use crate::places::Names;
use rotula_mechanics::force::Surface;
use rotula_mechanics::shape::Shape;
use rotula_mechanics::unilateral::{Chain, ImpactLaw, Sphere};
use rotula_mechanics::{Marker, Model};
use rotula_reading::{Item, ModelError, Scope};
use std::path::Path;

const KEYS: [&str; 2] = ["first", "second"];

/// Reads a contact whose side `slot` is a whole beam; returns surfaces for pictures.
pub(crate) fn beam_contact(
    touch: Touch,
    name: &str,
    slot: usize,
    folder: &Path,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<[(Marker, Surface); 2], ModelError> {
    let (other, ends) = (1 - slot, touch.between);
    let Rigidity::Hard { restitution } = touch.rigidity(name)? else {
        let beam = ends[slot].text().unwrap_or_default();
        let message = format!("contact `{name}` is soft, and `{beam}` is a whole beam");
        let help = "give a restitution, or name single nodes such as `rod.end`";
        return Err(ModelError::new(&ends[slot].place, message).with_help(help));
    };
    let Touch { fields, first, second, friction, .. } = touch;
    let sides = [&first, &second];
    let thickness =
        |k: usize, scope: &mut Scope| thickness(sides[k].as_ref(), name, ends[k], KEYS[k], scope);
    let radius = thickness(slot, scope)?;
    let nodes = names.beam(ends[slot]).unwrap_or_default().to_vec();
    let round = |marker: &Marker, radius: f64| (*marker, Surface::from(Shape::Sphere { radius }));
    let end = round(nodes.last().expect("a beam has nodes"), radius);
    let law = ImpactLaw { restitution, friction: Rub::rigid(friction)? };
    let flat = |model: &Model, a: &Marker, b: &Marker| model.pair(*a, *b).plane.is_some();
    if let Some(others) = names.beam(ends[other]) {
        if ends[0].text() == ends[1].text() {
            let message = format!("contact `{name}` is between a beam and itself");
            return Err(ModelError::new(&ends[1].place, message).with_help("name two beams"));
        }
        let second = thickness(other, scope)?;
        let planar = flat(model, &nodes[0], &others[0]);
        let far = round(others.last().expect("a beam has nodes"), second);
        Chain::with_chain(nodes, others.to_vec(), [radius, second], planar, law)
            .and_then(|chain| model.touch_some(name, chain))
            .map_err(|error| refused(fields.place, error))?;
        return Ok([end, far]);
    }
    let surface =
        surface(&fields, (KEYS[other], sides[other]), ends[other], folder, names, model, scope)?;
    if let Surface::Solid(Shape::Sphere { radius: ball }) = surface.1 {
        let planar = flat(model, &nodes[0], &surface.0);
        let sphere = Sphere { marker: surface.0, radius: ball };
        Chain::with_sphere(nodes, radius, sphere, planar, law)
            .and_then(|chain| model.touch_some(name, chain))
            .map_err(|error| refused(fields.place, error))?;
        return Ok([surface, end]);
    }
    // an end that is held by the other body does not touch it
    for (k, node) in nodes.iter().enumerate().filter(|(_, node)| node.node != surface.0.node) {
        let mut sides = [surface.clone(), round(node, radius)];
        sides.rotate_left(other);
        let [first, second] = sides;
        model
            .collide(&format!("{name} node {k}"), first, second, law)
            .map_err(|error| refused(fields.place, error))?;
    }
    Ok([surface, end])
}

/// The radius about the axis of a beam.
fn thickness(
    given: Option<&Fields>,
    name: &str,
    beam: &Item,
    key: &str,
    scope: &mut Scope,
) -> Result<f64, ModelError> {
    let radius = match given {
        Some(inner) if inner.entries().iter().all(|entry| entry.key == "sphere") => {
            inner.number("sphere", scope)?
        }
        _ => None,
    };
    radius.ok_or_else(|| {
        let beam_name = beam.text().unwrap_or_default();
        let message = format!("contact `{name}` does not say how thick `{beam_name}` is");
        let help = format!("add `{key} = {{ sphere = 0.01 }}`, its radius");
        ModelError::new(&beam.place, message).with_help(help)
    })
}
