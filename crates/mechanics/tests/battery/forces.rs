//! Springs with every law, bushings, loads and forces of one's own.

use crate::check::{Random, battery, some_body};
use crate::pairs::{Make, model_with, whole, wrenches};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_formula::{Interpolation, Tabulated};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{
    Amplitude, Auxiliary, Axes, Bushing, Flank, Force, Formula, Friction, LINE_NAMES, Law,
    LineLoad, Linear, Load, Mesh, Motor, Over, Share, Spring, Stribeck, Table, Teeth, Variation,
    Wheels, numeric_tangent,
};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::node::Motion;
use rotula_mechanics::{Marker, Model, Scene, World};
use std::sync::Arc;

const STRIBECK: Stribeck = Stribeck { rest: 0.6, velocity: 0.8, ..Stribeck::coulomb(0.4, 0.5) };

fn translational(what: &str, law: impl Law + Clone + 'static) {
    whole(what, &|a, b| Box::new(Spring::between(&a, &b, law.clone())));
}

fn rotational(what: &str, law: impl Law + Clone + 'static) {
    whole(what, &|a, b| Box::new(Spring::rotational(&a, &b, law.clone())));
}

#[test]
fn linear_springs() {
    let law = Linear { stiffness: 7.0, damping: 0.8, free: 0.3, preload: 1.5 };
    translational("linear spring", law);
    rotational("linear rotational spring", law);
}

#[test]
fn tables() {
    // knots lie where no random configuration comes near
    let points = [(-20.0, 30.0), (0.0, 3.0), (0.01, 2.9), (30.0, -40.0)];
    for kind in [Interpolation::Linear, Interpolation::Monotone, Interpolation::Spline] {
        let curve: Arc<_> = Tabulated::through(&points, kind).unwrap().into();
        translational("table over length", Table { curve: curve.clone(), over: Over::Value });
        let points = [(-40.0, 30.0), (-30.0, 20.0), (30.0, -40.0), (35.0, -41.0)];
        let curve: Arc<_> = Tabulated::through(&points, kind).unwrap().into();
        rotational("table over rate", Table { curve, over: Over::Rate });
    }
}

#[test]
fn formulas_and_motors() {
    let text = "-3*value^2 - rate*exp(-value) + cos(t)";
    translational("formula", Formula::new(text, &[]).unwrap());
    rotational("motor", Motor::new(Amplitude::Function(0)));
}

#[test]
fn joint_friction() {
    let normal = Amplitude::Constant(12.0);
    let law = Friction::new(STRIBECK, normal, 0.3).unwrap().with_viscous(0.2);
    rotational("friction in a hinge", law.clone());
    translational("friction in a slider", law);
}

#[test]
fn gear_mesh() {
    for backlash in [0.0, 0.02] {
        // flanks lie where no random configuration comes near, and damping is full nowhere
        let law = Mesh {
            stiffness: 40.0,
            damping: 2.0,
            backlash,
            damping_depth: 10.0,
            middle: 0.02,
            variation: None,
            flank: Flank::Both,
        };
        rotational("gear mesh", law);
    }
}

/// Teeth along lines of action, on wheels that are not held by joints: all that moves counts.
#[test]
fn teeth_that_load_bearings() {
    for backlash in [0.0, 0.02] {
        let mut random = Random::new(31);
        let mut model = Model::new();
        let [carrier, first, second] =
            ["carrier", "first", "second"].map(|name| some_body(&mut model, name, &mut random));
        let mut marker = |body| model.marker(body, random.frame());
        let (carrier, centres) = (marker(carrier), [marker(first), marker(second)]);
        let turned = Coordinate::angle(&carrier, &centres[0]).scaled(0.4);
        let turned = turned.plus(&Coordinate::angle(&carrier, &centres[1]).scaled(0.7)).unwrap();
        let lines = [Vector3::new(0.8, 0.6, 0.0), Vector3::new(0.8, -0.6, 0.0)];
        let law = Mesh {
            stiffness: 40.0,
            damping: 2.0,
            backlash,
            damping_depth: 10.0,
            middle: 0.0,
            variation: None,
            flank: Flank::Both,
        };
        let wheels = Wheels { carrier, centres, lines };
        let teeth = Teeth::along_lines(&turned, &wheels, &law, |_| 0.02).unwrap();
        model.force("teeth", teeth).unwrap();
        battery("teeth that load bearings", model);
    }
}

/// A full matrix, symmetric if asked.
fn full(random: &mut Random, scale: f64, symmetric: bool) -> Matrix6<f64> {
    let m = Matrix6::from_fn(|_, _| scale * random.number());
    if symmetric { m + m.transpose() } else { m }
}

#[test]
fn bushings() {
    for symmetric in [true, false] {
        let make: Make = &|a, b| {
            let mut random = Random::new(3);
            let (k, c) = (full(&mut random, 5.0, symmetric), full(&mut random, 1.0, symmetric));
            let preload = Vector6::from_fn(|_, _| random.number());
            Box::new(Bushing::new(a, b, k, c).unwrap().with_preload(preload))
        };
        whole("bushing", make);
    }
    let here = Marker { node: 1, frame: Frame::identity() };
    let error = Bushing::new(here, here, Matrix6::zeros(), Matrix6::zeros()).unwrap_err();
    assert!(error.to_string().contains("two different bodies"));
}

#[test]
fn a_bushing_twisted_about_one_axis_is_a_torsion_spring() {
    let marker = |node| Marker { node, frame: Frame::identity() };
    let stiffness = Matrix6::from_diagonal(&Vector6::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
    let mut bushing = Bushing::new(marker(0), marker(1), stiffness, Matrix6::zeros()).unwrap();
    let at = |turn: Vector3<f64>| Frame::new(Vector3::zeros(), Quaternion::exp(&turn));
    let turned = [Frame::identity(), at(Vector3::new(0.0, 2.5, 0.0))];
    let [a, b] = wrenches(&mut bushing, &turned.map(|frame| Motion::at_rest(&frame)));
    assert!((b - Vector6::new(0.0, 0.0, 0.0, 0.0, -12.5, 0.0)).amax() < 1e-13, "{b:?}");
    assert!((a + b).amax() < 1e-13, "{a:?}");
    // the force acts at the origin of marker b: the body of a feels its moment there
    let shifted = Frame::new(Vector3::new(0.0, 0.5, 0.1), Quaternion::identity());
    let [a, b] = wrenches(&mut bushing, &[Frame::identity(), shifted].map(|f| Motion::at_rest(&f)));
    assert!((b - Vector6::new(0.0, -1.0, -0.3, 0.0, 0.0, 0.0)).amax() < 1e-15, "{b:?}");
    let moment = Vector3::new(0.0, 0.5, 0.1).cross(&Vector3::new(0.0, 1.0, 0.3));
    assert!((a - Vector6::new(0.0, 1.0, 0.3, moment.x, moment.y, moment.z)).amax() < 1e-15);
}

#[test]
fn loads() {
    let mut random = Random::new(9);
    let mut model = Model::new();
    model.function(rotula_mechanics::TimeFunction::formula("2 + t").unwrap());
    let body = some_body(&mut model, "body", &mut random);
    let at = model.marker(body, random.frame());
    let force = [Amplitude::Constant(2.0), Amplitude::Function(0), Amplitude::Constant(-1.0)];
    let moment = [Amplitude::Function(0), Amplitude::Constant(0.5), Amplitude::Constant(0.3)];
    model.force("dead", Load::new(at, Axes::World, force, moment)).unwrap();
    model.force("following", Load::new(at, Axes::Marker, force, moment)).unwrap();
    battery("loads", model);
}

/// Teeth whose stiffness follows a variable.
fn varying_mesh() -> Mesh {
    let (angle, harmonics) = (Auxiliary::Variable(0), vec![[0.3, 0.2], [0.02, 1.0]]);
    Mesh {
        stiffness: 2.0,
        damping: 0.5,
        backlash: 0.0,
        damping_depth: 0.0,
        middle: 0.3,
        variation: Some(Variation { angle, teeth: 1.0, harmonics }),
        flank: Flank::Both,
    }
}

#[test]
fn line_loads() {
    let mut random = Random::new(17);
    let mut model = Model::new();
    let body = some_body(&mut model, "body", &mut random);
    let formulas = [
        "sin(x + 0.3*vy) - 0.4*uz^2 + station*t",
        "e1x*vz + wy*y - 0.2*ux",
        "exp(0.1*z) + e2y*e3z - 0.1*vx^3",
        "0.3*wx + e1z*station",
        "uy*e2x",
        "2",
    ];
    let share = Share { station: 0.3, length: 1.7, ahead: 0.2 };
    for (name, axes) in [("staying", Axes::World), ("following", Axes::Marker)] {
        let section = model.marker(body, random.frame());
        let compiled = formulas.map(|text| model.expression("load", text, &LINE_NAMES).unwrap());
        model.force(name, LineLoad::new(section, axes, share, compiled)).unwrap();
    }
    battery("line loads", model);
}

/// The derivative by a variable against differences, through the whole spring.
#[test]
fn forces_follow_the_variables_of_controllers() {
    let marker = |node, random: &mut Random| Marker { node, frame: random.frame() };
    let named = [("command", Auxiliary::Variable(0))];
    let mut random = Random::new(21);
    let (a, b) = (marker(0, &mut random), marker(1, &mut random));
    let variable = Amplitude::Variable(0);
    let mut forces: Vec<Box<dyn Force>> = vec![
        Box::new(Spring::between(&a, &b, Motor::new(variable))),
        Box::new(Spring::between(&a, &b, Friction::new(STRIBECK, variable, 0.5).unwrap())),
        Box::new(Spring::between(&a, &b, Formula::new("-value*command^2", &named).unwrap())),
        Box::new(Spring::between(&a, &b, varying_mesh())),
    ];
    let mut moving = |frame: Frame| {
        let mut motion = Motion::at_rest(&frame);
        (motion.velocity, motion.omega) = (random.vector(), random.vector());
        motion
    };
    let start = Random::new(2).frame();
    let motions = [moving(start), moving(Random::new(3).frame())];
    for force in &mut forces {
        let wrench = |force: &mut dyn Force, value: f64| {
            let variables = [value];
            let world = World {
                t: 0.0,
                motions: &motions,
                angles: &[],
                functions: &[],
                states: &[],
                variables: &variables,
            };
            let scene = Scene { world: &world, nodes: &[0, 1] };
            let mut out = [[Vector6::zeros(); 2]; 2];
            force.wrench(scene, &mut out[0]);
            force.auxiliary_tangent(scene, &mut out[1]);
            out
        };
        assert_eq!(force.auxiliary(), [Auxiliary::Variable(0)]);
        let h = 1e-5;
        let ([up, _], [down, _]) =
            (wrench(force.as_mut(), 2.0 + h), wrench(force.as_mut(), 2.0 - h));
        let slopes = wrench(force.as_mut(), 2.0)[1];
        for k in 0..2 {
            let difference = (up[k] - down[k]) / (2.0 * h);
            assert!(slopes[k].norm() > 1e-3, "{force:?}");
            assert!((slopes[k] - difference).amax() < 1e-9, "{force:?}");
        }
    }
}

/// A bushing that derives its tangents by differences.
#[derive(Clone, Debug)]
struct Lazy(Bushing);

impl Force for Lazy {
    fn nodes(&self) -> &[usize] {
        self.0.nodes()
    }
    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.0.wrench(scene, out);
    }
    fn tangent(&mut self, scene: Scene, k: &mut [Matrix6<f64>], d: &mut [Matrix6<f64>]) {
        numeric_tangent(self, scene, 1.0, 1.0, k, d);
    }
}

#[test]
fn numeric_tangents_pass_the_battery() {
    let make: Make = &|a, b| {
        let mut random = Random::new(3);
        let (k, c) = (full(&mut random, 5.0, true), full(&mut random, 1.0, true));
        Box::new(Lazy(Bushing::new(a, b, k, c).unwrap()))
    };
    battery("numeric tangents", model_with(make));
}

/// A wheel on the plane z = 0: a vertical spring, and a lateral force that grows with slip.
#[derive(Clone, Debug)]
struct Tyre {
    node: [usize; 1],
    radius: f64,
}

impl Force for Tyre {
    fn nodes(&self) -> &[usize] {
        &self.node
    }
    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let wheel = scene.motion(0);
        let load = 20.0 * (self.radius - wheel.position.z).max(0.0);
        let axle = wheel.rotation * Vector3::y();
        let side = Vector3::new(axle.x, axle.y, 0.0).normalize();
        let velocity = wheel.rotation * wheel.velocity;
        let slip = velocity.dot(&side) / (velocity.dot(&side.cross(&Vector3::z())).powi(2) + 1.0);
        let force = Vector3::z() * load - side * (0.8 * load * (2.0 * slip).tanh());
        let arm = Vector3::new(0.0, 0.0, -wheel.position.z);
        let (f, m) = (wheel.into_body(&force), wheel.into_body(&arm.cross(&force)));
        out[0] += Vector6::new(f.x, f.y, f.z, m.x, m.y, m.z);
    }
    fn tangent(&mut self, scene: Scene, k: &mut [Matrix6<f64>], d: &mut [Matrix6<f64>]) {
        numeric_tangent(self, scene, self.radius, 1.0, k, d);
    }
}

#[test]
fn a_tyre_of_ones_own() {
    let mut random = Random::new(31);
    let mut model = Model::new();
    let wheel = some_body(&mut model, "wheel", &mut random);
    model.force("tyre", Tyre { node: [wheel.node()], radius: 5.0 }).unwrap();
    battery("tyre", model);
}
