//! Modes: how a system vibrates, decays or departs about a state.

use super::dense::{Svd, column, largest, times};
use super::eigen::{Complex, Pair, Spectrum, classical, general};
use super::linearise::{Linearisation, Parts, linearise};
use super::words::{Share, count, names};
use crate::diagnosis::{Diagnosis, Failure};
use crate::state::State;
use crate::system::{Component, System};
use faer::Mat;
use serde::Serialize;
use std::f64::consts::TAU;
use std::fmt;

/// Eigenvalues below this part of the largest are zero, if some motion has no hold: double ones cannot be
/// told better.
const ZERO: f64 = 1e-6;

/// What a mode does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModeKind {
    /// A motion that nothing holds.
    RigidBody,
    /// A vibration.
    Oscillation,
    /// An aperiodic decay.
    Decay,
    /// An aperiodic departure.
    Growth,
}

/// One mode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mode {
    /// What it does.
    pub kind: ModeKind,
    /// Real and imaginary part of the eigenvalue, per second; of a conjugate pair the upper one.
    pub eigenvalue: [f64; 2],
    /// Frequency of the vibration in hertz; zero for aperiodic modes.
    pub frequency: f64,
    /// Part of critical damping: `−Re/|λ|`; negative for modes that grow.
    pub damping: f64,
    /// Grows with time.
    pub unstable: bool,
    /// Real and imaginary part of every coordinate; the largest, measured by its scale, is one.
    pub shape: Vec<[f64; 2]>,
    /// Real and imaginary part of every first-order state.
    pub states: Vec<[f64; 2]>,
    /// Who takes part: shares of the kinetic energy, largest first.
    pub participation: Vec<Share>,
}

/// All modes about a state, rigid-body motions first, then by rising eigenvalue.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Modes {
    /// The modes; one for each conjugate pair.
    pub modes: Vec<Mode>,
    /// Damping or gyroscopic terms were found.
    pub damped: bool,
    /// Why the state is neither an equilibrium nor a steady motion, if so.
    pub doubts: Vec<String>,
}

/// Finds the modes about a state, which should be an equilibrium or a steady motion, with its
/// multipliers.
pub fn modes(system: &mut dyn System, state: &State) -> Result<Modes, Diagnosis> {
    let Linearisation { parts, doubts, .. } = linearise(system, state)?;
    let conservative = parts.conservative();
    let spectrum = if parts.first_order.nrows() == 0 {
        Some(Spectrum { pairs: Vec::new(), held: true })
    } else if conservative {
        classical(&parts)
    } else {
        general(&parts)
    };
    let Spectrum { pairs, held } = spectrum.ok_or_else(|| Diagnosis {
        failure: Failure::NotConverged,
        t: state.t,
        message: "the eigenvalues could not be computed".into(),
        evidence: Vec::new(),
        remedies: vec!["look for masses or stiffnesses of very different size".into()],
    })?;
    let top = pairs.iter().map(|pair| abs(pair.value)).fold(0.0, f64::max);
    let (zeros, others): (Vec<Pair>, Vec<Pair>) =
        pairs.into_iter().partition(|pair| !held && abs(pair.value) <= ZERO * top);
    let mut modes = rigid(system, &parts, &zeros);
    let mut moving: Vec<Mode> = others
        .iter()
        .filter(|pair| pair.value.im >= 0.0)
        .map(|pair| mode(system, &parts, pair.value, &pair.vector))
        .collect();
    let size = |m: &Mode| m.eigenvalue[0].hypot(m.eigenvalue[1]);
    moving.sort_by(|a, b| size(a).total_cmp(&size(b)));
    modes.extend(moving);
    Ok(Modes { modes, damped: !conservative, doubts })
}

/// Independent motions among the vectors of zero eigenvalues, one mode each.
fn rigid(system: &dyn System, parts: &Parts, zeros: &[Pair]) -> Vec<Mode> {
    let rows = parts.first_order.nrows();
    let (p, f) = (parts.positions.ncols(), parts.velocities.ncols());
    let real = 2 * zeros.len();
    let mut vectors = Mat::zeros(rows, real);
    for (k, pair) in zeros.iter().enumerate() {
        for i in (0..p).chain(p + f..rows) {
            vectors[(i, 2 * k)] = pair.vector[i].re;
            vectors[(i, 2 * k + 1)] = pair.vector[i].im;
        }
        // each counts alike, whatever its length
        let size =
            (0..rows).map(|i| vectors[(i, 2 * k)].hypot(vectors[(i, 2 * k + 1)])).sum::<f64>();
        for i in 0..rows {
            vectors[(i, 2 * k)] /= size.max(f64::MIN_POSITIVE);
            vectors[(i, 2 * k + 1)] /= size.max(f64::MIN_POSITIVE);
        }
    }
    if largest(&vectors) == 0.0 {
        return Vec::new();
    }
    let Some(svd) = Svd::new(&vectors, 1e-3) else { return Vec::new() };
    (0..svd.rank)
        .map(|k| {
            let vector: Vec<Complex> =
                column(&svd.u, k).iter().map(|x| Complex::new(*x, 0.0)).collect();
            let shape = mode(system, parts, Complex::new(0.0, 0.0), &vector);
            Mode { kind: ModeKind::RigidBody, ..shape }
        })
        .collect()
}

/// Makes a mode of an eigenvalue and its vector.
fn mode(system: &dyn System, parts: &Parts, value: Complex, vector: &[Complex]) -> Mode {
    let (p, f) = (parts.positions.ncols(), parts.velocities.ncols());
    let of = |part: fn(&Complex) -> f64| -> Vec<f64> {
        let a: Vec<f64> = vector[..p].iter().map(part).collect();
        times(&parts.positions, &a)
    };
    let (re, im) = (of(|c| c.re), of(|c| c.im));
    let mut shape: Vec<Complex> = re.iter().zip(&im).map(|(r, i)| Complex::new(*r, *i)).collect();
    let mut states = vector[p + f..].to_vec();
    let measure = |i: usize| abs(shape[i]) / system.scale(i);
    let motion = (0..shape.len()).max_by(|a, b| measure(*a).total_cmp(&measure(*b)));
    let moves = motion.map_or(0.0, measure);
    let most = states.iter().map(|x| abs(*x)).fold(0.0, f64::max);
    let unit = match motion {
        Some(i) if moves > 1e-9 * most => shape[i] / Complex::new(system.scale(i), 0.0),
        _ => Complex::new(most.max(f64::MIN_POSITIVE), 0.0),
    };
    shape.iter_mut().for_each(|x| *x /= unit);
    states.iter_mut().for_each(|x| *x /= unit);
    let participation = if moves > 1e-9 * most {
        energy_shares(system, parts, &shape)
    } else {
        let sizes: Vec<f64> = states.iter().map(|x| abs(*x)).collect();
        super::words::prominent(&sizes, 8, 0.01, |i| system.name(Component::State(i)))
    };
    let periodic = value.im.abs() > 1e-9 * abs(value);
    let unstable = value.re > ZERO * abs(value);
    let pair = |x: &Complex| [x.re, x.im];
    Mode {
        kind: match (periodic, unstable) {
            (true, _) => ModeKind::Oscillation,
            (false, true) => ModeKind::Growth,
            (false, false) => ModeKind::Decay,
        },
        eigenvalue: [value.re, value.im],
        frequency: if periodic { value.im.abs() / TAU } else { 0.0 },
        damping: if abs(value) > 0.0 { -value.re / abs(value) } else { 0.0 },
        unstable,
        shape: shape.iter().map(pair).collect(),
        states: states.iter().map(pair).collect(),
        participation,
    }
}

/// `Re(δq̄ᵢ (M δq)ᵢ)` over the whole, largest first.
fn energy_shares(system: &dyn System, parts: &Parts, shape: &[Complex]) -> Vec<Share> {
    let re: Vec<f64> = shape.iter().map(|c| c.re).collect();
    let im: Vec<f64> = shape.iter().map(|c| c.im).collect();
    let (mre, mim) = (times(&parts.mass, &re), times(&parts.mass, &im));
    let energy: Vec<f64> = (0..re.len()).map(|i| re[i] * mre[i] + im[i] * mim[i]).collect();
    let whole: f64 = energy.iter().sum();
    let mut shares: Vec<Share> = energy
        .iter()
        .enumerate()
        .filter(|(_, e)| **e >= 0.01 * whole && whole > 0.0)
        .map(|(i, e)| Share { name: system.name(Component::Coordinate(i)), value: e / whole })
        .collect();
    shares.sort_by(|a, b| b.value.total_cmp(&a.value));
    shares
}

fn abs(c: Complex) -> f64 {
    c.re.hypot(c.im)
}

impl fmt::Display for Modes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unstable = self.modes.iter().filter(|m| m.unstable).count();
        write!(f, "{}", count(self.modes.len(), "mode"))?;
        if unstable > 0 {
            write!(f, ", of which {unstable} grow: the state is unstable")?;
        }
        for doubt in &self.doubts {
            write!(f, "\n  Beware: {doubt}")?;
        }
        for (k, mode) in self.modes.iter().enumerate() {
            let who: Vec<Share> = mode.participation.iter().take(4).cloned().collect();
            write!(f, "\n  {}. ", k + 1)?;
            match mode.kind {
                ModeKind::RigidBody => write!(f, "rigid-body motion")?,
                ModeKind::Oscillation => {
                    // rounded before it is shown, so that nothing is not written as -0
                    let damping = (mode.damping * 1e4).round() / 1e4 + 0.0;
                    write!(f, "{:.6} Hz, damping {damping:.4}", mode.frequency)?;
                }
                ModeKind::Decay => {
                    write!(f, "decays with rate {:.6} per second", -mode.eigenvalue[0])?
                }
                ModeKind::Growth => {
                    write!(f, "grows with rate {:.6} per second", mode.eigenvalue[0])?
                }
            }
            if mode.unstable && mode.kind == ModeKind::Oscillation {
                write!(f, ", growing")?;
            }
            write!(f, ": {}", names(&who))?;
        }
        Ok(())
    }
}
