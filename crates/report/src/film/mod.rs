//! The scene of the page: what its script needs to show a mechanism in motion.
//!
//! A JSON object. Lists of numbers are little-endian `f32` (times: `f64`) in base64. A place that moves with a body
//! is `[body, x, y, z]`, in the axes of the body's node; so is a direction.
//!
//! | key | content |
//! |---|---|
//! | `size` | typical length of the mechanism |
//! | `up`, `right`, `eye` | the view to begin with: directions in the world |
//! | `gravity` | which way is down |
//! | `bodies` | `name`, `colour`, `opacity` if it is seen through, `scenery` if it stands still and is large, of a node of a beam `beam` (`leader`: the body that stands for it, `name`), and what is fixed to each: triangles (`corners`, `normals`), `edges` (pairs of ends), `bars` (two ends), `balls` (centre, radius), `masses` (centre), `planes` (position, orientation w x y z; the plane is x-y) |
//! | `lines` | `kind` (spring, damper, spring-damper, rod), `body`, `ends` |
//! | `marks` | `kind` (motor, pusher, gear, ring, bushing, torsion-spring, torsion-damper, torsion-spring-damper), `body`, `at`, `axis`, `radius` of a gear |
//! | `joints` | `name`, `symbol`, `body`, `at`, `axis`, `grounded` |
//! | `traced` | `name`, `at` of points whose paths are shown |
//! | `times` | times of the frames |
//! | `frames` | by time, by body without the ground: position, orientation w x y z |
//! | `arrows` | `name`, `kind` (reaction, contact), `body` acted on, `values` by time: place, force |
//! | `contacts` | forces of contacts that come and go: `ends` of the times in `values`, by force: body, place, force; left out if there are none |
//! | `tubes` | `body`, `radius`, `outline` (y, z of its corners; a circle without), `count` of points, `points` by time, `across` (directions of y) by time, `fields` |
//! | `skins` | `body`, `triangles`, `count` of points, `points` by time, `fields` |
//!
//! Fields have a `quantity`, its `unit`, its `range` in the whole film, and `values` by time as parts of the
//! range in bytes, 0 to 255: colours cannot tell more.

mod scenery;
pub(crate) mod solid;
pub(crate) mod strengths;
pub(crate) mod surface;

use crate::encode::base64;
use crate::picture::{View, colour, extent};
use nalgebra::Vector3;
use rotula_mechanics::Marker;
use rotula_mechanics::joint::Symbol;
use rotula_mechanics::picture::{ArrowKind, Field, Film, Form, Held, Line, Mark, Outline, Part};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use surface::surface;

/// Radius of a bar, as a part of the size of the mechanism.
pub(crate) const THIN: f64 = 0.009;
/// Most triangles of a body on the page; a finer surface is shown by the box around it.
const TRIANGLES: usize = 60_000;

/// The scene, if there is anything to see.
pub(crate) fn scene(film: &Film) -> Option<Value> {
    let scenery = scenery::scenery(film);
    let shape = |form: &Form| {
        matches!(form, Form::Face { .. } | Form::Bar(_) | Form::Ball { .. } | Form::Mass(_))
    };
    let mut parts = first_parts(film)?;
    parts.retain(|part| !scenery[part.body] || !shape(&part.form));
    let points = extent(&parts);
    let view = View::best(&points, &film.gravity).upright(&film.gravity);
    let frames = film.times.iter().enumerate().flat_map(|(k, _)| &film.frames_at(k)[1..]);
    let frames = frames.flat_map(|frame| {
        let [w, x, y, z] = frame.orientation.to_array();
        let p = frame.position;
        [p.x, p.y, p.z, w, x, y, z]
    });
    let mut scene = json!({
        "size": size(&points),
        "up": list(&view.up),
        "right": list(&view.right),
        "eye": list(&view.eye),
        "gravity": list(&film.gravity),
        "bodies": (0..film.bodies.len()).map(|body| actor(film, body, scenery[body])).collect::<Vec<_>>(),
        "lines": lines(film),
        "marks": marks(film),
        "joints": joints(film),
        "traced": film.traced.iter().map(|(name, marker)| json!({ "name": name, "at": place(marker) })).collect::<Vec<_>>(),
        "times": base64(film.times.iter().map(|t| t.to_le_bytes())),
        "frames": floats(frames),
        "arrows": arrows(film),
        "tubes": tubes(film),
        "skins": skins(film),
    });
    if !film.contacts.is_empty() {
        scene["contacts"] = contacts(film);
    }
    Some(scene)
}

/// Everything at the first time; nothing if there is no time or no body.
pub(crate) fn first_parts(film: &Film) -> Option<Vec<Part>> {
    if film.times.is_empty() || film.bodies.len() < 2 {
        return None;
    }
    let frames = film.frames_at(0);
    Some(film.pieces.iter().map(|piece| piece.placed(&|node| frames[node])).collect())
}

/// The largest extent of points along the axes.
pub fn size(points: &[Vector3<f64>]) -> f64 {
    let range = |k: usize| {
        let most = points.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        most - points.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min)
    };
    let size = (0..3).map(range).fold(0.0, f64::max);
    if size > 0.0 { size } else { 1.0 }
}

/// A body and what is fixed to it.
fn actor(film: &Film, body: usize, scenery: bool) -> Value {
    let actor = &film.bodies[body];
    let [r, g, b] = colour(body, actor.colour.as_deref());
    let mut value = json!({ "name": actor.name, "colour": format!("#{r:02x}{g:02x}{b:02x}") });
    if actor.opacity < 1.0 {
        value["opacity"] = actor.opacity.into();
    }
    if scenery {
        value["scenery"] = true.into();
    }
    if let Some((leader, whole)) = &actor.part_of {
        value["part"] = json!({ "leader": leader, "of": whole });
    }
    let forms = || rigid(film, body);
    let faces = surface(forms());
    let faces = if faces.corners.len() > 3 * TRIANGLES { boxed(&faces.corners) } else { faces };
    let mut bars = Vec::new();
    let mut balls = Vec::new();
    let mut masses = Vec::new();
    let mut planes = Vec::new();
    for form in forms() {
        match form {
            Form::Bar([a, b]) => bars.extend([a.x, a.y, a.z, b.x, b.y, b.z]),
            Form::Ball { centre, radius } => {
                balls.extend([centre.x, centre.y, centre.z, *radius]);
            }
            Form::Mass(at) => masses.extend([at.x, at.y, at.z]),
            Form::Plane(frame) => {
                let p = frame.position;
                planes.extend([p.x, p.y, p.z]);
                planes.extend(frame.orientation.to_array());
            }
            _ => {}
        }
    }
    let flat = |points: &[Vector3<f64>]| points.iter().flat_map(list).collect::<Vec<f64>>();
    for (key, numbers) in [
        ("corners", flat(&faces.corners)),
        ("normals", flat(&faces.normals)),
        ("edges", flat(&faces.edges)),
        ("bars", bars),
        ("balls", balls),
        ("masses", masses),
        ("planes", planes),
    ] {
        // most bodies have only one of them
        if !numbers.is_empty() {
            value[key] = floats(numbers.into_iter()).into();
        }
    }
    value
}

/// The box around points.
fn boxed(points: &[Vector3<f64>]) -> surface::Surface {
    let low = points.iter().fold(points[0], |low, p| low.inf(p));
    let high = points.iter().fold(points[0], |high, p| high.sup(p));
    let corner = |k: usize| {
        Vector3::from_fn(|axis, _| if k >> axis & 1 == 1 { high[axis] } else { low[axis] })
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let face = |face: &[usize; 4]| Form::Face { corners: face.map(corner).to_vec(), sharp: true };
    let faces: Vec<Form> = faces.iter().map(face).collect();
    surface(faces.iter())
}

/// The forms fixed to a body.
pub(crate) fn rigid(film: &Film, body: usize) -> impl Iterator<Item = &Form> {
    film.pieces.iter().filter(move |piece| piece.body == body).filter_map(|piece| {
        match &piece.held {
            Held::Rigid(form) => Some(form),
            _ => None,
        }
    })
}

fn lines(film: &Film) -> Vec<Value> {
    let line = |ends: &[Marker; 2], line: Line, body: usize| {
        let kind = match line {
            Line::Spring => "spring",
            Line::Damper => "damper",
            Line::SpringDamper => "spring-damper",
            Line::Rod => "rod",
        };
        json!({ "kind": kind, "body": body, "ends": [place(&ends[0]), place(&ends[1])] })
    };
    let pieces = film.pieces.iter();
    pieces
        .filter_map(|piece| match &piece.held {
            Held::Between(ends, kind) => Some(line(ends, *kind, piece.body)),
            _ => None,
        })
        .collect()
}

fn marks(film: &Film) -> Vec<Value> {
    let mark = |at: &Marker, mark: Mark| {
        let (kind, radius) = match mark {
            Mark::Motor => ("motor", 0.0),
            Mark::Pusher => ("pusher", 0.0),
            Mark::Gear(radius) => ("gear", radius),
            Mark::Ring(radius) => ("ring", radius),
            Mark::Bushing => ("bushing", 0.0),
            Mark::Torsion(Line::Spring) => ("torsion-spring", 0.0),
            Mark::Torsion(Line::Damper) => ("torsion-damper", 0.0),
            Mark::Torsion(_) => ("torsion-spring-damper", 0.0),
        };
        let [x, y, z] = list(&at.direction(&Vector3::z()));
        let axis = [at.node as f64, x, y, z];
        json!({ "kind": kind, "body": at.node, "at": place(at), "axis": axis, "radius": radius })
    };
    let pieces = film.pieces.iter();
    pieces
        .filter_map(|piece| match &piece.held {
            Held::Mark(at, kind) => Some(mark(at, *kind)),
            _ => None,
        })
        .collect()
}

fn joints(film: &Film) -> Vec<Value> {
    let pieces = film.pieces.iter();
    pieces
        .filter_map(|piece| match &piece.held {
            Held::Joint { name, at, axis, symbol, grounded } => {
                // what is no point has none
                let symbol = match symbol {
                    Symbol::Pin => "pin",
                    Symbol::Guide => "guide",
                    Symbol::Plate | Symbol::Weld => "block",
                    Symbol::Ball => "ball",
                    Symbol::Rod | Symbol::Wheel | Symbol::Unseen => "",
                };
                let [x, y, z] = list(&axis.direction(&Vector3::z()));
                Some(json!({
                    "name": name,
                    "symbol": symbol,
                    "body": piece.body,
                    "at": place(at),
                    "axis": [axis.node as f64, x, y, z],
                    "grounded": grounded,
                }))
            }
            _ => None,
        })
        .collect()
}

fn arrows(film: &Film) -> Vec<Value> {
    let arrow = |arrow: &rotula_mechanics::picture::Arrow| {
        let kind = match arrow.kind {
            ArrowKind::Reaction => "reaction",
            ArrowKind::Contact => "contact",
        };
        let values = arrow.places.iter().zip(&arrow.forces);
        let values = values.flat_map(|(place, force)| [list(place), list(force)].concat());
        json!({ "name": arrow.name, "kind": kind, "body": arrow.body, "values": floats(values) })
    };
    film.arrows.iter().map(arrow).collect()
}

fn contacts(film: &Film) -> Value {
    let mut end = 0;
    let ends = (0..film.contacts.times()).map(|time| {
        end += film.contacts.at(time).len();
        end
    });
    let values = film.contacts.all().iter().flat_map(|contact| {
        let ([x, y, z], [fx, fy, fz]) = (contact.place, contact.force);
        [contact.body as f64, x, y, z, fx, fy, fz]
    });
    json!({ "ends": ends.collect::<Vec<_>>(), "values": floats(values) })
}

/// The least and the largest value of each quantity in the whole film, so that a colour means the same
/// everywhere.
pub(crate) fn ranges(film: &Film) -> BTreeMap<&str, [f64; 2]> {
    let mut ranges = BTreeMap::new();
    let tubes = film.tubes.iter().flat_map(|tube| &tube.fields);
    let skins = film.skins.iter().flat_map(|skin| &skin.fields);
    for Field { quantity, values, .. } in tubes.chain(skins) {
        let range = ranges.entry(quantity.as_str()).or_insert([f64::INFINITY, f64::NEG_INFINITY]);
        for value in values {
            *range = [range[0].min(*value), range[1].max(*value)];
        }
    }
    ranges
}

fn skins(film: &Film) -> Vec<Value> {
    let ranges = ranges(film);
    let skin = |skin: &rotula_mechanics::picture::Skin| {
        json!({
            "body": skin.body,
            "triangles": skin.triangles.concat(),
            "count": skin.count,
            "points": floats(skin.points.iter().flat_map(list)),
            "fields": fields(&skin.fields, &ranges),
        })
    };
    film.skins.iter().map(skin).collect()
}

fn tubes(film: &Film) -> Vec<Value> {
    let ranges = ranges(film);
    let tube = |tube: &rotula_mechanics::picture::Tube| {
        let mut value = json!({
            "body": tube.body,
            "radius": tube.outline.reach(),
            "count": tube.count,
            "points": floats(tube.points.iter().flat_map(list)),
            "fields": fields(&tube.fields, &ranges),
        });
        if let Outline::Corners(corners) = &tube.outline {
            value["outline"] = json!(corners);
            value["across"] = floats(tube.across.iter().flat_map(list)).into();
        }
        value
    };
    film.tubes.iter().map(tube).collect()
}

fn fields(fields: &[Field], ranges: &BTreeMap<&str, [f64; 2]>) -> Vec<Value> {
    let field = |field: &Field| {
        let [low, high] = ranges[field.quantity.as_str()];
        let part = |value: &f64| [(255.0 * (value - low) / (high - low)).round() as u8];
        json!({
            "quantity": field.quantity,
            "unit": field.unit,
            "range": [low, high],
            "values": base64(field.values.iter().map(part)),
        })
    };
    fields.iter().map(field).collect()
}

fn place(marker: &Marker) -> [f64; 4] {
    let p = marker.frame.position;
    [marker.node as f64, p.x, p.y, p.z]
}

fn list(vector: &Vector3<f64>) -> [f64; 3] {
    [vector.x, vector.y, vector.z]
}

fn floats(numbers: impl Iterator<Item = f64>) -> String {
    base64(numbers.map(|number| (number as f32).to_le_bytes()))
}
