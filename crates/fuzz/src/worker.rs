//! Cases one after the other. Each is announced, so that whoever watches knows which one broke the process.

use crate::corpus;
use crate::forged::Snapshots;
use crate::target::Target;
use std::io::{Write, stdout};
use std::ops::Range;

/// Runs cases; a line with the number before each, and `broken NUMBER: WHY` for promises that do not hold.
pub(crate) fn work(target: Target, seed: u64, numbers: Range<u64>) {
    let corpus = corpus::read(target);
    let mut out = stdout().lock();
    let mut snapshots = Snapshots::default();
    for number in numbers {
        // who watches may have gone
        if writeln!(out, "{number}").and_then(|()| out.flush()).is_err() {
            return;
        }
        let input = target.input(&corpus, seed, number);
        if let Err(why) = target.try_out(&input, &mut snapshots) {
            let _ = writeln!(out, "broken {number}: {}", why.replace('\n', " "));
        }
    }
}
