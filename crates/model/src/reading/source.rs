//! Texts and places in them.

use crate::reading::copied::Copied;
use crate::reading::error::ModelError;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A text that a user wrote: the model file, or one override.
#[derive(Debug)]
pub struct Source {
    /// What errors call it.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// Some bytes of a source.
#[derive(Clone, Debug)]
pub struct Place {
    /// The text.
    pub source: Arc<Source>,
    /// The bytes.
    pub span: Range<usize>,
    /// The copy of a part that what stands there belongs to.
    pub copy: Option<Arc<Copied>>,
}

impl Source {
    /// Reads a file; errors call it as the user does.
    pub fn read(path: &Path) -> Result<Arc<Source>, ModelError> {
        let name = path.display().to_string();
        match rotula_files::read_to_string(path) {
            Ok(text) => Ok(Arc::new(Source { name, text })),
            Err(error) => {
                let fault = ModelError::file(&name, format!("the file cannot be read: {error}"));
                Err(fault.with_help("check its name and that it is a text in UTF-8"))
            }
        }
    }
}

impl Place {
    /// Some bytes of a source.
    pub fn new(source: &Arc<Source>, span: Range<usize>) -> Self {
        Place { source: source.clone(), span, copy: None }
    }

    /// File, line and column.
    pub fn in_words(&self) -> String {
        let (line, column) = self.line_and_column();
        format!("{}:{line}:{column}", self.source.name)
    }

    /// Line and column of the first character, both counted from 1.
    pub fn line_and_column(&self) -> (usize, usize) {
        let text = &self.source.text;
        let mut end = self.span.start.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }

    /// The place of some bytes of the decoded content of the TOML string that stands here.
    pub fn inside_string(&self, content: Range<usize>) -> Place {
        let raw = &self.source.text[self.span.clone()];
        let positions = decoded_positions(raw);
        let at = |index: usize| self.span.start + positions[index.min(positions.len() - 1)];
        let start = at(content.start);
        // an end beyond its start keeps the last character, whatever its escape
        let end = if content.end > content.start { at(content.end) } else { start };
        Place { span: start..end.max(start), ..self.clone() }
    }
}

/// For each byte of the decoded content of a TOML string, and for its end, the position in the raw text.
fn decoded_positions(raw: &str) -> Vec<usize> {
    let quote = raw.chars().next().filter(|&c| {
        let quoted = c == '"' || c == '\'';
        quoted && raw.len() > 1 && raw.ends_with(c)
    });
    let Some(quote) = quote else {
        // the value of an override may stand without quotes
        return (0..=raw.len()).collect();
    };
    let triple = raw.len() >= 6 && raw.bytes().take(3).all(|byte| byte == quote as u8);
    let width = if triple { 3 } else { 1 };
    let end = raw.len().saturating_sub(width).max(width);
    let mut at = width;
    if triple {
        // a newline right after the opening quotes is not content
        at += raw[at..].len() - raw[at..].strip_prefix('\r').unwrap_or(&raw[at..]).len();
        at += raw[at..].len() - raw[at..].strip_prefix('\n').unwrap_or(&raw[at..]).len();
    }
    let mut positions = Vec::with_capacity(raw.len());
    while at < end {
        let rest = &raw[at..end];
        let (raw_length, decoded_length) = if quote == '"' && rest.starts_with('\\') {
            escape(rest)
        } else {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            (length, length)
        };
        positions.extend((0..decoded_length).map(|k| at + k.min(raw_length - 1)));
        at += raw_length;
        // an override without proper quotes may hold anything
        while !raw.is_char_boundary(at) {
            at += 1;
        }
    }
    positions.push(end);
    positions
}

/// Lengths in bytes of the escape that `rest` begins with, raw and decoded.
fn escape(rest: &str) -> (usize, usize) {
    let digits = match rest.as_bytes().get(1) {
        Some(b'x') => 2,
        Some(b'u') => 4,
        Some(b'U') => 8,
        Some(b' ' | b'\t' | b'\r' | b'\n') => {
            // a backslash at the end of a line joins the next one
            let space = rest[1..].len() - rest[1..].trim_start().len();
            return (1 + space, 0);
        }
        _ => return (rest.len().min(2), 1),
    };
    let length = (2 + digits).min(rest.len());
    let code = rest.get(2..length).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    (length, code.and_then(char::from_u32).map_or(1, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(raw: &str, content: Range<usize>) -> Range<usize> {
        let source = Arc::new(Source { name: String::new(), text: raw.to_owned() });
        Place::new(&source, 0..raw.len()).inside_string(content).span
    }

    #[test]
    fn positions_survive_quotes_and_escapes() {
        assert_eq!(inside(r#""a*b""#, 2..3), 3..4);
        assert_eq!(inside("'a*b'", 2..3), 3..4);
        assert_eq!(inside("\"\"\"\na*b\"\"\"", 2..3), 6..7);
        assert_eq!(inside("\"\"\"a \\\n  *b\"\"\"", 3..4), 10..11);
        assert_eq!(inside(r#""\u00e9*b""#, 3..4), 8..9);
        assert_eq!(inside("a*b", 2..3), 2..3);
        assert_eq!(inside("\"é", 1..2), 1..2);
        assert_eq!(inside("\"\\é\"", 0..1).start, 1);
    }

    #[test]
    fn columns_count_characters() {
        let source = Arc::new(Source { name: String::new(), text: "é\nαβγ".into() });
        assert_eq!(Place::new(&source, 7..9).line_and_column(), (2, 3));
    }
}
