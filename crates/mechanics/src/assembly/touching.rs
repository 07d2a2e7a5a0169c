//! Contacts of an assembled model: the present list and where its rows and blocks go.

use super::places::{Block, Strip, block_entries, strip_entries};
use super::{Assembly, Group};
use crate::node::{Motion, Node};
use crate::passing::{Ends, Passing};
use crate::unilateral::{CandidateList, Unilateral};
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_dae::{Contact, ContactPatterns, Point};
use rotula_linear::Pattern;
use std::sync::OnceLock;

/// All contacts of a model.
#[derive(Clone, Debug)]
pub(super) struct Touching {
    fixed: Vec<(String, Unilateral)>,
    lists: Vec<(String, Box<dyn CandidateList>)>,
    laws: Vec<Contact>,
    keys: Vec<u64>,
    groups: Vec<Group>,
    rows: Pattern,
    /// Made when it is first asked for.
    curvature: OnceLock<Pattern>,
    /// The groups know their places in it.
    placed: bool,
    entries: Vec<(usize, usize)>,
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
            curvature: OnceLock::new(),
            placed: false,
            entries: Vec::new(),
        };
        touching.place(nodes, motion);
        if touching.lists.is_empty() {
            // contacts that stay take no memory on the way
            touching.place_curvature(nodes, motion);
        }
        touching
    }

    /// Whether there may be contacts at some time.
    pub(super) fn may_touch(&self) -> bool {
        !(self.fixed.is_empty() && self.lists.is_empty())
    }

    /// Lays out the rows of all present contacts. Those that are always there come first and stay.
    fn place(&mut self, nodes: &[Node], motion: usize) {
        let Touching { fixed, lists, laws, keys, groups, entries, .. } = self;
        laws.clear();
        keys.clear();
        groups.truncate(fixed.len());
        if groups.is_empty() {
            let none = || (Vec::new(), Vec::new());
            let group = |(_, contact): &(String, Unilateral)| {
                Group::new((String::new(), 0), Box::new(contact.clone()), none())
            };
            groups.extend(fixed.iter().map(group));
        }
        laws.extend(fixed.iter().map(|(_, contact)| contact.contact()));
        keys.extend(0..fixed.len() as u64);
        for (k, (_, list)) in lists.iter().enumerate() {
            for i in 0..list.count() {
                keys.push((k as u64 + 1) << 48 | list.key(i));
                let contact = list.contact(i);
                laws.push(contact.contact());
                let nowhere = (Vec::new(), Vec::new());
                groups.push(Group::new((String::new(), 0), Box::new(contact), nowhere));
            }
        }
        entries.clear();
        let mut row = 0;
        for group in groups.iter_mut() {
            group.row = row;
            for &i in &group.nodes {
                strip_entries(row, group.rows, &nodes[i], entries);
            }
            row += group.rows;
        }
        self.rows = Pattern::from_entries(row, motion, entries);
        self.curvature = OnceLock::new();
        self.placed = false;
        for group in groups {
            group.strips.clear();
            let strip = |&i: &usize| Strip::find(&self.rows, group.row, &nodes[i]);
            group.strips.extend(group.nodes.iter().map(strip));
        }
    }

    /// The pattern of the curvature of the present contacts.
    fn curvature_pattern(&self, nodes: &[Node], motion: usize) -> &Pattern {
        self.curvature.get_or_init(|| {
            let mut square = Vec::new();
            for group in &self.groups {
                for &i in &group.nodes {
                    let with = |&j: &usize| block_entries(&nodes[i], &nodes[j], &mut square);
                    group.nodes.iter().for_each(with);
                }
            }
            Pattern::from_entries(motion, motion, &square)
        })
    }

    /// Finds where curvatures go, if that is not known yet.
    pub(super) fn place_curvature(&mut self, nodes: &[Node], motion: usize) {
        if self.placed {
            return;
        }
        self.curvature_pattern(nodes, motion);
        let Touching { groups, curvature, .. } = self;
        let pattern = curvature.get().expect("it has just been made");
        for group in groups {
            let list = &group.nodes;
            let pairs = list.iter().flat_map(|&i| list.iter().map(move |&j| (i, j)));
            group.blocks.clear();
            group.blocks.extend(pairs.map(|(i, j)| Block::find(pattern, &nodes[i], &nodes[j])));
        }
        self.placed = true;
    }

    /// Puts the present lists into a checkpoint.
    pub(super) fn save(&self, out: &mut Writer) {
        self.lists.iter().for_each(|(_, list)| list.save(out));
    }

    /// Takes the lists of a checkpoint.
    pub(super) fn load(
        &mut self,
        from: &mut Reader,
        nodes: &[Node],
        motion: usize,
    ) -> Result<(), Unreadable> {
        for (_, list) in &mut self.lists {
            list.load(from)?;
        }
        if !self.lists.is_empty() {
            self.place(nodes, motion);
        }
        Ok(())
    }

    pub(super) fn laws(&self) -> &[Contact] {
        &self.laws
    }

    pub(super) fn key(&self, contact: usize) -> u64 {
        self.keys[contact]
    }

    pub(super) fn name(&self, contact: usize) -> String {
        if let Some((name, _)) = self.fixed.get(contact) {
            return name.clone();
        }
        let mut place = contact - self.fixed.len();
        for (name, list) in &self.lists {
            if place < list.count() {
                let what = list.describe(place);
                return if what.is_empty() { name.clone() } else { format!("{name}: {what}") };
            }
            place -= list.count();
        }
        format!("contact {}", contact + 1)
    }

    /// Whether a contact is always listed.
    pub(super) fn stays(&self, contact: usize) -> bool {
        let mut first = self.fixed.len();
        for (_, list) in &self.lists {
            let next = first + list.count();
            if (first..next).contains(&contact) {
                return list.stays();
            }
            first = next;
        }
        true
    }

    pub(super) fn patterns(&self, nodes: &[Node], motion: usize) -> ContactPatterns {
        let curvature = self.curvature_pattern(nodes, motion).clone();
        ContactPatterns { rows: self.rows.clone(), curvature }
    }

    pub(super) fn row_pattern(&self) -> Pattern {
        self.rows.clone()
    }

    /// The contacts that are always there; their groups come first.
    pub(super) fn fixed(&self) -> &[(String, Unilateral)] {
        &self.fixed
    }

    /// The nodes of solids that might pass through each other.
    pub(super) fn watched(&self) -> Vec<usize> {
        let fixed = self.fixed.iter().filter_map(|(_, contact)| contact.passing());
        let mut nodes: Vec<usize> = fixed.flat_map(Passing::nodes).collect();
        nodes.extend(self.lists.iter().flat_map(|(_, list)| list.watched()));
        nodes
    }

    /// When, after its start, a step must end so that solids that are apart at both of its ends are seen to meet in it.
    pub(super) fn met(&self, ends: &Ends) -> f64 {
        let fixed =
            self.fixed.iter().filter_map(|(_, contact)| contact.passing()?.met_unseen(ends));
        let lists =
            self.lists.iter().filter_map(|(_, list)| list.met([ends.from, ends.to], ends.h));
        fixed.chain(lists).fold(f64::INFINITY, f64::min)
    }

    /// How long a step may be in which solids that touch hit each other fast.
    pub(super) fn struck(&self, motions: &[Motion], h: f64) -> f64 {
        let passing = self.fixed.iter().filter_map(|(_, contact)| contact.passing());
        let fixed = passing.filter_map(|passing| passing.struck(motions, h));
        let lists = self.lists.iter().filter_map(|(_, list)| list.struck(motions, h));
        fixed.chain(lists).fold(f64::INFINITY, f64::min)
    }

    /// Whether some of the contacts come and go.
    pub(super) fn may_change(&self) -> bool {
        !self.lists.is_empty()
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
