//! The JSON Schema of model files, for editors.

use crate::reading::check_kind::MOMENTS;
use crate::reading::keys::{Entries, Format, Key, Kind, Section};
use serde_json::{Map, Value, json};

/// What the key `file` of a part is.
pub(crate) const PART_FILE: &str = "A model file whose sections are the part, named from the folder of this one, instead of sections here.";

/// A JSON Schema that describes every section and key of a kind of model file.
pub fn schema(format: &Format, title: &str, about: &str, required: &[&str]) -> Value {
    let mut properties = Map::new();
    for key in format.top {
        properties.insert(key.name.into(), value(key));
    }
    for section in format.sections {
        properties.insert(section.name.into(), of_section(section, format));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": about,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn of_section(section: &Section, format: &Format) -> Value {
    let about = format!("{} Example: {}", section.about, section.example);
    let named = |entry: Value| json!({ "description": about, "type": "object", "additionalProperties": entry });
    match &section.entries {
        Entries::Formulas | Entries::FormulasOf => named(json!({ "type": ["number", "string"] })),
        Entries::Tables(keys) => named(of_keys(keys)),
        Entries::FormulasOrTables(keys) => {
            named(json!({ "anyOf": [{ "type": ["number", "string"] }, of_keys(keys)] }))
        }
        Entries::Fixed(keys) => {
            let mut object = of_keys(keys);
            object["description"] = about.into();
            object
        }
        Entries::Parts => {
            let text = |about: &str| json!({ "type": "string", "description": about });
            let mut properties = Map::new();
            properties.insert("file".into(), text(PART_FILE));
            properties.insert("description".into(), text("What it is."));
            for part in format.parts.iter().filter_map(|name| format.section(name)) {
                let inner = match part.entries {
                    Entries::Parts => json!({ "type": "object", "description": part.about }),
                    _ => of_section(part, format),
                };
                properties.insert(part.name.into(), inner);
            }
            named(json!({
                "type": "object",
                "properties": properties,
                "additionalProperties": false,
            }))
        }
        Entries::Solve => rotula_dae::solve_schema(),
    }
}

fn of_keys(keys: &[Key]) -> Value {
    let properties: Map<String, Value> =
        keys.iter().map(|key| (key.name.to_owned(), value(key))).collect();
    let needed: Vec<&str> = keys.iter().filter(|key| key.needed).map(|key| key.name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": needed,
        "additionalProperties": false,
    })
}

fn value(key: &Key) -> Value {
    let mut described = of_kind(key.kind);
    described["description"] = key.described().into();
    described
}

fn of_kind(kind: Kind) -> Value {
    let number = || json!({ "type": ["number", "string"] });
    let list = |count: usize| json!({ "type": "array", "items": number(), "minItems": count, "maxItems": count });
    match kind {
        Kind::Text | Kind::Name => json!({ "type": "string" }),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Number | Kind::Formula => number(),
        Kind::Numbers(count) => list(count),
        Kind::Formulas => list(3),
        Kind::List => json!({ "type": "array", "items": number() }),
        Kind::Rows => json!({ "type": "array", "items": { "type": "array", "items": number() } }),
        Kind::Names => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Named => json!({ "type": "object", "additionalProperties": number() }),
        Kind::Direction => {
            json!({ "anyOf": [{ "enum": ["x", "y", "z", "-x", "-y", "-z"] }, list(3)] })
        }
        Kind::Pair => {
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 })
        }
        Kind::Choice => json!({
            "anyOf": [
                { "type": "boolean" },
                { "type": "string" },
                { "type": "array", "items": { "type": "string" } },
            ],
        }),
        Kind::NameOrPoints => {
            json!({ "anyOf": [{ "type": "string" }, of_kind(Kind::Points(2))] })
        }
        Kind::Points(width) => json!({ "type": "array", "items": list(width), "minItems": 2 }),
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
        Kind::Table(keys) => of_keys(keys),
        Kind::TextOrTable(keys) => json!({ "anyOf": [{ "type": "string" }, of_keys(keys)] }),
        Kind::NumberOrTable(keys) => json!({ "anyOf": [number(), of_keys(keys)] }),
    }
}
