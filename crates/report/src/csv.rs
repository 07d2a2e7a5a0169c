//! Trajectories as comma-separated values.

use crate::atomic;
use crate::columns::{Block, blocks};
use crate::error::Error;
use crate::run::Run;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// Writes a trajectory as a table with one row per recorded time.
///
/// Columns: `t`; the configuration by name; velocities as `name'`; accelerations as `name''`;
/// multipliers as `lambda.name`; states and their rates as `name'`; variables; further curves; `kinetic`, `potential`, `work`;
/// `residual.position`, `residual.velocity`, `residual.acceleration`; with contacts `gap.name`, and
/// `force.name` and `impulse.name` of the step that ends there (normal, then `name slip 1`, …),
/// `contacts.closed`, `contacts.force`, `contacts.smallest_gap`. Every number is the shortest that
/// reads back to the same value.
pub fn write_csv(path: &Path, run: &Run) -> Result<(), Error> {
    let blocks = blocks(path, run)?;
    atomic::write(path, |file| fill(file, &blocks, &run.trajectory.times))
}

/// The same table as a text.
pub fn csv(run: &Run) -> Result<String, Error> {
    let path = Path::new("trajectory.csv");
    let mut text = Vec::new();
    fill(&mut text, &blocks(path, run)?, &run.trajectory.times).map_err(Error::write(path))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn fill(file: &mut impl Write, blocks: &[Block], times: &[f64]) -> io::Result<()> {
    write!(file, "t")?;
    for block in blocks {
        for heading in block.headings() {
            write!(file, ",{}", quoted(&heading))?;
        }
    }
    writeln!(file)?;
    for (i, t) in times.iter().enumerate() {
        // `{:?}` rather than `{}`: both are shortest, but only it uses exponents.
        write!(file, "{t:?}")?;
        for block in blocks {
            for value in block.table.row(i) {
                write!(file, ",{value:?}")?;
            }
        }
        writeln!(file)?;
    }
    Ok(())
}

/// A field as RFC 4180 wants it.
pub(crate) fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}
