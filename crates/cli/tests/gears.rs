//! Elastic teeth with play: frequency of a pair, transmission error under load, and rattling, each against its closed form.

mod common;

use common::Place;
use common::columns::Columns;

/// A pinion and a wheel side by side; their teeth and whatever else follows.
fn pair(mesh: &str, rest: &str) -> String {
    format!(
        r#"
[body.pinion]
mass = 1
inertia = [1, 1, 0.002]

[body.wheel]
mass = 4
inertia = [1, 1, 0.03]
at = [0.16, 0, 0]

[joint.input]
revolute = {{ between = ["ground", "pinion"], at = [0, 0, 0], about = "z" }}

[joint.output]
revolute = {{ between = ["ground", "wheel"], at = [0.16, 0, 0], about = "z" }}

[coupling.teeth]
mesh = {{ joints = ["input", "output"], radii = [0.05, 0.1], {mesh} }}
{rest}
"#
    )
}

/// How soft the pair is along the line of action: 1/m = r₁²/J₁ + r₂²/J₂.
const INVERSE_MASS: f64 = 0.05 * 0.05 / 0.002 + 0.1 * 0.1 / 0.03;

#[test]
fn a_pair_vibrates_at_its_frequency() {
    let text = pair("stiffness = 1e6", "[solve]\nuntil = 0.05\nformulation = \"explicit\"\n")
        .replace(
            "inertia = [1, 1, 0.002]",
            "inertia = [1, 1, 0.002]\nangular_velocity = [0, 0, 2]",
        );
    let place = Place::new();
    place.run(&text, &["solve.output_every=1e-4"], "out");
    let run = Columns::read(&place, "out", 0.05);
    let omega = f64::sqrt(1e6 * INVERSE_MASS);
    let amplitude = 0.05 * 2.0 / omega;
    let [t, approach, force] = ["t", "teeth.approach", "teeth.force"].map(|name| run.column(name));
    for row in 0..t.len() {
        let exact = amplitude * f64::sin(omega * t[row]);
        assert!((approach[row] - exact).abs() < 1e-6 * amplitude, "{}: {exact}", t[row]);
        assert!((force[row] + 1e6 * exact).abs() < 1e6 * 1e-6 * amplitude, "{}", t[row]);
    }
}

#[test]
fn the_transmission_error_has_the_frequency_of_the_mesh() {
    // slowly: the teeth give way by the load over the stiffness of the moment, once per tooth
    let mesh = "stiffness = 2e8, damping = 2000, backlash = 1e-4, teeth = 20, harmonics = [0.2, 0.05], phases = [0.3, 1.0]";
    let rest = "[motion.drive]\njoint = \"input\"\nangle_velocity = \"step(t, 0, 0, 0.1, 0.5)\"\n\
                [solve]\nuntil = 3\noutput_every = 0.01\n";
    let text = pair(mesh, rest)
        .replace("[joint.output]", "[joint.output]\ntorque = \"-30*step(t, 0, 0, 0.1, 1)\"");
    let place = Place::new();
    place.run(&text, &[], "out");
    let run = Columns::read(&place, "out", 3.0);
    let [t, angle, approach, force] =
        ["t", "input.angle", "teeth.approach", "teeth.force"].map(|name| run.column(name));
    let (mut least, mut most) = (f64::INFINITY, 0.0);
    // the motor turns on and the load turns back: flanks touch on the side of negative approach
    for row in (0..t.len()).filter(|&row| t[row] > 0.5) {
        let phase = 20.0 * angle[row];
        let k = 2e8 * (1.0 + 0.2 * f64::cos(phase - 0.3) + 0.05 * f64::cos(2.0 * phase - 1.0));
        let give = 300.0 / k;
        assert!((force[row].abs() - 300.0).abs() < 0.3, "{}: {}", t[row], force[row]);
        let found = approach[row].abs() - 0.5e-4;
        assert!((found - give).abs() < 1e-3 * 1.5e-6, "{}: {found} {give}", t[row]);
        (least, most) = (f64::min(least, give), f64::max(most, give));
    }
    assert!(most > 1.4 * least, "the teeth of the test come and go: {least} {most}");
}

#[test]
fn wheels_rattle_in_their_play() {
    // free flight through the play, half a vibration at each flank
    let (speed, backlash) = (0.05 * 2.0, 2e-4);
    let omega = f64::sqrt(1e6 * INVERSE_MASS);
    let text = pair(
        "stiffness = 1e6, backlash = 2e-4",
        "[solve]\nuntil = 0.06\ntolerance = 1e-13\nformulation = \"explicit\"\n",
    )
    .replace("inertia = [1, 1, 0.002]", "inertia = [1, 1, 0.002]\nangular_velocity = [0, 0, 2]");
    let place = Place::new();
    place.run(&text, &["solve.output_every=1e-4"], "out");
    let run = Columns::read(&place, "out", 0.06);
    let [t, approach, force] = ["t", "teeth.approach", "teeth.force"].map(|name| run.column(name));
    let (flight, contact) = (backlash / speed, std::f64::consts::PI / omega);
    let depth = speed / omega;
    let (mut touched, mut turns) = (0, 0);
    for row in 0..t.len() {
        // counted from the last time at the left flank
        let way = t[row] + 0.5 * flight;
        turns = (way / (flight + contact)) as usize;
        let phase = way - turns as f64 * (flight + contact);
        let exact = match phase < flight {
            true => speed * phase - 0.5 * backlash,
            false => 0.5 * backlash + depth * f64::sin(omega * (phase - flight)),
        };
        let exact = if turns % 2 == 0 { exact } else { -exact };
        assert!((approach[row] - exact).abs() < 1e-6 * depth, "{}: {exact}", t[row]);
        let touching = exact.abs() > 0.5 * backlash + 1e-6 * depth;
        touched += usize::from(touching);
        assert!(touching || force[row].abs() < 1e-5 * 1e6 * depth, "{}", t[row]);
    }
    assert!(touched > 20 && turns > 10, "{touched} rows of contact, {turns} turns");
}

/// Base radii of 5 and 10 cm at a distance of 16 cm: teeth press at an angle whose cosine is 15/16, away from each other, whichever flank presses.
#[test]
fn teeth_load_the_bearings() {
    let sine = f64::sqrt(1.0 - 0.9375 * 0.9375);
    for (way, backlash) in [(1.0, 0.0), (-1.0, 0.0), (1.0, 1e-4), (-1.0, 1e-4)] {
        let rest = format!(
            "[force.turn]\non = \"pinion\"\nmoment = [0, 0, \"{way}*40*step(t, 0, 0, 0.1, 1)\"]\n\
             [spring.hold]\njoint = \"output\"\nstiffness = 1e4\ndamping = 60\nfree_length = 0\n[solve]\nuntil = 1\ntolerance = 1e-8\n"
        );
        let mesh = format!("stiffness = 1e7, damping = 2000, backlash = {backlash}");
        let run = Columns::of(&pair(&mesh, &rest), 1.0);
        let last = |name: &str| *run.column(name).last().unwrap();
        // at rest f = M/r along the line of action
        let force = 40.0 / 0.05;
        let near = |what: &str, wanted: f64| {
            assert!(
                (last(what) - wanted).abs() < 1e-4 * force,
                "{what} is {}, not {wanted}",
                last(what)
            );
        };
        near("teeth.force", -way * force);
        // on the wheel, which lies at +x
        near("teeth.fx", force * sine);
        near("teeth.fy", way * force * 0.9375);
        near("output.fx", -force * sine);
        near("output.fy", -way * force * 0.9375);
        near("input.fx", force * sine);
        near("input.fy", way * force * 0.9375);
        let pressed = force / 1e7 + 0.5 * backlash;
        assert!((last("teeth.approach") - way * pressed).abs() < 1e-4 * pressed);
    }
}

/// A ring with teeth inside is pressed outwards, wherever it stands among the joints.
#[test]
fn rings_are_pressed_outwards() {
    for (joints, radii, on_ring) in [
        ("[\"planet\", \"ring\"]", "[0.03, -0.09]", 1.0),
        ("[\"ring\", \"planet\"]", "[-0.09, 0.03]", -1.0),
    ] {
        let text = format!(
            r#"
[body.small]
mass = 1
inertia = [1, 1, 0.002]
at = [0.064, 0, 0]
[body.large]
mass = 4
inertia = [1, 1, 0.03]
[joint.planet]
revolute = {{ between = ["ground", "small"], at = [0.064, 0, 0], about = "z" }}
[joint.ring]
revolute = {{ between = ["ground", "large"], at = [0, 0, 0], about = "z" }}
[force.turn]
on = "small"
moment = [0, 0, "6*step(t, 0, 0, 0.1, 1)"]
[spring.hold]
joint = "ring"
stiffness = 1e4
damping = 60
free_length = 0
[coupling.teeth]
mesh = {{ joints = {joints}, radii = {radii}, stiffness = 1e7, damping = 2000 }}
[solve]
until = 1
tolerance = 1e-8
"#
        );
        let run = Columns::of(&text, 1.0);
        let last = |name: &str| *run.column(name).last().unwrap();
        let (force, cosine): (f64, f64) = (200.0, 0.06 / 0.064);
        let sine = f64::sqrt(1.0 - cosine * cosine);
        let near = |what: &str, value: f64, wanted: f64| {
            assert!(
                (value - wanted).abs() < 1e-4 * force,
                "{joints} {what} is {value}, not {wanted}"
            );
        };
        // the planet turns anticlockwise and takes the ring along, which lies beyond it at +x
        near("teeth.fx", on_ring * last("teeth.fx"), force * sine);
        near("teeth.fy", on_ring * last("teeth.fy"), force * cosine);
        near("ring.fx", last("ring.fx"), -force * sine);
        near("planet.fx", last("planet.fx"), force * sine);
        near("planet.fy", last("planet.fy"), force * cosine);
    }
}
