//! What ends a run before its time: signals and limits. They are heard at any moment, also within a step that takes long.
//!
//! Once a step was accepted there are results, and the run ends with everything written. Before that there is nothing to
//! keep, and the program ends at once, whatever it is doing.

use crate::limits::Limits;
use crate::messages::complain;
use rotula_dae::Stop;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often limits are looked at: soon enough for who waits, at no cost.
const LOOK: Duration = Duration::from_millis(20);

/// There is something that must not be lost.
static RESULTS: AtomicBool = AtomicBool::new(false);

/// Says that there are results from now on.
pub(crate) fn has_results() {
    RESULTS.store(true, Ordering::Relaxed);
}

/// A request that Ctrl-C makes, and so do the signals of a system that shuts down (SIGTERM) and of a terminal that is
/// closed (SIGHUP). The second of them ends the program: writing may take long.
pub(crate) fn on_signal() -> Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    let stop = STOP.get_or_init(|| {
        let stop = Stop::default();
        let asked = stop.clone();
        // without a handler they still end the program, only less gently
        let _ = ctrlc::set_handler(move || {
            if asked.asked() {
                exit(1);
            }
            end(&asked, "stopped on request");
        });
        stop
    });
    stop.clone()
}

/// Ends a run, or the program if there is nothing to keep.
fn end(stop: &Stop, why: &str) {
    stop.ask();
    if !RESULTS.load(Ordering::Relaxed) {
        complain(&format!("{why}, before the first step: there are no results"));
        exit(1);
    }
}

/// Looks at the limits of a run for as long as it lives.
pub(crate) struct Watch {
    over: Arc<AtomicBool>,
    reached: Arc<Mutex<Option<String>>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Asks to stop as soon as a limit is reached.
    pub(crate) fn begin(limits: Limits, stop: Stop) -> Self {
        let (over, reached) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(None)));
        let watched = (over.clone(), reached.clone());
        let look = move || {
            let began = Instant::now();
            let (over, reached) = watched;
            while !over.load(Ordering::Relaxed) {
                if let Some(why) = limits.reached(began.elapsed()) {
                    *reached.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.clone());
                    end(&stop, &why);
                    return;
                }
                thread::park_timeout(LOOK);
            }
        };
        let thread = limits.any().then(|| thread::spawn(look));
        Watch { over, reached, thread }
    }

    /// The limit that ended the run, if one did.
    pub(crate) fn reached(&self) -> Option<String> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
