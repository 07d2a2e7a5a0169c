//! Two parallelograms in a row: benchmark A02 of the IFToMM library.

use super::{bar, pin};
use nalgebra::Vector3;
use rotula_mechanics::{GROUND, Model, ModelError};

/// Three upright cranks and two couplers, all of unit length and mass; the upper pins move with
/// unit speed along x. Bodies in this order: crank 1, 2, 3, coupler 1, 2.
pub fn four_bars() -> Result<Model, ModelError> {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -9.81, 0.0);
    let (rest, speed) = (Vector3::zeros(), Vector3::x());
    let feet = [0.0, 1.0, 2.0].map(|x| Vector3::new(x, 0.0, 0.0));
    let heads = feet.map(|foot| foot + Vector3::y());
    let mut cranks = Vec::new();
    for k in 0..3 {
        let crank = bar(1.0, [feet[k], heads[k]], [rest, speed]);
        cranks.push(model.body(&format!("crank {}", k + 1), crank)?);
    }
    let mut couplers = Vec::new();
    for k in 0..2 {
        let coupler = bar(1.0, [heads[k], heads[k + 1]], [speed, speed]);
        couplers.push(model.body(&format!("coupler {}", k + 1), coupler)?);
    }
    for k in 0..3 {
        pin(&mut model, &format!("A{k}"), [GROUND, cranks[k]], feet[k])?;
    }
    for k in 0..2 {
        pin(&mut model, &format!("B{k} of coupler {}", k + 1), [cranks[k], couplers[k]], heads[k])?;
        let name = format!("B{} of coupler {}", k + 1, k + 1);
        pin(&mut model, &name, [couplers[k], cranks[k + 1]], heads[k + 1])?;
    }
    Ok(model)
}
