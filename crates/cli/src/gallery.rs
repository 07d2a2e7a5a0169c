//! `rotula gallery`: run published problems and compare them with their references.

use crate::Ending;
use crate::args;
use crate::chapter;
use crate::files::{refuse_unwritable, write_text};
use crate::messages::{Fault, complain, say};
use crate::numbers::{counted, precise, short};
use crate::pages;
use rotula_gallery::{Check, Entry, Finished, PrintedTable};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A table of all entries.
pub(crate) fn list() -> Result<Ending, Fault> {
    let entries = rotula_gallery::entries();
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0).max(4);
    say(&format!("{:width$}  document  title", "name"));
    for entry in &entries {
        say(&format!("{:width$}  {:8}  {}", entry.name, entry.document, entry.title));
    }
    say("Run one with `rotula gallery run NAME`, all with `rotula gallery run --all`.");
    Ok(Ending::Done)
}

/// Runs entries, prints what they found, and writes it down if asked to.
pub(crate) fn run(options: &args::GalleryRun) -> Result<Ending, Fault> {
    let chosen = choose(options)?;
    // before minutes are spent on what could not be written down
    let json = options.json.as_deref().and_then(Path::parent);
    let folders = options.pages.as_deref().into_iter().chain(options.chapter.as_deref());
    json.into_iter().chain(folders).try_for_each(refuse_unwritable)?;
    let mut finished = Vec::new();
    let clock = Instant::now();
    in_order(&chosen, |entry, result, time| {
        say(&printed(entry, &result, time));
        finished.push(result);
    });
    if let Some(directory) = &options.pages {
        for (entry, result) in chosen.iter().zip(&finished) {
            pages::write(directory, entry, result)?;
        }
    }
    if let Some(directory) = &options.chapter {
        chapter::write(directory, &chosen, &finished)?;
    }
    if let Some(path) = &options.json {
        let json = serde_json::to_value(&finished).unwrap_or_default();
        write_text(path, &format!("{json:#}\n"))?;
    }
    let failed: Vec<&Finished> = finished.iter().filter(|result| result.status != "pass").collect();
    let checks: usize = finished.iter().map(|result| result.checks.len()).sum();
    let total = format!(
        "{} with {} in {} s",
        match finished.len() {
            1 => "1 entry".to_owned(),
            n => format!("{n} entries"),
        },
        counted(checks, "check"),
        short(clock.elapsed().as_secs_f64())
    );
    if failed.is_empty() {
        say(&format!("{total}: all passed."));
        return Ok(Ending::Done);
    }
    say(&format!("{total}: {} failed.", failed.len()));
    for result in failed {
        say(&recapitulated(result));
    }
    Ok(Ending::Failed)
}

/// Draws the work–precision diagrams.
pub(crate) fn work_precision(options: &args::WorkPrecision) -> Result<Ending, Fault> {
    refuse_unwritable(&options.output)?;
    match rotula_gallery::work_precision::diagram(&options.output) {
        Ok(drawing) => {
            let failed = drawing.measured.iter().filter(|run| run.failure.is_some());
            say(&format!(
                "{}, of which {} failed; wrote {} into {}.",
                counted(drawing.measured.len(), "run"),
                failed.count(),
                counted(drawing.files.len(), "file"),
                options.output.display()
            ));
            Ok(Ending::Done)
        }
        Err(error) => {
            complain(&format!("The diagrams could not be drawn: {error}"));
            Ok(Ending::Failed)
        }
    }
}

/// Draws the pictures of the book.
pub(crate) fn pictures(options: &args::Pictures) -> Result<Ending, Fault> {
    refuse_unwritable(&options.output)?;
    match rotula_gallery::pictures::write(&options.output) {
        Ok(files) => {
            let files = counted(files.len(), "picture");
            say(&format!("Drew {files} into {}.", options.output.display()));
            Ok(Ending::Done)
        }
        Err(error) => {
            complain(&format!("The pictures could not be drawn: {error}"));
            Ok(Ending::Failed)
        }
    }
}

fn choose(options: &args::GalleryRun) -> Result<Vec<Entry>, Fault> {
    let entries = rotula_gallery::entries();
    if options.all {
        return Ok(entries);
    }
    let find = |name: &String| {
        let entry = entries.iter().find(|entry| entry.name == name);
        entry.copied().ok_or_else(|| unknown(name, &entries))
    };
    options.names.iter().map(find).collect()
}

fn unknown(name: &str, entries: &[Entry]) -> Fault {
    let mut near: Vec<(f64, &str)> =
        entries.iter().map(|entry| (strsim::jaro_winkler(name, entry.name), entry.name)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<_> = near.iter().take(3).map(|(_, name)| format!("`{name}`")).collect();
    let help = match near.is_empty() {
        true => "the gallery is empty".to_owned(),
        false => {
            format!("the nearest names are {}; `rotula gallery list` shows all", near.join(", "))
        }
    };
    Fault::new(format!("the gallery has no entry `{name}`"), help)
}

/// Runs entries on all cores and hands the results over in the order of the entries.
fn in_order(entries: &[Entry], mut receive: impl FnMut(&Entry, Finished, Duration)) {
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers.min(entries.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed))
                    && let Some(entry) = entries.get(index)
                {
                    let clock = Instant::now();
                    let finished = guarded(entry);
                    let _ = sender.send((index, finished, clock.elapsed()));
                }
            });
        }
        drop(sender);
        let mut waiting: Vec<Option<(Finished, Duration)>> = entries.iter().map(|_| None).collect();
        let mut shown = 0;
        for (index, finished, time) in results {
            waiting[index] = Some((finished, time));
            while let Some((finished, time)) = waiting.get_mut(shown).and_then(Option::take) {
                receive(&entries[shown], finished, time);
                shown += 1;
            }
        }
    });
}

/// One entry that panics must not take the others with it.
fn guarded(entry: &Entry) -> Finished {
    catch_unwind(AssertUnwindSafe(|| rotula_gallery::run(entry))).unwrap_or_else(|_| Finished {
        name: entry.name.into(),
        document: entry.document.into(),
        status: "fail",
        checks: Vec::new(),
        error: Some("the entry panicked: a defect of Rotula".into()),
        findings: Default::default(),
    })
}

/// What an entry found, for the terminal.
fn printed(entry: &Entry, finished: &Finished, time: Duration) -> String {
    let mut text = format!(
        "{} — {} [{}, {} s]\n",
        entry.name,
        entry.title,
        finished.status,
        short(time.as_secs_f64())
    );
    for table in &finished.findings.tables {
        text += &aligned(table);
    }
    for check in &finished.checks {
        text += &format!("  {}\n", sentence(check));
    }
    if let Some(error) = &finished.error {
        text += &format!("  ERROR {}\n", error.replace('\n', "\n  "));
    }
    for note in &finished.findings.notes {
        text += &format!("  Note: {note}\n");
    }
    text
}

/// What was wrong with an entry, so that nobody must search for it.
fn recapitulated(finished: &Finished) -> String {
    let wrong = finished.checks.iter().filter(|check| !check.ok);
    let lines: Vec<_> = wrong.map(|check| format!("\n  {}", sentence(check))).collect();
    let error = finished.error.as_ref().map(|error| format!("\n  ERROR {error}"));
    format!("{}:{}{}", finished.name, lines.concat(), error.unwrap_or_default())
}

fn sentence(check: &Check) -> String {
    let word = if check.ok { "ok  " } else { "FAIL" };
    let value = precise(check.value);
    // a bound has no tolerance and says so in its name
    match check.tolerance == 0.0 {
        true => format!("{word} {}: {value}, bound {}", check.what, precise(check.expected)),
        false => format!(
            "{word} {}: {value}, expected {} ± {}",
            check.what,
            precise(check.expected),
            short(check.tolerance)
        ),
    }
}

fn aligned(table: &PrintedTable) -> String {
    let count = |text: &str| text.chars().count();
    let width = |j: usize| {
        let cells = table.rows.iter().filter_map(|row| row.get(j));
        let heads = table.columns.iter().skip(j).take(1);
        cells.chain(heads).map(|cell| count(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let line = |cells: &[String]| -> String {
        let padded = cells.iter().zip(&widths).map(|(cell, &width)| {
            format!("{}{cell}", " ".repeat(width.saturating_sub(count(cell))))
        });
        format!("    {}\n", padded.collect::<Vec<_>>().join("  "))
    };
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    format!("  {}\n{}{rows}", table.title, line(&table.columns))
}
