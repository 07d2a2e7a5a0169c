//! Loads along beams by formulas: shares of the length, places, velocities and axes of the sections.

mod common;

use common::Place;
use common::columns::{Columns, near};

/// A cantilever of a metre with what else belongs to it.
fn cantilever(beam: &str, rest: &str) -> String {
    format!(
        r#"
[beam.rod]
to = [1, 0, 0]
start = "ground"
section = {{ rectangle = [0.02, 0.01] }}
material = {{ young = 2e11, poisson = 0.3, density = 7800 }}
{beam}
{rest}
"#
    )
}

fn run(text: &str, until: f64) -> Columns {
    let place = Place::new();
    place.run(text, &[], "out");
    Columns::read(&place, "out", until)
}

const SOLVE: &str = "[solve]\nuntil = 0.05\nformulation = \"ggl\"\nstep = 5e-4\n";

#[test]
fn a_uniform_load_is_the_one_of_the_beam() {
    for nodes in [2, 3, 4] {
        let beam = format!("elements = 6\nnodes = {nodes}");
        let known = cantilever(&format!("{beam}\nload = [3, -20, 50]"), SOLVE);
        let known = run(&known, 0.05);
        let load = format!("[load.wind]\non = \"rod\"\nper_length = [3, -20, \"50\"]\n{SOLVE}");
        let found = run(&cantilever(&beam, &load), 0.05);
        let tip = 6 * (nodes - 1);
        let tip = ["x", "y", "z"].map(|axis| format!("rod.{tip}.{axis}"));
        for column in &tip {
            near(column, &found.column(column), &known.column(column), 1e-7);
        }
        // the share of a held end acts on the body that holds it
        for part in ["fx", "fy", "fz", "mx", "my", "mz"] {
            let [beam, own] = ["rod", "wind"].map(|of| found.column(&format!("{of}.start.{part}")));
            let whole: Vec<f64> = beam.iter().zip(own).map(|(a, b)| a + b).collect();
            near(part, &whole, &known.column(&format!("rod.start.{part}")), 1e-6);
        }
        // what acts at the nodes adds up to the whole
        let parts = ["start", "1", "2", "end"].map(|node| found.at(&format!("wind.{node}.fz"), 0));
        assert!(parts.iter().all(|part| *part > 0.0), "{parts:?}");
    }
}

#[test]
fn a_load_that_grows_along_the_beam_bends_it_as_it_should() {
    // w(L) = 11 q L⁴ / (120 E I) with q at the end
    let load = "[load.snow]\non = \"rod\"\nper_length = [0, 0, \"-10*station\"]\n\
                [solve]\nuntil = 0.001\ninitial = \"equilibrium\"\noutput_every = 2e-5\n";
    let found = run(&cantilever("elements = 40\nkind = \"spatial\"", load), 0.001);
    let bending = 2e11 * 0.02 * 0.01f64.powi(3) / 12.0;
    let exact = -11.0 * 10.0 / (120.0 * bending);
    let tip = found.at("rod.40.z", 0);
    assert!((tip - exact).abs() < 1e-3 * exact.abs(), "{tip} {exact}");
}

#[test]
fn drag_by_the_velocity_slows_a_free_beam_down() {
    // ρ A v' = −c v
    let text = r#"
[beam.rod]
to = [1, 0, 0]
elements = 5
section = { rectangle = [0.02, 0.01] }
material = { young = 2e11, poisson = 0.3, density = 7800 }
velocity = [3, -2, 1]
[load.air]
on = "rod"
per_length = ["-c*vx", "-c*vy", "-c*vz"]
[parameters]
c = 2
[solve]
until = 1
tolerance = 1e-9
output_every = 0.02
"#;
    let found = run(text, 1.0);
    let rate: f64 = 2.0 / (7800.0 * 0.02 * 0.01);
    let t = found.column("t");
    for (column, start) in [("rod.5.vx", 3.0), ("rod.0.vy", -2.0), ("rod.5.vz", 1.0)] {
        let exact: Vec<f64> = t.iter().map(|t| start * f64::exp(-rate * t)).collect();
        near(column, &found.column(column), &exact, 1e-6);
    }
}

#[test]
fn axes_of_sections_turn_loads_with_them() {
    // the same load said in two ways: in the axes of the sections, and by these axes in the world
    let load = |lines: &str| {
        let beam = "elements = 5\nsection = { rectangle = [0.02, 0.004] }";
        let text = cantilever(beam, &format!("[load.jet]\non = \"rod\"\n{lines}\n{SOLVE}"));
        text.replacen("section = { rectangle = [0.02, 0.01] }\n", "", 1)
    };
    let own = load(
        "axes = \"section\"\nper_length = [0, \"20*station\", \"60*sin(60*t)\"]\nmoment_per_length = [\"0.1*t\", 0, 0]",
    );
    let world = load(
        "per_length = [\"20*station*e2x + 60*sin(60*t)*e3x\", \"20*station*e2y + 60*sin(60*t)*e3y\", \"20*station*e2z + 60*sin(60*t)*e3z\"]\n\
         moment_per_length = [\"0.1*t*e1x\", \"0.1*t*e1y\", \"0.1*t*e1z\"]",
    );
    let (own, world) = (run(&own, 0.05), run(&world, 0.05));
    assert!(own.largest("rod.5.z") > 0.05, "it bends far: {}", own.largest("rod.5.z"));
    for column in ["rod.5.x", "rod.5.y", "rod.5.z", "jet.end.fx", "jet.3.fz"] {
        near(column, &own.column(column), &world.column(column), 1e-7);
    }
}

#[test]
fn velocities_in_both_axes_belong_together() {
    // v = u₁ e₁ + u₂ e₂ + u₃ e₃: the difference is no load at all
    let load = "[load.nothing]\non = \"rod\"\n\
        per_length = [\"1e3*(vx - ux*e1x - uy*e2x - uz*e3x)\", \"1e3*(vy - ux*e1y - uy*e2y - uz*e3y)\", \"1e3*(vz - ux*e1z - uy*e2z - uz*e3z)\"]\n\
        [load.push]\non = \"rod\"\nper_length = [0, \"30*station\", \"60*x\"]\n";
    let found = run(&cantilever("elements = 4", &format!("{load}{SOLVE}")), 0.05);
    assert!(found.largest("rod.4.vz") > 0.1);
    for part in ["fx", "fy", "fz"] {
        assert!(found.largest(&format!("nothing.end.{part}")) < 1e-9);
    }
}
