//! Columns of numbers in a Parquet file, as far as tables need them.
//!
//! Read are flat columns of whole and floating-point numbers, plainly written or by a dictionary, uncompressed or by snappy: what data tools write
//! unless told otherwise. The library for all of the format takes longer to build than the rest of this crate.

mod pages;
mod thrift;

use crate::reading::suggest::did_you_mean;
use pages::{Form, Number, Trouble, numbers};
use thrift::{Value, structure};

const MAGIC: &[u8; 4] = b"PAR1";
/// How a tool is told to write what is read here.
const REMEDY: &str = "write it with `compression=\"snappy\"` (pandas, pyarrow), or as CSV";

/// What is wrong, and what would be right.
pub(crate) type Fault = (String, String);

/// A Parquet file.
pub(crate) struct Parquet {
    name: String,
    bytes: Vec<u8>,
    /// Names of the columns that have no others within, with their places among all.
    columns: Vec<(String, usize)>,
    /// The elements of the schema of those columns.
    schema: Vec<Value>,
    meta: Value,
}

/// Whether some bytes begin as a Parquet file does.
pub(crate) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl Parquet {
    /// Reads what a file says about its columns.
    pub(crate) fn new(bytes: Vec<u8>, name: &str) -> Result<Parquet, Fault> {
        let broken = || (format!("{name} is no whole Parquet file"), "write it again".to_owned());
        let end =
            bytes.len().checked_sub(8).filter(|_| bytes.ends_with(MAGIC)).ok_or_else(broken)?;
        let length = u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap_or([0; 4]));
        let start = end.checked_sub(length as usize).ok_or_else(broken)?;
        let (meta, _) = structure(&bytes[start..end]).ok_or_else(broken)?;
        let elements = meta.list(2).ok_or_else(broken)?;
        // the first element is the table itself; those with children are groups of columns
        let (mut columns, mut schema, mut leaf, mut inside) = (Vec::new(), Vec::new(), 0, 0usize);
        for element in elements.iter().skip(1) {
            let children = element.size(5).unwrap_or(0);
            if inside == 0 && children == 0 {
                columns.push((element.text(4).ok_or_else(broken)?, leaf));
                let about =
                    |number| element.integer(number).map(|value| (number, Value::Integer(value)));
                schema.push(Value::Structure([about(1), about(3)].into_iter().flatten().collect()));
            }
            leaf += usize::from(children == 0);
            inside = inside.saturating_sub(1) + children;
        }
        Ok(Parquet { name: name.to_owned(), bytes, columns, schema, meta })
    }

    /// How many columns there are.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// The column of this name.
    pub(crate) fn find(&self, name: &str) -> Result<usize, Fault> {
        self.columns.iter().position(|(known, _)| known == name).ok_or_else(|| {
            let known = self.columns.iter().map(|(known, _)| known.as_str()).collect();
            (format!("{} has no column `{name}`", self.name), did_you_mean(name, known))
        })
    }

    /// The numbers of a column.
    pub(crate) fn column(&self, index: usize) -> Result<Vec<f64>, Fault> {
        let (name, leaf) = &self.columns[index];
        let fault = |trouble: Trouble| match trouble {
            Trouble::Broken => (
                format!("the column `{name}` of {} is broken", self.name),
                "write it again".to_owned(),
            ),
            Trouble::Unknown(what) => {
                (format!("the column `{name}` of {} has {what}", self.name), REMEDY.to_owned())
            }
            Trouble::Empty(row) => (
                format!("row {} of the column `{name}` of {} is empty", row + 1, self.name),
                "leave the row out, or fill the gap with a number".to_owned(),
            ),
        };
        let number = match self.schema[index].integer(1) {
            Some(1) => Number::Int32,
            Some(2) => Number::Int64,
            Some(4) => Number::Float,
            Some(5) => Number::Double,
            _ => {
                let message = format!("the column `{name}` of {} holds no numbers", self.name);
                return Err((message, "choose another, or convert it".to_owned()));
            }
        };
        let optional = match self.schema[index].integer(3) {
            Some(2) => return Err(fault(Trouble::Unknown("lists"))),
            repetition => repetition == Some(1),
        };
        let mut all = Vec::new();
        for group in self.meta.list(4).unwrap_or_default() {
            let chunk = group.list(1).and_then(|chunks| chunks.get(*leaf));
            let about = chunk.and_then(|chunk| chunk.field(3));
            let about = about.ok_or_else(|| fault(Trouble::Broken))?;
            let [count, data] = [5, 9].map(|number| about.size(number));
            let start = about.size(11).filter(|place| *place > 0).or(data);
            let (Some(count), Some(start)) = (count, start) else {
                return Err(fault(Trouble::Broken));
            };
            let bytes = self.bytes.get(start..).ok_or_else(|| fault(Trouble::Broken))?;
            let form = Form { number, codec: about.integer(4).unwrap_or(0), optional };
            all.extend(numbers(bytes, count, &form).map_err(|trouble| match trouble {
                Trouble::Empty(row) => fault(Trouble::Empty(all.len() + row)),
                other => fault(other),
            })?);
        }
        match all.iter().position(|value| !value.is_finite()) {
            Some(row) => {
                let message = format!(
                    "row {} of the column `{name}` of {} is {}",
                    row + 1,
                    self.name,
                    all[row]
                );
                Err((message, "leave the row out, or fill the gap with a number".to_owned()))
            }
            None => Ok(all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Files with a column of 0, 0.1, …, 3.9, one of its sines, and others; written by pyarrow in several ways.
    fn file(name: &str) -> Vec<u8> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        std::fs::read(folder.join(name)).unwrap()
    }

    fn column(name: &str, column: &str) -> Result<Vec<f64>, Fault> {
        let parquet = Parquet::new(file(name), name)?;
        parquet.column(parquet.find(column)?)
    }

    #[test]
    fn numbers_are_those_of_the_columns() {
        let each = |value: fn(f64) -> f64| (0..40).map(|k| value(f64::from(k))).collect::<Vec<_>>();
        for name in ["usual.parquet", "plain.parquet", "second.parquet", "streams.parquet"] {
            assert_eq!(column(name, "distance").unwrap(), each(|k| 0.1 * k), "{name}");
            assert_eq!(column(name, "height").unwrap(), each(|k| (0.1 * k).sin()), "{name}");
        }
        for name in ["usual.parquet", "plain.parquet", "second.parquet"] {
            assert_eq!(column(name, "step").unwrap(), each(|k| k % 4.0), "{name}");
            assert_eq!(column(name, "single").unwrap(), each(|k| 0.5 * k), "{name}");
            assert_eq!(column(name, "long").unwrap(), each(|k| 1e6 * k), "{name}");
        }
        assert_eq!(column("nested.parquet", "x").unwrap(), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn what_cannot_be_read_is_said_with_a_remedy() {
        for (name, wanted, what, help) in [
            ("usual.parquet", "hight", "no column `hight`", "height"),
            ("usual.parquet", "word", "holds no numbers", "choose another"),
            ("zstd.parquet", "height", "compression other than snappy", "compression=\"snappy\""),
            ("delta.parquet", "long", "differences", "CSV"),
            ("gaps.parquet", "distance", "row 3 of the column `distance`", "fill the gap"),
            ("gaps.parquet", "height", "row 4 of the column `height`", "fill the gap"),
            ("nested.parquet", "pair", "no column `pair`", "x"),
        ] {
            let (message, remedy) = column(name, wanted).unwrap_err();
            assert!(message.contains(what) && remedy.contains(help), "{name}: {message}; {remedy}");
        }
    }

    /// Whatever is cut off is noticed, and nothing that is changed makes it panic.
    #[test]
    fn broken_files_are_refused() {
        let whole = file("usual.parquet");
        let read = |bytes: Vec<u8>| {
            let parquet = Parquet::new(bytes, "cut.parquet")?;
            (0..parquet.width()).map(|k| parquet.column(k)).collect::<Result<Vec<_>, _>>()
        };
        for k in 0..whole.len() {
            assert!(Parquet::new(whole[..k].to_vec(), "cut.parquet").is_err(), "cut at {k}");
            for flip in [0x01, 0x55, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[k] ^= flip;
                let _ = read(changed);
            }
        }
    }
}
