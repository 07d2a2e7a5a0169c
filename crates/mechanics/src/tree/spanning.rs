//! The spanning tree: which joint carries each body.
//!
//! The tree grows from the ground, always by the joint that forbids most, of equals by the one nearest to the ground: so
//! loops are cut at the joints with the fewest rows, and branches are short. What hangs on no such joint stands on the ground
//! with all its freedom, the heaviest body of each piece.

use crate::assembly::Branch;
use crate::joint::Pair;
use crate::node::{Node, NodeKind};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A body and what carries it.
pub(super) struct Carried {
    pub node: usize,
    /// The node that carries it; 0 is the ground.
    pub by: usize,
    /// The joint, by its place in the list; none for a body that flies.
    pub joint: Option<usize>,
}

/// Words of the joints that can carry a body.
const CARRYING: [&str; 7] =
    ["revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "fixed"];

/// Whether the coordinates of a joint can stand for the motion of its second body against its first.
pub(super) fn can_carry(branch: &Branch, nodes: &[Node]) -> bool {
    let Pair { a, b, plane } = &branch.pair;
    let of = |wanted: fn(&NodeKind) -> bool| {
        [a.node, b.node].iter().all(|&node| node == 0 || wanted(&nodes[node].kind))
    };
    let kinds = match plane {
        Some(_) => of(|kind| matches!(kind, NodeKind::Planar(_))),
        None => of(|kind| matches!(kind, NodeKind::Spatial)),
    };
    kinds && CARRYING.contains(&branch.word)
}

/// All bodies, each after the one that carries it. `may_carry` says of which joints coordinates may be taken.
pub(super) fn span(
    masses: &[f64],
    branches: &[Branch],
    may_carry: impl Fn(usize) -> bool,
) -> Vec<Carried> {
    let mut at_node = vec![Vec::new(); masses.len()];
    for (k, branch) in branches.iter().enumerate().filter(|(k, _)| may_carry(*k)) {
        at_node[branch.pair.a.node].push(k);
        at_node[branch.pair.b.node].push(k);
    }
    let mut heaviest: Vec<usize> = (1..masses.len()).collect();
    heaviest.sort_by(|&i, &j| masses[j].total_cmp(&masses[i]));
    let mut pieces = heaviest.into_iter();

    let mut depth = vec![None; masses.len()];
    depth[0] = Some(0);
    let (mut order, mut border) = (Vec::new(), BinaryHeap::new());
    let mut reached = 0;
    loop {
        let here = depth[reached].unwrap_or(0);
        for &k in &at_node[reached] {
            border.push((branches[k].rows.len(), Reverse(here), Reverse(k), reached));
        }
        let next = loop {
            let Some((_, _, Reverse(k), by)) = border.pop() else { break None };
            let Pair { a, b, .. } = &branches[k].pair;
            let node = if a.node == by { b.node } else { a.node };
            if depth[node].is_none() {
                break Some(Carried { node, by, joint: Some(k) });
            }
        };
        let flying = |node| Carried { node, by: 0, joint: None };
        let next = next.or_else(|| pieces.find(|&node| depth[node].is_none()).map(flying));
        let Some(carried) = next else { return order };
        depth[carried.node] = Some(depth[carried.by].unwrap_or(0) + 1);
        reached = carried.node;
        order.push(carried);
    }
}
