//! `import = "robot.urdf"`.

use crate::{Run, assert_close, run, run_as};
use rotula_model::Mechanism;
use std::path::PathBuf;

const ARM: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.5 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.01" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="tip"/>
  <joint name="shoulder" type="continuous">
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 1 0"/>
    <dynamics damping="0.2"/>
  </joint>
  <joint name="glue" type="fixed">
    <origin xyz="1 0 0"/>
    <parent link="upper"/>
    <child link="tip"/>
  </joint>
</robot>"#;

/// Puts the robot beside a model that does not exist otherwise.
fn model(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("arm.urdf"), ARM).unwrap();
    folder.join("model.toml").display().to_string()
}

const SOLVE: &str = "[solve]\nformulation = \"index3\"\ntolerance = 1e-8\nuntil = 1.0\n";

fn swing(head: &str) -> Run {
    let rest =
        "[sensor]\nend = { position = \"tip\" }\n[spring.s]\njoint = \"shoulder\"\ndamping = 0.5\n";
    run_as(&model("swing"), &format!("gravity = [0, 0, -9.81]\n{head}\n{rest}{SOLVE}"))
}

/// A robot that was imported, and to which a damper was added, moves like one written by hand.
#[test]
fn a_robot_moves_like_one_written_by_hand() {
    let robot = swing("import = \"arm.urdf\"");
    let by_hand = run(&format!(
        r#"
        gravity = [0, 0, -9.81]
        [body.upper]
        mass = 2
        inertia = [0.01, 0.2, 0.2]
        centre = [0.5, 0, 0]
        [joint.shoulder]
        revolute = {{ between = ["ground", "upper"], at = [0, 0, 0], about = "y" }}
        spring = {{ damping = 0.2 }}
        [spring.s]
        joint = "shoulder"
        damping = 0.5
        {SOLVE}"#
    ));
    assert_close("angle", robot.last("shoulder.angle"), by_hand.last("shoulder.angle"), 1e-9);
    let angle = robot.last("shoulder.angle");
    assert_close("end", robot.last("end.x"), angle.cos(), 1e-9);
    assert_close("end", robot.last("end.z"), -angle.sin(), 1e-9);
}

/// Turned by a right angle at the start, it hangs and stays.
#[test]
fn positions_put_the_joints() {
    let hanging = swing("import = { urdf = \"arm.urdf\", positions = { shoulder = \"90*deg\" } }");
    assert_close("angle", hanging.last("shoulder.angle"), std::f64::consts::FRAC_PI_2, 1e-9);
    assert_close("end", hanging.last("end.z"), -1.0, 1e-9);
}

/// A loop closed in the model file: with both ends held, nothing moves.
#[test]
fn a_loop_is_closed() {
    let held = swing(
        "import = \"arm.urdf\"\n[joint.prop]\nspherical = { between = [\"ground\", \"tip\"], at = [1, 0, 0] }",
    );
    assert_close("angle", held.last("shoulder.angle"), 0.0, 1e-9);
}

#[test]
fn what_is_left_out_and_what_is_wrong_is_said() {
    let parse = |head: &str| Mechanism::parse(&format!("{head}\n{SOLVE}"), &model("faults"), &[]);
    let sliding = PathBuf::from(model("faults")).with_file_name("sliding.urdf");
    std::fs::write(sliding, ARM.replace("continuous", "planar")).unwrap();
    let notes = parse("import = \"sliding.urdf\"").unwrap().notes;
    let left_out = "the <dynamics> of joint `shoulder`, which has no single coordinate";
    assert!(notes.iter().any(|note| note.contains(left_out)), "{notes:?}");
    for (head, message, help) in [
        ("import = \"leg.urdf\"", "leg.urdf cannot be read", "folder of the model"),
        ("import = 3", "import must be a text or a table", "quotes"),
        ("import = { file = \"arm.urdf\" }", "import has no key `file`", "`urdf`"),
        ("import = { base = \"free\" }", "`import` misses `urdf`", "URDF file"),
        (
            "import = { urdf = \"arm.urdf\", positions = { sholder = 1 } }",
            "no moving joint `sholder`",
            "`shoulder`",
        ),
        (
            "import = \"arm.urdf\"\n[body.upper]\nmass = 1\ninertia = [1, 1, 1]",
            "the name `upper` belongs to another body already",
            "another name",
        ),
    ] {
        let error = parse(head).unwrap_err();
        assert!(error.message().contains(message), "{head}: {error}");
        assert!(error.advice().unwrap_or_default().contains(help), "{head}: {error}");
    }
}
