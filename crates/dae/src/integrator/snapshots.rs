//! A run that is left and taken up again: from checkpoints, and from snapshots of its own.

use super::Integrator;
use super::legs::{Redundant, begin_leg};
use crate::checkpoint::{Kept, Ledger, Reader, Snapshot, Unreadable, Writer};
use crate::diagnosis::{Diagnosis, Failure};
use crate::redundancy::{Legs, Marched};
use crate::settings::Settings;
use crate::state::State;
use crate::system::Handle;

impl<'a> Integrator<'a> {
    /// Goes on from a checkpoint of a run with the same system, start and settings, as if it had not been
    /// interrupted.
    pub fn resume(
        system: impl Into<Handle<'a>>,
        initial: &State,
        settings: &Settings,
        kept: &Kept,
    ) -> Result<Self, Diagnosis> {
        let unreadable = |error| unreadable(settings.start, error);
        let mut from = Reader::new(&kept.state);
        let legs = from.get().map_err(unreadable)?;
        let mut integrator = Self::prepare(system.into(), initial, settings, legs)?;
        integrator.load(from, &kept.rows).map_err(unreadable)?;
        Ok(integrator)
    }

    /// The whole run as it is now, to come back to.
    pub fn snapshot(&mut self) -> Snapshot {
        let rows = Ledger::default().news(&mut self.march.recorder.trajectory);
        Snapshot { t: self.march.state.t, state: self.save(), rows }
    }

    /// Comes back to where a snapshot of this run was taken.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Diagnosis> {
        let t = self.march.state.t;
        self.take(snapshot).map_err(|error| unreadable(t, error))
    }

    fn take(&mut self, snapshot: &Snapshot) -> Result<(), Unreadable> {
        let mut from = Reader::new(&snapshot.state);
        let legs: Option<Legs> = from.get()?;
        match (&mut self.redundant, legs) {
            (Some(redundant), Some(legs)) => redundant.legs = legs,
            (None, None) => {}
            _ => return Err(Unreadable),
        }
        if let (Marched::Reduced(reduced), Some(Redundant { legs, .. })) =
            (&mut self.system, &self.redundant)
            && reduced.kept() != legs.kept
        {
            reduced.keep(legs.kept.clone());
            let begun = begin_leg(&mut self.system, legs, &self.settings);
            self.march = begun.map_err(|_| Unreadable)?.0;
        }
        self.load(from, std::slice::from_ref(&snapshot.rows))
    }

    /// Everything but the rows recorded so far.
    pub(super) fn save(&mut self) -> Vec<u8> {
        let mut out = Writer::default();
        out.put(&self.redundant.as_ref().map(|redundant| &redundant.legs));
        self.march.save(&mut *self.system, &mut out);
        out.finish()
    }

    fn load(&mut self, mut from: Reader, rows: &[Vec<u8>]) -> Result<(), Unreadable> {
        self.march.load(&mut *self.system, &mut from, rows)?;
        from.finish()?;
        self.complete_state();
        Ok(())
    }
}

fn unreadable(t: f64, error: Unreadable) -> Diagnosis {
    Diagnosis::new(Failure::Unsupported, t, error.to_string())
        .remedied_by(vec!["start the run anew".into()])
}
