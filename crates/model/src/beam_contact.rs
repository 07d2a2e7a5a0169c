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
use crate::reading::{Item, ModelError, Scope};
use rotula_mechanics::force::{Contact, ContactLaw, PieceContact, PieceSide, Surface};
use rotula_mechanics::shape::Shape;
use rotula_mechanics::unilateral::{Chain, ImpactLaw, Sphere};
use rotula_mechanics::{Marker, Model};
use std::path::Path;

const KEYS: [&str; 2] = ["first", "second"];

/// The law of a whole beam's contact.
#[derive(Clone, Copy)]
enum Law {
    Hard(ImpactLaw),
    Soft(ContactLaw),
}

/// Reads a contact whose side `slot` is a whole beam; returns surfaces for pictures.
pub(crate) fn beam_contact(
    mut touch: Touch,
    name: &str,
    slot: usize,
    folder: &Path,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<[(Marker, Surface); 2], ModelError> {
    let (other, ends) = (1 - slot, touch.between);
    let law = match touch.rigidity(name)? {
        Rigidity::Hard { restitution } => {
            Law::Hard(ImpactLaw { restitution, friction: Rub::rigid(touch.friction.take())? })
        }
        Rigidity::Soft { stiffness } => Law::Soft(touch.soft_law(stiffness)),
    };
    let Touch { fields, first, second, .. } = touch;
    let sides = [&first, &second];
    let thickness =
        |k: usize, scope: &mut Scope| thickness(sides[k].as_ref(), name, ends[k], KEYS[k], scope);
    let radius = thickness(slot, scope)?;
    let nodes = names.beam(ends[slot]).unwrap_or_default().to_vec();
    let round = |marker: &Marker, radius: f64| (*marker, Surface::from(Shape::Sphere { radius }));
    let end = round(nodes.last().expect("a beam has nodes"), radius);
    if let Some(others) = names.beam(ends[other]) {
        if ends[0].text() == ends[1].text() {
            let message = format!("contact `{name}` is between a beam and itself");
            return Err(ModelError::new(&ends[1].place, message).with_help("name two beams"));
        }
        let second = thickness(other, scope)?;
        let far = round(others.last().expect("a beam has nodes"), second);
        along(name, (&nodes, radius), (others, second), law, model)
            .map_err(|error| refused(fields.place, error))?;
        return Ok([end, far]);
    }
    let surface =
        surface(&fields, (KEYS[other], sides[other]), ends[other], folder, names, model, scope)?;
    if let Surface::Solid(Shape::Sphere { radius: ball }) = surface.1 {
        along(name, (&nodes, radius), (&[surface.0], ball), law, model)
            .map_err(|error| refused(fields.place, error))?;
        return Ok([surface, end]);
    }
    // an end that is held by the other body does not touch it
    for (k, node) in nodes.iter().enumerate().filter(|(_, node)| node.node != surface.0.node) {
        let mut sides = [surface.clone(), round(node, radius)];
        sides.rotate_left(other);
        let ([first, second], name) = (sides, format!("{name} node {k}"));
        let added = match law {
            Law::Hard(law) => model.collide(&name, first, second, law),
            Law::Soft(law) => Contact::new(first.0, first.1, second.0, second.1, law)
                .and_then(|contact| model.force(&name, contact)),
        };
        added.map_err(|error| refused(fields.place, error))?;
    }
    Ok([surface, end])
}

/// Contact along a beam with another one or, of one marker, a sphere.
fn along(
    name: &str,
    (nodes, radius): (&[Marker], f64),
    (others, other_radius): (&[Marker], f64),
    law: Law,
    model: &mut Model,
) -> Result<(), rotula_mechanics::ModelError> {
    let planar = model.pair(nodes[0], others[0]).plane.is_some();
    let law = match law {
        Law::Soft(law) => {
            return softly_along(name, (nodes, radius), (others, other_radius), law, model);
        }
        Law::Hard(law) => law,
    };
    let chain = match others {
        [ball] => {
            let sphere = Sphere { marker: *ball, radius: other_radius };
            Chain::with_sphere(nodes.to_vec(), radius, sphere, planar, law)?
        }
        _ => {
            let radii = [radius, other_radius];
            Chain::with_chain(nodes.to_vec(), others.to_vec(), radii, planar, law)?
        }
    };
    model.touch_some(name, chain)
}

/// The same by penalty: a force for each pair of pieces that do not share a body.
fn softly_along(
    name: &str,
    (nodes, radius): (&[Marker], f64),
    (others, other_radius): (&[Marker], f64),
    law: ContactLaw,
    model: &mut Model,
) -> Result<(), rotula_mechanics::ModelError> {
    let piece = |all: &[Marker], k: usize, radius: f64| PieceSide {
        ends: all[k..all.len().min(k + 2)].to_vec(),
        radius,
        follows: k > 0,
        next: all.get(k + 2).copied(),
    };
    for i in 0..nodes.len() - 1 {
        for j in 0..(others.len() - 1).max(1) {
            let mut first = piece(nodes, i, radius);
            let mut second = piece(others, j, other_radius);
            let apart =
                |a: &[Marker], b: &[Marker]| !a.iter().any(|a| b.iter().any(|b| a.node == b.node));
            if !apart(&first.ends, &second.ends) {
                continue;
            }
            // a corner with a piece that is left out belongs to this one
            first.follows &= i > 0 && apart(&nodes[i - 1..=i], &second.ends);
            second.follows &= j > 0 && apart(&others[j - 1..=j], &first.ends);
            let name = match others.len() {
                1 => format!("{name} element {}", i + 1),
                _ => format!("{name} elements {} and {}", i + 1, j + 1),
            };
            PieceContact::new(first, second, law)
                .and_then(|contact| model.force(&name, contact))?;
        }
    }
    Ok(())
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
