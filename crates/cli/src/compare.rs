//! `rotula compare`: two runs over each other.

use crate::Ending;
use crate::args;
use crate::files;
use crate::messages::{Fault, say};
use rotula_report::beside;
use std::path::{Path, PathBuf};

/// Writes the report of the first run with the curves of the second beside its own.
pub(crate) fn compare(options: &args::Compare) -> Result<Ending, Fault> {
    let (first, second) = (read(&options.first)?, read(&options.second)?);
    let page = beside(&first, &second).ok_or_else(|| {
        Fault::new(
            format!(
                "{} or {} is no report of a run",
                options.first.display(),
                options.second.display()
            ),
            "give folders that `rotula run` has written, or their files `report.html`",
        )
    })?;
    files::write_text(&options.output, &page)?;
    say(&format!(
        "{} shows {} with {} dashed beside it.",
        options.output.display(),
        options.first.display(),
        options.second.display()
    ));
    Ok(Ending::Done)
}

/// The report of a folder, or the file itself.
fn read(path: &Path) -> Result<String, Fault> {
    let file: PathBuf = if path.is_dir() { path.join("report.html") } else { path.to_owned() };
    std::fs::read_to_string(&file).map_err(|error| {
        Fault::new(
            format!("cannot read {}: {error}", file.display()),
            "give a folder that `rotula run` has written, such as `results/model`",
        )
    })
}
