//! Tables in runs: motions follow them with their derivatives, springs store energy, and a run stops where a table ends.

mod common;

use common::Place;
use common::columns::{Columns, near};

const SLIDE: &str = r#"
[body.cart]
mass = 2
inertia = [1, 1, 1]
[joint.guide]
prismatic = { between = ["ground", "cart"], at = [0, 0, 0], along = "x" }
"#;

/// Points of a cubic, which a spline through them is.
fn course(t: f64) -> [f64; 3] {
    [0.3 * t.powi(3) - 0.5 * t * t + 0.2 * t, 0.9 * t * t - t + 0.2, 1.8 * t - 1.0]
}

#[test]
fn a_motion_by_a_spline_has_its_derivatives() {
    let times = [0.0, 0.3, 0.5, 0.9, 1.4, 2.0, 3.1];
    let rows: String = times.iter().map(|t| format!("{t};{}\n", course(*t)[0])).collect();
    let place = Place::new();
    place.write("course.csv", &format!("time;way\n{rows}"));
    let text = format!(
        "{SLIDE}\n[table.course]\nfile = \"course.csv\"\ninterpolation = \"spline\"\n\
         [motion.drive]\njoint = \"guide\"\ndisplacement = \"course(t)\"\n[solve]\nuntil = 3.0\n\
         formulation = \"pva\"\n"
    );
    let said = place.run(&text, &[], "out");
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    let run = Columns::read(&place, "out", 3.0);
    let t = run.column("t");
    let exact =
        |k: usize, factor: f64| t.iter().map(|t| factor * course(*t)[k]).collect::<Vec<_>>();
    near("way", &run.column("guide.displacement"), &exact(0, 1.0), 1e-9);
    near("speed", &run.column("guide.displacement_velocity"), &exact(1, 1.0), 1e-9);
    near("effort", &run.column("drive.effort"), &exact(2, 2.0), 1e-9);
}

#[test]
fn a_spring_by_a_table_keeps_energy() {
    // u" = −f(u)/m with f through points; energy must stay, whatever the interpolation
    for kind in ["linear", "monotone", "spline"] {
        let text = format!(
            "{SLIDE}\n[table.coil]\npoints = [[-0.4, 9], [-0.1, 1], [0, 0], [0.2, -3], [0.5, -12]]\n\
             interpolation = \"{kind}\"\nbeyond = \"extend\"\n\
             [spring.coil]\njoint = \"guide\"\ntable = \"coil\"\n[force.push]\non = \"cart\"\nforce = [\"if(t < 0.5, 6, 0)\", 0, 0]\n\
             [solve]\nuntil = 3.0\ntolerance = 1e-9\n"
        );
        let place = Place::new();
        place.run(&text, &[], "out");
        let audit = place.audit("out");
        let run = Columns::read(&place, "out", 3.0);
        assert!(run.largest("guide.displacement") > 0.3, "{kind}");
        // a wrong integral of the table would be off by about as much as is exchanged
        let [defect, exchanged] = ["energy_defect", "energy_exchanged"]
            .map(|key| audit[key].as_f64().unwrap_or_else(|| panic!("no {key} in {audit}")));
        assert!(exchanged > 1.0 && defect < 1e-4 * exchanged, "{kind}: {defect} of {exchanged}");
    }
}

#[test]
fn a_run_stops_where_a_table_ends_and_says_so() {
    let text = format!(
        "{SLIDE}\n[table.wind]\nx = [0, 1, 2]\ny = [0, 1, 0]\n\
         [force.push]\non = \"cart\"\nforce = [\"wind(t)\", 0, 0]\n[solve]\nuntil = 3.0\n"
    );
    let place = Place::new();
    place.write("model.toml", &text);
    let said = place.rotula(&["run", "model.toml", "-o", "out"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stderr.contains("of a table from 0 to 2"), "{}", said.stderr);
    // until the end of the table all is well
    place.run(&text, &["solve.until=2"], "whole");
    let run = Columns::read(&place, "whole", 2.0);
    // ∫ wind = 1 N s on 2 kg
    let speed = run.column("guide.displacement_velocity");
    assert!((speed[speed.len() - 1] - 0.5).abs() < 1e-6, "{:?}", speed.last());
    near("hold", &[0.5], &[run.largest("guide.displacement_velocity")], 1e-6);
}

#[test]
fn a_motion_by_lines_is_warned_of() {
    let text = format!(
        "{SLIDE}\n[table.course]\nx = [0, 1, 2]\ny = [0, 1, 1.5]\n[motion.drive]\njoint = \"guide\"\n\
         displacement_velocity = \"course(t)\"\n[solve]\nuntil = 2.0\n"
    );
    let place = Place::new();
    let said = place.run(&text, &[], "out");
    assert!(said.stderr.contains("accelerations jump at each of its points"), "{}", said.stderr);
    let run = Columns::read(&place, "out", 2.0);
    let way = run.column("guide.displacement");
    assert!((way[way.len() - 1] - (0.5 + 1.25)).abs() < 1e-8, "{:?}", way.last());
}

#[test]
fn tables_serve_equations_too() {
    let text = "[table.pull]\nx = [-2, -1, 0, 1, 2]\ny = [4, 1.5, 0, -1.5, -4]\ninterpolation = \"monotone\"\n\
                [coordinates]\nu = { at = 1, velocity = 0 }\n[mass]\nu = 1\n[force]\nu = \"pull(u)\"\n\
                [output]\ns = \"pull'(u)\"\n[solve]\nuntil = 5\nstep = 1e-3\n";
    let run = Columns::of(text, 5.0);
    let u = run.column("u");
    let lowest = u.iter().copied().fold(0.0, f64::min);
    assert!((lowest + 1.0).abs() < 1e-4, "an odd force swings to the other side: {lowest}");
    assert!(run.column("s").iter().all(|slope| *slope < 0.0));
}
