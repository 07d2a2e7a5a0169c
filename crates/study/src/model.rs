//! A model of either kind: equations, or a mechanism.

use crate::outputs;
use crate::probe::Probe;
use rotula_dae::{Settings, SettingsError, State, System, Trajectory, redundant_constraints};
use rotula_mechanics::picture::Film;
use rotula_model::equations::Function;
use rotula_model::reading::{Document, ModelError, Solve};
use rotula_model::{Additions, Displacement, HotSpot, Mechanism};
use rotula_report::{Curves, Extra, Units};
use serde_json::{Value, json};
use std::path::Path;

/// What a model file may hold. A file with bodies is a mechanism.
#[derive(Clone)]
pub enum Model {
    /// Coordinates, masses, forces and constraints as formulas.
    Equations(Box<rotula_model::equations::Model>),
    /// Bodies, joints, motions and forces.
    Mechanism(Box<Mechanism>),
}

/// What a program computes itself as parts of a model, whichever kind it is.
#[derive(Clone, Copy)]
pub struct Added<'a> {
    /// Parts of a mechanism.
    pub to_mechanism: &'a dyn Additions,
    /// Parts of a model of equations.
    pub to_equations: &'a [Function],
}

/// What a run leaves behind besides the numbers of the integrator.
pub struct Results {
    /// Output curves of equations.
    pub extra: Extra,
    /// Curves of a mechanism, by group.
    pub curves: Vec<Curves>,
    /// Whether the numbers of the integrator are worth showing.
    pub coordinates: bool,
    /// Units of the curves.
    pub units: Units,
    /// Where stress was highest in flexible bodies: a list of objects, or nothing.
    pub hot_spots: Value,
}

/// The table of the highest stresses; nothing where there is none. [Negrut et al. 2005, Table 1]
fn hot_spots(model: &Mechanism, trajectory: &Trajectory) -> Value {
    let spots = model.hot_spots(trajectory);
    if spots.is_empty() {
        return Value::Null;
    }
    let row = |(body, spot): &(String, HotSpot)| {
        json!({
            "body": body,
            "node": spot.label,
            "stress": spot.stress,
            "time": trajectory.times[spot.state],
            "position": spot.position,
        })
    };
    spots.iter().map(row).collect()
}

/// Independent velocities: all of them less the independent constraints.
pub fn degrees_of_freedom(system: &mut dyn System, state: &State) -> usize {
    let sizes = system.sizes();
    let redundant = redundant_constraints(system, state).len();
    sizes.motion.saturating_sub(sizes.multipliers() - redundant)
}

impl Model {
    /// Reads a file of either kind.
    pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<Model, ModelError> {
        Model::of(&Document::read(path)?, overrides, None)
    }

    /// Reads a text of either kind; `name` is what errors call it.
    pub fn parse(
        text: &str,
        name: &str,
        overrides: &[(String, String)],
    ) -> Result<Model, ModelError> {
        Model::of(&Document::parse(text, name)?, overrides, None)
    }

    /// Makes a model of a document of either kind. A program may add what it computes itself.
    pub fn of(
        document: &Document,
        overrides: &[(String, String)],
        added: Option<Added>,
    ) -> Result<Model, ModelError> {
        if Mechanism::recognises(document) {
            let additions = added.map_or(&() as &dyn Additions, |added| added.to_mechanism);
            let mechanism = Mechanism::of(document, overrides, additions)?;
            return Ok(Model::Mechanism(Box::new(mechanism)));
        }
        let functions = added.map_or(&[][..], |added| added.to_equations);
        let equations = rotula_model::equations::Model::of(document, overrides, functions)?;
        Ok(Model::Equations(Box::new(equations)))
    }

    /// Its name for reports.
    pub fn title(&self) -> &str {
        match self {
            Model::Equations(model) => &model.title,
            Model::Mechanism(model) => &model.title,
        }
    }

    /// How it is to be integrated.
    pub fn solve(&self) -> &Solve {
        match self {
            Model::Equations(model) => &model.solve,
            Model::Mechanism(model) => &model.solve,
        }
    }

    /// The settings for analyses, which need no end time.
    pub fn analysis_settings(&self) -> Result<Settings, SettingsError> {
        match self {
            Model::Equations(model) => model.solve.analysis_settings(),
            Model::Mechanism(model) => model.analysis_settings(),
        }
    }

    /// The settings that this means.
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        match self {
            Model::Equations(model) => model.settings(),
            Model::Mechanism(model) => model.settings(),
        }
    }

    /// The equations.
    pub fn system(&self) -> Box<dyn System> {
        match self {
            Model::Equations(model) => Box::new(model.system()),
            Model::Mechanism(model) => Box::new(model.system()),
        }
    }

    /// The state in which it starts.
    pub fn initial_state(&self) -> State {
        match self {
            Model::Equations(model) => model.initial_state(),
            Model::Mechanism(model) => model.initial_state(),
        }
    }

    /// How far every body and node moved from one state to another; nothing for equations, whose coordinates
    /// have no place.
    pub fn displacements(&self, from: &State, to: &State) -> Vec<Displacement> {
        match self {
            Model::Equations(_) => Vec::new(),
            Model::Mechanism(model) => model.displacements(from, to),
        }
    }

    /// The parameters with their values.
    pub fn parameters(&self) -> &[(String, f64)] {
        match self {
            Model::Equations(model) => &model.parameters,
            Model::Mechanism(model) => &model.parameters,
        }
    }

    /// Reads curves at single states.
    pub fn probe(&self) -> Probe {
        match self {
            Model::Equations(model) => Probe::of_equations(model.system()),
            Model::Mechanism(model) => Probe::of_mechanism(model.probe()),
        }
    }

    /// The names of everything, by kind.
    pub fn parts(&self) -> Vec<(&'static str, Vec<&str>)> {
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
                let Mechanism { model, motions, sketch, .. } = mechanism.as_ref();
                let bodies = model.bodies().iter().enumerate().skip(1);
                // nodes of beams and interfaces of flexible bodies are parts of them
                let rigid = bodies.filter(|(node, (_, body))| {
                    sketch.beam_of_node(*node, body).is_none() && !sketch.is_of_flexible(*node)
                });
                let lain = |thin: bool| {
                    let own = sketch.beams.iter().filter(move |lain| lain.piece.is_some() == thin);
                    own.map(|lain| lain.name.as_str()).collect()
                };
                vec![
                    ("Bodies", rigid.map(|(_, (name, _))| name.as_str()).collect()),
                    ("Beams", lain(false)),
                    ("Cables and bars", lain(true)),
                    (
                        "Flexible bodies",
                        sketch.flexible.iter().map(|body| body.name.as_str()).collect(),
                    ),
                    ("Joints", model.joints().iter().map(|joint| joint.name.as_str()).collect()),
                    ("Motions", motions.iter().map(String::as_str).collect()),
                    ("Forces", model.forces().iter().map(|(name, _)| name.as_str()).collect()),
                    ("Contacts", model.contact_names().collect()),
                    ("Signals", model.sensor_names().collect()),
                ]
            }
        }
    }

    /// Numbers so odd that units are probably mixed, as far as only the kind of model can tell.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Model::Equations(_) => Vec::new(),
            Model::Mechanism(model) => model.hints(),
        }
    }

    /// What can be computed but hardly be meant.
    pub fn cautions(&self) -> &[String] {
        match self {
            Model::Equations(_) => &[],
            Model::Mechanism(model) => &model.cautions,
        }
    }

    /// What was left out of an imported file.
    pub fn notes(&self) -> &[String] {
        match self {
            Model::Equations(_) => &[],
            Model::Mechanism(model) => &model.notes,
        }
    }

    /// What is recorded of forces, a line for all that offer the same.
    pub fn recorded_forces(&self) -> Vec<String> {
        match self {
            Model::Equations(_) => Vec::new(),
            Model::Mechanism(model) => model.recorded.forces_in_words(&model.model),
        }
    }

    /// Forces that are not recorded because there are many, and how to get them.
    pub fn left_out(&self) -> &[String] {
        match self {
            Model::Equations(_) => &[],
            Model::Mechanism(model) => &model.recorded.left_out,
        }
    }

    /// The mechanism in motion, in no more than about so many numbers.
    pub fn film(&self, trajectory: &Trajectory, most: usize) -> Option<Film> {
        match self {
            Model::Equations(_) => None,
            Model::Mechanism(model) => Some(model.film(trajectory, most)),
        }
    }

    /// Output curves along a trajectory.
    pub fn results(&self, trajectory: &Trajectory) -> Results {
        let mut units = Units::default();
        match self {
            Model::Equations(model) => {
                let extra = outputs::along(trajectory, &mut model.system());
                let hot_spots = Value::Null;
                Results { extra, curves: Vec::new(), coordinates: true, units, hot_spots }
            }
            Model::Mechanism(model) => {
                let mut curves = Vec::new();
                for group in model.curves(trajectory) {
                    let named = group.names.iter().cloned().zip(group.units.iter());
                    units.columns.extend(named.map(|(name, unit)| (name, (*unit).to_owned())));
                    let title = group.title.to_owned();
                    let (names, table, place) = (group.names, group.table, group.place);
                    curves.push(Curves { title, names, table, place });
                }
                let hot_spots = hot_spots(model, trajectory);
                let extra = Extra::default();
                Results { extra, curves, coordinates: false, units, hot_spots }
            }
        }
    }
}
