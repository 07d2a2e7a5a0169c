//! Blocks of `.inp` files: a keyword, its parameters, and the lines of data below it.

use crate::error::{MeshError, Place};
use crate::read::fields::{Field, by_commas};

/// A keyword with its parameters and its lines of data.
pub(super) struct Block<'a> {
    pub(super) keyword: String,
    pub(super) place: Place,
    parameters: Vec<(String, Field<'a>)>,
    pub(super) data: Vec<Vec<Field<'a>>>,
}

impl<'a> Block<'a> {
    pub(super) fn parameter(&self, name: &str) -> Option<Field<'a>> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    pub(super) fn required(&self, file: &str, name: &str) -> Result<Field<'a>, MeshError> {
        self.parameter(name).filter(|value| !value.is_blank()).ok_or_else(|| {
            let message = format!("*{} has no parameter {name}", self.keyword);
            MeshError::new(file, self.place, message, format!("write *{}, {name}=…", self.keyword))
        })
    }

    /// The field of a line, which must be there.
    pub(super) fn field(
        &self,
        file: &str,
        line: &[Field<'a>],
        index: usize,
        what: &str,
    ) -> Result<Field<'a>, MeshError> {
        line.get(index).copied().filter(|field| !field.is_blank()).ok_or_else(|| {
            let place = line.first().map_or(self.place, |field| field.place);
            let message = format!("{what} is missing below *{}", self.keyword);
            MeshError::new(file, place, message, "complete the line")
        })
    }

    /// The first line of data, which must be there.
    pub(super) fn first_line(&self, file: &str, what: &str) -> Result<&[Field<'a>], MeshError> {
        self.data.first().map(Vec::as_slice).ok_or_else(|| {
            let message = format!("*{} has no line of data", self.keyword);
            MeshError::new(file, self.place, message, format!("write {what} below it"))
        })
    }
}

/// Divides a file into keywords with what belongs to them, up to the first step.
pub(super) fn blocks<'a>(name: &str, text: &'a str) -> Result<Vec<Block<'a>>, MeshError> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut goes_on = false;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.trim().is_empty() || line.trim_start().starts_with("**") {
            continue;
        }
        let mut fields = by_commas(line, number);
        if !goes_on && !line.trim_start().starts_with('*') {
            let Some(block) = blocks.last_mut() else {
                let message = "data stand before any keyword";
                let help = "begin with a keyword such as *NODE; is this an .inp file?";
                return Err(MeshError::new(name, Place::line(number), message, help));
            };
            block.data.push(fields);
            continue;
        }
        if !goes_on {
            let first = fields.remove(0);
            let keyword = first.text.trim_start_matches('*').trim().to_ascii_uppercase();
            if keyword == "STEP" {
                break;
            }
            let place = first.place;
            blocks.push(Block { keyword, place, parameters: Vec::new(), data: Vec::new() });
        }
        let block = blocks.last_mut().expect("a keyword was read");
        for field in fields {
            let (key, value) = match field.text.split_once('=') {
                Some((key, value)) => (key, value.trim()),
                None => (field.text, ""),
            };
            let value = Field { text: value, place: field.place };
            block.parameters.push((key.trim().to_ascii_uppercase(), value));
        }
        goes_on = line.trim_end().ends_with(',');
    }
    Ok(blocks)
}
