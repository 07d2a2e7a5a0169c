//! A table of a run in CSV, read as a user reads it.

use super::Place;

/// Columns under their headings.
pub struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The table of a file: every row is as long as the heading, and no two columns have the same one.
    pub fn read(place: &Place, name: &str) -> Self {
        let text = place.read(name);
        let mut lines = text.lines();
        let headings = split(lines.next().unwrap_or_else(|| panic!("{name} is empty")));
        let rows: Vec<Vec<String>> = lines.map(split).collect();
        for row in &rows {
            assert_eq!(row.len(), headings.len(), "{name}: {row:?}");
        }
        let mut sorted = headings.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), headings.len(), "{name}: a heading twice in {headings:?}");
        Table { headings, rows }
    }

    pub fn headings(&self) -> &[String] {
        &self.headings
    }

    pub fn has(&self, name: &str) -> bool {
        self.headings.iter().any(|own| own == name)
    }

    /// How many rows there are below the headings.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// A column as it is written.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        let k = self.headings.iter().position(|own| own == name);
        let k = k.unwrap_or_else(|| panic!("no column `{name}` in {:?}", self.headings));
        self.rows.iter().map(|row| row[k].as_str()).collect()
    }

    /// A column of numbers, none of which may be undefined or infinite.
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        let number = |field: &str| {
            let found = field.parse::<f64>().ok().filter(|number| number.is_finite());
            found.unwrap_or_else(|| panic!("`{field}` in column `{name}` is no number"))
        };
        self.texts(name).into_iter().map(number).collect()
    }

    /// The number at the end of a column.
    pub fn last(&self, name: &str) -> f64 {
        *self.numbers(name).last().unwrap_or_else(|| panic!("no rows under `{name}`"))
    }

    /// All rows without a column.
    pub fn without(&self, name: &str) -> Vec<Vec<&str>> {
        let kept = |row: &'_ [String]| -> Vec<usize> {
            (0..row.len()).filter(|k| self.headings[*k] != name).collect()
        };
        let row = |row| -> Vec<&str> { kept(row).iter().map(|k| row[*k].as_str()).collect() };
        self.rows.iter().map(|own| row(own)).collect()
    }
}

/// The fields of a line; commas between quotes are part of a field.
fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            letter => fields.last_mut().expect("one field at least").push(letter),
        }
    }
    fields
}
