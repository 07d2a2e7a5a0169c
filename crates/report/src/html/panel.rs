//! The places that the script of the page fills with plots.

use super::escape::escape;
use crate::panels::Panel;

/// Links to all panels.
pub(crate) fn contents(panels: &[Panel]) -> String {
    panels
        .iter()
        .map(|panel| format!("<a href=\"#{}\">{}</a>", panel.id, escape(&panel.title)))
        .collect()
}

/// One section for each panel.
pub(crate) fn sections(panels: &[Panel]) -> String {
    panels.iter().map(section).collect()
}

fn section(panel: &Panel) -> String {
    let note = match panel.note.as_str() {
        "" => String::new(),
        note => format!("<p class=\"note\">{}</p>", escape(note)),
    };
    format!(
        "<section class=\"panel\" id=\"{}\"><header><h2>{}</h2><div class=\"controls\"></div></header>\
         {note}<div class=\"plot\"></div><div class=\"legend\"></div></section>",
        panel.id,
        escape(&panel.title)
    )
}
