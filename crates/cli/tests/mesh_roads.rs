//! Roads from meshes: a tyre feels the surface that the triangles lie on.

mod common;

use common::Place;
use common::columns::Columns;
use std::fmt::Write;

/// The height of the road, and its slope along x.
fn wave(x: f64) -> [f64; 2] {
    [0.02 * (2.0 * x).sin(), 0.04 * (2.0 * x).cos()]
}

/// A surface of triangles through the waves, from x = −1 to 7, as an OBJ file; in millimetres.
fn surface() -> String {
    let (mut text, parts) = (String::new(), 400);
    for k in 0..=parts {
        let x = -1.0 + 8.0 * f64::from(k) / f64::from(parts);
        for y in [-0.5, 0.5] {
            writeln!(text, "v {} {} {}", 1e3 * x, 1e3 * y, 1e3 * wave(x)[0]).unwrap();
        }
    }
    for k in 0..parts {
        let a = 2 * k + 1;
        writeln!(text, "f {} {} {}\nf {} {} {}", a, a + 2, a + 3, a, a + 3, a + 1).unwrap();
    }
    text
}

/// A wheel is drawn along at a height of 27 cm.
fn model(road: &str) -> String {
    format!(
        r#"
[body.sled]
mass = 10
inertia = [1, 1, 1]
at = [0, 0, 0.27]
velocity = [3, 0, 0]
[body.wheel]
mass = 10
inertia = [0.5, 1, 0.5]
at = [0, 0, 0.27]
velocity = [3, 0, 0]
angular_velocity = [0, 10, 0]
[joint.guide]
prismatic = {{ between = ["ground", "sled"], at = [0, 0, 0.27], along = "x" }}
[joint.axle]
revolute = {{ between = ["sled", "wheel"], at = [0, 0, 0.27], about = "y" }}
[motion.draw]
joint = "guide"
displacement = "3*t"
[road.waves]
{road}
[tyre.tyre]
wheel = "wheel"
axle = "y"
brush = {{ radius = 0.3, stiffness = 2e5 }}
[solve]
until = 2
tolerance = 1e-6
"#
    )
}

#[test]
fn a_tyre_feels_the_surface_of_a_mesh() {
    let place = Place::new();
    place.write("waves.obj", &surface());
    place.run(&model("mesh = \"waves.obj\"\nscale = 1e-3\ngrid = 0.02"), &[], "out");
    let run = Columns::read(&place, "out", 2.0);
    let columns = ["t", "tyre.deflection"].map(|name| run.column(name));
    for (t, deflection) in columns[0].iter().zip(&columns[1]) {
        let [height, slope] = wave(3.0 * t);
        let exact = 0.3 - (0.27 - height) / slope.hypot(1.0);
        // grid points lie on vertices; a spline through them is off by their distance to the fourth power
        assert!((deflection - exact).abs() < 1e-6, "{deflection} is not {exact} at {t} s");
    }
    // beyond the mesh there is no road, and the run says so
    place.write("model.toml", &model("mesh = \"waves.obj\"\nscale = 1e-3\ngrid = 0.02"));
    let said = place.rotula(&["run", "model.toml", "--set", "solve.until=3", "-o", "far"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
}
