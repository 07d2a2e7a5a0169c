//! Roads: a height over the plane of a marker, `z = h(x, y)`, with the normal that belongs to it.

use crate::error::ModelError;
use crate::force::varying::{Scalar, Vector};
use crate::marker::Marker;
use nalgebra::{SMatrix, Vector3};
use rotula_formula::{Graph, Program, Tables};

/// Registers are kept on the stack; longer formulas are refused.
const MOST_REGISTERS: usize = 256;

/// A surface on which tyres roll.
///
/// Its height is counted along z of a marker. Where the height is a table, its slopes are those of the
/// curve through the points, so that the normal turns as smoothly as the curve bends.
#[derive(Clone, Debug)]
pub struct Road {
    /// Where its plane is; z is up.
    pub marker: Marker,
    /// Height and its derivatives by x, y, xx, xy, yy; none for a plane.
    height: Option<Program>,
}

/// The road below a point, in the axes of its marker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Below<const N: usize> {
    /// How far the point is above the tangent plane of the road, along the normal.
    pub(super) distance: Scalar<N>,
    /// The normal, upwards.
    pub(super) normal: Vector<N>,
}

impl Road {
    /// The plane z = 0 of a marker.
    pub fn plane(marker: Marker) -> Self {
        Road { marker, height: None }
    }

    /// A road whose height is a formula of `x` and `y`, which may call tables by name.
    pub fn formula(marker: Marker, text: &str, tables: &Tables) -> Result<Self, ModelError> {
        let mut graph = Graph::with_tables(tables);
        let (x, y) = (graph.symbol("x"), graph.symbol("y"));
        let height = graph.parse(text, &mut |name| match name {
            "x" => Some(x),
            "y" => Some(y),
            _ => None,
        })?;
        let [hx, hy] = [x, y].map(|by| graph.derivative(height, by));
        let second = [graph.derivative(hx, x), graph.derivative(hx, y), graph.derivative(hy, y)];
        let outputs = [height, hx, hy, second[0], second[1], second[2]];
        let program = Program::compile(&graph, &[x, y], &outputs)?;
        if program.registers() > MOST_REGISTERS {
            let what = "the formula of its height is too long; put the heights into a table";
            return Err(ModelError::invalid("road", what));
        }
        Ok(Road { marker, height: Some(program) })
    }

    /// Height and its derivatives by x, y, xx, xy, yy at a place.
    fn at(&self, x: f64, y: f64) -> [f64; 6] {
        let Some(program) = &self.height else { return [0.0; 6] };
        let (mut registers, mut out) = ([0.0; MOST_REGISTERS], [0.0; 6]);
        program.evaluate(&[x, y], &mut registers[..program.registers()], &mut out);
        out
    }

    /// The height at a place of its plane.
    pub fn height(&self, x: f64, y: f64) -> f64 {
        self.at(x, y)[0]
    }

    /// The tangent plane of the road straight below a point.
    pub(super) fn below<const N: usize>(&self, point: &Vector<N>) -> Below<N> {
        let [h, hx, hy, hxx, hxy, hyy] = self.at(point.value.x, point.value.y);
        let row = |k: usize| point.by.row(k).into_owned();
        let (x, y) = (row(0), row(1));
        let over = Scalar { value: point.value.z - h, by: row(2) - x * hx - y * hy };
        let mut by = SMatrix::<f64, 3, N>::zeros();
        by.set_row(0, &-(x * hxx + y * hxy));
        by.set_row(1, &-(x * hxy + y * hyy));
        let steep = Vector { value: Vector3::new(-hx, -hy, 1.0), by };
        let normal = steep * steep.length_with(0.0).inverse();
        let upright = Scalar { value: normal.value.z, by: normal.by.row(2).into_owned() };
        Below { distance: over * upright, normal }
    }
}
