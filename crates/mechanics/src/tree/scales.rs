//! How large motions of joints are, so that equal tolerances mean equal errors in all coordinates.
//!
//! The error of `N` coordinates of bodies with scales `s` is the root of the mean of `(e_i/s_i)²`. An error `ε_j` of one of `n` motions of
//! joints moves bodies by `e = R_j ε_j`, so that its own scale is the one with which both are the same:
//!
//! ```text
//! 1/σ_j² = n/N Σ_i (R_ij/s_i)²
//! ```

use super::layout::Layout;
use super::stations::{Stations, halves};
use crate::assembly::Assembly;
use rotula_dae::Description;
use rotula_dae::System;

/// The largest scale in those of a body: what hardly moves any may not be unlimited.
const LARGEST: f64 = 1e2;

/// The scale of every motion where links stand.
pub(super) fn scales(inner: &Assembly, layout: &Layout, at: &Stations) -> Vec<f64> {
    let mut moved = vec![0.0; layout.count];
    for rider in &layout.riders {
        let node = &inner.nodes()[rider.node];
        let rotation = &at.links[rider.link].rotation;
        for column in layout.columns_down(rider.link) {
            let (linear, angular) = halves(&at.screws[column]);
            let linear = rotation.tr_mul(&(linear + angular.cross(&at.arm(rider))));
            let angular = rotation.tr_mul(&angular);
            for (k, &part) in node.kind.columns().iter().enumerate() {
                let way = if part < 3 { linear[part] } else { angular[part - 3] };
                moved[column] += (way / inner.scale(node.v + k)).powi(2);
            }
        }
    }
    let share = layout.count as f64 / inner.sizes().motion as f64;
    let largest = LARGEST * inner.length().max(1.0);
    moved.into_iter().map(|moved| (share * moved).sqrt().recip().min(largest)).collect()
}
