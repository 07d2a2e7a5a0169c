//! What the page is told of a model: facts, or what is wrong, where, and what would be right. Places count letters as the
//! page does, in UTF-16.

use rotula_dae::{Diagnosis, Settings, SettingsError};
use rotula_model::reading::{Document, ModelError, Value as Written};
use rotula_study::{Model, places};
use serde_json::{Value, json};
use std::ops::Range;

/// Reads a text and says what it is.
pub(crate) fn check(name: &str, text: &str) -> Value {
    match read(name, text) {
        Ok((document, model, _)) => facts(&document, &model),
        Err(fault) => fault,
    }
}

/// A model that can be run; else what is wrong.
pub(crate) fn read(name: &str, text: &str) -> Result<(Document, Model, Settings), Value> {
    let document = Document::parse(text, name).map_err(|error| wrong(text, &error))?;
    let model = Model::of(&document, &[], None).map_err(|error| wrong(text, &error))?;
    let settings = model.settings().map_err(|SettingsError { what, help, .. }| {
        fault(text, Some(places::section(&document, "solve")), &what, &help)
    })?;
    Ok((document, model, settings))
}

/// What the page shows beside the text.
pub(crate) fn facts(document: &Document, model: &Model) -> Value {
    let text = &document.source.text;
    let parameters: Vec<Value> = document
        .table
        .section("parameters")
        .iter()
        .filter(|entry| matches!(entry.item.value, Written::Integer(_) | Written::Float(_)))
        .map(|entry| {
            let [from, to] = letters(text, &entry.item.place.span);
            json!({ "name": entry.key, "from": from, "to": to })
        })
        .collect();
    json!({ "title": model.title(), "parameters": parameters, "cautions": model.cautions() })
}

/// A run that cannot begin.
pub(crate) fn refused(document: &Document, diagnosis: &Diagnosis) -> Value {
    let span = places::locate(document, diagnosis);
    fault(
        &document.source.text,
        span,
        &diagnosis.message_and_evidence(),
        &diagnosis.remedies.join("\n"),
    )
}

fn wrong(text: &str, error: &ModelError) -> Value {
    // a place in another file, such as a table, is said in words
    let place = error.place().filter(|place| place.source.text == text);
    let message = match place {
        Some(_) => error.message().to_owned(),
        None => match error.line_and_column() {
            Some((line, column)) => {
                format!("{}:{line}:{column}: {}", error.file_name(), error.message())
            }
            None => format!("{}: {}", error.file_name(), error.message()),
        },
    };
    let span = place.map(|place| place.span.clone());
    fault(text, span, &message, error.advice().unwrap_or_default())
}

fn fault(text: &str, span: Option<Range<usize>>, message: &str, help: &str) -> Value {
    let place = span.map(|span| letters(text, &span));
    json!({ "fault": { "message": message, "help": help, "place": place } })
}

fn letters(text: &str, span: &Range<usize>) -> [usize; 2] {
    [span.start, span.end].map(|at| {
        let before = text.char_indices().take_while(|(k, _)| *k < at);
        before.map(|(_, letter)| letter.len_utf16()).sum()
    })
}
