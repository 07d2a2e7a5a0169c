//! Robots read from URDF: against the same model built by hand, closed into a loop, and refused.

use nalgebra::Vector3;
use rotula_dae::{Coefficients, Formulation, Settings, StepControl, simulate};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Amplitude, Friction, Linear, Spring, Stribeck};
use rotula_mechanics::import::urdf::{Buffers, Geometry, Options, Purpose, Robot, read};
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::{Body, GROUND, MassProperties, Model};

const PENDULUM: &str = r#"<?xml version="1.0"?>
<robot name="double pendulum">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 -0.5" rpy="0.1 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.2" iyy="0.21" izz="0.02" ixy="0.003" ixz="0" iyz="0"/>
    </inertial>
    <visual>
      <origin xyz="0 0 -0.5"/>
      <geometry><cylinder radius="0.05" length="1"/></geometry>
    </visual>
  </link>
  <link name="lower">
    <inertial>
      <origin xyz="0 0 -0.4"/>
      <mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="tip">
    <inertial>
      <mass value="0.5"/>
      <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 2"/>
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="10" velocity="5"/>
    <dynamics damping="0.3" friction="0.1"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="0 0 -1" rpy="0 0 0.5"/>
    <parent link="upper"/>
    <child link="lower"/>
    <axis xyz="1 0 0"/>
  </joint>
  <joint name="glue" type="fixed">
    <origin xyz="0 0 -0.8"/>
    <parent link="lower"/>
    <child link="tip"/>
  </joint>
</robot>"#;

fn at(x: f64, y: f64, z: f64) -> Frame {
    Frame::new(Vector3::new(x, y, z), Quaternion::identity())
}

fn turn(axis: Vector3<f64>) -> Frame {
    Frame::new(Vector3::zeros(), Quaternion::exp(&axis))
}

fn options(positions: &[(&str, f64)]) -> Options {
    let positions = positions.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    Options { positions, ..Options::default() }
}

/// The configuration and the position residual after some time.
fn march(model: &Model, until: f64) -> (Vec<f64>, f64) {
    let mut assembly = model.assemble().unwrap();
    let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 1e-3 });
    settings.until = until;
    settings.newton.tolerance = 1e-12;
    let start = assembly.start();
    let outcome = simulate(&mut assembly, &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    (outcome.state.q, outcome.trajectory.audit.position_residual)
}

/// The double pendulum without the reader; only the frames at the start are computed by hand.
fn by_hand(shoulder: f64, elbow: f64) -> Model {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let inertia = nalgebra::Matrix3::new(0.2, 0.003, 0.0, 0.003, 0.21, 0.0, 0.0, 0.0, 0.02);
    let tilt = turn(Vector3::x() * 0.1).orientation.to_matrix();
    let centre = Vector3::new(0.0, 0.0, -0.5);
    let upper = MassProperties::new(2.0, centre, tilt * inertia * tilt.transpose());
    let upper_frame = at(0.0, 0.0, 2.0) * turn(Vector3::y() * shoulder);
    let upper = model.body("upper", Body::rigid(upper).at_frame(upper_frame)).unwrap();
    // rod of 1 kg at −0.4 and tip of 0.5 kg at −0.8: centre at −0.8/1.5
    let centre = -0.8 / 1.5;
    let (d, e) = (-0.4 - centre, -0.8 - centre);
    let across = 0.1 + 0.001 + d * d + 0.5 * e * e;
    let moments = nalgebra::Matrix3::from_diagonal(&Vector3::new(across, across, 0.011));
    let lower = MassProperties::new(1.5, Vector3::new(0.0, 0.0, centre), moments);
    let hinge = upper_frame * at(0.0, 0.0, -1.0) * turn(Vector3::z() * 0.5);
    let lower_frame = hinge * turn(Vector3::x() * elbow);
    let lower = model.body("lower", Body::rigid(lower).at_frame(lower_frame)).unwrap();
    let axis = model.frame(Vector3::new(0.0, 0.0, 2.0), Vector3::y());
    let (a, b) = (model.marker_at(GROUND, axis), model.marker_at(upper, axis));
    let joint = model.joint("shoulder", &Revolute, a, b).unwrap();
    let angle = model.coordinate(joint, "angle").unwrap();
    let law = Linear { damping: 0.3, ..Linear::default() };
    model.force("damper", Spring::new(angle.clone(), law)).unwrap();
    let dry = Friction::new(Stribeck::coulomb(1.0, 1e-3), Amplitude::Constant(0.1), 1.0).unwrap();
    model.force("dry", Spring::new(angle, dry)).unwrap();
    let axis = model.frame(hinge.position, hinge.orientation.rotate(&Vector3::x()));
    let (a, b) = (model.marker_at(upper, axis), model.marker_at(lower, axis));
    model.joint("elbow", &Revolute, a, b).unwrap();
    model
}

fn pendulum(options: &Options) -> Robot {
    let mut robot = read(PENDULUM, "pendulum.urdf", options).unwrap_or_else(|e| panic!("{e}"));
    robot.model.gravity = Vector3::new(0.0, 0.0, -9.81);
    robot
}

#[test]
fn double_pendulum_moves_like_the_one_built_by_hand() {
    let start = options(&[("shoulder", 0.7), ("elbow", -0.4)]);
    let welded = pendulum(&start);
    let (q, _) = march(&welded.model, 1.0);
    let (reference, _) = march(&by_hand(0.7, -0.4), 1.0);
    assert_eq!(q.len(), reference.len());
    // two bodies; what follows are the angles of damper and friction, counted from different zeros
    for (a, b) in q.iter().zip(&reference).take(14) {
        assert!((a - b).abs() < 1e-10, "{q:?} {reference:?}");
    }
    assert!((14..16).all(|k| (q[k] - reference[k] - 0.7).abs() < 1e-10));
    // the same with the fixed joint kept
    let kept = pendulum(&Options { weld: false, ..start });
    assert_eq!(kept.model.bodies().len(), 4);
    let (q, _) = march(&kept.model, 1.0);
    // the lower link's centre of mass is elsewhere now; its axes are the same
    for k in (0..7).chain(10..14) {
        assert!((q[k] - reference[k]).abs() < 1e-6, "{k}: {} {}", q[k], reference[k]);
    }
}

#[test]
fn shapes_limits_and_notes_are_kept() {
    let robot = pendulum(&Options::default());
    assert_eq!(robot.shapes.len(), 1);
    assert_eq!(robot.shapes[0].purpose, Purpose::Visual);
    assert_eq!(robot.shapes[0].geometry, Geometry::Cylinder(0.05, 1.0));
    let limits = robot.limits["shoulder"];
    assert_eq!((limits.lower, limits.upper, limits.effort), (-3.0, 3.0, 10.0));
    assert!(robot.notes.is_empty(), "{:?}", robot.notes);
    let sliding = PENDULUM.replace("type=\"revolute\"", "type=\"planar\"");
    let robot = read(&sliding, "pendulum.urdf", &Options::default()).unwrap();
    assert!(robot.notes.iter().any(|n| n.line == 28 && n.what.contains("`shoulder`")));
    assert_eq!(robot.links["tip"].body, robot.links["lower"].body);
    assert_eq!(robot.links["base"].body, GROUND);
    let stops = pendulum(&Options { stops: true, ..Options::default() });
    assert_eq!(stops.model.stops().len(), 1);
    let floating = Options { fixed_base: false, ..Options::default() };
    let error = read(PENDULUM, "pendulum.urdf", &floating).unwrap_err();
    assert!(error.refusal.what.contains("`base` moves but has no mass"), "{error}");
}

/// A link of length 1 along x.
fn bar(name: &str) -> String {
    format!(
        r#"<link name="{name}"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
        <inertia ixx="0.01" iyy="0.09" izz="0.09" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
    )
}

fn hinge(name: &str, parent: &str, child: &str, x: f64, extra: &str) -> String {
    format!(
        r#"<joint name="{name}" type="continuous"><origin xyz="{x} 0 0"/><parent link="{parent}"/>
        <child link="{child}"/><axis xyz="0 0 1"/>{extra}</joint>"#
    )
}

/// The rate of a bar on a hinge after a second, and its largest angle; it starts with 2 rad/s.
fn swing(extra: &str, options: &Options) -> (f64, f64) {
    let hinge = hinge("a", "base", "bar", 0.0, extra).replace("continuous", "revolute");
    let text = format!(r#"<robot name="bar"><link name="base"/>{}{hinge}</robot>"#, bar("bar"));
    let robot = read(&text, "bar.urdf", options).unwrap();
    let mut assembly = robot.model.assemble().unwrap();
    let coefficients = Coefficients::generalized_alpha(1.0).unwrap();
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 5e-4 });
    settings.until = 1.0;
    let mut start = assembly.start();
    (start.v[1], start.v[5]) = (1.0, 2.0);
    let outcome = simulate(&mut assembly, &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    // half the angle from the quaternion of the bar
    let angle = |q: &[f64]| 2.0 * q[6].atan2(q[3]);
    let q = &outcome.trajectory.q;
    let largest = (0..outcome.trajectory.len()).map(|i| angle(q.row(i))).fold(0.0, f64::max);
    (outcome.state.v[5], largest)
}

#[test]
fn friction_and_soft_limits_act() {
    // 0.34 kg m² about the hinge
    let (rate, _) = swing(r#"<dynamics friction="0.17"/>"#, &Options::default());
    assert!((rate - (2.0 - 0.5)).abs() < 1e-5, "{rate}");
    let limit = r#"<limit lower="-3" upper="0.8" effort="1" velocity="1"/>"#;
    let free = swing(limit, &Options::default());
    assert!((free.0 - 2.0).abs() < 1e-9 && (free.1 - 2.0).abs() < 1e-6, "{free:?}");
    // an elastic buffer returns the speed, a damped one less of it
    let soft = |damping: f64| Options {
        buffers: Some(Buffers { stiffness: 2e3, damping }),
        ..Options::default()
    };
    let (rate, largest) = swing(limit, &soft(0.0));
    assert!((rate + 2.0).abs() < 1e-3, "{rate}");
    assert!(largest > 0.8 && largest < 0.9, "{largest}");
    let (rate, _) = swing(limit, &soft(0.3));
    assert!(rate < -0.5 && rate > -1.8, "{rate}");
}

/// A parallelogram: both cranks turn alike and the coupler keeps its direction. The loop is closed
/// with a point on a line normal to the plane: the other hinges keep everything in the plane already.
#[test]
fn four_bar_closed_by_a_loop_joint() {
    let text = format!(
        r#"<robot name="four bar"><link name="base"/>{}{}{}{}{}{}</robot>"#,
        bar("left"),
        bar("coupler"),
        bar("right"),
        hinge("a", "base", "left", 0.0, ""),
        hinge("b", "left", "coupler", 1.0, ""),
        hinge("c", "base", "right", 1.0, ""),
    );
    let start = options(&[("a", 1.0), ("b", -1.0), ("c", 1.0)]);
    let mut robot = read(&text, "four_bar.urdf", &start).unwrap();
    robot.model.gravity = Vector3::new(0.0, -9.81, 0.0);
    let tip = at(1.0, 0.0, 0.0);
    let pin = rotula_mechanics::joint::PointOnLine;
    robot.close_loop("d", &pin, ("right", tip), ("coupler", tip)).unwrap();
    let (q, residual) = march(&robot.model, 0.5);
    assert!(residual < 1e-10, "{residual:e}");
    let [left, coupler, right] = ["left", "coupler", "right"].map(|link| {
        let first = 7 * (robot.links[link].body.node() - 1);
        2.0 * q[first + 6].atan2(q[first + 3])
    });
    assert!((left - 1.0).abs() > 0.1, "it moves: {left}");
    // the tree starts in line with the loop but for rounding
    assert!((left - right).abs() < 1e-9 && coupler.abs() < 1e-9, "{left} {coupler} {right}");
    let error = robot.close_loop("e", &Revolute, ("rihgt", tip), ("coupler", tip)).unwrap_err();
    assert!(error.to_string().contains("did you mean `right`"), "{error}");
}

#[test]
fn mimic_couples_two_joints() {
    let mimic = r#"<mimic joint="a" multiplier="-2" offset="0.25"/>"#;
    let text = format!(
        r#"<robot name="two"><link name="base"/>{}{}{}{}</robot>"#,
        bar("one"),
        bar("two"),
        hinge("a", "base", "one", 0.0, ""),
        hinge("b", "base", "two", 3.0, mimic),
    );
    let mut robot = read(&text, "two.urdf", &options(&[("a", 0.5)])).unwrap();
    robot.model.gravity = Vector3::new(0.0, -9.81, 0.0);
    let (q, _) = march(&robot.model, 0.2);
    let angle = |body: usize| 2.0 * q[7 * body + 6].atan2(q[7 * body + 3]);
    assert!((angle(0) - 0.5).abs() > 1e-2);
    assert!((angle(1) + 2.0 * angle(0) - 0.25).abs() < 1e-9);
}

#[test]
fn bad_files_are_refused_with_the_line() {
    let cases = [
        ("<robot><link name=\"a\"></robot>", 1, "not XML"),
        ("<model/>", 1, "<model>, not <robot>"),
        ("<robot>\n<link/>\n</robot>", 2, "no attribute `name`"),
        ("<robot><link name=\"a\"/>\n<link name=\"b\"/>\n</robot>", 2, "two roots"),
        (
            "<robot><link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/>\
             <child link=\"z\"/></joint></robot>",
            2,
            "no link `z`",
        ),
        (
            "<robot><link name=\"a\"/>\n\n<joint name=\"j\" type=\"hinge\"/></robot>",
            3,
            "no type `hinge`",
        ),
        (
            "<robot><link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" type=\"prismatic\">\
             <parent link=\"a\"/><child link=\"b\"/></joint></robot>",
            1,
            "`b` moves but has no mass",
        ),
        (
            "<robot><link name=\"a\">\n<inertial>\n<mass value=\"heavy\"/></inertial></link></robot>",
            3,
            "give a number",
        ),
    ];
    for (text, line, what) in cases {
        let error = read(text, "bad.urdf", &Options::default()).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        let message = error.to_string();
        assert!(message.contains(what) && message.starts_with("bad.urdf:"), "{message}");
    }
}
