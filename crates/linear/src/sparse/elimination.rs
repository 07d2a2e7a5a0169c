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
    /// Orders the groups of a matrix with minimum degree on the graph of A + Aᵀ.
    pub(crate) fn new(pattern: &Pattern, groups: &Groups) -> Elimination {
        let graph = quotient(pattern, groups);
        let minimum_degree = minimum_degree(&graph);
        let parents = tree(&graph, &minimum_degree);
        // Children just before their parents: fronts then live on a stack.
        let sequence: Vec<usize> = postorder(&parents).iter().map(|&k| minimum_degree[k]).collect();
        let parents = tree(&graph, &sequence);
        let structures = structures(&graph, &sequence, &parents);
        let mut starts = vec![0];
        let mut order = Vec::with_capacity(pattern.cols());
        for &g in &sequence {
            order.extend_from_slice(&groups.members[groups.starts[g]..groups.starts[g + 1]]);
            starts.push(order.len());
        }
        Elimination { order, starts, parents, structures }
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

    /// Floating-point operations per entry of the factors.
    pub(crate) fn intensity(&self) -> f64 {
        let mut operations = 0.0;
        let mut entries = 0.0;
        for k in 0..self.count() {
            let (p, u) = (self.width(k) as f64, self.reach(k) as f64);
            operations += 2.0 / 3.0 * p * p * p + 2.0 * p * p * u + 2.0 * p * u * u;
            entries += p * (p + 2.0 * u);
        }
        operations / entries
    }
}

/// Symmetric graph between the groups, without loops.
fn quotient(pattern: &Pattern, groups: &Groups) -> Pattern {
    let mut edges = Vec::with_capacity(2 * pattern.entries());
    for (i, j) in pattern.iter() {
        let (g, h) = (groups.of[i] as usize, groups.of[j] as usize);
        if g != h {
            edges.push((g, h));
            edges.push((h, g));
        }
    }
    let count = groups.starts.len() - 1;
    Pattern::from_entries(count, count, &edges)
}

pub(crate) fn minimum_degree(graph: &Pattern) -> Vec<usize> {
    let n = graph.cols();
    let starts: Vec<usize> = (0..=n).map(|j| graph.column_start(j)).collect();
    let indices: Vec<usize> = graph.iter().map(|(i, _)| i).collect();
    let symbolic = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &indices);
    let (mut order, mut inverse) = (vec![0; n], vec![0; n]);
    let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, indices.len()));
    let done = amd::order(
        &mut order,
        &mut inverse,
        symbolic,
        amd::Control::default(),
        MemStack::new(&mut memory),
    );
    match done {
        Ok(_) => order,
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
            let mut i = position[g];
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
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    for k in 0..n {
        mark[k] = k as u32;
        let mut structure = Vec::new();
        let direct = graph.column(sequence[k]).iter().map(|&g| position[g] as u32);
        let inherited = children[k].iter().flat_map(|&c| structures[c as usize].iter().copied());
        for i in direct.chain(inherited) {
            if i as usize > k && mark[i as usize] != k as u32 {
                mark[i as usize] = k as u32;
                structure.push(i);
            }
        }
        structure.sort_unstable();
        structures[k] = structure;
        if parents[k] != ROOT {
            children[parents[k] as usize].push(k as u32);
        }
    }
    structures
}
