//! Rows of derivatives along body motions become rows along joints: of constraints and of auxiliary equations.

use super::columns::Columns;
use super::layout::Layout;
use super::stations::Stations;
use crate::assembly::{Assembly, Strip};
use nalgebra::Vector6;
use rotula_lie::se3::bracket_transposed;
use rotula_linear::Pattern;

/// The part of a row that belongs to a body.
#[derive(Clone, Debug)]
struct Share {
    row: usize,
    rider: usize,
    strip: Strip,
    /// The columns of the links that carry the body, with their places in the pattern of the rows.
    columns: Vec<(usize, usize)>,
}

/// Rows along joints.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub pattern: Pattern,
    shares: Vec<Share>,
    /// Values along body accelerations, velocities and variations.
    pub values: [Vec<f64>; 3],
}

impl Rows {
    /// The given rows of a pattern whose columns are the velocities of bodies.
    pub fn new(assembly: &Assembly, layout: &Layout, pattern: &Pattern, rows: &[usize]) -> Self {
        let mut own = vec![None; pattern.rows()];
        rows.iter().enumerate().for_each(|(k, row)| own[*row] = Some(k));
        let mut touched = Vec::new();
        for rider in &layout.riders {
            let node = &assembly.nodes()[rider.node];
            if node.kind.columns().is_empty() {
                continue;
            }
            for &row in pattern.column(node.v) {
                let row = row as usize;
                touched.extend(own[row].map(|k| (k, row, rider)));
            }
        }
        let columns = |(k, _, rider): &(usize, usize, &super::layout::Rider)| {
            let row = *k;
            layout.columns_down(rider.link).map(move |column| (row, column)).collect::<Vec<_>>()
        };
        let entries: Vec<_> = touched.iter().flat_map(columns).collect();
        let reduced = Pattern::from_entries(rows.len(), layout.count, &entries);
        let share = |entry: &(usize, usize, &super::layout::Rider)| {
            let (own, row, rider) = *entry;
            let place = |(row, column): (usize, usize)| {
                reduced.position(row, column).map(|place| (column, place))
            };
            Share {
                row: own,
                rider: layout.rider_of[rider.node],
                strip: Strip::find(pattern, row, &assembly.nodes()[rider.node]),
                columns: columns(entry).into_iter().filter_map(place).collect(),
            }
        };
        let shares = touched.iter().map(share).collect();
        let values = [0; 3].map(|_| vec![0.0; pattern.entries()]);
        Rows { pattern: reduced, shares, values }
    }

    /// The bodies that the rows hold, by their places among the riders.
    pub fn riders(&self) -> Vec<usize> {
        let mut riders: Vec<usize> = self.shares.iter().map(|share| share.rider).collect();
        riders.sort_unstable();
        riders.dedup();
        riders
    }

    /// The parts of all rows by body, where the gradients are the last of the values: row, rider and form along the twist of the body.
    pub fn acting(&self) -> impl Iterator<Item = (usize, usize, Vector6<f64>)> + '_ {
        let [.., gradients] = &self.values;
        self.shares.iter().map(|share| (share.row, share.rider, share.strip.read(gradients)))
    }

    /// The values along joints; those along accelerations, velocities and variations only where they are present.
    pub fn along_joints(
        &self,
        layout: &Layout,
        at: &Stations,
        columns: &Columns,
        present: [bool; 3],
        out: &mut [f64],
    ) {
        out.fill(0.0);
        for Share { rider, strip, columns: places, .. } in &self.shares {
            let rider = &layout.riders[*rider];
            let form = |k: usize| match present[k] {
                true => at.to_world(rider, &strip.read(&self.values[k])),
                false => Vector6::zeros(),
            };
            let [m, mut d, k] = [0, 1, 2].map(form);
            if present[0] {
                d -= bracket_transposed(&at.links[rider.link].velocity, &m);
            }
            for &(j, place) in places {
                let Columns { alpha, beta, gamma } = columns;
                out[place] += m.dot(&alpha[j]) + d.dot(&beta[j]) + k.dot(&gamma[j]);
            }
        }
    }
}
