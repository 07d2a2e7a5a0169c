//! Running the real program in a directory of its own.

// each test file uses its part
#![allow(dead_code)]

pub mod columns;
pub mod formulations;
pub mod random;
pub mod table;
pub mod tyre_rig;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary directory in which the program runs.
pub struct Place {
    directory: tempfile::TempDir,
}

/// What the program said and how it ended.
pub struct Said {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Self {
        Place { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file of the test");
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn json(&self, name: &str) -> Value {
        let text = self.read(name);
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error} in\n{text}"))
    }

    /// What a run that came to its end says about itself.
    pub fn audit(&self, directory: &str) -> Value {
        let summary = self.json(&format!("{directory}/summary.json"));
        assert_eq!(summary["outcome"]["status"], "done");
        summary["audit"].clone()
    }

    /// Runs a model, with values set, to its end.
    pub fn run(&self, text: &str, set: &[&str], directory: &str) -> Said {
        self.write("model.toml", text);
        let mut arguments = vec!["run", "model.toml", "-o", directory];
        set.iter().for_each(|pair| arguments.extend(["--set", pair]));
        let said = self.rotula(&arguments);
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
        said
    }

    /// Runs a model that fails on its way, and says these words.
    pub fn run_fails(&self, text: &str, words: &[&str]) {
        self.write("model.toml", text);
        let said = self.rotula(&["run", "model.toml", "-o", "out"]);
        assert_eq!(said.status, 1, "{}", said.stdout);
        for word in words {
            assert!(said.stderr.contains(word), "no `{word}` in {}", said.stderr);
        }
    }

    /// Kills a run after a checkpoint and resumes it: its table is that of a run that nobody disturbed.
    pub fn goes_on_when_cut_off(&self, text: &str, until: &str, checkpoint: &str) {
        self.write("model.toml", text);
        let until = format!("solve.until={until}");
        let common = ["run", "model.toml", "--quiet", "--set", &until];
        assert_eq!(self.rotula(&[&common[..], &["-o", "whole"]].concat()).status, 0);
        let cut = ["-o", "cut", "--checkpoint", checkpoint];
        let mut child = self.begin(&[&common[..], &cut].concat());
        while !self.path("cut/checkpoint/1.state").exists() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        let said = self.rotula(&["resume", "cut"]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert!(said.stdout.contains("goes on from t = "), "{}", said.stdout);
        assert_eq!(self.read("whole/trajectory.csv"), self.read("cut/trajectory.csv"));
    }

    pub fn rotula(&self, arguments: &[&str]) -> Said {
        let output = Command::new(env!("CARGO_BIN_EXE_rotula"))
            .args(arguments)
            .current_dir(self.directory.path())
            .env("NO_COLOR", "1")
            .output()
            .expect("the program starts");
        Said::from(output)
    }

    /// The same through a shell that sets limits first; only where there is one.
    #[cfg(unix)]
    pub fn rotula_limited(&self, limits: &str, arguments: &[&str]) -> Said {
        let output = Command::new("sh")
            .args(["-c", &format!("{limits}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_rotula")])
            .args(arguments)
            .current_dir(self.directory.path())
            .env("NO_COLOR", "1")
            .output()
            .expect("a shell");
        Said::from(output)
    }

    /// The program at work, with nothing on the terminal.
    pub fn begin(&self, arguments: &[&str]) -> std::process::Child {
        Command::new(env!("CARGO_BIN_EXE_rotula"))
            .args(arguments)
            .current_dir(self.directory.path())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the program starts")
    }

    /// Files below a directory whose names say that they are not finished.
    pub fn drafts(&self) -> Vec<PathBuf> {
        let mut drafts = Vec::new();
        collect(self.directory.path(), &mut drafts);
        drafts
    }
}

/// Sends a signal by its name.
#[cfg(unix)]
pub fn signal(child: &std::process::Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn collect(directory: &Path, drafts: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, drafts);
        } else if path.to_string_lossy().ends_with(".part") {
            drafts.push(path);
        }
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Said {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// All files of a directory with their content.
pub fn content(place: &Place, directory: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(place.path(directory)).unwrap().flatten();
    let read = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, std::fs::read(entry.path()).unwrap_or_default())
    };
    entries.map(read).collect()
}

/// The last recorded time, which must be the one that the summary says was reached.
pub fn end(place: &Place, directory: &str) -> f64 {
    let last = table::Table::read(place, &format!("{directory}/trajectory.csv")).last("t");
    let summary = place.json(&format!("{directory}/summary.json"));
    let reached = number(&summary["outcome"], "reached");
    // the reader of the summary is not exact in the last digit
    assert!((last - reached).abs() <= 1e-15 * reached, "{last}, {reached}");
    last
}

/// A number of a JSON object.
pub fn number(object: &Value, key: &str) -> f64 {
    object[key].as_f64().unwrap_or_else(|| panic!("no number `{key}` in {object}"))
}

/// A chain of planar bodies that hangs from the ground, without settings.
pub fn planar_chain(count: usize) -> String {
    let mut text = "gravity = [0, -9.81, 0]\n".to_owned();
    for i in 0..count {
        let to = if i == 0 { "ground".to_owned() } else { format!("b{}", i - 1) };
        text += &format!(
            "[body.b{i}]\nkind = \"planar\"\nmass = 1\ninertia = 0.01\nat = [{}, 0, 0]\n\
             [joint.j{i}]\nrevolute = {{ between = [\"{to}\", \"b{i}\"], at = [{i}, 0, 0], about = \"z\" }}\n",
            i as f64 + 0.5
        );
    }
    text
}

/// An example that comes with the program.
pub fn example(name: &str) -> String {
    text_of(&format!("{}/../../examples/models/{name}", env!("CARGO_MANIFEST_DIR")))
}

/// A model of these tests.
pub fn model(name: &str) -> String {
    text_of(&format!("{}/tests/models/{name}", env!("CARGO_MANIFEST_DIR")))
}

fn text_of(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A pendulum that runs in no time.
pub const PENDULUM: &str = r#"title = "Pendulum"
[parameters]
m = 2.0
L = 1.0
[coordinates]
x = { at = "L", velocity = 0 }
y = { at = 0, velocity = 0 }
[mass]
x = "m"
y = "m"
[force]
y = "-9.81*m"
[constraint]
rod = "(x^2 + y^2 - L^2)/2"
[energy]
potential = "9.81*m*y"
[output]
angle = "atan2(y, x)"
[solve]
formulation = "ggl"
step = 0.01
until = 0.5
"#;
