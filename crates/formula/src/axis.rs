//! The abscissae of a table: which piece holds at a place, and how its ends are weighted there.

use crate::error::FormulaError;

/// How points are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// By straight lines.
    Linear,
    /// By cubics with a continuous slope that rise and fall only where the points do.
    Monotone,
    /// By cubics with continuous slope and curvature.
    Spline,
}

/// What a table is beyond its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// What it is at the end.
    Hold,
    /// A straight line with the slope at the end.
    Extend,
    /// Undefined.
    Refuse,
    /// The same again: the last point is the first one a period later.
    Repeat,
}

/// Rounding may carry an argument this far beyond an end, as a part of the whole width, before a table that refuses does so.
const ROUNDING: f64 = 1e-9;

/// Increasing numbers, and what holds beyond them.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    points: Vec<f64>,
    beyond: Beyond,
}

/// Where a place lies: the piece, and the weights of its two values and of the slopes at its two ends.
pub(crate) struct Weights {
    pub piece: usize,
    pub of: [f64; 4],
}

/// What a table needs.
pub(crate) const FINITE: &str = "give at least two points, all of them finite";

impl Axis {
    /// An axis with these points.
    ///
    /// # Errors
    /// [`FormulaError::Table`] unless there are two or more finite numbers that increase.
    pub fn new(points: Vec<f64>, beyond: Beyond) -> Result<Self, FormulaError> {
        let fault = |point: usize, message: String, remedy| FormulaError::Table {
            message,
            remedy,
            point,
            span: None,
        };
        if points.len() < 2 {
            return Err(fault(0, "a table needs at least two points".into(), FINITE));
        }
        if let Some(k) = points.iter().position(|x| !x.is_finite()) {
            return Err(fault(k, format!("point {} of the table is not finite", k + 1), FINITE));
        }
        if let Some(k) = points.windows(2).position(|pair| pair[1] <= pair[0]) {
            let (here, next) = (points[k], points[k + 1]);
            let message = format!("the x of a table must increase, but {next} follows {here}");
            return Err(fault(k + 1, message, "sort the points and leave out doubles"));
        }
        Ok(Axis { points, beyond })
    }

    /// The points.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// What holds beyond them.
    pub fn beyond(&self) -> Beyond {
        self.beyond
    }

    /// The first and the last point.
    pub fn ends(&self) -> [f64; 2] {
        [self.points[0], self.points[self.points.len() - 1]]
    }

    /// The piece that holds at x: at a point, the one that begins there.
    fn piece(&self, x: f64) -> usize {
        let inner = &self.points[1..self.points.len() - 1];
        inner.partition_point(|&start| start <= x)
    }

    /// The weights at a place of the derivative of this order; straight pieces have no slopes of their own.
    pub(crate) fn weights(&self, x: f64, order: u8, straight: bool) -> Weights {
        let [first, last] = self.ends();
        let x = match self.beyond {
            Beyond::Repeat => first + (x - first).rem_euclid(last - first),
            _ => x,
        };
        let below = x < first;
        if below || x > last {
            let (piece, end) = if below { (0, first) } else { (self.points.len() - 2, last) };
            // the value and the slope at this end
            let (value, slope) = if below { (0, 2) } else { (1, 3) };
            let mut of = [0.0; 4];
            match self.beyond {
                Beyond::Hold if order == 0 => of[value] = 1.0,
                Beyond::Hold => {}
                Beyond::Extend if straight => return self.within(piece, x, order, true),
                Beyond::Extend => match order {
                    0 => (of[value], of[slope]) = (1.0, x - end),
                    1 => of[slope] = 1.0,
                    _ => {}
                },
                Beyond::Refuse | Beyond::Repeat => {
                    if (x - end).abs() > ROUNDING * (last - first) {
                        return Weights { piece, of: [f64::NAN; 4] };
                    }
                    return self.within(piece, end, order, straight);
                }
            }
            return Weights { piece, of };
        }
        self.within(self.piece(x), x, order, straight)
    }

    /// The weights as this piece has them.
    pub(crate) fn within(&self, piece: usize, x: f64, order: u8, straight: bool) -> Weights {
        let h = self.points[piece + 1] - self.points[piece];
        let s = (x - self.points[piece]) / h;
        let of = match (straight, order) {
            (true, 0) => [1.0 - s, s, 0.0, 0.0],
            (true, 1) => [-1.0 / h, 1.0 / h, 0.0, 0.0],
            (false, 0) => {
                let r = 1.0 - s;
                [r * r * (1.0 + 2.0 * s), s * s * (3.0 - 2.0 * s), h * s * r * r, -h * s * s * r]
            }
            (false, 1) => {
                let bend = 6.0 * s * (1.0 - s) / h;
                [-bend, bend, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)]
            }
            (false, 2) => {
                let bend = (6.0 - 12.0 * s) / (h * h);
                [-bend, bend, (6.0 * s - 4.0) / h, (6.0 * s - 2.0) / h]
            }
            (false, 3) => {
                let (bend, turn) = (12.0 / (h * h * h), 6.0 / (h * h));
                [bend, -bend, turn, turn]
            }
            // undefined places stay undefined
            _ => [s * 0.0; 4],
        };
        // a straight slope and a highest derivative do not depend on the place, unless there is none
        let of = if x.is_nan() { [f64::NAN; 4] } else { of };
        Weights { piece, of }
    }
}
