//! `[cable.NAME]` and `[bar.NAME]`: elastic lines between points.

use crate::beam::element_numbers;
use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::offers::{ActionKind, Offer, Readings};
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::{Item, Kinds, ModelError, Scope};
use crate::table::{Count, List, Name, NotNegative, Number, Positive, Text, Vector, table};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_mechanics::Model;
use rotula_mechanics::element::{LaidStrand, Strand, StrandLine};
use rotula_mechanics::picture::{Cut, Outline};
use rotula_mechanics::sensor::{StrandReading, StrandSensor, TensionSensor};

table! {
    /// A cable or a bar.
    Line {
        /// Where it begins at the start. Default where `start` is.
        optional from: Vector, "m";
        /// Where it ends at the start. Default where `end` is.
        optional to: Vector, "m";
        /// A body or frame that holds its beginning; default none.
        optional start: Name;
        /// A body or frame that holds its end; default none.
        optional end: Name;
        /// Number of elements. Default 8 of a cable, 1 of a bar.
        optional elements: Count;
        /// Axial stiffness EA: force over strain.
        needed stiffness: Positive, "N";
        /// Mass per length.
        usual mass: NotNegative = 0.0, "kg/m";
        /// Damping over stiffness.
        usual damping: NotNegative = 0.0, "s";
        /// Diameter, for pictures and the stress in them; default a thin line.
        optional diameter: Positive, "m";
        /// Tension at the start; or give `length`.
        optional tension: Number, "N";
        /// Length free of stress; a cable that is longer than the way starts hanging down. Default the way.
        optional length: Positive, "m";
    }
    besides {
        /// Numbers of elements whose tension is read as NAME.n1, NAME.n2 and so on.
        optional tensions: List;
        /// Colour in pictures, such as "#3465a4" or "orange"; with two more digits also how opaque it is.
        optional colour: Text;
        /// How opaque it is in pictures, from 0, not seen, to 1. Default 1.
        optional opacity: Number;
        /// What it is.
        optional description: Text;
    }
}

/// Reads a cable, which only pulls, or a bar, and lays it.
pub(crate) fn strand(
    fields: &Fields,
    name: &str,
    slack: bool,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(LaidStrand, Cut, Offer), ModelError> {
    let given = Line::read(fields.clone(), scope)?;
    let elements = given.elements.unwrap_or(if slack { 8 } else { 1 });
    let (from, to) = (
        place(fields, (given.from, given.start), ["from", "start"], names, model)?,
        place(fields, (given.to, given.end), ["to", "end"], names, model)?,
    );
    if from == to {
        let error = ModelError::new(
            fields.place,
            format!("{}: both ends are at the same place", fields.path),
        );
        return Err(error.with_help("put `from` and `to`, or the bodies at its ends, apart"));
    }
    let Line { stiffness, mass, damping, .. } = given;
    let of = Strand { stiffness, mass, damping, slack };
    let area = given.diameter.map(|diameter| 0.25 * std::f64::consts::PI * diameter * diameter);
    let cut = Cut {
        outline: given.diameter.map(|diameter| Outline::Round(0.5 * diameter)),
        stiffness: Matrix6::from_diagonal(&Vector6::ith(0, stiffness)),
        young: area.map(|area| stiffness / area),
        slack,
    };
    fields.refuse_together(&["tension", "length"])?;
    let mut line = StrandLine::straight(from, to, elements, of);
    if let Some(tension) = given.tension {
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
    } else if let Some(length) = given.length {
        line = match slack {
            true => line.with_length(length, &model.gravity),
            false => StrandLine { length, ..line },
        };
    }
    let end = |item: Option<&Item>| item.map(|item| names.body(item)).transpose();
    line.ends = [end(given.start)?, end(given.end)?];
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
    Ok((laid, cut, readings.finish()))
}

/// Where an end is: as said, or where the thing is that holds it.
fn place(
    fields: &Fields,
    given: (Option<Vector3<f64>>, Option<&Item>),
    [said, held]: [&str; 2],
    names: &Names,
    model: &Model,
) -> Result<Vector3<f64>, ModelError> {
    let item = match given {
        (Some(place), _) => return Ok(Placed::of(fields.place).point(place)),
        (None, Some(item)) => item,
        (None, None) => {
            let error = ModelError::new(fields.place, format!("{} misses `{said}`", fields.path));
            return Err(error.with_help(format!(
                "add `{said} = [x, y, z]`, or `{held} = \"NAME\"` with a body or frame"
            )));
        }
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
