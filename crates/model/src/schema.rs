//! The JSON Schema of model files of mechanisms, for editors.

use crate::check::MOMENTS;
use crate::keys::{Entries, Key, Kind, Section};
use crate::sections::{SECTIONS, TOP};
use rotula_reading::solve_schema;
use serde_json::{Map, Value, json};

/// A JSON Schema that describes every section and key.
pub fn schema() -> Value {
    let (solve, definitions) = solve_schema();
    let mut properties = Map::new();
    for key in &TOP {
        properties.insert(key.name.into(), value(key));
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
        "title": "Mechanism of Rotula",
        "description": "Bodies, joints, motions and forces.",
        "type": "object",
        "properties": properties,
        "required": ["body", "solve"],
        "additionalProperties": false,
        "$defs": definitions,
    })
}

fn of_section(section: &Section) -> Value {
    let about = format!("{} Example: {}", section.about, section.example);
    let named = |entry: Value| json!({ "description": about, "type": "object", "additionalProperties": entry });
    match &section.entries {
        Entries::Formulas => named(json!({ "type": ["number", "string"] })),
        Entries::Tables(lists) => named(of_keys(lists)),
        Entries::Fixed(keys) => {
            let mut object = of_keys(&[keys]);
            object["description"] = about.into();
            object
        }
        Entries::Solve => Value::Bool(true),
    }
}

fn of_keys(lists: &[&[Key]]) -> Value {
    let keys = || lists.iter().flat_map(|list| list.iter());
    let properties: Map<String, Value> =
        keys().map(|key| (key.name.to_owned(), value(key))).collect();
    let needed: Vec<&str> = keys().filter(|key| key.needed).map(|key| key.name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": false,
    })
}

fn value(key: &Key) -> Value {
    let mut described = of_kind(key.kind);
    described["description"] = key.about.into();
    described
}

fn of_kind(kind: Kind) -> Value {
    let number = || json!({ "type": ["number", "string"] });
    let list = |count: usize| json!({ "type": "array", "items": number(), "minItems": count, "maxItems": count });
    match kind {
        Kind::Text | Kind::Name => json!({ "type": "string" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Number | Kind::Formula => number(),
        Kind::Numbers(count) => list(count),
        Kind::Formulas => list(3),
        Kind::List => json!({ "type": "array", "items": number() }),
        Kind::Direction => {
            json!({ "anyOf": [{ "enum": ["x", "y", "z", "-x", "-y", "-z"] }, list(3)] })
        }
        Kind::Pair => {
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 })
        }
        Kind::Choice => json!({
            "anyOf": [{ "type": "boolean" }, { "type": "array", "items": { "type": "string" } }],
        }),
        Kind::Points => json!({ "type": "array", "items": list(2), "minItems": 2 }),
        Kind::Inertia => {
            let moments: Map<String, Value> =
                MOMENTS.iter().map(|name| ((*name).to_owned(), number())).collect();
            let table = json!({
                "type": "object",
                "properties": moments,
                "required": MOMENTS[..3],
                "additionalProperties": false,
            });
            let matrix = json!({ "type": "array", "items": list(3), "minItems": 3, "maxItems": 3 });
            json!({ "anyOf": [number(), list(3), matrix, table] })
        }
        Kind::Table(keys) => of_keys(&[keys]),
    }
}
