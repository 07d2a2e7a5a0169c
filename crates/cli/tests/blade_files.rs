//! Blade files of BeamDyn: a beam with sections from a file moves as one with the same sections by formulas.

mod common;

use common::Place;
use common::columns::{Columns, near};

/// Stiffness and mass at the root of the test's blade, in the order of BeamDyn: shear x, shear y, stretch, bending x,
/// bending y, twist.
const STIFFNESS: [f64; 6] = [3e7, 4e7, 2e8, 5e4, 9e4, 2e4];
const MASS: [f64; 6] = [6.0, 6.0, 6.0, 0.02, 0.05, 0.07];
/// What couples bending about x to twist.
const COUPLING: f64 = 8e3;

/// A file of a blade that tapers to half of everything.
fn file(stations: &[f64]) -> String {
    let rows = |diagonal: [f64; 6], coupling: f64, scale: f64| {
        let entry = |i: usize, j: usize| match (i.min(j), i.max(j)) {
            (a, b) if a == b => scale * diagonal[a],
            (3, 5) => scale * coupling,
            _ => 0.0,
        };
        let row = |i: usize| (0..6).map(|j| format!("  {:.14E}", entry(i, j))).collect::<String>();
        (0..6).map(|i| row(i) + "\n").collect::<String>() + "\n"
    };
    let station = |s: &f64| {
        let scale = 1.0 - 0.5 * s;
        format!("  {s}\n{}{}", rows(STIFFNESS, COUPLING, scale), rows(MASS, 0.0, scale))
    };
    format!(
        " ------- BEAMDYN V1.00.* INDIVIDUAL BLADE INPUT FILE -----------------\n A blade of a test\n \
         ---------------------- BLADE PARAMETERS ----------------------------\n {}   station_total    - Number of blade input stations (-)\n  \
         1   damp_type        - Damping type: 0: no damping; 1: damped\n  ---------------------- DAMPING COEFFICIENT --------\n   \
         mu1  mu2  mu3  mu4  mu5  mu6\n   (-)  (-)  (-)  (-)  (-)  (-)\n  1E-3 1E-3 1E-3 1E-3 1E-3 1E-3\n \
         ---------------------- DISTRIBUTED PROPERTIES -----------------------\n{}",
        stations.len(),
        stations.iter().map(station).collect::<String>()
    )
}

/// A cantilever along x that is pulled aside by its tip, with a section.
fn blade(section: &str) -> String {
    format!(
        r#"
[beam.blade]
to = [3, 0, 0]
elements = 6
start = "ground"
section = {{ {section} }}
[force.pull]
on = "blade.end"
force = ["2e3*t", "3e3*t", "4e3*t"]
moment = ["500*t", 0, 0]
[solve]
until = 0.2
step = 1e-3
"#
    )
}

#[test]
fn a_blade_of_a_file_is_the_one_of_the_formulas() {
    // our x is the z axis of BeamDyn, our y its x, our z its y
    let [sx, sy, stretch, bx, by, twist] = STIFFNESS;
    let diagonal = [stretch, sx, sy, twist, bx, by];
    let row = |i: usize, diagonal: [f64; 6], coupling: f64| {
        let entry = |j: usize| match (i.min(j), i.max(j)) {
            (a, b) if a == b => format!("\"{}*(1 - 0.5*station)\"", diagonal[a]),
            (3, 4) => format!("\"{coupling}*(1 - 0.5*station)\""),
            _ => "0".into(),
        };
        format!("[{}]", (0..6).map(entry).collect::<Vec<_>>().join(", "))
    };
    let matrix = |diagonal: [f64; 6], coupling: f64| {
        (0..6).map(|i| row(i, diagonal, coupling)).collect::<Vec<_>>().join(", ")
    };
    let masses = [MASS[2], MASS[0], MASS[1], MASS[5], MASS[3], MASS[4]];
    let formulas = format!(
        "stiffness_matrix = [{}], mass_matrix = [{}]",
        matrix(diagonal, COUPLING),
        matrix(masses, 0.0)
    );
    let place = Place::new();
    place.run(&blade(&formulas), &[], "formulas");
    let known = Columns::read(&place, "formulas", 0.2);
    // sections lie between the stations of the file, too
    place.write("blade.dat", &file(&[0.0, 0.3, 0.7, 1.0]));
    place.run(&blade("beamdyn = \"blade.dat\""), &[], "file");
    let found = Columns::read(&place, "file", 0.2);
    assert!(known.largest("blade.6.z") > 0.05, "it bends: {}", known.largest("blade.6.z"));
    for column in ["blade.6.x", "blade.6.y", "blade.6.z", "blade.6.qx", "blade.start.mx"] {
        near(column, &found.column(column), &known.column(column), 1e-9);
    }
}

#[test]
fn files_that_are_none_are_refused_with_their_line() {
    let place = Place::new();
    let model = blade("beamdyn = \"blade.dat\"");
    place.write("model.toml", &model);
    let refused = |what: &[&str]| {
        let said = place.rotula(&["check", "model.toml"]);
        assert_eq!(said.status, 2, "{}", said.stdout);
        for what in what {
            assert!(said.stderr.contains(what), "{} does not say {what}", said.stderr);
        }
    };
    refused(&["model.toml:6:23", "blade.dat cannot be read", "blade file of BeamDyn"]);
    place.write("blade.dat", &file(&[0.0, 0.3, 0.9]));
    refused(&["blade.dat:11: stations go from 0 to 0.9"]);
    place.write("blade.dat", &file(&[0.0, 1.0]).replace("2   station_total", "5   station_total"));
    refused(&["2 whole stations", "not 5"]);
    place.write("model.toml", &model.replace("blade.dat\"", "blade.dat\", circle = 0.1"));
    refused(&["the blade file says how stiff", "remove it"]);
}
