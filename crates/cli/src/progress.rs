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
    bar: Option<ProgressBar>,
    start: f64,
    until: f64,
    steps: usize,
    watch: Watch,
    shown: Instant,
    stop: Stop,
}

impl Progress {
    /// A bar if someone looks at the terminal.
    pub(crate) fn new(settings: &Settings, limits: Limits, quiet: bool) -> Self {
        let bar = (!quiet && stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(PARTS as u64);
            let template = "{bar:30} {percent:>3}%  {msg}  {eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_message("starting");
            bar
        });
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
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Progress {
    fn goes_on(&mut self) -> bool {
        !self.stop.asked()
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }

    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool {
        if self.steps == 0 {
            ending::has_results();
        }
        self.steps += 1;
        if let Some(bar) = &self.bar
            && self.shown.elapsed() >= REFRESH
        {
            self.shown = Instant::now();
            let share = (state.t - self.start) / (self.until - self.start);
            bar.set_position((share * PARTS) as u64);
            bar.set_message(format!(
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

/// A bar over runs, with the time that is left.
pub(crate) fn runs(total: usize, done: usize, quiet: bool) -> ProgressBar {
    if quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos} of {len} runs  {elapsed} spent, {eta} left")
    {
        bar.set_style(style);
    }
    bar.set_position(done as u64);
    bar.reset_eta();
    bar
}
