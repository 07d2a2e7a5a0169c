//! Fill-reducing order of the groups of unknowns and the elimination tree that belongs to it.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use crate::pattern::Pattern;
use crate::sparse::pairing::Groups;

/// No parent: the root of a tree.
pub(crate) const ROOT: u32 = u32::MAX;

/// Groups in elimination order, with the structure of the symmetric factor.
#[derive(Clone, Debug)]
pub(crate) struct Elimination {
    /// Unknown eliminated at each step.
    pub(crate) order: Vec<u32>,
    /// First step of each group, in elimination order.
    pub(crate) starts: Vec<usize>,
    /// Parent of each group in the elimination tree.
    pub(crate) parents: Vec<u32>,
    /// Later groups that the elimination of each group changes, increasing.
    pub(crate) structures: Vec<Vec<u32>>,
}

impl Elimination {
    /// Orders the groups of a matrix on the graph of A + Aᵀ.
    pub(crate) fn new(pattern: &Pattern, groups: &Groups) -> Elimination {
        let graph = quotient(pattern, groups);
        let given = leaves_first(&graph).unwrap_or_else(|| minimum_degree(&graph));
        let parents = tree(&graph, &given);
        // Children just before their parents: fronts then live on a stack.
        let sequence: Vec<usize> = postorder(&parents).iter().map(|&k| given[k]).collect();
        let parents = tree(&graph, &sequence);
        let structures = structures(&graph, &sequence, &parents);
        let mut starts = vec![0];
        let mut order = Vec::with_capacity(groups.members.len());
        for &g in &sequence {
            order.extend_from_slice(&groups.members[groups.starts[g]..groups.starts[g + 1]]);
            starts.push(order.len());
        }
        Elimination { order, starts, parents, structures }
    }

    /// The unknowns in another order with the same fill: all leaves of the tree, then what these leave
    /// as leaves, and so on. Neighbours in this order seldom wait for each other. Groups that change the
    /// same later ones stay together.
    pub(crate) fn order_by_height(&self) -> Vec<u32> {
        let n = self.count();
        let follows = |k: usize| {
            self.parents[k - 1] as usize == k
                && self.structures[k - 1].len() == self.structures[k].len() + 1
        };
        // members of a run all have its number
        let mut runs = vec![0; n];
        for k in 1..n {
            runs[k] = runs[k - 1] + usize::from(!follows(k));
        }
        let mut heights = vec![0; n];
        for (k, &parent) in self.parents.iter().enumerate().filter(|(_, parent)| **parent != ROOT) {
            let (own, above) = (runs[k], runs[parent as usize]);
            if own != above {
                heights[above] = heights[above].max(heights[own] + 1);
            }
        }
        let mut groups: Vec<usize> = (0..n).collect();
        groups.sort_by_key(|&k| (heights[runs[k]], runs[k]));
        groups
            .iter()
            .flat_map(|&k| &self.order[self.starts[k]..self.starts[k + 1]])
            .copied()
            .collect()
    }

    /// Number of groups.
    pub(crate) fn count(&self) -> usize {
        self.parents.len()
    }

    /// Number of unknowns of group `k`.
    pub(crate) fn width(&self, k: usize) -> usize {
        self.starts[k + 1] - self.starts[k]
    }

    /// Number of unknowns that the elimination of group `k` changes.
    pub(crate) fn reach(&self, k: usize) -> usize {
        self.structures[k].iter().map(|&g| self.width(g as usize)).sum()
    }

    /// Entries of the factors.
    fn entries(&self) -> usize {
        (0..self.count()).map(|k| self.width(k) * (self.width(k) + 2 * self.reach(k))).sum()
    }

    /// Floating-point operations per entry of the factors.
    pub(crate) fn intensity(&self) -> f64 {
        let mut operations = 0.0;
        for k in 0..self.count() {
            let (p, u) = (self.width(k) as f64, self.reach(k) as f64);
            operations += 2.0 / 3.0 * p * p * p + 2.0 * p * p * u + 2.0 * p * u * u;
        }
        operations / self.entries() as f64
    }
}

/// Symmetric graph between the groups, without loops.
fn quotient(pattern: &Pattern, groups: &Groups) -> Pattern {
    let count = groups.starts.len() - 1;
    // each pair of groups once, however many entries it has
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut last_seen_by = vec![ROOT; count];
    for g in 0..count as u32 {
        let members = groups.starts[g as usize]..groups.starts[g as usize + 1];
        for &j in &groups.members[members] {
            for &i in pattern.column(j as usize) {
                let h = groups.of[i as usize];
                if h != g && std::mem::replace(&mut last_seen_by[h as usize], g) != g {
                    edges.push((g, h));
                }
            }
        }
    }
    Pattern::from_repeated(count, count, |f| {
        for (g, h) in edges.iter().map(|&(g, h)| (g as usize, h as usize)) {
            f(g, h);
            f(h, g);
        }
    })
}

/// Groups whose neighbours are neighbours of each other, round by round, since their elimination adds
/// nothing, if all are found that way: chains, trees and rows of elements. A chain is so eliminated from
/// both its ends, which minimum degree, always at work where it was last, never does.
fn leaves_first(graph: &Pattern) -> Option<Vec<usize>> {
    /// So many neighbours are looked at.
    const MOST_NEIGHBOURS: usize = 30;
    let n = graph.cols();
    let mut gone = vec![false; n];
    let mut round = vec![0; n];
    let mut sequence = Vec::with_capacity(n);
    let mut candidates: Vec<usize> = (0..n).collect();
    let mut left = Vec::new();
    for k in 1.. {
        let before = sequence.len();
        let mut next = Vec::new();
        for &g in &candidates {
            left.clear();
            let neighbours = graph.column(g).iter().map(|&h| h as usize);
            left.extend(neighbours.filter(|&h| h != g && !gone[h]));
            let known = |(i, &h): (usize, &usize)| contains(graph.column(h), &left[i + 1..]);
            // one that lost a neighbour in this round waits for the next
            let ready = !gone[g] && round[g] != k && left.len() <= MOST_NEIGHBOURS;
            if ready && left.iter().enumerate().all(known) {
                gone[g] = true;
                sequence.push(g);
                next.extend(left.iter().copied().filter(|&h| round[h] != k));
                left.iter().for_each(|&h| round[h] = k);
            }
        }
        if sequence.len() == before {
            break;
        }
        // a chain has half as many rounds as links: only those next to what has gone are looked at again
        next.sort_unstable();
        candidates = next;
    }
    (sequence.len() == n).then_some(sequence)
}

/// Whether all of some increasing numbers are among others that increase too.
fn contains(all: &[u32], some: &[usize]) -> bool {
    let mut rest = all.iter();
    some.iter().all(|&one| {
        let found = rest.find(|&&other| other as usize >= one);
        found.is_some_and(|&other| other as usize == one)
    })
}

pub(crate) fn minimum_degree(graph: &Pattern) -> Vec<usize> {
    let n = graph.cols();
    let starts: Vec<u32> = (0..=n).map(|j| graph.column_start(j) as u32).collect();
    let indices: Vec<u32> = graph.iter().map(|(i, _)| i as u32).collect();
    let symbolic = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &indices);
    let (mut order, mut inverse) = (vec![0_u32; n], vec![0_u32; n]);
    let mut memory = MemBuffer::new(amd::order_scratch::<u32>(n, indices.len()));
    let done = amd::order(
        &mut order,
        &mut inverse,
        symbolic,
        amd::Control::default(),
        MemStack::new(&mut memory),
    );
    match done {
        Ok(_) => order.iter().map(|&g| g as usize).collect(),
        // The only failure is an index overflow; the natural order is still correct.
        Err(_) => (0..n).collect(),
    }
}

/// Elimination tree by path compression [Liu 1990, alg. 4.2], in positions of `sequence`.
pub(crate) fn tree(graph: &Pattern, sequence: &[usize]) -> Vec<u32> {
    let n = sequence.len();
    let position = inverse(sequence);
    let mut parents = vec![ROOT; n];
    let mut ancestors = vec![ROOT; n];
    for k in 0..n {
        for &g in graph.column(sequence[k]) {
            let mut i = position[g as usize];
            while i < k {
                let next = ancestors[i];
                ancestors[i] = k as u32;
                if next == ROOT {
                    parents[i] = k as u32;
                    break;
                }
                i = next as usize;
            }
        }
    }
    parents
}

pub(crate) fn inverse(sequence: &[usize]) -> Vec<usize> {
    let mut position = vec![0; sequence.len()];
    for (k, &g) in sequence.iter().enumerate() {
        position[g] = k;
    }
    position
}

fn postorder(parents: &[u32]) -> Vec<usize> {
    let n = parents.len();
    let mut first_child = vec![ROOT; n];
    let mut sibling = vec![ROOT; n];
    for k in (0..n).rev().filter(|&k| parents[k] != ROOT) {
        sibling[k] = first_child[parents[k] as usize];
        first_child[parents[k] as usize] = k as u32;
    }
    let mut post = Vec::with_capacity(n);
    let mut stack = Vec::new();
    for root in (0..n).filter(|&k| parents[k] == ROOT) {
        stack.push(root);
        while let Some(&k) = stack.last() {
            let child = first_child[k];
            if child == ROOT {
                post.push(k);
                stack.pop();
            } else {
                first_child[k] = sibling[child as usize];
                stack.push(child as usize);
            }
        }
    }
    post
}

fn structures(graph: &Pattern, sequence: &[usize], parents: &[u32]) -> Vec<Vec<u32>> {
    let n = sequence.len();
    let position = inverse(sequence);
    let mut structures: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut mark = vec![ROOT; n];
    // the children of each, as a list through their siblings
    let (mut first_child, mut sibling) = (vec![ROOT; n], vec![ROOT; n]);
    let mut structure = Vec::new();
    for k in 0..n {
        mark[k] = k as u32;
        structure.clear();
        let direct = graph.column(sequence[k]).iter().map(|&g| position[g as usize] as u32);
        let some = |child: u32| (child != ROOT).then_some(child);
        let children =
            std::iter::successors(some(first_child[k]), |&child| some(sibling[child as usize]));
        let inherited = children.flat_map(|child| structures[child as usize].iter().copied());
        for i in direct.chain(inherited) {
            if i as usize > k && mark[i as usize] != k as u32 {
                mark[i as usize] = k as u32;
                structure.push(i);
            }
        }
        structure.sort_unstable();
        structures[k] = structure.clone();
        if parents[k] != ROOT {
            let parent = parents[k] as usize;
            sibling[k] = std::mem::replace(&mut first_child[parent], k as u32);
        }
    }
    structures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::pairing;

    fn eliminated(n: usize, edges: &[(usize, usize)]) -> Elimination {
        let both = edges.iter().flat_map(|&(i, j)| [(i, j), (j, i)]);
        let entries: Vec<(usize, usize)> = both.chain((0..n).map(|i| (i, i))).collect();
        let pattern = Pattern::from_entries(n, n, &entries);
        let groups = pairing::group(&pattern, &vec![1.0; pattern.entries()], &vec![false; n]);
        Elimination::new(&pattern, &groups)
    }

    #[test]
    fn a_chain_is_eliminated_from_both_ends_without_fill() {
        let edges: Vec<(usize, usize)> = (1..9).map(|i| (i - 1, i)).collect();
        let elimination = eliminated(9, &edges);
        let order = elimination.order_by_height();
        for (k, pair) in order.chunks_exact(2).enumerate() {
            let mut pair = pair.to_vec();
            pair.sort_unstable();
            assert_eq!(pair, [k as u32, 8 - k as u32]);
        }
        assert_eq!(order[8], 4);
        assert!(elimination.structures.iter().all(|later| later.len() <= 1));
    }

    #[test]
    fn any_order_holds_every_unknown_once_and_children_before_parents() {
        // a chain of triangles with a loop, and an unknown on its own
        let mut edges: Vec<(usize, usize)> =
            (0..8).flat_map(|i| [(i, i + 1), (i, i + 2), (i + 1, i + 2)]).collect();
        edges.extend([(0, 9), (4, 12), (12, 13), (13, 0)]);
        let elimination = eliminated(15, &edges);
        for order in [elimination.order.clone(), elimination.order_by_height()] {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..15).collect::<Vec<u32>>());
            let place = |unknown: u32| order.iter().position(|&u| u == unknown);
            for (k, &parent) in elimination.parents.iter().enumerate().filter(|p| *p.1 != ROOT) {
                let first = |group: usize| place(elimination.order[elimination.starts[group]]);
                assert!(first(k) < first(parent as usize));
            }
        }
    }
}
