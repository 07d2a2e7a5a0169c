//! Faults as the exceptions of `rotula.errors`.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rotula_dae::Diagnosis;
use rotula_model::reading::{Document, ModelError};
use rotula_study::places;

/// What `InputError` is made of.
#[derive(Default)]
pub(crate) struct Fault {
    pub message: String,
    pub remedy: Option<String>,
    pub file: String,
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub key: Option<String>,
    pub diagnosis: Option<String>,
}

impl Fault {
    /// A fault of a text.
    pub(crate) fn of_model(error: &ModelError, document: Option<&Document>) -> Self {
        let (line, column) = error.line_and_column().unzip();
        let key = error.place().and_then(|place| match place.source.name.as_str() {
            // an override is a key and a value
            "--set" => place.source.text.split('=').next().map(str::to_owned),
            _ => places::key_at(document?, &place.span),
        });
        Fault {
            message: error.message().to_owned(),
            remedy: error.advice().map(str::to_owned),
            file: error.file_name().to_owned(),
            line,
            column,
            key,
            diagnosis: None,
        }
    }

    /// A run that cannot start, at the place of the text that the diagnosis speaks of.
    pub(crate) fn refused(name: &str, document: &Document, diagnosis: &Diagnosis) -> Self {
        let remedies = diagnosis.remedies.join("\n");
        let fault = Fault {
            message: diagnosis.message_and_evidence(),
            remedy: (!remedies.is_empty()).then_some(remedies),
            file: name.to_owned(),
            diagnosis: serde_json::to_string(diagnosis).ok(),
            ..Fault::default()
        };
        match places::locate(document, diagnosis) {
            Some(span) => fault.at(document, span),
            None => fault,
        }
    }

    /// Puts the fault at a place of a text.
    pub(crate) fn at(self, document: &Document, span: std::ops::Range<usize>) -> Self {
        let before = document.source.text.get(..span.start).unwrap_or("");
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Fault {
            line: Some(before.matches('\n').count() + 1),
            column: Some(before[start..].chars().count() + 1),
            key: places::key_at(document, &span),
            ..self
        }
    }

    /// The exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        let make = || {
            let arguments = PyDict::new(py);
            arguments.set_item("file", self.file)?;
            arguments.set_item("line", self.line)?;
            arguments.set_item("column", self.column)?;
            arguments.set_item("key", self.key)?;
            arguments.set_item("remedy", self.remedy)?;
            arguments.set_item("diagnosis", self.diagnosis)?;
            let class = py.import("rotula.errors")?.getattr("InputError")?;
            class.call((self.message,), Some(&arguments))
        };
        make().map_or_else(|error| error, PyErr::from_value)
    }
}

/// A failed analysis.
pub(crate) fn failed(py: Python<'_>, diagnosis: &Diagnosis) -> PyErr {
    let make = || {
        let class = py.import("rotula.errors")?.getattr("SimulationFailed")?;
        class.call1((serde_json::to_string(diagnosis).unwrap_or_default(), py.None()))
    };
    make().map_or_else(|error| error, PyErr::from_value)
}
