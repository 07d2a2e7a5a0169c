//! Linear oscillator: the amplification matrix that the integrator really has. [Dymore note, sheet §2, figs. 1–3]

use super::errors::{Solution, reproduce_model};
use super::sheet::{Sheet, SheetTable};
use crate::curves::{Curve, comparison};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{larger, run_watched};
use nalgebra::{Complex, Matrix2, Matrix3, Vector3};
use rotula_dae::{Settings, State, StepControl, StepRecord};
use rotula_model::equations::{EquationSystem, Model};
use rotula_report::Axis;
use std::f64::consts::PI;

const MODEL: &str = include_str!("../../../../../gallery/linear-oscillator/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/linear-oscillator/reference.json");

pub(crate) const ENTRY: Entry = Entry {
    name: "linear-oscillator",
    document: "000",
    title: "Spectral radius, period elongation and damping; damped oscillator",
    run,
};

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    let mut figures = [Vec::new(), Vec::new(), Vec::new()];
    for table in sheet.tables("amplification")? {
        let curves = amplification(findings, table)?;
        curves.into_iter().zip(&mut figures).for_each(|(curve, figure)| figure.push(curve));
    }
    let steps = || Axis::log("step over period, h/T");
    let near = || Axis::linear("step over period, h/T").between(0.0, 0.42);
    for (curves, (title, axes)) in figures.into_iter().zip([
        ("Spectral radius", [steps(), Axis::linear("spectral radius").between(-0.02, 1.05)]),
        ("Period elongation", [near(), Axis::linear("elongation").between(0.0, 1.0)]),
        ("Algorithmic damping", [near(), Axis::linear("damping ratio").between(0.0, 0.3)]),
    ]) {
        findings.figure(comparison(title, axes, "sheet", curves));
    }
    for table in sheet.tables("damped")? {
        reproduce_model(findings, table, MODEL, &damped)?;
        double_counting(findings, table)?;
    }
    newmark(findings)
}

/// The exact motion with ω = 2π, ξ = 0.05 from q = 1 at rest.
fn damped(t: f64) -> Solution {
    let (w, xi) = (2.0 * PI, 0.05);
    let wd = w * f64::sqrt(1.0 - xi * xi);
    let (sin, cos) = (wd * t).sin_cos();
    let decay = (-xi * w * t).exp();
    let q = decay * (cos + xi * w / wd * sin);
    let v = -decay * w * w / wd * sin;
    let vdot = -2.0 * xi * w * v - w * w * q;
    Solution { q: vec![q], v: vec![v], vdot: vec![vdot], multipliers: Vec::new() }
}

/// The undamped oscillator of period 1 with a method.
struct Probe {
    system: EquationSystem,
    settings: Settings,
    start: State,
}

impl Probe {
    fn new(table: &SheetTable) -> Result<Self, GalleryError> {
        let mut overrides = table.overrides(0.1);
        overrides.push(("parameters.xi".into(), "0".into()));
        let model = Model::parse(MODEL, "model.toml", &overrides)
            .map_err(|error| GalleryError::Model(error.to_string()))?;
        let (settings, start) = (model.settings()?, model.initial_state());
        Ok(Probe { system: model.system(), settings, start })
    }

    /// States (q, h v/κ, h² a/κ) at the start and after one and two steps of size `h`, from rest at
    /// q = 1 or from q = 0 with a velocity. κ keeps them of one size for steps of any size.
    fn steps(&mut self, h: f64, moving: bool) -> Result<[Vector3<f64>; 3], GalleryError> {
        self.settings.control = StepControl::Fixed { h };
        self.settings.until = 2.0 * h;
        let omega = 2.0 * PI * h;
        let kappa = 1.0 + omega * omega;
        let (q, v) = if moving { (0.0, kappa / h) } else { (1.0, 0.0) };
        (self.start.q[0], self.start.v[0]) = (q, v);
        let scaled = |q: f64, v: f64, a: f64| Vector3::new(q, h * v / kappa, h * h * a / kappa);
        // the integrator starts with a = v̇ = −ω² q
        let mut states = vec![scaled(q, v, -(2.0 * PI).powi(2) * q)];
        let mut watch = |state: &State, _: &StepRecord| {
            states.push(scaled(state.q[0], state.v[0], state.a[0]));
            true
        };
        run_watched(&mut self.system, &self.start, &self.settings, &mut watch)?;
        let missing = || GalleryError::Reference("the oscillator took no two steps".into());
        states.try_into().map_err(|_| missing())
    }

    /// Roots of the matrix that carries (q, h v, h² a) over a step, from two short runs: the
    /// principal pair (the one above the real axis) and, if it is excited, the third root.
    fn roots(&mut self, h: f64) -> Result<(Complex<f64>, Option<f64>), GalleryError> {
        let [a0, a1, _] = self.steps(h, false)?;
        let [b0, b1, b2] = self.steps(h, true)?;
        let upper = |roots: &[Complex<f64>]| {
            roots.iter().copied().fold(roots[0], |a, b| if b.im > a.im { b } else { a })
        };
        if self.settings.coefficients.alpha() == 0.0 {
            // a = v̇ for ever: the state has two dimensions, and the third root does not show
            let before = Matrix2::new(a0[0], b0[0], a0[1], b0[1]);
            let after = Matrix2::new(a1[0], b1[0], a1[1], b1[1]);
            let roots = (after * inverse(before.try_inverse())?).complex_eigenvalues();
            return Ok((upper(roots.as_slice()), None));
        }
        let before = Matrix3::from_columns(&[a0, b0, b1]);
        let after = Matrix3::from_columns(&[a1, b1, b2]);
        let matrix = after * inverse(before.try_inverse())?;
        let principal = upper(matrix.complex_eigenvalues().as_slice());
        Ok((principal, Some(matrix.trace() - 2.0 * principal.re)))
    }
}

fn inverse<T>(found: Option<T>) -> Result<T, GalleryError> {
    found.ok_or_else(|| GalleryError::Reference("states of the oscillator are dependent".into()))
}

/// Spectral radius, period elongation and damping ratio at `hbar = h/T`.
fn properties((principal, third): (Complex<f64>, Option<f64>), hbar: f64) -> [f64; 3] {
    let radius = larger(principal.norm(), third.unwrap_or(0.0).abs());
    let (angle, omega) = (principal.arg(), 2.0 * PI * hbar);
    [radius, omega / angle - 1.0, -principal.norm().ln() / angle]
}

/// Checks a table, and gives the curves of radius, elongation and damping.
fn amplification(findings: &mut Findings, table: &SheetTable) -> Result<[Curve; 3], GalleryError> {
    let mut probe = Probe::new(table)?;
    let rho = table.number("solve.coefficients.generalized-alpha")?;
    let mut rows = Vec::new();
    for row in &table.rows {
        let hbar = row[0];
        let roots = probe.roots(hbar)?;
        let [radius, elongation, damping] = properties(roots, hbar);
        let at = |what: &str| format!("rho = {rho}: {what} at h/T = {hbar}");
        // The position after a step is a difference of numbers 1 + Ω² times larger: that much of
        // its digits is lost, and so of the roots.
        let omega = 2.0 * PI * hbar;
        let rounding = 1e-11 + 4.0 * f64::EPSILON * (1.0 + omega * omega);
        let slack = rounding * (1.0 + elongation) / (radius * omega);
        findings.near(at("spectral radius"), radius, row[1], rounding);
        findings.near(at("period elongation"), elongation, row[2], slack * (1.0 + elongation));
        findings.near(at("algorithmic damping"), damping, row[3], slack * (1.0 + damping));
        if let Some(third) = roots.1 {
            findings.near(at("third root"), third, row[4], 10.0 * rounding);
        }
        let ours = [Some(radius), Some(elongation), Some(damping), roots.1];
        let mut cells = vec![format!("{hbar}")];
        for (sheet, ours) in row[1..].iter().zip(ours) {
            let ours = ours.map_or("not excited".into(), |value| format!("{value:.9}"));
            cells.extend([format!("{sheet:.9}"), ours]);
        }
        rows.push(cells);
    }
    let heads = ["radius", "elongation", "damping", "third root"];
    let mut columns = vec!["h/T".to_string()];
    for head in heads {
        columns.extend([format!("{head} sheet"), format!("{head} ours")]);
    }
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    findings.table(&table.title, &columns, rows);
    let fine = monotone(findings, &mut probe, rho)?;
    let fine_steps: Vec<f64> = fine.iter().map(|(hbar, _)| *hbar).collect();
    let steps = table.steps();
    Ok([0, 1, 2].map(|k| {
        let ours: Vec<f64> = fine.iter().map(|(_, values)| values[k]).collect();
        let theirs: Vec<f64> = table.rows.iter().map(|row| row[k + 1]).collect();
        Curve::new(format!("ρ = {rho}"), &fine_steps, &ours).beside(&steps, &theirs)
    }))
}

/// Fig. 1: the radius falls with the step size towards its limit. Gives h/T with radius, elongation, damping.
fn monotone(
    findings: &mut Findings,
    probe: &mut Probe,
    rho: f64,
) -> Result<Vec<(f64, [f64; 3])>, GalleryError> {
    let mut found = Vec::new();
    let mut before = f64::INFINITY;
    let mut largest_rise = 0.0;
    for k in 0..=80 {
        let hbar = 10f64.powf(-2.0 + 0.05 * k as f64);
        let values = properties(probe.roots(hbar)?, hbar);
        let radius = values[0];
        found.push((hbar, values));
        largest_rise = larger(largest_rise, radius - before);
        before = radius;
    }
    findings.at_most(format!("rho = {rho}: rise of the spectral radius"), largest_rise, 1e-9);
    Ok(found)
}

/// The double counting of eqs. (15), (20), (24) solves an oscillator with doubled damping.
fn double_counting(findings: &mut Findings, table: &SheetTable) -> Result<(), GalleryError> {
    let run = table.run(MODEL, 1e-3, &[("parameters.xi", "0.1")])?;
    let doubled = run.outcome.state.q[0];
    findings.near("q(3) with doubled damping", doubled, 0.149719, 2e-5);
    findings.note(
        "Eq. (15) as printed, with the state initialised by the predictor, converges with first \
         order to q(3) = 0.149719 (0.128597, 0.144141, 0.148305 for N = 1200, 4800, 19200), which \
         is the solution with doubled damping and not q(3) = 0.389093: the terms in the predictor \
         are counted twice. They must be dropped; Rotula takes the residual at the iterate.",
    );
    findings.note(
        "The text calls c8/h^2 \"about 1\"; it lies between 0.5 (rho = 0) and 0.25 (rho = 1). The \
         spectral radius approaches its limit slowly: 0.2004 at h/T = 1e4 for rho = 0.2.",
    );
    Ok(())
}

/// For ρ = 1 the scheme is the trapezoidal rule of Newmark, if it starts with a = v̇.
fn newmark(findings: &mut Findings) -> Result<(), GalleryError> {
    let end = |coefficients: (&str, &str)| -> Result<f64, GalleryError> {
        let run = crate::study::run_model(MODEL, &[coefficients])?;
        Ok(run.outcome.state.q[0])
    };
    let one = end(("solve.coefficients.generalized-alpha", "1.0"))?;
    let newmark = end(("solve.coefficients.newmark", "[0.25, 0.5]"))?;
    findings.near("rho = 1 equals Newmark's rule: q(3)", one, newmark, 1e-11);
    Ok(())
}
