//! Mechanisms in motion: against published and closed-form solutions.

use nalgebra::Vector3;
use rotula_dae::{
    Coefficients, Formulation, GglVariant, InitialPolicy, Outcome, RedundantPolicy, Settings,
    StepControl, Switching, simulate,
};
use rotula_lie::Frame;
use rotula_mechanics::force::{Amplitude, Axes, Formula, Load, Spring};
use rotula_mechanics::joint::{Joint, Revolute, Spherical};
use rotula_mechanics::{Assembly, Body, GROUND, MassProperties, Model};

/// A chain of links with skew hinges; `peers` problem 1.
fn chain(n: usize) -> Model {
    let (length, width, mass) = (0.1, 0.02, 0.1);
    let across = mass / 12.0 * (length * length + width * width);
    let inertia = Vector3::new(mass / 12.0 * 2.0 * width * width, across, across);
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let mut last = GROUND;
    for i in 0..n {
        let at = Vector3::new((i as f64 + 0.5) * length, 0.0, 0.0);
        let link = Body::rigid(MassProperties::principal(mass, inertia)).at(at);
        let link = model.body(&format!("link {}", i + 1), link).unwrap();
        let angle = std::f64::consts::FRAC_PI_4 * (i % 4) as f64;
        let hinge = model.frame(
            Vector3::new(i as f64 * length, 0.0, 0.0),
            Vector3::new(0.0, angle.cos(), angle.sin()),
        );
        let (a, b) = (model.marker_at(last, hinge), model.marker_at(link, hinge));
        model.joint(&format!("hinge {}", i + 1), &Revolute, a, b).unwrap();
        last = link;
    }
    model
}

fn settings(formulation: Formulation, h: f64, until: f64) -> Settings {
    let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings
}

fn run(assembly: &mut Assembly, settings: &Settings) -> Outcome {
    let start = assembly.start();
    let outcome = simulate(assembly, &start, settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    outcome
}

const INDEX3: Formulation = Formulation::Index3 { scaling: true, augmented: false };

/// In the axes of the body the reactions of a hinge on the ground, or of a ball, keep their directions: one matrix serves a whole
/// swing, whichever side of the joint is named first.
#[test]
fn a_matrix_knows_the_reactions_on_the_ground_however_a_body_turns() {
    let joints: [&dyn Joint; 2] = [&Revolute, &Spherical];
    for (joint, first) in joints.into_iter().flat_map(|joint| [(joint, true), (joint, false)]) {
        let mut model = Model::new();
        model.gravity = Vector3::new(0.0, 0.0, -9.81);
        let mass = MassProperties::principal(1.0, Vector3::new(0.01, 0.1, 0.1));
        let rod = Body::rigid(mass).at(Vector3::new(0.5, 0.0, 0.0));
        let rod = model.body("rod", rod).unwrap();
        let pin = model.frame(Vector3::zeros(), Vector3::y());
        let (ground, moving) = (model.marker_at(GROUND, pin), model.marker_at(rod, pin));
        let (a, b) = if first { (ground, moving) } else { (moving, ground) };
        model.joint("pin", joint, a, b).unwrap();
        let mut assembly = model.assemble().unwrap();
        let outcome = run(&mut assembly, &settings(INDEX3, 1e-3, 1.0));
        let (q, made) = (outcome.state.q, outcome.trajectory.statistics.factorisations);
        let turned = assembly.node_frame(1, &q).orientation.rotate(&Vector3::x()).x;
        assert!(turned < 0.0, "it has swung to the other side: {turned}");
        assert_eq!(made, 1, "{} with the ground first: {first}", joint.word());
    }
}

/// Tips at t = 1 of the chain, from an independent program in minimal coordinates.
#[test]
fn chain_meets_the_reference_at_second_order() {
    let references = [
        (1, [-0.09028689759151202, 0.0, -0.04299158200508352]),
        (2, [0.15771203246093968, -0.015341394752762503, -0.12006317479080073]),
        (10, [-0.923261840744391, 0.05289164101727012, -0.13960451934398457]),
    ];
    for (n, tip) in references {
        let mut errors = Vec::new();
        for h in [2e-3, 1e-3] {
            let mut assembly = chain(n).assemble().unwrap();
            let outcome = run(&mut assembly, &settings(INDEX3, h, 1.0));
            let frame = assembly.node_frame(n, &outcome.state.q);
            let end = frame.transform_point(&Vector3::new(0.05, 0.0, 0.0));
            errors.push((end - Vector3::from(tip)).norm());
            assert!(outcome.trajectory.audit.position_residual < 1e-10);
        }
        let order = (errors[0] / errors[1]).log2();
        assert!(errors[1] < 2e-4 && (order - 2.0).abs() < 0.2, "{n} links: {errors:?}, {order}");
    }
}

/// A plate on two hinges whose axes are one line: five of the ten equations follow from the others.
#[test]
fn overconstrained_door_carries_its_weight_on_both_hinges() {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let plate = MassProperties::principal(12.0, Vector3::new(4.0, 5.0, 1.0));
    let centre = Vector3::new(0.4, 0.0, 0.0);
    let spin = Vector3::new(0.0, 0.0, 0.7);
    let door = Body::rigid(plate).at(centre).moving(spin.cross(&centre), spin);
    let door = model.body("door", door).unwrap();
    for (name, height) in [("upper", 0.8), ("lower", -0.8)] {
        let hinge = Frame::new(Vector3::new(0.0, 0.0, height), Default::default());
        let (a, b) = (model.marker_at(GROUND, hinge), model.marker_at(door, hinge));
        model.joint(name, &Revolute, a, b).unwrap();
    }
    let formulations =
        [INDEX3, Formulation::Ggl { variant: GglVariant::MassWeighted }, Formulation::Pva];
    for formulation in formulations {
        let mut assembly = model.assemble().unwrap();
        let mut settings = settings(formulation, 1e-2, 1.0);
        settings.redundant = RedundantPolicy::Solve;
        let outcome = run(&mut assembly, &settings);
        assert!(outcome.warnings.iter().any(|w| w.contains("lower: offset along x")));
        let angle = outcome.state.q[6].atan2(outcome.state.q[3]) * 2.0;
        assert!((angle - 0.7).abs() < 1e-9, "{angle}");
        let last = outcome.trajectory.last_multipliers();
        // each hinge carries half of the weight along z
        for row in [2, 7] {
            assert!((last[row] / (6.0 * 9.81) - 1.0).abs() < 1e-6, "{last:?}");
        }
        assert!(outcome.trajectory.audit.position_residual < 1e-10);
    }
}

/// A start in the flat position of a parallelogram: fewer rows are independent there than elsewhere.
/// The run must not lose the row that only seems redundant.
#[test]
fn flat_parallelogram_keeps_all_its_joints() {
    let mut model = Model::new();
    let rod = |length: f64| Body::planar(1.0, length * length / 12.0);
    let turn = Vector3::new(0.0, 0.0, 2.0);
    let spun = |body: Body, at: Vector3<f64>, pivot: Vector3<f64>| {
        body.at(at).moving(turn.cross(&(at - pivot)), turn)
    };
    let right = Vector3::new(2.0, 0.0, 0.0);
    let zero = Vector3::zeros();
    let left_rod = spun(rod(1.0), Vector3::new(0.5, 0.0, 0.0), zero);
    let right_rod = spun(rod(1.0), Vector3::new(2.5, 0.0, 0.0), right);
    let tip = Vector3::new(1.0, 0.0, 0.0);
    let coupler = rod(2.0).at(Vector3::new(2.0, 0.0, 0.0)).moving(turn.cross(&tip), zero);
    let left_rod = model.body("left", left_rod).unwrap();
    let right_rod = model.body("right", right_rod).unwrap();
    let coupler = model.body("coupler", coupler).unwrap();
    let pins = [
        ("a", GROUND, left_rod, zero),
        ("b", left_rod, coupler, tip),
        ("c", coupler, right_rod, right + tip),
        ("d", right_rod, GROUND, right),
    ];
    for (name, from, to, at) in pins {
        let pin = Frame::new(at, Default::default());
        let (a, b) = (model.marker_at(from, pin), model.marker_at(to, pin));
        model.joint(name, &Revolute, a, b).unwrap();
    }
    let mut assembly = model.assemble().unwrap();
    let mut settings = settings(INDEX3, 2e-3, 0.4);
    settings.redundant = RedundantPolicy::Solve;
    settings.initial = InitialPolicy::Project;
    let outcome = run(&mut assembly, &settings);
    // without gravity both cranks turn steadily
    let angle = outcome.state.q[2];
    assert!((angle - 0.8).abs() < 1e-5, "{angle}");
    assert!(outcome.trajectory.audit.position_residual < 1e-6);
}

/// A point that is pushed, pulled by a law and driven, with jumps at known times.
#[test]
fn jumps_at_known_times_end_steps() {
    let mut model = Model::new();
    let bob = model.body("bob", Body::point(2.0)).unwrap();
    let eye = model.marker(bob, Frame::identity());
    let far = model.marker(GROUND, Frame::new(Vector3::x() * -5.0, Default::default()));
    let push = model.amplitude("push", "if(t < 0.3, 0, 8)").unwrap();
    let along = [push, Amplitude::Constant(0.0), Amplitude::Constant(0.0)];
    let none = [Amplitude::Constant(0.0); 3];
    model.force("push", Load::new(eye, Axes::World, along, none)).unwrap();
    let law = Formula::new("if(t < 0.7, 0, -8)", &[]).unwrap();
    model.force("pull", Spring::between(&far, &eye, law)).unwrap();
    let mut system = model.assemble().unwrap();
    assert_eq!(system.discontinuities(), [0.3, 0.7]);
    let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
    let control = StepControl::Fixed { h: 0.09 };
    let mut settings = Settings::new(Formulation::Index2, coefficients, control);
    settings.until = 1.0;
    let start = system.start();
    let outcome = simulate(&mut system, &start, &settings, &mut ()).unwrap();
    // 4 m/s² for 0.4 s, then none: exact for every method of second order
    let x = 2.0 * 0.16 + 1.6 * 0.3;
    assert!((outcome.state.q[0] - x).abs() < 1e-12, "{}", outcome.state.q[0]);
}
