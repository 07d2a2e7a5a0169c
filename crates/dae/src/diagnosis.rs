//! Why a run ended early, in words: what failed, where, what dominated, what to try.

use serde::Serialize;
use std::fmt;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Failure {
    /// The initial state violates constraints and projection was not allowed or did not converge.
    InconsistentStart,
    /// Constraints depend on each other.
    RedundantConstraints,
    /// Constraints depend on each other and ask for different things.
    ContradictoryConstraints,
    /// The mass matrix is singular in a direction that no constraint holds.
    SingularMass,
    /// The iteration matrix is singular during the march.
    SingularMatrix,
    /// A formula gave a number that is not finite.
    NotFinite,
    /// The iteration did not converge, down to the smallest step.
    NotConverged,
    /// The local error stayed above the tolerance, down to the smallest step.
    ErrorTooLarge,
    /// Latches change without end, in no time.
    EndlessChanges,
    /// The formulation cannot treat this system.
    Unsupported,
    /// An observer asked to stop.
    Interrupted,
}

impl Failure {
    /// Whether constraints that have become nearly dependent may be behind it.
    pub(crate) fn may_be_singular(&self) -> bool {
        matches!(
            self,
            Failure::NotConverged
                | Failure::ErrorTooLarge
                | Failure::SingularMass
                | Failure::SingularMatrix
                | Failure::RedundantConstraints
        )
    }
}

/// What a sentence speaks of, for whoever knows where it stands, such as in a model file.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A coordinate, its velocity or equation of motion, by its name.
    Coordinate(String),
    /// A constraint.
    Constraint(String),
    /// A first-order state.
    State(String),
    /// An algebraic variable.
    Variable(String),
    /// A contact.
    Contact(String),
    /// A body, force, joint or whatever else has a name.
    Thing(String),
    /// A formula, by its path, such as `force.x`.
    Formula(String),
    /// A key of the settings, dotted, such as `newton.tolerance`.
    Setting(String),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Subject {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Subject::Coordinate(name)
            | Subject::Constraint(name)
            | Subject::State(name)
            | Subject::Variable(name)
            | Subject::Contact(name)
            | Subject::Thing(name)
            | Subject::Formula(name)
            | Subject::Setting(name) => name,
        }
    }
}

/// A sentence, and what it speaks of, the most important first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sentence {
    text: String,
    about: Vec<Subject>,
}

impl Sentence {
    /// A sentence about things.
    pub fn about(text: impl Into<String>, subjects: impl IntoIterator<Item = Subject>) -> Sentence {
        Sentence { text: text.into(), about: subjects.into_iter().collect() }
    }

    /// What it speaks of.
    pub fn subjects(&self) -> &[Subject] {
        &self.about
    }

    /// The sentence within another one, which speaks of the same.
    pub fn within(self, text: impl FnOnce(&str) -> String) -> Sentence {
        Sentence { text: text(&self.text), about: self.about }
    }
}

impl<T: Into<String>> From<T> for Sentence {
    fn from(text: T) -> Sentence {
        Sentence { text: text.into(), about: Vec::new() }
    }
}

impl std::ops::Deref for Sentence {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl PartialEq<&str> for Sentence {
    fn eq(&self, text: &&str) -> bool {
        self.text == *text
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Sentence {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.text)
    }
}

/// A failure explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// The kind of failure.
    pub failure: Failure,
    /// Time reached.
    pub t: f64,
    /// What happened and where.
    pub message: Sentence,
    /// Facts: dominant residuals, iteration history, step history.
    pub evidence: Vec<Sentence>,
    /// What to try, most promising first.
    pub remedies: Vec<String>,
}

impl Diagnosis {
    /// What happened at a time, for want of evidence and remedies.
    pub fn new(failure: Failure, t: f64, message: impl Into<Sentence>) -> Diagnosis {
        Diagnosis {
            failure,
            t,
            message: message.into(),
            evidence: Vec::new(),
            remedies: Vec::new(),
        }
    }

    /// The facts that speak for it.
    pub fn because<T: Into<Sentence>>(self, evidence: impl IntoIterator<Item = T>) -> Diagnosis {
        Diagnosis { evidence: evidence.into_iter().map(T::into).collect(), ..self }
    }

    /// What to try.
    pub fn remedied_by(self, remedies: Vec<String>) -> Diagnosis {
        Diagnosis { remedies, ..self }
    }

    /// The end of a run that somebody stopped.
    pub fn interrupted(t: f64) -> Diagnosis {
        Diagnosis::new(
            Failure::Interrupted,
            t,
            format!("stopped on request at t = {}", readable(t)),
        )
    }

    /// Everything that it speaks of: first what the message does, then the evidence.
    pub fn subjects(&self) -> impl Iterator<Item = &Subject> {
        std::iter::once(&self.message).chain(&self.evidence).flat_map(Sentence::subjects)
    }

    /// Message and evidence, a fact in a line.
    pub fn message_and_evidence(&self) -> String {
        self.evidence.iter().fold(self.message.to_string(), |text, fact| text + "\n- " + fact)
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        for fact in &self.evidence {
            write!(f, "\n  - {fact}")?;
        }
        if !self.remedies.is_empty() {
            write!(f, "\nTry:")?;
            for (i, remedy) in self.remedies.iter().enumerate() {
                write!(f, "\n  {}. {remedy}", i + 1)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Diagnosis {}

/// Names in backticks.
pub(crate) fn quoted(subjects: &[Subject]) -> String {
    subjects.iter().map(|subject| format!("`{subject}`")).collect::<Vec<_>>().join(", ")
}

/// Sentences one after the other.
pub(crate) fn listed(sentences: &[Sentence]) -> String {
    sentences.iter().map(|sentence| &**sentence).collect::<Vec<_>>().join("; ")
}

/// A time to six digits, without zeros at its end.
pub(crate) fn readable(t: f64) -> String {
    let rounded: f64 = format!("{t:.5e}").parse().unwrap_or(t);
    match rounded.abs() {
        size if size != 0.0 && !(1e-4..1e7).contains(&size) => format!("{rounded:e}"),
        _ => format!("{rounded}"),
    }
}
