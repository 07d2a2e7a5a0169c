//! Supernodes: groups merged into fronts for the multifrontal factorisation.

use crate::pattern::Pattern;
use crate::sparse::elimination::{Elimination, ROOT};
use serde::{Deserialize, Serialize};

/// Fronts in elimination order with all index lists of the numeric phase.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Supernodes {
    /// First pivot of each front, and the number of unknowns at the end.
    pub(crate) starts: Vec<usize>,
    /// Unknowns of each front beyond its pivots, as elimination steps.
    pub(crate) rows: Lists,
    /// For each of `rows`, its place in the parent front.
    pub(crate) places: Vec<u32>,
    /// Children of each front, last first: the order in which the stack returns them.
    pub(crate) children: Lists,
    /// Places of matrix entries in each front, column-major.
    pub(crate) targets: Lists,
    /// Matrix entries that go to `targets`.
    pub(crate) sources: Vec<u32>,
}

/// Lists of indices, one after the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lists {
    pub(crate) starts: Vec<usize>,
    pub(crate) items: Vec<u32>,
}

impl Lists {
    fn new() -> Lists {
        Lists { starts: vec![0], items: Vec::new() }
    }

    fn close(&mut self) {
        self.starts.push(self.items.len());
    }

    pub(crate) fn get(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list]..self.starts[list + 1]]
    }
}

impl Supernodes {
    pub(crate) fn new(pattern: &Pattern, elimination: &Elimination) -> Supernodes {
        let lasts = amalgamate(elimination);
        let mut starts = vec![0];
        let mut front_of = vec![0_u32; elimination.count()];
        let mut rows = Lists::new();
        let mut first = 0;
        for (front, &last) in lasts.iter().enumerate() {
            front_of[first..=last].fill(front as u32);
            first = last + 1;
            starts.push(elimination.starts[first]);
            // The structure of the last group contains those of the groups merged into it.
            for &group in &elimination.structures[last] {
                let group = group as usize;
                let unknowns = elimination.starts[group]..elimination.starts[group + 1];
                rows.items.extend(unknowns.map(|k| k as u32));
            }
            rows.close();
        }
        let parents: Vec<u32> = lasts
            .iter()
            .map(|&last| match elimination.parents[last] {
                ROOT => ROOT,
                parent => front_of[parent as usize],
            })
            .collect();
        let mut supernodes = Supernodes {
            starts,
            places: vec![0; rows.items.len()],
            rows,
            children: Lists::new(),
            targets: Lists::new(),
            sources: Vec::with_capacity(pattern.entries()),
        };
        supernodes.link(&parents);
        supernodes.assign(pattern, elimination, &parents);
        supernodes
    }

    /// Number of fronts.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of pivots of a front.
    pub(crate) fn pivots(&self, front: usize) -> usize {
        self.starts[front + 1] - self.starts[front]
    }

    /// Number of rows of a front beyond its pivots.
    pub(crate) fn border(&self, front: usize) -> usize {
        self.rows.starts[front + 1] - self.rows.starts[front]
    }

    fn link(&mut self, parents: &[u32]) {
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); parents.len()];
        for (front, &parent) in parents.iter().enumerate() {
            if parent != ROOT {
                children[parent as usize].push(front as u32);
            }
        }
        for list in &children {
            self.children.items.extend(list.iter().rev());
            self.children.close();
        }
    }

    /// Finds the places of children and of matrix entries in each front.
    fn assign(&mut self, pattern: &Pattern, elimination: &Elimination, parents: &[u32]) {
        let n = elimination.order.len();
        let mut step = vec![0; n];
        for (k, &unknown) in elimination.order.iter().enumerate() {
            step[unknown as usize] = k;
        }
        let mut front_of = vec![0; n];
        for front in 0..self.count() {
            front_of[self.starts[front]..self.starts[front + 1]].fill(front);
        }
        // An entry belongs to the front that eliminates the first of its two unknowns.
        let mut entries: Vec<Vec<(u32, u32, u32)>> = vec![Vec::new(); self.count()];
        for (p, (i, j)) in pattern.iter().enumerate() {
            let (row, col) = (step[i], step[j]);
            entries[front_of[row.min(col)]].push((p as u32, row as u32, col as u32));
        }
        let mut place = vec![0_u32; n];
        for front in 0..self.count() {
            let pivots = self.pivots(front);
            let size = (pivots + self.border(front)) as u32;
            for (k, unknown) in (self.starts[front]..self.starts[front + 1]).enumerate() {
                place[unknown] = k as u32;
            }
            for (k, &unknown) in self.rows.get(front).iter().enumerate() {
                place[unknown as usize] = (pivots + k) as u32;
            }
            for &child in self.children.get(front) {
                debug_assert_eq!(parents[child as usize] as usize, front);
                let range = self.rows.starts[child as usize]..self.rows.starts[child as usize + 1];
                for (target, &unknown) in
                    self.places[range.clone()].iter_mut().zip(&self.rows.items[range])
                {
                    *target = place[unknown as usize];
                }
            }
            for &(p, row, col) in &entries[front] {
                self.targets.items.push(place[col as usize] * size + place[row as usize]);
                self.sources.push(p);
            }
            self.targets.close();
        }
    }
}

/// Last group of each front. A group joins the front before it, its child, if the zeros that this
/// stores are worth the larger dense blocks.
fn amalgamate(elimination: &Elimination) -> Vec<usize> {
    struct Front {
        first: usize,
        last: usize,
        pivots: usize,
        zeros: f64,
    }
    let entries = |pivots: usize, border: usize| (pivots * (pivots + 2 * border)) as f64;
    let mut fronts: Vec<Front> = Vec::new();
    for k in 0..elimination.count() {
        let border = elimination.reach(k);
        let mut current = Front { first: k, last: k, pivots: elimination.width(k), zeros: 0.0 };
        while let Some(child) = fronts.last() {
            if elimination.parents[child.last] as usize != k || child.last + 1 != current.first {
                break;
            }
            let pivots = child.pivots + current.pivots;
            let stored = entries(pivots, border);
            let needed = entries(child.pivots, elimination.reach(child.last)) - child.zeros
                + entries(current.pivots, border)
                - current.zeros;
            let zeros = (stored - needed) / stored;
            let worthwhile = match pivots {
                0..=8 => true,
                9..=24 => zeros < 0.45,
                25..=64 => zeros < 0.15,
                _ => zeros < 0.05,
            };
            if !worthwhile {
                break;
            }
            current = Front { first: child.first, last: k, pivots, zeros: stored - needed };
            fronts.pop();
        }
        fronts.push(current);
    }
    fronts.iter().map(|front| front.last).collect()
}
