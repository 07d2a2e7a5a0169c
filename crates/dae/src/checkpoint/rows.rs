//! What was recorded since the last checkpoint. A trajectory only grows, so each snapshot adds its end;
//! writing all of it every time would cost the square of its length.

use super::bytes::{Reader, Unreadable, Writer};
use crate::contact_record::ContactHistory;
use crate::contact_table::ContactTable;
use crate::statistics::StepRecord;
use crate::trajectory::{Table, Trajectory};

/// How much of a trajectory has been handed to a keeper.
#[derive(Default)]
pub(crate) struct Ledger {
    columns: Vec<usize>,
    steps: usize,
    impacts: usize,
    /// Contacts that have touched, rows of their table, and its times.
    touching: [usize; 3],
    /// Rows of one time that the table kept.
    most_at_once: usize,
}

impl Ledger {
    /// Everything recorded since the last call.
    pub fn news(&mut self, trajectory: &mut Trajectory) -> Vec<u8> {
        let mut out = Writer::default();
        let lists = lists(trajectory);
        self.columns.resize(lists.len(), 0);
        for (list, from) in lists.into_iter().zip(&mut self.columns) {
            // tables of contacts begin with the first contact
            let start = (*from).min(list.len());
            out.put(&(start, &list[start..]));
            *from = list.len();
        }
        let contacts = &trajectory.contacts;
        out.put(&(self.steps, &trajectory.steps[self.steps..]));
        out.put(&(self.impacts, &contacts.impacts[self.impacts..]));
        let ContactTable { contacts: names, ends, rows, most_at_once, .. } = &contacts.touching;
        if self.most_at_once != *most_at_once {
            // rows of earlier times were left out
            (self.touching[1], self.touching[2]) = (0, 0);
        }
        out.put(&(self.touching[0], &names[self.touching[0]..]));
        out.put(&(self.touching[1], &rows[self.touching[1]..]));
        out.put(&(self.touching[2], &ends[self.touching[2]..]));
        self.settle(trajectory);
        out.finish()
    }

    /// Adds the rows of one snapshot to a trajectory, and counts them as handed over.
    pub fn replay(&mut self, trajectory: &mut Trajectory, news: &[u8]) -> Result<(), Unreadable> {
        let mut from = Reader::new(news);
        let lists = lists(trajectory);
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
        let ContactTable { contacts, ends, rows, .. } = &mut trajectory.contacts.touching;
        let (start, more) = from.get()?;
        extend(contacts, start, more)?;
        let (start, more) = from.get()?;
        extend(rows, start, more)?;
        let (start, more) = from.get()?;
        extend(ends, start, more)?;
        from.finish()
    }

    /// Counts everything that is there as handed over.
    pub fn settle(&mut self, trajectory: &Trajectory) {
        self.steps = trajectory.steps.len();
        self.impacts = trajectory.contacts.impacts.len();
        let ContactTable { contacts, ends, rows, most_at_once, .. } = &trajectory.contacts.touching;
        self.touching = [contacts.len(), rows.len(), ends.len()];
        self.most_at_once = *most_at_once;
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

/// Everything that grows row by row.
fn lists(trajectory: &mut Trajectory) -> [&mut Vec<f64>; 16] {
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
        coordinates: _,
    } = trajectory;
    let ContactHistory {
        names: _,
        rows: _,
        gap,
        impulse,
        force,
        smooth,
        smooth_reactions,
        summary,
        impacts: _,
        touching: _,
    } = contacts;
    [
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
        smooth_reactions.list(),
        summary.list(),
    ]
}

/// Puts what belongs to a trajectory beside its rows.
pub(super) fn save_frame(trajectory: &mut Trajectory, out: &mut Writer) {
    out.put(&trajectory.energy.width());
    let contacts = &mut trajectory.contacts;
    out.put(&contacts.tables().map(|table| table.width()));
    let ContactTable { most, most_at_once, left_out, .. } = &contacts.touching;
    out.put(&(&contacts.names, &contacts.rows, (most, most_at_once, left_out)));
    out.put(&(&trajectory.statistics, &trajectory.audit));
}

/// Takes it back.
pub(super) fn load_frame(trajectory: &mut Trajectory, from: &mut Reader) -> Result<(), Unreadable> {
    trajectory.energy = Table::new(from.get()?);
    let contacts = &mut trajectory.contacts;
    let widths: [usize; 6] = from.get()?;
    for (table, width) in contacts.tables().into_iter().zip(widths) {
        *table = Table::new(width);
    }
    let ContactTable { most, most_at_once, left_out, .. } = &mut contacts.touching;
    (contacts.names, contacts.rows, (*most, *most_at_once, *left_out)) = from.get()?;
    (trajectory.statistics, trajectory.audit) = from.get()?;
    Ok(())
}
