//! Cards of Nastran: names and fields, in small, large or free fields, over several lines.

use crate::error::{MeshError, Place};
use crate::read::fields::{Field, by_commas, piece};

/// A card with all its continuations. Eight fields come from each line.
pub(super) struct Card<'a> {
    pub(super) name: String,
    pub(super) place: Place,
    fields: Vec<Field<'a>>,
}

impl<'a> Card<'a> {
    /// A field, counted from zero behind the name; none if it is blank.
    pub(super) fn field(&self, index: usize) -> Option<Field<'a>> {
        self.fields.get(index).copied().filter(|field| !field.is_blank())
    }

    /// Number of fields up to the last that is not blank.
    pub(super) fn len(&self) -> usize {
        self.fields.iter().rposition(|field| !field.is_blank()).map_or(0, |last| last + 1)
    }

    fn required(&self, file: &str, index: usize, what: &str) -> Result<Field<'a>, MeshError> {
        self.field(index).ok_or_else(|| {
            let message = format!("{} has no {what} in field {}", self.name, index + 2);
            MeshError::new(file, self.place, message, "complete the card")
        })
    }

    pub(super) fn label(&self, file: &str, index: usize, what: &str) -> Result<u64, MeshError> {
        self.required(file, index, what)?.label(file, &format!("the {what} of {}", self.name))
    }

    pub(super) fn number(&self, file: &str, index: usize, what: &str) -> Result<f64, MeshError> {
        self.required(file, index, what)?.number(file, &format!("the {what} of {}", self.name))
    }

    /// A number; zero if the field is blank.
    pub(super) fn optional(&self, file: &str, index: usize, what: &str) -> Result<f64, MeshError> {
        match self.field(index) {
            Some(field) => field.number(file, &format!("the {what} of {}", self.name)),
            None => Ok(0.0),
        }
    }

    /// The word of a field; empty if it is blank.
    pub(super) fn word(&self, index: usize) -> Field<'a> {
        self.field(index).unwrap_or(Field { text: "", place: self.place })
    }
}

/// The cards of the bulk data.
pub(super) fn cards<'a>(file: &str, text: &'a str) -> Result<Vec<Card<'a>>, MeshError> {
    let begin = text.lines().position(|line| {
        let mut words = line.split_whitespace().map(str::to_ascii_uppercase);
        words.next().as_deref() == Some("BEGIN")
            && words.next().is_some_and(|w| w.starts_with("BULK"))
    });
    let mut cards: Vec<Card> = Vec::new();
    for (index, line) in text.lines().enumerate().skip(begin.map_or(0, |line| line + 1)) {
        let number = index + 1;
        let line = line.split('$').next().unwrap_or("");
        if line.trim().is_empty() {
            continue;
        }
        if let Some(at) = line.char_indices().find(|(_, c)| !c.is_ascii()).map(|(at, _)| at) {
            let place = piece(line, at..line.len(), number).place;
            let help = "Nastran's fields are made of ASCII characters";
            return Err(MeshError::new(file, place, "a character is not ASCII", help));
        }
        let fields = split(line, number);
        let name = fields[0].text.trim_end_matches('*').to_ascii_uppercase();
        if name == "ENDDATA" {
            break;
        }
        let goes_on = name.is_empty() || name.starts_with(['+', '*']);
        let width = if line.contains(',') || !is_large(line) { 8 } else { 4 };
        let mut data: Vec<Field> = fields[1..].iter().copied().take(width).collect();
        let blank = Field { text: "", place: fields[0].place };
        data.resize(width, blank);
        if !goes_on {
            cards.push(Card { name, place: fields[0].place, fields: data });
            continue;
        }
        let Some(card) = cards.last_mut() else {
            let message = "a continuation stands before any card";
            return Err(MeshError::new(file, fields[0].place, message, "begin with a card"));
        };
        card.fields.extend(data);
    }
    Ok(cards)
}

fn is_large(line: &str) -> bool {
    line[..line.len().min(8)].contains('*')
}

/// The fields of a line: divided by commas, or in columns of 8 or 16.
fn split(line: &str, number: usize) -> Vec<Field<'_>> {
    if line.contains(',') {
        return by_commas(line, number);
    }
    let width = if is_large(line) { 16 } else { 8 };
    let mut fields = vec![piece(line, 0..line.len().min(8), number)];
    let mut start = 8;
    while start < line.len() {
        fields.push(piece(line, start..line.len().min(start + width), number));
        start += width;
    }
    fields
}
