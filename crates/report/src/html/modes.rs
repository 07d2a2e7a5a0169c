//! The page of modes: the mechanism swings in each.

use super::escape::{escape, fill, script_json};
use super::live::CLOSED;
use super::{ANIMATION, STYLE, script, with_code};
use crate::atomic;
use crate::error::Error;
use crate::film;
use rotula_dae::analysis::{ModeKind, Modes};
use rotula_mechanics::picture::Film;
use serde_json::json;
use std::io::Write;
use std::path::Path;

const TEMPLATE: &str = include_str!("../../assets/modes.html");
const SCRIPT: &str = include_str!("../../assets/modes.js");

/// Modes and what a page shows of them.
pub struct ModePage<'a> {
    /// Title of the model.
    pub title: &'a str,
    /// Its file.
    pub model_file: &'a str,
    /// Name and version of the program.
    pub program: &'a str,
    /// The state about which it vibrates, in words.
    pub about: &'a str,
    /// The modes.
    pub modes: &'a Modes,
    /// The mechanism swinging in each, one unit of time after the other.
    pub film: &'a Film,
    /// The part of each unit that is shown.
    pub shown: f64,
}

/// Writes a page on which the mechanism swings in each of its modes.
pub fn write_modes(path: &Path, page: &ModePage) -> Result<(), Error> {
    let modes = &page.modes.modes;
    let rows: String = modes
        .iter()
        .enumerate()
        .map(|(k, mode)| {
            let kind = match mode.kind {
                ModeKind::RigidBody => "rigid-body",
                ModeKind::Oscillation => "oscillation",
                ModeKind::Decay => "decay",
                ModeKind::Growth => "growth",
            };
            format!(
                "<tr data-mode=\"{kind}\"><td><button type=\"button\">{}</button></td><td>{}</td><td>{}</td></tr>\n",
                k + 1,
                escape(&mode.conduct()),
                with_code(&mode.who())
            )
        })
        .collect();
    let about = page.about.lines().map(|line| format!("<p>{}</p>", escape(line)));
    let doubts = page.modes.doubts.iter();
    let doubts = doubts.map(|doubt| format!("<p>Beware: {}</p>", escape(doubt)));
    let about: String = about.chain(doubts).collect();
    let data = json!({
        "name": page.title,
        "time": "",
        "range": [0.0, modes.len() as f64],
        "grids": [],
        "panels": [],
        "events": [],
        "scene": film::scene(page.film),
        "shown": page.shown,
    });
    let script = script::PAGE.to_owned() + SCRIPT;
    let text = fill(
        TEMPLATE,
        &[
            ("policy", CLOSED),
            ("title", &escape(&format!("Modes of {}", page.title))),
            ("style", STYLE),
            ("model", &format!("<code>{}</code> · ", escape(page.model_file))),
            ("program", &escape(page.program)),
            ("about", &format!("<section class=\"story\">{about}</section>")),
            ("animation", ANIMATION),
            ("rows", &rows),
            ("data", &script_json(&data)),
            ("script", &script),
        ],
    );
    atomic::write(path, |file| file.write_all(text.as_bytes()))
}
