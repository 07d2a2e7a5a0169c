//! What a tyre does at a contact patch: forces and moments of load, slips, camber and speed.

use super::brush::Brush;
use super::magic::MagicFormula;
use crate::force::varying::Scalar;

/// How a tyre answers.
#[derive(Clone, Debug)]
pub enum Characteristics {
    /// The Magic Formula, from a tyre property file.
    Magic(Box<MagicFormula>),
    /// The brush model.
    Brush(Brush),
}

/// What a tyre answers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running<const M: usize> {
    /// Load on the road.
    pub(super) load: Scalar<M>,
    /// Longitudinal slip κ.
    pub(super) slip: Scalar<M>,
    /// Tangent of the slip angle α.
    pub(super) side_slip: Scalar<M>,
    /// Inclination γ of the wheel against the normal of the road.
    pub(super) camber: Scalar<M>,
    /// Forward speed.
    pub(super) speed: Scalar<M>,
}

/// Forces and moments on the wheel at the contact patch, in the axes of the road: forward, to the left, up
/// (ISO 8855, TYDEX W).
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer<const M: usize> {
    pub(super) fx: Scalar<M>,
    pub(super) fy: Scalar<M>,
    pub(super) mx: Scalar<M>,
    pub(super) my: Scalar<M>,
    pub(super) mz: Scalar<M>,
}

impl Characteristics {
    pub(super) fn answer<const M: usize>(&self, at: &Running<M>) -> Answer<M> {
        match self {
            Characteristics::Magic(magic) => magic.answer(at),
            Characteristics::Brush(brush) => brush.answer(at),
        }
    }

    /// Relaxation lengths along and across.
    pub(super) fn relaxation<const M: usize>(&self, load: &Scalar<M>) -> [Scalar<M>; 2] {
        match self {
            Characteristics::Magic(magic) => magic.relaxation(load),
            Characteristics::Brush(brush) => brush.relaxation.map(Scalar::constant),
        }
    }

    /// Load by the deflection, above zero.
    pub(super) fn spring<const M: usize>(&self, deflection: &Scalar<M>) -> Scalar<M> {
        match self {
            Characteristics::Magic(magic) => magic.spring(deflection),
            Characteristics::Brush(brush) => *deflection * brush.stiffness,
        }
    }

    /// Vertical damping.
    pub(super) fn damping(&self) -> f64 {
        match self {
            Characteristics::Magic(magic) => magic.coefficients.vertical_damping,
            Characteristics::Brush(brush) => brush.damping,
        }
    }

    /// The radius that turns the speed of a free rolling wheel into its rate.
    pub(super) fn rolling_radius<const M: usize>(
        &self,
        deflection: &Scalar<M>,
        spin: &Scalar<M>,
    ) -> Scalar<M> {
        match self {
            Characteristics::Magic(magic) => magic.rolling_radius(deflection, spin),
            // a third of the deflection [Pacejka 2012, §1.2.1]
            Characteristics::Brush(brush) => *deflection * (-1.0 / 3.0) + brush.radius,
        }
    }

    /// The free radius.
    pub fn radius(&self) -> f64 {
        match self {
            Characteristics::Magic(magic) => magic.coefficients.unloaded_radius,
            Characteristics::Brush(brush) => brush.radius,
        }
    }

    /// The load for which it is made, with its deflection.
    pub fn nominal(&self) -> (f64, f64) {
        let (load, stiffness) = match self {
            Characteristics::Magic(magic) => {
                (magic.coefficients.fnomin, magic.coefficients.vertical_stiffness)
            }
            // a brush tyre has none: take the one that presses it by a tenth of its radius
            Characteristics::Brush(b) => (0.1 * b.radius * b.stiffness, b.stiffness),
        };
        (load, load / stiffness)
    }

    /// Below this speed slips are damped and kept finite.
    pub(super) fn low_speed(&self) -> f64 {
        match self {
            Characteristics::Magic(magic) if magic.coefficients.vxlow > 0.0 => {
                magic.coefficients.vxlow
            }
            _ => 1.0,
        }
    }
}
