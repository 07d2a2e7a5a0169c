//! Files of columns that tables are read from: texts and Parquet.

use crate::reading::columns::{Column, Columns};
use crate::reading::document::Item;
use crate::reading::error::ModelError;
use crate::reading::parquet::{Parquet, is_parquet};
use crate::reading::source::{Place, Source};
use std::path::Path;
use std::sync::Arc;

/// A file of columns.
pub(crate) enum Sheet<'a> {
    Text(Columns),
    /// With the place where the model names it, which is that of all its numbers.
    Parquet(Parquet, &'a Place),
}

impl Sheet<'_> {
    /// Reads a file that a model names.
    pub(crate) fn read<'a>(path: &Path, file: &'a Item) -> Result<Sheet<'a>, ModelError> {
        let unread = |why: String| {
            let message = format!("{} cannot be read: {why}", path.display());
            ModelError::new(&file.place, message)
                .with_help("name a file of columns, CSV or Parquet, from the folder of the model")
        };
        let name = path.display().to_string();
        let bytes = rotula_files::read(path).map_err(|error| unread(error.to_string()))?;
        if !is_parquet(&bytes) {
            let text = String::from_utf8(bytes);
            let text = text.map_err(|_| unread("it is no text in UTF-8".to_owned()))?;
            return Columns::new(Arc::new(Source { name, text })).map(Sheet::Text);
        }
        Parquet::new(bytes, &name)
            .map(|parquet| Sheet::Parquet(parquet, &file.place))
            .map_err(|(message, help)| ModelError::new(&file.place, message).with_help(help))
    }

    /// How many columns there are.
    pub(crate) fn width(&self) -> usize {
        match self {
            Sheet::Text(columns) => columns.width(),
            Sheet::Parquet(columns, _) => columns.width(),
        }
    }

    /// The column of this name; else what is wrong and what would be right.
    pub(crate) fn find(&self, name: &str) -> Result<usize, (String, String)> {
        match self {
            Sheet::Text(columns) => columns.find(name),
            Sheet::Parquet(columns, _) => columns.find(name),
        }
    }

    /// The numbers of a column.
    pub(crate) fn column(&self, index: usize) -> Result<Column, ModelError> {
        match self {
            Sheet::Text(columns) => columns.column(index),
            Sheet::Parquet(columns, place) => match columns.column(index) {
                Ok(values) => Ok(Column { places: vec![(*place).clone(); values.len()], values }),
                Err((message, help)) => Err(ModelError::new(place, message).with_help(help)),
            },
        }
    }
}
