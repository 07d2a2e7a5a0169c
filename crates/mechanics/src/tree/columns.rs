//! How bodies move when joints do: the derivatives of body motions along coordinates, velocities and accelerations.
//!
//! A variation `η` of coordinate `j`, whose link has the twist `ν_l` and follows one with twist and rate `ν_p`, `a_p`, moves
//! every body `b` above it. With the screw `S` of `j`, in the axes of the body,
//!
//! ```text
//! P = ν_p × S,    Ṡ = ν_l × S,    Q = a_p × S + ν_p × P
//!
//! by coordinate      δφ = X S η      δV = X P η      δV̇ = X (Q − ν_b × P) η
//! by velocity                        δV = X S η      δV̇ = X (P + Ṡ − ν_b × S) η
//! by acceleration                                    δV̇ = X S η
//! ```
//!
//! with velocities held, and accelerations; the brackets with `ν_b` go into what multiplies `S` and `P`. So whatever depends on
//! body motions, with derivatives `(m, d, k)` along `V̇`, `V` and `φ` as forms of the world, has the derivative
//!
//! ```text
//! m·α + (d − ad(ν_b)ᵀ m)·β + k·γ
//! α = w_M S + w_D (P + Ṡ) + w_K Q,    β = w_D S + w_K P,    γ = w_K S
//! ```
//!
//! with weights `w`. Along an increment `Δ` of a ball `w_K` is multiplied by the tangent map `T(Δ)` from the right.

use super::layout::Layout;
use super::link::Freedom;
use super::stations::Stations;
use nalgebra::{Vector3, Vector6};
use rotula_dae::Weights;
use rotula_lie::se3::bracket;
use rotula_lie::so3;

/// The three forms of each column; see the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    pub alpha: Vec<Vector6<f64>>,
    pub beta: Vec<Vector6<f64>>,
    pub gamma: Vec<Vector6<f64>>,
}

impl Columns {
    pub fn set(&mut self, layout: &Layout, at: &Stations, weights: Weights, increment: &[f64]) {
        let Weights { mass, damping, stiffness } = weights;
        let screws = &at.screws;
        self.alpha.clear();
        self.beta.clear();
        self.gamma.clear();
        for (l, link) in layout.links.iter().enumerate() {
            let [below, push] = at.motion_of(link.parent);
            let own = &at.links[l].velocity;
            let mut turned = [Vector6::zeros(); 3];
            if let Freedom::Ball = link.freedom
                && stiffness != 0.0
            {
                let moved = Vector3::from_row_slice(&increment[link.v..link.v + 3]);
                let tangent = so3::tangent(&moved);
                for (k, turned) in turned.iter_mut().enumerate() {
                    *turned = (0..3).map(|i| screws[link.v + i] * tangent[(i, k)]).sum();
                }
            }
            for j in layout.columns(l) {
                let screw = &screws[j];
                let along = match link.freedom {
                    Freedom::Ball => turned[j - link.v],
                    _ => *screw,
                };
                let mut alpha = screw * mass;
                if damping != 0.0 {
                    alpha += (bracket(&below, screw) + bracket(own, screw)) * damping;
                }
                let mut beta = screw * damping;
                if stiffness != 0.0 {
                    let carried = bracket(&below, &along);
                    alpha += (bracket(&push, &along) + bracket(&below, &carried)) * stiffness;
                    beta += carried * stiffness;
                }
                self.alpha.push(alpha);
                self.beta.push(beta);
                self.gamma.push(along * stiffness);
            }
        }
    }
}
