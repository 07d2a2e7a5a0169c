//! Flexible bodies of a few point masses: every integral is a sum that can be written down.

#![allow(dead_code)]

use nalgebra::{DMatrix, Matrix3, Vector3};
use rotula_elastic::RoundSections;
use rotula_elastic::{FlexibleBody, FlexibleFrame, Inertia, Surface};

/// A point with its mass and its displacement in each shape.
pub struct Lump {
    pub mass: f64,
    pub at: Vector3<f64>,
    pub shapes: Vec<Vector3<f64>>,
}

/// The body of some lumps, with a rotary inertia and its coupling to the shapes besides.
pub fn body_of(
    lumps: &[Lump],
    (spin, shape_spin): (Matrix3<f64>, DMatrix<f64>),
    stiffness: Vec<f64>,
    frames: Vec<FlexibleFrame>,
) -> FlexibleBody {
    let n = stiffness.len();
    let sum = |f: &dyn Fn(&Lump) -> Matrix3<f64>| -> Matrix3<f64> {
        lumps.iter().map(|lump| f(lump) * lump.mass).sum()
    };
    let vector = |f: &dyn Fn(&Lump) -> Vector3<f64>| -> Vector3<f64> {
        lumps.iter().map(|lump| f(lump) * lump.mass).sum()
    };
    let mut shape_first = DMatrix::zeros(3, n);
    let mut shape_second = DMatrix::zeros(3, 3 * n);
    let mut shape_product = DMatrix::zeros(3 * n, 3 * n);
    let mut modal = DMatrix::from_fn(n, n, |i, j| if i == j { 0.4 } else { 0.1 });
    for k in 0..n {
        shape_first.set_column(k, &vector(&|l| l.shapes[k]));
        let block = sum(&|l| l.at * l.shapes[k].transpose());
        shape_second.fixed_view_mut::<3, 3>(0, 3 * k).copy_from(&block);
        for j in 0..n {
            let block = sum(&|l| l.shapes[k] * l.shapes[j].transpose());
            shape_product.fixed_view_mut::<3, 3>(3 * k, 3 * j).copy_from(&block);
            modal[(k, j)] += block.trace();
        }
    }
    FlexibleBody {
        title: "lumps".into(),
        method: "by hand".into(),
        cut_off: None,
        floats: true,
        inertia: Inertia {
            mass: lumps.iter().map(|l| l.mass).sum(),
            first: vector(&|l| l.at),
            second: sum(&|l| l.at * l.at.transpose()),
            spin,
            shape_first,
            shape_second,
            shape_product,
            shape_spin,
            modal,
        },
        stiffness,
        damping: (0..n).map(|k| 0.02 * (k + 1) as f64).collect(),
        frames,
        surface: Surface {
            labels: Vec::new(),
            positions: Vec::new(),
            displacement: DMatrix::zeros(0, n),
            turning: Vec::new(),
            rotation: DMatrix::zeros(0, n),
            stress: DMatrix::zeros(0, n),
            sections: RoundSections::none(n),
            cells: Vec::new(),
            connectivity: Vec::new(),
            ends: Vec::new(),
            sets: Default::default(),
        },
    }
}

/// A body of six lumps with arbitrary shapes and two interfaces; `number` gives numbers of size one.
pub fn some_flexible_body(n: usize, number: &mut dyn FnMut() -> f64) -> FlexibleBody {
    let mut vector = |scale: f64| Vector3::from_fn(|_, _| scale * number());
    let lumps: Vec<Lump> = (0..6)
        .map(|k| Lump {
            mass: 0.2 + 0.1 * k as f64,
            at: vector(1.0),
            shapes: (0..n).map(|_| vector(0.4)).collect(),
        })
        .collect();
    let spin = Matrix3::from_diagonal(&Vector3::new(0.3, 0.2, 0.4));
    let columns: Vec<Vector3<f64>> = (0..n).map(|_| vector(0.1)).collect();
    let shape_spin = DMatrix::from_fn(3, n, |i, k| columns[k][i]);
    let frames = ["near", "far"].map(|name| {
        let columns: Vec<_> = (0..n).map(|_| (vector(0.5), vector(0.3))).collect();
        FlexibleFrame {
            name: name.into(),
            position: vector(1.0),
            translation: DMatrix::from_fn(3, n, |i, k| columns[k].0[i]),
            rotation: DMatrix::from_fn(3, n, |i, k| columns[k].1[i]),
        }
    });
    let stiffness = (0..n).map(|k| 2.0 + 3.0 * k as f64).collect();
    body_of(&lumps, (spin, shape_spin), stiffness, frames.into())
}
