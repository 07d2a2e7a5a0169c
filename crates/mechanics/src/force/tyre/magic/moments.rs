//! Moments of the Magic Formula: aligning, overturning, rolling resistance.

use super::{MagicFormula, Shared, Side, Version, bent, reference_speed};
use crate::force::tyre::characteristics::Running;
use crate::force::varying::Scalar;
use std::f64::consts::PI;

/// Slip along counts as slip across in the trail; the root keeps a slope at zero.
const ROUNDED: f64 = 1e-9;

impl MagicFormula {
    /// The aligning moment under combined slip (4.E31–4.E49, 4.E71–4.E78): the lateral force `fy'` without the part that slip
    /// along brings acts behind the centre by the trail, and Fx beside it.
    pub(super) fn aligning<const M: usize>(
        &self,
        at: &Running<M>,
        s: &Shared<M>,
        side: &Side<M>,
        k: &Scalar<M>,
        (fx, own, fy): (Scalar<M>, Scalar<M>, Scalar<M>),
    ) -> Scalar<M> {
        let c = &self.coefficients;
        let gamma = s.gamma * c.lgaz;
        let cosine = at.side_slip.atan().cos();
        let k_over_k =
            if side.stiffness.value == 0.0 { side.stiffness } else { *k / side.stiffness };
        let ratio = at.slip * k_over_k;
        // slip across together with the slip along, by the stiffnesses, with the sign of the slip across
        let together = |alpha: Scalar<M>| {
            let square = alpha.squared() + ratio.squared();
            let root = (square.value + ROUNDED * ROUNDED).sqrt();
            square.map((root, 0.5 / root)) * if alpha.value < 0.0 { -1.0 } else { 1.0 }
        };
        let shift = s.df * c.qhz2 + c.qhz1 + (s.df * c.qhz4 + c.qhz3) * gamma;
        let alpha_trail = together(at.side_slip + shift);
        let slope = (s.df.squared() * c.qbz3 + s.df * c.qbz2 + c.qbz1)
            * (gamma * c.qbz4 + gamma.abs() * c.qbz5 + gamma.squared() * c.qbz6 + 1.0)
            * (c.lky / c.lmuy);
        let by_camber = match self.version {
            Version::Five => gamma * c.qdz3,
            Version::Six => gamma.abs() * c.qdz3,
        };
        let peak = s.load
            * (s.df * c.qdz2 + c.qdz1)
            * (by_camber + gamma.squared() * c.qdz4 + 1.0)
            * (c.unloaded_radius / s.nominal * c.ltr * (1.0 - c.ppz1 * s.dp));
        let curvature = (s.df.squared() * c.qez3 + s.df * c.qez2 + c.qez1)
            * ((gamma * c.qez5 + c.qez4) * ((slope * c.qcz1 * alpha_trail).atan() * (2.0 / PI))
                + 1.0);
        let curvature = super::at_most_one(curvature);
        let trail = peak * bent(c.qcz1, &(slope * alpha_trail), &curvature).cos() * cosine;

        let stiffness = side.stiffness;
        let rest_shift = if stiffness.value == 0.0 {
            side.shift
        } else {
            side.shift + side.vertical / stiffness
        };
        let alpha_rest = together(at.side_slip + rest_shift);
        let rest_slope = side.slope * c.qbz10 + c.qbz9 * c.lky / c.lmuy;
        let size = (s.df * c.qdz7 + c.qdz6) * c.lres
            + (s.df * c.qdz9 + c.qdz8) * gamma * (c.lkzc * (1.0 + c.ppz2 * s.dp))
            + (s.df * c.qdz11 + c.qdz10) * gamma * gamma.abs() * c.lkzc;
        let rest = s.load
            * size
            * (c.unloaded_radius * c.lmuy)
            * (rest_slope * alpha_rest).atan().cos()
            * cosine;
        let arm = fy * (c.ssz2 / s.nominal) + (s.df * c.ssz4 + c.ssz3) * gamma + c.ssz1;
        rest - trail * own + fx * arm * (c.unloaded_radius * c.ls)
    }

    /// The overturning moment (4.E69).
    pub(super) fn overturning<const M: usize>(&self, s: &Shared<M>, fy: &Scalar<M>) -> Scalar<M> {
        let c = &self.coefficients;
        let (load, side) = (s.load * (1.0 / s.nominal), *fy * (1.0 / s.nominal));
        let bump = ((load * c.qsx6).squared().atan() * c.qsx5).cos()
            * (s.gamma * c.qsx7 + (side * c.qsx9).atan() * c.qsx8).sin()
            * c.qsx4;
        let sum = s.gamma * (-c.qsx2 * (1.0 + c.ppmx1 * s.dp))
            + side * c.qsx3
            + bump
            + (load * c.qsx11).atan() * s.gamma * c.qsx10
            + c.qsx1 * c.lvmx;
        s.load * sum * (c.unloaded_radius * c.lmx)
    }

    /// The moment of rolling resistance (4.E70), against the rotation.
    pub(super) fn rolling<const M: usize>(
        &self,
        at: &Running<M>,
        s: &Shared<M>,
        fx: &Scalar<M>,
    ) -> Scalar<M> {
        /// The direction of travel counts from here on.
        const ROLLS: f64 = 0.1;
        let c = &self.coefficients;
        let v = at.speed * (1.0 / reference_speed(c));
        let load = s.load * (1.0 / s.nominal);
        let sum = *fx * (c.qsy2 / s.nominal)
            + v.abs() * c.qsy3
            + v.squared().squared() * c.qsy4
            + (load * c.qsy6 + c.qsy5) * s.gamma.squared()
            + c.qsy1;
        let known = c.nompres > 0.0 && c.inflpres > 0.0;
        let pressure = if known { (c.inflpres / c.nompres).powf(c.qsy8) } else { 1.0 };
        let pressed = if s.load.value > 0.0 { load.powf(c.qsy7) } else { load };
        let turning = at.speed / at.speed.hypot(ROLLS);
        -(pressed * sum * turning * (c.unloaded_radius * s.nominal * c.lmy * pressure))
    }
}
