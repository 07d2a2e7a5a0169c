//! Fields of lines, with their places.

use crate::error::{MeshError, Place};

/// A piece of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) text: &'a str,
    pub(crate) place: Place,
}

impl<'a> Field<'a> {
    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn fault(
        &self,
        file: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> MeshError {
        MeshError::new(file, self.place, message, help)
    }

    /// A number, as Fortran, C or Nastran write it: `1.5e-3`, `1.5d-3`, `1.5-3`.
    pub(crate) fn number(&self, file: &str, what: &str) -> Result<f64, MeshError> {
        parse(self.text).ok_or_else(|| {
            let message = format!("{what} is `{}`, not a number", self.text);
            self.fault(file, message, "write a number such as 210e9")
        })
    }

    /// A whole number that is not negative.
    pub(crate) fn label(&self, file: &str, what: &str) -> Result<u64, MeshError> {
        self.text.parse().map_err(|_| {
            let message = format!("{what} is `{}`, not a whole number", self.text);
            self.fault(file, message, "write a positive whole number")
        })
    }
}

fn parse(text: &str) -> Option<f64> {
    let sound = |value: f64| value.is_finite().then_some(value);
    // the words that Rust takes for numbers are none in a mesh
    if text.starts_with(|c: char| c.is_alphabetic()) {
        return None;
    }
    if let Ok(value) = text.parse::<f64>() {
        return sound(value);
    }
    let exchanged = text.replace(['d', 'D'], "e");
    if let Ok(value) = exchanged.parse::<f64>() {
        return sound(value);
    }
    let sign = text.char_indices().skip(1).find(|(_, c)| *c == '+' || *c == '-')?.0;
    let (mantissa, exponent) = text.split_at(sign);
    format!("{mantissa}e{exponent}").parse().ok().and_then(sound)
}

/// The pieces of a line between commas, trimmed. An empty piece behind the last comma is none.
pub(crate) fn by_commas(line: &str, number: usize) -> Vec<Field<'_>> {
    let mut fields = pieces(line, number, |c| c == ',');
    if fields.len() > 1 && fields.last().is_some_and(Field::is_blank) {
        fields.pop();
    }
    fields
}

/// The words of a line.
pub(crate) fn by_spaces(line: &str, number: usize) -> Vec<Field<'_>> {
    let mut fields = pieces(line, number, char::is_whitespace);
    fields.retain(|field| !field.is_blank());
    fields
}

fn pieces(line: &str, number: usize, divides: impl Fn(char) -> bool) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut start = 0;
    let ends = line.char_indices().filter(|(_, c)| divides(*c)).map(|(at, c)| (at, c.len_utf8()));
    for (end, width) in ends.chain(std::iter::once((line.len(), 0))) {
        fields.push(piece(line, start..end, number));
        start = end + width;
    }
    fields
}

/// Some bytes of a line, trimmed.
pub(crate) fn piece(line: &str, range: std::ops::Range<usize>, number: usize) -> Field<'_> {
    let raw = &line[range.clone()];
    let text = raw.trim();
    let before = range.start + (raw.len() - raw.trim_start().len());
    let column = line[..before].chars().count() + 1;
    Field { text, place: Place { line: number, column } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_kinds() {
        let cases = [
            ("1.5", 1.5),
            ("-2", -2.0),
            ("1.5e-3", 1.5e-3),
            ("1.5D+3", 1500.0),
            ("7.85-9", 7.85e-9),
            ("-2.1+11", -2.1e11),
            (".5", 0.5),
        ];
        for (text, value) in cases {
            assert_eq!(parse(text), Some(value), "{text}");
        }
        for text in ["", "x", "nan", "inf", "1e400", "1.2.3", "--1", "1-"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn fields_know_their_columns() {
        let fields = by_commas("  1, 2.5 ,x,", 7);
        let columns: Vec<_> = fields.iter().map(|f| (f.text, f.place.column)).collect();
        assert_eq!(columns, [("1", 3), ("2.5", 6), ("x", 11)]);
        assert_eq!(by_spaces(" a  b", 1)[1].place, Place { line: 1, column: 5 });
    }
}
