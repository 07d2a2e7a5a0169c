//! `[load.NAME]`: a load on a flexible body and its shapes.

use crate::fault::fault_at;
use crate::fields::Fields;
use crate::line_load::{LineWords, line_keys};
use crate::offers::{ActionKind, Offer, Readings};
use crate::reading::keys::Key;
use crate::reading::{ModelError, Scope, did_you_mean};
use crate::table::{Function, List, Name, Number, Text, Vector, table};
use nalgebra::{DVector, Vector3, Vector6};
use rotula_elastic::{BodyLoad, FlexibleBody};
use rotula_mechanics::Model;
use rotula_mechanics::element::{LaidFlexible, ShapeLoad};
use rotula_mechanics::force::Amplitude;
use rotula_mechanics::quantity::{LOAD, What};
use rotula_mechanics::sensor::{ShapeLoadReading, ShapeLoadSensor};

table! {
    /// A load on a flexible body.
    LoadWords {
        /// A force, body axes, which the nodes share evenly.
        optional force: Vector, "N";
        /// A moment, body axes, which the nodes share evenly: at interfaces, and at nodes of beams and shells.
        optional moment: Vector, "N m";
        /// A pressure from outside on the faces between the nodes; on shells against their normal.
        optional pressure: Number, "Pa";
        /// A force, body axes, spread over the body like its mass: along a uniform beam evenly.
        optional spread: Vector, "N";
        /// A force on each shape.
        optional shapes: List;
        /// Numbers of the nodes where it acts, such as [17, 230]; or give `set`.
        optional nodes: List;
        /// The name of a set of nodes of the mesh where it acts.
        optional set: Text;
        /// The name of an interface of the body where it acts.
        optional interface: Text;
        /// A function of time by which it is multiplied. Default 1.
        optional factor: Function;
    }
    besides {
        /// The flexible body or the beam.
        needed on: Name;
    }
}

/// The keys of loads: on flexible bodies, and along beams.
pub(crate) fn keys() -> Vec<Key> {
    let mut keys = LoadWords::KEYS.to_vec();
    keys.extend_from_slice(LineWords::KEYS);
    keys
}

/// What a load on a flexible body has, and one along a beam has not.
pub(crate) fn refuse_on_beams(fields: &Fields) -> Result<(), ModelError> {
    let own: Vec<&str> =
        LoadWords::KEYS.iter().map(|key| key.name).filter(|name| *name != "on").collect();
    fields.refuse(&own, "it is along a beam, where loads are `per_length`")
}

/// Reads a load on a body.
pub(crate) fn load(
    fields: &Fields,
    body: &FlexibleBody,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<ShapeLoad, ModelError> {
    // a force and a moment may act together
    for concentrated in ["force", "moment"] {
        fields.refuse_together(&[concentrated, "pressure", "spread", "shapes"])?;
    }
    fields.refuse_together(&["nodes", "set", "interface"])?;
    let along: Vec<&str> = line_keys().collect();
    fields.refuse(&along, "it is on a flexible body, not on a beam")?;
    let given = LoadWords::read(fields.clone(), scope)?;
    let BodyLoad { force, moment, shapes } = match kind(&given, body)? {
        Some(load) => load,
        None => {
            let error = ModelError::new(fields.place, format!("{} has no load", fields.path));
            return Err(error.with_help("add `force`, `moment`, `pressure`, `spread` or `shapes`"));
        }
    };
    let factor = match given.factor {
        Some(function) => Amplitude::Function(model.function(function).index()),
        None => Amplitude::Constant(1.0),
    };
    let wrench = Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z);
    Ok(ShapeLoad { wrench, shapes, factor })
}

/// What a load on a body offers: its resultant on the body and its power.
pub(crate) fn load_offer(
    fields: &Fields,
    name: &str,
    (load, laid): (&ShapeLoad, &LaidFlexible),
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Offer, ModelError> {
    let mut readings = Readings::new(ActionKind::Force, name, fields.place);
    for quantity in &LOAD {
        let reading = match quantity.what {
            What::Action(k) => ShapeLoadReading::Action(k),
            _ => ShapeLoadReading::Power,
        };
        let sensor = ShapeLoadSensor::new(load, laid, reading);
        readings.add((quantity.name, quantity.unit), sensor, model, scope)?;
    }
    Ok(readings.finish())
}

fn kind(given: &LoadWords, body: &FlexibleBody) -> Result<Option<BodyLoad>, ModelError> {
    let fields = &given.fields;
    if given.force.is_some() || given.moment.is_some() {
        return concentrated(given, body).map(Some);
    }
    fields.refuse(&["interface"], "only a `force` and a `moment` act at interfaces")?;
    if let Some(pressure) = given.pressure {
        let nodes = nodes(given, body)?;
        return body.pressure_load(&nodes, pressure).map(Some).ok_or_else(|| {
            let message = format!("{}: no face has all its nodes among these", fields.path);
            let help = "name a set, or all nodes, of a part of the surface of solids or shells";
            fault_at(fields, "pressure", message).with_help(help)
        });
    }
    fields.refuse(&["nodes", "set"], "only a `force`, a `moment` and a `pressure` act at nodes")?;
    if let Some(force) = given.spread {
        return Ok(Some(body.spread_load(force)));
    }
    let Some(forces) = &given.shapes else { return Ok(None) };
    if forces.len() != body.shapes() {
        let message = format!("{} has {} forces", fields.at("shapes"), forces.len());
        let help = format!("give one for each of the {} shapes", body.shapes());
        return Err(fault_at(fields, "shapes", message).with_help(help));
    }
    Ok(Some(body.shape_load(DVector::from_vec(forces.clone()))))
}

/// A force and a moment at an interface or at nodes.
fn concentrated(given: &LoadWords, body: &FlexibleBody) -> Result<BodyLoad, ModelError> {
    let fields = &given.fields;
    let [force, moment] = [given.force, given.moment].map(Option::unwrap_or_default);
    if let Some(name) = given.interface {
        let known = || body.frames.iter().map(|frame| frame.name.as_str()).collect::<Vec<_>>();
        let place = body.frames.iter().position(|frame| frame.name.eq_ignore_ascii_case(name));
        let place = place.ok_or_else(|| {
            let message = format!("{}: the body has no interface `{name}`", fields.at("interface"));
            let help = match known().is_empty() {
                true => "reduce its mesh with `--interface NAME=SET`".to_owned(),
                false => did_you_mean(name, known()),
            };
            fault_at(fields, "interface", message).with_help(help)
        })?;
        return Ok(body.frame_load(place, force, moment));
    }
    let nodes = nodes(given, body)?;
    let share = |whole: Vector3<f64>| {
        let part = whole / nodes.len() as f64;
        nodes.iter().map(move |node| (*node, part))
    };
    let forces = body.nodal_load(share(force));
    if moment == Vector3::zeros() {
        return Ok(forces);
    }
    match body.nodal_moments(share(moment)) {
        Some(moments) => Ok(forces.with(moments)),
        None => Err(cannot_turn(fields, body, &nodes)),
    }
}

/// The fault of a moment at a node without rotations.
fn cannot_turn(fields: &Fields, body: &FlexibleBody, nodes: &[usize]) -> ModelError {
    let surface = &body.surface;
    let stiff = nodes.iter().find(|node| surface.turning.binary_search(node).is_err());
    let node = *stiff.unwrap_or(&nodes[0]);
    let path = fields.at("moment");
    let label = surface.labels[node];
    let (message, help) = match surface.is_thin(node) {
        true => (
            format!("{path}: the file of the body has no rotation of node {label}"),
            "it is of a former version: make it again with `rotula reduce`",
        ),
        false => (
            format!("{path}: node {label} belongs to solids and has no rotation for it to act on"),
            "reduce the mesh with an interface there, `--interface NAME=SET` (rigid, as RBE2) or \
             `--mean-interface NAME=SET` (RBE3), and load that: `interface = \"NAME\"`",
        ),
    };
    fault_at(fields, "moment", message).with_help(help)
}

/// Indices of the nodes where a load acts.
fn nodes(given: &LoadWords, body: &FlexibleBody) -> Result<Vec<usize>, ModelError> {
    let fields = &given.fields;
    if let Some(numbers) = &given.nodes {
        return node_places(fields, "nodes", body, numbers.clone());
    }
    let sets = &body.surface.sets;
    let known = || sets.keys().map(String::as_str).collect::<Vec<_>>();
    let Some(name) = given.set else {
        let message = format!("{} acts nowhere", fields.path);
        let help = match sets.is_empty() {
            true => "add `nodes = [17, 18]`; the body has no sets".to_owned(),
            false => format!("add `nodes = [17, 18]`, or `set`, one of {}", known().join(", ")),
        };
        return Err(ModelError::new(fields.place, message).with_help(help));
    };
    let found = sets.iter().find(|(set, _)| set.eq_ignore_ascii_case(name));
    match found {
        Some((_, nodes)) if !nodes.is_empty() => Ok(nodes.clone()),
        _ => {
            let message = format!("{}: the body has no set `{name}`", fields.at("set"));
            let help = match sets.is_empty() {
                true => "its file has no sets: give `nodes`, or reduce the mesh again".to_owned(),
                false => did_you_mean(name, known()),
            };
            Err(fault_at(fields, "set", message).with_help(help))
        }
    }
}

/// Places, in the list of nodes, of those with some numbers.
pub(crate) fn node_places(
    fields: &Fields,
    key: &str,
    body: &FlexibleBody,
    numbers: Vec<f64>,
) -> Result<Vec<usize>, ModelError> {
    let labels = &body.surface.labels;
    let place = |value: f64| {
        let found = labels.iter().position(|label| *label as f64 == value);
        found.ok_or_else(|| {
            let message = format!("{}: the mesh has no node {value}", fields.at(key));
            let known: Vec<String> = labels.iter().map(u64::to_string).collect();
            let known = known.iter().map(String::as_str).collect();
            fault_at(fields, key, message).with_help(did_you_mean(&value.to_string(), known))
        })
    };
    numbers.into_iter().map(place).collect()
}

/// The fault of a load whose body is no flexible one.
pub(crate) fn nowhere(fields: &Fields, known: Vec<&str>) -> ModelError {
    let name = fields.text("on").unwrap_or_default();
    let message = format!("{}: there is no flexible body or beam `{name}`", fields.at("on"));
    let help = match known.is_empty() {
        true => {
            "a `[load]` acts on a `[flexible]` body or along a `[beam]`; on others use a `[force]`"
                .to_owned()
        }
        false => did_you_mean(name, known),
    };
    fault_at(fields, "on", message).with_help(help)
}
