//! The curves of `[output]` along a trajectory.

use rotula_dae::{Point, Table, Trajectory};
use rotula_model::equations::EquationSystem;
use rotula_report::Extra;

/// Evaluates every output at every recorded time.
pub(crate) fn along(trajectory: &Trajectory, system: &mut EquationSystem) -> Extra {
    let names: Vec<String> = system.output_names().map(str::to_owned).collect();
    let mut table = Table::new(names.len());
    if names.is_empty() {
        return Extra { names, table };
    }
    let increment = vec![0.0; trajectory.sizes.motion];
    let mut row = vec![0.0; names.len()];
    for (i, &t) in trajectory.times.iter().enumerate() {
        let point = Point {
            t,
            q: trajectory.q.row(i),
            increment: &increment,
            v: trajectory.v.row(i),
            vdot: trajectory.vdot.row(i),
            multipliers: trajectory.multipliers.row(i),
            x: trajectory.x.row(i),
            xdot: trajectory.xdot.row(i),
            y: trajectory.y.row(i),
        };
        system.outputs(&point, &mut row);
        table.push(&row);
    }
    Extra { names, table }
}

#[cfg(test)]
mod tests {
    use super::along;
    use rotula_dae::simulate;
    use rotula_model::equations::Model;

    #[test]
    fn outputs_may_use_rates_of_states() {
        let text = r#"
            [coordinates]
            x = { at = 1, velocity = 0 }
            [mass]
            x = 1
            [force]
            x = "-x"
            [state]
            s = { at = 0, residual = "2*s' + w' - x" }
            w = { at = 0, rate = "x - s" }
            [output]
            rate = "s'"
            expected = "(x - (x - s))/2"
            [solve]
            formulation = "index3"
            step = 0.1
            until = 1.0
        "#;
        let model = Model::parse(text, "model.toml", &[]).unwrap();
        let mut system = model.system();
        let settings = model.settings().unwrap();
        let outcome = simulate(&mut system, &model.initial_state(), &settings, &mut ()).unwrap();
        let extra = along(&outcome.trajectory, &mut system);
        for i in 0..outcome.trajectory.len() {
            let [rate, expected] = *extra.table.row(i) else { panic!("two outputs") };
            assert!((rate - expected).abs() < 1e-12, "{rate} is not {expected}");
        }
    }
}
