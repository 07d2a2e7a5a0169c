//! The legs of a run whose left-out rows change on the way.

use crate::consistency::InitialReport;
use crate::state::State;
use crate::trajectory::Trajectory;
use serde::{Deserialize, Serialize};

/// What the present leg starts from.
#[derive(Serialize, Deserialize)]
pub(crate) struct Legs {
    /// The rows it marches with.
    pub kept: Vec<usize>,
    /// Its start, with multipliers of all rows.
    pub state: State,
    /// The legs before it, as one.
    pub behind: Option<Behind>,
    /// How often other rows were chosen.
    pub changes: usize,
}

/// What earlier legs have left.
#[derive(Serialize, Deserialize)]
pub(crate) struct Behind {
    pub trajectory: Trajectory,
    pub initial: InitialReport,
    pub warnings: Vec<String>,
}
