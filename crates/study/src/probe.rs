//! Curves at single states, for watching a run.

use rotula_dae::{Names, State};
use rotula_model::equations::EquationSystem;

/// Reads curves of a model by name, at one state after the other.
pub struct Probe {
    names: Vec<String>,
    kind: Kind,
}

enum Kind {
    Mechanism(Box<rotula_model::Probe>),
    Equations { system: Box<EquationSystem>, outputs: Vec<f64> },
}

impl Probe {
    pub(crate) fn of_mechanism(probe: rotula_model::Probe) -> Self {
        let names = probe.names().map(str::to_owned).collect();
        Probe { names, kind: Kind::Mechanism(Box::new(probe)) }
    }

    /// Coordinates, velocities `x'`, accelerations `x''`, multipliers `lambda.rod`, states, variables
    /// and outputs.
    pub(crate) fn of_equations(system: EquationSystem) -> Self {
        let Names { configuration, motion, constraints, states, variables } = Names::of(&system);
        let outputs: Vec<String> = system.output_names().map(str::to_owned).collect();
        let width = outputs.len();
        let names = configuration
            .into_iter()
            .chain(motion.iter().map(|name| format!("{name}'")))
            .chain(motion.iter().map(|name| format!("{name}''")))
            .chain(constraints.iter().map(|name| format!("lambda.{name}")))
            .chain(states)
            .chain(variables)
            .chain(outputs)
            .collect();
        let kind = Kind::Equations { system: Box::new(system), outputs: vec![0.0; width] };
        Probe { names, kind }
    }

    /// The names of all curves.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The value of a curve at a state, by its place among the names.
    pub fn read(&mut self, curve: usize, state: &State) -> f64 {
        match &mut self.kind {
            Kind::Mechanism(probe) => probe.read(curve, state),
            Kind::Equations { system, outputs } => {
                let State { q, v, vdot, multipliers, x, y, .. } = state;
                let mut rest = curve;
                for values in [q, v, vdot, multipliers, x, y] {
                    match values.get(rest) {
                        Some(value) => return *value,
                        None => rest -= values.len(),
                    }
                }
                system.outputs(&state.point(), outputs);
                outputs[rest]
            }
        }
    }
}
