//! How multipliers act on the equations of motion: `Gᵀ`, or what the system says itself where forces depend on
//! multipliers.

use crate::system::{Patterns, Point, System};
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// `∂(dynamics)/∂(multipliers)` at one point, up to its sign.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ReactionMatrix {
    form: Form,
    values: Vec<f64>,
}

/// What a multiplier does to a motion stands at a place among the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub motion: usize,
    pub multiplier: usize,
    pub place: usize,
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
        ReactionMatrix { form, values: vec![0.0; entries] }
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

    /// Values that no system gives.
    #[cfg(test)]
    pub fn set_values(&mut self, values: impl IntoIterator<Item = f64>) {
        self.values.clear();
        self.values.extend(values);
    }

    /// All entries, by motions and then by multipliers, with the places of their values.
    pub fn entries(&self) -> Vec<Entry> {
        let (Form::Gradient(pattern) | Form::Derivative(pattern)) = &self.form;
        let entry = |(place, (row, column))| match self.form {
            Form::Gradient(_) => Entry { motion: column, multiplier: row, place },
            Form::Derivative(_) => Entry { motion: row, multiplier: column, place },
        };
        let mut entries: Vec<Entry> = pattern.iter().enumerate().map(entry).collect();
        entries.sort_unstable();
        entries
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
