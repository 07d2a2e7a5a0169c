//! Trajectories as Parquet: a table of columns that data tools read at once.
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
use std::path::Path;
use thrift::Struct;

/// Rows of a row group: a page of numbers has 8 MB.
const GROUP: usize = 1 << 20;
const MAGIC: &[u8; 4] = b"PAR1";

// Words of the format.
const DOUBLE: i32 = 5;
const REQUIRED: i32 = 0;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const DATA_PAGE: i32 = 0;
const UNCOMPRESSED: i32 = 0;

/// A column: its name, its unit, and its values by row.
struct Column<'a> {
    name: String,
    unit: &'a str,
    value: Box<dyn Fn(usize) -> f64 + 'a>,
}

/// Writes a trajectory as Parquet, one row per recorded time, with the columns of
/// [`write_csv`](crate::write_csv). Units are in the metadata of the file, under `unit.COLUMN`.
pub fn write_parquet(path: &Path, run: &Run) -> Result<(), Error> {
    let blocks = blocks(path, run)?;
    let times = &run.trajectory.times;
    let mut columns =
        vec![Column { name: "t".into(), unit: &run.units.time, value: Box::new(|row| times[row]) }];
    for block in &blocks {
        let table = block.table;
        for (j, (name, heading)) in block.names.iter().zip(block.headings()).enumerate() {
            columns.push(Column {
                name: heading,
                unit: run.units.columns.get(*name).map_or("", String::as_str),
                value: Box::new(move |row| table.row(row)[j]),
            });
        }
    }
    atomic::write(path, |file| write(file, &columns, times.len(), &run.program))
}

fn write(file: &mut impl Write, columns: &[Column], rows: usize, program: &str) -> io::Result<()> {
    file.write_all(MAGIC)?;
    let mut offset = MAGIC.len();
    let mut groups = Vec::new();
    for first in (0..rows).step_by(GROUP) {
        let count = GROUP.min(rows - first);
        let mut chunks = Vec::new();
        let mut total = 0;
        for column in columns {
            let head = page_head(count);
            let size = head.len() + 8 * count;
            file.write_all(&head)?;
            for row in first..first + count {
                file.write_all(&(column.value)(row).to_le_bytes())?;
            }
            let content = Struct::default()
                .i32(1, DOUBLE)
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
    let mut schema = vec![Struct::default().text(4, "trajectory").i32(5, columns.len() as i32)];
    schema.extend(
        columns.iter().map(|c| Struct::default().i32(1, DOUBLE).i32(3, REQUIRED).text(4, &c.name)),
    );
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

/// The head of a page of numbers without repetition and without gaps.
fn page_head(count: usize) -> Vec<u8> {
    let size = 8 * count as i32;
    let page = Struct::default().i32(1, count as i32).i32(2, PLAIN).i32(3, RLE).i32(4, RLE);
    Struct::default().i32(1, DATA_PAGE).i32(2, size).i32(3, size).structure(5, page).finish()
}
