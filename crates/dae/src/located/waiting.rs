//! Which contacts wait for their impact.

use serde::{Deserialize, Serialize};

/// More contacts that are closed at once, or that may close, are stepped through: each impact would be one of many.
const MOST_CLOSED: usize = 8;
const MOST_CONTACTS: usize = 64;

/// What a scheme shares with the march so that impacts can be located.
#[derive(Serialize, Deserialize)]
pub(crate) struct Waiting {
    asked_for: bool,
    /// Steps pass through impacts for now.
    through: bool,
    /// By contact: open, and stays so in a step whatever its gap becomes.
    pub open: Vec<bool>,
    /// By contact: closed in the next start.
    pressed: Option<Vec<bool>>,
    /// Contacts whose slip has come to its end at the next start.
    stopped: Vec<usize>,
}

impl Waiting {
    pub fn new(asked_for: bool) -> Self {
        Waiting { asked_for, through: false, open: Vec::new(), pressed: None, stopped: Vec::new() }
    }

    /// Whether impacts are located at present.
    pub fn now(&self) -> bool {
        self.asked_for && !self.through
    }

    /// Takes notice of how many contacts there are, how many of them are closed, whether none has changed for some steps, and
    /// whether steps outrun the fastest motion. Short steps amidst long ones would feed that.
    pub fn see(&mut self, (contacts, closed): (usize, usize), quiet: bool, outrun: bool) {
        if contacts > MOST_CONTACTS || closed > MOST_CLOSED || outrun {
            self.through = true;
        } else if quiet {
            self.through = false;
        }
    }

    /// Impacts cannot be told apart: from now on steps pass through them, until contacts have come to rest.
    pub fn step_through(&mut self) {
        self.through = true;
    }

    /// Says which contacts are closed in the next start.
    pub fn press(&mut self, pressed: Vec<bool>) {
        self.pressed = Some(pressed);
    }

    /// Says whose slip has come to its end at the next start.
    pub fn stop(&mut self, stopped: Vec<usize>) {
        self.stopped = stopped;
    }

    /// What was said, once.
    pub fn take_stopped(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.stopped)
    }

    /// What was said, once.
    pub fn take_pressed(&mut self) -> Option<Vec<bool>> {
        self.pressed.take()
    }
}
