//! What was recorded since the last checkpoint. A trajectory only grows, so each snapshot adds its end;
//! writing all of it every time would cost the square of its length.

use super::bytes::{Reader, Unreadable, Writer};
use crate::contact_forces::ContactForces;
use crate::contact_record::ContactHistory;
use crate::statistics::StepRecord;
use crate::trajectory::{Table, Trajectory};

/// How much of a trajectory has been handed to a keeper.
#[derive(Default)]
pub(crate) struct Ledger {
    columns: Vec<usize>,
    steps: usize,
    impacts: usize,
    /// Contact forces, and times of which they are known.
    forces: [usize; 2],
    /// The tables by contact had been given up.
    varying: bool,
}

impl Ledger {
    /// Everything recorded since the last call.
    pub fn news(&mut self, trajectory: &mut Trajectory) -> Vec<u8> {
        let (steps, impacts) = (trajectory.steps.len(), trajectory.contacts.impacts.len());
        let varying = trajectory.contacts.varying;
        let mut out = Writer::default();
        let (lists, of_contacts) = lists(trajectory);
        self.columns.resize(lists.len(), 0);
        for (k, (list, from)) in lists.into_iter().zip(&mut self.columns).enumerate() {
            // tables by contact begin anew when the list of contacts has changed
            let start = if k >= of_contacts && varying != self.varying { 0 } else { *from };
            out.put(&(start, &list[start..]));
            *from = list.len();
        }
        out.put(&(self.steps, &trajectory.steps[self.steps..]));
        out.put(&(self.impacts, &trajectory.contacts.impacts[self.impacts..]));
        let ContactForces { ends, forces } = &trajectory.contacts.forces;
        out.put(&(self.forces[0], &forces[self.forces[0]..]));
        out.put(&(self.forces[1], &ends[self.forces[1]..]));
        self.forces = [forces.len(), ends.len()];
        (self.steps, self.impacts, self.varying) = (steps, impacts, varying);
        out.finish()
    }

    /// Adds the rows of one snapshot to a trajectory, and counts them as handed over.
    pub fn replay(&mut self, trajectory: &mut Trajectory, news: &[u8]) -> Result<(), Unreadable> {
        let mut from = Reader::new(news);
        let (lists, _) = lists(trajectory);
        self.columns.clear();
        for list in lists {
            let (start, values): (usize, Vec<f64>) = from.get()?;
            extend(list, start, values)?;
            self.columns.push(list.len());
        }
        let (start, steps): (usize, Vec<StepRecord>) = from.get()?;
        extend(&mut trajectory.steps, start, steps)?;
        let (start, impacts) = from.get()?;
        extend(&mut trajectory.contacts.impacts, start, impacts)?;
        let ContactForces { ends, forces } = &mut trajectory.contacts.forces;
        let (start, more) = from.get()?;
        extend(forces, start, more)?;
        let (start, more) = from.get()?;
        extend(ends, start, more)?;
        self.forces = [forces.len(), ends.len()];
        self.steps = trajectory.steps.len();
        self.impacts = trajectory.contacts.impacts.len();
        from.finish()
    }

    /// All rows are there: takes over what belongs to them.
    pub fn settle(&mut self, trajectory: &Trajectory) {
        self.varying = trajectory.contacts.varying;
    }
}

fn extend<T>(list: &mut Vec<T>, start: usize, values: Vec<T>) -> Result<(), Unreadable> {
    if start > list.len() {
        return Err(Unreadable);
    }
    list.truncate(start);
    list.extend(values);
    Ok(())
}

/// Everything that grows row by row, and the place from which on it belongs to contacts.
fn lists(trajectory: &mut Trajectory) -> ([&mut Vec<f64>; 16], usize) {
    let Trajectory {
        sizes: _,
        names: _,
        times,
        q,
        v,
        vdot,
        multipliers,
        x,
        xdot,
        y,
        energy,
        residuals,
        contacts,
        steps: _,
        statistics: _,
        audit: _,
        balance: _,
    } = trajectory;
    let ContactHistory {
        names: _,
        rows: _,
        gap,
        impulse,
        force,
        smooth,
        reactions,
        summary,
        impacts: _,
        varying: _,
        forces: _,
    } = contacts;
    let lists = [
        times,
        q.list(),
        v.list(),
        vdot.list(),
        multipliers.list(),
        x.list(),
        xdot.list(),
        y.list(),
        energy.list(),
        residuals.list(),
        gap.list(),
        impulse.list(),
        force.list(),
        smooth.list(),
        reactions.list(),
        summary.list(),
    ];
    (lists, 10)
}

/// Puts what belongs to a trajectory beside its rows.
pub(super) fn save_frame(trajectory: &Trajectory, out: &mut Writer) {
    let contacts = &trajectory.contacts;
    let ContactHistory { gap, impulse, force, smooth, reactions, summary, .. } = contacts;
    out.put(&[gap, impulse, force, smooth, reactions, summary].map(Table::width));
    out.put(&(&contacts.names, &contacts.rows, contacts.varying));
    out.put(&(&trajectory.statistics, &trajectory.audit));
}

/// Takes it back.
pub(super) fn load_frame(trajectory: &mut Trajectory, from: &mut Reader) -> Result<(), Unreadable> {
    let contacts = &mut trajectory.contacts;
    let widths: [usize; 6] = from.get()?;
    (contacts.names, contacts.rows, contacts.varying) = from.get()?;
    let ContactHistory { gap, impulse, force, smooth, reactions, summary, .. } = contacts;
    for (table, width) in [gap, impulse, force, smooth, reactions, summary].into_iter().zip(widths)
    {
        *table = Table::new(width);
    }
    (trajectory.statistics, trajectory.audit) = from.get()?;
    Ok(())
}
