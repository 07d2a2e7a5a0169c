//! The JSON Schema of model files, for editors.

use crate::sections::{Entries, Key, Kind, SECTIONS, Section, TOP};
use rotula_reading::solve_schema;
use serde_json::{Map, Value, json};

/// A JSON Schema that describes every section and key of a model file.
pub fn schema() -> Value {
    let (solve, definitions) = solve_schema();
    let mut properties = Map::new();
    for key in &TOP {
        properties.insert(key.name.into(), value(key.kind, key.about));
    }
    for section in &SECTIONS {
        let described = match section.entries {
            Entries::Solve => solve.clone(),
            _ => of_section(section),
        };
        properties.insert(section.name.into(), described);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Equation model of Rotula",
        "description": "A constrained mechanical system given by formulas.",
        "type": "object",
        "properties": properties,
        "required": ["coordinates", "solve"],
        "additionalProperties": false,
        "$defs": definitions,
    })
}

fn of_section(section: &Section) -> Value {
    let about = format!("{} Example: {}", section.about, section.example);
    match &section.entries {
        Entries::Formulas => json!({
            "description": about,
            "type": "object",
            "additionalProperties": value(Kind::Formula, section.about),
        }),
        Entries::Fixed(keys) => {
            let mut object = of_keys(keys);
            object["description"] = about.into();
            object
        }
        Entries::Tables { short, keys } => {
            let table = of_keys(keys);
            let entry = match short {
                Some(key) => {
                    json!({ "anyOf": [value(Kind::Formula, &format!("Short for `{key}`.")), table] })
                }
                None => table,
            };
            json!({ "description": about, "type": "object", "additionalProperties": entry })
        }
        Entries::Solve => Value::Bool(true),
    }
}

fn of_keys(keys: &[Key]) -> Value {
    let properties: Map<String, Value> =
        keys.iter().map(|key| (key.name.to_owned(), value(key.kind, key.about))).collect();
    let needed: Vec<&str> = keys.iter().filter(|key| key.needed).map(|key| key.name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": false,
    })
}

fn value(kind: Kind, about: &str) -> Value {
    match kind {
        Kind::Formula | Kind::Constant => {
            json!({ "type": ["number", "string"], "description": about })
        }
        Kind::Text => json!({ "type": "string", "description": about }),
        Kind::Boolean => json!({ "type": "boolean", "description": about }),
        Kind::Constants => json!({
            "type": "array",
            "items": { "type": ["number", "string"] },
            "description": about,
        }),
    }
}
