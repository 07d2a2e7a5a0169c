//! `rotula sweep`: many runs of one model with different values, and a table of what they gave.

use crate::Ending;
use crate::args;
use crate::ending;
use crate::files::{lock, refuse_unwritable, write_text};
use crate::messages::{Fault, complain, say};
use crate::model_file::ModelFile;
use crate::numbers::{counted, short};
use crate::progress;
use crate::{sweep_report, sweep_table};
use rayon::prelude::*;
use rotula_dae::{Observer, State, StepRecord, Stop};
use rotula_mechanics::error::Refusal;
use rotula_study::Model;
use rotula_study::sweep::{self, Axis, Case, Heading, Journal, Row};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Runs all cases that are not finished yet, and writes the table and the report.
pub(crate) fn sweep(options: &args::Sweep) -> Result<Ending, Fault> {
    let cases = cases(options)?;
    let file = ModelFile::to_run(&options.model)?;
    let directory = match &options.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from("results").join(format!("{}-sweep", file.stem)),
    };
    refuse_unwritable(&directory)?;
    let read = match options.read.is_empty() {
        true => sweep::wanted(&file.model),
        false => options.read.clone(),
    };
    refuse_unknown(&file, &read)?;
    if let Some(case) = cases.first() {
        refuse_keys(options, case)?;
    }
    let heading =
        Heading { model: file.text().to_owned(), set: options.model.overrides.clone(), read };
    let _lock = lock(&directory)?;
    let journal = Journal::open(&directory, &heading).map_err(fault)?;
    let before = cases.iter().filter(|case| journal.row(case).is_some()).count();
    let clock = Instant::now();
    // finished runs are in the journal
    ending::has_results();
    let stop = ending::on_signal();
    let journal = run_all(options, &file.name, &cases, &heading, journal, &stop)?;
    let rows: Vec<Option<&Row>> = cases.iter().map(|case| journal.row(case)).collect();
    let missing = rows.iter().filter(|row| row.is_none()).count();
    if missing > 0 {
        complain(&format!(
            "{}: stopped with {} left; the same command goes on from there",
            file.name,
            counted(missing, "run")
        ));
        return Ok(Ending::Failed);
    }
    let rows: Vec<&Row> = rows.into_iter().flatten().collect();
    let table = directory.join("sweep.csv");
    write_text(&table, &sweep_table::csv(&cases, &rows))?;
    let parquet = directory.join("sweep.parquet");
    sweep_table::write_parquet(&parquet, &cases, &rows)?;
    let report = directory.join("sweep.html");
    let title = format!("Sweep of {}", file.model.title());
    let about = sweep_report::About { title: &title, model: &options.model };
    write_text(&report, &sweep_report::page(&about, &cases, &rows))?;
    if !options.quiet {
        tell(&file, &rows, before, clock.elapsed().as_secs_f64());
        say(&format!(
            "The table is {} (and {}); open {} in a browser.",
            parquet.display(),
            table.display(),
            report.display()
        ));
    }
    Ok(Ending::Done)
}

/// The cases that the options mean.
fn cases(options: &args::Sweep) -> Result<Vec<Case>, Fault> {
    let axes: Vec<Axis> = options
        .over
        .iter()
        .map(|text| Axis::parse(text))
        .collect::<Result<_, _>>()
        .map_err(fault)?;
    let given = match (&options.cases, options.latin) {
        (Some(path), _) => of_file(path)?,
        (None, Some(count)) => sweep::latin_hypercube(&axes, count as usize, options.seed),
        (None, None) => sweep::grid(&axes).map_err(fault)?,
    };
    // a run that is asked for twice gives one row
    let mut seen = std::collections::HashSet::new();
    Ok(given.into_iter().filter(|case| seen.insert(case.clone())).collect())
}

fn of_file(path: &Path) -> Result<Vec<Case>, Fault> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        Fault::new(format!("{name}: cannot be read: {error}"), "name a table in CSV")
    })?;
    sweep::of_table(&text)
        .map_err(|refusal| fault(Refusal { what: format!("{name}: {}", refusal.what), ..refusal }))
}

fn fault(refusal: Refusal) -> Fault {
    Fault::new(refusal.what, refusal.help.unwrap_or_else(|| "correct it".into()))
}

/// Curves that are not there would be missing in every run.
fn refuse_unknown(file: &ModelFile, read: &[String]) -> Result<(), Fault> {
    let mut settings = file.settings.clone();
    settings.until = settings.start + 1e-9 * (settings.until - settings.start);
    sweep::refuse_unknown_curves(&file.model, &settings, read).map_err(fault)
}

/// A key that does not exist is a typing error; a value that makes no sense is a row of its own.
fn refuse_keys(options: &args::Sweep, case: &Case) -> Result<(), Fault> {
    match read_case(options, case) {
        Err(error) if error.is_unknown() => Err(error.into()),
        _ => Ok(()),
    }
}

fn read_case(
    options: &args::Sweep,
    case: &Case,
) -> Result<Model, rotula_model::reading::ModelError> {
    let overrides: Vec<_> = options.model.overrides.iter().chain(case).cloned().collect();
    Model::read(&options.model.file, &overrides)
}

/// Runs what is missing on all cores.
fn run_all(
    options: &args::Sweep,
    name: &str,
    cases: &[Case],
    heading: &Heading,
    journal: Journal,
    stop: &Stop,
) -> Result<Journal, Fault> {
    let missing: Vec<&Case> = cases.iter().filter(|case| journal.row(case).is_none()).collect();
    let bar = progress::runs(cases.len(), cases.len() - missing.len(), options.quiet);
    let journal = Mutex::new(journal);
    let one = |case: &&Case| -> Result<(), Refusal> {
        let Some(row) = run_one(options, case, &heading.read, stop) else { return Ok(()) };
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.add(case, row)?;
        bar.inc(1);
        Ok(())
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs.unwrap_or(0)).build();
    let pool = pool.map_err(|error| {
        Fault::new(format!("{name}: no threads: {error}"), "choose fewer with `--jobs`")
    })?;
    let done = pool.install(|| missing.par_iter().with_max_len(1).try_for_each(one));
    bar.finish_and_clear();
    done.map_err(fault)?;
    Ok(journal.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Goes on until everything is to stop.
struct UntilAsked<'a>(&'a Stop);

impl Observer for UntilAsked<'_> {
    fn accepted(&mut self, _state: &State, _step: &StepRecord) -> bool {
        !self.0.asked()
    }

    fn looks_at_states(&self) -> bool {
        false
    }

    fn goes_on(&mut self) -> bool {
        !self.0.asked()
    }

    fn stop(&self) -> Stop {
        self.0.clone()
    }
}

/// One run; none if it was stopped.
fn run_one(options: &args::Sweep, case: &Case, read: &[String], stop: &Stop) -> Option<Row> {
    if stop.asked() {
        return None;
    }
    let model = match read_case(options, case) {
        Ok(model) => model,
        Err(error) => return Some(sweep::refused(error.to_string())),
    };
    match model.settings() {
        Ok(settings) => sweep::measure(&model, &settings, read, &mut UntilAsked(stop)),
        Err(error) => Some(sweep::refused(error.to_string())),
    }
}

/// How the runs ended.
fn tell(file: &ModelFile, rows: &[&Row], before: usize, seconds: f64) {
    let bad: Vec<&&Row> = rows.iter().filter(|row| row.status != "done").collect();
    let earlier = match before {
        0 => String::new(),
        _ => format!(", {before} of them before"),
    };
    say(&format!(
        "{}: {}{earlier}, in {} s; {} did not reach the end.",
        file.model.title(),
        counted(rows.len(), "run"),
        short(seconds),
        bad.len()
    ));
    if let Some(first) = bad.first() {
        complain(&format!("{}: the first that did not: {}", file.name, first.message));
    }
}
