//! Copies of parts move as the same machine written out, and mirror images as mirrors show.

mod common;

use common::columns::{Columns, near};

const CHAIN: &str = r#"
gravity = [0, 0, -9.81]
[part.link.parameters]
length = 0.2
[part.link.body.plate]
mass = "3*length"
inertia = [1e-4, 2e-3, 2e-3]
at = ["length/2", 0, 0]
[use.link]
part = "link"
count = 6
at = ["0.2*i", 0, 0]
[joint.base]
revolute = { between = ["ground", "link[0].plate"], at = [0, 0, 0], about = "y" }
[part.pin.joint.pin]
revolute = { between = ["link[i].plate", "link[i+1].plate"], at = [0, 0, 0], about = "y" }
spring = { damping = 0.002 }
[use.pin]
part = "pin"
count = 5
at = ["0.2*(i + 1)", 0, 0]
"#;

const UNTIL: &str = "[solve]\ntolerance = 1e-8\nuntil = 0.6\n";

#[test]
fn a_chain_of_copies_moves_as_one_written_out() {
    let mut written = "gravity = [0, 0, -9.81]\n".to_owned();
    for k in 0..6 {
        let x = 0.2 * f64::from(k) + 0.1;
        written += &format!(
            "[body.l{k}]\nmass = {}\ninertia = [1e-4, 2e-3, 2e-3]\nat = [{x}, 0, 0]\n",
            3.0 * 0.2
        );
    }
    written += "[joint.base]\nrevolute = { between = [\"ground\", \"l0\"], at = [0, 0, 0], about = \"y\" }\n";
    for k in 0..5 {
        let x = 0.2 * f64::from(k + 1);
        written += &format!(
            "[joint.p{k}]\nrevolute = {{ between = [\"l{k}\", \"l{}\"], at = [{x}, 0, 0], about = \"y\" }}\n\
             spring = {{ damping = 0.002 }}\n",
            k + 1
        );
    }
    let (copies, written) = (format!("{CHAIN}{UNTIL}"), written + UNTIL);
    let [copies, written] = [&copies, &written].map(|text| Columns::of(text, 0.6));
    assert_eq!(copies.rows(), written.rows());
    for k in 0..6 {
        for word in ["x", "z"] {
            let [a, b] = [format!("link[{k}].plate.{word}"), format!("l{k}.{word}")];
            near(&a, &copies.column(&a), &written.column(&b), 1e-12);
        }
    }
    for k in 0..5 {
        for word in ["angle", "fx", "fz"] {
            let [a, b] = [format!("pin[{k}].pin.{word}"), format!("p{k}.{word}")];
            let size = written.largest(&b);
            near(&a, &copies.column(&a), &written.column(&b), 1e-10 * size.max(1.0));
        }
    }
    assert!(written.largest("p4.angle") > 0.3, "it moves");
}

/// A mechanism without any symmetry: hinges and slides by place and by frames, springs, loads in both axes.
const PART: &str = r#"
[part.limb.body.arm]
mass = 1.3
inertia = { xx = 0.05, yy = 0.06, zz = 0.04, xy = 0.005, yz = -0.004, xz = 0.006 }
centre = [0.1, 0.02, -0.03]
at = [0.2, 0.1, 0.3]
turned = { about = [1, 2, 0.5], by = 0.4 }

[part.limb.joint.hinge]
revolute = { between = ["ground", "arm"], at = [0, 0.1, 0.2], about = [0.2, 1, 0.4] }
spring = { stiffness = 3, damping = 0.1, free = 0.3 }
torque = "0.4*sin(3*t)"

[part.limb.body.slider]
mass = 0.7
inertia = [0.01, 0.02, 0.015]
at = [0.5, 0.2, 0.3]

[part.limb.joint.slide]
prismatic = { between = ["arm", "slider"], at = [0.5, 0.2, 0.3], along = [1, 0.3, 0.2] }
spring = { stiffness = 40, damping = 0.5, free = 0.05 }

[part.limb.body.tail]
mass = 0.4
inertia = [0.01, 0.011, 0.012]
at = [0.8, 0.2, 0.1]

[part.limb.frame.knee]
on = "slider"
world = [0.6, 0.25, 0.2]
turned = { about = [0, 1, 1], by = 0.7 }

[part.limb.frame.end]
on = "tail"
world = [0.6, 0.25, 0.2]
turned = { about = [0, 1, 1], by = 0.7 }

[part.limb.joint.knee]
revolute = { frames = ["knee", "end"] }
spring = { stiffness = 2, damping = 0.05, free = -0.2 }

[part.limb.body.cuff]
mass = 0.3
inertia = [0.01, 0.01, 0.01]
at = [0.9, 0.1, 0.1]

[part.limb.frame.rail]
on = "tail"
at = [0.1, 0, 0]
along = [0.3, 0.1, 1]

[part.limb.frame.shoe]
on = "cuff"
at = [0, 0.1, 0]
along = [0.3, 0.1, 1]

[part.limb.joint.cuff]
prismatic = { frames = ["rail", "shoe"] }
spring = { stiffness = 30, damping = 0.3, free = 0.02 }

[part.limb.frame.post]
on = "ground"
at = [0.3, 0.6, 0.4]

[part.limb.spring.coil]
between = ["post", "tail"]
stiffness = 5
free_length = 0.3

[part.limb.force.push]
on = "slider"
at = [0.1, 0, 0.05]
force = ["sin(t)", 0.5, "-0.2*t"]
moment = [0.1, "0.1*cos(2*t)", 0]

[part.limb.force.jet]
on = "tail"
axes = "body"
force = [0.2, "0.3*sin(4*t)", 0.1]
moment = [0, 0.02, "0.03*t"]

[part.limb.bushing.pad]
between = ["ground", "arm"]
at = [0, 0.3, 0.2]
stiffness = [20, 30, 40, 0.1, 0.2, 0.3]
preload = [0.1, -0.2, 0.3, 0.01, 0.02, -0.03]

[part.limb.sensor]
v = { velocity = "cuff", along = [1, 1, 0.5] }
w = { angular_velocity = "tail", along = [0.3, 1, 1] }

[use.plain]
part = "limb"
"#;

const SOLVE: &str = "[solve]\nuntil = 1.0\noutput_every = 0.01\ntolerance = 1e-9\n";

const SAME: [&str; 12] = [
    "hinge.angle",
    "slide.displacement",
    "knee.angle",
    "cuff.displacement",
    "hinge.angle_velocity",
    "slide.displacement_velocity",
    "knee.angle_velocity",
    "cuff.displacement_velocity",
    "coil.force",
    "coil.length",
    "v",
    "w",
];

/// Runs two copies and compares positions, as `image` takes them from one to the other, and what must be the same.
fn compare(gravity: [f64; 3], used: &str, image: impl Fn([f64; 3]) -> [f64; 3]) {
    let text =
        format!("gravity = {gravity:?}\n{PART}\n[use.other]\npart = \"limb\"\n{used}\n{SOLVE}");
    let run = Columns::of(&text, 1.0);
    for name in SAME {
        let [one, other] = ["plain", "other"].map(|copy| run.column(&format!("{copy}.{name}")));
        near(&format!("{used}: {name}"), &other, &one, 1e-6);
    }
    for body in ["arm", "slider", "tail", "cuff"] {
        let [one, other] =
            ["plain", "other"].map(|copy| run.vectors(&format!("{copy}.{body}"), ["x", "y", "z"]));
        for (one, other) in one.iter().zip(&other) {
            let expected = image(*one);
            let off = (0..3).map(|k| (expected[k] - other[k]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-6, "{used}: {body} is at {other:?}, not at {expected:?}");
        }
    }
    // it moves far enough to tell
    assert!(run.largest("plain.knee.angle") > 0.2, "{}", run.largest("plain.knee.angle"));
    assert!(run.largest("plain.slide.displacement") > 0.02);
}

#[test]
fn mirror_images_move_as_mirrors_show() {
    compare([0.0, 0.0, -9.81], "mirror = \"x\"", |[x, y, z]| [-x, y, z]);
    compare([0.0, 0.0, -9.81], "mirror = \"y\"", |[x, y, z]| [x, -y, z]);
    compare([0.0, -9.81, 0.0], "mirror = \"z\"\nat = [0, 1, 0.5]", |[x, y, z]| {
        [x, y + 1.0, 0.5 - z]
    });
}

#[test]
fn turned_copies_move_as_the_first_one_turned() {
    let (s, c) = 0.7_f64.sin_cos();
    let turned = "turned = { about = \"z\", by = 0.7 }\nat = [1, 2, 3]";
    compare([0.0, 0.0, -9.81], turned, |[x, y, z]| {
        [c * x - s * y + 1.0, s * x + c * y + 2.0, z + 3.0]
    });
    let both = "mirror = \"y\"\nturned = { about = \"z\", by = 0.7 }";
    compare([0.0, 0.0, -9.81], both, |[x, y, z]| [c * x + s * y, s * x - c * y, z]);
}

#[test]
fn copies_within_mirrored_copies_are_mirrored_once_more() {
    let nested = "[part.pair.use.a]\npart = \"limb\"\nmirror = \"y\"\n";
    let text = format!(
        "gravity = [0, 0, -9.81]\n{PART}\n{nested}\n[use.both]\npart = \"pair\"\nmirror = \"x\"\n{SOLVE}"
    );
    let run = Columns::of(&text, 1.0);
    let one = run.vectors("plain.tail", ["x", "y", "z"]);
    let two = run.vectors("both.a.tail", ["x", "y", "z"]);
    for ([x, y, z], [u, v, w]) in one.iter().zip(&two) {
        assert!((x + u).abs() < 1e-6 && (y + v).abs() < 1e-6 && (z - w).abs() < 1e-6);
    }
    near("angle", &run.column("both.a.knee.angle"), &run.column("plain.knee.angle"), 1e-6);
}
