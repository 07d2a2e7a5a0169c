//! `[beam.NAME]`: a geometrically exact beam; its ends are bodies `NAME.start` and `NAME.end`.

mod line;
mod readings;
mod section;
mod stations;

pub(crate) use readings::{element_numbers, readings};
pub(crate) use section::{MaterialWords, SectionKeys, section};

use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::{Item, ModelError, Scope};
use crate::station::{at_station, changes_along};
use crate::table::{
    Count, Direction, File, Formula, Formulas, Function, Inner, List, Name, Named, NotNegative,
    Number, Points, Text, Vector, table, words,
};
use line::line;
use nalgebra::Vector6;
use readings::read_sections;
use rotula_mechanics::Model;
use rotula_mechanics::element::{Distributed, LaidBeam, MassKind, Section};
use rotula_mechanics::force::{Amplitude, Axes};
use rotula_mechanics::picture::{Cut, Outline};
use section::{blade_file, profile};
use stations::{Stations, stations};
use std::path::Path;

words! {
    /// Where a beam or the frame of a flexible body moves.
    Moves { Spatial = "spatial", Planar = "planar" }
}

words! {
    /// Where the mass of a beam is.
    MassWord { Consistent = "consistent", Lumped = "lumped" }
}

table! {
    /// The line of a main body of HAWC2.
    HalfChords {
        /// The model file (.htc), named from the folder of the model.
        needed file: File;
        /// The name of the main body.
        needed body: Text;
    }
}

table! {
    /// A beam.
    BeamWords {
        /// Where it begins at the start. Default zero.
        optional from: Vector, "m";
        /// Where it ends; or give `along` and `length`.
        optional to: Vector, "m";
        /// Where it points at its beginning, with `length`.
        optional along: Direction;
        /// Its length along `along`, or along its curve.
        optional length: Number, "m";
        /// Twist and curvatures about y and z per length, free of stress; with `length`.
        optional curvature: Vector, "1/m";
        /// Points that its axis leads through as a spline, instead of `from` and `to`.
        optional points: Points, "m";
        /// Its axis as formulas of a parameter `s` from 0 to 1, instead of `from` and `to`.
        optional axis: Formulas, "m";
        /// Its axis and twist as the half chords of a main body of HAWC2, instead of `from` and `to`; its z axis is our x, its y axis our y.
        optional c2_def: HalfChords<'static>;
        /// Where the z axis of the sections points. Default "z", or "x".
        optional up: Direction;
        /// Angle by which the sections turn about the axis, a formula of `station`: 0 at its beginning, 1 at its end.
        optional twist: Formula, "rad";
        /// Moves in space (default), or in a plane only, which is much faster.
        optional kind: Moves;
        /// Planar only: normal of the plane, the z axis of the sections. Default "z".
        optional normal: Direction;
        /// Number of elements.
        usual elements: Count = 8;
        /// Nodes of each element: 2, 3 or 4.
        usual nodes: Count = 2;
        /// Names of places along it, from 0 at its beginning to 1 at its end: { engine = 0.35 } puts a node `NAME.engine` there, for forces, joints, bodies and sensors.
        optional stations: Named;
        /// The cross-section; its numbers may be formulas of `station`.
        needed section: Inner<SectionKeys>;
        /// What it is made of, for sections with a shape.
        optional material: MaterialWords<'static>;
        /// Damping over stiffness of the sections.
        usual damping: NotNegative = 0.0, "s";
        /// Mass of every section, or put into the nodes. Default consistent.
        optional mass: MassWord;
        /// A body that its beginning is fixed to; default none.
        optional start: Name;
        /// A body that its end is fixed to; default none.
        optional end: Name;
        /// Force per length that keeps its direction, world axes.
        optional load: Vector, "N/m";
        /// A function of time by which the loads are multiplied.
        optional load_factor: Function;
        /// Force per length that follows the sections, section axes.
        optional follower: Vector, "N/m";
        /// Velocity of its beginning at the start, world axes.
        optional velocity: Vector, "m/s";
        /// Angular velocity at the start, world axes.
        optional angular_velocity: Vector, "rad/s";
    }
    besides {
        /// Numbers of elements whose section forces and strains are read, such as [1, 8].
        optional sections: List;
        /// Colour in pictures, such as "#3465a4" or "orange"; with two more digits also how opaque it is.
        optional colour: Text;
        /// How opaque it is in pictures, from 0, not seen, to 1. Default 1.
        optional opacity: Number;
        /// What it is.
        optional description: Text;
    }
}

/// Reads a beam and lays it; with the stations of its nodes, and what pictures show of its sections.
pub(crate) fn beam(
    fields: &Fields,
    (name, folder): (&str, &Path),
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(LaidBeam, Vec<f64>, Vec<Cut>), ModelError> {
    let given = BeamWords::read(fields.clone(), scope)?;
    let each = given.nodes;
    if !(2..=4).contains(&each) {
        let error = fault_at(fields, "nodes", format!("{} is {each}", fields.at("nodes")));
        return Err(error.with_help("an element has 2, 3 or 4 nodes"));
    }
    let stations = stations(&given, scope)?;
    let mut line = line(&given, &stations, folder, scope)?;
    line.planar = given.kind == Some(Moves::Planar);
    let cuts;
    (line.sections, cuts) = sections(&given, &stations, folder, scope)?;
    line = line.with_nodes_per_element(each);
    line.mass = match given.mass {
        Some(MassWord::Lumped) => MassKind::Lumped,
        Some(MassWord::Consistent) | None => line.mass,
    };
    let end = |item: Option<&Item>| item.map(|item| names.body(item)).transpose();
    line.ends = [end(given.start)?, end(given.end)?];
    let placed = Placed::of(fields.place);
    line.moving = [
        placed.vector(given.velocity.unwrap_or_default()),
        placed.axial(given.angular_velocity.unwrap_or_default()),
    ];
    line.loads = loads(given, model)?;
    let laid = model.beam(name, &line).map_err(|error| refused(fields.place, error))?;
    names.add_line(name, &laid.nodes, line.ends.map(|end| end.is_some()), model);
    names.add_beam(name, &laid.nodes);
    for (word, node) in &stations.named {
        names.add_body(&format!("{name}.{word}"), model.body_id(laid.nodes[*node].node));
    }
    read_sections(fields, name, &laid, model, scope)?;
    Ok((laid, stations.nodes, cuts))
}

/// Its section, or that in the middle of each element if it changes along the beam; with what pictures show of it.
fn sections(
    given: &BeamWords,
    stations: &Stations,
    folder: &Path,
    scope: &mut Scope,
) -> Result<(Vec<Section>, Vec<Cut>), ModelError> {
    let inner = &given.section;
    let blade = blade_file(&given.fields, inner, folder, scope)?;
    let formulas = inner.entries().iter().any(|entry| changes_along(&entry.item));
    let changes = blade.is_some() || formulas;
    let one = |station: f64, scope: &mut Scope| {
        let section = match &blade {
            Some(blade) => blade.at(station),
            None => section(&given.fields, inner, given.material.as_ref(), scope)?,
        };
        let outline = profile(inner, scope)?.map(|profile| Outline::of(&profile));
        let cut = Cut {
            outline: outline.or_else(|| Outline::equivalent(&section.stiffness)),
            stiffness: section.stiffness,
            young: given.material.as_ref().map(|material| material.young),
            slack: false,
        };
        Ok((section.damped(given.damping), cut))
    };
    let at_element = |station: f64| {
        let read = at_station(station, scope, |scope| one(station, scope));
        let place = format!("at station {}", (station * 1e4).round() / 1e4);
        read.map_err(|error: ModelError| if changes { error.along(&place) } else { error })
    };
    let places = if changes { stations.middles().collect() } else { vec![0.5] };
    places.into_iter().map(at_element).collect()
}

fn loads(given: BeamWords, model: &mut Model) -> Result<Vec<Distributed>, ModelError> {
    let factor = match given.load_factor {
        Some(function) => Amplitude::Function(model.function(function).index()),
        None => Amplitude::Constant(1.0),
    };
    let placed = Placed::of(given.fields.place);
    let loads =
        [(given.load.map(|load| placed.vector(load)), Axes::World), (given.follower, Axes::Marker)];
    let loads = loads.into_iter().filter_map(|(force, axes)| {
        let f = force?;
        let per_length = Vector6::new(f.x, f.y, f.z, 0.0, 0.0, 0.0);
        Some(Distributed { per_length, axes, factor })
    });
    let loads: Vec<_> = loads.collect();
    if loads.is_empty() {
        given.fields.refuse(&["load_factor"], "it has no load")?;
    }
    Ok(loads)
}
