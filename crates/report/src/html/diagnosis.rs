//! Why a run failed and what to beware of, at the head of its report.

use super::escape::escape;
use super::with_code;
use crate::numbers::precise;
use crate::run::Run;
use crate::words::unit;
use rotula_dae::Diagnosis;
use std::ops::Deref;

/// The diagnosis of a run that failed, and warnings if there are any.
pub(crate) fn markup(run: &Run) -> String {
    let mut markup = run.diagnosis.map_or_else(String::new, |diagnosis| failure(run, diagnosis));
    if !run.warnings.is_empty() {
        markup += &format!(
            "<section class=\"warnings\"><h2>Beware</h2><ul>{}</ul></section>",
            list(&run.warnings)
        );
    }
    markup
}

fn list<T: Deref<Target = str>>(items: &[T]) -> String {
    items.iter().map(|item| format!("<li>{}</li>", with_code(item))).collect()
}

fn failure(run: &Run, diagnosis: &Diagnosis) -> String {
    let mut markup = format!(
        "<section class=\"diagnosis\"><h2>Stopped at t = {}{}</h2><p class=\"message\">{}</p>",
        precise(diagnosis.t),
        escape(&unit(&run.units.time)),
        with_code(&diagnosis.message)
    );
    if !diagnosis.evidence.is_empty() {
        markup += &format!("<h3>Evidence</h3><ul>{}</ul>", list(&diagnosis.evidence));
    }
    if !diagnosis.remedies.is_empty() {
        markup += &format!("<h3>What to try</h3><ol>{}</ol>", list(&diagnosis.remedies));
    }
    markup + "</section>"
}
