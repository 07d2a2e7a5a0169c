//! Bars of linear elements whose first node hits a wall.

use crate::linear::Linear;
use rotula_dae::*;

pub const NODES: usize = 201;

/// A free bar: nodes, stiffness `E A / l` and mass `ρ A l` of an element. The wall is `offset` away.
pub fn elements(nodes: usize, k: f64, m: f64, consistent: bool, offset: f64) -> Linear {
    let mut bar = Linear::points(&vec![0.0; nodes], vec![0.0; nodes]);
    bar.mass.clear();
    for e in 0..nodes - 1 {
        let (i, j) = (e, e + 1);
        bar.stiffness.extend([(i, i, k), (j, j, k), (i, j, -k), (j, i, -k)]);
        if consistent {
            bar.mass.extend([(i, i, m / 3.0), (j, j, m / 3.0), (i, j, m / 6.0), (j, i, m / 6.0)]);
        } else {
            bar.mass.extend([(i, i, m / 2.0), (j, j, m / 2.0)]);
        }
    }
    bar.with(Contact::smooth(0.0), vec![vec![(0, 1.0)]], offset)
}

/// The bar of document 002, section 6.3: 200 elements.
pub fn bar(consistent: bool) -> (Linear, State) {
    let (modulus, length) = (900.0, 10.0);
    let l = length / (NODES - 1) as f64;
    let bar = elements(NODES, modulus / l, l, consistent, 5.0);
    let start = bar.state(&[0.0; NODES], &[-10.0; NODES]);
    (bar, start)
}
