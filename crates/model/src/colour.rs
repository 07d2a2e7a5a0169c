//! Colours of bodies in pictures: a name, or red, green and blue; and how opaque they are.

use crate::fields::Fields;
use crate::reading::{ModelError, Scope, near};

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

/// How a thing looks.
#[derive(Debug, PartialEq)]
pub(crate) struct Look {
    /// `#rrggbb`, if it is given.
    pub colour: Option<String>,
    /// From 0 to 1, if it is given, as such or with the colour.
    pub opacity: Option<f64>,
}

/// Reads `colour` and `opacity`.
pub(crate) fn look(fields: &Fields, scope: &mut Scope) -> Result<Look, ModelError> {
    let mut look = Look { colour: None, opacity: fields.number("opacity", scope)? };
    if let Some(opacity) = look.opacity.filter(|opacity| !(0.0..=1.0).contains(opacity)) {
        let message = format!("{} is {opacity}", fields.at("opacity"));
        let error = ModelError::new(fields.place_of("opacity"), message);
        return Err(
            error.with_help("give a number from 0, not seen, to 1, which hides what is behind")
        );
    }
    let Some((item, text)) = fields.get("colour").and_then(|item| Some((item, item.text()?)))
    else {
        return Ok(look);
    };
    if let Some((_, colour)) = NAMES.iter().find(|(name, _)| text == *name) {
        look.colour = Some((*colour).to_owned());
        return Ok(look);
    }
    let digits = text.strip_prefix('#').unwrap_or_default();
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) || ![6, 8].contains(&digits.len()) {
        let message = format!("{} is `{text}`, which is no colour", fields.at("colour"));
        let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        let help = match near(text, &names) {
            Some(name) => format!("did you mean `{name}`?"),
            None => "write red, green and blue as in \"#3465a4\", with opacity as in \"#3465a480\", or a name such as \"orange\"".into(),
        };
        return Err(ModelError::new(&item.place, message).with_help(help));
    }
    if let Ok(alpha) = u8::from_str_radix(&digits[6..], 16) {
        fields.refuse(&["opacity"], "the last two digits of the colour say how opaque it is")?;
        look.opacity = Some(f64::from(alpha) / 255.0);
    }
    look.colour = Some(format!("#{}", &digits[..6]));
    Ok(look)
}
