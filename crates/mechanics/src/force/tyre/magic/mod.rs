//! The Magic Formula [Pacejka 2012, §4.3.2], as MF-Tyre 5.2 and 6.1 have it, without turn slip.
//!
//! Forces follow from `D sin(C atan(Bx − E (Bx − atan Bx))) + SV` with factors that depend on load, camber and pressure; a
//! slip along weakens the force across, and the other way round, by cosines of the same kind. Equation numbers
//! in the code, such as (4.E9), are those of the book. Camber enters as `sin γ`, the slip angle as `tan α`.
//!
//! | version | camber thrust | cornering stiffness |
//! |---|---|---|
//! | 5.2 | horizontal shift `PHY3 γ` | `sin(2 atan …)` |
//! | 6.1 | stiffness `PKY6`, `PKY7`; shift (4.E27) | `sin(PKY4 atan …)`, pressure |

mod coefficients;
mod moments;

pub use coefficients::Coefficients;

use super::characteristics::{Answer, Running};
use crate::error::{ModelError, refusal};
use crate::force::varying::Scalar;

/// Which equations a file is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// MF-Tyre 5.0 to 5.2, PAC2002.
    Five,
    /// MF-Tyre 6.0 to 6.2.
    Six,
}

/// A tyre with the coefficients of a tyre property file.
#[derive(Clone, Debug, PartialEq)]
pub struct MagicFormula {
    /// Which equations hold.
    pub version: Version,
    /// The numbers of the file.
    pub coefficients: Coefficients,
    /// Whether it was measured on the right side of a car.
    pub right: bool,
}

/// `C atan(Bx − E (Bx − atan Bx))`.
fn bent<const M: usize>(c: f64, bx: &Scalar<M>, e: &Scalar<M>) -> Scalar<M> {
    (*bx - *e * (*bx - bx.atan())).atan() * c
}

/// What several equations share.
#[derive(Clone, Copy, Debug)]
struct Shared<const M: usize> {
    load: Scalar<M>,
    /// Change of the load against the nominal one.
    df: Scalar<M>,
    /// Change of the pressure against the nominal one.
    dp: f64,
    /// sin γ.
    gamma: Scalar<M>,
    nominal: f64,
}

/// The pure lateral force and what other equations take from it.
#[derive(Clone, Copy, Debug)]
struct Side<const M: usize> {
    force: Scalar<M>,
    /// Cornering stiffness, negative.
    stiffness: Scalar<M>,
    friction: Scalar<M>,
    shift: Scalar<M>,
    vertical: Scalar<M>,
    /// `By Cy`.
    slope: Scalar<M>,
}

/// Friction and slip stiffness along do not vanish where files extrapolate badly.
const LEAST: f64 = 1e-6;

impl MagicFormula {
    /// Checks that what every equation divides by is there.
    pub fn new(
        version: Version,
        coefficients: Coefficients,
        right: bool,
    ) -> Result<Self, ModelError> {
        let c = &coefficients;
        let needed = [
            ("UNLOADED_RADIUS", c.unloaded_radius),
            ("FNOMIN", c.fnomin),
            ("VERTICAL_STIFFNESS", c.vertical_stiffness),
            ("PCX1", c.pcx1),
            ("PDX1", c.pdx1),
            ("PKX1", c.pkx1),
            ("PCY1", c.pcy1),
        ];
        let positive = |x: f64| x.is_finite() && x > 0.0;
        if let Some((name, value)) = needed.iter().find(|(_, value)| !positive(*value)) {
            let what = refusal!("`{name}` is {value}"; "a tyre needs it above zero");
            return Err(ModelError::invalid("tyre property file", what));
        }
        let nonzero = [("PDY1", c.pdy1), ("PKY1", c.pky1), ("PKY2", c.pky2)];
        if let Some((name, value)) = nonzero.iter().find(|(_, x)| !x.is_finite() || *x == 0.0) {
            let what = refusal!("`{name}` is {value}"; "a tyre needs it");
            return Err(ModelError::invalid("tyre property file", what));
        }
        Ok(MagicFormula { version, coefficients, right })
    }

    /// With another friction on the road, as a factor.
    pub fn with_friction(mut self, factor: f64) -> Self {
        self.coefficients.lmux *= factor;
        self.coefficients.lmuy *= factor;
        self
    }

    /// With another inflation pressure than that of the file.
    pub fn with_pressure(mut self, pressure: f64) -> Self {
        self.coefficients.inflpres = pressure;
        self
    }

    fn shared<const M: usize>(&self, load: &Scalar<M>, camber: &Scalar<M>) -> Shared<M> {
        let c = &self.coefficients;
        let nominal = c.fnomin * c.lfzo;
        let df = (*load - nominal) * (1.0 / nominal); // (4.E2a)
        let known = c.nompres > 0.0 && c.inflpres > 0.0;
        let dp = if known { (c.inflpres - c.nompres) / c.nompres } else { 0.0 }; // (4.E2b)
        Shared { load: *load, df, dp, gamma: camber.sin(), nominal }
    }

    /// `∂Fx/∂κ` (4.E15).
    fn slip_stiffness<const M: usize>(&self, s: &Shared<M>) -> Scalar<M> {
        let c = &self.coefficients;
        let pressure = 1.0 + c.ppx1 * s.dp + c.ppx2 * s.dp * s.dp;
        s.load * (s.df * c.pkx2 + c.pkx1) * (s.df * c.pkx3).exp() * (pressure * c.lkx)
    }

    /// The pure longitudinal force (4.E9–4.E18).
    fn along<const M: usize>(&self, at: &Running<M>, s: &Shared<M>, k: &Scalar<M>) -> Scalar<M> {
        let c = &self.coefficients;
        let kappa = at.slip + (s.df * c.phx2 + c.phx1) * c.lhx;
        let gamma = s.gamma * c.lgax;
        let pressure = 1.0 + c.ppx3 * s.dp + c.ppx4 * s.dp * s.dp;
        let friction = (s.df * c.pdx2 + c.pdx1) * (gamma.squared() * -c.pdx3 + 1.0);
        let friction = friction * (pressure * c.lmux);
        let friction = if friction.value > LEAST { friction } else { Scalar::constant(LEAST) };
        let shape = c.pcx1 * c.lcx;
        let curvature = (s.df.squared() * c.pex3 + s.df * c.pex2 + c.pex1)
            * ((1.0 - c.pex4 * kappa.value.signum()) * c.lex);
        let curvature = at_most_one(curvature);
        let slope = *k / (friction * s.load) * (1.0 / shape);
        let vertical = s.load * (s.df * c.pvx2 + c.pvx1) * (c.lvx * c.lmux);
        friction * s.load * bent(shape, &(slope * kappa), &curvature).sin() + vertical
    }

    /// `∂Fy/∂α` (4.E25).
    fn cornering_stiffness<const M: usize>(&self, s: &Shared<M>) -> Scalar<M> {
        let c = &self.coefficients;
        let gamma = s.gamma * c.lgay;
        let factor = if self.version == Version::Six { c.pky4 } else { 2.0 };
        let peak = (gamma.squared() * c.pky5 + c.pky2) * (1.0 + c.ppy2 * s.dp);
        let angle = (s.load * (1.0 / s.nominal) / peak).atan() * factor;
        let size = c.pky1 * s.nominal * (1.0 + c.ppy1 * s.dp) * c.lky;
        angle.sin() * (gamma.abs() * -c.pky3 + 1.0) * size
    }

    /// The pure lateral force (4.E19–4.E30).
    fn across<const M: usize>(&self, at: &Running<M>, s: &Shared<M>) -> Side<M> {
        let c = &self.coefficients;
        let gamma = s.gamma * c.lgay;
        let stiffness = self.cornering_stiffness(s);
        let plain = (s.df * c.pvy2 + c.pvy1) * s.load * (c.lvy * c.lmuy);
        let by_camber = s.load * (s.df * c.pvy4 + c.pvy3) * gamma * (c.lkyc * c.lmuy);
        let shift = (s.df * c.phy2 + c.phy1) * c.lhy;
        let shift = match self.version {
            Version::Five => shift + gamma * c.phy3,
            Version::Six => {
                let camber = s.load * (s.df * c.pky7 + c.pky6) * ((1.0 + c.ppy5 * s.dp) * c.lkyc);
                // the cornering stiffness is negative, and never zero under load
                let thrust = camber * gamma - by_camber;
                shift + if stiffness.value == 0.0 { thrust * 0.0 } else { thrust / stiffness }
            }
        };
        let alpha = at.side_slip + shift;
        let pressure = 1.0 + c.ppy3 * s.dp + c.ppy4 * s.dp * s.dp;
        let friction = (s.df * c.pdy2 + c.pdy1) * (gamma.squared() * -c.pdy3 + 1.0);
        let friction = friction * (pressure * c.lmuy);
        let shape = c.pcy1 * c.lcy;
        let sign = alpha.value.signum();
        let curvature = (s.df * c.pey2 + c.pey1)
            * (gamma.squared() * c.pey5 - (gamma * c.pey4 + c.pey3) * sign + 1.0)
            * c.ley;
        let curvature = at_most_one(curvature);
        let slope = stiffness / (friction * s.load) * (1.0 / shape);
        let vertical = plain + by_camber;
        let bend = bent(shape, &(slope * alpha), &curvature);
        let force = friction * s.load * bend.sin() + vertical;
        Side { force, stiffness, friction, shift, vertical, slope: slope * shape }
    }

    /// How far a slip angle leaves the force along (4.E50–4.E57).
    fn weakened_along<const M: usize>(&self, at: &Running<M>, s: &Shared<M>) -> Scalar<M> {
        let c = &self.coefficients;
        let slope =
            (s.gamma.squared() * c.rbx3 + c.rbx1) * (at.slip * c.rbx2).atan().cos() * c.lxal;
        let curvature = at_most_one(s.df * c.rex2 + c.rex1);
        let weight = |x: Scalar<M>| bent(c.rcx1, &(slope * x), &curvature).cos();
        weight(at.side_slip + c.rhx1) / weight(Scalar::constant(c.rhx1))
    }

    /// How far a slip along leaves the force across, and the force that it brings (4.E58–4.E67).
    fn weakened_across<const M: usize>(
        &self,
        at: &Running<M>,
        s: &Shared<M>,
        friction: &Scalar<M>,
    ) -> (Scalar<M>, Scalar<M>) {
        let c = &self.coefficients;
        let slope = (s.gamma.squared() * c.rby4 + c.rby1)
            * ((at.side_slip - c.rby3) * c.rby2).atan().cos()
            * c.lyka;
        let curvature = at_most_one(s.df * c.rey2 + c.rey1);
        let shift = s.df * c.rhy2 + c.rhy1;
        let weight = |x: Scalar<M>| bent(c.rcy1, &(slope * x), &curvature).cos();
        let weight = weight(at.slip + shift) / weight(shift);
        let size = *friction
            * s.load
            * (s.df * c.rvy2 + s.gamma * c.rvy3 + c.rvy1)
            * (at.side_slip * c.rvy4).atan().cos();
        let brought = size * ((at.slip * c.rvy6).atan() * c.rvy5).sin() * c.lvyka;
        (weight, brought)
    }

    pub(super) fn answer<const M: usize>(&self, at: &Running<M>) -> Answer<M> {
        let shared = self.shared(&at.load, &at.camber);
        let k = self.slip_stiffness(&shared);
        let fx = self.along(at, &shared, &k) * self.weakened_along(at, &shared);
        let side = self.across(at, &shared);
        let (weight, brought) = self.weakened_across(at, &shared, &side.friction);
        let fy = weight * side.force + brought;
        let mz = self.aligning(at, &shared, &side, &k, (fx, fy - brought, fy));
        let (mx, my) = (self.overturning(&shared, &fy), self.rolling(at, &shared, &fx));
        Answer { fx, fy, mx, my, mz }
    }

    /// Relaxation lengths: those of the file, or stiffness in slip over stiffness of the carcass.
    pub(super) fn relaxation<const M: usize>(&self, load: &Scalar<M>) -> [Scalar<M>; 2] {
        let c = &self.coefficients;
        let s = self.shared(load, &Scalar::constant(0.0));
        let along = if c.ptx1 != 0.0 {
            let per_load = (s.df * c.ptx2 + c.ptx1) * (s.df * -c.ptx3).exp();
            s.load * per_load * (c.unloaded_radius / s.nominal)
        } else if c.longitudinal_stiffness > 0.0 {
            self.slip_stiffness(&s) * (1.0 / c.longitudinal_stiffness)
        } else {
            Scalar::constant(0.5 * c.unloaded_radius)
        };
        let across = if c.pty1 != 0.0 && c.pty2 != 0.0 {
            ((s.load * (1.0 / (c.pty2 * s.nominal))).atan() * 2.0).sin()
                * (c.pty1 * c.unloaded_radius)
        } else if c.lateral_stiffness > 0.0 {
            -self.cornering_stiffness(&s) * (1.0 / c.lateral_stiffness)
        } else {
            Scalar::constant(c.unloaded_radius)
        };
        [along * c.lsgkp, across * c.lsgal]
    }

    /// Load by the deflection, above zero: linear, and with `Q_FZ2` quadratic (4.E68) with the stiffness of the file at the
    /// nominal load.
    pub(super) fn spring<const M: usize>(&self, deflection: &Scalar<M>) -> Scalar<M> {
        let c = &self.coefficients;
        let s = self.shared(deflection, &Scalar::constant(0.0));
        let pressure = 1.0 + c.pfz1 * s.dp;
        let per_radius = c.vertical_stiffness * c.unloaded_radius / c.fnomin;
        let linear = (per_radius * per_radius - 4.0 * c.q_fz2).max(0.0).sqrt();
        let part = *deflection * (1.0 / c.unloaded_radius);
        (part * linear + part.squared() * c.q_fz2) * (c.fnomin * pressure)
    }

    /// The effective rolling radius (4.E78, its numbers `BREFF`, `DREFF`, `FREFF`).
    pub(super) fn rolling_radius<const M: usize>(
        &self,
        deflection: &Scalar<M>,
        spin: &Scalar<M>,
    ) -> Scalar<M> {
        let c = &self.coefficients;
        let speed = *spin * (c.unloaded_radius / reference_speed(c));
        let free = (speed.squared() * c.q_v1 + c.q_re0) * c.unloaded_radius;
        let per_load = c.fnomin / c.vertical_stiffness;
        let pressed = *deflection * (1.0 / per_load);
        free - ((pressed * c.breff).atan() * c.dreff + pressed * c.freff) * per_load
    }
}

/// Curvature factors above one would bend the curve back on itself.
fn at_most_one<const M: usize>(e: Scalar<M>) -> Scalar<M> {
    if e.value > 1.0 { Scalar::constant(1.0) } else { e }
}

/// The speed of the measurement.
fn reference_speed(c: &Coefficients) -> f64 {
    if c.longvl > 0.0 { c.longvl } else { 16.7 }
}
