//! `[flexible.NAME]`: a reduced elastic body on a floating frame; its interfaces are bodies
//! `NAME.INTERFACE`.

use crate::beam;
use crate::body::frame;
use crate::fault::{fault_at, refused};
use crate::fields::{Fields, numbers};
use crate::load::{load, node_places};
use crate::places::Names;
use nalgebra::Vector3;
use rotula_elastic::{BeamFrame, FlexibleBody, LinearBeam, read_flex};
use rotula_lie::Frame;
use rotula_mechanics::element::{Flexible, ShapeLoad};
use rotula_mechanics::picture::BentBody;
use rotula_mechanics::sensor::CoordinateSensor;
use rotula_mechanics::{GROUND, Marker, Model};
use rotula_reading::{Kinds, ModelError, Scope};
use std::path::Path;
use std::sync::Arc;

/// Reads a flexible body with its loads and lays it; returns the loads, too.
pub(crate) fn flexible(
    fields: &Fields,
    name: &str,
    (folder, loads): (&Path, &[Fields]),
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(BentBody, Vec<ShapeLoad>), ModelError> {
    let planar = fields.text("kind") == Some("planar");
    let mut body = source(fields, folder, planar, scope)?;
    if let Some(ratio) = fields.not_negative("damping", scope)? {
        body.damping.fill(ratio);
    }
    let body = kept(fields, body, scope)?;
    let watched = watched(fields, &body, scope)?;
    let mut flexible = Flexible::new(body).at_frame(frame(fields, scope)?).moving(
        fields.vector("velocity", scope)?.unwrap_or_default(),
        fields.vector("angular_velocity", scope)?.unwrap_or_default(),
    );
    if planar {
        flexible = flexible.in_plane();
    }
    for fields in loads {
        let load = load(fields, &flexible.body, model, scope)?;
        flexible.loads.push(load);
    }
    if let Some(item) = fields.get("amplitudes") {
        flexible.amplitudes = numbers(item, &fields.at("amplitudes"), scope)?;
    }
    let laid = model.flexible(name, &flexible).map_err(|error| refused(fields.place, error))?;
    names.add_body(name, laid.body);
    for (interface, id) in &laid.interfaces {
        names.add_body(&format!("{name}.{interface}"), *id);
    }
    // amplitudes are the places of their nodes
    let ground = Marker { node: GROUND.node(), frame: Frame::identity() };
    for k in 0..laid.shapes.shapes() {
        let marker = Marker { node: laid.amplitudes[k / 3], frame: Frame::identity() };
        let sensor = format!("{name}.q{}", k + 1);
        let reading = CoordinateSensor::position(&marker, &ground, Vector3::ith(k % 3, 1.0));
        model.sensor(&sensor, reading).map_err(|error| refused(fields.place, error))?;
        scope.declare(&sensor, Kinds::VARIABLE);
    }
    let bent = BentBody { name: name.to_owned(), laid: Arc::new(laid), watched };
    Ok((bent, flexible.loads))
}

/// The shapes: from a file, or those of a beam.
fn source(
    fields: &Fields,
    folder: &Path,
    planar: bool,
    scope: &mut Scope,
) -> Result<FlexibleBody, ModelError> {
    fields.refuse_together(&["from", "beam"])?;
    if let Some(inner) = fields.inner("beam") {
        return linear_beam(&inner, planar, scope);
    }
    let Some(file) = fields.text("from") else {
        let message = format!("{} has no shapes", fields.path);
        let help = "add `from = \"NAME.flex\"`, which `rotula reduce MESH -o NAME.flex` makes, or \
                    `beam = { … }`";
        return Err(ModelError::new(fields.place, message).with_help(help));
    };
    read_flex(&folder.join(file)).map_err(|error| {
        let message = format!("{}: {}", error.file(), error.message());
        fault_at(fields, "from", message).with_help(error.help())
    })
}

fn linear_beam(
    fields: &Fields,
    planar: bool,
    scope: &mut Scope,
) -> Result<FlexibleBody, ModelError> {
    let section = beam::section(fields, scope)?;
    let (stiffness, mass) = (&section.stiffness, &section.mass);
    let bends = fields.text("bends").unwrap_or(if planar { "y" } else { "both" });
    let along = |axis: &str, ei: f64| (bends == axis || bends == "both").then_some(ei);
    let elements = fields.count("elements", scope)?.unwrap_or(4);
    let beam = LinearBeam {
        length: fields.number("length", scope)?.unwrap_or_default(),
        mass: mass[(0, 0)],
        // a deflection along y bends about z
        bending: [along("y", stiffness[(5, 5)]), along("z", stiffness[(4, 4)])],
        shear: (fields.text("theory") == Some("timoshenko"))
            .then(|| [stiffness[(1, 1)], stiffness[(2, 2)]]),
        rotary: Vector3::new(mass[(3, 3)], mass[(4, 4)], mass[(5, 5)]),
        elements,
        frame: match fields.text("frame") {
            Some("chord") => BeamFrame::Chord,
            _ => BeamFrame::Tangent,
        },
        damping: 0.0,
    };
    beam.body().map_err(|error| {
        let (message, help) = error.split_once("; ").unwrap_or((&error, "correct it"));
        ModelError::new(fields.place, format!("{}: {message}", fields.path)).with_help(help)
    })
}

/// The body with the shapes that are kept.
fn kept(
    fields: &Fields,
    body: FlexibleBody,
    scope: &mut Scope,
) -> Result<FlexibleBody, ModelError> {
    fields.refuse_together(&["modes", "below"])?;
    let all = body.shapes();
    if let Some(value) = fields.number("modes", scope)? {
        if value.fract() != 0.0 || !(0.0..=all as f64).contains(&value) {
            let error = fault_at(fields, "modes", format!("{} is {value}", fields.at("modes")));
            return Err(error.with_help(format!("it has {all} shapes: keep 0 to {all} of them")));
        }
        return Ok(body.keeping(&(0..value as usize).collect::<Vec<_>>()));
    }
    if let Some(limit) = fields.not_negative("below", scope)? {
        let frequencies = body.frequencies();
        let low: Vec<usize> = (0..all).filter(|k| frequencies[*k] < limit).collect();
        return Ok(body.keeping(&low));
    }
    Ok(body)
}

/// Places, in the list of nodes, of those whose stress is recorded.
fn watched(
    fields: &Fields,
    body: &FlexibleBody,
    scope: &mut Scope,
) -> Result<Vec<usize>, ModelError> {
    let Some(item) = fields.get("stress") else { return Ok(Vec::new()) };
    node_places(fields, "stress", body, numbers(item, &fields.at("stress"), scope)?)
}
