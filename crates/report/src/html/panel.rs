//! The places that the script of the page fills with plots.

use super::escape::escape;
use crate::numbers::precise;
use crate::panels::{Curve, Grid, Panel};
use crate::words::unit;

/// So many values are shown without being asked for.
const FEW: usize = 12;

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

/// The values of all curves at the one instant that was recorded; many of them are folded away.
pub(crate) fn values(panels: &[Panel], t: &str) -> String {
    let mut out = format!("<p class=\"note\">One instant was recorded, t = {}.</p>", escape(t));
    for panel in panels.iter().filter(|panel| panel.grid == Grid::Recorded) {
        let row = |curve: &Curve| {
            let value = curve.values.first().copied().unwrap_or(f64::NAN);
            let (name, unit) = (escape(&curve.name), escape(&unit(&curve.unit)));
            format!("<tr><th>{name}</th><td>{}{unit}</td></tr>", precise(value))
        };
        let rows: String = panel.curves.iter().map(row).collect();
        let open = if panel.curves.len() <= FEW { " open" } else { "" };
        out += &format!(
            "<details id=\"{}\"{open}><summary>{}</summary><div><table class=\"facts\">{rows}</table>\
             </div></details>",
            panel.id,
            escape(&panel.title)
        );
    }
    format!("<section class=\"details\"><h2>Values</h2>{out}</section>")
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
