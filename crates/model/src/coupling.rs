//! `[coupling.NAME]`: gears, racks and other weighted sums of joint coordinates.

use crate::fault::refused;
use crate::fields::{Fields, function};
use crate::mesh::{MeshWords, mesh};
use crate::offers::{ActionKind, Offer, Readings, effort, effort_unit, on_joint, power};
use crate::places::Names;
use crate::reading::{Item, Kinds, ModelError, Scope};
use crate::table::{Formula, Number, Pair, table};
use nalgebra::Vector3;
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::picture::Mark;
use rotula_mechanics::quantity::{Ends, REACTION};
use rotula_mechanics::{Marker, Model, TimeFunction};

table! {
    /// Two wheels.
    Gear {
        /// The first and the second joint.
        needed joints: Pair;
        /// Angle of the second per angle of the first; negative for wheels that mesh outside.
        needed ratio: Number;
    }
}

table! {
    /// A wheel and a rack.
    Rack {
        /// The first and the second joint.
        needed joints: Pair;
        /// Displacement of the second per angle of the first.
        needed radius: Number, "m/rad";
    }
}

table! {
    /// What holds coordinates of joints together.
    Coupling {
        /// The angles of two joints are proportional.
        optional gear: Gear<'static>;
        /// The angle of one joint and the displacement of another are proportional.
        optional rack: Rack<'static>;
        /// The angles of two joints are held together by elastic teeth with play.
        optional mesh: MeshWords<'static>;
        /// A weighted sum of joint coordinates that is held, such as "lift.displacement - 0.2*drum.angle".
        optional sum: Formula;
    }
    besides {
        /// What `sum` is held at, a formula of time. Default where it starts.
        optional equals: Formula;
    }
}

/// A coupling.
pub(crate) struct Coupled {
    /// Its effort; elastic teeth are a force, and offer what they do as such.
    pub offer: Option<Offer>,
    /// The symbols of wheels and racks.
    pub marks: Vec<(Marker, Mark)>,
}

/// Reads a coupling. Its effort is the force or torque on the second joint, or on the sum; its power what
/// it gives to the second joint, or to the sum.
pub(crate) fn coupling(
    fields: &Fields,
    name: &str,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Coupled, ModelError> {
    let mut readings = Readings::new(ActionKind::Coupling, name, fields.place);
    fields.refuse_together(&["gear", "rack", "mesh", "sum"])?;
    let given = Coupling::read(fields.clone(), scope)?;
    if let Some(item) = given.sum {
        let sum = held_sum(fields, item, name, model, scope)?;
        effort(&mut readings, ("effort", ""), 1.0, model, scope)?;
        power(&mut readings, &sum, model, scope)?;
        return Ok(Coupled { offer: Some(readings.finish()), marks: Vec::new() });
    }
    if let Some(teeth) = given.mesh {
        fields.refuse(&["equals"], "teeth hold nothing")?;
        let (joints, ratio) = mesh(teeth, name, names, model)?;
        let [a, b] = joints.map(|joint| model.joints()[joint.index()].pair.a);
        let marks = wheels([&a, &b], ratio, model);
        return Ok(Coupled { offer: None, marks: [a, b].into_iter().zip(marks).collect() });
    }
    fields.refuse(&["equals"], "gears and racks stay as at the start")?;
    let (inner, items, words, factor) = match (given.gear, given.rack) {
        (Some(Gear { fields, joints, ratio }), _) => (fields, joints, ["angle"; 2], ratio),
        (_, Some(Rack { fields, joints, radius })) => {
            (fields, joints, ["angle", "displacement"], radius)
        }
        (None, None) => {
            let message = format!("coupling `{name}` does not say what kind it is");
            let help = "write `gear = { joints = […], ratio = … }`, `rack = { joints = […], radius = … }`, `mesh = { joints = […], … }` or `sum = \"…\"`";
            return Err(ModelError::new(fields.place, message).with_help(help));
        }
    };
    let (mut coordinates, mut acts, mut held) = (Vec::new(), Vec::new(), Vec::new());
    for (item, word) in items.into_iter().zip(words) {
        let joint = names.joint(item)?;
        acts.push(on_joint(joint, model));
        held.push(model.joints()[joint.index()].pair.a);
        coordinates.push(model.coordinate(joint, word).map_err(|e| refused(&item.place, e))?);
    }
    let (first, second) = (coordinates[0].clone(), &coordinates[1]);
    match words[0] == words[1] {
        true => model.gear(name, first, second, factor),
        false => model.rack_and_pinion(name, first, second, factor),
    }
    .map_err(|error| refused(inner.place, error))?;
    // the equation holds the second coordinate less the factor times the first
    let [unit, first_unit] = [effort_unit(words[1]), effort_unit(words[0])];
    effort(&mut readings, ("effort", unit), 1.0, model, scope)?;
    effort(&mut readings, ("effort_first", first_unit), -factor, model, scope)?;
    power(&mut readings, second, model, scope)?;
    // of both joints it moves the second bodies
    let ends = Ends { first: Some(acts[0].second), ..acts[1] };
    readings.add_action(ends, &REACTION, names, model, scope)?;
    let marks = match words[0] == words[1] {
        true => {
            let marks = wheels([&held[0], &held[1]], factor, model);
            held.into_iter().zip(marks).collect()
        }
        false => vec![(held[0], Mark::Gear(factor.abs())), (held[1], Mark::Pusher)],
    };
    Ok(Coupled { offer: Some(readings.finish()), marks })
}

/// Two wheels that turn on the same body about parallel axes: their distance is the sum of the pitch radii, or for wheels that turn
/// the same way their difference; the larger one then is a ring. The radii are zero for others, such as bevel wheels.
fn wheels([a, b]: [&Marker; 2], ratio: f64, model: &Model) -> [Mark; 2] {
    let frame = |marker: &Marker| model.bodies()[marker.node].1.node_frame() * marker.frame;
    let axis = |marker: &Marker| frame(marker).orientation.rotate(&Vector3::z());
    if a.node != b.node || axis(a).cross(&axis(b)).norm() > 1e-6 {
        return [Mark::Gear(0.0); 2];
    }
    let way = frame(b).position - frame(a).position;
    let distance = way.cross(&axis(a)).norm();
    // the second turns `ratio` times as fast: its radius is that much smaller
    let second = match ratio < 0.0 {
        true => distance / (1.0 - ratio),
        false => distance / (1.0 - ratio).abs(),
    };
    let radii = [ratio.abs() * second, second];
    if !radii.iter().all(|radius| radius.is_finite()) {
        return [Mark::Gear(0.0); 2];
    }
    let largest = radii[0].max(radii[1]);
    radii.map(|radius| match ratio > 0.0 && radius == largest {
        true => Mark::Ring(radius),
        false => Mark::Gear(radius),
    })
}

/// A weighted sum that stays where it starts or follows a function of time.
fn held_sum(
    fields: &Fields,
    item: &Item,
    name: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Coordinate, ModelError> {
    let (sum, constant) = weighted_sum(fields, item, model, scope)?;
    let target = match fields.get("equals") {
        Some(item) => shifted(item, &fields.at("equals"), constant, scope)?,
        None => TimeFunction::Constant(model.at_start(&sum)[0]),
    };
    model.couple(name, sum.clone(), target).map_err(|error| refused(fields.place, error))?;
    Ok(sum)
}

/// The sum of coordinates that a formula means, and the number it adds to them.
fn weighted_sum(
    fields: &Fields,
    item: &Item,
    model: &Model,
    scope: &mut Scope,
) -> Result<(Coordinate, f64), ModelError> {
    let path = fields.at("sum");
    let (expression, _) = scope.parse(item, &path, Kinds::VARIABLE)?;
    let fault = |message: String, help: &str| {
        Err(ModelError::new(&item.place, format!("{path} {message}")).with_help(help))
    };
    let zero = scope.graph.constant(0.0);
    let (mut sum, mut zeros) = (None, Vec::new());
    for symbol in scope.graph.symbols_of(expression) {
        let word = scope.graph.name(symbol).unwrap_or_default().to_owned();
        let Some(coordinate) = named(&word, model) else {
            let help = "it may use coordinates such as `pin.angle` or `guide.displacement`";
            return fault(format!("uses `{word}`, which is not a joint coordinate"), help);
        };
        let slope = scope.graph.derivative(expression, symbol);
        let Some(weight) = scope.graph.as_constant(slope) else {
            let help = "add coordinates times numbers, such as \"a.angle - 2*b.angle\"";
            return fault(format!("is not linear in `{word}`"), help);
        };
        let part = coordinate.scaled(weight);
        sum = Some(match sum {
            None => part,
            Some(sum) => Coordinate::plus(sum, &part).map_err(|e| refused(&item.place, e))?,
        });
        zeros.push((symbol, zero));
    }
    let Some(sum) = sum else {
        let help = "name joint coordinates, such as \"a.angle - 2*b.angle\"";
        return fault("contains no joint coordinate".into(), help);
    };
    let rest = scope.graph.substitute(expression, &zeros);
    Ok((sum, scope.graph.as_constant(rest).unwrap_or(0.0)))
}

/// The coordinate of a joint by its full name, such as `pin.angle`.
fn named(word: &str, model: &Model) -> Option<Coordinate> {
    let (joint, coordinate) = word.rsplit_once('.')?;
    let joint = model.joints().iter().find(|entry| entry.name == joint)?;
    let found = joint.coordinates.iter().find(|(own, _)| *own == coordinate);
    found.map(|(_, coordinate)| coordinate.clone())
}

/// A function of time less a number.
fn shifted(
    item: &Item,
    path: &str,
    less: f64,
    scope: &mut Scope,
) -> Result<TimeFunction, ModelError> {
    if less == 0.0 {
        return function(item, path, scope);
    }
    let (expression, _) = scope.parse(item, path, Kinds::TIME)?;
    let text = format!("({}) - ({less:e})", scope.graph.display(expression));
    TimeFunction::formula_with(&text, scope.graph.tables())
        .map_err(|error| refused(&item.place, error))
}
