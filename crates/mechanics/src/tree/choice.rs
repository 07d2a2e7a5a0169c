//! Whether a mechanism has joint coordinates, and whether they pay.
//!
//! They do not where elastic bodies or rigid contacts bring most of the unknowns, or where so many loops are cut that the
//! equations that remain are about as many as those that are gone; the explicit method has no matrix and does not mind.

use super::TreeSystem;
use super::layout::Rider;
use super::spanning::{Carried, can_carry, span};
use crate::assembly::{Assembly, Branch};
use rotula_dae::{Reducible, Reduction, State, System, Unreducible};

/// The largest share of constraint rows in the coordinates with which they pay where matrices are solved with. With 0.6 and 0.67 slider cranks
/// and the bicycle take a third to all of the time of redundant coordinates; with 0.86 the squeezer takes 1.4 times as long by `index3`.
const MOST_ROWS: f64 = 0.7;

/// The most coordinates along a branch with which they pay if matrices are solved with: chains of revolute joints are as quick
/// in either at about this length (`benches/joint_coordinates.rs`).
const DEEPEST: usize = 100;

/// Joints whose reactions enter auxiliary equations must stay constraints: their multipliers are unknowns.
fn measured_rows(assembly: &Assembly) -> Vec<bool> {
    let pattern = assembly.patterns().auxiliary_multipliers;
    (0..pattern.cols()).map(|row| !pattern.column(row).is_empty()).collect()
}

/// The names of some joints, the first few of them.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 4;
    let shown: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    match names.len() > MOST {
        true => format!("{} and {} more", shown.join(", "), names.len() - MOST),
        false => shown.join(", "),
    }
}

/// The names of the joints that close loops and remain constraints.
fn cut(tree: &TreeSystem) -> Vec<&str> {
    let used: Vec<usize> = tree.order.iter().filter_map(|carried| carried.joint).collect();
    let branches = tree.branches.iter().enumerate();
    let is_cut = |(k, branch): &(usize, &Branch)| !used.contains(k) && !branch.rows.is_empty();
    branches.filter(is_cut).map(|(_, branch)| branch.name.as_str()).collect()
}

/// What the tree is, and which joints remain constraints.
fn about(tree: &TreeSystem, whole: &Assembly) -> String {
    let (own, all) = (tree.sizes(), whole.sizes());
    let cut = cut(tree);
    let mut words = format!(
        "{} coordinates instead of {} and {} multipliers instead of {}",
        own.motion,
        all.motion,
        own.multipliers(),
        all.multipliers()
    );
    if !cut.is_empty() {
        let stay = if cut.len() == 1 { "stays a constraint" } else { "stay constraints" };
        words += &format!("; {} {stay}", listed(&cut));
    }
    words
}

/// Why all coordinates of the bodies are the better choice, if so.
fn drawback(tree: &TreeSystem) -> Option<String> {
    if tree.order.iter().all(|carried: &Carried| carried.joint.is_none()) {
        return Some("no joint takes freedom from the bodies".into());
    }
    // measured on an arm with an elastic link: 1.2 times as long with 4 amplitudes of its shapes, 1.5 to 2.8 times with 24
    if tree.inner.has_elements() {
        return Some("flexible bodies cost more there than the joints save".into());
    }
    let is_quick = tree.is_articulated() && tree.sizes().auxiliary() == 0;
    if is_quick { None } else { drawback_of_rows(tree) }
}

/// Why they are where every evaluation or step solves with a matrix of all coordinates and rows.
fn drawback_of_matrices(tree: &TreeSystem) -> Option<String> {
    let layout = &tree.layout;
    let depth = |rider: &Rider| layout.columns_down(rider.link).count();
    let longest = layout.riders.iter().map(|rider| (depth(rider), rider.node)).max()?;
    let deep = (longest.0 > DEEPEST).then(|| {
        format!(
            "the branch that ends with `{}` has {} joint coordinates, and its matrix would be full",
            tree.inner.node_name(longest.1),
            longest.0
        )
    });
    deep.or_else(|| drawback_of_rows(tree))
}

/// Why they are for the rows that remain, if so.
fn drawback_of_rows(tree: &TreeSystem) -> Option<String> {
    let sizes = tree.sizes();
    let rows = sizes.multipliers();
    (rows as f64 > MOST_ROWS * sizes.motion as f64).then(|| {
        let cut = cut(tree);
        let named = match cut.is_empty() {
            true => String::new(),
            false => format!(" (loops are closed by {})", listed(&cut)),
        };
        format!(
            "loops, drives and other constraints leave {rows} equations for {} joint coordinates{named}",
            sizes.motion
        )
    })
}

impl Reducible for Assembly {
    fn reduction(&self, start: &State) -> Result<Reduction, Unreducible> {
        if let Some(name) = self.first_without_frame() {
            return Err(Unreducible {
                what: format!("`{name}` is elastic and has no floating frame"),
                remedy: "use rigid bodies, reduced flexible ones, springs and bushings".into(),
            });
        }
        if self.has_rigid_contacts() {
            return Err(Unreducible {
                what: "it has rigid contacts or hard stops".into(),
                remedy: "give contacts and stops a stiffness, so that they are forces".into(),
            });
        }
        let branches = self.branches();
        let measured = measured_rows(self);
        let may_carry = |k: usize| {
            let branch: &Branch = &branches[k];
            can_carry(branch, self.nodes()) && !branch.rows.iter().any(|&row| measured[row])
        };
        let order = span(&self.masses(), &branches, may_carry);
        let tree = TreeSystem::new(self, branches, order, start);
        let (about, drawback) = (about(&tree, self), drawback(&tree));
        let drawback_of_matrices = drawback_of_matrices(&tree);
        Ok(Reduction { system: Box::new(tree), about, drawback, drawback_of_matrices })
    }
}
