//! What may happen to a run from outside: signals, another run, a full disk, a folder that may not be written
//! to, a forged checkpoint. Nothing is half-written, and nothing that stood before is lost.

#![cfg(unix)]

mod common;

use common::table::Table;
use common::{Place, example, number};
use std::collections::BTreeMap;
use std::process::{Child, Command};
use std::time::Duration;

/// The slider-crank, which runs for as long as it is let.
fn slider_crank(place: &Place) {
    place.write("model.toml", &example("slider_crank.toml"));
}

const ENDLESS: [&str; 4] = ["run", "model.toml", "--set", "solve.until=100000"];

/// A run that has taken some steps.
fn begin(place: &Place, more: &[&str]) -> Child {
    let child = place.begin(&[&ENDLESS[..], &["-o", "out"], more].concat());
    while !place.path("out/.rotula.lock").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(500));
    child
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// All files of a directory with their content.
fn content(place: &Place, directory: &str) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(place.path(directory)).unwrap().flatten();
    let read = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, std::fs::read(entry.path()).unwrap_or_default())
    };
    entries.map(read).collect()
}

/// The last recorded time, which must be the one that the summary says was reached.
fn end(place: &Place, directory: &str) -> f64 {
    let last = Table::read(place, &format!("{directory}/trajectory.csv")).last("t");
    let summary = place.json(&format!("{directory}/summary.json"));
    let reached = number(&summary["outcome"], "reached");
    // the reader of the summary is not exact in the last digit
    assert!((last - reached).abs() <= 1e-15 * reached, "{last}, {reached}");
    last
}

#[test]
fn signals_end_a_run_with_everything_written() {
    for name in ["INT", "TERM", "HUP"] {
        let place = Place::new();
        slider_crank(&place);
        // rows are rare, but the last state is there
        let mut child = begin(&place, &["--set", "solve.output_every=7"]);
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(1), "SIG{name}");
        let files = content(&place, "out");
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(names, ["report.html", "summary.json", "trajectory.csv"], "SIG{name}");
        assert!(end(&place, "out") > 0.0, "SIG{name}");
    }
}

#[test]
fn limits_end_a_run_as_a_signal_does() {
    let place = Place::new();
    slider_crank(&place);
    let said = place.rotula(&[&ENDLESS[..], &["-o", "out", "--max-time", "1s"]].concat());
    assert_eq!(said.status, 1);
    assert!(said.stderr.contains("the time that --max-time allows is over"), "{}", said.stderr);
    assert!(end(&place, "out") > 0.0);
    let said = place.rotula(&[&ENDLESS[..], &["-o", "out", "--max-memory", "40MB"]].concat());
    assert_eq!(said.status, 1);
    assert!(said.stderr.contains("--max-memory allows is full"), "{}", said.stderr);
    let many = ["--set", "solve.output_every=1e-3", "--max-memory", "1GB", "-o", "out"];
    let said = place.rotula(&[&ENDLESS[..], &many[..]].concat());
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("--max-memory allows 1.0 GB"), "{}", said.stderr);
}

#[test]
fn a_folder_holds_one_run_at_a_time() {
    let place = Place::new();
    slider_crank(&place);
    let mut child = begin(&place, &["--checkpoint", "every=20steps"]);
    let process = format!("another run is writing here, process {}", child.id());
    let over = "parameters.m1=1,2";
    for other in [
        &["run", "model.toml", "-o", "out"][..],
        &["resume", "out"],
        &["sweep", "model.toml", "--over", over, "-o", "out"],
    ] {
        let said = place.rotula(other);
        assert_eq!(said.status, 2, "{other:?}: {}", said.stderr);
        assert!(said.stderr.contains(&process), "{other:?}: {}", said.stderr);
    }
    // the lock dies with the process, however that ends
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(place.path("out/.rotula.lock").exists());
    let said = place.rotula(&["resume", "out", "--quiet", "--max-time", "1s"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(!place.path("out/.rotula.lock").exists());
}

#[test]
fn a_refused_run_leaves_no_trace() {
    let place = Place::new();
    place.write(
        "m.toml",
        "[coordinates]\nx = { at = 1, velocity = 0 }\n[mass]\nx = -1\n[solve]\nuntil = 1\n",
    );
    assert_eq!(place.rotula(&["run", "m.toml", "-o", "a/b"]).status, 2);
    assert!(!place.path("a").exists());
}

#[test]
fn a_full_disk_leaves_what_stood_before() {
    let place = Place::new();
    slider_crank(&place);
    let run = |until: &str, limit: &str| {
        let limits = format!("trap '' XFSZ; ulimit -f {limit}");
        let until = format!("solve.until={until}");
        place.rotula_limited(&limits, &["run", "model.toml", "-q", "-o", "out", "--set", &until])
    };
    assert_eq!(run("0.3", "unlimited").status, 0);
    let before = content(&place, "out");
    assert_eq!(before.len(), 3);
    // the trajectory does not fit: everything is as it was; shells count in blocks of 512 or 1024 bytes
    let said = run("3", "150");
    assert_eq!(said.status, 2, "{}", said.stderr);
    assert!(said.stderr.contains("cannot write out/trajectory.csv"), "{}", said.stderr);
    assert!(content(&place, "out") == before, "old results changed");
    // trajectory and summary fit, the report does not: no report is better than that of another run
    let said = run("0.1", "150");
    assert_eq!(said.status, 2, "{}", said.stderr);
    assert!(said.stderr.contains("cannot write out/report.html"), "{}", said.stderr);
    assert!(end(&place, "out") == 0.1 && !place.path("out/report.html").exists());
}

#[test]
fn what_a_killed_run_left_half_written_goes_with_the_next() {
    let place = Place::new();
    slider_crank(&place);
    std::fs::create_dir_all(place.path("out/.new.abc.part")).unwrap();
    place.write("out/.new.abc.part/trajectory.csv", "half");
    place.write("out/.report.html.x1.part", "half");
    assert_eq!(
        place.rotula(&["run", "model.toml", "-q", "-o", "out", "--set", "solve.until=0.1"]).status,
        0
    );
    assert_eq!(content(&place, "out").len(), 3);
}

#[test]
fn a_folder_that_may_not_be_written_to_is_refused_before_computing() {
    // to root, every folder may be written to, but a file is no folder
    let place = Place::new();
    slider_crank(&place);
    place.write("file", "");
    let said = place.rotula(&[&ENDLESS[..], &["-o", "file/out"]].concat());
    assert_eq!(said.status, 2, "{}", said.stderr);
}

/// A chain that is long enough for sparse matrices.
fn chain(place: &Place) {
    let mut text = "gravity = [0, -9.81, 0]\n".to_owned();
    for i in 0..25 {
        let to = if i == 0 { "ground".to_owned() } else { format!("b{}", i - 1) };
        text += &format!(
            "[body.b{i}]\nkind = \"planar\"\nmass = 1\ninertia = 0.01\nat = [{}, 0, 0]\n\
             [joint.j{i}]\nrevolute = {{ between = [\"{to}\", \"b{i}\"], at = [{i}, 0, 0], about = \"z\" }}\n",
            i as f64 + 0.5
        );
    }
    place.write("model.toml", &(text + "[solve]\nstep = 1e-3\nuntil = 0.1\n"));
}

#[test]
fn forged_checkpoints_end_in_words() {
    let place = Place::new();
    chain(&place);
    let endless = ["--set", "solve.until=1000", "--checkpoint", "every=10steps", "-o", "out"];
    let mut child = place.begin(&[&["run", "model.toml"][..], &endless[..]].concat());
    while !place.path("out/checkpoint/1.state").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = content(&place, "out/checkpoint");
    let head = b"rotula checkpoint 1\n".len();
    // a generator of Lehmer: the places differ, but not from run to run
    let mut random = 18_u64;
    let mut next = |below: usize| {
        random = random * 48_271 % 0x7fff_ffff;
        random as usize % below
    };
    let mut refused = 0;
    for _ in 0..40 {
        std::fs::create_dir_all(place.path("out/checkpoint")).unwrap();
        for (name, content) in &kept {
            let mut content = content.clone();
            if name.ends_with(".state") {
                // behind the checksum and four numbers that are looked at before
                let body = head + 4;
                for _ in 0..=next(4) {
                    let at = body + 32 + next(content.len() - body - 40);
                    match next(3) {
                        0 => content[at] ^= 1 << next(8),
                        1 => content[at] = next(256) as u8,
                        // the largest row number as it is written
                        _ => content[at..at + 5].copy_from_slice(&[0xff, 0xff, 0xff, 0xff, 0x0f]),
                    }
                }
                let checksum = crc32fast::hash(&content[body..]);
                content[head..body].copy_from_slice(&checksum.to_le_bytes());
            }
            std::fs::write(place.path(&format!("out/checkpoint/{name}")), content).unwrap();
        }
        let said = place.rotula(&["resume", "out", "--quiet", "--max-time", "0.2s"]);
        assert!([0, 1, 2].contains(&said.status), "{}: {}", said.status, said.stderr);
        refused += usize::from(said.status == 2);
    }
    assert!(refused > 0, "no forgery was noticed");
}
