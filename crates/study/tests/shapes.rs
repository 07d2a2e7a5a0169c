//! The film of modes swings as the shapes say.

use rotula_dae::analysis;
use rotula_study::{Model, SHOWN, mode_film};

/// Two carts between walls, with three equal springs: they swing together at ω² = k/m, and against each other at 3k/m.
const CARTS: &str = r#"
[body.left]
solid = { box = [0.2, 0.2, 0.2], density = 125 }
at = [1, 0, 0]
[body.right]
solid = { box = [0.2, 0.2, 0.2], density = 125 }
at = [2, 0, 0]
[joint.a]
prismatic = { between = ["ground", "left"], at = [1, 0, 0], along = "x" }
spring = { stiffness = 100 }
[joint.b]
prismatic = { between = ["ground", "right"], at = [2, 0, 0], along = "x" }
spring = { stiffness = 100 }
[spring.middle]
between = ["left", "right"]
stiffness = 100
free_length = 1
"#;

#[test]
fn carts_swing_together_and_against_each_other() {
    let Model::Mechanism(model) = Model::parse(CARTS, "carts.toml", &[]).unwrap() else {
        panic!("bodies make a mechanism")
    };
    let state = model.initial_state();
    let modes = analysis::modes(&mut model.system(), &state).unwrap();
    let frequency = |k: f64| (k * 100.0_f64).sqrt() / std::f64::consts::TAU;
    let found: Vec<f64> = modes.modes.iter().map(|mode| mode.frequency).collect();
    assert_eq!(found.len(), 2);
    assert!((found[0] - frequency(1.0)).abs() < 1e-9 && (found[1] - frequency(3.0)).abs() < 1e-9);

    let film = mode_film(&model, &state, &modes.modes);
    let pictures = film.times.len() / 2;
    let moved = |picture: usize| {
        let frames = film.frames_at(picture);
        [1, 2].map(|body| frames[body].position.x - body as f64)
    };
    for (mode, sign) in [(0, 1.0), (1, -1.0)] {
        let [first, last] = [mode * pictures, (mode + 1) * pictures - 1];
        assert!((film.times[first] - mode as f64).abs() < 1e-12);
        assert!((film.times[last] - mode as f64 - SHOWN).abs() < 1e-12);
        let [left, right] = moved(first);
        assert!((right - sign * left).abs() < 1e-9, "{left} {right}");
        // the bodies are 1.2 m long, and symbols of springs reach a little beyond; a swing begins where it is widest, and ends there
        assert!((0.08 * 1.2..0.08 * 1.3).contains(&left.abs()), "{left}");
        assert!((moved(last)[0] - left).abs() < 1e-12);
        assert!(moved(first + (pictures - 1) / 4)[0].abs() < 1e-12);
        assert!((moved(first + (pictures - 1) / 2)[0] + left).abs() < 1e-12);
    }
    assert!(film.arrows.is_empty() && film.contacts == Default::default());
}
