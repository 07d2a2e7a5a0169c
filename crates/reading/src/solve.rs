//! The `[solve]` section, with errors at the keys that cause them.

use crate::document::{Entry, Item, Table, Value};
use crate::error::ModelError;
use crate::source::Place;
use crate::suggest::did_you_mean;
use rotula_dae::SettingsError;
use rotula_dae::Solve;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// Reads the section and checks that it makes settings. Analyses need neither it nor its end time: who
/// runs a model asks for them.
pub fn read(document: &Table) -> Result<Solve, ModelError> {
    let Some(section) = document.entry("solve") else { return Ok(Solve::default()) };
    let Value::Table(table) = &section.item.value else {
        return Ok(Solve::default());
    };
    let schema = schemars::schema_for!(Solve).to_value();
    check_keys("[solve]", table, &schema["properties"])?;
    if let Some(Item { value: Value::Table(newton), .. }) = table.get("newton") {
        check_keys("solve.newton", newton, &schema["$defs"]["Newton"]["properties"])?;
    }
    // one key at a time, so that a value of the wrong kind is found at its place
    for entry in &table.entries {
        let alone = Json::Object(Map::from_iter([(entry.key.clone(), entry.item.json())]));
        if let Err(error) = Solve::deserialize(alone) {
            let about = schema["properties"][&entry.key]["description"].as_str().unwrap_or("");
            let message = format!("solve.{} cannot be read: {error}", entry.key);
            let help = format!("{}: {}", entry.key, about.replace('\n', " "));
            return Err(ModelError::new(&entry.item.place, message).with_help(help));
        }
    }
    let solve = Solve::deserialize(section.item.json()).map_err(|error| {
        ModelError::new(&section.place, format!("[solve] cannot be read: {error}"))
    })?;
    match solve.analysis_settings() {
        Ok(_) => Ok(solve),
        Err(error) => Err(located(section, table, error)),
    }
}

fn check_keys(owner: &str, table: &Table, properties: &Json) -> Result<(), ModelError> {
    let Some(known) = properties.as_object() else {
        return Ok(());
    };
    match table.entries.iter().find(|entry| !known.contains_key(&entry.key)) {
        None => Ok(()),
        Some(entry) => {
            let error =
                ModelError::new(&entry.place, format!("{owner} has no key `{}`", entry.key));
            let known = known.keys().map(String::as_str).collect();
            Err(error.with_help(did_you_mean(&entry.key, known)))
        }
    }
}

/// The error at the key it speaks of, split into message and help.
fn located(section: &Entry, table: &Table, error: SettingsError) -> ModelError {
    let key = match &error {
        SettingsError::SpectralRadius { .. }
        | SettingsError::HhtAlpha { .. }
        | SettingsError::Newmark { .. }
        | SettingsError::Coefficients(_) => Some("coefficients"),
        SettingsError::Theta { .. } => Some("theta"),
        SettingsError::Activation { .. } => Some("activation"),
        SettingsError::EmptyInterval { .. } => Some("until"),
        SettingsError::NotPositive { name, .. } => Some(match *name {
            "each step fraction" => "repeated",
            "output interval" => "output_every",
            "newton tolerance" | "max_iterations" | "max_matrices" => "newton",
            name => name,
        }),
        SettingsError::ForeignOption { option, .. } => Some(*option),
        SettingsError::StepBounds { .. } => Some("min_step"),
        SettingsError::TimeResolution { name, .. } | SettingsError::TooManyRows { name, .. } => {
            Some(*name)
        }
        SettingsError::UnknownWord { .. } => None,
        // the first key that the message puts in quotes and that is there
        SettingsError::StepChoice(message) => {
            message.split('`').skip(1).step_by(2).find(|word| table.get(word).is_some())
        }
    };
    let place = match (&error, key) {
        (SettingsError::UnknownWord { value, .. }, _) => find_text(table, value),
        (_, Some(key)) => table.get(key).map(|item| &item.place),
        _ => None,
    };
    let text = error.to_string();
    let fault = |message: &str| ModelError::new(place.unwrap_or(&section.place), message);
    match text.split_once("; ") {
        Some((message, help)) => fault(message).with_help(help),
        None => fault(&text).with_help(match key {
            Some(key) => format!("correct or remove `{key}`"),
            None => "correct it".to_owned(),
        }),
    }
}

/// Where a word was written.
fn find_text<'a>(table: &'a Table, text: &str) -> Option<&'a Place> {
    table.entries.iter().find_map(|entry| match &entry.item.value {
        Value::Text(word) if word == text => Some(&entry.item.place),
        Value::Integer(number) if number.to_string() == text => Some(&entry.item.place),
        Value::Table(inner) => find_text(inner, text),
        _ => None,
    })
}

/// The JSON Schema of the section, and the definitions it refers to.
pub(crate) fn schema() -> (Json, Json) {
    let mut solve = schemars::schema_for!(Solve).to_value();
    let mut definitions = Json::Null;
    if let Some(solve) = solve.as_object_mut() {
        solve.remove("$schema");
        definitions = solve.remove("$defs").unwrap_or_default();
    }
    (solve, definitions)
}
