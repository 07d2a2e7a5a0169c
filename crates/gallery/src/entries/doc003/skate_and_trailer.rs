//! Holonomic and nonholonomic constraints together, with equal and with changing steps: multipliers of second order
//! from the first step on.

use super::support::short;
use crate::curves::{Curve, convergence};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{larger, observed_orders, run_model, smaller};
use rotula_dae::Trajectory;

pub(super) const ENTRY: Entry = Entry {
    name: "skate-and-trailer",
    document: "003",
    title: "Skate with a trailer: holonomic and nonholonomic constraints together",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/skate-and-trailer/model.toml");

/// Steps of the runs.
const COUNTS: [usize; 3] = [100, 200, 400];
/// Instants at which runs are compared; the first is the end of the first step of the coarsest.
const INSTANTS: usize = COUNTS[0];

/// The first instant that has nothing to do with the start: 0.8 to the power of 30 steps is a thousandth.
const SETTLED: usize = 30;
/// How many times more accurate than the best run the reference is.
const BETTER: f64 = 20.0;

/// What a formulation does with positions and velocities.
#[derive(Clone, Copy, PartialEq)]
enum Meets {
    Both,
    Positions,
    Neither,
}

/// Words of a formulation, fractions of its steps if they change, and what it meets.
struct Way {
    name: &'static str,
    words: &'static [(&'static str, &'static str)],
    changing: bool,
    meets: Meets,
}

const fn way(
    name: &'static str,
    words: &'static [(&'static str, &'static str)],
    changing: bool,
    meets: Meets,
) -> Way {
    Way { name, words, changing, meets }
}

const WAYS: [Way; 18] = [
    way("index3", &[("formulation", "index3")], false, Meets::Positions),
    way("index3, changing steps", &[("formulation", "index3")], true, Meets::Positions),
    way("hht-i3", &[("formulation", "hht-i3")], false, Meets::Positions),
    way("hht-i3, changing steps", &[("formulation", "hht-i3")], true, Meets::Positions),
    way("index2", &[("formulation", "index2")], false, Meets::Neither),
    way("index1", &[("formulation", "index1")], false, Meets::Neither),
    way(
        "baumgarte",
        &[("formulation", "baumgarte"), ("baumgarte", "[20, 20]")],
        false,
        Meets::Neither,
    ),
    way("ggl", &[("formulation", "ggl")], false, Meets::Both),
    way("ggl, changing steps", &[("formulation", "ggl")], true, Meets::Both),
    way("ggl 73", &[("formulation", "ggl"), ("variant", "73")], false, Meets::Both),
    way("pva", &[("formulation", "pva")], false, Meets::Both),
    way("soi2", &[("formulation", "soi2")], false, Meets::Both),
    way("soi2, changing steps", &[("formulation", "soi2")], true, Meets::Both),
    way("projected", &[("formulation", "projected")], false, Meets::Both),
    way("dae-alpha", &[("formulation", "dae-alpha")], false, Meets::Both),
    way("dae-alpha cs", &[("formulation", "dae-alpha"), ("iteration", "cs")], false, Meets::Both),
    way("dae-alpha cm", &[("formulation", "dae-alpha"), ("iteration", "cm")], false, Meets::Both),
    way("nonsmooth", &[("formulation", "nonsmooth")], false, Meets::Both),
];

/// Positions and multipliers at the instants.
type Rows = Vec<[Vec<f64>; 2]>;

fn rows(trajectory: &Trajectory, stride: usize) -> Rows {
    let row = |i: usize| [&trajectory.q, &trajectory.multipliers].map(|t| t.row(i).to_vec());
    (0..trajectory.len()).step_by(stride).map(row).collect()
}

/// The largest differences of positions, of multipliers, and of multipliers once what the start excites has died away; no
/// number if the lengths differ.
fn differences(found: &Rows, exact: &Rows) -> [f64; 3] {
    if found.len() != exact.len() {
        return [f64::NAN; 3];
    }
    [(0, 0), (1, 0), (1, SETTLED)].map(|(k, from)| {
        let pairs = found.iter().zip(exact).skip(from).flat_map(|(a, b)| a[k].iter().zip(&b[k]));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, larger)
    })
}

/// A run of another method whose errors do not show here.
fn precise(tolerance: &str) -> Result<Rows, GalleryError> {
    let interval = (1.0 / INSTANTS as f64).to_string();
    let set = [
        ("solve.formulation", "bdf"),
        ("solve.tolerance", tolerance),
        ("solve.output_every", interval.as_str()),
    ];
    // the model has a step, which a tolerance excludes
    let text = MODEL.replace("step = 0.01\n", "");
    Ok(rows(&run_model(&text, &set)?.outcome.trajectory, 1))
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let exact = precise("1e-12")?;
    let trust = differences(&precise("1e-11")?, &exact);
    let mut best = f64::INFINITY;
    let (mut table, mut curves) = (Vec::new(), Vec::new());
    let steps: Vec<f64> = COUNTS.iter().map(|&count| 1.0 / count as f64).collect();
    for way in &WAYS {
        let name = way.name;
        let mut errors = [const { Vec::new() }; 3];
        let (mut energies, mut drifts) = (Vec::new(), Vec::new());
        for count in COUNTS {
            let step = (1.0 / count as f64).to_string();
            let keys: Vec<_> =
                way.words.iter().map(|(key, value)| (format!("solve.{key}"), *value)).collect();
            let mut set: Vec<(&str, &str)> =
                keys.iter().map(|(key, value)| (key.as_str(), *value)).collect();
            set.extend([
                ("solve.step", step.as_str()),
                ("solve.newton.tolerance", "1e-12"),
                // the default of index3 and hht-i3 only
                ("solve.start_acceleration", "clean"),
            ]);
            if way.changing {
                set.push(("solve.repeated", "[0.25, 0.75]"));
            }
            let trajectory = run_model(MODEL, &set)?.outcome.trajectory;
            let stride = count / INSTANTS * if way.changing { 2 } else { 1 };
            let found = differences(&rows(&trajectory, stride), &exact);
            errors.iter_mut().zip(found).for_each(|(list, error)| list.push(error));
            energies.push(trajectory.audit.energy_defect.unwrap_or(f64::NAN));
            drifts.push([trajectory.audit.position_residual, trajectory.audit.velocity_residual]);
        }
        let last = |values: &[f64]| observed_orders(&steps, values)[1];
        findings.near(format!("{name}: order of q"), last(&errors[0]), 2.0, 0.1);
        findings.near(format!("{name}: order of λ"), last(&errors[1]), 2.0, 0.1);
        findings.near(format!("{name}: order of λ, settled"), last(&errors[2]), 2.0, 0.1);
        best = smaller(best, errors[2][2]);
        findings.at_least(format!("{name}: order of the energy"), last(&energies), 1.9);
        let [position, velocity] = drifts[2];
        match way.meets {
            Meets::Neither => {
                let order = last(&drifts.iter().map(|drift| drift[0]).collect::<Vec<_>>());
                findings.at_least(format!("{name}: order of the drift"), order, 1.9);
            }
            meets => {
                findings.at_most(format!("{name}: residual of positions"), position, 1e-13);
                if meets == Meets::Both {
                    findings.at_most(format!("{name}: residual of velocities"), velocity, 1e-10);
                }
            }
        }
        let mut row = vec![name.to_owned()];
        for values in &errors {
            row.extend([short(values[1]), short(values[2]), format!("{:.2}", last(values))]);
        }
        row.push(short(energies[2]));
        table.push(row);
        if ["index3", "hht-i3", "ggl", "soi2"].contains(&name) {
            curves.push(Curve::new(name, &steps, &errors[1]));
        }
    }
    findings.at_most("bdf 1e-11 beside 1e-12: λ", trust[1], best / BETTER);
    let columns = [
        "",
        "q, 200 steps",
        "400",
        "order",
        "λ, 200 steps",
        "400",
        "order",
        "λ settled, 200 steps",
        "400",
        "order",
        "energy, 400 (J)",
    ];
    findings.table("Largest errors at a hundred instants of a second", &columns, table);
    let axes = ["step size (s)", "largest error of λ (N)"];
    findings.figure(convergence("Multipliers of skate and trailer", axes, "", curves));
    Ok(())
}
