//! Flexible bodies.

use crate::{assert_close, run};
use rotula_model::Mechanism;

const ROD: &str = r#"beam = { length = 1.0, elements = 3, section = { rectangle = [0.02, 0.02] }, material = { young = 2e9, poisson = 0.3, density = 1000 } }"#;

/// A cantilever that is damped comes to rest where the books say: wL⁴/8EI, and its end turns by wL³/6EI.
#[test]
fn a_damped_cantilever_sags_by_its_weight() {
    let run = run(&format!(
        r#"
gravity = [0, 0, -9.81]
[flexible.arm]
{ROD}
damping = 0.7
[joint.clamp]
fixed = {{ between = ["ground", "arm.start"], at = [0, 0, 0] }}
[sensor]
tip = {{ position = "arm.end", along = "z" }}
[solve]
coefficients = {{ generalized-alpha = 0 }}
step = 5e-3
until = 2.0
"#
    ));
    let (ei, weight) = (2e9 * 0.02_f64.powi(4) / 12.0, 0.4 * 9.81);
    assert_close("sag", run.last("tip"), -weight / (8.0 * ei), 1e-6);
    assert_close("place", run.last("arm.end.z"), -weight / (8.0 * ei), 1e-6);
    // θ about y, and Cayley's map: the quaternion is (1, θ/2) made one long
    let turn = weight / (6.0 * ei);
    let half = 0.5 * turn / (1.0 + 0.25 * turn * turn).sqrt();
    assert_close("turn", run.last("arm.end.qy"), half, 1e-6);
    // the clamp carries the weight and its moment
    assert_close("force", run.last("clamp.fz").abs(), weight, 1e-6);
    assert_close("moment", run.last("clamp.my").abs(), 0.5 * weight, 1e-6);
    // amplitudes are recorded: the lowest one carries nearly all
    assert!(run.last("arm.q1").abs() > 1e-3 || run.last("arm.q2").abs() > 1e-3);
}

/// A damped cantilever under loads on its shapes: the tip goes where the books say.
#[test]
fn loads_on_shapes_bend_a_cantilever() {
    let (ei, length) = (2e9 * 0.02_f64.powi(4) / 12.0, 1.0_f64);
    let shear = 5.0 / 6.0 * 2e9 / 2.6 * 0.02 * 0.02;
    let timoshenko = ROD.replace("elements = 3", "elements = 3, theory = \"timoshenko\"");
    // of 13 nodes the seventh is in the middle, the last at the end
    let cases = [
        (ROD, "spread = [0, 0, -2]", 2.0 * length.powi(3) / (8.0 * ei)),
        (ROD, "nodes = [7]\nforce = [0, 0, -2]", 2.0 * 5.0 * length.powi(3) / (48.0 * ei)),
        (ROD, "nodes = [13, 7]\nforce = [0, 0, -2]", (1.0 / 3.0 + 5.0 / 48.0) / ei),
        // a moment bends it to ML²/2EI, one in the middle to (3/8)ML²/EI, beside a force as well
        (ROD, "interface = \"end\"\nmoment = [0, 2, 0]", 2.0 / (2.0 * ei)),
        (ROD, "nodes = [13]\nmoment = [0, 2, 0]", 2.0 / (2.0 * ei)),
        (ROD, "nodes = [7]\nmoment = [0, 2, 0]", 2.0 * 3.0 / (8.0 * ei)),
        (
            ROD,
            "nodes = [7, 13]\nforce = [0, 0, -2]\nmoment = [0, 2, 0]",
            (1.0 / 3.0 + 5.0 / 48.0 + 1.0 / 2.0 + 3.0 / 8.0) / ei,
        ),
        (&timoshenko, "nodes = [13]\nmoment = [0, 2, 0]", 2.0 / (2.0 * ei)),
        (&timoshenko, "spread = [0, 0, -2]", 2.0 / (8.0 * ei) + 1.0 / shear),
        (&timoshenko, "nodes = [13]\nforce = [0, 0, -2]", 2.0 / (3.0 * ei) + 2.0 / shear),
    ];
    for (rod, load, exact) in cases {
        let run = run(&format!(
            r#"
[flexible.arm]
{rod}
damping = 0.7
[load.push]
on = "arm"
{load}
factor = "min(2*t, 1)"
[joint.clamp]
fixed = {{ between = ["ground", "arm.start"], at = [0, 0, 0] }}
[sensor]
tip = {{ position = "arm.end", along = "z" }}
[solve]
coefficients = {{ generalized-alpha = 0 }}
step = 5e-3
until = 3.0
"#
        ));
        assert_close(load, run.last("tip"), -exact, 1e-6);
        // the clamp carries it all
        let pushes = !load.contains("moment") || load.contains("force");
        assert_close("force", run.last("clamp.fz").abs(), if pushes { 2.0 } else { 0.0 }, 1e-6);
    }
}

/// In a plane, with a torque and a chord frame: one turn of a free rod under a constant torque.
#[test]
fn a_planar_rod_turns_like_a_rigid_one() {
    let run = run(&format!(
        r#"
[flexible.rod]
kind = "planar"
modes = 2
{}
[joint.pin]
revolute = {{ between = ["ground", "rod.start"], at = [0, 0, 0], about = "z" }}
[force.motor]
on = "rod.start"
moment = [0, 0, 0.01]
[solve]
step = 1e-3
until = 0.5
"#,
        ROD.replace("elements = 3", "elements = 3, frame = \"chord\"")
    ));
    let inertia = 0.4 / 3.0 + 0.4 * 0.02_f64.powi(2) / 12.0;
    let angle = 0.5 * 0.01 / inertia * 0.25;
    assert_close("angle", run.last("pin.angle"), angle, 0.02 * angle);
}

/// A frame of an example, reduced as given.
fn meshed(how: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/models");
    format!("from = \"{folder}/atv_frame.inp\"\nreduce = {{ {how} }}")
}

/// A frame of tubes, clamped at its rear, gives way as finite elements say (own sheet of industrial models): 20.40378 µm per newton.
#[test]
fn a_mesh_is_reduced_when_the_model_is_read() {
    let frame = meshed(
        "interfaces = { left = 11, right = 12, head = 27 }, method = \"guyan\", damping = 0.7",
    );
    let run = run(&format!(
        r#"
[flexible.frame]
{frame}
[joint]
left.fixed = {{ between = ["ground", "frame.left"], at = [-0.80, 0.15, 0.12] }}
right.fixed = {{ between = ["ground", "frame.right"], at = [-0.80, -0.15, 0.12] }}
[force.push]
on = "frame.head"
force = [0, 0, -10]
[sensor]
head = {{ position = "frame.head", along = "z" }}
[solve]
coefficients = {{ generalized-alpha = 0 }}
step = 5e-3
until = 2.0
"#
    ));
    assert_close("sag", run.last("head") - 0.55, -204.0378e-6, 1e-8);
}

fn refused(text: &str) -> String {
    let error = Mechanism::parse(text, "model.toml", &[]).unwrap_err();
    format!("{error:?} {error}")
}

#[test]
fn faults_name_the_thing_and_the_remedy() {
    let cases = [
        ("[flexible.a]\nkind = \"planar\"\n".to_owned(), "flexible.a has no shapes"),
        ("[flexible.a]\nfrom = \"none.flex\"\n".to_owned(), "cannot be read"),
        (format!("[flexible.a]\n{ROD}\nmodes = 99\n"), "keep 0 to 12 of them"),
        (format!("[flexible.a]\n{}\n", meshed("interfaces = { a = 1.5 }")), "a is 1.5"),
        (format!("[flexible.a]\n{}\n", meshed("interfaces = { a = 999 }")), "999"),
        (format!("[flexible.a]\n{}\n", meshed("modes = 3")), "`reduce` misses `interfaces`"),
        (
            format!(
                "[flexible.a]\n{}\n",
                meshed("interfaces = { a = 1 }, method = \"guyan\", modes = 3")
            ),
            "no modes of vibration",
        ),
        (
            format!("[flexible.a]\n{ROD}\nreduce = {{ interfaces = {{ a = 1 }} }}\n"),
            "exclude each other",
        ),
        (
            format!("[flexible.a]\n{ROD}\n[load.l]\non = \"b\"\nspread = [0,0,1]\n"),
            "no flexible body or beam `b`",
        ),
        (format!("[flexible.a]\n{ROD}\n[load.l]\non = \"a\"\n"), "load.l has no load"),
        (
            format!("[flexible.a]\n{ROD}\n[load.l]\non = \"a\"\nforce = [0,0,1]\n"),
            "load.l acts nowhere",
        ),
        (
            format!("[flexible.a]\n{ROD}\n[load.l]\non = \"a\"\nnodes = [77]\nforce = [0,0,1]\n"),
            "the mesh has no node 77",
        ),
        (
            format!("[flexible.a]\n{ROD}\n[load.l]\non = \"a\"\nnodes = [1, 2]\npressure = 1\n"),
            "no face has all its nodes",
        ),
        (
            format!("[flexible.a]\n{ROD}\n[load.l]\non = \"a\"\nset = \"TOP\"\npressure = 1\n"),
            "the body has no set `TOP`",
        ),
        (
            format!("[flexible.a]\n{ROD}\n[load.l]\non = \"a\"\nshapes = [1, 2]\n"),
            "one for each of the 12 shapes",
        ),
        (
            format!(
                "[flexible.a]\n{ROD}\n[load.l]\non = \"a\"\ninterface = \"ned\"\nmoment = [0,0,1]\n"
            ),
            "no interface `ned`",
        ),
        (
            format!(
                "[flexible.a]\n{ROD}\n[load.l]\non = \"a\"\ninterface = \"end\"\npressure = 1\n"
            ),
            "only a `force` and a `moment` act at interfaces",
        ),
        (format!("[flexible.a]\n{ROD}\nstress = [77]\n"), "the mesh has no node 77"),
        (
            format!(
                "[flexible.a]\n{ROD}\n[joint.j]\nfixed = {{ between = [\"ground\", \"a.strat\"], at = [0,0,0] }}\n"
            ),
            "a.start",
        ),
        (
            format!(
                "[flexible.a]\nkind = \"planar\"\n{}\n",
                ROD.replace("elements = 3", "elements = 3, bends = \"both\"")
            ),
            "out of the plane",
        ),
        (
            format!("[flexible.a]\n{}\n", ROD.replace("length = 1.0", "length = -1.0")),
            "its length is -1",
        ),
    ];
    for (text, expected) in cases {
        let found = refused(&text);
        assert!(found.contains(expected), "{text}\n{found}\nmisses {expected}");
    }
}

#[test]
fn odd_units_are_hinted_at() {
    let text = format!("[flexible.a]\n{}\n", ROD.replace("length = 1.0", "length = 1000.0"));
    let text = text.replace("density = 1000", "density = 1e-6") + "[solve]\nuntil = 1.0\n";
    let hints = Mechanism::parse(&text, "model.toml", &[]).unwrap().hints();
    assert!(hints.iter().any(|hint| hint.contains("--units mm")), "{hints:?}");
}
