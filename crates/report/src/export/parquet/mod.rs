//! Trajectories and other tables as Parquet: columns that data tools read at once.
//!
//! Written here in the simplest form that the format allows — numbers as they are, neither compressed
//! nor encoded — because trajectories hardly shrink and the library for all of the format takes longer
//! to build than the rest of this crate.

mod thrift;

use crate::atomic;
use crate::columns::blocks;
use crate::error::Error;
use crate::run::Run;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use thrift::Struct;

/// Rows of a row group: a page of numbers has 8 MB.
const GROUP: usize = 1 << 20;
const MAGIC: &[u8; 4] = b"PAR1";

// Words of the format.
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const UTF8: i32 = 0;
const REQUIRED: i32 = 0;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const DATA_PAGE: i32 = 0;
const UNCOMPRESSED: i32 = 0;

/// A column of a table.
pub struct Column<'a> {
    /// Its name.
    pub name: String,
    /// The unit of its numbers, or nothing.
    pub unit: &'a str,
    /// Its values by row.
    pub values: Values<'a>,
}

/// The values of a column by row.
pub enum Values<'a> {
    /// Numbers.
    Numbers(Box<dyn Fn(usize) -> f64 + 'a>),
    /// Whole numbers.
    Integers(Box<dyn Fn(usize) -> i64 + 'a>),
    /// Texts.
    Texts(Box<dyn Fn(usize) -> &'a str + 'a>),
}

impl Values<'_> {
    /// The word of the format for their type.
    fn kind(&self) -> i32 {
        match self {
            Values::Numbers(_) => DOUBLE,
            Values::Integers(_) => INT64,
            Values::Texts(_) => BYTE_ARRAY,
        }
    }

    /// Bytes of some rows.
    fn size(&self, rows: Range<usize>) -> usize {
        match self {
            Values::Numbers(_) | Values::Integers(_) => 8 * rows.len(),
            Values::Texts(value) => rows.map(|row| 4 + value(row).len()).sum(),
        }
    }

    fn write(&self, file: &mut impl Write, rows: Range<usize>) -> io::Result<()> {
        for row in rows {
            match self {
                Values::Numbers(value) => file.write_all(&value(row).to_le_bytes())?,
                Values::Integers(value) => file.write_all(&value(row).to_le_bytes())?,
                Values::Texts(value) => {
                    let text = value(row).as_bytes();
                    file.write_all(&(text.len() as u32).to_le_bytes())?;
                    file.write_all(text)?;
                }
            }
        }
        Ok(())
    }
}

/// Writes a table of so many rows as Parquet; `program` is named as its author.
pub fn write_table(
    path: &Path,
    columns: &[Column],
    rows: usize,
    program: &str,
) -> Result<(), Error> {
    atomic::write(path, |file| write(file, ("table", columns), rows, program))
}

/// Writes a trajectory as Parquet, one row per recorded time, with the columns of
/// [`write_csv`](crate::write_csv). Units are in the metadata of the file, under `unit.COLUMN`.
pub fn write_parquet(path: &Path, run: &Run) -> Result<(), Error> {
    let blocks = blocks(path, run)?;
    let times = &run.trajectory.times;
    let mut columns = vec![Column {
        name: "t".into(),
        unit: &run.units.time,
        values: Values::Numbers(Box::new(|row| times[row])),
    }];
    for block in &blocks {
        let table = block.table;
        for (j, (name, heading)) in block.names.iter().zip(block.headings()).enumerate() {
            columns.push(Column {
                name: heading,
                unit: run.units.columns.get(*name).map_or("", String::as_str),
                values: Values::Numbers(Box::new(move |row| table.row(row)[j])),
            });
        }
    }
    let table = ("trajectory", &columns[..]);
    atomic::write(path, |file| write(file, table, times.len(), &run.program))
}

fn write(
    file: &mut impl Write,
    (title, columns): (&str, &[Column]),
    rows: usize,
    program: &str,
) -> io::Result<()> {
    file.write_all(MAGIC)?;
    let mut offset = MAGIC.len();
    let mut groups = Vec::new();
    for first in (0..rows).step_by(GROUP) {
        let count = GROUP.min(rows - first);
        let mut chunks = Vec::new();
        let mut total = 0;
        for column in columns {
            let page = first..first + count;
            let bytes = column.values.size(page.clone());
            let head = page_head(count, bytes);
            let size = head.len() + bytes;
            file.write_all(&head)?;
            column.values.write(file, page)?;
            let content = Struct::default()
                .i32(1, column.values.kind())
                .integers(2, &[PLAIN])
                .texts(3, &[&column.name])
                .i32(4, UNCOMPRESSED)
                .i64(5, count)
                .i64(6, size)
                .i64(7, size)
                .i64(9, offset);
            chunks.push(Struct::default().i64(2, offset).structure(3, content));
            offset += size;
            total += size;
        }
        groups.push(Struct::default().structures(1, chunks).i64(2, total).i64(3, count));
    }
    let mut schema = vec![Struct::default().text(4, title).i32(5, columns.len() as i32)];
    schema.extend(columns.iter().map(|column| {
        let kind = column.values.kind();
        let element = Struct::default().i32(1, kind).i32(3, REQUIRED).text(4, &column.name);
        if kind == BYTE_ARRAY { element.i32(6, UTF8) } else { element }
    }));
    let with_units = columns.iter().filter(|column| !column.unit.is_empty());
    let units = with_units
        .map(|c| Struct::default().text(1, &format!("unit.{}", c.name)).text(2, c.unit))
        .collect();
    let footer = Struct::default()
        .i32(1, 1)
        .structures(2, schema)
        .i64(3, rows)
        .structures(4, groups)
        .structures(5, units)
        .text(6, program)
        .finish();
    file.write_all(&footer)?;
    file.write_all(&(footer.len() as u32).to_le_bytes())?;
    file.write_all(MAGIC)
}

/// The head of a page of values without repetition and without gaps.
fn page_head(count: usize, bytes: usize) -> Vec<u8> {
    let size = bytes as i32;
    let page = Struct::default().i32(1, count as i32).i32(2, PLAIN).i32(3, RLE).i32(4, RLE);
    Struct::default().i32(1, DATA_PAGE).i32(2, size).i32(3, size).structure(5, page).finish()
}
