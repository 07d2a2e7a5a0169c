//! `[cable.NAME]` and `[bar.NAME]`: elastic lines between points.

use crate::beam::{count, element_numbers};
use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::offers::{ActionKind, Offer, Readings};
use crate::places::Names;
use nalgebra::Vector3;
use rotula_mechanics::Model;
use rotula_mechanics::element::{LaidStrand, Strand, StrandLine};
use rotula_mechanics::sensor::{StrandReading, StrandSensor, TensionSensor};
use rotula_reading::{Kinds, ModelError, Scope};

/// Reads a cable, which only pulls, or a bar, and lays it.
pub(crate) fn strand(
    fields: &Fields,
    name: &str,
    slack: bool,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(LaidStrand, Offer), ModelError> {
    let elements = count(fields, "elements", if slack { 8 } else { 1 }, scope)?;
    let (from, to) = (
        place(fields, ["from", "start"], names, model, scope)?,
        place(fields, ["to", "end"], names, model, scope)?,
    );
    if from == to {
        let error = ModelError::new(
            fields.place,
            format!("{}: both ends are at the same place", fields.path),
        );
        return Err(error.with_help("put `from` and `to`, or the bodies at its ends, apart"));
    }
    let of = Strand {
        stiffness: positive(fields, "stiffness", scope)?.unwrap_or_default(),
        mass: fields.not_negative("mass", scope)?.unwrap_or(0.0),
        damping: fields.not_negative("damping", scope)?.unwrap_or(0.0),
        slack,
    };
    fields.refuse_together(&["tension", "length"])?;
    let mut line = StrandLine::straight(from, to, elements, of);
    if let Some(tension) = fields.number("tension", scope)? {
        let least = if slack { 0.0 } else { -of.stiffness };
        if tension < least || (tension == least && !slack) {
            let error =
                fault_at(fields, "tension", format!("{} is {tension}", fields.at("tension")));
            return Err(error.with_help(match slack {
                true => "a cable does not push; give a tension of at least 0",
                false => {
                    "it must be above minus the stiffness, at which nothing is left of the bar"
                }
            }));
        }
        line = line.with_tension(tension);
    } else if let Some(length) = positive(fields, "length", scope)? {
        line = match slack {
            true => line.with_length(length, &model.gravity),
            false => StrandLine { length, ..line },
        };
    }
    let end = |key: &str| fields.get(key).map(|item| names.body(item)).transpose();
    line.ends = [end("start")?, end("end")?];
    let laid = model.strand(name, &line).map_err(|error| refused(fields.place, error))?;
    names.add_line(name, &laid.nodes, line.ends.map(|end| end.is_some()), model);
    read_tensions(fields, name, &laid, model, scope)?;
    let mut readings = Readings::new(ActionKind::Strand, name, fields.place);
    for (word, unit, reading) in [
        ("length", "m", StrandReading::Length),
        ("length_velocity", "m/s", StrandReading::Rate),
        ("power", "W", StrandReading::Power),
    ] {
        readings.add((word, unit), StrandSensor::new(&laid, reading), model, scope)?;
    }
    Ok((laid, readings.finish()))
}

/// A number above zero.
fn positive(fields: &Fields, key: &str, scope: &mut Scope) -> Result<Option<f64>, ModelError> {
    let Some(value) = fields.number(key, scope)? else { return Ok(None) };
    if value <= 0.0 {
        let error = fault_at(fields, key, format!("{} is {value}", fields.at(key)));
        return Err(error.with_help("it must be positive"));
    }
    Ok(Some(value))
}

/// Where an end is: as said, or where the thing is that holds it.
fn place(
    fields: &Fields,
    [said, held]: [&str; 2],
    names: &Names,
    model: &Model,
    scope: &mut Scope,
) -> Result<Vector3<f64>, ModelError> {
    if let Some(place) = fields.vector(said, scope)? {
        return Ok(place);
    }
    let Some(item) = fields.get(held) else {
        let error = ModelError::new(fields.place, format!("{} misses `{said}`", fields.path));
        return Err(error.with_help(format!(
            "add `{said} = [x, y, z]`, or `{held} = \"NAME\"` with a body or frame"
        )));
    };
    let marker = names.marker(item, model)?;
    Ok(model.bodies()[marker.node].1.node_frame().transform_point(&marker.frame.position))
}

/// Sensors `NAME.n1`, `NAME.n2`, … with the number of the element.
fn read_tensions(
    fields: &Fields,
    name: &str,
    laid: &LaidStrand,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let (place, numbers) = element_numbers(fields, "tensions", laid.elements.len(), scope)?;
    for value in numbers {
        let sensor = format!("{name}.n{value}");
        let reading = TensionSensor::new(laid.elements[value - 1].clone());
        model.sensor(&sensor, reading).map_err(|error| refused(place, error))?;
        scope.declare(&sensor, Kinds::VARIABLE);
    }
    Ok(())
}
