//! `[sensor]`, `[variable]`, `[input]`, `[sampled]`, `[latch]`, `[state]`, `[controller]`: numbers by name, for output and for formulas.

use crate::fault::{fault_at, refused};
use crate::fields::{Fields, signal_text};
use crate::joint::pair;
use crate::places::Names;
use crate::reading::keys::Entries;
use crate::reading::{Kinds, ModelError, Place, Scope, Table, check_identifier, order};
use crate::sections::FORMAT;
use crate::sensor::{self, AXES};
use crate::table::{List, Number, Numbers, Positive, Rate, Signal, table};
use rotula_mechanics::control::{Pid, Sampling};
use rotula_mechanics::model::JointEntry;
use rotula_mechanics::quantity::REACTION;
use rotula_mechanics::sensor::CoordinateSensor;
use rotula_mechanics::{JointId, Model};
use std::collections::HashMap;

/// Refuses names that formulas cannot use, and those that two signals or parameters have in common.
pub(crate) fn check_names(document: &Table) -> Result<(), ModelError> {
    for section in FORMAT.sections {
        if matches!(section.entries, Entries::Formulas | Entries::Tables(_) | Entries::Parts) {
            document.section(section.name).iter().try_for_each(check_identifier)?;
        }
    }
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for section in [
        "parameters",
        "define",
        "table",
        "path",
        "sensor",
        "variable",
        "input",
        "sampled",
        "latch",
        "state",
        "controller",
    ] {
        for entry in document.section(section) {
            if let Some(other) = seen.insert(&entry.key, section) {
                let message = format!("the name `{}` is taken already in [{other}]", entry.key);
                let help = format!("choose another name in [{section}]");
                return Err(ModelError::new(&entry.place, message).with_help(help));
            }
        }
    }
    Ok(())
}

/// Says which names formulas may use, in whatever order they are defined.
pub(crate) fn announce(document: &Table, scope: &mut Scope) {
    for entry in document.section("sensor") {
        if sensor::is_vector(entry) {
            for axis in AXES {
                scope.declare(&format!("{}.{axis}", entry.key), Kinds::VARIABLE);
            }
        } else if !sensor::is_for_output(entry) {
            scope.declare(&entry.key, Kinds::VARIABLE);
        }
    }
    for section in ["variable", "input", "sampled", "latch", "controller"] {
        for entry in document.section(section) {
            scope.declare(&entry.key, Kinds::VARIABLE);
        }
    }
    for entry in document.section("state") {
        scope.declare(&entry.key, Kinds::STATE);
        scope.declare(&format!("{}'", entry.key), Kinds::RATE);
    }
}

/// Reads the abbreviations as far as the names that they use are known; `all` of them when nothing is
/// left to come.
pub(crate) fn definitions(
    document: &Table,
    scope: &mut Scope,
    all: bool,
) -> Result<(), ModelError> {
    let entries = document.section("define");
    scope.announce(entries);
    for index in order(entries, "the definition")? {
        let entry = &entries[index];
        let known = entry.item.names().iter().all(|name| scope.knows(name));
        if !scope.knows(&entry.key) && (known || all) {
            let path = format!("define.{}", entry.key);
            let defined = scope.parse(&entry.item, &path, Kinds::ALL)?;
            scope.define(&entry.key, defined);
        }
    }
    Ok(())
}

/// Finds the variables that are functions of time alone: what is prescribed may follow them, for their derivatives are known.
pub(crate) fn functions_of_time(document: &Table, scope: &mut Scope) {
    if ["motion", "coupling"].iter().all(|section| document.section(section).is_empty()) {
        return;
    }
    let entries = document.section("variable");
    // loops among variables are solved, not refused
    let order = order(entries, "the variable");
    for index in order.unwrap_or_else(|_| (0..entries.len()).collect()) {
        let entry = &entries[index];
        let path = format!("variable.{}", entry.key);
        // whatever is wrong with the formula is said where it is read
        if let Ok((of_time, _)) = scope.parse(&entry.item, &path, Kinds::TIME) {
            scope.equals(&entry.key, of_time);
        }
    }
}

/// Reads what inputs are at first.
pub(crate) fn inputs(
    document: &Table,
    names: &mut Names,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    for entry in document.section("input") {
        names.add_input(&entry.key, scope.constant(&entry.item, &format!("input.{}", entry.key))?);
    }
    Ok(())
}

/// Declares variables that a program computes itself.
pub(crate) fn computed(
    names: &[String],
    document: &Table,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    for name in names {
        if let Some(entry) = document.section("define").iter().find(|entry| entry.key == *name) {
            let message = format!("the name `{name}` is taken already by a computed variable");
            let error = ModelError::new(&entry.place, message);
            return Err(error.with_help("choose another name in [define]"));
        }
        scope.declare(name, Kinds::VARIABLE);
    }
    Ok(())
}

/// Makes the coordinates of a joint and its reaction known to formulas and outputs: `pin.angle`,
/// `pin.angle_velocity`, `pin.fx`.
pub(crate) fn joint_coordinates(
    joint: JointId,
    place: &Place,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let JointEntry { name: joint, coordinates, .. } = model.joints()[joint.index()].clone();
    for (word, coordinate) in coordinates {
        let name = format!("{joint}.{word}");
        let rate = CoordinateSensor::rate(coordinate.clone());
        let value = CoordinateSensor::value(coordinate);
        for (name, sensor) in [(name.clone(), value), (format!("{name}_velocity"), rate)] {
            model.sensor(&name, sensor).map_err(|error| refused(place, error))?;
            scope.declare(&name, Kinds::VARIABLE);
        }
    }
    for quantity in &REACTION {
        scope.declare(&format!("{joint}.{}", quantity.name), Kinds::VARIABLE);
    }
    Ok(())
}

/// Reads the sections of signals.
pub(crate) fn signals(
    document: &Table,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    for entry in document.section("sensor") {
        if let Some(fields) = Fields::of("sensor", entry) {
            sensor::sensor(&fields, &entry.key, names, model, scope)?;
        }
    }
    for entry in document.section("variable") {
        let text = signal_text(&entry.item, &format!("variable.{}", entry.key), scope)?;
        model.variable(&entry.key, &text).map_err(|error| refused(&entry.place, error))?;
    }
    for entry in document.section("input") {
        let value = names.input(&entry.key).unwrap_or_default();
        model.input(&entry.key, value).map_err(|error| refused(&entry.place, error))?;
    }
    for entry in document.section("sampled") {
        if let Some(fields) = Fields::of("sampled", entry) {
            sampled(&fields, &entry.key, model, scope)?;
        }
    }
    for entry in document.section("latch") {
        if let Some(fields) = Fields::of("latch", entry) {
            latch(&fields, &entry.key, model, scope)?;
        }
    }
    for entry in document.section("state") {
        if let Some(fields) = Fields::of("state", entry) {
            state(&fields, &entry.key, model, scope)?;
        }
    }
    for entry in document.section("controller") {
        if let Some(fields) = Fields::of("controller", entry) {
            controller(&fields, &entry.key, model, scope)?;
        }
    }
    Ok(())
}

table! {
    /// A first-order state.
    FirstOrder {
        /// Initial value.
        needed at: Number;
        /// Its rate, a formula of signals.
        optional rate: Rate;
        /// A formula of NAME and NAME' that is held at zero, instead of `rate`.
        optional residual: Rate;
    }
}

table! {
    /// A sampled signal.
    SampledWords {
        /// Time from one sample to the next.
        needed every: Positive, "s";
        /// Its new value at each sample, a formula of time and signals; its own name is the old value.
        needed value: Signal;
        /// The value before the first sample.
        usual at: Number = 0.0;
        /// Time of the first sample.
        usual first: Number = 0.0, "s";
    }
}

table! {
    /// A latch.
    LatchWords {
        /// It becomes 1 where this formula of time and signals rises through zero.
        needed set: Signal;
        /// It becomes 0 where this one does. Default never.
        optional reset: Signal;
        /// What it is at first: 0 or 1.
        usual at: Number = 0.0;
    }
}

table! {
    /// Proportional, integral and derivative control.
    PidWords {
        /// What is controlled, a formula of signals.
        needed input: Signal;
        /// What the input shall be.
        needed setpoint: Signal;
        /// Gain of the error.
        usual proportional: Number = 0.0;
        /// Gain of its integral.
        usual integral: Number = 0.0;
        /// Gain of its derivative.
        usual derivative: Number = 0.0;
        /// Time constant of the filter of the derivative.
        optional filter_time: Number, "s";
        /// Lowest and highest command.
        optional limits: Numbers<2>;
        /// How fast the integral gives way at a limit.
        optional tracking_time: Number, "s";
    }
}

table! {
    /// A transfer function.
    Transfer {
        /// A formula of signals.
        needed input: Signal;
        /// Coefficients from the highest power of s down.
        needed numerator: List;
        /// Coefficients from the highest power of s down.
        needed denominator: List;
    }
}

table! {
    /// A controller.
    Controller {
        /// Proportional, integral and derivative control.
        optional pid: PidWords<'static>;
        /// A transfer function.
        optional transfer_function: Transfer<'static>;
    }
}

fn state(
    fields: &Fields,
    name: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    fields.refuse_together(&["rate", "residual"])?;
    let FirstOrder { at, rate, residual, .. } = FirstOrder::read(fields.clone(), scope)?;
    let added = match (rate, residual) {
        (Some(rate), _) => model.state(name, at, &rate),
        (_, Some(residual)) => model.implicit_state(name, at, &residual),
        (None, None) => {
            let error = ModelError::new(fields.place, format!("state `{name}` misses `rate`"));
            return Err(
                error.with_help("add `rate = \"…\"`, or `residual = \"…\"`, which is held at zero")
            );
        }
    };
    added.map(|_| ()).map_err(|error| refused(fields.place, error))
}

fn sampled(
    fields: &Fields,
    name: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let SampledWords { every, value, at, first, .. } = SampledWords::read(fields.clone(), scope)?;
    let added = model.sampled(name, &value, Sampling { every, first, initial: at });
    added.map(|_| ()).map_err(|error| refused(fields.place, error))
}

fn latch(
    fields: &Fields,
    name: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let LatchWords { set, reset, at, .. } = LatchWords::read(fields.clone(), scope)?;
    if at != 0.0 && at != 1.0 {
        let error = fault_at(fields, "at", format!("{} is {at}", fields.at("at")));
        return Err(error.with_help("a latch is 0 or 1"));
    }
    let added = model.latch(name, &set, reset.as_deref(), at == 1.0);
    added.map(|_| ()).map_err(|error| refused(fields.place, error))
}

fn controller(
    fields: &Fields,
    name: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    fields.refuse_together(&["pid", "transfer_function"])?;
    let Controller { pid, transfer_function, .. } = Controller::read(fields.clone(), scope)?;
    let (added, place) = match (pid, transfer_function) {
        (Some(given), _) => {
            let pid = Pid {
                proportional: given.proportional,
                integral: given.integral,
                derivative: given.derivative,
                filter_time: given.filter_time.unwrap_or(0.0),
                limits: given.limits,
                tracking_time: given.tracking_time,
            };
            let added = model.pid(name, &given.input, &given.setpoint, &pid).map(|_| ());
            (added, given.fields.place)
        }
        (_, Some(Transfer { fields, input, numerator, denominator })) => {
            let added = model.transfer_function(name, &input, &numerator, &denominator);
            (added.map(|_| ()), fields.place)
        }
        (None, None) => {
            let message = format!("controller `{name}` does not say what kind it is");
            let help = "write `pid = { … }` or `transfer_function = { … }`";
            return Err(ModelError::new(fields.place, message).with_help(help));
        }
    };
    added.map_err(|error| refused(place, error))
}

/// Two frames or bodies of a key, as markers.
pub(crate) fn markers(
    fields: &Fields,
    key: &str,
    names: &Names,
    model: &Model,
) -> Result<[rotula_mechanics::Marker; 2], ModelError> {
    let [first, second] = pair(fields, key)?;
    Ok([names.marker(first, model)?, names.marker(second, model)?])
}
