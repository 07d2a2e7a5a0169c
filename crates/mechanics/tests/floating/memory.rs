//! A flexible body takes no memory once it has been evaluated.

use crate::counter::taken_by;
use crate::flexible::some_flexible_body;
use rotula_dae::{Energetics, Level, System, Terms, Weights};
use rotula_mechanics::Model;
use rotula_mechanics::element::Flexible;

#[test]
fn evaluation_takes_no_memory() {
    let mut k = 0.0_f64;
    let mut number = || {
        k += 1.0;
        (78.233 * k).sin()
    };
    let mut model = Model::new();
    model.gravity.z = -9.81;
    let body = some_flexible_body(11, &mut number);
    model.flexible("frame", &Flexible::new(body)).unwrap();
    let mut system = model.assemble().unwrap();
    let mut state = system.start();
    state.v.iter_mut().for_each(|v| *v = 0.3 * number());
    state.increment.iter_mut().for_each(|x| *x = 0.1 * number());
    let sizes = system.sizes();
    let patterns = system.patterns();
    let mut motion = vec![0.0; sizes.motion];
    let mut rows = vec![0.0; sizes.multipliers()];
    let mut square = vec![0.0; patterns.dynamics.entries()];
    let mut gradient = vec![0.0; patterns.constraints.entries()];
    let weights = Weights { mass: 1.0, damping: 0.1, stiffness: 0.01 };
    let mut round = || {
        let at = state.point();
        system.dynamics(&at, Terms::ALL, &mut motion);
        system.tangent(&at, weights, Terms::ALL, &mut square);
        for level in [Level::Position, Level::Velocity, Level::Acceleration] {
            system.constraint(level, &at, &mut rows);
            system.constraint_tangent(level, &at, weights, &mut gradient);
        }
        system.balance(Level::Position, &at, &mut motion, &mut rows);
        system.constraint_gradient(&at, &mut gradient);
        system.energy(&at);
        system.power(&at);
    };
    round();
    assert_eq!(taken_by(round), 0);
}
