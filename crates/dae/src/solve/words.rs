//! The allowed words, and how a given one is matched against them.

use crate::error::SettingsError;
use serde::{Deserialize, Deserializer};

pub(super) const FORMULATIONS: &[&str] = &[
    "index3",
    "index2",
    "index1",
    "baumgarte",
    "ggl",
    "pva",
    "soi2",
    "hht-soi2",
    "hht-i3",
    "projected",
    "dae-alpha",
    "nonsmooth",
    "moreau-jean",
    "bdf",
];
pub(super) const VARIANTS: &[&str] = &["73", "74"];
pub(super) const NONSMOOTH_VARIANTS: &[&str] = &["star", "printed"];
pub(super) const STRATEGIES: &[&str] = &["1", "2", "3", "pvv", "pva"];
pub(super) const NONSMOOTH_ITERATIONS: &[&str] = &["auto", "split", "monolithic", "sweeps"];
pub(super) const MASS: &[&str] = &["stored", "evaluated"];
pub(super) const MODES: &[&str] = &["paper", "recommended"];
pub(super) const ITERATIONS: &[&str] = &["newton", "cs", "cm", "hybrid"];
pub(super) const MULTIPLIERS: &[&str] = &["acceleration", "velocity"];
pub(super) const FORMS: &[&str] = &["index3", "si2"];
pub(super) const INITIAL: &[&str] =
    &["refuse", "project-velocities", "project", "equilibrium", "trust"];
pub(super) const REDUNDANT: &[&str] = &["refuse", "solve"];
pub(super) const START: &[&str] = &["initial", "shifted", "clean"];
pub(super) const REACTIONS: &[&str] = &["raw", "recomputed"];
pub(super) const ADJUSTMENTS: &[&str] = &["off", "extrapolated", "acceleration-only", "rescaled"];

/// Lets a word that looks like a number stand without quotes.
pub(super) fn word_or_number<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(i64),
        Word(String),
    }
    let given = Option::<Either>::deserialize(deserializer)?;
    Ok(given.map(|given| match given {
        Either::Number(number) => number.to_string(),
        Either::Word(word) => word,
    }))
}

/// The allowed word that was given, or the default.
pub(super) fn word(
    what: &'static str,
    given: &Option<String>,
    allowed: &'static [&'static str],
    default: &'static str,
) -> Result<&'static str, SettingsError> {
    let Some(given) = given else { return Ok(default) };
    allowed.iter().copied().find(|word| word == given).ok_or_else(|| {
        let mut list = allowed.join(", ");
        if let Some(near) = nearest(given, allowed) {
            list.push_str(&format!(" (did you mean `{near}`?)"));
        }
        SettingsError::UnknownWord { what, value: given.clone(), allowed: list }
    })
}

/// The allowed word with the fewest edits, if at most a third of the letters differ.
fn nearest(given: &str, allowed: &[&'static str]) -> Option<&'static str> {
    let given = given.to_lowercase().replace([' ', '_'], "-");
    let letters: Vec<char> = given.chars().collect();
    allowed
        .iter()
        .map(|&word| (edits(&letters, &word.chars().collect::<Vec<_>>()), word))
        .filter(|&(edits, _)| edits <= letters.len().div_ceil(3))
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, word)| word)
}

/// Levenshtein's distance.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let replaced = diagonal + usize::from(a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
