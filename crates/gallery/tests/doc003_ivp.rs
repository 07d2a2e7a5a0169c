//! The entries of document 003 and of the public test set.

use rotula_gallery::{Entry, entries, run, work_precision};
use std::path::Path;

/// Errors below this are those of the reference.
const ROUNDING: f64 = 1e-11;

fn check(entry: &Entry) {
    let finished = run(entry);
    if std::env::var_os("ROTULA_PRINT").is_some() {
        print(&finished);
    }
    let failing: Vec<_> = finished.checks.iter().filter(|check| !check.ok).collect();
    assert_eq!(finished.error, None, "{}", entry.name);
    assert!(failing.is_empty(), "{}: {failing:#?}", entry.name);
    assert_eq!(finished.status, "pass", "{} checks nothing", entry.name);
}

fn print(finished: &rotula_gallery::Finished) {
    println!("# {} ({})", finished.name, finished.status);
    for table in &finished.findings.tables {
        println!("{}\n{}", table.title, table.columns.join(" | "));
        table.rows.iter().for_each(|row| println!("{}", row.join(" | ")));
    }
    finished.findings.notes.iter().for_each(|note| println!("{note}"));
}

fn named(name: &str) -> Entry {
    entries().into_iter().find(|entry| entry.name == name).expect("a listed entry")
}

macro_rules! entry_tests {
    ($($function:ident = $name:literal),* $(,)?) => {
        $(#[test] fn $function() { check(&named($name)); })*

        #[test]
        fn every_entry_has_a_test() {
            let tested = [$($name),*];
            for entry in entries().iter().filter(|e| e.document == "003" || e.document == "ivp") {
                assert!(tested.contains(&entry.name), "{} is not tested", entry.name);
            }
        }
    };
}

entry_tests! {
    hht_orders = "hht-orders",
    hht_error_estimate = "hht-error-estimate",
    hht_alternating = "hht-alternating",
    hht_conditioning = "hht-conditioning",
    hht_guard = "hht-guard",
    hht_refuses_alpha_zero = "hht-refuses-alpha-zero",
    double_pendulum_3d = "double-pendulum-3d",
    spatial_slider_crank = "spatial-slider-crank",
    pd_loop = "pd-loop",
    friction_pendulum = "friction-pendulum",
    knife_edge = "knife-edge",
    skate_and_trailer = "skate-and-trailer",
    gimbal = "gimbal",
    hht_tolerances = "hht-tolerances",
    hht_ball = "hht-ball",
    belt = "belt",
    track = "track",
    atv = "atv",
    andrews = "andrews",
    simeon_crank = "simeon-crank",
    elastic_beam = "elastic-beam",
}

/// Every method with error control: a tighter tolerance gives a smaller error, until rounding stops
/// it; and the runs can be drawn.
#[test]
fn errors_fall_with_the_tolerance() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("work_precision");
    let drawing = work_precision::diagram(&directory).unwrap();
    assert!(drawing.files.iter().all(|file| file.metadata().is_ok_and(|file| file.len() > 1000)));
    let mut violations = Vec::new();
    for run in &drawing.measured {
        if let Some(failure) = &run.failure {
            let name = (run.problem, run.method);
            violations.push(format!("{name:?} at {:e}: {failure}", run.tolerance));
        }
    }
    for pair in drawing.measured.windows(2) {
        let [loose, tight] = pair else { unreachable!() };
        let name = (tight.problem, tight.method);
        let (before, after) = (loose.path_error, tight.path_error);
        if (loose.problem, loose.method) == name && after >= before && after > ROUNDING {
            violations.push(format!("{name:?} at {:e}: {before:e} to {after:e}", tight.tolerance));
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
}
