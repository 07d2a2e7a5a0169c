//! Beams.

use crate::{assert_close, run};

/// A stiff rod that is let go turns like a rigid one, and its pin carries a quarter of its weight. Mass
/// that is put into n + 1 nodes resists turning more, by 1/2n².
#[test]
fn a_stiff_rod_on_a_pin_falls_like_a_rigid_one() {
    for (mass, more) in [("consistent", 0.0), ("lumped", 1.0 / 512.0)] {
        let run = run(&format!(
            r#"
gravity = [0, 0, -9.81]
[beam.rod]
to = [2, 0, 0]
elements = 16
mass = "{mass}"
damping = 1e-3
section = {{ rectangle = [0.1, 0.1] }}
material = {{ young = 2e11, poisson = 0.3, density = 1000 }}
[joint.pin]
revolute = {{ between = ["ground", "rod.start"], at = [0, 0, 0], about = "y" }}
[solve]
coefficients = {{ generalized-alpha = 0 }}
step = 1e-3
until = 0.05
"#
        ));
        // moment of the weight over inertia about the pin, per mass: L/2 and L²/3 + h²/12
        let inertia = 4.0 / 3.0 * (1.0 + more) + 0.01 / 12.0;
        let angle = 0.5 * 9.81 / inertia * 0.05_f64.powi(2);
        assert_close(mass, run.last("rod.16.z"), -2.0 * angle.sin(), 1e-5);
        let weight = 0.01 * 2.0 * 1000.0 * 9.81;
        let force = ["pin.fx", "pin.fy", "pin.fz"].map(|name| run.last(name));
        let force = force.iter().map(|f| f * f).sum::<f64>().sqrt();
        assert_close(mass, force, weight / 4.0, 0.02 * weight);
    }
}

/// A cantilever sags by wL⁴/8EI + wL²/2GA under a load that is there from the start, once damping has
/// brought it to rest; the moment in the middle of its first element is w(L − l/2)²/2.
#[test]
fn a_damped_cantilever_comes_to_rest_as_the_books_say() {
    for (nodes, elements) in [(2, 16), (3, 4), (4, 2)] {
        let run = run(&format!(
            r#"
[beam.arm]
to = [1, 0, 0]
start = "ground"
elements = {elements}
nodes = {nodes}
sections = [1]
load = [0, 0, -10]
damping = 0.05
section = {{ stiffness = [1e6, 4e5, 4e5, 300, 1000, 2000], mass = 1, inertia = [1e-3, 1e-3, 1e-3] }}
[sensor]
tip = {{ position = "arm.end" }}
[solve]
coefficients = {{ generalized-alpha = 0 }}
step = 5e-3
until = 3.0
"#
        ));
        let sag = 10.0 / (8.0 * 1000.0) + 10.0 / (2.0 * 4e5);
        assert_close("sag", run.last("tip.z"), -sag, 6e-3 * sag);
        let middle = 1.0 - 0.5 / f64::from(elements);
        // the load bends the beam down: about +y
        let moment = 10.0 * middle * middle / 2.0;
        // the bow of the moment over an element, which its shape does not follow
        let bow = 10.0 / f64::from(elements * elements) / 24.0;
        let tolerance = bow + 3e-3 * moment;
        assert_close("moment", run.last("arm.my1"), moment, tolerance);
        assert_close("curvature", run.last("arm.bend_y1"), moment / 1000.0, tolerance / 1000.0);
    }
}

/// Ends on bodies: a mass on a rod without bending about its axis.
#[test]
fn a_mass_on_a_beam_swings_at_its_frequency() {
    // a light shaft with a disc at its end: ω² = GJ/(L I)
    let run = run(r#"
[body.disc]
mass = 2
inertia = [0.5, 1, 1]
at = [1, 0, 0]
angular_velocity = [0.1, 0, 0]
[beam.shaft]
to = [1, 0, 0]
start = "ground"
end = "disc"
elements = 2
section = { stiffness = [1e6, 1e6, 1e6, 50, 1000, 1000], mass = 1e-6, inertia = [1e-9, 1e-9, 1e-9] }
[sensor]
rate = { angular_velocity = "disc", along = "x" }
[solve]
coefficients = { generalized-alpha = 1 }
step = 1e-3
until = 0.2
"#);
    assert_close("rate", run.last("rate"), 0.1 * (10.0_f64 * 0.2).cos(), 1e-5);
}
