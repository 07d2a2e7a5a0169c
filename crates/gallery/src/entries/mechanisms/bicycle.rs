//! Whipple's bicycle: eigenvalues of riding straight.

use crate::entries::doc003::support::{number, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::bicycle::{bicycle, placement_error, riding, small_motions};
use crate::study::{larger, largest, smallest};
use nalgebra::{Matrix4, Vector2};
use rotula_dae::analysis::modes;
use rotula_dae::{Diagnosis, InitialPolicy, make_consistent};
use rotula_mechanics::Assembly;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-bicycle",
    document: "mechanisms",
    title: "Whipple's bicycle: weave, capsize and caster",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/mechanism-bicycle/reference.json");
/// Differences of fourth order with steps of 1e-3 leave errors of 1e-12 relative to higher derivatives.
const TOLERANCE: f64 = 1e-11;
/// The modes of the model rest on differences for the axes that turn with the wheels, exact to some 1e-9.
const MODES: f64 = 1e-8;

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let mut system = bicycle()?.assemble()?;
    // Right and left are alike, so what the projection changes is of third order; differences of
    // fourth order take no notice of it.
    let rolled = placement_error(&mut system, Vector2::new(1e-3, 0.0))?;
    findings.at_most("change of a roll of 1e-3 by projection", rolled, 1e-15);
    let [near, far] =
        [1e-3, 2e-3].map(|steer| placement_error(&mut system, Vector2::new(0.0, steer)));
    let order = (far? / near?).log2();
    findings.near("order of the change of a steer by projection", order, 3.0, 0.1);
    standing(findings, &mut system, &numbers(&data, "/standing")?)?;
    let mut rows = Vec::new();
    for v in 1..=10 {
        let read = |key: &str| number(&data, &format!("/riding/{}/{key}", v - 1));
        let published = [read("weave_re")?, read("weave_im")?, read("capsize")?, read("caster")?];
        let found = named(&small_motions(&mut system, f64::from(v))?);
        let names = ["weave, real part", "weave, imaginary part", "capsize", "caster"];
        for (k, name) in names.iter().enumerate() {
            let tolerance = TOLERANCE * larger(published[k].abs(), 1.0);
            findings.near(format!("{v} m/s: {name}"), found[k], published[k], tolerance);
        }
        of_the_model(findings, &mut system, v, published)?;
        let worst = largest((0..4).map(|k| (found[k] - published[k]).abs()));
        let digits = found.map(|x| format!("{x:.9}"));
        rows.push([vec![v.to_string()], digits.to_vec(), vec![short(worst)]].concat());
    }
    let columns =
        ["m/s", "weave, Re", "weave, Im", "capsize", "caster", "largest difference to the table"];
    findings.table("Eigenvalues per second", &columns, rows);
    let weave = root(&mut system, [4.0, 4.6], |found| found[0])?;
    // thirty halvings of an interval of 0.6 m/s leave 6e-10
    findings.near("weave speed (m/s)", weave, number(&data, "/weave_speed")?, 2e-9);
    let capsize = root(&mut system, [5.8, 6.3], |found| found[2])?;
    findings.near("capsize speed (m/s)", capsize, number(&data, "/capsize_speed")?, 2e-9);
    Ok(())
}

/// At rest the modes of the model itself are those of the table.
fn standing(
    findings: &mut Findings,
    system: &mut Assembly,
    published: &[f64],
) -> Result<(), GalleryError> {
    let mut state = system.start();
    make_consistent(system, &mut state, InitialPolicy::Refuse)?;
    let found = modes(system, &state)?;
    for value in published {
        let nearest = found.modes.iter().map(|mode| mode.eigenvalue[0]);
        let nearest = nearest.min_by(|a, b| (a - value).abs().total_cmp(&(b - value).abs()));
        findings.near("standing: eigenvalue", nearest.unwrap_or(f64::NAN), *value, 1e-10);
    }
    Ok(())
}

/// At speed the modes of the model, seen from a body that everything moves with, are those of the table.
fn of_the_model(
    findings: &mut Findings,
    system: &mut Assembly,
    speed: i32,
    published: [f64; 4],
) -> Result<(), GalleryError> {
    let state = riding(system, f64::from(speed))?;
    let found = modes(system, &state)?;
    findings.near(
        format!("{speed} m/s: doubts about the state"),
        found.doubts.len() as f64,
        0.0,
        0.0,
    );
    let [re, im, capsize, caster] = published;
    let off = [[re, im], [capsize, 0.0], [caster, 0.0]].map(|[re, im]| {
        let distance = |value: &[f64; 2]| (value[0] - re).hypot(value[1] - im);
        let all = found.modes.iter().map(|mode| distance(&mode.eigenvalue));
        smallest(all) / larger(re.hypot(im), 1.0)
    });
    findings.at_most(format!("{speed} m/s: modes of the model, relative"), largest(off), MODES);
    Ok(())
}

/// Weave (real and imaginary part), capsize and caster among the eigenvalues of riding.
fn named(matrix: &Matrix4<f64>) -> [f64; 4] {
    let values = matrix.complex_eigenvalues();
    let weave = values.iter().max_by(|a, b| a.im.total_cmp(&b.im));
    let weave = weave.expect("four eigenvalues");
    let mut real: Vec<f64> =
        values.iter().filter(|value| value.im.abs() < 1e-9).map(|value| value.re).collect();
    real.sort_by(f64::total_cmp);
    let (caster, capsize) = (real.first(), real.get(1));
    let or_nan = |value: Option<&f64>| value.copied().unwrap_or(f64::NAN);
    [weave.re, weave.im, or_nan(capsize), or_nan(caster)]
}

/// The speed at which an eigenvalue crosses zero.
fn root(
    system: &mut Assembly,
    [mut low, mut high]: [f64; 2],
    of: impl Fn([f64; 4]) -> f64,
) -> Result<f64, Diagnosis> {
    let at_low = of(named(&small_motions(system, low)?));
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        let value = of(named(&small_motions(system, middle)?));
        if (value > 0.0) == (at_low > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(0.5 * (low + high))
}
