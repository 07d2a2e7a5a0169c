//! The keys and words of the section `[solve]`, read off the types that they make.

use super::{Formulation, Settings};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// A key of `[solve]`.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: String,
    /// The key of whose kind of run it is a part, as `step` for `repeated`; it itself if it is one of several ways.
    pub way: Option<String>,
    uses: Vec<Use>,
    excluded: Vec<String>,
}

/// What a key means, and to whom.
#[derive(Debug)]
struct Use {
    of: Of,
    schema: Value,
}

#[derive(Clone, Debug, PartialEq)]
enum Of {
    All,
    Family,
    Formulation(String),
}

impl Key {
    /// The schema of its value for a formulation; none if the formulation has no such key.
    pub fn of(&self, formulation: &str) -> Option<&Value> {
        let fits = |used: &&Use| match &used.of {
            Of::All => true,
            Of::Family => FAMILY.iter().any(|word| word == formulation),
            Of::Formulation(word) => word == formulation,
        };
        self.uses.iter().find(fits).map(|used| &used.schema)
    }

    /// The formulations whose key it is, in words; none if all have it.
    pub fn belongs(&self) -> Option<String> {
        let owner = |used: &Use| match &used.of {
            Of::All => None,
            Of::Family => Some("the formulations of the generalized-alpha family".to_owned()),
            Of::Formulation(word) => Some(format!("`{word}`")),
        };
        let owners: Option<Vec<String>> = self.uses.iter().map(owner).collect();
        owners.map(|owners| owners.join(" and "))
    }

    /// Whether it cannot be given together with another key.
    pub fn excludes(&self, other: &str) -> bool {
        self.excluded.iter().any(|name| name == other)
    }

    /// What it means, for each kind of formulation that has it.
    pub fn about(&self) -> String {
        let about = |used: &Use| {
            let text = used.schema["description"].as_str().unwrap_or_default();
            match (&used.of, self.uses.len()) {
                (Of::All | Of::Family, _) => described(&used.schema),
                (Of::Formulation(word), 1) => {
                    format!("`{word}` only: {}", lower(&described(&used.schema)))
                }
                (Of::Formulation(word), _) => {
                    let text = lower(text.trim_end_matches('.'));
                    match default(&used.schema) {
                        Some(default) => format!("`{word}`: {text} (default {default})."),
                        None => format!("`{word}`: {text}."),
                    }
                }
            }
        };
        self.uses.iter().map(about).collect::<Vec<_>>().join(" ")
    }

    /// The words that it may have; none if its value is not a word.
    pub fn words(&self) -> Vec<&str> {
        self.uses.iter().flat_map(|used| words_of(&used.schema)).collect()
    }

    /// The schema of its value, whatever the formulation.
    pub fn schema(&self) -> Value {
        let mut schema = published(&self.uses[0].schema, self.words());
        schema["description"] = self.about().into();
        schema
    }
}

/// A schema as editors and pages want it: `words` in a list, those of members as well.
fn published(schema: &Value, words: Vec<&str>) -> Value {
    if !words.is_empty() {
        // a word that looks like a number may stand without quotes
        let bare = words.iter().filter_map(|word| word.parse::<i64>().ok());
        let bare: Vec<Value> = bare.map(Value::from).collect();
        let kind = if bare.is_empty() { json!("string") } else { json!(["string", "integer"]) };
        let all: Vec<Value> = words.into_iter().map(Value::from).chain(bare).collect();
        return json!({ "type": kind, "enum": all, "description": described(schema) });
    }
    let mut schema = schema.clone();
    schema["description"] = described(&schema).into();
    // numbers that must be given have none
    if let (None, Some(object)) = (default(&schema), schema.as_object_mut()) {
        object.remove("default");
    }
    if let Some(Value::Object(members)) = schema.get_mut("properties") {
        members.values_mut().for_each(|member| *member = published(member, words_of(member)));
    }
    schema
}

/// What a schema says about itself, with its default.
fn described(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    match default(schema) {
        Some(default) => format!("{text} Default {default}."),
        None => text.to_owned(),
    }
}

fn default(schema: &Value) -> Option<String> {
    match &schema["default"] {
        Value::Null | Value::Array(_) | Value::Object(_) => None,
        Value::String(word) => Some(format!("`{word}`")),
        value => Some(value.to_string()),
    }
}

/// The words of a schema that allows nothing else; else none.
pub fn words_of(schema: &Value) -> Vec<&str> {
    let choices = schema["oneOf"].as_array().into_iter().flatten();
    let texts = choices.flat_map(|choice| [&choice["const"], &choice["alias"]]);
    texts.chain([&schema["const"]]).filter_map(Value::as_str).collect()
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// All keys: first the formulation, then what all have, then options of each.
pub fn keys() -> &'static [Key] {
    &KEYS
}

/// The key of this name.
pub fn key(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The JSON Schema of the section.
pub fn schema() -> Value {
    let properties: Map<String, Value> =
        KEYS.iter().map(|key| (key.name.clone(), key.schema())).collect();
    let about = "How the model is integrated.";
    json!({ "type": "object", "description": about, "properties": properties, "additionalProperties": false })
}

static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let schema = schemars::schema_for!(Settings).to_value();
    let mut found = Vec::new();
    collect(&schema, &schema, &mut found);
    let formulation = schemars::schema_for!(Formulation).to_value();
    if let Some(key) = found.iter_mut().find(|key: &&mut Key| key.name == "formulation") {
        let choices = key.uses.drain(..).map(|used| used.schema).collect::<Vec<_>>();
        let schema = json!({ "oneOf": choices, "description": formulation["description"] });
        key.uses.push(Use { of: Of::All, schema });
    }
    found.sort_by_key(|key| {
        (key.name != "formulation", matches!(key.uses[0].of, Of::Formulation(_)))
    });
    found
});

/// The words of the formulations of the generalized-α family.
static FAMILY: LazyLock<Vec<String>> = LazyLock::new(|| {
    let all = Formulation::all().into_iter();
    all.filter(Formulation::is_generalized_alpha).map(|formulation| formulation.word()).collect()
});

/// Finds the properties of a schema and of what it is put together from.
fn collect(root: &Value, schema: &Value, found: &mut Vec<Key>) {
    let tag = schema["properties"]["formulation"]["const"].as_str();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let of = match (tag, &property["family"]) {
            (Some(word), _) => Of::Formulation(word.to_owned()),
            (None, Value::Bool(true)) => Of::Family,
            (None, _) => Of::All,
        };
        let used = Use { of, schema: resolved(root, property) };
        match found.iter_mut().find(|key| key.name == *name) {
            Some(key) if key.uses.iter().all(|other| other.of != used.of) => key.uses.push(used),
            Some(_) => {}
            None => found.push(Key {
                name: name.clone(),
                way: None,
                uses: vec![used],
                excluded: Vec::new(),
            }),
        }
    }
    for part in ["oneOf", "allOf"].iter().flat_map(|word| schema[word].as_array()).flatten() {
        collect(root, part, found);
    }
    // alternatives: the first key of each says that it is chosen
    let ways = schema["anyOf"].as_array().into_iter().flatten();
    let ways: Vec<Value> = ways.map(|way| resolved(root, way)).collect();
    ways.iter().for_each(|way| collect(root, way, found));
    let names = |way: &Value| -> Vec<String> {
        way["properties"].as_object().into_iter().flat_map(Map::keys).cloned().collect()
    };
    for way in ways.iter().map(names) {
        for key in found.iter_mut().filter(|key| way.contains(&key.name)) {
            key.way = Some(way[0].clone());
            if key.name == way[0] {
                let others = ways.iter().map(names).filter(|other| other[0] != way[0]);
                key.excluded = others.flatten().collect();
            }
        }
    }
}

/// A schema with what it refers to in the place of the reference.
fn resolved(root: &Value, schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let mut whole = match object.get("$ref").and_then(Value::as_str) {
                Some(path) => resolved(root, root.pointer(&path[1..]).unwrap_or(&Value::Null)),
                None => json!({}),
            };
            for (name, value) in object.iter().filter(|(name, _)| *name != "$ref") {
                whole[name] = resolved(root, value);
            }
            // what may be absent is not written as nothing
            if let [kind, Value::String(null)] = whole["type"].as_array().map_or(&[][..], |t| t)
                && null == "null"
            {
                whole["type"] = kind.clone();
            }
            whole
        }
        Value::Array(items) => items.iter().map(|item| resolved(root, item)).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::StepControl;

    fn usual(formulation: Formulation) -> Settings {
        Settings::usual(formulation, [0.0, 1.0], None)
    }

    #[test]
    fn every_formulation_can_be_written_and_read() {
        let all = Formulation::all();
        assert_eq!(all.len(), key("formulation").unwrap().words().len());
        assert!(all.len() >= 14, "{all:?}");
        for formulation in all {
            let word = formulation.word();
            let Value::Object(mut words) = serde_json::to_value(usual(formulation)).unwrap() else {
                panic!("{word}");
            };
            for name in words.keys() {
                assert!(key(name).unwrap().of(&word).is_some(), "{word} lists `{name}`");
            }
            for key in keys() {
                let optional = ["first_step", "baumgarte"].contains(&key.name.as_str());
                let other_way = ["step", "repeated", "output_every", "output_at"];
                let listed = words.contains_key(&key.name);
                let expected = key.of(&word).is_some() && !other_way.contains(&key.name.as_str());
                assert!(listed == expected || optional, "{word}: `{}` {listed}", key.name);
            }
            if word == "baumgarte" {
                words.insert("baumgarte".into(), json!([20.0, 20.0]));
            }
            let other = usual(Formulation::Index2).with(&words).unwrap();
            other.validate().unwrap_or_else(|error| panic!("{word}: {error}"));
            assert_eq!(other.formulation.word(), word);
            assert_eq!(Value::Object(words), serde_json::to_value(&other).unwrap());
        }
    }

    #[test]
    fn ways_exclude_each_other() {
        let step = key("step").unwrap();
        for name in ["tolerance", "first_step", "min_step", "max_step"] {
            assert!(step.excludes(name), "{name}");
            assert_eq!(key(name).unwrap().way.as_deref(), Some("tolerance"));
        }
        assert!(!step.excludes("repeated") && key("tolerance").unwrap().excludes("repeated"));
        assert!(key("output_at").unwrap().excludes("output_every"));
        let words = json!({ "step": 0.1, "repeated": [0.25, 0.75] });
        let settings = usual(Formulation::Index2).with(words.as_object().unwrap()).unwrap();
        let control = StepControl::Repeated { h: 0.1, fractions: vec![0.25, 0.75] };
        assert_eq!(settings.control, control);
    }

    #[test]
    fn the_schema_holds_no_nothing() {
        assert!(!schema().to_string().contains("null"), "{:#}", schema());
    }

    #[test]
    fn keys_know_to_whom_they_belong() {
        let belongs = |name| key(name).unwrap().belongs();
        assert_eq!(belongs("theta").as_deref(), Some("`moreau-jean`"));
        assert_eq!(belongs("variant").as_deref(), Some("`ggl` and `nonsmooth`"));
        assert_eq!(belongs("until"), None);
        let coefficients = key("coefficients").unwrap();
        assert!(coefficients.of("moreau-jean").is_none() && coefficients.of("bdf").is_none());
        assert!(coefficients.of("nonsmooth").is_some() && coefficients.of("ggl").is_some());
        assert!(key("strategy").unwrap().words().contains(&"3"));
        assert_eq!(words_of(key("variant").unwrap().of("ggl").unwrap()), ["73", "74"]);
        let about = key("theta").unwrap().about();
        assert!(about.starts_with("`moreau-jean` only: weight"), "{about}");
        assert!(about.ends_with("Default 0.5."), "{about}");
    }
}
