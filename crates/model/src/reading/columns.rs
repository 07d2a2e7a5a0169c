//! Columns of numbers in a text file: cells separated by commas, semicolons, tabs or spaces, under names or not.

use crate::reading::error::ModelError;
use crate::reading::source::{Place, Source};
use crate::reading::suggest::did_you_mean;
use std::ops::Range;
use std::sync::Arc;

/// Numbers, and where each of them stands.
pub(crate) struct Column {
    pub values: Vec<f64>,
    pub places: Vec<Place>,
}

/// A file of columns, cut into cells.
pub(crate) struct Columns {
    source: Arc<Source>,
    /// Names of the columns: those of the first line, or their numbers from 1.
    names: Vec<String>,
    rows: Vec<Vec<Range<usize>>>,
    /// Whether a comma is the decimal point.
    decimal_comma: bool,
}

impl Columns {
    /// Cuts a text into cells. Lines that are empty or begin with `#` or `%` are passed over; a first line with a cell that is
    /// no number holds names.
    pub(crate) fn new(source: Arc<Source>) -> Result<Columns, ModelError> {
        let mut lines = Vec::new();
        let mut start = if source.text.starts_with('\u{feff}') { 3 } else { 0 };
        for line in source.text[start..].split_inclusive('\n') {
            let plain = line.trim();
            if !(plain.is_empty() || plain.starts_with(['#', '%'])) {
                lines.push(start..start + line.trim_end().len());
            }
            start += line.len();
        }
        let Some(first) = lines.first().cloned() else {
            let error = ModelError::new(&Place::new(&source, 0..0), "the file has no rows");
            return Err(error.with_help("give a line of names and a row of numbers for each point"));
        };
        let separator =
            [';', '\t', ','].into_iter().find(|c| source.text[first.clone()].contains(*c));
        let mut rows: Vec<Vec<Range<usize>>> =
            lines.into_iter().map(|line| cells(&source.text, line, separator)).collect();
        let mut columns = Columns {
            names: Vec::new(),
            rows: Vec::new(),
            decimal_comma: separator == Some(';'),
            source,
        };
        let text = |cell: &Range<usize>| columns.source.text[cell.clone()].to_owned();
        let named = rows[0].iter().any(|cell| columns.number(cell).is_none());
        columns.names = match named {
            true => rows.remove(0).iter().map(text).collect(),
            false => (1..=rows[0].len()).map(|k| k.to_string()).collect(),
        };
        columns.rows = rows;
        Ok(columns)
    }

    /// How many columns there are.
    pub(crate) fn width(&self) -> usize {
        self.names.len()
    }

    /// The column of this name; else what is wrong and what would be right.
    pub(crate) fn find(&self, name: &str) -> Result<usize, (String, String)> {
        self.names.iter().position(|known| known == name).ok_or_else(|| {
            let known = self.names.iter().map(String::as_str).collect();
            let message = format!("{} has no column `{name}`", self.source.name);
            (message, did_you_mean(name, known))
        })
    }

    /// The numbers of a column.
    pub(crate) fn column(&self, index: usize) -> Result<Column, ModelError> {
        let mut column = Column { values: Vec::new(), places: Vec::new() };
        for row in &self.rows {
            let Some(cell) = row.get(index) else {
                let line =
                    row.first().map_or(0, |cell| cell.start)..row.last().map_or(0, |c| c.end);
                let message =
                    format!("this row has no cell for the column `{}`", self.names[index]);
                let error = ModelError::new(&Place::new(&self.source, line), message);
                return Err(error.with_help("give every row as many cells as there are columns"));
            };
            let place = Place::new(&self.source, cell.clone());
            match self.number(cell).filter(|value| value.is_finite()) {
                Some(value) => column.values.push(value),
                None => {
                    let text = &self.source.text[cell.clone()];
                    let message = format!(
                        "`{text}` in the column `{}` is not a finite number",
                        self.names[index]
                    );
                    let help = "leave the row out, or fill the gap with a number";
                    return Err(ModelError::new(&place, message).with_help(help));
                }
            }
            column.places.push(place);
        }
        Ok(column)
    }

    fn number(&self, cell: &Range<usize>) -> Option<f64> {
        let text = &self.source.text[cell.clone()];
        match self.decimal_comma {
            true => text.replace(',', ".").parse().ok(),
            false => text.parse().ok(),
        }
    }
}

/// The cells of a line, without quotes and the spaces around them.
fn cells(text: &str, line: Range<usize>, separator: Option<char>) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let (mut start, mut quoted) = (line.start, false);
    for (at, c) in text[line.clone()].char_indices() {
        let at = line.start + at;
        let ends = separator.map_or_else(|| c.is_whitespace(), |separator| c == separator);
        if c == '"' {
            quoted = !quoted;
        } else if ends && !quoted {
            cells.push(start..at);
            start = at + c.len_utf8();
        }
    }
    cells.push(start..line.end);
    if separator.is_none() {
        cells.retain(|cell| !cell.is_empty());
    }
    let trimmed = |cell: Range<usize>| {
        let raw = &text[cell.clone()];
        let is_edge = |c: char| c.is_whitespace() || c == '"';
        let inner = raw.trim_matches(is_edge);
        let start = cell.start + (raw.len() - raw.trim_start_matches(is_edge).len());
        start..start + inner.len()
    };
    cells.into_iter().map(trimmed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, name: &str) -> Vec<f64> {
        let source = Arc::new(Source { name: "road.csv".into(), text: text.into() });
        let columns = Columns::new(source).unwrap();
        columns.column(columns.find(name).unwrap()).unwrap().values
    }

    #[test]
    fn separators_names_comments_and_decimal_commas() {
        assert_eq!(read("x,y\n0,1\n# note\n\n1,-2e-3\n", "y"), [1.0, -2e-3]);
        assert_eq!(read("\u{feff}\"x, m\";\"y\"\r\n0,5;1,25\r\n2;3", "x, m"), [0.5, 2.0]);
        assert_eq!(read("  0   1\n  2\t3 \n", "2"), [1.0, 3.0]);
        assert_eq!(read("% made by hand\n0\t4\n1\t5\n", "1"), [0.0, 1.0]);
    }
}
