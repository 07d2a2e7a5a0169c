//! How much memory the trajectory of a run will take, before it starts, and how much there is.

use crate::settings::{Output, Settings, StepControl};
use crate::statistics::StepRecord;
use crate::system::Sizes;
use std::sync::OnceLock;

/// What a run will record, as far as its settings say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Rows of the trajectory.
    pub rows: f64,
    /// Bytes of the trajectory, contacts not counted.
    pub bytes: f64,
}

/// Rows and bytes of the trajectory of a run; where steps follow from a tolerance, at least so many.
pub fn expected(sizes: Sizes, settings: &Settings) -> Expected {
    let span = settings.until - settings.start;
    let steps = match &settings.control {
        StepControl::Fixed { h } => span / h,
        StepControl::Repeated { h, fractions } => span / h * fractions.len() as f64,
        StepControl::Tolerance(control) => span / control.max,
    };
    let rows = 1.0
        + match &settings.output {
            Output::EachStep => steps,
            Output::Every(interval) => span / interval,
            Output::At(times) => times.len() as f64,
        };
    let state = sizes.configuration + 2 * sizes.motion + sizes.multipliers();
    // time, energies and residuals
    let columns = 7 + state + 2 * sizes.states + sizes.variables;
    let step = size_of::<StepRecord>() as f64;
    Expected { rows, bytes: rows * 8.0 * columns as f64 + steps * step }
}

/// Bytes that this process may use: the memory of the computer, or what a container or a limit of the process
/// leaves of it. None where the system does not tell.
pub fn allowed() -> Option<f64> {
    static ALLOWED: OnceLock<Option<f64>> = OnceLock::new();
    *ALLOWED.get_or_init(|| {
        let read = |file: &str| std::fs::read_to_string(file).ok();
        let computer = read("/proc/meminfo").and_then(|text| of_computer(&text));
        let process = read("/proc/self/limits").and_then(|text| of_process(&text));
        let container =
            ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
                .into_iter()
                .filter_map(|file| read(file)?.trim().parse().ok());
        computer.into_iter().chain(process).chain(container).reduce(f64::min)
    })
}

/// What Linux says that the computer has.
fn of_computer(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(1024.0 * line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()?)
}

/// The address space that a process may have, if it is limited.
fn of_process(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A size in words.
pub fn words(bytes: f64) -> String {
    match bytes {
        size if size >= 1e9 => format!("{:.1} GB", size / 1e9),
        size => format!("{:.0} MB", (size / 1e6).max(1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_linux_says_is_read() {
        assert_eq!(of_computer("MemTotal:       2048 kB\nMemFree: 1 kB\n"), Some(2097152.0));
        let limits = "Limit   Soft Limit   Hard Limit   Units\n\
            Max address space         4096000000           unlimited            bytes\n";
        assert_eq!(of_process(limits), Some(4.096e9));
        assert_eq!(of_process(&limits.replace("4096000000", "unlimited")), None);
    }

    #[test]
    fn sizes_are_readable() {
        assert_eq!([3.2e10, 4.7e7, 10.0].map(words), ["32.0 GB", "47 MB", "1 MB"]);
    }
}
