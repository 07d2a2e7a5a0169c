//! Everything that influences the rest of a run.

use super::bytes::{Reader, Unreadable, Writer};
use super::rows::{load_frame, save_frame};
use crate::march::March;
use crate::recorder::Recorder;
use crate::system::System;

impl March {
    /// The march as it is after an accepted step, without the rows recorded so far.
    pub(crate) fn save(&mut self, system: &mut dyn System, out: &mut Writer) {
        // No `..` here: a new field must be thought of.
        let March {
            settings: _,
            step,
            control,
            recorder,
            state,
            next,
            weights,
            weights_grow: _,
            statistics,
            troubles,
            fresh,
            instants: _,
            segment,
            located,
            watch,
            passage,
            ledger: _,
        } = self;
        out.put(&(&*state, &*next, &*weights));
        out.put(&*control);
        out.put(&(&*statistics, &*troubles, &*fresh, &*segment, &*located));
        out.put(&*watch);
        out.put(&*passage);
        step.save(out);
        system.save(out);
        recorder.save(out);
    }

    /// Takes over what an earlier run has saved, and the rows that it has recorded.
    pub(crate) fn load(
        &mut self,
        system: &mut dyn System,
        from: &mut Reader,
        rows: &[Vec<u8>],
    ) -> Result<(), Unreadable> {
        (self.state, self.next, self.weights) = from.get()?;
        self.control = from.get()?;
        (self.statistics, self.troubles, self.fresh, self.segment, self.located) = from.get()?;
        self.watch = from.get()?;
        self.passage = from.get()?;
        self.step.load(from)?;
        system.load(from)?;
        self.recorder.load(from)?;
        for rows in rows {
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
            times: _,
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
            underlying,
            recomputed,
        } = self;
        // output times follow from the settings: it is enough to know how many are left
        out.put(&pending.as_ref().map(Vec::len));
        out.put(&(row, solver, forces, residual, contacts));
        out.put(&(energy, underlying, recomputed));
        save_frame(trajectory, out);
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        let left: Option<usize> = from.get()?;
        match (&mut self.pending, left) {
            (Some(times), Some(left)) if left <= self.times.len() => {
                times.clear();
                times.extend_from_slice(&self.times[..left]);
            }
            (None, None) => {}
            _ => return Err(Unreadable),
        }
        (self.row, self.solver, self.forces, self.residual, self.contacts) = from.get()?;
        (self.energy, self.underlying, self.recomputed) = from.get()?;
        load_frame(&mut self.trajectory, from)
    }
}
