//! Contacts of an assembled model: the present list and where its rows and blocks go.

use super::places::{Block, Strip, block_entries, strip_entries};
use super::{Assembly, Group};
use crate::constraint::Constraint;
use crate::node::Node;
use crate::unilateral::{CandidateList, Unilateral};
use rotula_dae::{Contact, ContactPatterns, Point, contact_rows};
use rotula_linear::Pattern;

/// All contacts of a model.
#[derive(Clone, Debug)]
pub(super) struct Touching {
    fixed: Vec<(String, Unilateral)>,
    lists: Vec<(String, Box<dyn CandidateList>)>,
    laws: Vec<Contact>,
    keys: Vec<u64>,
    groups: Vec<Group>,
    rows: Pattern,
    curvature: Pattern,
}

impl Touching {
    /// Contacts that are always there, and lists of which the present ones are taken.
    pub(super) fn new(
        fixed: Vec<(String, Unilateral)>,
        lists: Vec<(String, Box<dyn CandidateList>)>,
        nodes: &[Node],
        motion: usize,
    ) -> Self {
        let mut touching = Touching {
            fixed,
            lists,
            laws: Vec::new(),
            keys: Vec::new(),
            groups: Vec::new(),
            rows: Pattern::empty(0, motion),
            curvature: Pattern::empty(motion, motion),
        };
        touching.place(nodes, motion);
        touching
    }

    /// Lays out the rows of all present contacts.
    fn place(&mut self, nodes: &[Node], motion: usize) {
        self.laws.clear();
        self.keys.clear();
        let mut present: Vec<(String, Unilateral)> = Vec::new();
        for (k, (name, contact)) in self.fixed.iter().enumerate() {
            self.keys.push(k as u64);
            present.push((name.clone(), contact.clone()));
        }
        for (k, (name, list)) in self.lists.iter().enumerate() {
            for i in 0..list.count() {
                self.keys.push((k as u64 + 1) << 48 | list.key(i));
                present.push((format!("{name}: {}", list.describe(i)), list.contact(i)));
            }
        }
        self.laws.extend(present.iter().map(|(_, contact)| contact.contact()));

        let (mut strips, mut square) = (Vec::new(), Vec::new());
        let mut row = 0;
        for (_, contact) in &present {
            for &i in contact.nodes() {
                strip_entries(row, contact.rows(), &nodes[i], &mut strips);
                contact
                    .nodes()
                    .iter()
                    .for_each(|&j| block_entries(&nodes[i], &nodes[j], &mut square));
            }
            row += contact.rows();
        }
        self.rows = Pattern::from_entries(contact_rows(&self.laws), motion, &strips);
        self.curvature = Pattern::from_entries(motion, motion, &square);
        let mut row = 0;
        self.groups = present
            .into_iter()
            .map(|(owner, contact)| {
                let list = contact.nodes();
                let strips =
                    list.iter().map(|&i| Strip::find(&self.rows, row, &nodes[i])).collect();
                let blocks = list
                    .iter()
                    .flat_map(|&i| list.iter().map(move |&j| (i, j)))
                    .map(|(i, j)| Block::find(&self.curvature, &nodes[i], &nodes[j]))
                    .collect();
                let first = row;
                row += contact.rows();
                Group::new((owner, first), Box::new(contact), (strips, blocks))
            })
            .collect();
    }

    pub(super) fn laws(&self) -> &[Contact] {
        &self.laws
    }

    pub(super) fn key(&self, contact: usize) -> u64 {
        self.keys[contact]
    }

    pub(super) fn name(&self, contact: usize) -> String {
        match self.groups.get(contact) {
            Some(group) => group.owner.clone(),
            None => format!("contact {}", contact + 1),
        }
    }

    pub(super) fn patterns(&self) -> ContactPatterns {
        ContactPatterns { rows: self.rows.clone(), curvature: self.curvature.clone() }
    }

    /// The contacts that are always there; their groups come first.
    pub(super) fn fixed(&self) -> &[(String, Unilateral)] {
        &self.fixed
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Most rows of one contact: a gap and two sliding velocities.
    pub(super) const MOST_ROWS: usize = 3;
}

impl Assembly {
    /// Makes the lists of contacts hold those that may close within a horizon.
    pub(super) fn renew_candidates(&mut self, at: &Point, horizon: f64) -> bool {
        if self.touching.lists.is_empty() {
            return false;
        }
        self.place(at);
        let angles = self.angles(at.q);
        let world = self.moment.world(at, angles);
        let mut changed = false;
        for (_, list) in &mut self.touching.lists {
            changed |= list.renew(&world, horizon);
        }
        if changed {
            self.touching.place(&self.nodes, self.sizes.motion);
        }
        changed
    }
}
