//! Faults of the input, and writing to the terminal.

use miette::{Diagnostic, LabeledSpan, MietteHandlerOpts, NamedSource, ReportHandler, SourceCode};
use rotula_dae::Diagnosis;
use rotula_elastic::MeshError;
use rotula_model::reading::{ModelError, shorten};
use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};
use std::ops::Range;
use std::path::Path;

/// Bytes of lines that are still shown.
const LONGEST_SHOWN: usize = 2000;

/// Bad input: what is wrong, where, and what would be right.
#[derive(Debug)]
pub(crate) struct Fault {
    /// `file:line:column: message`, with facts on lines of their own.
    message: String,
    help: Option<String>,
    // boxed: results should stay small
    marked: Option<Box<Marked>>,
}

/// Where the source that shows the fault comes from.
#[derive(Debug)]
enum Marked {
    Model(ModelError),
    Text { source: NamedSource<String>, span: Range<usize> },
}

impl Fault {
    /// A fault that no line of a file shows.
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        let (message, help) = (shorten(&message.into()), shorten(&help.into()));
        Fault { message, help: Some(help), marked: None }
    }

    /// A fault at a place of a text; at its beginning if the place is not known.
    pub(crate) fn at(name: &str, text: &str, span: Option<Range<usize>>, message: &str) -> Self {
        let (line, column) = line_and_column(text, span.as_ref().map_or(0, |span| span.start));
        Fault {
            message: format!("{name}:{line}:{column}: {}", shorten(message)),
            help: None,
            marked: span.map(|span| {
                let source = NamedSource::new(name, text.to_owned());
                Box::new(Marked::Text { source, span })
            }),
        }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shorten(&help.into()));
        self
    }

    /// A run that cannot start, at the place of the model file that the diagnosis speaks of.
    pub(crate) fn refused(
        name: &str,
        text: &str,
        span: Option<Range<usize>>,
        diagnosis: &Diagnosis,
    ) -> Self {
        let fault = Fault::at(name, text, span, &diagnosis.message_and_evidence());
        match diagnosis.remedies.is_empty() {
            true => fault,
            false => fault.with_help(diagnosis.remedies.join("\n")),
        }
    }

    /// A file that cannot be written.
    pub(crate) fn unwritable(path: &Path, reason: impl fmt::Display) -> Self {
        Fault::new(
            format!("{}: cannot be written: {reason}", path.display()),
            "choose another place, one that you may write to",
        )
    }

    /// Where the fault is, unless its line is too long to be shown.
    fn shown(&self) -> Option<&Marked> {
        self.marked.as_deref().filter(|marked| marked.size() <= LONGEST_SHOWN)
    }

    /// Prints the fault with the line it belongs to.
    pub(crate) fn print(&self) {
        let options = MietteHandlerOpts::new();
        // files and pipes get no colours and no broken lines, so that they can be searched
        let options = match stderr().is_terminal() {
            true => options,
            false => options.color(false).unicode(true).width(10_000),
        };
        struct Shown<'a>(miette::MietteHandler, &'a Fault);
        impl fmt::Display for Shown<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.debug(self.1, f)
            }
        }
        print(Shown(options.build(), self).to_string().trim_end());
    }
}

impl From<ModelError> for Fault {
    fn from(error: ModelError) -> Self {
        let place = match error.line_and_column() {
            Some((line, column)) => format!("{line}:{column}:"),
            None => String::new(),
        };
        Fault {
            message: format!("{}:{place} {}", error.file_name(), error.message()),
            help: error.advice().map(str::to_owned),
            marked: Some(Box::new(Marked::Model(error))),
        }
    }
}

impl From<MeshError> for Fault {
    fn from(error: MeshError) -> Self {
        let (name, help) = (error.file(), error.help());
        // the line is shown again: meshes are too large to be kept for the case of a fault
        let text = std::fs::read_to_string(name).unwrap_or_default();
        let fault = match error.place() {
            Some(place) => Fault::at(name, &text, span(&text, place), error.message()),
            None if name.is_empty() => Fault::new(error.message(), help),
            None => Fault::new(format!("{name}: {}", error.message()), help),
        };
        fault.with_help(help)
    }
}

/// From a place to the end of the word there.
fn span(text: &str, place: rotula_elastic::Place) -> Option<Range<usize>> {
    let line = text.lines().nth(place.line.checked_sub(1)?)?;
    let begin = line.as_ptr() as usize - text.as_ptr() as usize;
    let skipped: usize =
        line.chars().take(place.column.saturating_sub(1)).map(char::len_utf8).sum();
    let rest = line.get(skipped..)?;
    let word = rest.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(rest.len());
    Some(begin + skipped..begin + skipped + word.max(1).min(rest.len()))
}

impl From<rotula_report::Error> for Fault {
    fn from(error: rotula_report::Error) -> Self {
        let full = matches!(&error, rotula_report::Error::Write { source, .. }
            if matches!(source.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded));
        let help = match full {
            true => {
                "make room, or choose another directory with `--output`; what was there before is as it was"
            }
            false => "choose another directory with `--output`, one that you may write to",
        };
        Fault::new(error.to_string(), help)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl Diagnostic for Fault {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        let help = self.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        match self.shown()? {
            Marked::Model(error) => error.source_code(),
            Marked::Text { source, .. } => Some(source),
        }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        match self.shown()? {
            Marked::Model(error) => error.labels(),
            Marked::Text { span, .. } => {
                let label = LabeledSpan::new_with_span(Some("here".into()), span.clone());
                Some(Box::new(std::iter::once(label)))
            }
        }
    }
}

impl Marked {
    /// Bytes of the lines around the place.
    fn size(&self) -> usize {
        let (source, span): (Option<&dyn SourceCode>, _) = match self {
            Marked::Model(error) => {
                (error.source_code(), error.place().map(|place| place.span.clone()))
            }
            Marked::Text { source, span } => (Some(source), Some(span.clone())),
        };
        let around = |(source, span): (&dyn SourceCode, Range<usize>)| {
            source.read_span(&span.into(), 1, 1).ok().map(|lines| lines.data().len())
        };
        source.zip(span).and_then(around).unwrap_or(0)
    }
}

/// Line and column of a byte, both counted from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// Prints lines. A reader that has gone away is no reason to fail.
pub(crate) fn say(text: &str) {
    let _ = writeln!(stdout(), "{text}");
}

/// Prints what went wrong, shortened where it is too long to be read.
pub(crate) fn complain(text: &str) {
    print(&shorten(text));
}

fn print(text: &str) {
    let _ = writeln!(stderr(), "{text}");
}
