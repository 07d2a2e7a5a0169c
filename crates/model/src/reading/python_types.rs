//! The keys of `[solve]` as types of Python, for editors and type checkers there.

use rotula_dae::{keys, words_of};
use serde_json::Value;

/// The module `rotula.settings`.
pub fn python_types() -> String {
    let mut module = "\"\"\"The keys of ``[solve]``, for type checkers; written by ``crates/model/src/reading/python_types.rs``.\"\"\"\n\n\
                      from typing import Literal, TypedDict\n"
        .to_owned();
    let mut section = String::new();
    for key in keys() {
        let schema = key.schema();
        let name = class_name(&key.name);
        let kind = match (&schema["properties"], &schema["oneOf"]) {
            (Value::Object(members), _) => {
                let members = members.iter().map(|(name, schema)| (name.clone(), kind(schema)));
                module += &class(&name, members.collect());
                name
            }
            (_, Value::Array(choices)) if words_of(&schema).is_empty() => {
                // one of several tables; a type checker need not know that it is one
                let members = choices.iter().filter_map(|choice| choice["properties"].as_object());
                let members = members.flatten().map(|(name, schema)| (name.clone(), kind(schema)));
                module += &class(&name, members.collect());
                name
            }
            _ => kind(&schema),
        };
        section += &format!("        \"{}\": {kind},\n", key.name);
    }
    module
        + &format!(
            "\nSolve = TypedDict(\n    \"Solve\",\n    {{\n{section}    }},\n    total=False,\n)\n"
        )
}

fn class(name: &str, members: Vec<(String, String)>) -> String {
    let lines = members.iter().map(|(name, kind)| format!("        \"{name}\": {kind},\n"));
    let lines: String = lines.collect();
    format!("\n{name} = TypedDict(\n    \"{name}\",\n    {{\n{lines}    }},\n    total=False,\n)\n")
}

fn class_name(key: &str) -> String {
    let (first, rest) = key.split_at(1);
    first.to_uppercase() + rest
}

fn kind(schema: &Value) -> String {
    let listed = schema["enum"].as_array().cloned().unwrap_or_default();
    let words = words_of(schema).into_iter().map(Value::from);
    let words: Vec<String> = words.chain(listed).map(|word| word.to_string()).collect();
    if !words.is_empty() {
        return format!("Literal[{}]", words.join(", "));
    }
    match schema["type"].as_str() {
        Some("integer") => "int",
        Some("boolean") => "bool",
        Some("array") => "list[float]",
        _ => "float",
    }
    .to_owned()
}
