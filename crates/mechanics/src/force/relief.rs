//! Surfaces by formulas: landscapes `z = h(x, y)` and cams `ρ = r(φ)`, with normals that turn as smoothly as the formula bends.
//!
//! Each is the zero of a function `g` that is positive outside: `z − h(x, y)`, or `ρ − r(φ)` in polar coordinates about z. A point
//! is taken to be `g/|∇g|` above the surface, along `∇g/|∇g|`. That is exact on the surface and off by the square of the
//! distance over the radius of curvature.

use super::varying::{Scalar, Vector};
use crate::error::{ModelError, Refusal, refusal};
use nalgebra::{SMatrix, Vector3};
use rotula_formula::{Graph, Program, Tables};
use std::sync::Arc;

/// Registers are kept on the stack; longer formulas are refused.
const MOST_REGISTERS: usize = 256;

/// A surface by a formula, in the axes of the marker that carries it.
#[derive(Clone, Debug)]
pub struct Relief {
    form: Form,
    text: String,
    /// The formula and its first and second derivatives.
    program: Arc<Program>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `z = h(x, y)`, solid below.
    Landscape,
    /// `ρ = r(φ)`, solid inside.
    Cam,
}

impl PartialEq for Relief {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.program, &other.program)
            || (self.form == other.form && self.text == other.text)
    }
}

/// The surface near a point, in the axes of its marker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near<const N: usize> {
    /// How far the point is above the surface, along the normal.
    pub(super) distance: Scalar<N>,
    /// The normal, outwards.
    pub(super) normal: Vector<N>,
}

impl Relief {
    /// A landscape whose height is a formula of `x` and `y`, which may call tables by name.
    pub fn landscape(text: &str, tables: &Tables) -> Result<Self, ModelError> {
        Relief::new(Form::Landscape, text, tables)
    }

    /// A cam whose radius is a formula of the angle `phi` about z, counted from x; it may call tables by name.
    pub fn cam(text: &str, tables: &Tables) -> Result<Self, ModelError> {
        let cam = Relief::new(Form::Cam, text, tables)?;
        let invalid = |what: Refusal| Err(ModelError::invalid("cam", what));
        let turn = std::f64::consts::TAU;
        for k in 0..=360 {
            let phi = turn * (k as f64 / 360.0 - 0.5);
            let radius = cam.radius(phi);
            if !(radius.is_finite() && radius > 0.0) {
                return invalid(refusal!(
                    "its radius is {radius} m at phi = {phi:.4}";
                    "give a formula that is positive from -pi to pi"
                ));
            }
        }
        // polar angles jump from π to −π
        let [a, b] = [cam.radius(-0.5 * turn), cam.radius(0.5 * turn)];
        if (a - b).abs() > 1e-9 * a {
            return invalid(refusal!(
                "it does not close: its radius is {a} m at phi = -pi and {b} m at phi = pi";
                "give a formula of period 2*pi"
            ));
        }
        Ok(cam)
    }

    fn new(form: Form, text: &str, tables: &Tables) -> Result<Self, ModelError> {
        let mut graph = Graph::with_tables(tables);
        let names: &[&str] = match form {
            Form::Landscape => &["x", "y"],
            Form::Cam => &["phi"],
        };
        let symbols: Vec<_> = names.iter().map(|name| graph.symbol(name)).collect();
        let value = graph.parse(text, &mut |name| {
            names.iter().position(|own| *own == name).map(|k| symbols[k])
        })?;
        let first: Vec<_> = symbols.iter().map(|by| graph.derivative(value, *by)).collect();
        let mut outputs = vec![value];
        outputs.extend(&first);
        for (k, slope) in first.iter().enumerate() {
            for by in &symbols[k..] {
                outputs.push(graph.derivative(*slope, *by));
            }
        }
        let program = Program::compile(&graph, &symbols, &outputs)?;
        if program.registers() > MOST_REGISTERS {
            let what = refusal!("its formula is too long"; "put the values into a table");
            return Err(ModelError::invalid("surface", what));
        }
        Ok(Relief { form, text: text.to_owned(), program: Arc::new(program) })
    }

    fn evaluate<const OUT: usize>(&self, at: &[f64]) -> [f64; OUT] {
        let (mut registers, mut out) = ([0.0; MOST_REGISTERS], [0.0; OUT]);
        self.program.evaluate(at, &mut registers[..self.program.registers()], &mut out);
        out
    }

    /// The height of a landscape at a place.
    pub fn height(&self, x: f64, y: f64) -> f64 {
        self.evaluate::<6>(&[x, y])[0]
    }

    /// The radius of a cam at an angle.
    pub fn radius(&self, phi: f64) -> f64 {
        self.evaluate::<3>(&[phi])[0]
    }

    /// The surface near a point; none on the axis of a cam.
    pub(super) fn near<const N: usize>(&self, point: &Vector<N>) -> Option<Near<N>> {
        let (level, gradient) = match self.form {
            Form::Landscape => self.over(point),
            Form::Cam => self.outside(point)?,
        };
        let steepness = gradient.length_with(0.0).inverse();
        Some(Near { distance: level * steepness, normal: gradient * steepness })
    }

    /// `z − h(x, y)` and its gradient.
    fn over<const N: usize>(&self, point: &Vector<N>) -> (Scalar<N>, Vector<N>) {
        let [h, hx, hy, hxx, hxy, hyy] = self.evaluate(&[point.value.x, point.value.y]);
        let row = |k: usize| point.by.row(k).into_owned();
        let (x, y) = (row(0), row(1));
        let level = Scalar { value: point.value.z - h, by: row(2) - x * hx - y * hy };
        let mut by = SMatrix::<f64, 3, N>::zeros();
        by.set_row(0, &-(x * hxx + y * hxy));
        by.set_row(1, &-(x * hxy + y * hyy));
        (level, Vector { value: Vector3::new(-hx, -hy, 1.0), by })
    }

    /// `ρ − r(φ)` and its gradient `e_ρ − (r'/ρ) e_φ`.
    fn outside<const N: usize>(&self, point: &Vector<N>) -> Option<(Scalar<N>, Vector<N>)> {
        let mut flat = *point;
        flat.value.z = 0.0;
        flat.by.row_mut(2).fill(0.0);
        let rho = flat.length_with(0.0);
        if rho.value == 0.0 {
            return None;
        }
        let out = flat * rho.inverse();
        let around = Vector::constant(Vector3::z()).cross(&out);
        let phi = out.value.y.atan2(out.value.x);
        let turned = around.value.tr_mul(&flat.by) / rho.value;
        let [r, slope, bend] = self.evaluate(&[phi]);
        let radius = Scalar { value: r, by: turned * slope };
        let slope = Scalar { value: slope, by: turned * bend };
        Some((rho - radius, out - around * (slope * rho.inverse())))
    }
}
