//! The progress bar, and stopping on request.

use crate::ending::{self, Watch};
use crate::limits::Limits;
use crate::numbers::{precise, short};
use indicatif::{ProgressBar, ProgressStyle};
use rotula_dae::{Observer, Settings, State, StepRecord, Stop};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Parts into which the simulated time is cut for the bar.
const PARTS: f64 = 10_000.0;
/// Often enough to look alive, rarely enough to cost nothing.
const REFRESH: Duration = Duration::from_millis(100);

/// Shows how far a run is and stops it on request.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: f64,
    until: f64,
    steps: usize,
    watch: Watch,
    shown: Instant,
    stop: Stop,
}

impl Progress {
    /// A bar if someone looks at the terminal. Until the first step it is not known how long a run takes, and the time
    /// spent is shown.
    pub(crate) fn new(settings: &Settings, limits: Limits, quiet: bool) -> Self {
        let bar = phase("finding the initial state", quiet);
        let stop = ending::on_signal();
        Progress {
            bar,
            start: settings.start,
            until: settings.until,
            steps: 0,
            watch: Watch::begin(limits, stop.clone()),
            shown: Instant::now(),
            stop,
        }
    }

    /// The limit that ended the run, if one did.
    pub(crate) fn reached(&self) -> Option<String> {
        self.watch.reached()
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn goes_on(&mut self) -> bool {
        !self.stop.asked()
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }

    fn looks_at_states(&self) -> bool {
        false
    }

    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool {
        if self.steps == 0 {
            ending::has_results();
            self.bar.disable_steady_tick();
            self.bar.set_length(PARTS as u64);
            style(&self.bar, "{bar:30} {percent:>3}%  {msg}  {eta} left");
            self.bar.reset_eta();
        }
        self.steps += 1;
        if self.shown.elapsed() >= REFRESH {
            self.shown = Instant::now();
            let share = (state.t - self.start) / (self.until - self.start);
            self.bar.set_position((share * PARTS) as u64);
            self.bar.set_message(format!(
                "t = {} of {} s, {} steps, h = {}",
                precise(state.t),
                precise(self.until),
                self.steps,
                short(step.h)
            ));
        }
        self.goes_on()
    }
}

/// What is done before the first step or after the last one, with the time spent on it; for whoever looks at the
/// terminal.
pub(crate) fn phase(what: &'static str, quiet: bool) -> ProgressBar {
    if quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::no_length();
    style(&bar, "{spinner} {msg}, {elapsed}");
    bar.set_message(what);
    bar.enable_steady_tick(REFRESH);
    bar
}

fn style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

/// A bar over runs, with the time that is left.
pub(crate) fn runs(total: usize, done: usize, quiet: bool) -> ProgressBar {
    if quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total as u64);
    style(&bar, "{bar:30} {pos} of {len} runs  {elapsed} spent, {eta} left");
    bar.set_position(done as u64);
    bar.reset_eta();
    bar
}
