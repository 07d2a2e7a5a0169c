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
    refused(&["model.toml:6:23", "blade.dat cannot be read", "name a blade file"]);
    place.write("blade.dat", &file(&[0.0, 0.3, 0.9]));
    refused(&["blade.dat:11: stations go from 0 to 0.9"]);
    place.write("blade.dat", &file(&[0.0, 1.0]).replace("2   station_total", "5   station_total"));
    refused(&["2 whole stations", "not 5"]);
    place.write("model.toml", &model.replace("blade.dat\"", "blade.dat\", circle = 0.1"));
    refused(&["the blade file says how stiff", "remove it"]);
}

/// The same blade in the two forms of HAWC2, whose x axis points against the y axis of BeamDyn, and whose y axis is its x axis.
#[test]
fn a_blade_of_hawc2_is_that_of_beamdyn() {
    let place = Place::new();
    place.write("blade.dat", &file(&[0.0, 1.0]));
    place.run(&blade("beamdyn = \"blade.dat\""), &[], "beamdyn");
    let known = Columns::read(&place, "beamdyn", 0.2);
    let [sx, sy, stretch, bx, by, twist] = STIFFNESS;
    let row = |r: f64| {
        let scale = 1.0 - 0.5 * r / 3.0;
        let [m, _, _, ix, iy, _] = MASS.map(|value| value * scale);
        // rotary inertia about x of BeamDyn is that about y of HAWC2
        let radii = [f64::sqrt(iy / m), f64::sqrt(ix / m)];
        let k = [sy, sx, stretch, by, bx, twist].map(|value| value * scale);
        // bending about x of BeamDyn is that about y of HAWC2, and couples with twist
        let c = COUPLING * scale;
        format!(
            "{r} {m} 0 0 {} {} 0 0 0 {} 0 0 0 0 0 {} 0 0 0 0 {} 0 0 0 {} 0 0 {} {c} {}\n",
            radii[0], radii[1], k[0], k[1], k[2], k[3], k[4], k[5]
        )
    };
    place.write("st.dat", &format!("1 sets\n#1 blade\n r m …\n$1 2\n{}{}", row(0.0), row(3.0)));
    place.run(&blade("hawc2 = \"st.dat\""), &[], "hawc2");
    let found = Columns::read(&place, "hawc2", 0.2);
    assert!(known.largest("blade.6.z") > 0.05);
    for column in ["blade.6.x", "blade.6.y", "blade.6.z", "blade.6.qx", "blade.start.mx"] {
        near(column, &found.column(column), &known.column(column), 1e-7);
    }
}

/// The blade of the IEA 15 MW turbine, from the published table of its sections: its mass as others found it from the same matrices (66.938 t), and its
/// lowest frequencies below those of beams without shear and offsets of centres (cubic finite elements, 160 of them: 0.5174 and
/// 0.7207 Hz), by a few parts in a hundred.
#[test]
fn the_blade_of_a_reference_turbine() {
    let place = Place::new();
    place.write("st.dat", &common::model("iea_15mw_blade_st.dat"));
    let text = "gravity = [0, 0, -9.81]\n[beam.blade]\nto = [117.18, 0, 0]\nelements = 48\nsection = { hawc2 = \"st.dat\", set = [1, 1] }\n\
        damping = 1e-3\nstart = \"ground\"\n[solve]\nuntil = 0.1\n";
    place.write("model.toml", text);
    let said = place.rotula(&["modes", "model.toml", "--count", "2"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let lines = said.stdout.lines().filter(|line| line.contains(" Hz"));
    let found: Vec<f64> =
        lines.map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap()).collect();
    for (found, slender) in found.iter().zip([0.5174, 0.7207]) {
        assert!((0.95..1.0).contains(&(found / slender)), "{found} Hz of {slender}");
    }
    let said = place.rotula(&["statics", "model.toml", "-o", "rest"]);
    let line = said.stdout.lines().find(|line| line.contains("blade.start.fz")).unwrap();
    let weight: f64 = line.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!((weight / -9.81 / 66938.0 - 1.0).abs() < 2e-3, "{} kg", weight / -9.81);
}

/// The same blade along its published line, swept, bent and twisted. A finite-element program of its own, in Python, reads both files by the
/// manual of HAWC2 and joins four hundred straight elements of two nodes, in the axes of HAWC2: its lowest frequencies (with a hundred
/// elements less by no more than 0.02 %). The report of the turbine, 0.555 and 0.642 Hz, is about an earlier blade.
#[test]
fn the_blade_of_a_reference_turbine_along_its_line() {
    let place = Place::new();
    place.write("st.dat", &common::model("iea_15mw_blade_st.dat"));
    place.write("blade.htc", &common::model("iea_15mw_blade.htc"));
    let text = "[beam.blade]\nc2_def = { file = \"blade.htc\", body = \"blade1\" }\nelements = 48\n\
        section = { hawc2 = \"st.dat\", set = [1, 1] }\nstart = \"ground\"\n";
    place.write("model.toml", text);
    let said = place.rotula(&["modes", "model.toml", "--count", "6", "--json", "modes.json"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let modes = place.json("modes.json");
    let others = [0.505356, 0.693823, 1.480034, 2.141291, 2.935801, 4.242418];
    for (k, other) in others.into_iter().enumerate() {
        let found = modes["modes"][k]["frequency"].as_f64().unwrap();
        assert!((found / other - 1.0).abs() < 5e-3, "{found} Hz, not {other}");
    }
}

/// A line of half chords is a line of points, with its twist.
#[test]
fn half_chords_of_hawc2_are_a_line_with_twist() {
    let place = Place::new();
    let chords = "begin main_body;\n name blade ;\n begin c2_def;\n nsec 3;\n sec 1 0 0 0 -10 ;\n sec 2 0 0 1.5 -5 ;\n sec 3 0 0 3 0 ;\n end c2_def;\nend main_body;\n";
    place.write("m.htc", chords);
    let section =
        "stiffness = [2e8, 3e7, 4e7, 2e4, 5e4, 9e4], mass = 6, inertia = [0.07, 0.02, 0.05]";
    let known = blade(section)
        .replace("to = [3, 0, 0]", "to = [3, 0, 0]\ntwist = \"-10*deg*(1 - station)\"");
    place.run(&known, &[], "known");
    let chords = "c2_def = { file = \"m.htc\", body = \"blade\" }";
    place.run(&blade(section).replace("to = [3, 0, 0]", chords), &[], "found");
    let [known, found] = ["known", "found"].map(|run| Columns::read(&place, run, 0.2));
    for column in ["blade.6.x", "blade.6.y", "blade.6.z", "blade.6.qx"] {
        near(column, &found.column(column), &known.column(column), 1e-7);
    }
}
