//! `[path.NAME]`: closed paths round wheels, along which copies of a part are laid: links of chains and tracks, segments of belts.

mod pieces;
mod round;

use crate::fault::fault_at;
use crate::fields::Fields;
use crate::reading::{Kinds, ModelError, Scope, Table};
use crate::table::{Count, Number, Points, Text, table, words};
use nalgebra::{Vector2, Vector3};
use pieces::Pieces;
use rotula_lie::{Frame, Quaternion};
use round::{Round, Wheel};
use std::collections::BTreeMap;

words! {
    /// How straight pieces follow a path.
    Lay { Chords = "chords", Tangents = "tangents" }
}

words! {
    /// The plane of a path.
    Plane { Xy = "xy", Xz = "xz", Yz = "yz" }
}

table! {
    /// A closed path round wheels, and equal straight pieces along it.
    PathWords {
        /// The wheels in the order in which the path meets them: centre in the plane, and radius of the path round it, as in [[0, 0, 0.1], [0.5, 0, 0.2]]. The path turns left round a wheel; a negative radius is passed on the other side, with the back of a belt.
        needed wheels: Points, "m";
        /// How many pieces.
        needed pieces: Count;
        /// Whether pieces have their ends on the path, as links of a chain and shoes of a track, with their origins at the first (chords, the default), or touch the wheels with their middles, as segments of a belt, with their origins there (tangents).
        optional lay: Lay;
        /// How far the first piece is beyond where the path meets the first wheel, in pieces.
        usual shift: Number = 0.0;
        /// The plane of the path; copies turn in it from its first axis towards its second. Default xy.
        optional plane: Plane;
    }
    besides {
        /// What it is.
        optional description: Text;
    }
}

/// A path with its pieces.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    wheels: Vec<Wheel>,
    round: Round,
    pieces: Pieces,
    lay: Lay,
    plane: Plane,
}

/// Paths by name.
pub(crate) type Paths = BTreeMap<String, Path>;

/// Reads all paths; formulas know their numbers by name.
pub(crate) fn paths(document: &Table, scope: &mut Scope) -> Result<Paths, ModelError> {
    let mut paths = Paths::new();
    for entry in document.section("path") {
        let Some(fields) = Fields::of("path", entry) else { continue };
        let path = path(PathWords::read(fields, scope)?)?;
        paths.insert(entry.key.clone(), path);
    }
    for (name, value) in numbers(&paths) {
        let constant = scope.graph.constant(value);
        scope.define(&name, (constant, Kinds::CONSTANT));
    }
    Ok(paths)
}

/// Lengths and phases of paths by name.
pub(crate) fn numbers(paths: &Paths) -> Vec<(String, f64)> {
    let named = |(path, of): (&String, &Path)| {
        let numbers = of.lengths_and_phases().into_iter();
        numbers.map(|(name, value)| (format!("{path}.{name}"), value)).collect::<Vec<_>>()
    };
    paths.iter().flat_map(named).collect()
}

fn path(given: PathWords) -> Result<Path, ModelError> {
    let PathWords { fields, wheels, pieces: count, lay, shift, plane } = given;
    let (lay, plane) = (lay.unwrap_or(Lay::Chords), plane.unwrap_or(Plane::Xy));
    let fault = |key: &str, message: String, help: &str| {
        Err(fault_at(&fields, key, format!("{} {message}", fields.path)).with_help(help.to_owned()))
    };
    let wheels: Vec<Wheel> = wheels
        .into_iter()
        .map(|[x, y, radius]| Wheel { centre: Vector2::new(x, y), radius })
        .collect();
    if let Some(k) = wheels.iter().position(|wheel| wheel.radius == 0.0) {
        let help = "give the radius on which the path goes round it, negative if it is passed on the other side";
        return fault("wheels", format!("has a wheel without radius, number {k}"), help);
    }
    let round = match Round::new(&wheels) {
        Ok(round) => round,
        Err(k) => {
            let next = (k + 1) % wheels.len();
            let message =
                format!("cannot lead from wheel {k} to wheel {next}: one lies within the other");
            let help = "move them apart, or make radii smaller; wheels count from 0";
            return fault("wheels", message, help);
        }
    };
    const FEWEST: usize = 3;
    if count < FEWEST {
        return fault("pieces", format!("has {count} pieces"), "give at least 3");
    }
    let Some(pieces) = Pieces::laid(&round, lay, count, shift) else {
        let message =
            format!("cannot be closed by {count} equal pieces: they are too long for its wheels");
        return fault("pieces", message, "give more pieces, or larger wheels");
    };
    Ok(Path { wheels, round, pieces, lay, plane })
}

impl Path {
    /// How many pieces it has.
    pub(crate) fn count(&self) -> usize {
        self.pieces.ways.len() - 1
    }

    /// Where a piece is.
    pub(crate) fn frame(&self, piece: usize) -> Frame {
        let [here, next] = [piece, piece + 1].map(|k| self.round.at(self.pieces.ways[k]));
        let heading = match self.lay {
            Lay::Tangents => here.heading,
            Lay::Chords => {
                let chord = next.position - here.position;
                chord.y.atan2(chord.x)
            }
        };
        let [first, second] = match self.plane {
            Plane::Xy => [Vector3::x(), Vector3::y()],
            Plane::Xz => [Vector3::x(), Vector3::z()],
            Plane::Yz => [Vector3::y(), Vector3::z()],
        };
        let position = first * here.position.x + second * here.position.y;
        Frame::new(position, Quaternion::exp(&(first.cross(&second) * heading)))
    }

    /// What formulas of a piece know.
    pub(crate) fn numbers(&self, piece: usize) -> [(&'static str, f64); 3] {
        let way = self.pieces.ways[piece];
        let on = self.round.at(way).wheel;
        let curvature = on.map_or(0.0, |wheel| 1.0 / self.wheels[wheel].radius);
        [("pitch", self.pieces.pitch), ("way", way), ("curvature", curvature)]
    }

    /// What all formulas know: lengths, and of each wheel the direction from its centre to the first piece on it; where none is, to
    /// where the path meets it.
    fn lengths_and_phases(&self) -> Vec<(String, f64)> {
        let length = self.round.length();
        let mut numbers = vec![("pitch".into(), self.pieces.pitch), ("length".into(), length)];
        // what is where an arc begins is on it
        let rounding = 1e-9 * length;
        for (k, [start, arc, span]) in self.round.arcs().enumerate() {
            let beyond = |way: &f64| (way + rounding - start).rem_euclid(length);
            let origins = self.pieces.ways[..self.count()].iter().copied();
            let on = origins.filter(|way| beyond(way) < arc + rounding);
            let first = on.min_by(|a, b| beyond(a).total_cmp(&beyond(b))).unwrap_or(start);
            let from = self.round.at(first).position - self.wheels[k].centre;
            numbers.push((format!("arc[{k}]"), arc));
            numbers.push((format!("span[{k}]"), span));
            numbers.push((format!("phase[{k}]"), from.y.atan2(from.x)));
        }
        numbers
    }
}
