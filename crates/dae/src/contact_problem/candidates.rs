//! The present list of contacts and the layout of their rows.

use crate::contact::{Contact, ContactPatterns, contact_rows};
use crate::system::System;
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The contacts that may act.
#[derive(Serialize, Deserialize)]
pub(crate) struct Candidates {
    pub laws: Vec<Contact>,
    pub keys: Vec<u64>,
    /// First row of each contact, then the number of rows.
    pub first: Vec<usize>,
    pub patterns: ContactPatterns,
    /// Columns of each contact in the pattern of the rows, each with the position of its first row, and where
    /// those of a contact begin.
    columns: Vec<(u32, u32)>,
    begins: Vec<u32>,
}

impl Candidates {
    /// No contacts.
    pub fn none(motion: usize) -> Self {
        Candidates::new(Vec::new(), Vec::new(), ContactPatterns::none(motion))
    }

    /// The present list of a system; the pattern of the curvature is left empty unless asked for.
    pub fn of(system: &dyn System, curvature: bool) -> Self {
        let laws = system.contacts().to_vec();
        let mut patterns = ContactPatterns::none(system.sizes().motion);
        if !laws.is_empty() && curvature {
            patterns = system.contact_patterns();
        } else if !laws.is_empty() {
            patterns.rows = system.contact_row_pattern();
        }
        let keys = (0..laws.len()).map(|i| system.contact_key(i)).collect();
        Candidates::new(laws, keys, patterns)
    }

    fn new(laws: Vec<Contact>, keys: Vec<u64>, patterns: ContactPatterns) -> Self {
        let rows = contact_rows(&laws);
        let pattern = &patterns.rows;
        assert_eq!(pattern.rows(), rows, "one row of the contact pattern per contact row");
        let (mut first, mut owners) =
            (Vec::with_capacity(laws.len() + 1), Vec::with_capacity(rows));
        for (i, law) in laws.iter().enumerate() {
            first.push(owners.len());
            owners.resize(owners.len() + law.rows(), i);
        }
        first.push(rows);
        let each = |f: &mut dyn FnMut(usize, usize, usize)| {
            for column in 0..pattern.cols() {
                let found = pattern.column(column);
                let mut k = 0;
                while k < found.len() {
                    let contact: usize = owners[found[k]];
                    let count = laws[contact].rows();
                    let whole = (0..count).all(|a| found.get(k + a) == Some(&(first[contact] + a)));
                    assert!(whole, "all rows of a contact must have the same columns");
                    f(contact, column, pattern.column_start(column) + k);
                    k += count;
                }
            }
        };
        let mut begins = vec![0; laws.len() + 2];
        each(&mut |contact, _, _| begins[contact + 2] += 1);
        (0..laws.len()).for_each(|i| begins[i + 2] += begins[i + 1]);
        let mut columns = vec![(0, 0); begins[laws.len() + 1] as usize];
        each(&mut |contact, column, position| {
            columns[begins[contact + 1] as usize] = (column as u32, position as u32);
            begins[contact + 1] += 1;
        });
        Candidates { laws, keys, first, patterns, columns, begins }
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.laws.len()
    }

    /// Number of contact rows.
    pub fn rows(&self) -> usize {
        self.patterns.rows.rows()
    }

    /// Columns of a contact, each with the position of its first row among the values of the gradient.
    pub fn columns(&self, contact: usize) -> impl Iterator<Item = (usize, usize)> {
        let range = self.begins[contact] as usize..self.begins[contact + 1] as usize;
        self.columns[range].iter().map(|&(column, position)| (column as usize, position as usize))
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

    /// Turns the rates of all rows before a step into what the laws of restitution add to those after it.
    pub fn rebound(&self, rates: &mut [f64]) {
        for (law, &first) in self.laws.iter().zip(&self.first) {
            rates[first] *= law.restitution;
            let tangential = &mut rates[first + 1..first + law.rows()];
            tangential.iter_mut().for_each(|rate| *rate *= law.tangential_restitution);
        }
    }

    /// Square blocks among the rows of each contact.
    pub fn own_pattern(&self) -> Pattern {
        let blocks = self.first.windows(2).map(|pair| pair[0]..pair[1]);
        let entries: Vec<_> = blocks
            .flat_map(|rows| rows.clone().flat_map(move |b| rows.clone().map(move |a| (a, b))))
            .collect();
        Pattern::from_entries(self.rows(), self.rows(), &entries)
    }
}
