//! `rotula doctor`: what is installed, what is missing, and what to do about it.

use crate::Ending;
use crate::files::refuse_unwritable;
use crate::messages::{Fault, say};
use crate::processor::has_wide_vectors;
use crate::run::PROGRAM;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One thing that was looked at.
struct Finding {
    what: &'static str,
    state: State,
    found: String,
    remedy: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    /// Missing, and only some things need it.
    Optional,
    Bad,
}

impl Finding {
    fn good(what: &'static str, found: impl Into<String>) -> Self {
        Finding { what, state: State::Good, found: found.into(), remedy: None }
    }

    fn missing(what: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (found, remedy) = (found.into(), Some(remedy.into()));
        Finding { what, state: State::Optional, found, remedy }
    }
}

/// Looks at everything and prints it.
pub(crate) fn doctor() -> Result<Ending, Fault> {
    let findings = [program(), processor(), threads(), folder(), python(), package(), browser()];
    for Finding { what, state, found, remedy } in &findings {
        let mark = match state {
            State::Good => "ok",
            State::Optional => "--",
            State::Bad => "!!",
        };
        say(&format!("{mark}  {what:<16} {found}"));
        if let Some(remedy) = remedy {
            say(&format!("    {:<16} {remedy}", ""));
        }
    }
    let bad = findings.iter().any(|finding| finding.state == State::Bad);
    let optional = findings.iter().filter(|finding| finding.state == State::Optional).count();
    say(match (bad, optional) {
        (true, _) => "Something that the program needs is missing.",
        (false, 0) => "All is well.",
        (false, _) => "The program can work; what is marked -- is needed by some things only.",
    });
    Ok(if bad { Ending::Failed } else { Ending::Done })
}

fn program() -> Finding {
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    let place = std::env::current_exe()
        .map_or_else(|_| String::new(), |path| format!(", {}", path.display()));
    if cfg!(debug_assertions) {
        return Finding::missing(
            "program",
            format!("{PROGRAM} for {system} on {machine}, without optimisation{place}"),
            "ten times faster if built with `cargo build --release`",
        );
    }
    Finding::good("program", format!("{PROGRAM} for {system} on {machine}{place}"))
}

/// Instructions that this build assumes would have ended the program before this line.
fn processor() -> Finding {
    let built =
        if cfg!(target_feature = "avx2") { "built for AVX2 and FMA" } else { "built for all" };
    match has_wide_vectors() {
        None => Finding::good("processor", format!("{} ({built})", std::env::consts::ARCH)),
        Some(true) if cfg!(target_feature = "avx2") => {
            Finding::good("processor", format!("has AVX2 and FMA ({built})"))
        }
        Some(true) => Finding::missing(
            "processor",
            format!("has AVX2 and FMA, but the program was {built}"),
            "a fifth faster if built in the checkout without RUSTFLAGS",
        ),
        Some(false) => Finding::good("processor", format!("lacks AVX2 or FMA ({built})")),
    }
}

fn threads() -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::current_num_threads();
    if pool == cores {
        return Finding::good("threads", format!("{cores}; a run uses one, a sweep all of them"));
    }
    Finding::good("threads", format!("{cores}; sweeps use {pool} (RAYON_NUM_THREADS)"))
}

fn folder() -> Finding {
    let results = Path::new("results");
    match refuse_unwritable(results) {
        Ok(()) => Finding::good("results", "can be written below this folder"),
        Err(_) => Finding {
            what: "results",
            state: State::Bad,
            found: "cannot be written below this folder".into(),
            remedy: Some("go to another folder, or use `--output`".into()),
        },
    }
}

fn python() -> Finding {
    let code = "import sys; print('%d.%d.%d' % sys.version_info[:3], sys.executable)";
    match python_says(code) {
        None => Finding::missing(
            "Python",
            "not found",
            "only the Python package needs it: install Python 3.11 or later",
        ),
        Some(found) if too_old(&found) => Finding::missing(
            "Python",
            format!("{found} is too old"),
            "the Python package needs 3.11 or later",
        ),
        Some(found) => Finding::good("Python", found),
    }
}

fn too_old(version: &str) -> bool {
    let mut numbers = version.split(['.', ' ']).map(|part| part.parse().unwrap_or(0u32));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < (3, 11)
}

fn package() -> Finding {
    const WHAT: &str = "Python package";
    let remedy = "for scripts and notebooks: `pip install .` in the checkout";
    let code = "import importlib.metadata as m; print(m.version('rotula'))";
    match python_says(code) {
        None => Finding::missing(WHAT, "not installed", remedy),
        Some(version) if version != env!("CARGO_PKG_VERSION") => {
            Finding::missing(WHAT, format!("{version}, another version than the program"), remedy)
        }
        Some(version) => Finding::good(WHAT, format!("rotula {version}")),
    }
}

/// What Python prints, if it runs.
fn python_says(code: &str) -> Option<String> {
    ["python3", "python"].iter().find_map(|name| {
        let output = Command::new(name).args(["-c", code]).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    })
}

fn browser() -> Finding {
    const NAMES: [&str; 4] =
        ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    match NAMES.iter().find_map(|name| in_path(name)) {
        Some(path) => Finding::good("Chromium", path.display().to_string()),
        None => Finding::missing(
            "Chromium",
            "not found",
            "any browser opens reports; tests of them install it, or `apt install chromium`",
        ),
    }
}

fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::too_old;

    #[test]
    fn versions_of_python_are_compared_as_numbers() {
        assert!(too_old("3.9.2 /usr/bin/python3") && too_old("2.7.18"));
        assert!(!too_old("3.11.0 /usr/bin/python3") && !too_old("4.0.0") && !too_old("3.100.1"));
    }
}
