//! How long a case takes: by the processor, since a computer that has other things to do proves nothing.

use std::time::{Duration, Instant};

/// Ticks per second in which Linux counts, whatever its clock.
const TICKS: f64 = 100.0;
/// Seconds on the wall for each of the processor, for what waits instead of computing.
const WAITING: u32 = 30;

/// Watches how long another process takes from now on.
pub(crate) struct Clock {
    process: u32,
    began: Instant,
    used: Option<Duration>,
}

impl Clock {
    /// Starts with what the process has used until now.
    pub(crate) fn start(process: u32) -> Self {
        Clock { process, began: Instant::now(), used: used(process) }
    }

    /// Whether it has computed for longer than this, or not even that in many times as long.
    pub(crate) fn exceeds(&self, patience: Duration) -> bool {
        match (self.used, used(self.process)) {
            (Some(before), Some(now)) => {
                now.saturating_sub(before) > patience || self.began.elapsed() > WAITING * patience
            }
            // systems that do not tell
            _ => self.began.elapsed() > patience,
        }
    }
}

/// Time of the processor that a process has used, with its threads.
fn used(process: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // the name may hold anything, also brackets and spaces
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |k: usize| fields.get(k)?.parse::<f64>().ok();
    // the state is the third field of the file and the first here
    Some(Duration::from_secs_f64((ticks(11)? + ticks(12)?) / TICKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_computing_counts() {
        let clock = Clock::start(std::process::id());
        std::thread::sleep(Duration::from_millis(300));
        assert!(!clock.exceeds(Duration::from_millis(200)));
        while clock.began.elapsed() < Duration::from_secs(60) {
            if clock.exceeds(Duration::from_millis(200)) {
                return;
            }
        }
        panic!("nothing was counted");
    }
}
