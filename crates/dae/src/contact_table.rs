//! Contacts that touch, at each recorded time: a long table, because they come and go.

use serde::{Deserialize, Serialize};

/// A contact that has touched in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TouchingContact {
    /// Its name.
    pub name: String,
    /// Names of the two bodies; empty where the system has none.
    pub bodies: [String; 2],
    /// The second body, as the system counts them.
    pub body: usize,
    /// It is a force, not a constraint.
    pub soft: bool,
}

/// A contact at a recorded time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Touch {
    /// Which contact of the table it is.
    pub contact: usize,
    /// Where it is, in the world.
    pub place: [f64; 3],
    /// The gap.
    pub gap: f64,
    /// The normal force: of a rigid contact the impulse of the step divided by the step.
    pub normal: f64,
    /// The tangential force along the tangents of the contact.
    pub tangential: [f64; 2],
    /// The sliding velocity along them.
    pub slip: [f64; 2],
    /// The whole force on the second body, in the world.
    pub force: [f64; 3],
}

impl Touch {
    /// The size of the tangential force.
    pub fn friction(&self) -> f64 {
        self.tangential[0].hypot(self.tangential[1])
    }

    /// The size of the sliding velocity.
    pub fn sliding(&self) -> f64 {
        self.slip[0].hypot(self.slip[1])
    }

    /// The size of the whole force.
    pub fn size(&self) -> f64 {
        self.normal.hypot(self.friction())
    }
}

/// The contacts that touch, time by time.
///
/// It holds no more than `most` rows, or one per time if that is more. When there are too many, the weakest
/// contacts of each time are left out, the same number of the strongest being kept of all times, and
/// counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactTable {
    /// All contacts that have touched, in the order in which they first did.
    pub contacts: Vec<TouchingContact>,
    /// Where the rows of each time end.
    pub(crate) ends: Vec<usize>,
    pub(crate) rows: Vec<Touch>,
    /// Rows that the table may have.
    pub most: usize,
    /// Rows of one time that are kept.
    pub most_at_once: usize,
    /// Rows left out.
    pub left_out: usize,
}

impl Default for ContactTable {
    fn default() -> Self {
        ContactTable::new(crate::settings::CONTACT_ROWS)
    }
}

impl ContactTable {
    /// An empty table for no more than so many rows.
    pub fn new(most: usize) -> Self {
        ContactTable {
            contacts: Vec::new(),
            ends: Vec::new(),
            rows: Vec::new(),
            most,
            most_at_once: most,
            left_out: 0,
        }
    }

    /// True if nothing ever touched.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All rows, time by time.
    pub fn rows(&self) -> &[Touch] {
        &self.rows
    }

    /// Number of recorded times.
    pub fn times(&self) -> usize {
        self.ends.len()
    }

    /// The rows of a recorded time, by its number.
    pub fn at(&self, time: usize) -> &[Touch] {
        let start = time.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start..self.ends[time]]
    }

    /// For each row the number of its time.
    pub fn time_of_rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.times()).flat_map(|time| std::iter::repeat_n(time, self.at(time).len()))
    }

    /// Nothing touched at the times up to this one, as far as they are not here yet.
    pub(crate) fn reach(&mut self, times: usize) {
        while self.times() < times {
            self.push(&mut Vec::new());
        }
    }

    /// Adds the contacts of the next time.
    pub(crate) fn push(&mut self, touches: &mut Vec<Touch>) {
        self.left_out += strongest(touches, self.most_at_once);
        self.rows.append(touches);
        self.ends.push(self.rows.len());
        while self.rows.len() > self.most.max(self.times()) && self.most_at_once > 1 {
            self.thin_out();
        }
    }

    /// Keeps fewer rows of each time.
    fn thin_out(&mut self) {
        let largest = (0..self.times()).map(|time| self.at(time).len()).max().unwrap_or(0);
        self.most_at_once = (largest / 2).max(1);
        let old = std::mem::take(&mut self.rows);
        let mut start = 0;
        for end in &mut self.ends {
            let mut kept = old[start..*end].to_vec();
            start = *end;
            self.left_out += strongest(&mut kept, self.most_at_once);
            self.rows.append(&mut kept);
            *end = self.rows.len();
        }
    }

    /// Continues with what came after, whose first `skip` times repeat the last ones here.
    pub(crate) fn append(&mut self, later: &ContactTable, skip: usize) {
        let numbers: Vec<usize> =
            later.contacts.iter().map(|contact| self.number(contact)).collect();
        for time in skip..later.times() {
            let numbered = |touch: &Touch| Touch { contact: numbers[touch.contact], ..*touch };
            self.push(&mut later.at(time).iter().map(numbered).collect());
        }
        self.left_out += later.left_out;
    }

    /// The number of a contact, which is added if it is new.
    pub(crate) fn number(&mut self, contact: &TouchingContact) -> usize {
        let known = self.contacts.iter().position(|own| own == contact);
        known.unwrap_or_else(|| {
            self.contacts.push(contact.clone());
            self.contacts.len() - 1
        })
    }

    /// What was left out, in words; nothing if everything is there.
    pub fn remark(&self) -> Option<String> {
        (self.left_out > 0 && self.most > 0).then(|| {
            format!(
                "the table of contacts holds the {} strongest of each time: {} rows were left out; all \
                 would fit with `contact_rows = {}` in `[output]`",
                self.most_at_once,
                self.left_out,
                self.rows.len() + self.left_out
            )
        })
    }
}

/// Keeps the strongest so many, in their order; says how many were left out.
fn strongest(touches: &mut Vec<Touch>, most: usize) -> usize {
    let surplus = touches.len().saturating_sub(most);
    if surplus > 0 {
        let mut order: Vec<usize> = (0..touches.len()).collect();
        order.sort_by(|&a, &b| touches[b].size().total_cmp(&touches[a].size()));
        order.truncate(most);
        order.sort_unstable();
        *touches = order.into_iter().map(|k| touches[k]).collect();
    }
    surplus
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(normal: f64) -> Touch {
        Touch { normal, ..Touch::default() }
    }

    fn normals(table: &ContactTable, time: usize) -> Vec<f64> {
        table.at(time).iter().map(|touch| touch.normal).collect()
    }

    #[test]
    fn the_strongest_of_all_times_are_kept_and_the_rest_is_counted() {
        let mut table = ContactTable::new(5);
        table.push(&mut vec![]);
        table.push(&mut vec![touch(1.0), touch(4.0), touch(3.0), touch(2.0)]);
        assert_eq!((table.left_out, table.remark()), (0, None));
        table.push(&mut vec![touch(7.0), touch(9.0)]);
        assert!(normals(&table, 0).is_empty());
        assert_eq!(normals(&table, 1), [4.0, 3.0]);
        assert_eq!(normals(&table, 2), [7.0, 9.0]);
        assert_eq!((table.left_out, table.most_at_once), (2, 2));
        assert_eq!(table.time_of_rows().collect::<Vec<_>>(), [1, 1, 2, 2]);
        assert!(table.remark().unwrap().contains("2 rows were left out"));
        assert!(table.remark().unwrap().contains("contact_rows = 6"));
        // one of each time stays, however many times there are
        (0..20).for_each(|_| table.push(&mut vec![touch(1.0), touch(2.0)]));
        assert_eq!((table.times(), table.rows().len()), (23, 22));
        assert_eq!(normals(&table, 22), [2.0]);
        assert_eq!(table.rows().len() + table.left_out, 6 + 40);
    }

    #[test]
    fn none_are_kept_where_none_are_wanted() {
        let mut table = ContactTable::new(0);
        table.push(&mut vec![touch(1.0)]);
        assert!(table.is_empty() && table.times() == 1 && table.remark().is_none());
    }
}
