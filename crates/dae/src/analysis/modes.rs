//! Modes: how a system vibrates, decays or departs about a state.

use super::dense::{Svd, column, largest, times};
use super::eigen::{Complex, Pair, abs, classical, general};
use super::linearise::{Linearisation, Parts, linearise};
use super::noise::ROOT;
use super::sparse::{self, LARGE, Vibrations};
use super::words::{Share, count, names};
use crate::diagnosis::{Diagnosis, Failure};
use crate::state::State;
use crate::system::{Component, System};
use faer::Mat;
use serde::Serialize;
use std::f64::consts::TAU;
use std::fmt;

/// No eigenvalue above this part of the largest is taken for zero, however pessimistic the bound of its noise: that of
/// differences is.
const LARGEST_ZERO: f64 = 1e-6;

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
    /// What rounding makes of the eigenvalue: smaller parts of it mean nothing.
    pub noise: f64,
    /// Grows with time, by more than the noise.
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
    /// Higher modes that were not asked for.
    pub omitted: usize,
}

/// Finds the `count` lowest modes about a state beside rigid-body motions, as [`modes`] does. Only the
/// cost differs: large systems at rest or in a steady turn are not decomposed as a whole.
pub fn lowest_modes(
    system: &mut dyn System,
    state: &State,
    count: usize,
) -> Result<Modes, Diagnosis> {
    let sizes = system.sizes();
    if sizes.motion + sizes.multipliers() > LARGE
        && 4 * count < sizes.motion
        && let Some(found) = sparse::lowest(system, state, count)
    {
        return Ok(of_vibrations(system, state, found));
    }
    let mut all = modes(system, state)?;
    let rigid = all.modes.iter().filter(|mode| mode.kind == ModeKind::RigidBody).count();
    all.omitted = all.modes.len().saturating_sub(rigid + count);
    all.modes.truncate(rigid + count);
    Ok(all)
}

/// Makes modes of what the sparse iteration found.
fn of_vibrations(system: &mut dyn System, state: &State, found: Vibrations) -> Modes {
    // what moves has been seen to turn steadily
    let doubts = match state.v.iter().any(|v| *v != 0.0) {
        true => Vec::new(),
        false => super::steady::axes(system, state).doubts,
    };
    let mut modes = Vec::new();
    let inertia = |shape: &[f64]| {
        let mut out = vec![0.0; shape.len()];
        found.mass.add_product(shape, 1.0, &mut out);
        out
    };
    for shape in independent(&found.floating) {
        let shape = shape.iter().map(|x| Complex::new(*x, 0.0)).collect();
        let nothing = (Complex::new(0.0, 0.0), 0.0);
        let mode = mode(system, &inertia, nothing, shape, Vec::new());
        modes.push(Mode { kind: ModeKind::RigidBody, ..mode });
    }
    let mut moving: Vec<Mode> = Vec::new();
    for (value, shape) in found.pairs {
        // the iteration ends where a vibration lacks no more than this part of itself
        let noise = sparse::ACCEPTED * abs(value);
        moving.push(mode(system, &inertia, (value, noise), shape, Vec::new()));
    }
    sort(&mut moving);
    // an undamped motion that departs stands for two: one that grows and one that decays
    let omitted = found.freedoms.saturating_sub(modes.len() + moving.len());
    modes.extend(moving);
    Modes { modes, damped: found.damped, doubts, omitted }
}

/// A basis of real and imaginary parts that may depend on each other; each vector counts alike.
fn independent(vectors: &[[Vec<f64>; 2]]) -> Vec<Vec<f64>> {
    let Some([first, _]) = vectors.first() else { return Vec::new() };
    let mut matrix = Mat::zeros(first.len(), 2 * vectors.len());
    for (k, [re, im]) in vectors.iter().enumerate() {
        let size = re.iter().zip(im).map(|(re, im)| re.hypot(*im)).sum::<f64>();
        for i in 0..first.len() {
            matrix[(i, 2 * k)] = re[i] / size.max(f64::MIN_POSITIVE);
            matrix[(i, 2 * k + 1)] = im[i] / size.max(f64::MIN_POSITIVE);
        }
    }
    if largest(&matrix) == 0.0 {
        return Vec::new();
    }
    let Some(svd) = Svd::new(&matrix, 1e-3) else { return Vec::new() };
    (0..svd.rank).map(|k| column(&svd.u, k)).collect()
}

fn sort(modes: &mut [Mode]) {
    let size = |m: &Mode| m.eigenvalue[0].hypot(m.eigenvalue[1]);
    modes.sort_by(|a, b| size(a).total_cmp(&size(b)));
}

/// Finds the modes about a state, which should be an equilibrium or a steady motion, with its
/// multipliers.
pub fn modes(system: &mut dyn System, state: &State) -> Result<Modes, Diagnosis> {
    let Linearisation { parts, doubts, .. } = linearise(system, state)?;
    let conservative = parts.conservative();
    let pairs = if parts.first_order.nrows() == 0 {
        Some(Vec::new())
    } else if conservative {
        classical(&parts)
    } else {
        general(&parts)
    };
    let pairs = pairs.ok_or_else(|| {
        Diagnosis::new(Failure::NotConverged, state.t, "the eigenvalues could not be computed")
            .remedied_by(vec!["look for masses or stiffnesses of very different size".into()])
    })?;
    let top = pairs.iter().map(|pair| abs(pair.value)).fold(0.0, f64::max);
    let (zeros, others): (Vec<Pair>, Vec<Pair>) = pairs
        .into_iter()
        .partition(|pair| abs(pair.value) <= (ROOT * pair.floor).min(LARGEST_ZERO * top));
    let inertia = |shape: &[f64]| times(&parts.mass, shape);
    let mut modes = Vec::new();
    for vector in rigid(&parts, &zeros) {
        let (shape, states) = parts.shape(&vector);
        let noise = zeros.iter().fold(0.0, |m: f64, pair| m.max(ROOT * pair.floor));
        let mode = mode(system, &inertia, (Complex::new(0.0, 0.0), noise), shape, states);
        modes.push(Mode { kind: ModeKind::RigidBody, ..mode });
    }
    let mut moving = Vec::new();
    for pair in others.iter().filter(|pair| pair.value.im >= 0.0) {
        let (shape, states) = parts.shape(&pair.vector);
        moving.push(mode(system, &inertia, (pair.value, ROOT * pair.floor), shape, states));
    }
    sort(&mut moving);
    modes.extend(moving);
    Ok(Modes { modes, damped: !conservative, doubts, omitted: 0 })
}

/// Independent motions among the vectors of zero eigenvalues.
fn rigid(parts: &Parts, zeros: &[Pair]) -> Vec<Vec<Complex>> {
    let rows = parts.first_order.nrows();
    let (p, f) = (parts.positions.ncols(), parts.velocities.ncols());
    let moving = |i: &usize| *i < p || *i >= p + f;
    let part = |vector: &[Complex], of: fn(&Complex) -> f64| -> Vec<f64> {
        (0..rows).map(|i| if moving(&i) { of(&vector[i]) } else { 0.0 }).collect()
    };
    let both = zeros.iter().map(|z| [part(&z.vector, |c| c.re), part(&z.vector, |c| c.im)]);
    let basis = independent(&both.collect::<Vec<_>>());
    basis.iter().map(|v| v.iter().map(|x| Complex::new(*x, 0.0)).collect()).collect()
}

/// Makes a mode of an eigenvalue and its shape.
fn mode(
    system: &dyn System,
    inertia: &dyn Fn(&[f64]) -> Vec<f64>,
    (value, noise): (Complex, f64),
    mut shape: Vec<Complex>,
    mut states: Vec<Complex>,
) -> Mode {
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
        energy_shares(system, inertia, &shape)
    } else {
        let sizes: Vec<f64> = states.iter().map(|x| abs(*x)).collect();
        super::words::prominent(&sizes, 8, 0.01, |i| system.name(Component::State(i)))
    };
    let periodic = value.im.abs() > noise;
    let unstable = value.re > noise;
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
        noise,
        unstable,
        shape: shape.iter().map(pair).collect(),
        states: states.iter().map(pair).collect(),
        participation,
    }
}

/// `Re(δq̄ᵢ (M δq)ᵢ)` over the whole, largest first.
fn energy_shares(
    system: &dyn System,
    inertia: &dyn Fn(&[f64]) -> Vec<f64>,
    shape: &[Complex],
) -> Vec<Share> {
    let re: Vec<f64> = shape.iter().map(|c| c.re).collect();
    let im: Vec<f64> = shape.iter().map(|c| c.im).collect();
    let (mre, mim) = (inertia(&re), inertia(&im));
    let energy: Vec<f64> = (0..re.len()).map(|i| re[i] * mre[i] + im[i] * mim[i]).collect();
    let whole: f64 = energy.iter().sum();
    let most = energy.iter().fold(0.0_f64, |m, e| m.max(*e));
    // where hundreds of coordinates take part, each has little
    let least = (0.01 * whole).min(0.5 * most);
    let mut shares: Vec<Share> = energy
        .iter()
        .enumerate()
        .filter(|(_, e)| **e >= least && whole > 0.0)
        .map(|(i, e)| Share { name: system.name(Component::Coordinate(i)), value: e / whole })
        .collect();
    shares.sort_by(|a, b| b.value.total_cmp(&a.value));
    shares
}

/// Six digits behind the point, or in powers of ten where these would not show it.
fn rate(value: f64) -> String {
    if value.abs() < 1e-3 { format!("{value:.3e}") } else { format!("{value:.6}") }
}

impl Mode {
    /// What it does, in words.
    pub fn conduct(&self) -> String {
        match self.kind {
            ModeKind::RigidBody => "rigid-body motion".into(),
            ModeKind::Oscillation => {
                // rounded before it is shown, so that nothing is not written as -0
                let damping = (self.damping * 1e4).round() / 1e4 + 0.0;
                let growing = if self.unstable { ", growing" } else { "" };
                format!("{:.6} Hz, damping {damping:.4}{growing}", self.frequency)
            }
            ModeKind::Decay => {
                format!("decays with rate {} per second", rate(-self.eigenvalue[0]))
            }
            ModeKind::Growth => format!("grows with rate {} per second", rate(self.eigenvalue[0])),
        }
    }

    /// Who takes part most, in words.
    pub fn who(&self) -> String {
        let most: Vec<Share> = self.participation.iter().take(4).cloned().collect();
        names(&most)
    }
}

impl fmt::Display for Modes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unstable = self.modes.iter().filter(|m| m.unstable).count();
        write!(f, "{}", count(self.modes.len(), "mode"))?;
        if self.omitted > 0 {
            write!(f, ", the lowest of {}", self.modes.len() + self.omitted)?;
        }
        if unstable > 0 {
            write!(f, ", of which {unstable} grow: the state is unstable")?;
        }
        for doubt in &self.doubts {
            write!(f, "\n  Beware: {doubt}")?;
        }
        for (k, mode) in self.modes.iter().enumerate() {
            write!(f, "\n  {}. {}: {}", k + 1, mode.conduct(), mode.who())?;
        }
        Ok(())
    }
}
