//! Every word of the mechanism file does what it says: small models against closed forms.

mod beams;
mod contacts;
mod flexible;
mod forces;
mod imports;
mod joints;
mod rigid;
mod shapes;
mod signals;
mod strands;
mod swarm;

use rotula_dae::simulate;
use rotula_model::{Curves, Mechanism};

/// The recorded curves of a model.
pub(crate) struct Run(Vec<Curves>);

/// Runs a text; `name` is the file it pretends to be.
pub(crate) fn run_as(name: &str, text: &str) -> Run {
    let mechanism = Mechanism::parse(text, name, &[]).unwrap();
    let settings = mechanism.settings().unwrap();
    let start = mechanism.initial_state();
    let outcome = simulate(&mut mechanism.system(), &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{:?}\n{text}", outcome.failure);
    Run(mechanism.curves(&outcome.trajectory))
}

pub(crate) fn run(text: &str) -> Run {
    run_as("model.toml", text)
}

impl Run {
    /// All values of a curve.
    pub(crate) fn curve(&self, name: &str) -> Vec<f64> {
        let find = |group: &Curves| {
            let column = group.names.iter().position(|own| own == name)?;
            Some(group.table.column(column).collect())
        };
        self.0.iter().find_map(find).unwrap_or_else(|| panic!("there is no curve {name}"))
    }

    pub(crate) fn last(&self, name: &str) -> f64 {
        *self.curve(name).last().unwrap()
    }
}

pub(crate) fn assert_close(what: &str, value: f64, reference: f64, tolerance: f64) {
    let error = (value - reference).abs();
    assert!(error < tolerance, "{what} is {value}, not {reference}: off by {error:.2e}");
}
