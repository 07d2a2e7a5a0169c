//! What an animation shows is what the mechanics say.

use nalgebra::Vector3;
use rotula_dae::analysis::{Relaxation, statics};
use rotula_dae::{Outcome, Trajectory, simulate};
use rotula_mechanics::Marker;
use rotula_mechanics::picture::{ArrowKind, Film, Form, Held, Line, Mark, Outline};
use rotula_model::Mechanism;

fn run(text: &str) -> (Mechanism, Outcome) {
    let mechanism = Mechanism::parse(text, "model.toml", &[]).unwrap();
    let settings = mechanism.settings().unwrap();
    let start = mechanism.initial_state();
    let outcome = simulate(&mut mechanism.system(), &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
    (mechanism, outcome)
}

fn film(text: &str) -> Film {
    let (mechanism, outcome) = run(text);
    mechanism.film(&outcome.trajectory, usize::MAX)
}

const SOLVE: &str = "
    [solve]
    step = 1e-3
    until = 0.5
";

#[test]
fn frames_are_those_of_the_bodies() {
    let pendulum = "
        gravity = [0, 0, -9.81]
        [body.bob]
        mass = 2.0
        inertia = [0.1, 0.1, 0.1]
        centre = [0.5, 0, 0]
        [joint.hinge]
        revolute = { between = [\"ground\", \"bob\"], at = [0, 0, 0], about = \"y\" }
    ";
    let (mechanism, outcome) = run(&format!("{pendulum}{SOLVE}"));
    let film = mechanism.film(&outcome.trajectory, usize::MAX);
    assert_eq!(film.times, outcome.trajectory.times);
    let last = film.times.len() - 1;
    let bob = film.frames_at(last)[1];
    // the centre of mass stays on its circle
    assert!((bob.position.norm() - 0.5).abs() < 1e-9 && bob.position.z < -0.1, "{bob:?}");
    // every piece in the world is the picture of the same state
    let placed: Vec<_> =
        film.pieces.iter().map(|piece| piece.placed(&|node| film.frames_at(last)[node])).collect();
    assert_eq!(placed, mechanism.parts(&outcome.state));
    // force of the hinge: mass times acceleration minus weight
    let arrow = &film.arrows[0];
    assert_eq!((arrow.name.as_str(), arrow.kind, arrow.body), ("hinge", ArrowKind::Reaction, 1));
    let h = film.times[1] - film.times[0];
    let at = |k: usize| film.frames_at(k)[1].position;
    let k = last / 2;
    let acceleration = (at(k + 1) - at(k) * 2.0 + at(k - 1)) / (h * h);
    let expected = (acceleration + Vector3::z() * 9.81) * 2.0;
    let wrong = (arrow.forces[k] - expected).norm() / expected.norm();
    assert!(wrong < 1e-3, "{} is not {expected}", arrow.forces[k]);
    assert!(arrow.places[k].norm() < 1e-9);
}

/// Springs and dampers on joints stand where their coordinate goes, and stretch with it.
#[test]
fn springs_on_joints_are_seen() {
    let film = film(&format!(
        "
        [body.flap]
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        [joint.hinge]
        revolute = {{ between = [\"ground\", \"flap\"], at = [0, 0, 0], about = \"y\" }}
        spring = {{ stiffness = 8, damping = 0.3 }}
        [body.plate]
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        at = [1, 0, 0]
        velocity = [0.3, 0.2, 0]
        [joint.table]
        planar = {{ between = [\"ground\", \"plate\"], at = [1, 0, 0], normal = \"z\" }}
        [spring.across]
        joint = \"table\"
        coordinate = \"y\"
        stiffness = 10
        free_length = 0
        [spring.brake]
        joint = \"table\"
        coordinate = \"angle\"
        damping = 2
        [motion.push]
        joint = \"table\"
        x = \"0.3*t\"
        {SOLVE}"
    ));
    let axis = |marker: &Marker| marker.direction(&Vector3::z());
    let marks: Vec<_> = film
        .pieces
        .iter()
        .filter_map(|piece| match &piece.held {
            Held::Mark(marker, mark) => Some((*mark, axis(marker))),
            _ => None,
        })
        .collect();
    let one = |mark: Mark, along: Vector3<f64>| {
        let found = marks.iter().find(|(other, _)| *other == mark).expect("it is drawn");
        assert!((found.1 - along).norm() < 1e-12, "{mark:?} along {}", found.1);
    };
    one(Mark::Torsion(Line::SpringDamper), Vector3::y());
    one(Mark::Torsion(Line::Damper), Vector3::z());
    // what drives a displacement points along it
    one(Mark::Pusher, Vector3::x());
    let ends = |time: usize| {
        let spring = film.pieces.iter().find_map(|piece| match piece.held {
            Held::Between([a, b], Line::Spring) => Some([a, b]),
            _ => None,
        });
        let frames = film.frames_at(time);
        spring.expect("the spring").map(|end| (frames[end.node] * end.frame).position)
    };
    let [foot, head] = ends(0);
    let length = (head - foot).norm();
    assert!(length > 0.1 && (head - foot - Vector3::y() * length).norm() < 1e-12, "{foot} {head}");
    let last = film.times.len() - 1;
    let moved = film.frames_at(last)[2].position.y;
    assert!(moved > 0.05);
    let [foot, head] = ends(last);
    assert!((head.y - foot.y - length - moved).abs() < 1e-9, "{foot} {head} {moved}");
}

/// What rolls in a plane is a disc; a ball that is a shape of its body stays one.
#[test]
fn circles_of_planar_bodies_are_discs() {
    let film = film(&format!(
        "
        [body.wheel]
        kind = \"planar\"
        mass = 1
        inertia = 0.1
        [body.ball]
        kind = \"planar\"
        mass = 1
        inertia = 0.1
        at = [2, 0, 0]
        shape = {{ sphere = 0.5 }}
        [contact.both]
        between = [\"wheel\", \"ball\"]
        first = {{ sphere = 1 }}
        second = {{ sphere = 0.5 }}
        stiffness = 1e4
        {SOLVE}"
    ));
    let forms = |body: usize| {
        let own = film.pieces.iter().filter(move |piece| piece.body == body);
        own.filter_map(|piece| match &piece.held {
            Held::Rigid(form) => Some(form),
            _ => None,
        })
    };
    let balls = |body: usize| forms(body).filter(|form| matches!(form, Form::Ball { .. })).count();
    assert_eq!((balls(1), balls(2)), (0, 1));
    let height = |form: &Form| match form {
        Form::Face { corners, .. } => corners.iter().map(|p| p.z.abs()).fold(0.0, f64::max),
        _ => 0.0,
    };
    let highest = forms(1).map(height).fold(0.0, f64::max);
    assert!(highest > 0.0 && highest < 0.3, "{highest}");
}

#[test]
fn long_films_are_thinned_and_keep_their_end() {
    let (mechanism, outcome) =
        run(&format!("[body.ball]\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [1, 0, 0]\n{SOLVE}"));
    assert_eq!(outcome.trajectory.len(), 501);
    let film = mechanism.film(&outcome.trajectory, 2 * 7 * 100);
    // every sixth of 501, and the last
    assert_eq!(film.times.len(), 85);
    assert_eq!(film.times.last(), outcome.trajectory.times.last());
    assert!(film.times.is_sorted_by(|a, b| a < b));
}

/// A ball that rests on a plane is held by its weight, where it touches.
fn rests(contact: &str, solve: &str, depth: f64) {
    let text = format!(
        "gravity = [0, 0, -9.81]
        [body.ball]
        solid = {{ sphere = 0.1, density = 500 }}
        at = [0.3, 0.2, {}]
        [contact.floor]
        between = [\"ground\", \"ball\"]
        first = {{ plane = \"z\" }}
        {contact}
        {solve}",
        0.1 - depth
    );
    let film = film(&text);
    assert_eq!(film.arrows.len(), 1);
    let arrow = &film.arrows[0];
    assert_eq!((arrow.kind, arrow.body), (ArrowKind::Contact, 1));
    let weight = 500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * 9.81;
    let k = film.times.len() - 1;
    let wrong = arrow.forces[k] - Vector3::z() * weight;
    assert!(wrong.norm() < 1e-3 * weight, "{} is not {weight}", arrow.forces[k]);
    let place = arrow.places[k] - Vector3::new(0.3, 0.2, 0.0);
    assert!(place.norm() < 1e-3, "it acts at {}", arrow.places[k]);
}

#[test]
fn a_rigid_contact_is_an_arrow_where_it_touches() {
    let solve = "[solve]\nformulation = \"nonsmooth\"\nstep = 1e-3\nuntil = 0.2";
    rests("restitution = 0\nfriction = 0.3", solve, 0.0);
}

#[test]
fn a_soft_contact_is_an_arrow_where_it_touches() {
    let depth = 500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * 9.81 / 1e5;
    rests("stiffness = 1e5\nexponent = 1\ndissipation = 1", SOLVE, depth);
}

/// Nodes of a beam belong to it, and those of a cable show how far it is stretched.
#[test]
fn nodes_belong_to_their_beam() {
    let text = format!(
        "[beam.rod]
        to = [1, 0, 0]
        start = \"ground\"
        elements = 3
        section = {{ stiffness = [1e4, 1e4, 1e4, 10, 10, 10], mass = 1, inertia = [1e-2, 1e-2, 1e-2] }}
        [cable.rope]
        from = [1, 0, 0]
        to = [1, 0, 1]
        start = \"rod.end\"
        end = \"ground\"
        elements = 2
        stiffness = 1e3
        mass = 0.1
        tension = 10
        {SOLVE}"
    );
    let film = film(&text);
    let owners: Vec<Option<&str>> = film
        .bodies
        .iter()
        .map(|body| body.part_of.as_ref().map(|(_, name)| name.as_str()))
        .collect();
    assert_eq!(owners, [None, Some("rod"), Some("rod"), Some("rod"), Some("rope")]);
    let leaders: Vec<usize> =
        film.bodies.iter().flat_map(|b| b.part_of.iter().map(|(k, _)| *k)).collect();
    assert_eq!(leaders, [1, 1, 1, 4]);
    let shown = |tube: usize| -> Vec<&str> {
        film.tubes[tube].fields.iter().map(|field| field.quantity.as_str()).collect()
    };
    assert_eq!(shown(0), ["bending moment", "axial force", "shear force", "torque"]);
    assert_eq!(shown(1), ["tension", "strain"]);
    // the way to the start is that of a tension of 10 N
    let first = |field: usize| film.tubes[1].fields[field].values[0];
    assert!((first(0) - 10.0).abs() < 1e-6 && (first(1) - 0.01).abs() < 1e-9, "{}", first(1));
}

/// A cantilever under its weight: the moment that colours its clamp is q L²/2, that of its tip zero, and the stress is
/// M h/(2 I), both but for half an element.
#[test]
fn colours_of_a_beam_are_its_loads() {
    let (young, length, height, elements) = (2e9, 2.0, 0.04, 32);
    let text = format!(
        "gravity = [0, 0, -9.81]
        [beam.rod]
        to = [{length}, 0, 0]
        start = \"ground\"
        elements = {elements}
        section = {{ rectangle = [0.02, {height}] }}
        material = {{ young = {young}, poisson = 0.3, density = 1000 }}
        opacity = 0.5
        {SOLVE}"
    );
    let mechanism = Mechanism::parse(&text, "m.toml", &[]).unwrap();
    let mut system = mechanism.system();
    let rest = statics(&mut system, &mechanism.initial_state(), Relaxation::IfNeeded).unwrap();
    let trajectory = Trajectory::of_states(&mut system, &[rest.state]);
    let film = mechanism.film(&trajectory, 100_000);
    let tube = &film.tubes[0];
    let corners = vec![[-0.01, -0.02], [0.01, -0.02], [0.01, 0.02], [-0.01, 0.02]];
    assert_eq!(tube.outline, Outline::Corners(corners));
    assert_eq!(tube.across.len(), tube.points.len());
    let of = |name: &str| {
        let field = tube.fields.iter().find(|field| field.quantity == name).unwrap();
        [field.values[0], *field.values.last().unwrap()]
    };
    let weight = 1000.0 * 0.02 * height * 9.81;
    let middle = length * (1.0 - 0.5 / elements as f64);
    let moment = 0.5 * weight * middle * middle;
    let [clamp, tip] = of("bending moment");
    assert!((clamp / moment - 1.0).abs() < 0.01, "{clamp} N m against {moment} N m");
    assert!(tip < 0.01 * clamp, "{tip} N m");
    let stress = moment * 0.5 * height / (0.02 * height.powi(3) / 12.0);
    let [found, _] = of("largest normal stress");
    assert!((found / stress - 1.0).abs() < 0.02, "{found} Pa against {stress} Pa");
    assert!(film.bodies.iter().any(|body| body.opacity == 0.5));
}

fn sum(forces: impl Iterator<Item = [f64; 3]>) -> Vector3<f64> {
    forces.map(Vector3::from).sum()
}

/// The corners of a box that rests on another share its weight, and their moments are in balance.
#[test]
fn corners_of_a_box_carry_it() {
    let text = "gravity = [0, 0, -9.81]
        [body.base]
        solid = { box = [1, 1, 0.2], density = 1000 }
        at = [0, 0, 0.1]
        [body.box]
        solid = { box = [0.4, 0.2, 0.1], density = 1000 }
        at = [0.1, 0.2, 0.25]
        [contact.floor]
        between = [\"ground\", \"base\"]
        first = { plane = \"z\" }
        restitution = 0
        friction = 0.3
        [contact.top]
        between = [\"base\", \"box\"]
        restitution = 0
        friction = 0.3
        [solve]
        formulation = \"nonsmooth\"
        step = 1e-3
        until = 0.05";
    let film = film(text);
    assert!(film.arrows.is_empty());
    let forces = film.contacts.at(film.times.len() - 1);
    let (upper, lower) = (1000.0 * 0.4 * 0.2 * 0.1 * 9.81, 1000.0 * 0.2 * 9.81);
    for (height, weight, count, middle, half) in
        [(0.2, upper, 4, [0.1, 0.2], [0.2, 0.1]), (0.0, upper + lower, 4, [0.0, 0.0], [0.5, 0.5])]
    {
        let here: Vec<_> = forces.iter().filter(|at| (at.place[2] - height).abs() < 1e-6).collect();
        assert_eq!(here.len(), count, "{forces:?}");
        let total = sum(here.iter().map(|at| at.force.map(f64::abs)));
        assert!((total.z - weight).abs() < 1e-6 * weight, "{} is not {weight}", total.z);
        for at in &here {
            for k in 0..2 {
                assert!(((at.place[k] - middle[k]).abs() - half[k]).abs() < 1e-6, "{at:?}");
            }
        }
    }
    // what presses on the box acts on it or, the other way round, on the base below
    let share = |at: &&rotula_dae::ContactForce| (at.place[2] - 0.2).abs() < 1e-6;
    let moments = forces.iter().filter(share).map(|at| Vector3::from(at.place) * at.force[2].abs());
    let middle = moments.sum::<Vector3<f64>>() / upper;
    assert!((middle - Vector3::new(0.1, 0.2, 0.2)).norm() < 1e-6, "{middle}");
}

/// Spheres touch on their surfaces, and at rest floor and walls carry all of them.
#[test]
fn a_heap_of_spheres_rests_on_the_floor() {
    let text = "gravity = [0, 0, -9.81]
        [swarm.grain]
        spheres = 12
        radius = 0.1
        density = 1000
        filling = [[0, 0, 0.1], [0.5, 0.5, 1]]
        container = [[0, 0, 0], [0.5, 0.5, 1]]
        restitution = 0
        friction = 0.3
        [solve]
        formulation = \"moreau-jean\"
        step = 2e-3
        until = 2
        newton = { tolerance = 1e-8 }";
    let (mechanism, outcome) = run(text);
    let film = mechanism.film(&outcome.trajectory, usize::MAX);
    assert_eq!(film.contacts.times(), film.times.len());
    let touching = (0..film.times.len()).map(|k| film.contacts.at(k).len()).collect::<Vec<_>>();
    // forces belong to steps, so the first time has none
    assert_eq!(touching[0], 0);
    for k in 0..film.times.len() {
        for at in film.contacts.at(k) {
            let centre = film.frames_at(k)[at.body].position;
            let away = (Vector3::from(at.place) - centre).norm();
            assert!((away - 0.1).abs() < 1e-9, "{away} at {k}");
            let pushes = Vector3::from(at.force).dot(&(centre - Vector3::from(at.place)));
            // forces of no size have the direction of rounding
            assert!(pushes > 0.0 || at.size() < 1e-12, "{pushes} of {at:?} at {k}");
        }
    }
    let last = film.contacts.at(film.times.len() - 1);
    // spheres touch each other farther from the walls than half a radius
    let on_wall = |at: &&rotula_dae::ContactForce| {
        let [x, y, z] = at.place;
        [x, 0.5 - x, y, 0.5 - y, z].iter().any(|away| *away < 0.05)
    };
    let carried = sum(last.iter().filter(on_wall).map(|at| at.force));
    let weight = 12.0 * 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * 9.81;
    println!("{} contacts at rest, floor and walls carry {carried} of {weight}", last.len());
    assert!(last.len() > 12);
    assert!((carried - Vector3::z() * weight).norm() < 1e-3 * weight, "{carried} is not {weight}");
    // a short film keeps the strongest
    let short = mechanism.film(&outcome.trajectory, 100 * 7 * 3);
    let kept = short.contacts.at(short.times.len() - 1);
    assert_eq!(kept, &last[..3]);
    assert!(kept[0].size() >= kept[1].size() && kept[1].size() >= kept[2].size());
}
