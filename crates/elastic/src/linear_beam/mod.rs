//! A straight linear beam after Bernoulli and Euler or after Timoshenko as a body on a floating frame.
//! [Yen et al. 1998, sheet §4.3]
//!
//! Deflections are interpolated by cubics over a few elements, with a consistent mass; the shapes are all
//! vibrations of this interpolation, so that nothing is left out. After Timoshenko sections shear, and their
//! rotary inertia counts in bending; after Bernoulli and Euler it counts in motions of the whole beam only.
//! The beam neither stretches nor twists. The frame has its origin in the start of the beam and its x axis
//! along it.
//!
//! | file | content |
//! |---|---|
//! | `element` | interpolation, stiffness and mass of one element |
//! | `shapes` | vibrations in one direction, and integrals over them |

mod element;
mod shapes;
#[cfg(test)]
mod tests;

use crate::error::{MeshError, Place};
use crate::flexible::{FlexibleBody, FlexibleFrame, Inertia, Surface};
use crate::round_sections::RoundSections;
use nalgebra::{DMatrix, Matrix3, Vector3};
use shapes::Shapes;

/// Points of the picture in each element.
const DRAWN: usize = 4;
/// Most elements. Twenty give the lowest frequency to 5e-8, and the stiffness of shorter ones drowns it in
/// rounding: with fifty the error is least, with two hundred it is 5e-7 again.
const MOST_ELEMENTS: usize = 100;
/// The cell of a line in VTK.
const LINE: u8 = 3;

/// How the frame moves with the beam.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BeamFrame {
    /// The x axis is tangent to the beam at its start, or with shear normal to its section there.
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
    /// Shear stiffness kGA for deflections along y and along z, after Timoshenko; none for a beam after
    /// Bernoulli and Euler.
    pub shear: Option<[f64; 2]>,
    /// Rotary inertia per length about x, y and z.
    pub rotary: Vector3<f64>,
    /// Number of elements.
    pub elements: usize,
    /// How the frame moves with it.
    pub frame: BeamFrame,
    /// Ratio of critical damping of all shapes.
    pub damping: f64,
}

/// A beam that no file declares cannot be so.
fn refused<T>(what: impl Into<String>, help: impl Into<String>) -> Result<T, MeshError> {
    Err(MeshError::new("", Place::NOWHERE, what, help))
}

impl LinearBeam {
    /// Says what is wrong with the numbers.
    fn validate(&self) -> Result<(), MeshError> {
        let positive = |what: &str, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => refused(format!("{what} is {value}"), "give a positive number"),
        };
        positive("its length", self.length)?;
        positive("its mass per length", self.mass)?;
        for stiffness in self.bending.iter().flatten() {
            positive("its bending stiffness", *stiffness)?;
        }
        for stiffness in self.shear.iter().flatten() {
            positive("its shear stiffness", *stiffness)?;
        }
        if self.rotary.iter().any(|x| !(*x >= 0.0 && x.is_finite())) {
            return refused("its rotary inertia is negative", "give zero or positive numbers");
        }
        if !(self.damping >= 0.0 && self.damping.is_finite()) {
            return refused(
                format!("its damping is {}", self.damping),
                "give zero or a positive number",
            );
        }
        if self.elements == 0 {
            return refused("it has no elements", "take one or more");
        }
        if self.elements > MOST_ELEMENTS {
            let count = self.elements;
            return refused(
                format!(
                    "it has {count} elements, of which every vibration is a shape, and which are too short to tell the \
                     lowest ones from rounding"
                ),
                format!("take 4 to {MOST_ELEMENTS}, deflections are cubic in each"),
            );
        }
        Ok(())
    }

    /// The body with all its shapes.
    pub fn body(&self) -> Result<FlexibleBody, MeshError> {
        self.validate()?;
        let shapes = Shapes::new(self).ok_or_else(|| {
            let Self { length, elements, .. } = self;
            let what = format!(
                "mass and stiffness of {elements} elements of a beam of {length:?} m are too large or too \
                 small to compute with"
            );
            MeshError::new("", Place::NOWHERE, what, "correct its length or its section")
        })?;
        let n = shapes.count();
        let mass = self.mass * self.length;
        let mut second = Matrix3::zeros();
        second[(0, 0)] = mass * self.length.powi(2) / 3.0;
        let sums = shapes.integrals();
        let inertia = Inertia {
            mass,
            first: Vector3::new(mass * self.length / 2.0, 0.0, 0.0),
            second,
            spin: Matrix3::from_diagonal(&(self.rotary * self.length)),
            shape_first: sums.first,
            shape_second: sums.second,
            shape_product: sums.product,
            shape_spin: sums.spin,
            modal: DMatrix::identity(n, n),
        };
        Ok(FlexibleBody {
            title: "linear beam".into(),
            method: match self.shear {
                None => format!("Hermite cubics, {} elements", self.elements),
                Some(_) => format!("cubics with shear, {} elements", self.elements),
            },
            cut_off: None,
            floats: false,
            inertia,
            stiffness: shapes.values(),
            damping: vec![self.damping; n],
            frames: vec![self.end("start", 0.0, &shapes), self.end("end", self.length, &shapes)],
            surface: self.surface(&shapes),
        })
    }

    fn end(&self, name: &str, x: f64, shapes: &Shapes) -> FlexibleFrame {
        let mut translation = DMatrix::zeros(3, shapes.count());
        let mut rotation = DMatrix::zeros(3, shapes.count());
        for k in 0..shapes.count() {
            let [deflection, turn] = shapes.at(k, x);
            translation.column_mut(k).copy_from(&deflection);
            rotation.column_mut(k).copy_from(&turn);
        }
        let position = Vector3::new(x, 0.0, 0.0);
        FlexibleFrame { name: name.into(), position, translation, rotation }
    }

    fn surface(&self, shapes: &Shapes) -> Surface {
        let points = self.elements * DRAWN + 1;
        let place = |p: usize| self.length * p as f64 / (points - 1) as f64;
        let mut displacement = DMatrix::zeros(3 * points, shapes.count());
        let mut rotation = displacement.clone();
        for k in 0..shapes.count() {
            for p in 0..points {
                let [deflection, turn] = shapes.at(k, place(p));
                displacement.fixed_view_mut::<3, 1>(3 * p, k).copy_from(&deflection);
                rotation.fixed_view_mut::<3, 1>(3 * p, k).copy_from(&turn);
            }
        }
        Surface {
            labels: (1..=points as u64).collect(),
            positions: (0..points).flat_map(|p| [place(p), 0.0, 0.0]).collect(),
            displacement,
            turning: (0..points).collect(),
            rotation,
            stress: DMatrix::zeros(6 * points, shapes.count()),
            sections: RoundSections::none(shapes.count()),
            cells: vec![LINE; points - 1],
            connectivity: (0..points - 1).flat_map(|p| [p, p + 1]).collect(),
            ends: (1..points).map(|p| 2 * p).collect(),
            sets: Default::default(),
        }
    }
}
