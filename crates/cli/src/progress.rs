//! The progress bar, and stopping on request.

use crate::limits::Limits;
use crate::numbers::{precise, short};
use indicatif::{ProgressBar, ProgressStyle};
use rotula_dae::{Observer, Settings, State, StepRecord};
use std::io::{IsTerminal, stderr};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
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
    began: Instant,
    limits: Limits,
    /// The limit that ended the run, if one did.
    pub reached: Option<String>,
    shown: Instant,
    stop: &'static AtomicBool,
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
        Progress {
            bar,
            start: settings.start,
            until: settings.until,
            steps: 0,
            began: Instant::now(),
            limits,
            reached: None,
            shown: Instant::now(),
            stop: stop_on_request(),
        }
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
        self.reached = self.limits.reached(self.began.elapsed(), self.steps);
        self.reached.is_none() && !self.stop.load(Ordering::Relaxed)
    }

    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool {
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

/// A flag that Ctrl-C sets, and so do the signals of a system that shuts down (SIGTERM) and of a terminal
/// that is closed (SIGHUP). The second of them ends the program: a step may take long.
pub(crate) fn stop_on_request() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    static HANDLER: Once = Once::new();
    HANDLER.call_once(|| {
        // without a handler they still end the program, only less gently
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(1);
            }
        });
    });
    &STOP
}
