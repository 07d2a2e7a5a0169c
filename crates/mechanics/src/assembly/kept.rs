//! From the axes of bodies, in which everything is written, to those in which nodes keep their rates.

use super::Moment;
use crate::node::Node;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::Point;

impl Moment {
    /// Works out the motion of a node.
    #[inline]
    pub(super) fn see(&mut self, k: usize, node: &Node, at: &Point) {
        self.motions[k] = node.motion(at);
        if !self.kept[k].as_body() {
            self.kept[k] = node.kept(&self.motions[k].rotation);
        }
    }

    /// Whether some of the nodes keep their rates in axes that do not turn.
    pub(super) fn any_fixed(&self, nodes: &[usize]) -> bool {
        nodes.iter().any(|node| !self.kept[*node].as_body())
    }

    /// Rows along twists, by row and slot, become rows along what is kept.
    #[inline]
    pub(super) fn keep_rows(&self, rows: &mut [Vector6<f64>], nodes: &[usize]) {
        for rows in rows.chunks_exact_mut(nodes.len()) {
            self.keep_wrenches(rows, nodes);
        }
    }

    /// Wrenches in the axes of bodies become those on what is kept, and so do rows along twists.
    #[inline]
    pub(super) fn keep_wrenches(&self, wrenches: &mut [Vector6<f64>], nodes: &[usize]) {
        for (wrench, node) in wrenches.iter_mut().zip(nodes) {
            let kept = &self.kept[*node];
            if !kept.as_body() {
                *wrench = kept.kept_vector(wrench);
            }
        }
    }

    /// A row along body variations becomes a row along the increment.
    pub(super) fn along_increment(&self, row: Vector6<f64>, node: usize) -> Vector6<f64> {
        if self.moved {
            self.tangents[node].tr_mul(&row)
        } else {
            self.kept[node].kept_vector(&row)
        }
    }

    /// Columns along body variations become columns along the increment.
    pub(super) fn columns_along_increment(
        &self,
        block: &Matrix6<f64>,
        node: usize,
    ) -> Matrix6<f64> {
        if self.moved {
            block * self.tangents[node]
        } else if self.kept[node].as_body() {
            *block
        } else {
            self.kept[node].kept_columns(block)
        }
    }

    /// Blocks of wrenches, by pairs of slots, along body variations become those along the increment, on
    /// what is kept. `wrenches` are those of which the blocks are the derivatives.
    pub(super) fn keep_stiffness(
        &self,
        blocks: &mut [Matrix6<f64>],
        wrenches: &[Vector6<f64>],
        nodes: &[usize],
    ) {
        let count = nodes.len();
        for (k, block) in blocks.iter_mut().enumerate() {
            let (row, col) = (k / count, k % count);
            let acted = &self.kept[nodes[row]];
            if acted.as_body() {
                *block = self.columns_along_increment(block, nodes[col]);
                continue;
            }
            if row == col {
                *block += acted.turned_wrench(&wrenches[row]);
            }
            *block = acted.kept_rows(&self.columns_along_increment(block, nodes[col]));
        }
    }

    /// What the blocks along twists add to those along body variations, where twists turn with these.
    pub(super) fn chain_damping(
        &self,
        stiffness: &mut [Matrix6<f64>],
        damping: &[Matrix6<f64>],
        nodes: &[usize],
    ) {
        for (k, (stiffness, damping)) in stiffness.iter_mut().zip(damping).enumerate() {
            let node = nodes[k % nodes.len()];
            self.kept[node].chain_blocks(&self.motions[node], stiffness, damping);
        }
    }

    /// Blocks of wrenches along twists become those along kept velocities, on what is kept.
    pub(super) fn keep_damping(&self, blocks: &mut [Matrix6<f64>], nodes: &[usize]) {
        for (k, block) in blocks.iter_mut().enumerate() {
            let [acted, moved] = [k / nodes.len(), k % nodes.len()].map(|k| &self.kept[nodes[k]]);
            if !moved.as_body() {
                *block = moved.kept_columns(block);
            }
            if !acted.as_body() {
                *block = acted.kept_rows(block);
            }
        }
    }
}
