//! The legs of a run whose left-out rows change on the way, and their checkpoints.

use super::Watch;
use crate::checkpoint::{Keeper, Kept, Reader, Snapshot, Unreadable, Writer};
use crate::consistency::InitialReport;
use crate::diagnosis::{Diagnosis, Failure};
use crate::march::Outcome;
use crate::settings::Settings;
use crate::state::State;
use crate::trajectory::Trajectory;
use serde::{Deserialize, Serialize};

/// What the present leg starts from.
#[derive(Serialize, Deserialize)]
pub(super) struct Legs {
    /// The rows it marches with.
    pub kept: Vec<usize>,
    pub state: State,
    /// The legs before it, as one.
    pub behind: Option<Behind>,
}

/// What earlier legs have left.
#[derive(Serialize, Deserialize)]
pub(super) struct Behind {
    pub trajectory: Trajectory,
    pub initial: InitialReport,
    pub warnings: Vec<String>,
}

impl From<Outcome> for Behind {
    fn from(outcome: Outcome) -> Self {
        let Outcome { trajectory, initial, warnings, state: _, failure: _ } = outcome;
        Behind { trajectory, initial, warnings }
    }
}

impl Legs {
    /// The leg to begin with: the first one, or the one in which an earlier run was cut off, with what
    /// was kept of it.
    pub fn resume(
        first: Legs,
        settings: &Settings,
        keeper: &mut dyn Keeper,
    ) -> Result<(Legs, Option<Kept>), Diagnosis> {
        let Some(kept) = keeper.resume() else { return Ok((first, None)) };
        let mut from = Reader::new(&kept.state);
        let parts = from.get().and_then(|legs| Ok((legs, from.get()?)));
        let (legs, state) = parts.map_err(|error: Unreadable| Diagnosis {
            failure: Failure::Unsupported,
            t: settings.start,
            message: error.to_string(),
            evidence: Vec::new(),
            remedies: vec!["start the run anew".into()],
        })?;
        Ok((legs, Some(Kept { state, rows: kept.rows })))
    }
}

/// Keeps the snapshots of a leg together with what it started from.
pub(super) struct LegKeeper<'a> {
    keeper: &'a mut dyn Keeper,
    legs: &'a Legs,
    resumed: Option<Kept>,
    watch: Watch,
}

impl<'a> LegKeeper<'a> {
    pub fn new(
        keeper: &'a mut dyn Keeper,
        legs: &'a Legs,
        resumed: Option<Kept>,
        watch: Watch,
    ) -> Self {
        LegKeeper { keeper, legs, resumed, watch }
    }
}

impl Keeper for LegKeeper<'_> {
    fn resume(&mut self) -> Option<Kept> {
        self.resumed.take()
    }

    fn due(&mut self, stopping: bool) -> bool {
        // where a row left out is violated the leg ends: there is nothing to go on from
        self.watch.get().is_none() && self.keeper.due(stopping)
    }

    fn keep(&mut self, snapshot: Snapshot) {
        let mut out = Writer::default();
        out.put(self.legs);
        out.put(&snapshot.state);
        self.keeper.keep(Snapshot { state: out.finish(), ..snapshot });
    }
}
