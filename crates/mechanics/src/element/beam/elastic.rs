//! Strain and section forces at a point of an element.
//!
//! With `x(s)` interpolated in the chart of the first node, the strain is `T(x) x′ − ε₀`, which no
//! rigid motion changes. Section forces are `σ = K ε + C ε̇`.

use super::shape::Sample;
use crate::element::Section;
use nalgebra::{Matrix6, Vector6};
use rotula_lie::se3;

/// The chart and its slope along the beam, with their rates, at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bent {
    pub x: Vector6<f64>,
    pub slope: Vector6<f64>,
    pub rate: Vector6<f64>,
    pub slope_rate: Vector6<f64>,
}

/// Strain, its rate and the section force.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strained {
    pub strain: Vector6<f64>,
    pub rate: Vector6<f64>,
    pub force: Vector6<f64>,
}

/// Derivatives of the forces conjugate to `[x, x′]` with respect to `[x, x′]` and their rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElasticSlopes {
    pub by_shape: [[Matrix6<f64>; 2]; 2],
    pub by_rate: [[Matrix6<f64>; 2]; 2],
}

impl Bent {
    /// `T(x) x′`.
    pub fn curvature(&self) -> Vector6<f64> {
        se3::tangent(&self.x) * self.slope
    }

    pub fn strained(&self, sample: &Sample, section: &Section) -> Strained {
        let t = se3::tangent(&self.x);
        let t_x = se3::tangent_derivative(&self.x, &self.slope);
        let strain = t * self.slope - sample.strain;
        let rate = t * self.slope_rate + t_x * self.rate;
        let force = section.stiffness * strain + section.damping * rate;
        Strained { strain, rate, force }
    }

    /// Forces conjugate to `x` and `x′`.
    pub fn conjugate(&self, force: &Vector6<f64>) -> [Vector6<f64>; 2] {
        let t_x = se3::tangent_derivative(&self.x, &self.slope);
        [t_x.tr_mul(force), se3::tangent(&self.x).tr_mul(force)]
    }

    pub fn slopes(&self, sample: &Sample, section: &Section) -> ElasticSlopes {
        let t = se3::tangent(&self.x);
        let t_x = se3::tangent_derivative(&self.x, &self.slope);
        let force = self.strained(sample, section).force;
        let rate_by_x = se3::tangent_derivative(&self.x, &self.slope_rate)
            + se3::tangent_second_derivative(&self.x, &self.rate, &self.slope);
        let rate_by_slope = se3::tangent_variation(&self.x, &self.rate);
        let by_x = section.stiffness * t_x + section.damping * rate_by_x;
        let by_slope = section.stiffness * t + section.damping * rate_by_slope;
        let (rate_x, rate_slope) = (section.damping * t_x, section.damping * t);
        // second derivatives of σ·T(x) x′ at constant σ
        let mixed = se3::tangent_transposed_derivative(&self.x, &force);
        let mut twice = Matrix6::zeros();
        for k in 0..6 {
            let second =
                se3::tangent_second_derivative(&self.x, &Vector6::ith(k, 1.0), &self.slope);
            twice.set_column(k, &second.tr_mul(&force));
        }
        ElasticSlopes {
            by_shape: [
                [t_x.tr_mul(&by_x) + twice, t_x.tr_mul(&by_slope) + mixed.transpose()],
                [t.tr_mul(&by_x) + mixed, t.tr_mul(&by_slope)],
            ],
            by_rate: [
                [t_x.tr_mul(&rate_x), t_x.tr_mul(&rate_slope)],
                [t.tr_mul(&rate_x), t.tr_mul(&rate_slope)],
            ],
        }
    }
}
