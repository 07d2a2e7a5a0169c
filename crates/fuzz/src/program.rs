//! Model files through the program, as a user gets it.

use crate::clock::Clock;
use crate::corpus::root;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Time of the processor for one command.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

const COMMANDS: [&[&str]; 4] = [
    &["check", "m.toml"],
    &["run", "m.toml", "-q", "-o", "out", "--max-time", "1s", "--max-memory", "1GB"],
    &["statics", "m.toml"],
    &["modes", "m.toml"],
];

/// Tries all commands: the status is 0, 1 or 2, refusals name line and column, and recorded numbers are numbers.
pub(crate) fn try_out(input: &[u8]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("m.toml"), input).map_err(|error| error.to_string())?;
    for name in ["fork.flex", "robot_arm.urdf"] {
        let _ = std::fs::copy(root().join("examples/models").join(name), path(name));
    }
    for arguments in COMMANDS {
        let (status, said) = run(folder.path(), arguments)?;
        let what = || format!("{}: {}", arguments[0], said.lines().next().unwrap_or_default());
        match status {
            Some(0 | 1) => {}
            Some(2) if said.contains("m.toml: ") || names_place(&said) => {}
            Some(2) => return Err(format!("a refusal without line and column by {}", what())),
            status => return Err(format!("status {status:?} of {}", what())),
        }
    }
    let rows = std::fs::read_to_string(path("out/trajectory.csv")).unwrap_or_default();
    match rows.lines().skip(1).find(|row| row.contains("NaN") || row.contains("inf")) {
        Some(row) => Err(format!("recorded: {row}")),
        None => Ok(()),
    }
}

/// Whether a message has `m.toml:LINE:COLUMN: `.
fn names_place(said: &str) -> bool {
    said.match_indices("m.toml:").any(|(at, found)| {
        let rest = &said[at + found.len()..];
        let mut parts = rest.splitn(3, ':');
        let number = |part: Option<&str>| part.is_some_and(|part| part.parse::<usize>().is_ok());
        number(parts.next()) && number(parts.next())
    })
}

/// The status, none if a signal ended it, and what was said about faults.
fn run(folder: &Path, arguments: &[&str]) -> Result<(Option<i32>, String), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = program.with_file_name(format!("rotula{}", std::env::consts::EXE_SUFFIX));
    let said = std::fs::File::create(folder.join("said")).map_err(|error| error.to_string())?;
    let child = Command::new(&program)
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(said)
        .spawn();
    let mut child = child.map_err(|error| {
        format!(
            "{}: {error}; build it with `cargo build --release -p rotula-cli`",
            program.display()
        )
    })?;
    let clock = Clock::start(child.id());
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            let said = std::fs::read(folder.join("said")).unwrap_or_default();
            return Ok((status.code(), String::from_utf8_lossy(&said).into_owned()));
        }
        if clock.exceeds(PATIENCE) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{} computes longer than {PATIENCE:?}", arguments[0]));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
