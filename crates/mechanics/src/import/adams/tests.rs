//! Decks that are read, and decks that are refused.

use super::*;
use nalgebra::{Matrix3, Vector3};

const GROUND_AND_ONE: &str = "title
UNITS/, FORCE = NEWTON, MASS = GRAM, LENGTH = MILLIMETER, TIME = SECOND
PART/1, GROUND
MARKER/10, PART = 1
PART/2, MASS = 2000, CM = 20, IP = 4E6, 5E6, 6E6, 1E5, 2E5, 3E5
, QG = 100, 0, 0, REULER = 90D, 0, 0, VX = 1000, WZ = 2
MARKER/20, PART = 2, QP = 50, 0, 0, REULER = 0, 90D, 0
MARKER/21, PART = 2, ZP = 0, 0, -3, XP = 0, 4, 1
ACCGRAV/, JGRAV = -9806.65
";

fn read_with(more: &str) -> Result<Deck, ImportError> {
    read(&format!("{GROUND_AND_ONE}{more}END\n"), "deck.adm")
}

#[test]
fn parts_become_bodies_in_si_units() {
    let deck = read_with("").unwrap();
    let body = &deck.model.bodies()[deck.parts[&2].node()].1;
    let near = |a: Vector3<f64>, b: Vector3<f64>| assert!((a - b).norm() < 1e-12, "{a} {b}");
    assert!((body.mass.mass - 2.0).abs() < 1e-12);
    near(body.mass.centre, Vector3::new(0.05, 0.0, 0.0));
    near(deck.model.gravity, Vector3::new(0.0, -9.80665, 0.0));
    near(body.node_frame().position, Vector3::new(0.1, 0.05, 0.0));
    // g mm² are 1e-9 kg m²; products of inertia enter with a minus sign, in the axes of the CM
    // marker, which is turned about x by a right angle: its y axis is z of the body, its z is −y
    let (xx, yy, zz, xy, xz, yz) = (4e-3, 5e-3, 6e-3, -1e-4, -2e-4, -3e-4);
    let expected = Matrix3::new(xx, -xz, xy, -xz, zz, -yz, xy, -yz, yy);
    assert!((body.mass.inertia - expected).amax() < 1e-15, "{}", body.mass.inertia);
    // spin about z of the CM marker: −y of the body, x of the world
    near(body.angular_velocity, Vector3::new(2.0, 0.0, 0.0));
    let twist = body.twist();
    let velocity = body.frame.orientation.rotate(&Vector3::new(twist[0], twist[1], twist[2]));
    near(velocity, Vector3::new(1.0, 0.0, 0.0));
}

#[test]
fn markers_by_points() {
    let deck = read_with("").unwrap();
    let frame = deck.markers[&21].frame.orientation;
    assert!((frame.rotate(&Vector3::z()) + Vector3::z()).norm() < 1e-12);
    assert!((frame.rotate(&Vector3::x()) - Vector3::y()).norm() < 1e-12);
}

#[test]
fn springs_turn_into_si_units() {
    // 3 N/mm and 0.5 N s/mm, 10 mm longer than free
    let more = "MARKER/30, PART = 1, QP = 0, 50, 0\nMARKER/31, PART = 2, QP = 50, 0, 10\n\
                SFORCE/1, TRANSLATIONAL, I = 31, J = 30\n\
                , FUNCTION = -3*(DM(31,30) - 90) - 0.5*VR(31,30)\n";
    let deck = read_with(more).unwrap();
    let mut assembly = deck.model.assemble().unwrap();
    let start = assembly.start();
    let energy = {
        use rotula_dae::Energetics;
        assembly.energy(&start.point()).unwrap().potential
    };
    let length = Vector3::new(100.0, 0.0, 10.0).norm();
    let weight = 2.0 * 9.80665 * 0.05;
    // a spring with preload: its zero is at zero length
    let stretch = |x: f64| 0.5 * 3e3 * x * x - 3.0 * 90.0 * x;
    assert!((energy - weight - stretch(length * 1e-3)).abs() < 1e-9, "{energy}");
}

#[test]
fn crosses_of_both_kinds_fit() {
    // z axes normal to each other
    let cross = "MARKER/40, PART = 1, QP = 100, 0, 0\nMARKER/41, PART = 2, REULER = 0, 90D, 0\n\
                 JOINT/1, UNIVERSAL, I = 41, J = 40\n";
    // x of I normal to y of J, but not y of I to x of J
    let hooke = "MARKER/40, PART = 1, QP = 100, 0, 0, REULER = 90D, 0.4, -90D\n\
                 MARKER/41, PART = 2, REULER = -90D, 0.5, 0\n\
                 JOINT/1, HOOKE, I = 41, J = 40\n";
    for more in [cross, hooke] {
        use rotula_dae::{Level, System};
        let deck = read_with(more).unwrap();
        let mut assembly = deck.model.assemble().unwrap();
        let start = assembly.start();
        let mut residual = vec![0.0; 4];
        assembly.constraint(Level::Position, &start.point(), &mut residual);
        assert!(residual.iter().all(|r| r.abs() < 1e-12), "{residual:?}");
    }
}

#[test]
fn what_has_no_effect_is_noted() {
    let deck =
        read_with("REQUEST/1, F2=FX(10,20)\\F3=FY(10,20),C=FORCE\nOUTPUT/, REQSAVE\n").unwrap();
    assert_eq!(deck.notes.len(), 2);
    assert_eq!(deck.notes[0].line, 10);
    assert!(deck.notes[0].what.contains("REQUEST/1"));
}

#[test]
fn bad_decks_are_refused_with_the_line() {
    let cases = [
        ("BEAM/1, I = 10, J = 20\n", 10, "the statement BEAM is not read"),
        ("JOINT/1, REVOLUTE, I = 10, J = 99\n", 10, "no MARKER/99"),
        ("JOINT/1, WELD, I = 10, J = 20\n", 10, "give one of REVOLUTE"),
        ("JOINT/1, REVOLUTE, I = 10\n", 10, "J is missing"),
        ("\nJOINT/1, REVOLUTE, I = 10, J = 10\n", 11, "a body with itself"),
        ("MARKER/30, PART = 7\n", 10, "no PART/7"),
        ("MARKER/10, PART = 1\n", 10, "two MARKER/10"),
        ("MARKER/30, PART = 1, QP = 1, 2\n", 10, "QP takes 3 numbers, not 2"),
        ("MARKER/30, PART = 1, QP = 1, 2, x3\n", 10, "`x3` in QP is no number"),
        ("MARKER/30, PART = 1, FLOAT\n", 10, "`FLOAT` is not read"),
        ("PART/3, MASS = 1\n", 10, "CM is missing"),
        ("GCON/1, I = 10, FUNCTION = 2*TIME\n", 10, "DM(i, j) - length"),
        ("nonsense\n", 10, "no statement"),
    ];
    for (more, line, what) in cases {
        let error = read_with(more).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
        assert_eq!(error.line, line, "{error}");
        assert!(error.to_string().starts_with("deck.adm:"));
    }
}
