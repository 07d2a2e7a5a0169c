//! Functions of one or two arguments through points.
//!
//! On every piece a curve is the cubic f = w₀y₀ + w₁y₁ + w₂m₀ + w₃m₁ of the values and slopes at its ends, whose weights the axis
//! gives (straight pieces have w₂ = w₃ = 0). A grid is the product of two such curves, with slopes along both axes and the
//! mixed derivative at every point, so that a spline over a grid is the one of splines along its lines.

use crate::axis::{Axis, Beyond, FINITE, Interpolation, Weights};
use crate::error::FormulaError;
use crate::slopes;

/// Values over one or two axes, and how they are joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabulated {
    x: Axis,
    /// Of a grid.
    y: Option<Axis>,
    interpolation: Interpolation,
    /// Value, slopes along x and y, and mixed derivative at every point; those along y are next to each other.
    nodes: Vec<[f64; 4]>,
    /// Of a curve: its integral from the first point to each.
    integrals: Vec<f64>,
}

/// Ends of a periodic table may differ by rounding of its data, as a part of its range.
const SAME: f64 = 1e-9;

impl Tabulated {
    /// A curve through points (x, y), extended beyond its ends.
    ///
    /// # Errors
    /// [`FormulaError::Table`] unless there are two or more finite points with increasing x.
    pub fn through(
        points: &[(f64, f64)],
        interpolation: Interpolation,
    ) -> Result<Self, FormulaError> {
        // a value that is not finite is found at its point, whichever of the two numbers it is
        let place = |(x, y): &(f64, f64)| if y.is_finite() { *x } else { f64::NAN };
        let x = Axis::new(points.iter().map(place).collect(), Beyond::Extend)?;
        let values: Vec<f64> = points.iter().map(|point| point.1).collect();
        Tabulated::curve(x, &values, interpolation)
    }

    /// A curve over an axis.
    ///
    /// # Errors
    /// [`FormulaError::Table`] unless there is a finite value for each x, the same at both ends if it is periodic.
    pub fn curve(
        x: Axis,
        values: &[f64],
        interpolation: Interpolation,
    ) -> Result<Self, FormulaError> {
        if values.len() != x.points().len() {
            let message =
                format!("a table has {} numbers for {} points", values.len(), x.points().len());
            return Err(fault(values.len().min(x.points().len()), message));
        }
        let values = checked(&x, values.to_vec(), 0, 1)?;
        let slopes = slopes_along(&x, &values, interpolation);
        let nodes = values.iter().zip(slopes).map(|(y, m)| [*y, m, 0.0, 0.0]).collect();
        let mut table = Tabulated { x, y: None, interpolation, nodes, integrals: vec![0.0] };
        for piece in 0..table.x.points().len() - 1 {
            let so_far = table.integrals[piece] + table.piece_integral(piece, 1.0);
            table.integrals.push(so_far);
        }
        Ok(table)
    }

    /// A surface over a grid; `rows` has a list for every x, with a value for every y.
    ///
    /// # Errors
    /// [`FormulaError::Table`] unless there is a finite value for every pair, the same at both ends of a periodic axis. The
    /// point counts through all values, row by row.
    pub fn grid(
        x: Axis,
        y: Axis,
        rows: &[Vec<f64>],
        interpolation: Interpolation,
    ) -> Result<Self, FormulaError> {
        let (many, width) = (x.points().len(), y.points().len());
        if rows.len() != many {
            return Err(fault(0, format!("a table has {} rows for {many} x", rows.len())));
        }
        if let Some(k) = rows.iter().position(|row| row.len() != width) {
            let message = format!("row {} has {} numbers for {width} y", k + 1, rows[k].len());
            return Err(fault(k * width, message));
        }
        if interpolation == Interpolation::Monotone {
            return Err(fault(0, "a table of two arguments cannot be monotone".into()));
        }
        let mut rows: Vec<Vec<f64>> = rows.to_vec();
        for (k, row) in rows.iter_mut().enumerate() {
            *row = checked(&y, std::mem::take(row), k * width, 1)?;
        }
        let column =
            |rows: &[Vec<f64>], j: usize| rows.iter().map(|row| row[j]).collect::<Vec<_>>();
        let mut nodes = vec![[0.0; 4]; many * width];
        let mut along_x = vec![vec![0.0; width]; many];
        for j in 0..width {
            let values = checked(&x, column(&rows, j), j, width)?;
            let slopes = slopes_along(&x, &values, interpolation);
            for i in 0..many {
                rows[i][j] = values[i];
                along_x[i][j] = slopes[i];
            }
        }
        for i in 0..many {
            let along_y = slopes_along(&y, &rows[i], interpolation);
            let mixed = slopes_along(&y, &along_x[i], interpolation);
            for j in 0..width {
                nodes[i * width + j] = [rows[i][j], along_x[i][j], along_y[j], mixed[j]];
            }
        }
        Ok(Tabulated { x, y: Some(y), interpolation, nodes, integrals: Vec::new() })
    }

    /// How many arguments it takes.
    pub fn arguments(&self) -> usize {
        if self.y.is_some() { 2 } else { 1 }
    }

    /// The axis of its first argument.
    pub fn x(&self) -> &Axis {
        &self.x
    }

    /// The axis of its second argument, if it has one.
    pub fn y(&self) -> Option<&Axis> {
        self.y.as_ref()
    }

    /// How its points are joined.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Its values, row by row.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.nodes.iter().map(|node| node[0])
    }

    /// Whether its derivatives of this order in one argument vanish everywhere.
    pub(crate) fn vanishes(&self, order: u8) -> bool {
        order > if self.straight() { 1 } else { 3 }
    }

    fn straight(&self) -> bool {
        self.interpolation == Interpolation::Linear
    }

    /// The derivative of this order of a curve; the value itself is that of order zero.
    #[inline]
    pub fn derivative(&self, x: f64, order: u8) -> f64 {
        self.weighted(&self.x.weights(x, order, self.straight()))
    }

    fn weighted(&self, weights: &Weights) -> f64 {
        let [a, b, c, d] = weights.of;
        let ends = &self.nodes[weights.piece..weights.piece + 2];
        let slopes = if self.straight() { 0.0 } else { c * ends[0][1] + d * ends[1][1] };
        a * ends[0][0] + b * ends[1][0] + slopes
    }

    /// The derivative of a grid of these orders by its two arguments.
    pub fn partial(&self, [x, y]: [f64; 2], orders: [u8; 2]) -> f64 {
        let Some(axis) = &self.y else { return f64::NAN };
        let (u, v) = (
            self.x.weights(x, orders[0], self.straight()),
            axis.weights(y, orders[1], self.straight()),
        );
        let width = axis.points().len();
        let mut sum = 0.0;
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let [value, by_x, by_y, mixed] = self.nodes[(u.piece + i) * width + v.piece + j];
            sum += u.of[i] * v.of[j] * value;
            if !self.straight() {
                let along = u.of[2 + i] * v.of[j] * by_x + u.of[i] * v.of[2 + j] * by_y;
                sum += along + u.of[2 + i] * v.of[2 + j] * mixed;
            }
        }
        sum
    }

    /// The integral of a curve from its first point to `x`.
    pub fn integral(&self, x: f64) -> f64 {
        let [first, last] = self.x.ends();
        let end = self.x.points().len() - 1;
        let whole = self.integrals[end];
        let beyond = |end: usize, at: f64| {
            let way = x - at;
            let slope = match self.x.beyond() {
                Beyond::Extend => self.derivative(at, 1),
                Beyond::Hold => 0.0,
                Beyond::Refuse | Beyond::Repeat => f64::NAN,
            };
            self.integrals[end] + way * (self.nodes[end][0] + 0.5 * slope * way)
        };
        if self.x.beyond() == Beyond::Repeat {
            let periods = ((x - first) / (last - first)).floor();
            return periods * whole + self.inner_integral(x - periods * (last - first));
        }
        if x < first {
            beyond(0, first)
        } else if x > last {
            beyond(end, last)
        } else {
            self.inner_integral(x)
        }
    }

    fn inner_integral(&self, x: f64) -> f64 {
        let points = self.x.points();
        let piece = points[1..points.len() - 1].partition_point(|&start| start <= x);
        let s = (x - points[piece]) / (points[piece + 1] - points[piece]);
        self.integrals[piece] + self.piece_integral(piece, s)
    }

    /// The integral over a piece from its beginning to `s`, which runs from 0 to 1.
    fn piece_integral(&self, piece: usize, s: f64) -> f64 {
        let points = self.x.points();
        let h = points[piece + 1] - points[piece];
        let ([y0, m0, ..], [y1, m1, ..]) = (self.nodes[piece], self.nodes[piece + 1]);
        let rise = y1 - y0;
        let (left, right) = if self.straight() { (rise, rise) } else { (h * m0, h * m1) };
        let (c2, c3) = (3.0 * rise - 2.0 * left - right, left + right - 2.0 * rise);
        h * s * (y0 + s * (left / 2.0 + s * (c2 / 3.0 + s * c3 / 4.0)))
    }

    /// The points at which the derivative of this order of a curve jumps; of a periodic one, whose points come again without
    /// end, none.
    pub(crate) fn jumps(&self, order: u8) -> Vec<f64> {
        let (points, straight) = (self.x.points(), self.straight());
        let [first, last] = self.x.ends();
        let side = |piece: usize, x: f64| self.weighted(&self.x.within(piece, x, order, straight));
        let outside = |end: f64| match (self.x.beyond(), order) {
            (Beyond::Hold, 1..) | (Beyond::Extend, 2..) => Some(0.0),
            (Beyond::Extend, 1) => Some(self.derivative(end, 1)),
            _ => None,
        };
        if self.x.beyond() == Beyond::Repeat || order == 0 {
            return Vec::new();
        }
        let scale = (0..points.len() - 1).map(|k| side(k, points[k]).abs()).fold(0.0, f64::max);
        let differ = |a: f64, b: f64| (a - b).abs() > 1e-9 * scale;
        let ends = [(0, first), (points.len() - 2, last)];
        let bent = |&(piece, end): &(usize, f64)| {
            outside(end).is_some_and(|out| differ(out, side(piece, end)))
        };
        let mut jumps: Vec<f64> = ends.iter().filter(|end| bent(end)).map(|end| end.1).collect();
        let inner =
            (1..points.len() - 1).filter(|&k| differ(side(k - 1, points[k]), side(k, points[k])));
        jumps.extend(inner.map(|k| points[k]));
        jumps
    }

    /// How rough a curve is: how often its second divided differences change their sign, from 0 to 1. White noise changes
    /// it at about three of four points, a smooth curve that its points resolve at few.
    pub fn roughness(&self) -> f64 {
        let points = self.x.points();
        let values: Vec<f64> = self.values().collect();
        let secants: Vec<f64> = (1..points.len())
            .map(|k| (values[k] - values[k - 1]) / (points[k] - points[k - 1]))
            .collect();
        let bends: Vec<f64> = secants.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let largest = secants.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        // differences below rounding have no sign
        let signs: Vec<f64> = bends.iter().copied().filter(|b| b.abs() > 1e-12 * largest).collect();
        let changes = signs.windows(2).filter(|pair| pair[0] * pair[1] < 0.0).count();
        changes as f64 / bends.len().max(2) as f64
    }

    /// Coordinates of a curve in the order of the language: x1, y1, x2, y2, …
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.x.points().iter().zip(self.values()).flat_map(|(&x, y)| [x, y])
    }
}

fn fault(point: usize, message: String) -> FormulaError {
    FormulaError::Table { message, remedy: FINITE, point, span: None }
}

/// Values along an axis, the last of a periodic one made equal to the first. Point k of a fault is `start + k·stride`.
fn checked(
    axis: &Axis,
    mut values: Vec<f64>,
    start: usize,
    stride: usize,
) -> Result<Vec<f64>, FormulaError> {
    if let Some(k) = values.iter().position(|value| !value.is_finite()) {
        let message = format!("point {} of the table is not finite", k + 1);
        return Err(fault(start + k * stride, message));
    }
    let last = values.len() - 1;
    if axis.beyond() == Beyond::Repeat {
        let range = values.iter().fold(0.0_f64, |most, value| most.max((value - values[0]).abs()));
        if (values[last] - values[0]).abs() > SAME * range {
            let message = format!(
                "a periodic table must end as it begins, but it begins with {} and ends with {}",
                values[0], values[last]
            );
            return Err(FormulaError::Table {
                message,
                remedy: "repeat the first value at the end, or leave `periodic` out",
                point: start + last * stride,
                span: None,
            });
        }
        values[last] = values[0];
    }
    Ok(values)
}

fn slopes_along(axis: &Axis, values: &[f64], interpolation: Interpolation) -> Vec<f64> {
    let periodic = axis.beyond() == Beyond::Repeat;
    match interpolation {
        Interpolation::Linear => vec![0.0; values.len()],
        Interpolation::Monotone => slopes::monotone(axis.points(), values, periodic),
        Interpolation::Spline => slopes::spline(axis.points(), values, periodic),
    }
}
