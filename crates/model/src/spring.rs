//! `[spring.NAME]`: a spring and damper between two points, or on a joint.

use crate::fault::refused;
use crate::fields::{Fields, signal_text};
use crate::joint::{pair_missing, refuse_itself};
use crate::joint_options::{coordinate_word, on_joint, way};
use crate::places::Names;
use crate::reading::keys::Kind;
use crate::reading::{Item, Kinds, ModelError, Scope, did_you_mean};
use crate::table::{Formula as LawFormula, Name, NotNegative, Number, Pair, Text, Value, table};
use rotula_formula::names_in;
use rotula_formula::{Interpolation, Tabulated};
use rotula_mechanics::force::{Formula, Law, Linear, Over, Spring, Table};
use rotula_mechanics::picture::{Line, Sprung};
use rotula_mechanics::{JointId, Marker, Model};
use std::sync::Arc;

table! {
    /// A spring and damper.
    SpringWords {
        /// Two frames or bodies; the spring acts along the line between them.
        optional between: Pair;
        /// A joint; the spring acts on its coordinate.
        optional joint: Name;
        /// Which coordinate of the joint, if it has several.
        optional coordinate: Text;
        /// Force per length, or moment per angle.
        usual stiffness: NotNegative = 0.0, "N/m, N m/rad";
        /// Force per speed.
        usual damping: NotNegative = 0.0, "N s/m, N m s/rad";
        /// Length, angle or displacement at rest; needed with a stiffness.
        optional free_length: Number, "m, rad";
        /// Force at rest that tends to lengthen.
        usual preload: Number = 0.0, "N, N m";
        /// The force that tends to lengthen, as a formula of `value` (the length, angle or displacement), `rate`, time and signals, instead of a stiffness.
        optional law: LawFormula, "N, N m";
        /// The force that tends to lengthen, over the length, angle or displacement: points [value, force], or the name of a `[table]`. Other than a `law`, it stores energy.
        optional table: ForceTable, "m, N";
    }
}

/// A force over a coordinate, in place or by name.
pub(crate) enum ForceTable {}

impl<'a> Value<'a> for ForceTable {
    const KIND: Kind = Kind::NameOrPoints;
    type Read = Arc<Tabulated>;

    fn read(
        fields: &Fields<'a>,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<Arc<Tabulated>>, ModelError> {
        let Some(item) = fields.get(key) else { return Ok(None) };
        let fault = |message: String, help: String| {
            Err(ModelError::new(&item.place, message).with_help(help))
        };
        if let Some(name) = item.text() {
            let tables = scope.graph.tables();
            return match tables.get(name) {
                Some(table) if table.arguments() == 1 => Ok(Some(table.clone())),
                Some(_) => fault(
                    format!("the table `{name}` has two arguments"),
                    "name one whose x is the length, angle or displacement".into(),
                ),
                None if tables.names().next().is_none() => fault(
                    format!("there is no table `{name}`"),
                    format!("add `[table.{name}]`, or give points [[value, force], …]"),
                ),
                None => fault(
                    format!("there is no table `{name}`"),
                    did_you_mean(name, tables.names().collect()),
                ),
            };
        }
        let points = fields.points::<2>(key, scope)?.unwrap_or_default();
        let points: Vec<_> = points.into_iter().map(|[x, y]| (x, y)).collect();
        let table = Tabulated::through(&points, Interpolation::Linear);
        table.map(|table| Some(Arc::new(table))).or_else(|error| {
            fault(
                format!("{}: {error}", fields.at(key)),
                "sort the points and leave out doubles".into(),
            )
        })
    }
}

/// Reads a spring; returns where it is, for pictures.
pub(crate) fn spring(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(Sprung, Line), ModelError> {
    fields.refuse_together(&["between", "joint"])?;
    let given = SpringWords::read(fields.clone(), scope)?;
    let on = match given.joint {
        Some(joint) => {
            let joint = names.joint(joint)?;
            On::Joint(joint, coordinate_word(fields, joint, model)?)
        }
        None => {
            if given.coordinate.is_some() {
                fields.refuse(&["coordinate"], "it is between two points")?;
            }
            let ends = given.between.ok_or_else(|| pair_missing(fields, "between"))?;
            refuse_itself(names, ends, &fields.path)?;
            On::Points([names.marker(ends[0], model)?, names.marker(ends[1], model)?])
        }
    };
    let line = line(given.stiffness, given.damping);
    let act = |model: &mut Model, law: Box<dyn Law>| {
        on.act(name, law, model)
            .map(|sprung| (sprung, line))
            .map_err(|error| refused(fields.place, error))
    };
    if let Some(item) = given.law {
        fields.refuse(&LINEAR, "the law says what the force is")?;
        fields.refuse_together(&["law", "table"])?;
        let law = formula(item, &fields.at("law"), model, scope)?;
        return act(model, Box::new(law));
    }
    if let Some(points) = given.table {
        fields.refuse(&LINEAR, "the table says what the force is")?;
        return act(model, Box::new(Table { curve: points, over: Over::Value }));
    }
    let SpringWords { stiffness, damping, free_length, preload, .. } = given;
    if stiffness > 0.0 && free_length.is_none() {
        let message = format!("{} misses `free_length`", fields.path);
        let help =
            "add `free_length = …`, the length, angle or displacement at which it is at rest";
        return Err(ModelError::new(fields.place, message).with_help(help));
    }
    if stiffness == 0.0 && damping == 0.0 && preload == 0.0 {
        let error = ModelError::new(fields.place, format!("{} does nothing", fields.path));
        return Err(error.with_help("add `stiffness`, `damping` or `preload`"));
    }
    let free = free_length.unwrap_or(0.0);
    act(model, Box::new(Linear { stiffness, damping, free, preload }))
}

/// Which of spring and damper is drawn.
pub(crate) fn line(stiffness: f64, damping: f64) -> Line {
    match (stiffness > 0.0, damping > 0.0) {
        (false, true) => Line::Damper,
        (true, true) => Line::SpringDamper,
        (_, false) => Line::Spring,
    }
}

/// What a spring acts on.
enum On {
    Joint(JointId, &'static str),
    Points([Marker; 2]),
}

impl On {
    /// Adds the spring; returns where it is.
    fn act(
        &self,
        name: &str,
        law: Box<dyn Law>,
        model: &mut Model,
    ) -> Result<Sprung, rotula_mechanics::ModelError> {
        match self {
            On::Joint(joint, word) => {
                let spring = on_joint(*joint, word, Spring::quantities_on(word), model, law)?;
                model.force(name, spring).map(|()| Sprung::Joint(way(*joint, word, model)))
            }
            On::Points([a, b]) => {
                model.force(name, Spring::between(a, b, law)).map(|()| Sprung::Between([*a, *b]))
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
    scope: &mut Scope,
) -> Result<Formula, ModelError> {
    let own = [("value", Kinds::TIME), ("rate", Kinds::TIME)];
    let text = scope.with_symbols(&own, |scope| signal_text(item, path, scope))?;
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
    Formula::with_tables(&text, &named, scope.graph.tables()).map_err(wrong)
}
