//! Looks after a worker: it may crash, hang or run out of memory, and the next one goes on behind that case.

use crate::clock::Clock;
use crate::corpus;
use crate::target::Target;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Cases of one worker.
const BATCH: u64 = 20_000;
/// Memory of a worker, in kilobytes.
const MEMORY: u64 = 4_000_000;
/// How often a case that takes long is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// Tries a target until the numbers of cases or seconds are used up; how many cases broke.
pub(crate) fn watch(
    target: Target,
    seed: u64,
    numbers: Range<u64>,
    seconds: f64,
    findings: &Path,
) -> usize {
    let began = Instant::now();
    let end = Instant::now().checked_add(Duration::from_secs_f64(seconds.min(1e8)));
    let (mut next, mut broken) = (numbers.start, 0);
    let mut report = |number: u64, why: &str| {
        broken += 1;
        let input = target.input(&corpus::read(target), seed, number);
        let path = findings.join(format!("{target:?}-{seed}-{number}.{}", target.ending()));
        let kept = std::fs::create_dir_all(findings).and_then(|()| std::fs::write(&path, input));
        let place = kept.map_or_else(|error| error.to_string(), |()| path.display().to_string());
        println!("{target:?}, seed {seed}, case {number}: {why} ({place})");
    };
    while next < numbers.end && end.is_none_or(|end| Instant::now() < end) {
        let last = numbers.end.min(next + BATCH);
        let (mut child, lines) = begin(target, seed, next, last);
        let mut current = next;
        let mut clock = None;
        loop {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            match lines.recv_timeout(left.map_or(LOOK, |left| left.min(LOOK))) {
                Ok(line) => match line.strip_prefix("broken ") {
                    None => {
                        current = line.parse().unwrap_or(current);
                        clock = None;
                    }
                    Some(what) => {
                        let (number, why) = what.split_once(": ").unwrap_or((what, ""));
                        report(number.parse().unwrap_or(current), why);
                    }
                },
                Err(RecvTimeoutError::Timeout) => {
                    let over = left.is_some_and(|left| left < LOOK);
                    // most cases take less than it takes to look at the clock
                    let clock = clock.get_or_insert_with(|| Clock::start(child.id()));
                    let hangs = clock.exceeds(target.patience());
                    if !over && !hangs {
                        continue;
                    }
                    stop(&mut child);
                    if hangs {
                        report(current, &format!("computes longer than {:?}", target.patience()));
                    }
                    next = current + 1;
                    break;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    match child.wait() {
                        Ok(status) if status.success() => next = last,
                        Ok(status) => {
                            report(current, &format!("ended with {status}"));
                            next = current + 1;
                        }
                        Err(error) => {
                            report(current, &error.to_string());
                            next = current + 1;
                        }
                    }
                    break;
                }
            }
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let cases = next - numbers.start;
    println!("{target:?}: {cases} cases with seed {seed} in {seconds:.0} s, {broken} broke");
    broken
}

/// A worker in a process of its own, and its lines.
fn begin(target: Target, seed: u64, first: u64, end: u64) -> (Child, Receiver<String>) {
    let own = std::env::current_exe().expect("a program knows where it is");
    let mut command = match cfg!(unix) {
        true => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(own);
            shell
        }
        false => Command::new(own),
    };
    let name = format!("{target:?}").to_lowercase();
    let numbers = [seed, first, end].map(|number| number.to_string());
    let mut child = command
        .args(["work", &name])
        .args(numbers)
        // matrices of small models are faster on one core
        .env("RAYON_NUM_THREADS", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a worker starts");
    let (sender, lines) = channel();
    let out = child.stdout.take().expect("its output is a pipe");
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    (child, lines)
}

fn stop(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
