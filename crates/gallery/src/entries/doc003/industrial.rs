//! What entries with industrial models share: reading and running them, values of curves, and the work that runs take.

use crate::entry::GalleryError;
use crate::study::run_watched;
use rotula_dae::Outcome;
use rotula_model::{Curves, Mechanism};
use std::path::PathBuf;
use std::time::Instant;
use std::{fs, process};

/// The columns of [`Finished::work`].
pub(crate) const WORK: [&str; 6] =
    ["method", "steps", "rejected", "iterations", "matrices", "time"];

/// A folder with the files that a model reads, which is gone with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Writes files by name and content; the name is of the folder, and unique among entries.
    pub(crate) fn with(name: &str, files: &[(&str, &str)]) -> Result<Self, GalleryError> {
        let folder = Folder(std::env::temp_dir().join(format!("rotula-{name}-{}", process::id())));
        fs::create_dir_all(&folder.0)
            .and_then(|()| {
                files.iter().try_for_each(|(file, text)| fs::write(folder.0.join(file), text))
            })
            .map_err(|error| GalleryError::Model(format!("{}: {error}", folder.0.display())))?;
        Ok(folder)
    }

    /// A model in it.
    pub(crate) fn mechanism(
        &self,
        text: &str,
        overrides: &[(&str, &str)],
    ) -> Result<Mechanism, GalleryError> {
        mechanism(text, &self.0.join("model.toml").to_string_lossy(), overrides)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // a temporary folder that stays is no fault of the entry
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A model of the examples with other settings.
pub(crate) fn mechanism(
    text: &str,
    file: &str,
    overrides: &[(&str, &str)],
) -> Result<Mechanism, GalleryError> {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Mechanism::parse(text, file, &overrides).map_err(|error| GalleryError::Model(error.to_string()))
}

/// The value of a parameter, or of a length of a path; not a number if the model has none of this name.
pub(crate) fn value_of(mechanism: &Mechanism, name: &str) -> f64 {
    let mut known = mechanism.parameters.iter().chain(&mechanism.path_numbers);
    known.find(|(own, _)| own == name).map_or(f64::NAN, |(_, value)| *value)
}

/// A run that came to its end.
pub(crate) struct Finished {
    outcome: Outcome,
    curves: Vec<Curves>,
    seconds: f64,
}

impl Finished {
    pub(crate) fn run(mechanism: &Mechanism) -> Result<Self, GalleryError> {
        let begun = Instant::now();
        let settings = mechanism.settings()?;
        let mut system = mechanism.system();
        let outcome = run_watched(&mut system, &mechanism.initial_state(), &settings, &mut ())?;
        let seconds = begun.elapsed().as_secs_f64();
        let curves = mechanism.curves(&outcome.trajectory);
        Ok(Finished { outcome, curves, seconds })
    }

    /// The recorded times.
    pub(crate) fn times(&self) -> &[f64] {
        &self.outcome.trajectory.times
    }

    /// Seconds of computing.
    pub(crate) fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Accepted steps.
    pub(crate) fn steps(&self) -> usize {
        self.outcome.trajectory.statistics.steps
    }

    /// All values of a curve; none of one that there is not.
    pub(crate) fn curve(&self, name: &str) -> Vec<f64> {
        let of = |group: &Curves| {
            let column = group.names.iter().position(|own| own == name)?;
            Some(group.table.column(column).collect())
        };
        self.curves.iter().find_map(of).unwrap_or_default()
    }

    /// Where von Mises stress was highest: nodes, stresses and times.
    pub(crate) fn hot_spots(&self, mechanism: &Mechanism) -> Vec<(u64, f64, f64)> {
        let spots = mechanism.hot_spots(&self.outcome.trajectory);
        spots.iter().map(|(_, spot)| (spot.label, spot.stress, self.times()[spot.state])).collect()
    }

    /// The last value of a curve.
    pub(crate) fn last(&self, name: &str) -> f64 {
        self.curve(name).last().copied().unwrap_or(f64::NAN)
    }

    /// A row of a table of the work that runs take.
    pub(crate) fn work(&self, name: &str) -> Vec<String> {
        let statistics = &self.outcome.trajectory.statistics;
        let rejected = statistics.rejected_by_error + statistics.rejected_by_iteration;
        let numbers =
            [statistics.steps, rejected, statistics.iterations, statistics.factorisations];
        let mut row = vec![name.to_owned()];
        row.extend(numbers.map(|number| number.to_string()));
        row.push(format!("{:.1} s", self.seconds));
        row
    }
}
