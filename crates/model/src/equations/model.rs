//! The public face of a model file.

use crate::equations::build;
use crate::equations::contacts::ContactFormulas;
use crate::equations::expressions::Equations;
use crate::equations::function::Function;
use crate::equations::initial::{self, Start};
use crate::equations::install;
use crate::equations::names;
use crate::equations::sections::FORMAT;
use crate::equations::system::EquationSystem;
use crate::reading::{
    Document, ModelError, ModelFile, Scope, Solve, Usual, parameters, read_solve, tables,
};
use rotula_dae::Settings;
use rotula_dae::SettingsError;
use rotula_dae::Sizes;
use rotula_dae::State;
use std::path::Path;
use std::sync::Arc;

/// A constrained mechanical system given by formulas.
#[derive(Clone)]
pub struct Model {
    /// Name for reports; that of the file if it gives none.
    pub title: String,
    /// What the model shows.
    pub description: Option<String>,
    /// How it is to be integrated.
    pub solve: Solve,
    /// The parameters with their values, in the order of the file.
    pub parameters: Vec<(String, f64)>,
    /// Unilateral constraints.
    pub gaps: Vec<Gap>,
    equations: Arc<Equations>,
    start: Start,
}

/// A unilateral constraint `gap(q, t) ≥ 0`.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// Its key in the file.
    pub name: String,
    /// The distance that may not become negative, with the values of parameters in it.
    pub formula: String,
    /// Newton's coefficient of restitution.
    pub restitution: f64,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Lengths along the surface, or sliding velocities.
    pub slips: Vec<String>,
}

impl Model {
    /// Reads a model file. Each override is a dotted key such as `parameters.m` and the value that takes the place of the
    /// one in the file.
    pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<Model, ModelError> {
        Model::of(&Document::read(path)?, overrides, &[])
    }

    /// Reads a model from a text; `name` is what errors call it.
    pub fn parse(
        text: &str,
        name: &str,
        overrides: &[(String, String)],
    ) -> Result<Model, ModelError> {
        Model::of(&Document::parse(text, name)?, overrides, &[])
    }

    /// Makes a model of a document, with functions of a program as further parts.
    pub fn of(
        document: &Document,
        overrides: &[(String, String)],
        functions: &[Function],
    ) -> Result<Model, ModelError> {
        let file = ModelFile::new(document, overrides, &FORMAT)?;
        let ModelFile { document, place, title, description, .. } = file;
        build::check_coordinates(&document, &place)?;

        let mut scope = Scope::default();
        let mut symbols = names::declare(&document, functions, &mut scope);
        let added = install::install(&document, &place, functions, &mut scope, &mut symbols)?;
        scope.announce(document.section("table"));
        let parameters = parameters(&document, &mut scope)?;
        let folder = Path::new(&place.source.name).parent().unwrap_or(Path::new(""));
        tables(&document, folder, &mut scope)?;
        let (equations, mut scope) = build::equations(&document, scope, symbols, added)?;
        let gaps = gaps(&scope, &equations);
        let start = initial::start(&document, &mut scope, &equations, functions)?;
        let solve = read_solve(&document, Usual::default())?;
        Ok(Model {
            title,
            description,
            solve,
            parameters,
            gaps,
            equations: Arc::new(equations),
            start,
        })
    }

    /// The system, compiled with all its derivatives.
    pub fn system(&self) -> EquationSystem {
        EquationSystem::new(self.equations.clone())
    }

    /// The initial state at the start time: positions, velocities and states as given; accelerations and multipliers as
    /// given or zero; rates and variables as given or as their formulas say.
    pub fn initial_state(&self) -> State {
        self.start.state(&self.equations, self.solve.start())
    }

    /// The settings that `[solve]` means.
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        self.solve.settings()
    }

    /// How many of everything there are.
    pub fn sizes(&self) -> Sizes {
        self.equations.sizes
    }

    /// Names of the coordinates.
    pub fn coordinate_names(&self) -> impl Iterator<Item = &str> {
        self.equations.coordinates.iter().map(|coordinate| coordinate.name.as_str())
    }

    /// Names of the constraints in the order of the multipliers: holonomic, then nonholonomic.
    pub fn constraint_names(&self) -> impl Iterator<Item = &str> {
        self.equations.constraints.iter().map(|constraint| constraint.name.as_str())
    }

    /// Names of the first-order states.
    pub fn state_names(&self) -> impl Iterator<Item = &str> {
        self.equations.states.iter().map(String::as_str)
    }

    /// Names of the algebraic variables.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.equations.variables.iter().map(String::as_str)
    }

    /// Names of the curves of `[output]`.
    pub fn output_names(&self) -> impl Iterator<Item = &str> {
        self.equations.outputs.iter().map(|(name, _)| name.as_str())
    }
}

fn gaps(scope: &Scope, equations: &Equations) -> Vec<Gap> {
    let show = |expression| scope.graph.display(expression);
    let gap = |contact: &ContactFormulas| Gap {
        name: contact.name.clone(),
        formula: show(contact.gap.expression),
        restitution: contact.law.restitution,
        friction: contact.law.friction,
        slips: contact.slips.iter().map(|(slip, _)| show(slip.expression)).collect(),
    };
    equations.contacts.iter().map(gap).collect()
}
