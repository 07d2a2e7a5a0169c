//! Texts of an SVG as outlines of a font of our own, so that every machine draws the same and nothing has to shape text.

use super::draw::FONT;
use roxmltree::{Document, Node};
use std::fmt::Write;
use ttf_parser::{Face, FaceParsingError, OutlineBuilder};

/// The two weights in which figures are written.
struct Fonts<'a> {
    regular: Face<'a>,
    bold: Face<'a>,
}

/// The same figure without text elements.
pub(super) fn outlined(svg: &str) -> Result<String, String> {
    let face =
        |data: &'static [u8]| Face::parse(data, 0).map_err(|e: FaceParsingError| e.to_string());
    let fonts =
        Fonts { regular: face(dejavu::sans::regular())?, bold: face(dejavu::sans::bold())? };
    let document = Document::parse(svg).map_err(|error| error.to_string())?;
    let mut drawn = String::with_capacity(4 * svg.len());
    let mut rest = 0;
    for node in document.descendants().filter(|node| node.has_tag_name("text")) {
        let range = node.range();
        drawn += &svg[rest..range.start];
        drawn += &fonts.outline(node);
        rest = range.end;
    }
    Ok(drawn + &svg[rest..])
}

impl Fonts<'_> {
    /// A path with the attributes that a text has.
    fn outline(&self, text: Node) -> String {
        let number = |name: &str, usual: f64| {
            text.attribute(name).and_then(|value| value.parse().ok()).unwrap_or(usual)
        };
        let face = match text.attribute("font-weight") {
            Some("bold") => &self.bold,
            _ => &self.regular,
        };
        let scale = number("font-size", FONT) / f64::from(face.units_per_em());
        let glyphs: Vec<_> = text
            .text()
            .unwrap_or_default()
            .chars()
            .map(|letter| face.glyph_index(letter).unwrap_or_default())
            .collect();
        let advance = |glyph| scale * f64::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        let width: f64 = glyphs.iter().map(|&glyph| advance(glyph)).sum();
        let begin = match text.attribute("text-anchor") {
            Some("middle") => -width / 2.0,
            Some("end") => -width,
            _ => 0.0,
        };
        let mut pen =
            Pen { x: number("x", 0.0) + begin, y: number("y", 0.0), scale, path: String::new() };
        for glyph in glyphs {
            face.outline_glyph(glyph, &mut pen);
            pen.x += advance(glyph);
        }
        let kept = ["fill", "transform"]
            .into_iter()
            .filter_map(|name| text.attribute(name).map(|value| format!(" {name}=\"{value}\"")));
        format!("<path{} d=\"{}\"/>", kept.collect::<String>(), pen.path)
    }
}

/// Draws glyphs where it stands; fonts look up, figures down.
struct Pen {
    x: f64,
    y: f64,
    scale: f64,
    path: String,
}

impl Pen {
    fn draw(&mut self, word: char, points: &[(f32, f32)]) {
        self.path.push(word);
        for &(x, y) in points {
            let (x, y) = (self.x + self.scale * f64::from(x), self.y - self.scale * f64::from(y));
            // writing to a String cannot fail
            let _ = write!(self.path, "{x:.2} {y:.2} ");
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.draw('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.draw('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.draw('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.draw('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.path.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::outlined;

    #[test]
    fn texts_become_paths_where_they_stood() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><text x=\"10\" y=\"20\" text-anchor=\"end\" \
                   fill=\"#123456\">a &lt; ⁻³</text><rect/></svg>";
        let drawn = outlined(svg).unwrap();
        assert!(!drawn.contains("text") && drawn.contains("<rect/>") && drawn.contains("#123456"));
        let path = &drawn[drawn.find(" d=\"").unwrap() + 4..];
        let numbers: Vec<f64> = path[..path.find('"').unwrap()]
            .split(|c: char| !(c.is_ascii_digit() || ".-".contains(c)))
            .filter_map(|word| word.parse().ok())
            .collect();
        let (across, down): (Vec<f64>, Vec<f64>) =
            numbers.chunks_exact(2).map(|point| (point[0], point[1])).unzip();
        // five letters of 13 points end at 10, and stand on the line
        assert!(across.iter().all(|&x| (-40.0..10.0).contains(&x)), "{across:?}");
        assert!(down.iter().all(|&y| (8.0..20.5).contains(&y)), "{down:?}");
    }
}
