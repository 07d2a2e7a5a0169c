//! The section `[solve]`: what a file says, what is usual where it says nothing, and errors at the keys that cause them.
//!
//! Which keys and words there are is said by the types of [`rotula_dae::Settings`] alone.

use crate::reading::document::{Entry, Table, Value};
use crate::reading::error::ModelError;
use crate::reading::source::Place;
use crate::reading::suggest::{did_you_mean, list};
use rotula_dae::{
    Formulation, InitialPolicy, Output, RedundantPolicy, Settings, SettingsError, key, keys,
    words_of,
};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// Periods of the fastest vibration that are followed unless a file asks for something else.
const MOST_PERIODS: f64 = 1e4;

/// How a model is to be integrated: the keys that its file gives, and what decides about the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Solve {
    given: Map<String, Json>,
    usual: Usual,
}

/// What is usual for a kind of model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usual {
    /// The frequency with which its elastic parts may vibrate, in Hz; zero if it has none.
    pub vibration: f64,
    /// What to do with a start that violates the constraints.
    pub initial: InitialPolicy,
    /// What to do with constraints that follow from others.
    pub redundant: RedundantPolicy,
}

impl Default for Usual {
    fn default() -> Self {
        let (initial, redundant) = (InitialPolicy::Refuse, RedundantPolicy::Refuse);
        Usual { vibration: 0.0, initial, redundant }
    }
}

/// Reads the section and checks that it makes settings. Analyses need neither it nor its end time: who
/// runs a model asks for them.
pub fn read(document: &Table, usual: Usual) -> Result<Solve, ModelError> {
    let Some(section) = document.entry("solve") else { return Ok(Solve::new(Map::new(), usual)) };
    let Json::Object(given) = section.item.json() else {
        return Ok(Solve::new(Map::new(), usual));
    };
    let solve = Solve::new(given, usual);
    match solve.analysis_settings() {
        Ok(_) => Ok(solve),
        Err(SettingsError { key, what, help }) => {
            Err(ModelError::new(place(section, &key), what).with_help(help))
        }
    }
}

/// Where the value of a dotted key stands; where the key does if the section should not have it.
fn place<'a>(section: &'a Entry, path: &str) -> &'a Place {
    let (mut found, mut place) = (section, &section.place);
    for part in path.split('.') {
        let Value::Table(table) = &found.item.value else { break };
        let Some(entry) = table.entry(part) else { break };
        place = if is_known(path) { &entry.item.place } else { &entry.place };
        found = entry;
    }
    place
}

fn is_known(path: &str) -> bool {
    let (name, inner) = path.split_once('.').unwrap_or((path, ""));
    let schema = key(name).map(|key| key.schema());
    schema.is_some_and(|schema| inner.is_empty() || schema["properties"][inner].is_object())
}

impl Solve {
    /// The section with these keys.
    pub fn new(given: Map<String, Json>, usual: Usual) -> Self {
        Solve { given, usual }
    }

    /// The end time; none if the file does not give it.
    pub fn until(&self) -> Option<f64> {
        self.given.get("until").and_then(Json::as_f64)
    }

    /// The start time.
    pub fn start(&self) -> f64 {
        self.given.get("start").and_then(Json::as_f64).unwrap_or(0.0)
    }

    /// The settings for analyses, which need no end: where none is given, it is a second after the start.
    pub fn analysis_settings(&self) -> Result<Settings, SettingsError> {
        let mut solve = self.clone();
        solve.given.entry("until").or_insert_with(|| (self.start() + 1.0).into());
        solve.settings()
    }

    /// The settings that this means.
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        let mut given = self.given.clone();
        let word = self.formulation();
        // the formulation first, since it decides about the others
        let schema = key("formulation").and_then(|key| key.of(&word));
        if let (Some(schema), Some(value)) = (schema, given.get_mut("formulation")) {
            check("formulation", schema, value)?;
        }
        for (name, value) in &mut given {
            let Some(found) = key(name) else {
                let help = did_you_mean(name, keys().iter().map(|key| &*key.name).collect());
                let what = format!("[solve] has no key `{name}`");
                return Err(SettingsError::new(name, what, help));
            };
            let Some(schema) = found.of(&word) else {
                let what = format!("`{name}` does not apply to the formulation `{word}`");
                let help = format!("it belongs to {}", found.belongs().unwrap_or_default());
                return Err(SettingsError::new(name, what, help));
            };
            check(name, schema, value)?;
        }
        let until = self.until().ok_or_else(|| {
            let what = "the model does not say how long it is to be run";
            let help = "write `until = 10.0`, for example, under `[solve]`";
            SettingsError::new("until", what, help)
        })?;
        given.insert("formulation".into(), word.into());
        let unread = |error: serde_json::Error| {
            SettingsError::new("", format!("[solve] cannot be read: {error}"), "correct it")
        };
        let formulation = Formulation::deserialize(Json::Object(given.clone())).map_err(unread)?;
        let longest = given.get("max_step").and_then(Json::as_f64);
        let Usual { vibration: _, initial, redundant } = self.usual;
        let usual = Settings::usual(formulation, [self.start(), until], longest);
        let usual = Settings { initial, redundant, ..usual };
        self.check_ways(&usual)?;
        let settings = usual.with(&given).map_err(unread)?;
        settings.validate()?;
        Ok(settings)
    }

    /// The word for the formulation. By measurement (`benches/defaults.py`): `bdf` is right to three digits, and its
    /// reactions to two, on every smooth model with a reference. It follows every vibration of elastic parts, which takes
    /// several steps for each period: where there are too many of them `ggl` damps what is fast. `bdf` has neither fixed
    /// steps nor the options of the generalized-α family.
    fn formulation(&self) -> String {
        if let Some(word) = self.given.get("formulation").and_then(Json::as_str) {
            return word.to_owned();
        }
        let only_ggl = |name: &String| {
            key(name).is_some_and(|key| key.of("ggl").is_some() && key.of("bdf").is_none())
        };
        let span = self.until().map_or(1.0, |until| until - self.start());
        let ggl = self.usual.vibration * span > MOST_PERIODS
            || self.given.contains_key("step")
            || self.given.keys().any(only_ggl);
        (if ggl { "ggl" } else { "bdf" }).to_owned()
    }

    /// Refuses keys of two ways of which a run has one.
    fn check_ways(&self, usual: &Settings) -> Result<(), SettingsError> {
        let usual = serde_json::to_value(usual).unwrap_or_default();
        for name in self.given.keys() {
            let Some(way) = key(name).and_then(|key| key.way.as_deref()) else { continue };
            let other =
                self.given.keys().find(|other| key(other).is_some_and(|k| k.excludes(name)));
            if let Some(other) = other {
                let both = *way == **name;
                let help = match both {
                    true => "keep one of them".to_owned(),
                    false => format!("remove it, or replace `{other}` by `{way}`"),
                };
                let what = match both {
                    true => format!("`{name}` and `{other}` exclude each other"),
                    false => format!("`{name}` belongs to runs with `{way}`, not with `{other}`"),
                };
                return Err(SettingsError::new(name, what, help));
            }
            if !self.given.contains_key(way) && usual.get(way).is_none() {
                let what = format!("`{name}` belongs to runs with `{way}`, which is missing");
                return Err(SettingsError::new(name, what, format!("add `{way}`")));
            }
        }
        Ok(())
    }

    /// The settings in force as lines of the section, with what the file does not say marked.
    pub fn listing(&self, settings: &Settings) -> Vec<String> {
        let words = serde_json::to_value(settings).unwrap_or_default();
        let line = |(name, value): (&String, &Json)| {
            let note = if self.given.contains_key(name) { "" } else { "   # default" };
            format!("{name} = {}{note}", toml(value))
        };
        let mut lines: Vec<String> = words.as_object().into_iter().flatten().map(line).collect();
        if settings.output == Output::EachStep {
            lines.push("# recorded after each step".to_owned());
        }
        lines
    }
}

/// Refuses a value that is not of its kind; a word that looks like a number may stand without quotes.
fn check(path: &str, schema: &Json, value: &mut Json) -> Result<(), SettingsError> {
    let words = words_of(schema);
    if !words.is_empty() && (value.is_i64() || value.is_string()) {
        let word = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if !words.contains(&word.as_str()) {
            let what = format!("solve.{path} cannot be `{word}`");
            return Err(SettingsError::new(path, what, did_you_mean(&word, words)));
        }
        *value = word.into();
        return Ok(());
    }
    let inner = |name: &str| format!("{path}.{name}");
    let items = schema["items"]["type"].as_str();
    let fits = match (schema["type"].as_str(), &mut *value) {
        (Some("number"), Json::Number(_)) | (Some("boolean"), Json::Bool(_)) => true,
        (Some("integer"), Json::Number(number)) => number.is_u64(),
        (Some("array"), Json::Array(list)) => {
            let least = schema["minItems"].as_u64().unwrap_or(0);
            let most = schema["maxItems"].as_u64().unwrap_or(u64::MAX);
            (least..=most).contains(&(list.len() as u64))
                && (items != Some("number") || list.iter().all(Json::is_number))
        }
        (Some("object"), Json::Object(table)) => {
            let Some(known) = schema["properties"].as_object() else { return Ok(()) };
            for (name, value) in table {
                let Some(schema) = known.get(name) else {
                    let what = format!("solve.{path} has no key `{name}`");
                    let help = did_you_mean(name, known.keys().map(String::as_str).collect());
                    return Err(SettingsError::new(inner(name), what, help));
                };
                check(&inner(name), schema, value)?;
            }
            true
        }
        (None, Json::Object(table)) if table.len() == 1 => {
            // one of several tables with one key each
            let choices = schema["oneOf"].as_array().into_iter().flatten();
            let name = table.keys().next().cloned().unwrap_or_default();
            let found = choices.map(|choice| &choice["properties"][&name]).find(|s| s.is_object());
            match (found, table.get_mut(&name)) {
                (Some(schema), Some(value)) => return check(&inner(&name), schema, value),
                _ => false,
            }
        }
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let (top, _) = path.split_once('.').unwrap_or((path, ""));
    let about = key(top).map(|key| key.about()).unwrap_or_default().replace('\n', " ");
    let what = format!("solve.{path} cannot be read: it must be {}", expected(schema, &words));
    Err(SettingsError::new(path, what, format!("{top}: {about}")))
}

/// What a value must be, in words.
fn expected(schema: &Json, words: &[&str]) -> String {
    match (schema["type"].as_str(), schema["minItems"].as_u64()) {
        _ if !words.is_empty() => format!("one of {}", list(words)),
        (Some("number"), _) => "a number".into(),
        (Some("integer"), _) => "a whole number".into(),
        (Some("boolean"), _) => "true or false".into(),
        (Some("array"), Some(count)) => format!("a list of {count} numbers"),
        (Some("array"), None) => "a list of numbers".into(),
        (Some("object"), _) => "a table".into(),
        _ => {
            let choices = schema["oneOf"].as_array().into_iter().flatten();
            let names =
                choices.filter_map(|choice| choice["properties"].as_object()?.keys().next());
            let names: Vec<&str> = names.map(String::as_str).collect();
            format!("a table with one of {}", list(&names))
        }
    }
}

/// A value as TOML.
pub fn toml(value: &Json) -> String {
    match value {
        Json::Object(table) => {
            let lines = table.iter().map(|(name, value)| format!("{name} = {}", toml(value)));
            format!("{{ {} }}", lines.collect::<Vec<_>>().join(", "))
        }
        Json::Array(items) => {
            format!("[{}]", items.iter().map(toml).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rotula_dae::StepControl;
    use serde_json::json;

    fn solve(words: Json) -> Solve {
        let Json::Object(given) = words else { panic!("{words}") };
        Solve::new(given, Usual::default())
    }

    fn settings(words: Json) -> Settings {
        solve(words.clone()).settings().unwrap_or_else(|error| panic!("{words}: {error}"))
    }

    #[test]
    fn steps_follow_from_what_is_given() {
        let StepControl::Tolerance(control) = settings(json!({ "until": 1 })).control else {
            panic!()
        };
        assert_eq!((control.tolerance, control.min, control.max), (1e-8, 1e-10, 0.02));
        let small = settings(json!({ "until": 1, "max_step": 1e-12 })).control;
        let StepControl::Tolerance(control) = small else { panic!() };
        assert_eq!((control.min, control.max), (1e-12, 1e-12));
        let all = json!({ "until": 1, "tolerance": 1e-5, "first_step": 0.01, "min_step": 1e-9, "max_step": 1 });
        let StepControl::Tolerance(control) = settings(all).control else { panic!() };
        assert_eq!((control.tolerance, control.first), (1e-5, Some(0.01)));
        assert_eq!((control.min, control.max), (1e-9, 1.0));
        let fixed = settings(json!({ "until": 1, "step": 0.1 }));
        assert_eq!(fixed.control, StepControl::Fixed { h: 0.1 });
        let nonsmooth = settings(json!({ "until": 1, "formulation": "nonsmooth" }));
        let StepControl::Tolerance(control) = nonsmooth.control else { panic!() };
        assert_eq!(control.tolerance, 1e-6);
    }

    #[test]
    fn the_default_formulation_suits_the_model() {
        let word = |words| settings(words).formulation.word();
        assert_eq!(word(json!({ "until": 1 })), "bdf");
        assert_eq!(word(json!({ "until": 1, "step": 0.1 })), "ggl");
        assert_eq!(word(json!({ "until": 1, "variant": 73 })), "ggl");
        let coefficients = json!({ "generalized-alpha": 0.9 });
        assert_eq!(word(json!({ "until": 1, "coefficients": coefficients })), "ggl");
        let usual = Usual { vibration: 1.01 * MOST_PERIODS, ..Usual::default() };
        let elastic = Solve::new(Map::from_iter([("until".to_owned(), json!(1))]), usual);
        assert_eq!(elastic.settings().unwrap().formulation.word(), "ggl");
    }

    #[test]
    fn a_listing_is_a_section_again() {
        for formulation in Formulation::all() {
            let mut words = json!({ "until": 2, "formulation": formulation.word() });
            if formulation.word() == "baumgarte" {
                words["baumgarte"] = json!([20, 20]);
            }
            let first = settings(words.clone());
            let listed = solve(words).listing(&first);
            let text = format!("[solve]\n{}\n", listed.join("\n"));
            let document = crate::reading::Document::parse(&text, "").unwrap().table;
            let again = read(&document, Usual::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(again.settings().unwrap(), first, "{text}");
            assert!(!again.listing(&first).iter().any(|line| line.contains("# default")));
        }
    }

    #[test]
    fn every_key_takes_a_value_of_its_kind() {
        for formulation in Formulation::all() {
            let word = formulation.word();
            for key in keys() {
                let Some(schema) = key.of(&word) else { continue };
                let mut value = match schema["type"].as_str() {
                    Some("number") => json!(0.5),
                    Some("integer") => json!(3),
                    Some("boolean") => json!(true),
                    Some("array") => json!([0.5, 0.5]),
                    Some("object") => json!({ "ladder": false }),
                    _ if key.name == "coefficients" => json!({ "hht": -0.3 }),
                    _ => json!(words_of(schema)[0]),
                };
                check(&key.name, schema, &mut value).unwrap_or_else(|e| panic!("{word}: {e}"));
                check(&key.name, schema, &mut json!("no such word")).unwrap_err();
            }
        }
    }

    #[test]
    fn foreign_options_are_refused_by_every_formulation() {
        let mut refused = 0;
        for formulation in Formulation::all() {
            let word = formulation.word();
            for key in keys().iter().filter(|key| key.of(&word).is_none()) {
                let schema = key.schema();
                let value = match schema["enum"].get(0) {
                    Some(first) => first.clone(),
                    None => json!({ "hht": -0.3 }),
                };
                let words = json!({ "until": 1, "formulation": word, (key.name.as_str()): value });
                let error = solve(words).settings().unwrap_err();
                let what = format!("`{}` does not apply to the formulation `{word}`", key.name);
                assert_eq!((error.key.as_str(), error.what), (key.name.as_str(), what));
                assert!(error.help.starts_with("it belongs to"), "{}", error.help);
                refused += 1;
            }
        }
        assert!(refused > 100, "{refused}");
    }

    #[test]
    fn wrong_words_and_combinations_are_named() {
        let table = [
            (json!({ "formulation": "gll" }), "formulation", "did you mean `ggl`?"),
            (json!({ "formulation": "HHT-I3" }), "formulation", "did you mean `hht-i3`?"),
            (json!({ "formulation": 3 }), "formulation", "solve.formulation cannot be `3`"),
            (json!({ "step": 0.1, "tolerance": 0.1 }), "step", "exclude each other"),
            (json!({ "step": -0.1 }), "step", "step must be a positive number"),
            (json!({ "step": 0.1, "max_step": 0.1 }), "max_step", "runs with `tolerance`"),
            (json!({ "repeated": [0.5, 0.5] }), "repeated", "add `step`"),
            (json!({ "step": 0.1, "repeated": [0.5, 0.6] }), "repeated", "add up to 1"),
            (json!({ "output_every": 1, "output_at": [1] }), "output_every", "exclude each other"),
            (json!({ "until": -1 }), "until", "must lie after the start"),
            (json!({ "formulation": "baumgarte" }), "formulation", "needs its two constants"),
            (json!({ "formulation": "bdf", "max_order": 7 }), "max_order", "from 1 to 5"),
            (json!({ "newton": { "max_matrices": 0 } }), "newton.max_matrices", "positive"),
            (json!({ "newton": { "ladder": 3 } }), "newton.ladder", "true or false"),
            (json!({ "newton": 3 }), "newton", "a table"),
            (json!({ "scaling": "yes", "formulation": "index3" }), "scaling", "true or false"),
            (
                json!({ "formulation": "hht-i3", "coefficients": { "generalized-alpha": 0.8 } }),
                "coefficients",
                "needs the coefficients of HHT",
            ),
            (json!({ "coefficients": { "generalized-alpha": 2 } }), "coefficients", "spectral"),
            (json!({ "coefficients": { "hht": "x" } }), "coefficients.hht", "a number"),
            (json!({ "coefficients": { "rho": 1 } }), "coefficients", "one of `generalized-alpha`"),
        ];
        for (mut words, key, phrase) in table {
            if words["until"].is_null() {
                words["until"] = json!(1);
            }
            let error = solve(words.clone()).settings().unwrap_err();
            assert!(error.to_string().contains(phrase), "{words}: {error} does not say {phrase}");
            assert_eq!(error.key, key, "{words}");
        }
        let error = solve(json!({})).settings().unwrap_err().to_string();
        assert!(error.contains("write `until = 10.0`"), "{error}");
    }
}
