//! Runs and sweeps that are killed at random moments go on as if nothing had happened, to the last bit.
//!
//! `ROTULA_KILLS=200` sets how many kills there are in all.

#![cfg(unix)]

mod common;

use common::random::{Random, times};
use common::table::Table;
use common::{Place, example, signal};
use std::process::Child;
use std::time::{Duration, Instant};

/// Joints, equations, beams, cables, bodies of meshes, impacts by two methods: whatever keeps something from step to
/// step.
const MODELS: [&str; 10] = [
    "slider_crank",
    "pendulum",
    "bicycle",
    "cable_net",
    "flexible_slider_crank",
    "governor",
    "rocking_block",
    "poured_spheres",
    "walker",
    "princeton_beam",
];

/// How many kills there are in all, and how many of them for each of the models and for the sweep.
fn kills() -> (usize, usize) {
    let all = times("ROTULA_KILLS", 22);
    (all, all.div_ceil(MODELS.len() + 1))
}

/// Lets a process live for a while and kills it, by a signal that it may answer or by one that it cannot. False if it had
/// ended before.
fn kill(child: &mut Child, random: &mut Random, longest: Duration) -> bool {
    let lives = longest.mul_f64(random.below(1000) as f64 / 1000.0);
    let began = Instant::now();
    while began.elapsed() < lives {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let name = if random.below(2) == 0 { "KILL" } else { "TERM" };
    if child.try_wait().unwrap().is_some() {
        return false;
    }
    signal(child, name);
    let status = child.wait().unwrap();
    // one that was writing its results when asked to end has ended well
    status.code() != Some(0)
}

/// The summary without the time it took.
fn summary(place: &Place, directory: &str) -> serde_json::Value {
    let mut summary = place.json(&format!("{directory}/summary.json"));
    summary.as_object_mut().unwrap().remove("wall_seconds").expect("the time it took");
    summary
}

#[test]
fn killed_runs_end_with_the_numbers_of_runs_that_were_not() {
    let (_, each) = kills();
    let mut random = Random::new(20_241_115);
    let (mut killed, mut resumed) = (0, 0);
    for name in MODELS {
        let place = Place::new();
        place.write("model.toml", &example(&format!("{name}.toml")));
        let began = Instant::now();
        let whole = place.rotula(&["run", "model.toml", "--quiet", "-o", "whole"]);
        assert_eq!(whole.status, 0, "{name}: {}", whole.stderr);
        let taken = began.elapsed();
        let (table, expected) = (place.read("whole/trajectory.csv"), summary(&place, "whole"));
        let mut left = each;
        loop {
            let begun = place.path("cut/checkpoint/run.json").exists();
            let arguments: &[&str] = match begun {
                true => &["resume", "cut", "--quiet"],
                false => &["run", "model.toml", "-o", "cut", "-q", "--checkpoint", "every=20steps"],
            };
            resumed += usize::from(begun);
            let mut child = place.begin(arguments);
            if left > 0 && kill(&mut child, &mut random, taken) {
                left -= 1;
                killed += 1;
                continue;
            }
            assert_eq!(child.wait().unwrap().code(), Some(0), "{name}: {arguments:?}");
            assert!(!place.path("cut/checkpoint").exists(), "{name}: checkpoints are left");
            assert!(place.drafts().is_empty(), "{name}: {:?}", place.drafts());
            assert!(place.read("cut/trajectory.csv") == table, "{name}: another trajectory");
            assert_eq!(summary(&place, "cut"), expected, "{name}");
            assert!(place.path("cut/report.html").exists(), "{name}: no report");
            if left == 0 {
                break;
            }
            std::fs::remove_dir_all(place.path("cut")).unwrap();
        }
    }
    println!("{killed} kills, {resumed} times gone on");
    assert_eq!(killed, each * MODELS.len());
    assert!(2 * resumed > killed, "{resumed} of {killed} went on from a checkpoint");
}

/// Lines of the journal of a sweep: the heading, then one for each finished run.
fn journal_lines(place: &Place) -> usize {
    let text = std::fs::read_to_string(place.path("cut/runs.jsonl")).unwrap_or_default();
    text.matches('\n').count()
}

#[test]
fn a_killed_sweep_goes_on_and_runs_nothing_twice() {
    let (all, _) = kills();
    // the others are those of the models
    let wanted = all.div_ceil(MODELS.len() + 1).max(3);
    let place = Place::new();
    place.write("model.toml", &example("double_pendulum.toml"));
    let runs = 8 * wanted;
    let over = format!("parameters.m=1:4:{runs}");
    let sweep = |out: &'static str| {
        ["sweep", "model.toml", "--over", &over, "--set", "solve.until=40", "--quiet", "-o", out]
            .map(str::to_owned)
    };
    let began = Instant::now();
    let said = place.rotula(&sweep("whole").each_ref().map(String::as_str));
    assert_eq!(said.status, 0, "{}", said.stderr);
    let longest = began.elapsed().mul_f64(0.5 / wanted as f64);
    let mut random = Random::new(4711);
    let mut killed = 0;
    while killed < wanted {
        let before = journal_lines(&place);
        let mut child = place.begin(&sweep("cut").each_ref().map(String::as_str));
        // something is done between two kills, so that the sweep comes on
        while journal_lines(&place) <= before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if kill(&mut child, &mut random, longest) {
            killed += 1;
            // a line that was cut off does not count, and is the only thing that may be lost
            assert!(journal_lines(&place) >= before, "finished runs were lost");
            continue;
        }
        assert_eq!(child.wait().unwrap().code(), Some(0));
        std::fs::remove_dir_all(place.path("cut")).unwrap();
    }
    let before = journal_lines(&place).saturating_sub(1);
    let mut last = sweep("cut").to_vec();
    last.retain(|word| word != "--quiet");
    let said = place.rotula(&last.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(0 < before && before < runs, "{before} of {runs} before the last command");
    let words = format!("{runs} runs, {before} of them before");
    assert!(said.stdout.contains(&words), "no `{words}` in {}", said.stdout);
    println!("{killed} kills, {before} of {runs} runs before the last command");

    // nothing is lost, nothing is there twice, and every row is that of the sweep that was not killed
    assert_eq!(place.read("cut/runs.jsonl").lines().count(), 1 + runs);
    let [whole, cut] =
        ["whole", "cut"].map(|name| Table::read(&place, &format!("{name}/sweep.csv")));
    assert_eq!(whole.len(), runs);
    assert_eq!(whole.headings(), cut.headings());
    assert_eq!(whole.without("wall_seconds"), cut.without("wall_seconds"));
}

/// Which checkpoint is the newest is written in it: the clock of the computer may have been set back.
#[test]
fn the_clock_may_be_set_back() {
    let place = Place::new();
    place.write("model.toml", &example("slider_crank.toml"));
    let whole = place.rotula(&["run", "model.toml", "--quiet", "-o", "whole"]);
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    let cut = ["run", "model.toml", "-o", "cut", "-q", "--checkpoint", "every=50steps"];
    let mut child = place.begin(&cut);
    while !place.path("cut/checkpoint/1.state").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let states = ["0.state", "1.state"].map(|name| place.path(&format!("cut/checkpoint/{name}")));
    let changed = |k: usize| std::fs::metadata(&states[k]).unwrap().modified().unwrap();
    let newest = usize::from(changed(1) >= changed(0));
    // the newest is of the year 1971, and the other one of tomorrow
    let day = Duration::from_secs(86_400);
    let set = |k: usize, time| {
        let file = std::fs::File::options().write(true).open(&states[k]).unwrap();
        file.set_modified(time).unwrap();
    };
    set(newest, std::time::UNIX_EPOCH + 365 * day);
    set(1 - newest, std::time::SystemTime::now() + day);
    // without the older one it goes on from the same time
    let from = |said: &common::Said| {
        let line = said.stdout.lines().find(|line| line.contains("goes on from t = "));
        line.unwrap_or_else(|| panic!("{}", said.stdout)).split(',').next().unwrap().to_owned()
    };
    let copy = place.path("copy");
    std::fs::create_dir_all(copy.join("checkpoint")).unwrap();
    for entry in std::fs::read_dir(place.path("cut/checkpoint")).unwrap().flatten() {
        if entry.path() != states[1 - newest] {
            std::fs::copy(entry.path(), copy.join("checkpoint").join(entry.file_name())).unwrap();
        }
    }
    let [both, alone] = ["cut", "copy"].map(|directory| {
        let said = place.rotula(&["resume", directory]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert!(
            place.read(&format!("{directory}/trajectory.csv"))
                == place.read("whole/trajectory.csv")
        );
        from(&said)
    });
    assert_eq!(both, alone);
}
