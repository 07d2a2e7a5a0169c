//! What may happen to a run from outside: signals, limits, another run, a folder that may not be written to, a forged
//! checkpoint. Nothing is half-written, and nothing that stood before is lost.

#![cfg(unix)]

mod common;

use common::random::Random;
use common::{Place, content, end, example, planar_chain, signal};
use std::process::Child;
use std::time::Duration;

/// The slider-crank, which runs for as long as it is let.
fn slider_crank(place: &Place) {
    place.write("model.toml", &example("slider_crank.toml"));
}

const ENDLESS: [&str; 6] =
    ["run", "model.toml", "--set", "solve.until=100000", "--set", "solve.min_step=1e-9"];

/// A run that has taken some steps.
fn begin(place: &Place, more: &[&str]) -> Child {
    let child = place.begin(&[&ENDLESS[..], &["-o", "out"], more].concat());
    while !place.path("out/.rotula.lock").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(500));
    child
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

/// A chain so long that minutes pass before its first step.
fn long_set_up(place: &Place) {
    let last = "[output]\nbodies = false\njoints = false\n[solve]\nstep = 1e-3\nuntil = 1\n";
    place.write("model.toml", &(planar_chain(20_000) + last));
}

#[test]
fn before_the_first_step_a_run_ends_at_once() {
    let place = Place::new();
    long_set_up(&place);
    // seconds of the processor: reading takes a few of them
    let limits = "ulimit -t 60";
    let said =
        place.rotula_limited(limits, &["run", "model.toml", "-o", "a", "--max-time", "0.1s"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let words = "--max-time allows is over, before the first step: there are no results";
    assert!(said.stderr.contains(words), "{}", said.stderr);
    for name in ["INT", "TERM", "HUP"] {
        let mut child = place.begin(&["run", "model.toml", "-o", name]);
        while !place.path(&format!("{name}/.rotula.lock")).exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(300));
        let asked = std::time::Instant::now();
        signal(&child, name);
        let status = child.wait().unwrap();
        // by the handler, or by the system if there was none yet
        assert!(status.code() == Some(1) || status.code().is_none(), "SIG{name}: {status}");
        assert!(asked.elapsed() < Duration::from_secs(20), "SIG{name}: {:?}", asked.elapsed());
        assert!(!place.path(&format!("{name}/trajectory.csv")).exists());
    }
}

/// Sixty grains with a step that is far too long, for a long time: by `nonsmooth` an attempt takes much longer than the
/// limit, by `moreau-jean` the whole does.
const GRAINS: &str = r#"
gravity = [0, 0, -9.81]
[swarm.grain]
spheres = 60
radius = 0.1
density = 1000
filling = [[0, 0, 0.1], [1, 1, 12]]
container = [[0, 0, 0], [1, 1, 13]]
restitution = 0
friction = 0.5
[solve]
step = 0.05
until = 50000
output_every = 100
"#;

#[test]
fn a_step_that_takes_long_ends_too() {
    let place = Place::new();
    place.write("model.toml", GRAINS);
    for formulation in ["nonsmooth", "moreau-jean"] {
        let set = format!("solve.formulation={formulation}");
        let run = ["run", "model.toml", "-o", "out", "--set", &set, "--max-time", "5s"];
        // computing that goes on for 30 s after the limit would not end in words
        let said = place.rotula_limited("ulimit -t 35", &run);
        assert_eq!(said.status, 1, "{formulation}: {}", said.stderr);
        assert!(said.stderr.contains("--max-time allows is over"), "{}", said.stderr);
        if !said.stderr.contains("before the first step") {
            assert!(end(&place, "out") > 0.0, "{formulation}");
        }
    }
}

/// A disk or a computer that is slow: whoever stands still keeps the folder.
#[test]
fn a_run_that_stands_still_is_waited_for() {
    let place = Place::new();
    slider_crank(&place);
    let mut child = begin(&place, &["--max-time", "3s"]);
    signal(&child, "STOP");
    let said = place.rotula(&["run", "model.toml", "-o", "out"]);
    assert_eq!(said.status, 2, "{}", said.stderr);
    assert!(said.stderr.contains("another run is writing here"), "{}", said.stderr);
    signal(&child, "CONT");
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(content(&place, "out").len(), 3);
    assert!(end(&place, "out") > 0.0);
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
    place.write("model.toml", &(planar_chain(25) + "[solve]\nstep = 1e-3\nuntil = 0.1\n"));
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
    let mut random = Random::new(18);
    let mut next = |below: usize| random.below(below as u64) as usize;
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
