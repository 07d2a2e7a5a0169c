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
    /// The motions that constraints touch; of a mesh few.
    touched: Vec<usize>,
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
        let touched = (0..gradient.cols()).filter(|&j| !gradient.column(j).is_empty()).collect();
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
            Form::Gradient(pattern) => self.touched.iter().fold(0.0, |worst, &j| {
                let values = &self.values[pattern.column_start(j)..];
                let column = pattern.column(j).iter().zip(values);
                let product: f64 = column.map(|(&i, value)| value * multipliers[i]).sum();
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
