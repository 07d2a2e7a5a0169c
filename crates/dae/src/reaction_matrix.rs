//! How multipliers act on the equations of motion: `Gᵀ`, or what the system says itself where forces depend on
//! multipliers.

use crate::system::{Patterns, Point, System};
use crate::vector::larger;
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// `∂(dynamics)/∂(multipliers)` at one point, up to its sign.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReactionMatrix {
    form: Form,
    values: Vec<f64>,
    touched: Vec<Touched>,
}

/// A motion that constraints touch; of a mesh few.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Touched {
    motion: usize,
    /// The first of its multipliers if they follow each other, as those of the joints of a chain do.
    in_sequence: Option<usize>,
}

impl Touched {
    fn new(motion: usize, multipliers: &[usize]) -> Self {
        let follow = multipliers.windows(2).all(|pair| pair[1] == pair[0] + 1);
        Touched { motion, in_sequence: multipliers.first().copied().filter(|_| follow) }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Form {
    /// The values are those of the gradient, one row per multiplier.
    Gradient(Pattern),
    /// The values are those of the derivative, one column per multiplier.
    Derivative(Pattern),
}

impl ReactionMatrix {
    pub fn new(patterns: &Patterns) -> Self {
        let (form, entries) = match &patterns.reactions {
            Some(pattern) => (Form::Derivative(pattern.clone()), pattern.entries()),
            None => {
                let pattern = &patterns.constraints;
                (Form::Gradient(pattern.clone()), pattern.entries())
            }
        };
        let gradient = &patterns.constraints;
        let touches = |&j: &usize| !gradient.column(j).is_empty();
        let touched = (0..gradient.cols()).filter(touches);
        let touched = touched.map(|j| Touched::new(j, gradient.column(j))).collect();
        ReactionMatrix { form, values: vec![0.0; entries], touched }
    }

    /// Takes the values at a point.
    pub fn evaluate(&mut self, system: &mut dyn System, at: &Point) {
        match self.form {
            Form::Gradient(_) => system.constraint_gradient(at, &mut self.values),
            Form::Derivative(_) => system.reactions(at, &mut self.values),
        }
    }

    /// Those of the gradient or of the derivative, in the order of its pattern.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The largest of what multipliers do to the equations of motion, each times its weight.
    pub fn largest_product(&self, multipliers: &[f64], weights: &[f64], rows: &mut [f64]) -> f64 {
        match &self.form {
            Form::Gradient(pattern) => self.touched.iter().fold(0.0, |worst, touched| {
                let &Touched { motion: j, in_sequence } = touched;
                let (start, column) = (pattern.column_start(j), pattern.column(j));
                let values = &self.values[start..start + column.len()];
                let product = match in_sequence {
                    Some(first) => dot(values, &multipliers[first..first + column.len()]),
                    None => column.iter().zip(values).map(|(&i, g)| g * multipliers[i]).sum(),
                };
                larger(worst, (product * weights[j]).abs())
            }),
            Form::Derivative(pattern) => {
                rows.fill(0.0);
                pattern.multiply_add(&self.values, 1.0, multipliers, rows);
                let sizes = rows.iter().zip(weights).map(|(row, weight)| (row * weight).abs());
                sizes.fold(0.0, larger)
            }
        }
    }

    /// Adds what multipliers do to each equation of motion, `Gᵀλ`, up to its sign.
    pub fn add_product(&self, multipliers: &[f64], out: &mut [f64]) {
        match &self.form {
            Form::Gradient(pattern) => {
                pattern.multiply_transposed_add(&self.values, 1.0, multipliers, out);
            }
            Form::Derivative(pattern) => pattern.multiply_add(&self.values, 1.0, multipliers, out),
        }
    }
}

/// A scalar product in four sums: in one, each term would wait for the one before it.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        (0..4).for_each(|lane| sums[lane] += a[lane] * b[lane]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
