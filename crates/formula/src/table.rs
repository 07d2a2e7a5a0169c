//! Piecewise linear functions.

use crate::error::FormulaError;

/// Points joined by straight lines; the first and last lines continue beyond the ends.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    slope: Vec<f64>,
}

impl Table {
    pub(crate) fn new(points: &[(f64, f64)]) -> Result<Self, FormulaError> {
        let fault =
            |point: usize, message: String| FormulaError::Table { message, point, span: None };
        if points.len() < 2 {
            return Err(fault(0, "a table needs at least two points".into()));
        }
        if let Some(k) = points.iter().position(|(x, y)| !(x.is_finite() && y.is_finite())) {
            return Err(fault(k, format!("point {} of the table is not finite", k + 1)));
        }
        if let Some(k) = points.windows(2).position(|pair| pair[1].0 <= pair[0].0) {
            let (here, next) = (points[k].0, points[k + 1].0);
            let message = format!("the x of a table must increase, but {next} follows {here}");
            return Err(fault(k + 1, message));
        }
        Ok(Self {
            x: points.iter().map(|point| point.0).collect(),
            y: points.iter().map(|point| point.1).collect(),
            slope: points
                .windows(2)
                .map(|pair| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0))
                .collect(),
        })
    }

    /// The line that holds at x: at a point, the one that begins there.
    #[inline]
    fn line(&self, x: f64) -> usize {
        let inner = &self.x[1..self.x.len() - 1];
        inner.partition_point(|&start| start <= x)
    }

    #[inline]
    pub(crate) fn value(&self, x: f64) -> f64 {
        let k = self.line(x);
        self.y[k] + self.slope[k] * (x - self.x[k])
    }

    #[inline]
    pub(crate) fn slope(&self, x: f64) -> f64 {
        if x.is_nan() { x } else { self.slope[self.line(x)] }
    }

    /// Coordinates in the order of the language: x1, y1, x2, y2, …
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f64> {
        self.x.iter().zip(&self.y).flat_map(|(&x, &y)| [x, y])
    }
}
