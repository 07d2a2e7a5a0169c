//! Tables of convergence: error against the number of elements, with the observed order.

use crate::curves::{self, Curve};
use crate::entries::doc003::support::short;
use crate::entry::GalleryError;
use crate::findings::Findings;

/// Elements of one kind, in growing numbers.
pub(crate) struct Meshes {
    /// Nodes of an element.
    pub each: usize,
    /// Numbers of elements.
    pub counts: &'static [usize],
    /// The order that is expected of the finest pair, and how far from it is right.
    pub order: (f64, f64),
    /// Bound of the finest error.
    pub bound: f64,
}

/// Computes errors, checks the finest and its order, prints and draws all of them.
pub(crate) fn convergence(
    findings: &mut Findings,
    (name, unit): (&str, &str),
    meshes: &[Meshes],
    mut error: impl FnMut(usize, usize) -> Result<f64, GalleryError>,
) -> Result<(), GalleryError> {
    let (mut rows, mut drawn) = (Vec::new(), Vec::new());
    for Meshes { each, counts, order: (expected, tolerance), bound } in meshes {
        let mut before: Option<(usize, f64)> = None;
        let mut order = f64::NAN;
        let mut errors = Vec::new();
        for &elements in *counts {
            let found = error(elements, *each)?;
            if let Some((coarse, larger)) = before {
                order = (larger / found).ln() / (elements as f64 / coarse as f64).ln();
            }
            let shown = if order.is_nan() { String::new() } else { format!("{order:.2}") };
            rows.push(vec![each.to_string(), elements.to_string(), short(found), shown]);
            before = Some((elements, found));
            errors.push(found);
        }
        let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        drawn.push(Curve::new(format!("{each} nodes"), &counts, &errors));
        let finest = before.map_or(f64::NAN, |(_, error)| error);
        let what = format!("{name}, {each} nodes");
        findings.at_most(format!("{what}: finest error"), finest, *bound);
        findings.near(format!("{what}: observed order"), order, *expected, *tolerance);
    }
    let columns = ["nodes per element", "elements", "error", "order"];
    let title = format!("Convergence: {name}");
    findings.table(&title, &columns, rows);
    let error = if unit.is_empty() { "error".into() } else { format!("error ({unit})") };
    findings.figure(curves::convergence(&title, ["elements", &error], "", drawn));
    Ok(())
}
