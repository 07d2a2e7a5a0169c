//! A request to stop that may come at any moment: from a signal, from a limit of time or memory, from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asked within every loop that may take long, so that a run ends soon even where a single step does not.
///
/// ```
/// # use rotula_dae::Stop;
/// let stop = Stop::default();
/// let elsewhere = stop.clone();
/// assert!(!stop.asked());
/// elsewhere.ask();
/// assert!(stop.asked());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks whoever holds a copy of this to stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether that was asked.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
