//! A straight linear beam after Bernoulli and Euler as a body on a floating frame. [004 §4.3]
//!
//! Deflections are interpolated by Hermite cubics over a few elements, with a consistent mass; the
//! shapes are all vibrations of this interpolation, so that nothing is left out. Rotary inertia of the
//! sections counts in motions of the whole beam, not in bending, and the beam neither stretches nor
//! twists. The frame has its origin in the start of the beam and its x axis along it.

use crate::flexible::{FlexibleBody, FlexibleFrame, Inertia, Surface};
use crate::modes::dense_modes;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

/// Points of the picture in each element.
const DRAWN: usize = 4;
/// The cell of a line in VTK.
const LINE: u8 = 3;

/// How the frame moves with the beam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BeamFrame {
    /// The x axis is tangent to the beam at its start.
    #[default]
    Tangent,
    /// The x axis goes through both ends.
    Chord,
}

/// A straight beam of one section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearBeam {
    /// Its length.
    pub length: f64,
    /// Mass per length.
    pub mass: f64,
    /// Bending stiffness EI against deflections along y and along z; none where it does not bend.
    pub bending: [Option<f64>; 2],
    /// Rotary inertia per length about x, y and z.
    pub rotary: Vector3<f64>,
    /// Number of elements.
    pub elements: usize,
    /// How the frame moves with it.
    pub frame: BeamFrame,
    /// Ratio of critical damping of all shapes.
    pub damping: f64,
}

/// Vibrations in one direction.
struct Direction {
    /// 1 for y, 2 for z.
    axis: usize,
    /// Squares of angular frequencies, increasing.
    values: DVector<f64>,
    /// Deflection and slope of all nodes in each shape: 2 × nodes rows.
    shapes: DMatrix<f64>,
    /// ∫φ dm and ∫xφ dm of the shapes.
    first: DVector<f64>,
    second: DVector<f64>,
}

impl LinearBeam {
    /// Says what is wrong with the numbers.
    fn validate(&self) -> Result<(), String> {
        let positive = |what: &str, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(format!("{what} is {value}; it must be a positive number")),
        };
        positive("its length", self.length)?;
        positive("its mass per length", self.mass)?;
        for stiffness in self.bending.iter().flatten() {
            positive("its bending stiffness", *stiffness)?;
        }
        if self.rotary.iter().any(|x| !(*x >= 0.0 && x.is_finite())) {
            return Err("its rotary inertia must not be negative".into());
        }
        if !(self.damping >= 0.0 && self.damping.is_finite()) {
            return Err(format!("its damping is {}; it must not be negative", self.damping));
        }
        if self.elements == 0 {
            return Err("it has no elements; take one or more".into());
        }
        Ok(())
    }

    /// The body with all its shapes.
    pub fn body(&self) -> Result<FlexibleBody, String> {
        self.validate()?;
        let bending = self.bending.iter().enumerate();
        let directions: Vec<Direction> = bending
            .filter_map(|(k, stiffness)| Some(self.direction(k + 1, (*stiffness)?)))
            .collect();
        // all shapes by frequency: direction and number in it
        let mut order: Vec<(usize, usize)> = directions
            .iter()
            .enumerate()
            .flat_map(|(d, direction)| (0..direction.values.len()).map(move |k| (d, k)))
            .collect();
        order.sort_by(|a, b| directions[a.0].values[a.1].total_cmp(&directions[b.0].values[b.1]));
        let n = order.len();
        let mass = self.mass * self.length;
        let mut second = Matrix3::zeros();
        second[(0, 0)] = mass * self.length.powi(2) / 3.0;
        let mut inertia = Inertia {
            mass,
            first: Vector3::new(mass * self.length / 2.0, 0.0, 0.0),
            second,
            spin: Matrix3::from_diagonal(&(self.rotary * self.length)),
            shape_first: DMatrix::zeros(3, n),
            shape_second: DMatrix::zeros(3, 3 * n),
            shape_product: DMatrix::zeros(3 * n, 3 * n),
            shape_spin: DMatrix::zeros(3, n),
            modal: DMatrix::identity(n, n),
        };
        for (i, &(d, k)) in order.iter().enumerate() {
            let direction = &directions[d];
            let axis = direction.axis;
            inertia.shape_first[(axis, i)] = direction.first[k];
            inertia.shape_second[(0, 3 * i + axis)] = direction.second[k];
            inertia.shape_product[(3 * i + axis, 3 * i + axis)] = 1.0;
        }
        let value = |&(d, k): &(usize, usize)| directions[d].values[k];
        Ok(FlexibleBody {
            title: "linear beam".into(),
            method: format!("Hermite cubics, {} elements", self.elements),
            cut_off: None,
            floats: false,
            inertia,
            stiffness: order.iter().map(value).collect(),
            damping: vec![self.damping; n],
            frames: vec![
                self.end("start", 0.0, &directions, &order),
                self.end("end", self.length, &directions, &order),
            ],
            surface: self.surface(&directions, &order),
        })
    }

    /// Vibrations along y (axis 1) or z (axis 2).
    fn direction(&self, axis: usize, stiffness: f64) -> Direction {
        let (h, count) = (self.length / self.elements as f64, 2 * (self.elements + 1));
        let mut k = DMatrix::zeros(count, count);
        let mut m = DMatrix::zeros(count, count);
        let (mut first, mut second) = (DVector::zeros(count), DVector::zeros(count));
        for element in 0..self.elements {
            let (at, start) = (2 * element, element as f64 * h);
            let mut block = k.fixed_view_mut::<4, 4>(at, at);
            block += hermite_stiffness(h) * stiffness;
            let mut block = m.fixed_view_mut::<4, 4>(at, at);
            block += hermite_mass(h) * self.mass;
            let sums = [h / 2.0, h * h / 12.0, h / 2.0, -h * h / 12.0];
            let levers = [0.15, h / 30.0, 0.35, -h / 20.0].map(|lever| lever * h * h);
            for i in 0..4 {
                first[at + i] += self.mass * sums[i];
                second[at + i] += self.mass * (start * sums[i] + levers[i]);
            }
        }
        let kept: Vec<usize> = match self.frame {
            BeamFrame::Tangent => (2..count).collect(),
            BeamFrame::Chord => (1..count).filter(|i| *i != count - 2).collect(),
        };
        let part = |a: &DMatrix<f64>| a.select_rows(kept.iter()).select_columns(kept.iter());
        let (values, free) = dense_modes(&part(&k), &part(&m))
            .expect("the consistent mass of a beam is positive definite");
        let mut shapes = DMatrix::zeros(count, kept.len());
        for (row, &i) in kept.iter().enumerate() {
            shapes.row_mut(i).copy_from(&free.row(row));
        }
        let (first, second) = (shapes.tr_mul(&first), shapes.tr_mul(&second));
        Direction { axis, values, shapes, first, second }
    }

    /// Deflection and slope of a shape at a place.
    fn at(&self, direction: &Direction, shape: usize, x: f64) -> [f64; 2] {
        let h = self.length / self.elements as f64;
        let element = ((x / h) as usize).min(self.elements - 1);
        let s = x / h - element as f64;
        let w = [0, 1, 2, 3].map(|i| direction.shapes[(2 * element + i, shape)]);
        let (s2, s3) = (s * s, s * s * s);
        let value = [
            1.0 - 3.0 * s2 + 2.0 * s3,
            h * (s - 2.0 * s2 + s3),
            3.0 * s2 - 2.0 * s3,
            h * (s3 - s2),
        ];
        let slope = [
            (6.0 * s2 - 6.0 * s) / h,
            1.0 - 4.0 * s + 3.0 * s2,
            (6.0 * s - 6.0 * s2) / h,
            3.0 * s2 - 2.0 * s,
        ];
        [value, slope].map(|n| (0..4).map(|i| n[i] * w[i]).sum())
    }

    fn end(
        &self,
        name: &str,
        x: f64,
        directions: &[Direction],
        order: &[(usize, usize)],
    ) -> FlexibleFrame {
        let mut translation = DMatrix::zeros(3, order.len());
        let mut rotation = DMatrix::zeros(3, order.len());
        for (i, &(d, k)) in order.iter().enumerate() {
            let [deflection, slope] = self.at(&directions[d], k, x);
            translation[(directions[d].axis, i)] = deflection;
            // y' turns about z, z' about −y
            match directions[d].axis {
                1 => rotation[(2, i)] = slope,
                _ => rotation[(1, i)] = -slope,
            }
        }
        let position = Vector3::new(x, 0.0, 0.0);
        FlexibleFrame { name: name.into(), position, translation, rotation }
    }

    fn surface(&self, directions: &[Direction], order: &[(usize, usize)]) -> Surface {
        let points = self.elements * DRAWN + 1;
        let place = |p: usize| self.length * p as f64 / (points - 1) as f64;
        let mut displacement = DMatrix::zeros(3 * points, order.len());
        for (i, &(d, k)) in order.iter().enumerate() {
            for p in 0..points {
                let direction = &directions[d];
                displacement[(3 * p + direction.axis, i)] = self.at(direction, k, place(p))[0];
            }
        }
        Surface {
            labels: (1..=points as u64).collect(),
            positions: (0..points).flat_map(|p| [place(p), 0.0, 0.0]).collect(),
            displacement,
            stress: DMatrix::zeros(6 * points, order.len()),
            cells: vec![LINE; points - 1],
            connectivity: (0..points - 1).flat_map(|p| [p, p + 1]).collect(),
            ends: (1..points).map(|p| 2 * p).collect(),
        }
    }
}

/// Stiffness of one element of unit EI.
fn hermite_stiffness(h: f64) -> nalgebra::Matrix4<f64> {
    #[rustfmt::skip]
    let k = nalgebra::Matrix4::new(
        12.0, 6.0 * h, -12.0, 6.0 * h,
        6.0 * h, 4.0 * h * h, -6.0 * h, 2.0 * h * h,
        -12.0, -6.0 * h, 12.0, -6.0 * h,
        6.0 * h, 2.0 * h * h, -6.0 * h, 4.0 * h * h,
    );
    k / h.powi(3)
}

/// Consistent mass of one element of unit mass per length.
fn hermite_mass(h: f64) -> nalgebra::Matrix4<f64> {
    #[rustfmt::skip]
    let m = nalgebra::Matrix4::new(
        156.0, 22.0 * h, 54.0, -13.0 * h,
        22.0 * h, 4.0 * h * h, 13.0 * h, -3.0 * h * h,
        54.0, 13.0 * h, 156.0, -22.0 * h,
        -13.0 * h, -3.0 * h * h, -22.0 * h, 4.0 * h * h,
    );
    m * (h / 420.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beam(elements: usize, frame: BeamFrame) -> LinearBeam {
        LinearBeam {
            length: 2.0,
            mass: 0.7,
            bending: [Some(3.0), Some(8.0)],
            rotary: Vector3::new(0.02, 0.01, 0.01),
            elements,
            frame,
            damping: 0.01,
        }
    }

    #[test]
    fn frequencies_are_those_of_clamped_and_of_pinned_beams() {
        let cases = [
            (BeamFrame::Tangent, [1.875104068711961, 4.694091132974174, 7.854757438237613]),
            (BeamFrame::Chord, [1.0, 2.0, 3.0].map(|k| k * std::f64::consts::PI)),
        ];
        for (frame, roots) in cases {
            let mut beam = beam(12, frame);
            beam.bending[1] = None;
            let body = beam.body().unwrap();
            for (k, root) in roots.iter().enumerate() {
                let exact = (root / beam.length).powi(2) * (3.0_f64 / 0.7).sqrt();
                let error = body.stiffness[k].sqrt() / exact - 1.0;
                // the leading error of cubic elements with a consistent mass
                let leading = (root / 12.0).powi(4) / 1440.0;
                let what = format!("{frame:?}, mode {}", k + 1);
                assert!((error / leading - 1.0).abs() < 0.1, "{what}: {error:e}, {leading:e}");
            }
        }
    }

    /// Every integral against a sum over many points of the interpolated shapes.
    #[test]
    fn integrals_are_those_of_the_shapes() {
        let body = beam(3, BeamFrame::Tangent).body().unwrap();
        let (n, points) = (body.shapes(), 3 * DRAWN);
        // Boole's rule over each element is exact up to degree five
        let weights = [7.0, 32.0, 12.0, 32.0, 7.0].map(|w| w / 90.0 * 2.0 / 3.0);
        for k in 0..n {
            let (mut first, mut second) = (Vector3::zeros(), Matrix3::zeros());
            for element in 0..3 {
                for (i, weight) in weights.iter().enumerate() {
                    let p = 4 * element + i;
                    assert!(p <= points);
                    let x = Vector3::from_column_slice(&body.surface.positions[3 * p..3 * p + 3]);
                    let shape = body.surface.displacement.fixed_view::<3, 1>(3 * p, k).into_owned();
                    first += shape * (0.7 * weight);
                    second += x * shape.transpose() * (0.7 * weight);
                }
            }
            let exact = body.inertia.shape_first.fixed_view::<3, 1>(0, k).into_owned();
            assert!((first - exact).norm() < 1e-12, "shape {k}: {first} {exact}");
            let exact = body.inertia.shape_second.fixed_view::<3, 3>(0, 3 * k).into_owned();
            assert!((second - exact).norm() < 1e-12, "shape {k}: {second} {exact}");
        }
        // the tip of the unit load
        let end = &body.frames[1];
        let load = end.modal_load(Vector3::new(0.0, 1.0, 0.0), Vector3::zeros());
        let tip: f64 = (0..n).map(|k| load[k] / body.stiffness[k] * end.translation[(1, k)]).sum();
        assert!((tip - 8.0 / 9.0).abs() < 1e-11, "{tip}");
    }

    #[test]
    fn bad_beams_are_refused() {
        let bad = LinearBeam { elements: 0, ..beam(3, BeamFrame::Chord) };
        assert!(bad.body().unwrap_err().contains("no elements"));
        let bad = LinearBeam { mass: -1.0, ..beam(3, BeamFrame::Chord) };
        assert!(bad.body().unwrap_err().contains("mass per length is -1"));
    }
}
