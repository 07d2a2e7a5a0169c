//! Shape functions and quadrature along an element.

use super::MOST_CHARTS;
use nalgebra::Vector6;

/// A point of a quadrature rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Weight times the length of the element.
    pub weight: f64,
    /// Shape functions of the nodes but the first.
    pub shape: [f64; MOST_CHARTS],
    /// Their derivatives along the beam.
    pub slope: [f64; MOST_CHARTS],
    /// Strain of the stress-free element.
    pub strain: Vector6<f64>,
}

impl Sample {
    /// A point of an element with some nodes at equal distances.
    pub fn new(nodes: usize, length: f64, at: f64, weight: f64) -> Self {
        let mut sample = Sample {
            weight: weight * length,
            shape: [0.0; MOST_CHARTS],
            slope: [0.0; MOST_CHARTS],
            strain: Vector6::zeros(),
        };
        let place = |k: usize| k as f64 / (nodes - 1) as f64;
        for i in 1..nodes {
            let others = || (0..nodes).filter(move |&k| k != i);
            let factor = |k: usize| (at - place(k)) / (place(i) - place(k));
            sample.shape[i - 1] = others().map(factor).product();
            let slope: f64 = others()
                .map(|j| {
                    let rest = others().filter(|&k| k != j).map(factor).product::<f64>();
                    rest / (place(i) - place(j))
                })
                .sum();
            sample.slope[i - 1] = slope / length;
        }
        sample
    }

    /// Gauss' rule with 1 to 4 points.
    pub fn rule(points: usize, nodes: usize, length: f64) -> Vec<Self> {
        let (a, b) = ((3.0_f64 / 5.0).sqrt(), (6.0_f64 / 5.0).sqrt());
        let (inner, outer) = ((3.0 - 2.0 * b) / 7.0, (3.0 + 2.0 * b) / 7.0);
        let root = 30.0_f64.sqrt();
        let table: Vec<(f64, f64)> = match points {
            1 => vec![(0.0, 2.0)],
            2 => vec![(-(1.0_f64 / 3.0).sqrt(), 1.0), ((1.0_f64 / 3.0).sqrt(), 1.0)],
            3 => vec![(-a, 5.0 / 9.0), (0.0, 8.0 / 9.0), (a, 5.0 / 9.0)],
            _ => vec![
                (-outer.sqrt(), (18.0 - root) / 36.0),
                (-inner.sqrt(), (18.0 + root) / 36.0),
                (inner.sqrt(), (18.0 + root) / 36.0),
                (outer.sqrt(), (18.0 - root) / 36.0),
            ],
        };
        let sample = |(x, w): (f64, f64)| Sample::new(nodes, length, 0.5 * (1.0 + x), 0.5 * w);
        table.into_iter().map(sample).collect()
    }

    /// The sum of vectors times shape functions.
    pub fn interpolate(&self, values: &[Vector6<f64>]) -> Vector6<f64> {
        values.iter().zip(&self.shape).map(|(v, n)| v * *n).sum()
    }

    /// The sum of vectors times slopes of the shape functions.
    pub fn differentiate(&self, values: &[Vector6<f64>]) -> Vector6<f64> {
        values.iter().zip(&self.slope).map(|(v, n)| v * *n).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_integrated_and_interpolated_exactly() {
        for nodes in 2..=4 {
            for points in 1..=4 {
                let rule = Sample::rule(points, nodes, 3.0);
                // with two nodes the shape function is the place itself
                let places: Vec<f64> =
                    Sample::rule(points, 2, 3.0).iter().map(|s| s.shape[0]).collect();
                for power in 0..2 * points {
                    let powers = places.iter().map(|at| at.powi(power as i32));
                    let sum: f64 = rule.iter().zip(powers).map(|(s, p)| s.weight * p).sum();
                    assert!((sum - 3.0 / (power + 1) as f64).abs() < 1e-14, "{points}, {power}");
                }
                for (sample, at) in rule.iter().zip(places) {
                    let degree = nodes as i32 - 1;
                    let value = |k: usize| (k as f64 / degree as f64).powi(degree);
                    let sum: f64 = (1..nodes).map(|k| sample.shape[k - 1] * value(k)).sum();
                    let slope: f64 = (1..nodes).map(|k| sample.slope[k - 1] * value(k)).sum();
                    assert!((sum - at.powi(degree)).abs() < 1e-14);
                    let exact = degree as f64 * at.powi(degree - 1) / 3.0;
                    assert!((slope - exact).abs() < 1e-13);
                }
            }
        }
    }
}
