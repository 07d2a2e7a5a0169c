//! Vibrations of a linear beam in both directions, and integrals over them.

use super::element::{Cubic, POINTS};
use super::{BeamFrame, LinearBeam};
use crate::modes::dense_modes;
use nalgebra::{DMatrix, DVector, Vector3};

/// Vibrations in one direction.
struct Direction {
    /// 1 for y, 2 for z.
    axis: usize,
    /// The interpolation in each element.
    cubic: Cubic,
    /// Squares of angular frequencies, increasing.
    values: DVector<f64>,
    /// Deflection and turn of all nodes in each shape: 2 × nodes rows.
    shapes: DMatrix<f64>,
}

/// All shapes of a beam in the order of their frequencies.
pub(super) struct Shapes<'a> {
    beam: &'a LinearBeam,
    directions: Vec<Direction>,
    /// Direction of each shape and its number there.
    order: Vec<(usize, usize)>,
}

/// Integrals over shapes.
pub(super) struct Sums {
    /// ∫φ_k dm.
    pub(super) first: DMatrix<f64>,
    /// ∫xφ_kᵀ dm.
    pub(super) second: DMatrix<f64>,
    /// ∫φ_kφ_lᵀ dm.
    pub(super) product: DMatrix<f64>,
    /// Rotary inertia times the turn.
    pub(super) spin: DMatrix<f64>,
}

impl<'a> Shapes<'a> {
    /// `None` if mass or stiffness of the elements are beyond the numbers of a computer.
    pub(super) fn new(beam: &'a LinearBeam) -> Option<Self> {
        let bending = beam.bending.iter().enumerate();
        let directions: Vec<Direction> = bending
            .filter_map(|(k, stiffness)| Some(direction(beam, k + 1, (*stiffness)?)))
            .collect::<Option<_>>()?;
        let mut order: Vec<(usize, usize)> = directions
            .iter()
            .enumerate()
            .flat_map(|(d, direction)| (0..direction.values.len()).map(move |k| (d, k)))
            .collect();
        order.sort_by(|a, b| directions[a.0].values[a.1].total_cmp(&directions[b.0].values[b.1]));
        Some(Shapes { beam, directions, order })
    }

    pub(super) fn count(&self) -> usize {
        self.order.len()
    }

    /// Squares of angular frequencies.
    pub(super) fn values(&self) -> Vec<f64> {
        self.order.iter().map(|&(d, k)| self.directions[d].values[k]).collect()
    }

    /// Deflection and turn of a shape at a place.
    pub(super) fn at(&self, shape: usize, x: f64) -> [Vector3<f64>; 2] {
        let h = self.beam.length / self.beam.elements as f64;
        let element = ((x / h) as usize).min(self.beam.elements - 1);
        self.within(shape, element, x / h - element as f64)
    }

    /// The same at a part of the length of an element.
    fn within(&self, shape: usize, element: usize, s: f64) -> [Vector3<f64>; 2] {
        let (d, k) = self.order[shape];
        let direction = &self.directions[d];
        let ends = direction.shapes.fixed_view::<4, 1>(2 * element, k);
        let w = direction.cubic.deflection(s).dot(&ends);
        let turn = direction.cubic.turn(s).dot(&ends);
        // a slope along y turns about z, one along z about −y
        match direction.axis {
            1 => [Vector3::new(0.0, w, 0.0), Vector3::new(0.0, 0.0, turn)],
            _ => [Vector3::new(0.0, 0.0, w), Vector3::new(0.0, -turn, 0.0)],
        }
    }

    /// Integrals over all elements; Gauss's rule is exact for them.
    pub(super) fn integrals(&self) -> Sums {
        let (n, beam) = (self.count(), self.beam);
        let h = beam.length / beam.elements as f64;
        let mut sums = Sums {
            first: DMatrix::zeros(3, n),
            second: DMatrix::zeros(3, 3 * n),
            product: DMatrix::zeros(3 * n, 3 * n),
            spin: DMatrix::zeros(3, n),
        };
        for element in 0..beam.elements {
            for (s, weight) in POINTS {
                let (x, mass) = ((element as f64 + s) * h, beam.mass * weight * h);
                let mut all = DVector::zeros(3 * n);
                for k in 0..n {
                    let [deflection, turn] = self.within(k, element, s);
                    all.fixed_rows_mut::<3>(3 * k).copy_from(&deflection);
                    let mut first = sums.first.fixed_view_mut::<3, 1>(0, k);
                    first += deflection * mass;
                    if beam.shear.is_some() {
                        let mut spin = sums.spin.fixed_view_mut::<3, 1>(0, k);
                        spin += beam.rotary.component_mul(&turn) * (weight * h);
                    }
                }
                let mut along = sums.second.row_mut(0);
                along += all.transpose() * (x * mass);
                sums.product.ger(mass, &all, &all, 1.0);
            }
        }
        sums
    }
}

/// Vibrations along y (axis 1) or z (axis 2), if their matrices can be computed with.
fn direction(beam: &LinearBeam, axis: usize, stiffness: f64) -> Option<Direction> {
    let (h, count) = (beam.length / beam.elements as f64, 2 * (beam.elements + 1));
    let ratio = |shear: [f64; 2]| 12.0 * stiffness / (shear[axis - 1] * h * h);
    let cubic = Cubic { h, shear: beam.shear.map_or(0.0, ratio) };
    // a deflection along y turns about z
    let rotary = if beam.shear.is_some() { beam.rotary[3 - axis] } else { 0.0 };
    let mut k = DMatrix::zeros(count, count);
    let mut m = DMatrix::zeros(count, count);
    for element in 0..beam.elements {
        let at = 2 * element;
        let mut block = k.fixed_view_mut::<4, 4>(at, at);
        block += cubic.stiffness() * stiffness;
        let mut block = m.fixed_view_mut::<4, 4>(at, at);
        block += cubic.mass(beam.mass, rotary);
    }
    let kept: Vec<usize> = match beam.frame {
        BeamFrame::Tangent => (2..count).collect(),
        BeamFrame::Chord => (1..count).filter(|i| *i != count - 2).collect(),
    };
    let part = |a: &DMatrix<f64>| a.select_rows(kept.iter()).select_columns(kept.iter());
    let (values, free) = dense_modes(&part(&k), &part(&m))?;
    let mut shapes = DMatrix::zeros(count, kept.len());
    for (row, &i) in kept.iter().enumerate() {
        shapes.row_mut(i).copy_from(&free.row(row));
    }
    Some(Direction { axis, cubic, values, shapes })
}
