//! `[spring.NAME]`: a spring and damper between two points, or on a joint.

use crate::fault::refused;
use crate::fields::{Fields, numbers, signal_text};
use crate::joint::{pair, refuse_itself};
use crate::joint_options::{coordinate_word, linear, on_joint};
use crate::places::Names;
use rotula_formula::names_in;
use rotula_mechanics::force::{Curve, Formula, Interpolation, Law, Over, Spring, Table};
use rotula_mechanics::{JointId, Marker, Model};
use rotula_reading::{Item, Kinds, ModelError, Scope, Value};

/// Reads a spring; returns its ends for pictures, unless it sits on a joint.
pub(crate) fn spring(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Option<[Marker; 2]>, ModelError> {
    fields.refuse_together(&["between", "joint"])?;
    let on = match fields.get("joint") {
        Some(joint) => {
            let joint = names.joint(joint)?;
            On::Joint(joint, coordinate_word(fields, joint, model)?)
        }
        None => {
            fields.refuse(&["coordinate"], "it is between two points")?;
            let ends = pair(fields, "between")?;
            refuse_itself(names, ends, &fields.path)?;
            On::Points([names.marker(ends[0], model)?, names.marker(ends[1], model)?])
        }
    };
    let act = |model: &mut Model, law: Box<dyn Law>| {
        on.act(name, law, model).map_err(|error| refused(fields.place, error))
    };
    if let Some(item) = fields.get("law") {
        fields.refuse(&LINEAR, "the law says what the force is")?;
        fields.refuse_together(&["law", "table"])?;
        let law = formula(item, &fields.at("law"), model, scope)?;
        return act(model, Box::new(law));
    }
    if let Some(item) = fields.get("table") {
        fields.refuse(&LINEAR, "the table says what the force is")?;
        let law = table(item, &fields.at("table"), scope)?;
        return act(model, Box::new(law));
    }
    let law = linear(fields, "free_length", scope)?;
    if law.stiffness > 0.0 && fields.get("free_length").is_none() {
        let message = format!("{} misses `free_length`", fields.path);
        let help =
            "add `free_length = …`, the length, angle or displacement at which it is at rest";
        return Err(ModelError::new(fields.place, message).with_help(help));
    }
    if law.stiffness == 0.0 && law.damping == 0.0 && law.preload == 0.0 {
        let error = ModelError::new(fields.place, format!("{} does nothing", fields.path));
        return Err(error.with_help("add `stiffness`, `damping` or `preload`"));
    }
    act(model, Box::new(law))
}

/// What a spring acts on.
enum On {
    Joint(JointId, &'static str),
    Points([Marker; 2]),
}

impl On {
    /// Adds the spring; returns its ends if it is between two points.
    fn act(
        &self,
        name: &str,
        law: Box<dyn Law>,
        model: &mut Model,
    ) -> Result<Option<[Marker; 2]>, rotula_mechanics::ModelError> {
        match self {
            On::Joint(joint, word) => {
                let spring = on_joint(*joint, word, Spring::quantities_on(word), model, law)?;
                model.force(name, spring).map(|()| None)
            }
            On::Points([a, b]) => {
                model.force(name, Spring::between(a, b, law)).map(|()| Some([*a, *b]))
            }
        }
    }
}

const LINEAR: [&str; 4] = ["stiffness", "damping", "free_length", "preload"];

/// A formula of `value`, `rate`, time and signals.
fn formula(
    item: &Item,
    path: &str,
    model: &mut Model,
    scope: &Scope,
) -> Result<Formula, ModelError> {
    let mut own = scope.clone();
    own.declare("value", Kinds::TIME);
    own.declare("rate", Kinds::TIME);
    let text = signal_text(item, path, &mut own)?;
    let wrong = |error| refused(&item.place, error);
    let mut named = Vec::new();
    for (name, _) in names_in(&text).unwrap_or_default() {
        let own = ["value", "rate", "t"].contains(&name.as_str());
        if !own && named.iter().all(|(known, _)| *known != name) && scope.knows(&name) {
            let signal = model.signal(&name).map_err(wrong)?;
            named.push((name, signal));
        }
    }
    let named: Vec<_> = named.iter().map(|(name, signal)| (name.as_str(), *signal)).collect();
    Formula::new(&text, &named).map_err(wrong)
}

fn table(item: &Item, path: &str, scope: &mut Scope) -> Result<Table, ModelError> {
    let mut points = Vec::new();
    if let Value::List(items) = &item.value {
        for item in items {
            let pair = numbers(item, path, scope)?;
            points.push((pair[0], pair[1]));
        }
    }
    let curve = Curve::new(&points, Interpolation::Linear).map_err(|e| refused(&item.place, e))?;
    Ok(Table { curve, over: Over::Value })
}
