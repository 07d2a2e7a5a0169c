//! The present list of contacts with everything that depends on it: rows, patterns, effective masses.

use crate::contact::{Contact, ContactPatterns, contact_rows};
use crate::system::System;
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The list and the layout of its rows.
#[derive(Serialize, Deserialize)]
pub(crate) struct Candidates {
    pub laws: Vec<Contact>,
    pub keys: Vec<u64>,
    /// First row of each contact, then the number of rows.
    pub first: Vec<usize>,
    /// The contact of each row.
    owners: Vec<u32>,
    /// Those of a list that is not complete lack the curvature.
    pub patterns: ContactPatterns,
    /// Contact and first position of its rows in the value array, for every column of every contact.
    groups: Vec<(u32, u32)>,
    /// Square blocks among the rows of each contact.
    pub own: Pattern,
}

/// The equations of one contact at one level, linear in its rows and its multipliers:
/// `mix · (change of the rows) + own · (change of the multipliers) = −residual`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Equations {
    pub residual: [f64; 3],
    pub mix: [[f64; 3]; 3],
    pub own: [[f64; 3]; 3],
}

impl Equations {
    /// False if the rows of the contact are switched off.
    pub fn sees_rows(&self) -> bool {
        self.mix != [[0.0; 3]; 3]
    }
}

impl Candidates {
    /// No contacts.
    pub fn none(motion: usize) -> Self {
        Candidates::new(Vec::new(), Vec::new(), ContactPatterns::none(motion))
    }

    /// The present list of a system without what only a matrix of all contacts needs.
    pub fn light(system: &dyn System) -> Self {
        let laws = system.contacts().to_vec();
        let motion = system.sizes().motion;
        let mut patterns = ContactPatterns::none(motion);
        if !laws.is_empty() {
            patterns.rows = system.contact_row_pattern();
        }
        let keys = (0..laws.len()).map(|i| system.contact_key(i)).collect();
        Candidates::laid_out(laws, keys, patterns)
    }

    /// The present list of a system.
    pub fn of(system: &dyn System) -> Self {
        let laws = system.contacts().to_vec();
        let patterns = if laws.is_empty() {
            ContactPatterns::none(system.sizes().motion)
        } else {
            system.contact_patterns()
        };
        let keys = (0..laws.len()).map(|i| system.contact_key(i)).collect();
        Candidates::new(laws, keys, patterns)
    }

    fn new(laws: Vec<Contact>, keys: Vec<u64>, patterns: ContactPatterns) -> Self {
        let mut candidates = Candidates::laid_out(laws, keys, patterns);
        candidates.group();
        candidates
    }

    /// The layout of the rows.
    fn laid_out(laws: Vec<Contact>, keys: Vec<u64>, patterns: ContactPatterns) -> Self {
        let rows = contact_rows(&laws);
        assert_eq!(patterns.rows.rows(), rows, "one row of the contact pattern per contact row");
        let mut first = Vec::with_capacity(laws.len() + 1);
        let mut owners = Vec::with_capacity(rows);
        for (i, law) in laws.iter().enumerate() {
            first.push(owners.len());
            owners.resize(owners.len() + law.rows(), i as u32);
        }
        first.push(rows);
        let own = Pattern::empty(rows, rows);
        Candidates { laws, keys, first, owners, patterns, groups: Vec::new(), own }
    }

    /// Finds the groups of rows in the pattern and the blocks among them.
    fn group(&mut self) {
        let mut entries = Vec::new();
        for range in self.first.windows(2).map(|pair| pair[0]..pair[1]) {
            entries.extend(range.clone().flat_map(|b| range.clone().map(move |a| (a, b))));
        }
        let rows = self.rows();
        self.own = Pattern::from_entries(rows, rows, &entries);
        let Candidates { laws, first, patterns, groups, owners, .. } = self;
        for column in 0..patterns.rows.cols() {
            let found = patterns.rows.column(column);
            let start = patterns.rows.column_start(column);
            let mut k = 0;
            while k < found.len() {
                let contact = owners[found[k] as usize] as usize;
                let count = laws[contact].rows();
                let row = |a| (first[contact] + a) as u32;
                let whole = (0..count).all(|a| found.get(k + a) == Some(&row(a)));
                assert!(whole, "all rows of a contact must have the same columns");
                groups.push((contact as u32, (start + k) as u32));
                k += count;
            }
        }
    }

    /// The contact of a row.
    pub fn owner(&self, row: usize) -> usize {
        self.owners[row] as usize
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.laws.len()
    }

    /// Number of contact rows.
    pub fn rows(&self) -> usize {
        self.patterns.rows.rows()
    }

    /// Where each contact stands, by its key.
    pub fn places(&self) -> HashMap<u64, usize> {
        self.keys.iter().enumerate().map(|(i, &key)| (key, i)).collect()
    }

    /// Carries numbers by contact row over from an older list.
    pub fn carry(&self, older: &Candidates, from: &[f64], to: &mut [f64]) {
        let places = older.places();
        for (i, key) in self.keys.iter().enumerate() {
            let Some(&place) = places.get(key) else { continue };
            let count = self.laws[i].rows().min(older.laws[place].rows());
            let (new, old) = (self.first[i], older.first[place]);
            to[new..new + count].copy_from_slice(&from[old..old + count]);
        }
    }

    /// Replaces the tangents of the rows of each contact by `mix` times them.
    pub fn mix(&self, equations: &[Equations], values: &mut [f64]) {
        for &(contact, start) in &self.groups {
            let (start, count) = (start as usize, self.laws[contact as usize].rows());
            let mix = &equations[contact as usize].mix;
            let mut old = [0.0; 3];
            old[..count].copy_from_slice(&values[start..start + count]);
            for a in 0..count {
                let sum: f64 = (0..count).map(|b| mix[a][b] * old[b]).sum();
                // A row that is switched off may have derivatives that are not finite.
                values[start + a] = if mix[a] == [0.0; 3] { 0.0 } else { sum };
            }
        }
    }

    /// Values of the block among the rows of each contact, from a choice of its matrix.
    pub fn own_values(
        &self,
        equations: &[Equations],
        extra: impl Fn(usize, usize) -> f64,
        values: &mut [f64],
    ) {
        let mut k = 0;
        for (contact, law) in self.laws.iter().enumerate() {
            for b in 0..law.rows() {
                for a in 0..law.rows() {
                    values[k] = equations[contact].own[a][b];
                    if a == b {
                        values[k] += extra(contact, a);
                    }
                    k += 1;
                }
            }
        }
    }
}
