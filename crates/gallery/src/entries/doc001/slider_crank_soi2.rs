//! Slider-crank: HHT-I3 drifts from the velocity constraints, HHT-SOI2 does not. [Jay & Negrut 2009, sheet §8.3]

use crate::curves::{Curve, comparison};
use crate::entries::doc000::errors::{Solution, measure};
use crate::entries::doc000::sheet::{Sheet, SheetTable};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{Run, larger, largest, run_model, smallest};
use rotula_dae::{Level, State, System};
use rotula_report::Axis;

const MODEL: &str = include_str!("../../../../../gallery/slider-crank-soi2/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/slider-crank-soi2/reference.json");
const REVOLUTION: f64 = std::f64::consts::TAU;

pub(crate) const ENTRY: Entry = Entry {
    name: "slider-crank-soi2",
    document: "001",
    title: "Slider-crank, HHT-I3 against HHT-SOI2: errors, drift, figures 6 and 7",
    run,
};

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    for set in ["A", "B"] {
        let solution = Solution::of_sheet(&sheet, &format!("set {set}: "))?;
        for table in sheet.tables(&format!("set {set}"))? {
            reproduce(findings, table, &solution)?;
        }
    }
    figures(findings, &sheet)?;
    findings.note(
        "The parameters of the paper's slider-crank are in its reference [8]; these are our own, so \
         the size of the drift is no check of the paper. The closed curve of Fig. 6, the law of the \
         drift (h squared) and the scatter at rounding level of Fig. 7 are.",
    );
    Ok(())
}

fn reproduce(
    findings: &mut Findings,
    table: &SheetTable,
    solution: &Solution,
) -> Result<(), GalleryError> {
    let stabilised = table.title.contains("SOI2");
    let mut drift = 0.0;
    table.reproduce(findings, |h| {
        let mut run = table.run(MODEL, h, &[])?;
        let coefficients = run.model.settings()?.coefficients;
        let pin = pin_velocities(&mut run);
        drift = larger(drift, run.outcome.trajectory.audit.velocity_residual);
        let extreme = |k: usize| largest(pin.iter().map(|v| v[k + 1].abs()));
        let mut values = Vec::new();
        for column in table.quantities() {
            values.push(match column.as_str() {
                "max |vx| of O" => extreme(0),
                "max |vy| of O" => extreme(1),
                _ => {
                    let one = std::slice::from_ref(column);
                    let exact = |_| solution.clone();
                    measure(one, &run.outcome, &mut run.system, coefficients, &exact)?[0]
                }
            });
        }
        Ok(values)
    })?;
    if stabilised {
        findings.at_most(format!("{}: max drift", table.title), drift, 1e-13);
    }
    Ok(())
}

/// Crank angle and velocity of the crank at pin O, after every step.
fn pin_velocities(run: &mut Run) -> Vec<[f64; 3]> {
    let trajectory = &run.outcome.trajectory;
    let sizes = run.system.sizes();
    let mut state = State::zeros(sizes);
    let mut residual = vec![0.0; sizes.multipliers()];
    let mut result = Vec::new();
    for i in 0..trajectory.len() {
        state.q.copy_from_slice(trajectory.q.row(i));
        state.v.copy_from_slice(trajectory.v.row(i));
        run.system.constraint(Level::Velocity, &state.point(), &mut residual);
        result.push([state.q[2], residual[0], residual[1]]);
    }
    result
}

/// Figures 6 and 7: set B, h = 1/1024, four seconds.
fn figures(findings: &mut Findings, sheet: &Sheet) -> Result<(), GalleryError> {
    let set = [
        ("parameters.g", "0"),
        ("parameters.omega0", "pi"),
        ("solve.until", "4.0"),
        ("solve.newton.matrix", "each-iteration"),
        ("solve.newton.tolerance", "1e-12"),
        ("solve.newton.max_iterations", "20"),
    ];
    let with = |formulation| {
        let mut options = set.to_vec();
        options.push(("solve.formulation", formulation));
        run_model(MODEL, &options)
    };
    let curve = pin_velocities(&mut with("index3")?);
    let sheet = sheet.vector("Fig. 6: vx min, vx max, vy min, vy max")?;
    let names = ["vx min", "vx max", "vy min", "vy max"];
    let ours = extremes(&curve);
    let mut rows = Vec::new();
    for ((name, value), expected) in names.iter().zip(ours).zip(sheet) {
        findings.close(format!("Fig. 6: {name} of pin O"), value, *expected, 0.01);
        rows.push(vec![name.to_string(), format!("{expected:.4e}"), format!("{value:.4e}")]);
    }
    findings.at_most(
        "Fig. 6: gap of the closed curve over its size",
        closure(&curve) / ours[1],
        0.02,
    );
    let scatter = extremes(&pin_velocities(&mut with("hht-soi2")?));
    let scatter = largest(scatter.iter().map(|value| value.abs()));
    findings.at_most("Fig. 7: scatter of pin O with HHT-SOI2", scatter, 1e-14);
    rows.push(vec!["largest, HHT-SOI2".into(), "9.2e-16".into(), format!("{scatter:.1e}")]);
    findings.table("velocity of pin O, set B, h = 1/1024, 4 s", &["", "sheet", "ours"], rows);
    let [x, y] = [1, 2].map(|k| curve.iter().map(|point| point[k]).collect::<Vec<f64>>());
    // the extremes of the sheet, each beside ours of the other direction
    let at = |k: usize, extreme: f64| curve.iter().find(|point| point[k] == extreme);
    let marks: Vec<(f64, f64)> = (0..4)
        .filter_map(|i| {
            let (k, other) = if i < 2 { (1, 2) } else { (2, 1) };
            let place = at(k, ours[i])?[other];
            Some(if i < 2 { (sheet[i], place) } else { (place, sheet[i]) })
        })
        .collect();
    let (mx, my): (Vec<f64>, Vec<f64>) = marks.into_iter().unzip();
    let axes = ["velocity along x (m/s)", "velocity along y (m/s)"].map(Axis::linear);
    let curves = vec![Curve::new("HHT-I3", &x, &y).beside(&mx, &my)];
    let title = "Fig. 6: velocity of pin O, set B, h = 1/1024, 4 s";
    findings.figure(comparison(title, axes, "extremes of the sheet", curves));
    Ok(())
}

fn extremes(curve: &[[f64; 3]]) -> [f64; 4] {
    let of = |k: usize| {
        let values = curve.iter().map(move |point| point[k]);
        [smallest(values.clone()), largest(values)]
    };
    let ([a, b], [c, d]) = (of(1), of(2));
    [a, b, c, d]
}

/// How far the second revolution is from the first: the largest distance at equal crank angles.
fn closure(curve: &[[f64; 3]]) -> f64 {
    // the first steps still settle
    let curve = &curve[20..];
    let mut gap = 0.0;
    for point in curve.iter().filter(|point| point[0] > curve[0][0] + REVOLUTION) {
        let angle = point[0] - REVOLUTION;
        let after = curve.partition_point(|other| other[0] < angle);
        let (a, b) = (curve[after - 1], curve[after]);
        let s = (angle - a[0]) / (b[0] - a[0]);
        let dx = point[1] - (a[1] + s * (b[1] - a[1]));
        let dy = point[2] - (a[2] + s * (b[2] - a[2]));
        gap = larger(gap, dx.hypot(dy));
    }
    gap
}
