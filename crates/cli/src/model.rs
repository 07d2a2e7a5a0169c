//! A model of either kind: equations, or a mechanism.

use crate::outputs;
use rotula_dae::{Settings, SettingsError, Solve, State, System, Trajectory};
use rotula_mechanics::picture::Film;
use rotula_model::Mechanism;
use rotula_reading::{ModelError, Source};
use rotula_report::{Curves, Extra, Units};
use std::path::Path;

/// What a model file may hold. A file with bodies is a mechanism.
pub(crate) enum Model {
    Equations(Box<rotula_equations::Model>),
    Mechanism(Box<Mechanism>),
}

/// What a run leaves behind besides the numbers of the integrator.
pub(crate) struct Results {
    pub extra: Extra,
    pub curves: Vec<Curves>,
    /// Whether the numbers of the integrator are worth showing.
    pub coordinates: bool,
    pub units: Units,
}

impl Model {
    /// Reads a file of either kind.
    pub(crate) fn read(path: &Path, overrides: &[(String, String)]) -> Result<Model, ModelError> {
        let source = Source::read(path)?;
        Ok(match Mechanism::recognises(&source.text) {
            true => Model::Mechanism(Box::new(Mechanism::read(path, overrides)?)),
            false => Model::Equations(Box::new(rotula_equations::Model::read(path, overrides)?)),
        })
    }

    pub(crate) fn title(&self) -> &str {
        match self {
            Model::Equations(model) => &model.title,
            Model::Mechanism(model) => &model.title,
        }
    }

    pub(crate) fn solve(&self) -> &Solve {
        match self {
            Model::Equations(model) => &model.solve,
            Model::Mechanism(model) => &model.solve,
        }
    }

    pub(crate) fn settings(&self) -> Result<Settings, SettingsError> {
        self.solve().settings()
    }

    pub(crate) fn system(&self) -> Box<dyn System> {
        match self {
            Model::Equations(model) => Box::new(model.system()),
            Model::Mechanism(model) => Box::new(model.system()),
        }
    }

    pub(crate) fn initial_state(&self) -> State {
        match self {
            Model::Equations(model) => model.initial_state(),
            Model::Mechanism(model) => model.initial_state(),
        }
    }

    /// The names of everything, by kind.
    pub(crate) fn parts(&self) -> Vec<(&'static str, Vec<&str>)> {
        match self {
            Model::Equations(model) => vec![
                ("Coordinates", model.coordinate_names().collect()),
                ("Constraints", model.constraint_names().collect()),
                ("Contacts", model.gaps.iter().map(|gap| gap.name.as_str()).collect()),
                ("States", model.state_names().collect()),
                ("Variables", model.variable_names().collect()),
                ("Outputs", model.output_names().collect()),
            ],
            Model::Mechanism(mechanism) => {
                let Mechanism { model, motions, .. } = mechanism.as_ref();
                let bodies = model.bodies()[1..].iter();
                vec![
                    ("Bodies", bodies.map(|(name, _)| name.as_str()).collect()),
                    ("Joints", model.joints().iter().map(|joint| joint.name.as_str()).collect()),
                    ("Motions", motions.iter().map(String::as_str).collect()),
                    ("Forces", model.forces().iter().map(|(name, _)| name.as_str()).collect()),
                    ("Signals", model.sensor_names().collect()),
                ]
            }
        }
    }

    /// Numbers so odd that units are probably mixed, as far as only the kind of model can tell.
    pub(crate) fn hints(&self) -> Vec<String> {
        match self {
            Model::Equations(_) => Vec::new(),
            Model::Mechanism(model) => model.hints(),
        }
    }

    /// What was left out of an imported file.
    pub(crate) fn notes(&self) -> &[String] {
        match self {
            Model::Equations(_) => &[],
            Model::Mechanism(model) => &model.notes,
        }
    }

    /// The mechanism in motion, in no more than about so many numbers.
    pub(crate) fn film(&self, trajectory: &Trajectory, most: usize) -> Option<Film> {
        match self {
            Model::Equations(_) => None,
            Model::Mechanism(model) => Some(model.film(trajectory, most)),
        }
    }

    /// Output curves along a trajectory.
    pub(crate) fn results(&self, trajectory: &Trajectory) -> Results {
        let mut units = Units::default();
        match self {
            Model::Equations(model) => {
                let extra = outputs::along(trajectory, &mut model.system());
                Results { extra, curves: Vec::new(), coordinates: true, units }
            }
            Model::Mechanism(model) => {
                let mut curves = Vec::new();
                for group in model.curves(trajectory) {
                    let named = group.names.iter().cloned().zip(group.units.iter());
                    units.columns.extend(named.map(|(name, unit)| (name, (*unit).to_owned())));
                    let title = group.title.to_owned();
                    curves.push(Curves { title, names: group.names, table: group.table });
                }
                Results { extra: Extra::default(), curves, coordinates: false, units }
            }
        }
    }
}
