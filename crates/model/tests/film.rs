//! What an animation shows is what the mechanics say.

use nalgebra::Vector3;
use rotula_dae::{Outcome, simulate};
use rotula_mechanics::picture::{ArrowKind, Film};
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
    assert_eq!(film.tubes[0].quantity, "curvature, 1/m");
    assert_eq!(film.tubes[1].quantity, "stretch");
    assert!((film.tubes[1].values[0] - 0.01).abs() < 1e-9, "{}", film.tubes[1].values[0]);
}
