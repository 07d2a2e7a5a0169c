//! Colours and shades.

/// Distinct also for those who see few colours.
const COLOURS: [[u8; 3]; 7] = [
    [0x2f, 0x6d, 0xa8],
    [0xd0, 0x7a, 0x1a],
    [0x2e, 0x8b, 0x6f],
    [0xb0, 0x4a, 0x78],
    [0x6b, 0x5b, 0x9a],
    [0x8c, 0x6d, 0x31],
    [0x4a, 0x9b, 0xc4],
];
/// The ground.
const GROUND: [u8; 3] = [0x8a, 0x8f, 0x94];

/// The colour of a body by its number: the given one, as in `#3465a4`, or the usual one.
pub fn colour(body: usize, given: Option<&str>) -> [u8; 3] {
    match (given.and_then(parse), body) {
        (Some(colour), _) => colour,
        (None, 0) => GROUND,
        (None, body) => COLOURS[(body - 1) % COLOURS.len()],
    }
}

fn parse(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |k: usize| u8::from_str_radix(&digits[2 * k..2 * k + 2], 16).ok();
    Some([part(0)?, part(1)?, part(2)?])
}

/// A colour as SVG writes it; `light` from −1, black, over 0, as it is, to 1, white.
pub(crate) fn shade(colour: [u8; 3], light: f64) -> String {
    let towards = if light > 0.0 { 255.0 } else { 0.0 };
    let mix = |part: u8| {
        let part = f64::from(part);
        (part + (towards - part) * light.abs().min(1.0)).round() as u8
    };
    let [r, g, b] = colour.map(mix);
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_and_shaded() {
        assert_eq!(colour(1, Some("#102030")), [0x10, 0x20, 0x30]);
        assert_eq!(colour(1, Some("blue")), COLOURS[0]);
        assert_eq!(shade([10, 20, 30], 0.0), "#0a141e");
        assert_eq!(shade([10, 20, 30], 1.0), "#ffffff");
        assert_eq!(shade([10, 20, 30], -1.0), "#000000");
    }
}
