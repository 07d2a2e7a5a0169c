//! The sections of model files as types of Python, for editors and type checkers there.

use serde_json::Value;
use std::collections::BTreeMap;

const HEAD: &str = "\"\"\"The sections of model files, for type checkers; written by ``crates/model/src/reading/section_types.rs``.\"\"\"\n\n\
    from collections.abc import Mapping, Sequence\n\
    from typing import Any, Literal, Required, TypedDict\n\n\
    from numpy.typing import NDArray\n\n\
    from .settings import Solve\n\n\
    Number = float | str\n\
    Numbers = Sequence[Number] | NDArray[Any]\n\
    Rows = Sequence[Numbers] | NDArray[Any]\n";

/// The module `rotula.sections`: what the keywords of a model may be, by the JSON Schemas of all kinds of model files.
pub fn python_sections(schemas: &[Value]) -> String {
    let mut types = Types::default();
    let mut sections: Vec<(String, Vec<String>)> = Vec::new();
    for schema in schemas {
        for (name, section) in schema["properties"].as_object().into_iter().flatten() {
            let kind = match name.as_str() {
                "solve" => "Solve".to_owned(),
                // parts hold sections again
                "part" => "Mapping[str, Any]".to_owned(),
                _ => types.of(section, &class_name("", name)),
            };
            match sections.iter_mut().find(|(known, _)| known == name) {
                Some((_, kinds)) if kinds.contains(&kind) => {}
                Some((_, kinds)) => kinds.push(kind),
                None => sections.push((name.clone(), vec![kind])),
            }
        }
    }
    let members = sections.iter().map(|(name, kinds)| (name.as_str(), kinds.join(" | "), false));
    let whole = class("Sections", &members.collect::<Vec<_>>());
    HEAD.to_owned() + &types.text + &whole
}

/// Classes that were written, by what they hold: what looks the same is the same.
#[derive(Default)]
struct Types {
    known: BTreeMap<String, String>,
    names: Vec<String>,
    text: String,
}

impl Types {
    /// The type of a value; tables become classes with a name of their own.
    fn of(&mut self, schema: &Value, name: &str) -> String {
        if let Some(choices) = schema["anyOf"].as_array() {
            let mut kinds: Vec<String> = Vec::new();
            for choice in choices {
                let kind = self.of(choice, name);
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            return kinds.join(" | ");
        }
        if let Some(words) = schema["enum"].as_array() {
            let words: Vec<String> = words.iter().map(Value::to_string).collect();
            return format!("Literal[{}]", words.join(", "));
        }
        match (&schema["properties"], &schema["additionalProperties"], schema["type"].as_str()) {
            (Value::Object(_), _, _) => self.table(schema, name),
            (_, entries @ Value::Object(_), _) => {
                format!("Mapping[str, {}]", self.of(entries, name))
            }
            (.., Some("object")) => "Mapping[str, Any]".into(),
            (.., Some("array")) => list(&self.of(&schema["items"], name)),
            (.., Some("string")) => "str".into(),
            (.., Some("boolean")) => "bool".into(),
            (.., Some("integer")) => "int".into(),
            (.., Some("number")) => "float".into(),
            _ => "Number".into(),
        }
    }

    fn table(&mut self, schema: &Value, name: &str) -> String {
        let needed: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let members: Vec<(&str, String, bool)> = schema["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, value)| {
                let kind = self.of(value, &class_name(name, key));
                (key.as_str(), kind, needed.contains(&key.as_str()))
            })
            .collect();
        let content = format!("{members:?}");
        if let Some(known) = self.known.get(&content) {
            return known.clone();
        }
        let same =
            self.names.iter().filter(|known| known.trim_end_matches(char::is_numeric) == name);
        let name = match same.count() {
            0 => name.to_owned(),
            more => format!("{name}{}", more + 1),
        };
        self.text += &class(&name, &members);
        self.names.push(name.clone());
        self.known.insert(content, name.clone());
        name
    }
}

fn list(item: &str) -> String {
    match item {
        "Number" | "float" => "Numbers".into(),
        "Numbers" => "Rows".into(),
        other => format!("Sequence[{other}]"),
    }
}

fn class_name(outer: &str, key: &str) -> String {
    let parts = key.split(['-', '_', ' ']).filter(|part| !part.is_empty());
    let words = parts.map(|part| part[..1].to_uppercase() + &part[1..]);
    words.fold(outer.to_owned(), |name, word| name + &word)
}

/// By call, as some keys are words of Python.
fn class(name: &str, members: &[(&str, String, bool)]) -> String {
    let line = |(key, kind, needed): &(&str, String, bool)| match needed {
        true => format!("        \"{key}\": Required[{kind}],\n"),
        false => format!("        \"{key}\": {kind},\n"),
    };
    let lines: String = members.iter().map(line).collect();
    format!("\n{name} = TypedDict(\n    \"{name}\",\n    {{\n{lines}    }},\n    total=False,\n)\n")
}
