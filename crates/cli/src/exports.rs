//! `--export`: results of a run for other programs.

use crate::args::Export;
use crate::files::remove;
use crate::messages::Fault;
use crate::model_file::ModelFile;
use rotula_report::{
    Run, contact_table, event_table, write_glb, write_parquet, write_plots, write_vtk,
};
use rotula_study::Model;
use std::fs;
use std::path::{Path, PathBuf};

/// Refuses an animation of equations, before time is spent on a simulation.
pub(crate) fn refuse_impossible(file: &ModelFile, wanted: &[Export]) -> Result<(), Fault> {
    let moving = wanted.iter().any(|export| matches!(export, Export::Glb | Export::Vtk));
    match (&file.model, moving) {
        (Model::Equations(_), true) => Err(Fault::new(
            format!("{}: this is a model of equations, which has no shape to export", file.name),
            "leave out `glb` and `vtk`, or run a model with bodies and joints",
        )),
        _ => Ok(()),
    }
}

/// Writes what is wanted and says which files. A directory holds one run: exports of an earlier one are
/// removed.
pub(crate) fn write(directory: &Path, run: &Run, wanted: &[Export]) -> Result<Vec<PathBuf>, Fault> {
    let (parquet, glb) = (directory.join("trajectory.parquet"), directory.join("animation.glb"));
    let long = [("contacts.parquet", contact_table(run)), ("events.parquet", event_table(run))];
    let long = long.map(|(name, table)| (directory.join(name), table));
    for old in [&parquet, &glb, &directory.join("animation.pvd"), &long[0].0, &long[1].0] {
        remove(old)?;
    }
    clear(&directory.join("animation"), "vtp")?;
    clear(&directory.join("plots"), "png")?;
    let mut written = Vec::new();
    for export in wanted {
        match (export, run.film) {
            (Export::Parquet, _) => {
                write_parquet(&parquet, run)?;
                written.push(parquet.clone());
                for (path, table) in &long {
                    if let Some(table) = table {
                        table.write_parquet(path, &run.program)?;
                        written.push(path.clone());
                    }
                }
            }
            (Export::Png, _) => {
                write_plots(&directory.join("plots"), run)?;
                written.push(directory.join("plots"));
            }
            (Export::Glb, Some(film)) => {
                write_glb(&glb, film)?;
                written.push(glb.clone());
            }
            (Export::Vtk, Some(film)) => written.push(write_vtk(directory, film)?),
            (Export::Glb | Export::Vtk, None) => {}
        }
    }
    Ok(written)
}

/// Removes files with an extension from a folder, and the folder if nothing else is in it.
fn clear(folder: &Path, extension: &str) -> Result<(), Fault> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|found| found == extension) {
            remove(&path)?;
        }
    }
    // fails where a user keeps files of their own, which is as it should be
    let _ = fs::remove_dir(folder);
    Ok(())
}
