//! Checkpoints: a run that was cut off goes on as if nothing had happened, to the last bit.
//!
//! | file | content |
//! |---|---|
//! | `bytes` | numbers to bytes and back, exactly |
//! | `march` | everything that influences the rest of a run |
//! | `rows` | what was recorded since the last checkpoint |
//!
//! A checkpoint holds whole objects, not chosen fields: the scheme with its factorised matrix (whose
//! pivots and scaling depend on the matrices before it), the iteration's memory, the predictor's past,
//! the step-size controller and what the system remembers. Whoever adds a formulation derives
//! `Serialize` and `Deserialize` for it and cannot forget a field.

mod bytes;
mod march;
mod rows;

pub use bytes::{Reader, Unreadable, Writer};
pub(crate) use rows::Ledger;

/// A run at an accepted step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Time of the step.
    pub t: f64,
    /// Everything but the rows recorded so far.
    pub state: Vec<u8>,
    /// Rows recorded since the last snapshot.
    pub rows: Vec<u8>,
}

/// What a run goes on from: the last snapshot's state, and the rows of all snapshots up to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// [`Snapshot::state`] of the last one.
    pub state: Vec<u8>,
    /// [`Snapshot::rows`] of all, in their order.
    pub rows: Vec<Vec<u8>>,
}

/// Decides when a checkpoint is due, and keeps it.
pub trait Keeper {
    /// What to go on from, if this continues an earlier run; asked once, at the start.
    fn resume(&mut self) -> Option<Kept> {
        None
    }

    /// Whether a snapshot shall be taken after an accepted step; `stopping` if the run ends there on
    /// request.
    fn due(&mut self, stopping: bool) -> bool;

    /// Keeps a snapshot. One that cannot be kept must not end the run.
    fn keep(&mut self, snapshot: Snapshot);
}

/// Keeps nothing.
impl Keeper for () {
    fn due(&mut self, _stopping: bool) -> bool {
        false
    }

    fn keep(&mut self, _snapshot: Snapshot) {}
}
