//! TOML as a tree in which every key and value knows its place.

use crate::reading::copied::Meaning;
use crate::reading::error::ModelError;
use crate::reading::source::{Place, Source};
use rotula_formula::names_in;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A text and what stands in it.
#[derive(Clone, Debug)]
pub struct Document {
    /// The text.
    pub source: Arc<Source>,
    /// Everything in it.
    pub table: Table,
}

impl Document {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Document, ModelError> {
        Document::of(Source::read(path)?)
    }

    /// Reads a text; `name` is what errors call it.
    pub fn parse(text: &str, name: &str) -> Result<Document, ModelError> {
        Document::of(Arc::new(Source { name: name.to_owned(), text: text.to_owned() }))
    }

    fn of(source: Arc<Source>) -> Result<Document, ModelError> {
        Ok(Document { table: Table::parse(&source)?, source })
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Item {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub value: Value,
}

/// What TOML knows.
#[derive(Clone, Debug)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Float(f64),
    /// A text in quotes.
    Text(String),
    /// True or false.
    Boolean(bool),
    /// `[a, b]`.
    List(Vec<Item>),
    /// `[section]` or `{ key = value }`.
    Table(Table),
    /// A date or time, of which no model has use.
    Date,
}

/// Entries in the order in which they were written.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Keys with their values.
    pub entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key, or its part in this table.
    pub key: String,
    /// Where the key stands.
    pub place: Place,
    /// Its value.
    pub item: Item,
}

impl Table {
    /// Reads a document.
    pub(crate) fn parse(source: &Arc<Source>) -> Result<Table, ModelError> {
        match DeTable::parse(&source.text) {
            Ok(document) => table(source, document.get_ref()),
            Err(error) => {
                let end = source.text.len();
                let span = error.span().unwrap_or(end..end);
                let fault = ModelError::new(&Place::new(source, span), error.message());
                Err(match error.message() {
                    "duplicate key" => fault.with_help("give each name once"),
                    // A bare word is taken for a boolean or a number by TOML.
                    message
                        if ["string", "boolean", "number"].iter().any(|w| message.contains(w)) =>
                    {
                        fault.with_help("put formulas and texts in quotes, such as \"m*x\"")
                    }
                    _ => fault.with_help("the file must be valid TOML"),
                })
            }
        }
    }

    /// The entry of a key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The entry of a key, to be changed.
    pub fn entry_mut(&mut self, key: &str) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.key == key)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Item> {
        self.entry(key).map(|entry| &entry.item)
    }

    /// The entries of a subtable; none if it is absent.
    pub fn section(&self, key: &str) -> &[Entry] {
        match self.get(key).map(|item| &item.value) {
            Some(Value::Table(table)) => &table.entries,
            _ => &[],
        }
    }
}

impl Item {
    /// What kind of value this is, with its article.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a text",
            Value::Boolean(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Date => "a date",
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Integer(value) => Some(value as f64),
            Value::Float(value) => Some(value),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The names that a formula uses, in full where it stands in a copy of a part; none of a text that is no formula.
    pub fn names(&self) -> Vec<String> {
        let names = self.text().and_then(|text| names_in(text).ok()).unwrap_or_default();
        let full =
            |(name, _): (String, _)| match self.place.copy.as_ref().map(|copy| copy.meaning(&name))
            {
                None => Some(name),
                Some(Meaning::Name(full)) => Some(full),
                Some(Meaning::Constant(_)) => None,
            };
        names.into_iter().filter_map(full).collect()
    }

    /// The value under `key` if this is a table; a plain value stands for its key `short`.
    pub fn field(&self, key: &str, short: Option<&str>) -> Option<&Item> {
        match &self.value {
            Value::Table(table) => table.get(key),
            _ => (short == Some(key)).then_some(self),
        }
    }

    /// The same value without places, for serde.
    pub fn json(&self) -> serde_json::Value {
        match &self.value {
            Value::Integer(value) => (*value).into(),
            Value::Float(value) => (*value).into(),
            Value::Text(text) => text.as_str().into(),
            Value::Boolean(value) => (*value).into(),
            Value::List(items) => items.iter().map(Item::json).collect(),
            Value::Table(table) => {
                table.entries.iter().map(|entry| (entry.key.clone(), entry.item.json())).collect()
            }
            Value::Date => serde_json::Value::Null,
        }
    }
}

fn table(source: &Arc<Source>, table: &DeTable) -> Result<Table, ModelError> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        entries.push(Entry {
            key: key.get_ref().to_string(),
            place: Place::new(source, key.span()),
            item: item(source, value)?,
        });
    }
    // the parser sorts by name; the order of writing is the order of coordinates
    entries.sort_by_key(|entry| entry.place.span.start);
    Ok(Table { entries })
}

fn item(source: &Arc<Source>, value: &Spanned<DeValue>) -> Result<Item, ModelError> {
    let place = Place::new(source, value.span());
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(value) => Value::Integer(value),
            Err(_) => {
                let fault = ModelError::new(&place, "this whole number is too large");
                return Err(fault.with_help("write it with a decimal point or an exponent"));
            }
        },
        DeValue::Float(number) => match number.as_str().parse::<f64>() {
            Ok(value) if value.is_finite() => Value::Float(value),
            _ => {
                let message = format!("`{}` is not a finite number", number.as_str());
                return Err(ModelError::new(&place, message).with_help("write a finite number"));
            }
        },
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(items) => {
            Value::List(items.iter().map(|value| item(source, value)).collect::<Result<_, _>>()?)
        }
        DeValue::Table(entries) => Value::Table(table(source, entries)?),
    };
    Ok(Item { place, value })
}
