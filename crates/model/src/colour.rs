//! Colours of bodies in pictures: a name, or red, green and blue.

use crate::fields::Fields;
use rotula_reading::{ModelError, near};

/// Names as in web pages.
const NAMES: [(&str, &str); 24] = [
    ("black", "#000000"),
    ("blue", "#0000ff"),
    ("brown", "#a52a2a"),
    ("crimson", "#dc143c"),
    ("cyan", "#00ffff"),
    ("darkblue", "#00008b"),
    ("darkgreen", "#006400"),
    ("darkred", "#8b0000"),
    ("gold", "#ffd700"),
    ("gray", "#808080"),
    ("green", "#008000"),
    ("grey", "#808080"),
    ("lightgray", "#d3d3d3"),
    ("lightgrey", "#d3d3d3"),
    ("magenta", "#ff00ff"),
    ("navy", "#000080"),
    ("olive", "#808000"),
    ("orange", "#ffa500"),
    ("pink", "#ffc0cb"),
    ("purple", "#800080"),
    ("red", "#ff0000"),
    ("teal", "#008080"),
    ("white", "#ffffff"),
    ("yellow", "#ffff00"),
];

/// The colour of a thing as `#rrggbb`, if it is given.
pub(crate) fn colour(fields: &Fields) -> Result<Option<String>, ModelError> {
    let Some((item, text)) = fields.get("colour").and_then(|item| Some((item, item.text()?)))
    else {
        return Ok(None);
    };
    if let Some((_, colour)) = NAMES.iter().find(|(name, _)| text == *name) {
        return Ok(Some((*colour).to_owned()));
    }
    if is_hexadecimal(text) {
        return Ok(Some(text.to_owned()));
    }
    let message = format!("{} is `{text}`, which is no colour", fields.at("colour"));
    let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
    let help = match near(text, &names) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "write red, green and blue as in \"#3465a4\", or a name such as \"orange\"".into(),
    };
    Err(ModelError::new(&item.place, message).with_help(help))
}

fn is_hexadecimal(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}
