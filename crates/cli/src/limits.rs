//! What a run may use: memory and time. A run that reaches a limit ends as on Ctrl-C, with everything
//! written that it has computed.

use crate::messages::Fault;
use crate::model_file::ModelFile;
use clap::Args as Options;
use rotula_dae::Sizes;
use rotula_dae::memory::{Expected, allowed, expected, words};
use std::time::Duration;

/// Limits that a user sets.
#[derive(Options, Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// Most memory, such as 4GB or 500MB: a run that would need more is refused, one that comes to it stops.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub max_memory: Option<f64>,
    /// Longest time by the clock on the wall, such as 30s, 10min or 2h: the run stops then.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub max_time: Option<Duration>,
}

/// Reads 500MB, 4GB or 1.5TB.
fn bytes(text: &str) -> Result<f64, String> {
    let units = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let read = |(unit, factor): (&str, f64)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        (number > 0.0 && number.is_finite()).then_some(number * factor)
    };
    let found = units.into_iter().find_map(read);
    found.ok_or_else(|| format!("`{text}` is no size; write 500MB or 4GB, for example"))
}

/// Reads 30s, 10min or 2h.
fn time(text: &str) -> Result<Duration, String> {
    let units = [("min", 60.0), ("s", 1.0), ("h", 3600.0)];
    let read = |(unit, factor): (&str, f64)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        Duration::try_from_secs_f64(number * factor).ok().filter(|time| !time.is_zero())
    };
    let found = units.into_iter().find_map(read);
    found.ok_or_else(|| format!("`{text}` is no time; write 30s, 10min or 2h, for example"))
}

impl Limits {
    /// Refuses a run whose results would not fit into memory, before time is spent on it.
    pub(crate) fn refuse_large(&self, file: &ModelFile, sizes: Sizes) -> Result<(), Fault> {
        let Expected { rows, bytes } = expected(sizes, &file.settings);
        // the recorded curves stand beside the states
        let bytes = bytes + rows * 8.0 * file.model.probe().names().len() as f64;
        let (limit, whose) = match (self.max_memory, allowed()) {
            (Some(limit), _) => (limit, "--max-memory allows"),
            (None, Some(limit)) => (limit, "there are"),
            (None, None) => return Ok(()),
        };
        if bytes <= limit {
            return Ok(());
        }
        let message = format!(
            "the results would take {} of memory, and {whose} {}: {rows:.3e} rows",
            words(bytes),
            words(limit)
        );
        Err(file.at_solve(
            &message,
            "record less often with `output_every`, or fewer things in `[output]`",
        ))
    }

    /// Whether any is set.
    pub(crate) fn any(&self) -> bool {
        self.max_memory.is_some() || self.max_time.is_some()
    }

    /// Why a run that has taken so long must stop, if it must.
    pub(crate) fn reached(&self, elapsed: Duration) -> Option<String> {
        if self.max_time.is_some_and(|most| elapsed >= most) {
            return Some("the time that --max-time allows is over".into());
        }
        let most = self.max_memory?;
        let used = used_memory()?;
        (used > most)
            .then(|| format!("the memory that --max-memory allows is full: {}", words(used)))
    }
}

/// Memory that this process uses, where Linux tells; other systems are not asked.
fn used_memory() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024.0 * line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_read() {
        assert_eq!(bytes("4GB"), Ok(4e9));
        assert_eq!(bytes("0.5 MB"), Ok(5e5));
        assert!(bytes("4").is_err() && bytes("-1GB").is_err() && bytes("infGB").is_err());
        assert_eq!(time("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(time("90s"), Ok(Duration::from_secs(90)));
        assert!(time("0s").is_err() && time("1e300h").is_err() && time("soon").is_err());
    }
}
