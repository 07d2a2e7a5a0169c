//! The bar that hits a wall, document 002, section 6.3: 200 linear elements.

use crate::linear::Linear;
use rotula_dae::*;

pub const NODES: usize = 201;

pub fn bar(consistent: bool) -> (Linear, State) {
    let (modulus, length) = (900.0, 10.0);
    let l = length / (NODES - 1) as f64;
    let mut bar = Linear::points(&[0.0; NODES], vec![0.0; NODES]);
    bar.mass.clear();
    for e in 0..NODES - 1 {
        let (i, j) = (e, e + 1);
        let k = modulus / l;
        bar.stiffness.extend([(i, i, k), (j, j, k), (i, j, -k), (j, i, -k)]);
        if consistent {
            bar.mass.extend([(i, i, l / 3.0), (j, j, l / 3.0), (i, j, l / 6.0), (j, i, l / 6.0)]);
        } else {
            bar.mass.extend([(i, i, l / 2.0), (j, j, l / 2.0)]);
        }
    }
    let bar = bar.with(Contact::smooth(0.0), vec![vec![(0, 1.0)]], 5.0);
    let start = bar.state(&[0.0; NODES], &[-10.0; NODES]);
    (bar, start)
}
