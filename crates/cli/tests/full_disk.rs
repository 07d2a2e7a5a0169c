//! A disk that fills up while results are written: they are those of the old run or those of the new one, never half of
//! either.
//!
//! `ROTULA_FULL_DISKS=50` sets how many sizes of files and of disks are tried.

#![cfg(unix)]

mod common;

use common::random::{Random, times};
use common::{Place, content, end, example};
use std::collections::BTreeMap;
use std::process::Command;

fn slider_crank(place: &Place) {
    place.write("model.toml", &example("slider_crank.toml"));
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

/// How many sizes are tried.
fn sizes() -> usize {
    times("ROTULA_FULL_DISKS", 6)
}

/// Results of the old run, or of the new one as far as they were written; whether they are new.
fn old_or_new(
    place: &Place,
    directory: &str,
    (old, before): (f64, &BTreeMap<String, Vec<u8>>),
    new: f64,
) -> bool {
    assert!(place.drafts().is_empty(), "{:?}", place.drafts());
    let mut after = content(place, directory);
    // what was computed is not lost: the run can go on when there is room
    after.remove("checkpoint");
    let reached = end(place, directory);
    if reached == old {
        assert!(after == *before, "old results changed");
        return false;
    }
    assert_eq!(reached, new);
    // nothing of the old run stands beside it
    for (name, bytes) in &after {
        assert!(before.get(name) != Some(bytes), "{name} is of the old run");
    }
    true
}

#[test]
fn files_that_may_not_grow_leave_the_old_results_or_the_new() {
    let place = Place::new();
    slider_crank(&place);
    let mut random = Random::new(50);
    let (mut kept, mut replaced) = (0, 0);
    for _ in 0..sizes() {
        let run = |until: &str, limit: &str| {
            let limits = format!("trap '' XFSZ; ulimit -f {limit}");
            let until = format!("solve.until={until}");
            place
                .rotula_limited(&limits, &["run", "model.toml", "-q", "-o", "out", "--set", &until])
        };
        assert_eq!(run("0.3", "unlimited").status, 0);
        let before = content(&place, "out");
        // the trajectory takes about 400 blocks, the report more
        let said = run("0.35", &(1 + random.below(900)).to_string());
        assert!(said.status == 0 || said.status == 2, "{}", said.stderr);
        let new = old_or_new(&place, "out", (0.3, &before), 0.35);
        assert!(new || said.status == 2, "the old results stand, and nothing is said");
        *(if new { &mut replaced } else { &mut kept }) += 1;
    }
    println!("{kept} times the old results stood, {replaced} times the new ones");
}

/// A disk of a given size within a name space of its own, on which an old run stands before a new one is tried.
fn on_a_small_disk(place: &Place, kilobytes: u64, checkpoint: bool) -> Option<i32> {
    let checkpoint = if checkpoint { "--checkpoint every=20steps" } else { "" };
    let script = format!(
        "mkdir -p disk && mount -t tmpfs -o size={kilobytes}k tmpfs disk || exit 99
         run() {{ \"$0\" run model.toml -q -o disk/out --set solve.until=$1 $2 2>> said; }}
         run 0.3 || exit 98
         rm -rf before after; cp -r disk/out before
         run 0.35 '{checkpoint}'; status=$?
         cp -r disk/out after
         exit $status"
    );
    let status = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
        .arg(env!("CARGO_BIN_EXE_rotula"))
        .current_dir(place.path("."))
        .status();
    status.ok()?.code().filter(|status| *status != 99)
}

#[test]
fn a_disk_that_is_full_leaves_the_old_results_or_the_new() {
    let place = Place::new();
    slider_crank(&place);
    let room: u64 = {
        let said =
            place.rotula(&["run", "model.toml", "-q", "-o", "a", "--set", "solve.until=0.3"]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        content(&place, "a").values().map(|bytes| bytes.len() as u64).sum::<u64>() / 1024
    };
    let mut random = Random::new(51);
    let (mut kept, mut replaced) = (0, 0);
    for k in 0..sizes() {
        // room for the old results, and for a part of the new ones or a little more
        let size = room + 40 + random.below(room + 200);
        let Some(status) = on_a_small_disk(&place, size, k % 3 == 2) else {
            println!("small disks cannot be made here: the sizes of files are tried only");
            return;
        };
        let said = place.read("said");
        assert!(status == 0 || status == 2, "{status}: {said}");
        let before = content(&place, "before");
        let new = old_or_new(&place, "after", (0.3, &before), 0.35);
        assert!(new || status == 2, "the old results stand, and nothing is said");
        *(if new { &mut replaced } else { &mut kept }) += 1;
    }
    println!("{kept} times the old results stood, {replaced} times the new ones");
}
