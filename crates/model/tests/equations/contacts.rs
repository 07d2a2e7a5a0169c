//! Contacts of equation models: rows and derivatives against finite differences.

use rotula_dae::*;
use rotula_model::equations::Model;

/// Two gaps, one with two tangential directions (a length and a velocity), curved and driven.
const MODEL: &str = r#"
[coordinates]
x = { at = 0.3, velocity = 0.7 }
y = { at = -0.4, velocity = 0.2 }
phi = { at = 0.9, velocity = -1.1 }
[mass]
x = 2
y = 2
phi = 0.5
[gap]
wall = "x - sin(phi)*y"
floor = { gap = "y*cos(phi) + x^2 - 0.1*t", restitution = 0.5, friction = 0.3, slip = "x*phi + t*y", slip2 = "x'*cos(y) - phi'" }
[solve]
formulation = "nonsmooth"
until = 1.0
step = 0.01
"#;

const STEP: f64 = 1e-6;

struct Somewhere {
    state: State,
}

impl Somewhere {
    fn new(model: &Model) -> Self {
        let mut state = model.initial_state();
        state.t = 0.4;
        state.vdot = vec![0.5, -0.8, 1.3];
        Somewhere { state }
    }

    /// The state with one number changed: 0 acceleration, 1 velocity, 2 coordinate.
    fn moved(&self, kind: usize, i: usize, by: f64) -> State {
        let mut state = self.state.clone();
        match kind {
            0 => state.vdot[i] += by,
            1 => state.v[i] += by,
            _ => state.q[i] += by,
        }
        state
    }
}

#[test]
fn derivatives_of_all_levels_are_exact() {
    let model = Model::parse(MODEL, "model.toml", &[]).unwrap();
    let mut system = model.system();
    let here = Somewhere::new(&model);
    assert_eq!(system.contacts().iter().map(Contact::rows).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(system.name(Component::Contact(1)), "floor");
    let patterns = system.contact_patterns();
    let entries: Vec<_> = patterns.rows.iter().collect();
    let mut values = vec![0.0; entries.len()];
    let only = [Weights::MASS, Weights::DAMPING, Weights::STIFFNESS];
    for level in [Level::Position, Level::Velocity, Level::Acceleration] {
        for (kind, weights) in only.into_iter().enumerate() {
            system.contact_tangent(level, &here.state.point(), weights, &mut values);
            let mut dense = [[0.0; 3]; 4];
            entries.iter().zip(&values).for_each(|(&(i, j), &v)| dense[i][j] = v);
            for j in 0..3 {
                let mut rows = [[0.0; 4]; 2];
                for (side, by) in rows.iter_mut().zip([STEP, -STEP]) {
                    system.contact(level, &here.moved(kind, j, by).point(), side);
                }
                for i in 0..4 {
                    let difference = (rows[0][i] - rows[1][i]) / (2.0 * STEP);
                    let error = (difference - dense[i][j]).abs();
                    assert!(error < 1e-7, "{level:?} {kind} row {i} column {j}: {error}");
                }
            }
        }
    }
}

#[test]
fn levels_are_rates_of_each_other() {
    let model = Model::parse(MODEL, "model.toml", &[]).unwrap();
    let mut system = model.system();
    let here = Somewhere::new(&model).state;
    let along = |by: f64| {
        let mut state = here.clone();
        state.t += by;
        for i in 0..3 {
            state.q[i] += by * here.v[i] + 0.5 * by * by * here.vdot[i];
            state.v[i] += by * here.vdot[i];
        }
        state
    };
    let mut at = |level, state: &State| {
        let mut rows = [0.0; 4];
        system.contact(level, &state.point(), &mut rows);
        rows
    };
    let (low, high) = (along(-STEP), along(STEP));
    let pairs = [(Level::Position, Level::Velocity), (Level::Velocity, Level::Acceleration)];
    for (level, rate) in pairs {
        let (before, after) = (at(level, &low), at(level, &high));
        let rates = at(rate, &here);
        for i in 0..4 {
            // Tangential rows have no position.
            if level == Level::Position && i > 1 {
                assert_eq!((before[i], after[i]), (0.0, 0.0));
                continue;
            }
            let difference = (after[i] - before[i]) / (2.0 * STEP);
            assert!((difference - rates[i]).abs() < 1e-7, "{level:?} row {i}: {difference}");
        }
    }
}

#[test]
fn the_curvature_is_that_of_the_reaction() {
    let model = Model::parse(MODEL, "model.toml", &[]).unwrap();
    let mut system = model.system();
    let here = Somewhere::new(&model);
    let forces = [1.5, -0.7, 0.4, 2.2];
    let patterns = system.contact_patterns();
    let mut values = vec![0.0; patterns.curvature.entries()];
    system.contact_curvature(&here.state.point(), &forces, &mut values);
    let mut gradient = vec![0.0; patterns.rows.entries()];
    for j in 0..3 {
        let mut reactions = [[0.0; 3]; 2];
        for (reaction, by) in reactions.iter_mut().zip([STEP, -STEP]) {
            system.contact_gradient(&here.moved(2, j, by).point(), &mut gradient);
            patterns.rows.multiply_transposed_add(&gradient, -1.0, &forces, reaction);
        }
        for i in 0..3 {
            let difference = (reactions[0][i] - reactions[1][i]) / (2.0 * STEP);
            let value = patterns.curvature.position(i, j).map_or(0.0, |p| values[p]);
            assert!((difference - value).abs() < 1e-7, "{i} {j}: {difference} {value}");
        }
    }
}
