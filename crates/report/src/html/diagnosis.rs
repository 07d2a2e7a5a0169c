//! Why a run failed, at the head of its report.

use super::escape::escape;
use crate::numbers::precise;
use crate::run::Run;
use crate::words::unit;

/// The diagnosis, or nothing for a run that reached its end.
pub(crate) fn markup(run: &Run) -> String {
    let Some(diagnosis) = run.diagnosis else {
        return String::new();
    };
    let list = |items: &[String]| -> String {
        items.iter().map(|item| format!("<li>{}</li>", escape(item))).collect()
    };
    let mut markup = format!(
        "<section class=\"diagnosis\"><h2>Stopped at t = {}{}</h2><p class=\"message\">{}</p>",
        precise(diagnosis.t),
        escape(&unit(&run.units.time)),
        escape(&diagnosis.message)
    );
    if !diagnosis.evidence.is_empty() {
        markup += &format!("<h3>Evidence</h3><ul>{}</ul>", list(&diagnosis.evidence));
    }
    if !diagnosis.remedies.is_empty() {
        markup += &format!("<h3>What to try</h3><ol>{}</ol>", list(&diagnosis.remedies));
    }
    markup + "</section>"
}
