//! Pairing of unknowns without a diagonal entry with neighbours that can carry their pivot.
//!
//! A multiplier must not be eliminated before the velocities it acts on: its diagonal is zero
//! until then. Each such unknown `i` is paired with a neighbour `j` with large `a_ij a_ji`; pairs
//! are ordered as one node, the neighbour first, so that the pivot `a_ii − a_ij a_ji / a_jj` of the
//! multiplier is not small. What is left over joins the group of its strongest neighbour.

use crate::pattern::Pattern;

const NONE: u32 = u32::MAX;
/// Diagonal entries of the equilibrated matrix below this need a partner.
const WEAK_DIAGONAL: f64 = 1e-3;
/// Search effort for one augmenting path; an unpaired unknown costs little, a search may cost much.
const SEARCH_LIMIT: usize = 256;
/// A free neighbour is taken without a further search from this share of the strongest on.
const STRONG: f64 = 0.1;

/// Groups of unknowns that are eliminated together, each with its members in pivot order.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    pub(crate) starts: Vec<usize>,
    pub(crate) members: Vec<u32>,
    pub(crate) of: Vec<u32>,
}

/// Groups the unknowns of an equilibrated matrix.
pub(crate) fn group(pattern: &Pattern, values: &[f64], multipliers: &[bool]) -> Groups {
    let n = pattern.cols();
    let weak: Vec<bool> = (0..n)
        .map(|i| {
            multipliers[i] || pattern.position(i, i).is_none_or(|p| values[p].abs() < WEAK_DIAGONAL)
        })
        .collect();
    let candidates = Candidates::new(pattern, values, &weak);
    let leader = lead(&candidates, &weak);
    collect(&leader)
}

/// Neighbours of the weak unknowns with the size of `a_ij a_ji`, largest first.
struct Candidates {
    starts: Vec<usize>,
    all: Vec<(u32, f64)>,
}

impl Candidates {
    fn new(pattern: &Pattern, values: &[f64], weak: &[bool]) -> Candidates {
        let mut candidates = Candidates { starts: vec![0], all: Vec::new() };
        for (i, &weak) in weak.iter().enumerate() {
            let start = candidates.all.len();
            if weak {
                candidates.all.extend(neighbours(pattern, values, i));
                candidates.all[start..].sort_by(|a, b| b.1.total_cmp(&a.1));
            }
            candidates.starts.push(candidates.all.len());
        }
        candidates
    }

    fn of(&self, i: usize) -> &[(u32, f64)] {
        &self.all[self.starts[i]..self.starts[i + 1]]
    }
}

/// Neighbours of column `i` with the size of `a_ij a_ji`.
fn neighbours<'a>(
    pattern: &'a Pattern,
    values: &'a [f64],
    i: usize,
) -> impl Iterator<Item = (u32, f64)> + 'a {
    let start = pattern.column_start(i);
    pattern.column(i).iter().enumerate().filter(move |&(_, &j)| j as usize != i).map(
        move |(p, &j)| {
            let opposite = pattern.position(i, j as usize).map_or(0.0, |q| values[q]);
            (j, (values[start + p] * opposite).abs())
        },
    )
}

/// Leader of the group of each unknown; leaders lead themselves.
fn lead(candidates: &Candidates, weak: &[bool]) -> Vec<u32> {
    let n = weak.len();
    let mut partner = vec![NONE; n];
    let mut visited = vec![NONE; n];
    let mut order: Vec<usize> = (0..n).filter(|&i| weak[i]).collect();
    order.sort_by_key(|&i| candidates.of(i).len());
    for &i in &order {
        if partner[i] == NONE {
            augment(i, candidates, weak, &mut partner, &mut visited);
        }
    }
    // Weak unknowns among themselves, such as the coupled halves of a zero diagonal block.
    for &i in &order {
        if partner[i] == NONE {
            let free = |&&(j, size): &&(u32, f64)| size > 0.0 && partner[j as usize] == NONE;
            if let Some(&(j, _)) = candidates.of(i).iter().find(free) {
                partner[i] = j;
                partner[j as usize] = i as u32;
            }
        }
    }
    let mut leader: Vec<u32> = (0..n as u32).collect();
    for &i in &order {
        let j = partner[i];
        if j != NONE && (!weak[j as usize] || (j as usize) < i) {
            leader[i] = j;
        }
    }
    for &i in &order {
        if partner[i] == NONE
            && let Some(&(j, _)) = candidates.of(i).first()
        {
            leader[i] = last(&leader, j);
        }
    }
    (0..n as u32).map(|i| last(&leader, i)).collect()
}

/// End of the chain of leaders that starts at `i`.
fn last(leader: &[u32], mut i: u32) -> u32 {
    while leader[i as usize] != i {
        i = leader[i as usize];
    }
    i
}

/// Finds a partner for `root`, moving earlier pairs aside along an alternating path.
fn augment(
    root: usize,
    candidates: &Candidates,
    weak: &[bool],
    partner: &mut [u32],
    visited: &mut [u32],
) -> bool {
    let mut path: Vec<(usize, usize)> = vec![(root, 0)];
    let mut effort = 0;
    while let Some(&(i, next)) = path.last() {
        if next == 0 {
            // A free neighbour that is strong enough ends the search at once.
            let least = candidates.of(i).first().map_or(0.0, |&(_, size)| STRONG * size);
            let free = |&(j, size): &(u32, f64)| {
                size > 0.0 && size >= least && !weak[j as usize] && partner[j as usize] == NONE
            };
            if let Some(found) = candidates.of(i).iter().position(free) {
                path.last_mut().expect("nonempty").1 = found + 1;
                settle(&path, candidates, partner);
                return true;
            }
        }
        let Some(&(j, size)) = candidates.of(i).get(next) else {
            path.pop();
            continue;
        };
        path.last_mut().expect("nonempty").1 += 1;
        let j = j as usize;
        if size == 0.0 || weak[j] || visited[j] == root as u32 {
            continue;
        }
        visited[j] = root as u32;
        effort += 1;
        if partner[j] == NONE {
            settle(&path, candidates, partner);
            return true;
        }
        if effort > SEARCH_LIMIT {
            return false;
        }
        path.push((partner[j] as usize, 0));
    }
    false
}

/// Pairs every unknown of a path with the candidate it looked at last.
fn settle(path: &[(usize, usize)], candidates: &Candidates, partner: &mut [u32]) {
    for &(i, next) in path {
        let j = candidates.of(i)[next - 1].0;
        partner[i] = j;
        partner[j as usize] = i as u32;
    }
}

fn collect(leader: &[u32]) -> Groups {
    let n = leader.len();
    let mut of = vec![NONE; n];
    let mut count = 0;
    for i in 0..n {
        if leader[i] as usize == i {
            of[i] = count;
            count += 1;
        }
    }
    let mut starts = vec![0; count as usize + 1];
    for i in 0..n {
        of[i] = of[leader[i] as usize];
        starts[of[i] as usize + 1] += 1;
    }
    for g in 0..count as usize {
        starts[g + 1] += starts[g];
    }
    let mut members = vec![0; n];
    let mut next = starts.clone();
    let leaders = (0..n).filter(|&i| leader[i] as usize == i);
    let followers = (0..n).filter(|&i| leader[i] as usize != i);
    for i in leaders.chain(followers) {
        let g = of[i] as usize;
        members[next[g]] = i as u32;
        next[g] += 1;
    }
    Groups { starts, members, of }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplier_follows_its_velocity() {
        // Unknowns: multiplier, velocity, velocity, redundant multiplier.
        let entries = [(0, 1), (1, 0), (1, 1), (2, 2), (3, 1), (1, 3)];
        let pattern = Pattern::from_entries(4, 4, &entries);
        let values = vec![1.0; pattern.entries()];
        let groups = group(&pattern, &values, &[true, false, false, true]);
        assert_eq!(groups.members, [1, 0, 3, 2]);
        assert_eq!(groups.starts, [0, 3, 4]);
    }

    #[test]
    fn augmenting_paths_pair_all() {
        // Both multipliers prefer velocity 2; only the first can also use velocity 3.
        let entries = [(0, 2), (2, 0), (0, 3), (3, 0), (1, 2), (2, 1), (2, 2), (3, 3)];
        let pattern = Pattern::from_entries(4, 4, &entries);
        let values: Vec<f64> =
            pattern.iter().map(|(i, j)| if i == 3 || j == 3 { 0.5 } else { 1.0 }).collect();
        let groups = group(&pattern, &values, &[true, true, false, false]);
        assert_eq!(groups.of, [1, 0, 0, 1]);
    }
}
