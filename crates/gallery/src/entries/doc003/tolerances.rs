//! Cost and error over tolerances, beside those of the prototype of document 003.

use super::support::{numbers, reference, short};
use crate::curves::{Curve, comparison};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::rods::Coordinates::{Euler, Quaternion};
use crate::study::largest;
use crate::work_precision::{
    Case, andrews_squeezer, double_pendulum, measure, method, pd_loop, rod, spatial_slider_crank,
};
use rotula_report::Axis;
use serde_json::Value;

pub(super) const ENTRY: Entry = Entry {
    name: "hht-tolerances",
    document: "003",
    title: "HHT-I3 and BDF: steps, iterations and errors over tolerances",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/hht-tolerances/reference.json");
const METHODS: [(&str, &str); 3] =
    [("hht-i3", "REC"), ("hht-i3 paper", "PAPER"), ("bdf si2", "BDFSI2")];
const TOLERANCES: [&str; 5] = ["1e-03", "1e-04", "1e-05", "1e-06", "1e-07"];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let cases = [
        ("rod_q", "rod, quaternions", rod(Quaternion)),
        ("double3d_q", "double pendulum, quaternions", double_pendulum(Quaternion)),
        ("double3d_e", "double pendulum, Euler angles", double_pendulum(Euler)),
        ("slider_e", "slider crank, Euler angles", spatial_slider_crank(Euler)),
        ("andrews", "Andrews", andrews_squeezer()),
        ("pd", "PD loop", pd_loop()?),
    ];
    let (mut rows, mut figures) = (Vec::new(), Vec::new());
    for (key, name, mut case) in cases {
        let mut curves = Vec::new();
        for (method_name, mode) in METHODS {
            let path = format!("/table/{key}/{mode}");
            if data.pointer(&path).is_some() {
                let names = (name, method_name);
                curves.push(compare(findings, &mut rows, &mut case, names, (&data, &path))?);
            }
        }
        // one scale for all problems
        let axes = [
            Axis::log("accepted steps").between(20.0, 5e3),
            Axis::log("largest error of a position at the end").between(1e-9, 1.0),
        ];
        figures.push(comparison(
            &format!("Error against steps: {name}"),
            axes,
            "prototype",
            curves,
        ));
    }
    let columns = [
        "problem",
        "method",
        "tolerance",
        "steps/rejected/iterations/matrices",
        "prototype",
        "error",
        "prototype",
    ];
    findings.table("Cost and largest position error at the end", &columns, rows);
    figures.into_iter().for_each(|figure| findings.figure(figure));
    findings.note(
        "The prototype has another limit of the step size, another rule for the first steps and \
         another test of convergence; so counts agree only roughly. An error at the end that is \
         small by chance says nothing: each is compared with the largest that the prototype has at \
         this or a tighter tolerance. For the rod the prototype gives the error of the angle, which \
         is twice that of the centre of mass.",
    );
    Ok(())
}

/// How many times the error of the prototype is allowed: 6 % fewer steps make errors of second order larger by 13 %, and
/// steps at other phases of the motion those at one instant by as much again and more.
const ERRORS: f64 = 2.0;
/// Numbers of steps differ by the first steps and by the limit of the step size, which are not the same.
const STEPS: f64 = 0.06;
/// With `bdf` both differ also by where the order changes.
const ORDERS: (f64, f64) = (3.0, 0.2);

fn compare(
    findings: &mut Findings,
    rows: &mut Vec<Vec<String>>,
    case: &mut Case,
    (name, method_name): (&str, &str),
    (data, path): (&Value, &str),
) -> Result<Curve, GalleryError> {
    let mut drawn = [const { Vec::new() }; 4];
    let method = method(method_name)?;
    let sheet: Vec<Vec<f64>> = TOLERANCES
        .iter()
        .map(|tolerance| numbers(data, &format!("{path}/{tolerance}")))
        .collect::<Result<_, _>>()?;
    for (i, text) in TOLERANCES.iter().enumerate() {
        let tolerance: f64 = text.parse().expect("a constant of this file");
        let run = measure(case, &method, tolerance);
        let what = format!("{name}, {method_name}, {text}");
        if let Some(failure) = &run.failure {
            findings.note(format!("{what}: {failure}"));
        }
        let s = run.statistics;
        let worst = largest(sheet[i..].iter().map(|row| row[4]));
        let (errors, counts) =
            if method_name.starts_with("bdf") { ORDERS } else { (ERRORS, STEPS) };
        findings.at_most(format!("{what}: error"), run.error, errors * worst);
        findings.close(format!("{what}: steps"), s.steps as f64, sheet[i][0], counts);
        let rejected = s.rejected_by_error + s.rejected_by_iteration;
        let [steps, their_rejected, iterations, matrices, error] = sheet[i][..] else { continue };
        let values = [s.steps as f64, run.error, steps, error];
        drawn.iter_mut().zip(values).for_each(|(list, value)| list.push(value));
        rows.push(vec![
            name.to_owned(),
            method_name.to_owned(),
            text.to_string(),
            format!("{}/{rejected}/{}/{}", s.steps, s.iterations, s.factorisations),
            format!("{steps}/{their_rejected}/{iterations}/{matrices}"),
            short(run.error),
            short(error),
        ]);
    }
    Ok(Curve::new(method_name, &drawn[0], &drawn[1]).beside(&drawn[2], &drawn[3]))
}
