//! `import = "robot.urdf"` and `import = "deck.adm"`.

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
        ("import = { base = \"free\" }", "names one file", "urdf = "),
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

/// A pendulum in millimetres with a spring from its end to the ground.
const DECK: &str = "pendulum
UNITS/
, FORCE = NEWTON, MASS = KILOGRAM, LENGTH = MILLIMETER, TIME = SECOND
PART/1, GROUND
PART/2, MASS = 2, CM = 21, IP = 1.0E4, 2.0E5, 2.0E5
MARKER/11, PART = 1, QP = 0, 0, 0, REULER = 0D, 90D, 0D
MARKER/12, PART = 1, QP = 1000, 0, 500
MARKER/21, PART = 2, QP = 500, 0, 0
MARKER/22, PART = 2, QP = 0, 0, 0, REULER = 0D, 90D, 0D
MARKER/23, PART = 2, QP = 1000, 0, 0
JOINT/5, REVOLUTE, I = 22, J = 11
SFORCE/7, TRANSLATIONAL, I = 23, J = 12, FUNCTION = -0.1*(DM(23,12) - 300)
ACCGRAV/
, KGRAV = -9810
REQUEST/1, DISPLACEMENT, I = 23, J = 12
END
";

fn deck(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("pendulum.adm"), DECK).unwrap();
    folder.join("model.toml").display().to_string()
}

/// A deck of Adams, to which a damper was added, moves like what was written by hand, in metres.
#[test]
fn a_deck_moves_like_what_is_written_by_hand() {
    let damper = "[spring.d]\njoint = \"JOINT_5\"\ndamping = 0.5\n";
    let text = format!(
        "import = \"pendulum.adm\"\n[sensor]\nend = {{ position = \"MARKER_23\" }}\n{damper}{SOLVE}"
    );
    let deck = run_as(&deck("deck"), &text);
    let by_hand = run(&format!(
        r#"
        gravity = [0, 0, -9.81]
        [body.PART_2]
        mass = 2
        inertia = [0.01, 0.2, 0.2]
        centre = [0.5, 0, 0]
        [frame.hook]
        on = "PART_2"
        at = [1, 0, 0]
        [frame.eye]
        on = "ground"
        at = [1, 0, 0.5]
        [joint.JOINT_5]
        revolute = {{ between = ["ground", "PART_2"], at = [0, 0, 0], about = [0, -1, 0] }}
        [spring.SFORCE_7]
        between = ["eye", "hook"]
        stiffness = 100
        free_length = 0.3
        [spring.d]
        joint = "JOINT_5"
        damping = 0.5
        [sensor]
        end = {{ position = "hook" }}
        {SOLVE}"#
    ));
    for column in ["end.x", "end.z", "SFORCE_7.force", "JOINT_5.angle"] {
        let (found, expected) = (deck.last(column), by_hand.last(column));
        let moves = by_hand.curve(column).iter().any(|value| value.abs() > 1e-2);
        assert!(moves, "{column} shows nothing");
        assert_close(column, found, expected, 1e-6);
    }
    // in axes of the markers, which differ
    let reaction = |run: &Run| run.last("JOINT_5.fx").hypot(run.last("JOINT_5.fy"));
    assert_close("reaction", reaction(&deck), reaction(&by_hand), 1e-5);
}

#[test]
fn refusals_of_decks_name_file_and_line() {
    let read = |text: &str| Mechanism::parse(text, &deck("refused"), &[]).map(|_| ()).unwrap_err();
    let error = read(&format!("import = {{ adams = \"pendulum.adm\", weld = true }}\n{SOLVE}"));
    assert!(error.to_string().contains("`weld` means nothing"), "{error}");
    let path = PathBuf::from(deck("broken")).with_file_name("broken.adm");
    std::fs::write(&path, DECK.replace("REVOLUTE", "WOBBLY")).unwrap();
    let text = format!("import = \"broken.adm\"\n{SOLVE}");
    let error = Mechanism::parse(&text, &deck("broken"), &[]).map(|_| ()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("broken.adm:11") && error.contains("JOINT/5"), "{error}");
}
