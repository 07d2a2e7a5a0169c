//! Where a beam lies: straight, with a curvature, or along a curve; and how its sections turn about it.

use super::stations::Stations;
use super::{BeamWords, HalfChords, Moves};
use crate::curve::formulas_of_s;
use crate::fault::{fault_at, refused};
use crate::placed::Placed;
use crate::reading::{ModelError, Scope};
use crate::station::at_station;
use nalgebra::{Matrix3, Vector3, Vector6};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::Curve;
use rotula_mechanics::element::BeamLine;
use rotula_mechanics::import::htc::{self, TwistedLine};
use std::path::Path;

/// The beam without sections.
pub(super) fn line(
    given: &BeamWords,
    stations: &Stations,
    folder: &Path,
    scope: &mut Scope,
) -> Result<BeamLine, ModelError> {
    let fields = &given.fields;
    for (first, second) in [
        ("to", "length"),
        ("to", "along"),
        ("to", "curvature"),
        ("points", "axis"),
        ("points", "c2_def"),
        ("axis", "c2_def"),
        ("twist", "c2_def"),
        ("twist", "curvature"),
    ] {
        fields.refuse_together(&[first, second])?;
    }
    fields.refuse_together(&["up", "normal"])?;
    if given.kind != Some(Moves::Planar) {
        fields.refuse(&["normal"], "only planar beams have a plane")?;
    }
    let chords = half_chords(given, folder)?;
    let line = match curve(given, chords.as_ref(), scope)? {
        Some(curve) => {
            let why = "its curve says where it lies";
            fields.refuse(&["from", "to", "along", "length", "curvature"], why)?;
            // the chord, to which the default of `up` is compared
            let [start, end] = curve.ends();
            let up = up(given, end - start);
            let mut keys = ["points", "c2_def"].into_iter();
            let key = keys.find(|key| fields.get(key).is_some()).unwrap_or("axis");
            let mut line = BeamLine::on_curve(&curve, up, &stations.nodes, given.nodes)
                .map_err(|error| refused(fields.place_of(key), error))?;
            let placed = Placed::of(fields.place);
            line.frames.iter_mut().for_each(|frame| *frame = in_the_world(frame, &placed));
            line
        }
        None => straight_or_arc(given, stations)?,
    };
    if given.twist.is_none() && chords.is_none() {
        return Ok(line);
    }
    if given.kind == Some(Moves::Planar) {
        let key = if chords.is_some() { "c2_def" } else { "twist" };
        let error = fault_at(fields, key, format!("{} is planar", fields.path));
        return Err(error.with_help("sections of a planar beam do not turn: leave out `twist`"));
    }
    // a mirror image turns the other way
    let sign = if Placed::of(fields.place).mirrored() { -1.0 } else { 1.0 };
    let path = fields.at("twist");
    let twist = |station: f64| match (given.twist, &chords) {
        (Some(twist), _) => at_station(station, scope, |scope| scope.constant(twist, &path)),
        (None, chords) => Ok(chords.as_ref().map_or(0.0, |chords| twist_at(chords, station))),
    };
    let angles = stations.nodes.iter().copied().map(twist);
    let angles: Vec<f64> = angles.map(|angle| angle.map(|a| sign * a)).collect::<Result<_, _>>()?;
    Ok(line.twisted(&angles))
}

/// A frame of a beam that belongs to a copy; axes along the beam and upwards are those of the image.
fn in_the_world(frame: &Frame, placed: &Placed) -> Frame {
    let axis = |k| placed.vector(frame.orientation.rotate(&Vector3::ith(k, 1.0)));
    let (x, z) = (axis(0), axis(2));
    let axes = Matrix3::from_columns(&[x, z.cross(&x), z]);
    Frame::new(placed.point(frame.position), Quaternion::from_matrix(&axes))
}

/// The half chords of a main body of HAWC2, if they are the line.
fn half_chords(given: &BeamWords, folder: &Path) -> Result<Option<TwistedLine>, ModelError> {
    let Some(HalfChords { file, body, .. }) = &given.c2_def else { return Ok(None) };
    let name = file.text().unwrap_or_default();
    let path = folder.join(name);
    let text = rotula_files::read_to_string(&path).map_err(|error| {
        ModelError::new(&file.place, format!("{} cannot be read: {error}", path.display()))
            .with_help("name a model file of HAWC2 from the folder of the model")
    })?;
    htc::read(&text, name, body).map(Some).map_err(|error| {
        ModelError::new(&file.place, error.to_string())
            .with_help("name a main body of the file, or correct the file")
    })
}

/// The twist of a line at a part of its length, between its points.
fn twist_at(line: &TwistedLine, station: f64) -> f64 {
    let mut ways = vec![0.0];
    for pair in line.windows(2) {
        ways.push(ways[ways.len() - 1] + (pair[1].0 - pair[0].0).norm());
    }
    let wanted = station * ways[ways.len() - 1];
    let above = ways.partition_point(|way| *way <= wanted).clamp(1, ways.len() - 1);
    let part = (wanted - ways[above - 1]) / (ways[above] - ways[above - 1]);
    line[above - 1].1 + part.clamp(0.0, 1.0) * (line[above].1 - line[above - 1].1)
}

/// The curve of its axis, if it has one.
fn curve(
    given: &BeamWords,
    chords: Option<&TwistedLine>,
    scope: &mut Scope,
) -> Result<Option<Curve>, ModelError> {
    let fields = &given.fields;
    if let Some(chords) = chords {
        let points: Vec<Vector3<f64>> = chords.iter().map(|(point, _)| *point).collect();
        let curve = Curve::through(&points, false);
        return curve.map(Some).map_err(|error| refused(fields.place_of("c2_def"), error));
    }
    if let Some(points) = &given.points {
        let points: Vec<Vector3<f64>> = points.iter().map(|&point| point.into()).collect();
        let curve = Curve::through(&points, false);
        return curve.map(Some).map_err(|error| refused(fields.place_of("points"), error));
    }
    let Some(axis) = given.axis else { return Ok(None) };
    let texts = formulas_of_s(axis, &fields.at("axis"), scope)?;
    let curve = Curve::formulas(texts.each_ref().map(String::as_str), 0.0, 1.0, false);
    curve.map(Some).map_err(|error| refused(fields.place_of("axis"), error))
}

/// Where the z axis of the sections points.
fn up(given: &BeamWords, along: Vector3<f64>) -> Vector3<f64> {
    let upright = along.cross(&Vector3::z()).norm() > 1e-6 * along.norm();
    let default = if upright { Vector3::z() } else { Vector3::x() };
    given.up.or(given.normal).unwrap_or(default)
}

/// A beam between two points, or along a constant curvature.
fn straight_or_arc(given: &BeamWords, stations: &Stations) -> Result<BeamLine, ModelError> {
    let fields = &given.fields;
    let from = given.from.unwrap_or_default();
    let (along, length) = match (given.to, given.along, given.length) {
        (Some(to), ..) => (to - from, (to - from).norm()),
        (None, Some(along), Some(length)) if length > 0.0 => (along * length, length),
        (None, Some(_), Some(length)) => {
            let message = format!("{} is {length} m", fields.at("length"));
            let error = fault_at(fields, "length", message);
            return Err(error.with_help("a length must be positive"));
        }
        (None, ..) => {
            let error = ModelError::new(fields.place, format!("{} has no end", fields.path));
            return Err(error.with_help(
                "add `to = [x, y, z]`, `along` and `length`, or `points = [[x, y, z], …]`",
            ));
        }
    };
    let planar = given.kind == Some(Moves::Planar);
    let up = up(given, along);
    if planar && up.dot(&along).abs() > 1e-9 * up.norm() * along.norm() {
        let key = if given.up.is_some() { "up" } else { "normal" };
        let message = format!("{}: a planar beam does not lie in its plane", fields.path);
        let error = fault_at(fields, key, message);
        return Err(error.with_help("the normal must be at right angles to the beam"));
    }
    let placed = Placed::of(fields.place);
    if placed.mirrored() {
        fields.refuse(
            &["curvature", "follower"],
            "section axes of a mirror image have another hand",
        )?;
    }
    let (from, along, up) = (placed.point(from), placed.vector(along), placed.vector(up));
    let straight = BeamLine::straight(from, from + along, up, 2)
        .map_err(|error| refused(fields.place, error))?;
    let k = given.curvature.unwrap_or_default();
    let strain = Vector6::new(1.0, 0.0, 0.0, k.x, k.y, k.z);
    Ok(BeamLine::along_at(straight.frames[0], &strain, length, &stations.nodes))
}
