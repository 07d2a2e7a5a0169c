//! Runs that are stopped: after some steps, or within a step that takes long. One that does not obey hangs.

use rotula_dae::{Observer, State, StepRecord, Stop};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Steps after which a run is stopped.
pub(crate) const STEPS: usize = 20;
/// The time after which it is asked to stop, wherever it is.
const LONGEST: Duration = Duration::from_secs(2);
/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// The run under way, and when it began.
static UNDER_WAY: Mutex<Option<(Instant, Stop)>> = Mutex::new(None);

/// Lets a run take a few steps.
pub(crate) struct Early {
    steps: usize,
    stop: Stop,
}

impl Default for Early {
    fn default() -> Self {
        static TIMER: Once = Once::new();
        TIMER.call_once(|| drop(thread::spawn(look)));
        let stop = Stop::default();
        let began = (Instant::now(), stop.clone());
        *UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner) = Some(began);
        Early { steps: 0, stop }
    }
}

/// Asks whatever takes too long to stop.
fn look() {
    loop {
        thread::sleep(LOOK);
        let under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((began, stop)) = &*under_way
            && began.elapsed() > LONGEST
        {
            stop.ask();
        }
    }
}

impl Observer for Early {
    fn accepted(&mut self, _state: &State, _step: &StepRecord) -> bool {
        self.steps += 1;
        self.steps < STEPS && self.goes_on()
    }

    fn goes_on(&mut self) -> bool {
        !self.stop.asked()
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}
