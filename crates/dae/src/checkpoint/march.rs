//! Everything that influences the rest of a run.

use super::bytes::{Reader, Unreadable, Writer};
use super::rows::{load_frame, save_frame};
use super::{Kept, Snapshot};
use crate::diagnosis::{Diagnosis, Failure};
use crate::march::March;
use crate::recorder::Recorder;

impl March<'_> {
    /// The run as it is after an accepted step.
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        // No `..` here: a new field must be thought of.
        let March {
            system,
            settings: _,
            scheme,
            newton,
            control,
            predictor,
            recorder,
            state,
            next,
            weights,
            statistics,
            troubles,
            first_failure,
            ringing: _,
            fresh,
            segment,
            ledger,
        } = self;
        let mut out = Writer::default();
        out.put(&(&*state, &*next, &*weights));
        out.put(&(&*newton, &*control, &*predictor));
        out.put(&(&*statistics, &*troubles, &*first_failure, &*fresh, &*segment));
        scheme.save(&mut out);
        system.save(&mut out);
        recorder.save(&mut out);
        let rows = ledger.news(&mut recorder.trajectory);
        Snapshot { t: state.t, state: out.finish(), rows }
    }

    /// Takes over what an earlier run has kept.
    pub(crate) fn resume(&mut self, kept: &Kept) -> Result<(), Diagnosis> {
        self.take(kept).map_err(|error| Diagnosis {
            failure: Failure::Unsupported,
            t: self.settings.start,
            message: error.to_string(),
            evidence: Vec::new(),
            remedies: vec!["start the run anew".into()],
        })
    }

    fn take(&mut self, kept: &Kept) -> Result<(), Unreadable> {
        let mut from = Reader::new(&kept.state);
        (self.state, self.next, self.weights) = from.get()?;
        (self.newton, self.control, self.predictor) = from.get()?;
        (self.statistics, self.troubles, self.first_failure, self.fresh, self.segment) =
            from.get()?;
        self.scheme.load(&mut from)?;
        self.system.load(&mut from)?;
        self.recorder.load(&mut from)?;
        from.finish()?;
        for rows in &kept.rows {
            self.ledger.replay(&mut self.recorder.trajectory, rows)?;
        }
        self.ledger.settle(&self.recorder.trajectory);
        Ok(())
    }
}

impl Recorder {
    /// Everything but the recorded rows.
    fn save(&mut self, out: &mut Writer) {
        let Recorder {
            trajectory,
            pending,
            row,
            solver,
            forces,
            contact_rows: _,
            impulsive: _,
            between: _,
            residual,
            residuals: _,
            contacts,
            energy,
            recomputed,
        } = self;
        // output times follow from the settings: it is enough to know how many are left
        out.put(&pending.as_ref().map(Vec::len));
        out.put(&(row, solver, forces, residual, contacts));
        out.put(&(energy, recomputed));
        save_frame(trajectory, out);
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        let left: Option<usize> = from.get()?;
        match (&mut self.pending, left) {
            (Some(times), Some(left)) if left <= times.len() => times.truncate(left),
            (None, None) => {}
            _ => return Err(Unreadable),
        }
        (self.row, self.solver, self.forces, self.residual, self.contacts) = from.get()?;
        (self.energy, self.recomputed) = from.get()?;
        load_frame(&mut self.trajectory, from)
    }
}
