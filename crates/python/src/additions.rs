//! Functions of users as parts of a model.

use crate::constraint::PythonConstraint;
use crate::equation::PythonEquation;
use crate::force::PythonForce;
use crate::trouble::Trouble;
use crate::variable::PythonVariable;
use nalgebra::Vector3;
use pyo3::prelude::*;
use rotula_lie::Frame;
use rotula_mechanics::constraint::Numeric;
use rotula_mechanics::sensor::MultiplierSensor;
use rotula_mechanics::{Marker, Model, ModelError};
use rotula_model::equations::{Function, Role};
use rotula_model::{Additions, Places};
use std::sync::Arc;

/// A variable: name, inputs, function, derivatives.
#[derive(FromPyObject)]
pub(crate) struct Variable(String, Vec<String>, Py<PyAny>, Option<Py<PyAny>>);

/// Points of bodies: the names of bodies or frames, and where on them.
type Points = Vec<(String, [f64; 3])>;

/// A force: name, points, function, length, speed, and what it is computed from among equations.
#[derive(FromPyObject)]
pub(crate) struct Load(String, Points, Py<PyAny>, f64, f64, Option<Vec<String>>);

/// A constraint: name, points, number of equations, function, length.
#[derive(FromPyObject)]
pub(crate) struct Equations(String, Points, usize, Py<PyAny>, f64);

/// Everything that users add to a model file.
pub(crate) struct Functions {
    variables: Vec<(Vec<String>, PythonVariable)>,
    forces: Vec<(Points, PythonForce, Option<Vec<String>>)>,
    constraints: Vec<(Points, PythonConstraint, f64)>,
}

impl Functions {
    pub(crate) fn new(
        variables: Vec<Variable>,
        forces: Vec<Load>,
        constraints: Vec<Equations>,
        trouble: &Trouble,
    ) -> Self {
        let variable = |Variable(name, inputs, function, slopes): Variable| {
            let variable = PythonVariable {
                name: name.into(),
                function: Arc::new(function),
                slopes: slopes.map(Arc::new),
                trouble: trouble.clone(),
            };
            (inputs, variable)
        };
        let force = |Load(name, points, function, length, speed, of): Load| {
            let force = PythonForce {
                name: name.into(),
                nodes: Vec::new(),
                markers: Vec::new(),
                function: Arc::new(function),
                length,
                speed,
                trouble: trouble.clone(),
            };
            (points, force, of)
        };
        let constraint = |Equations(name, points, rows, function, length): Equations| {
            let constraint = PythonConstraint {
                name: name.into(),
                markers: Vec::new(),
                rows,
                function: Arc::new(function),
                trouble: trouble.clone(),
            };
            (points, constraint, length)
        };
        Functions {
            variables: variables.into_iter().map(variable).collect(),
            forces: forces.into_iter().map(force).collect(),
            constraints: constraints.into_iter().map(constraint).collect(),
        }
    }

    /// The names of all functions.
    pub(crate) fn names(&self) -> Vec<String> {
        let variables = self.variables.iter().map(|(_, variable)| &variable.name);
        let forces = self.forces.iter().map(|(_, force, _)| &force.name);
        let constraints = self.constraints.iter().map(|(_, constraint, _)| &constraint.name);
        variables.chain(forces).chain(constraints).map(ToString::to_string).collect()
    }

    /// Refuses what the other kind of model would have.
    pub(crate) fn check(&self, mechanism: bool) -> Result<(), Wrong> {
        for (_, force, of) in &self.forces {
            let name = &force.name;
            match (mechanism, of) {
                (true, Some(_)) => {
                    let message = format!("force `{name}`: `of` belongs to models of equations");
                    return Err((
                        message,
                        "leave it out: the function gets the motions of its bodies",
                    ));
                }
                (false, None) => {
                    let message =
                        format!("force `{name}`: it is not said what it is computed from");
                    return Err((message, "give `of`, as in `of=[\"t\", \"x\", \"x'\"]`"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// All functions as parts of a model of equations.
    pub(crate) fn for_equations(&self) -> Result<Vec<Function>, Wrong> {
        let mut functions = Vec::new();
        for (inputs, variable) in &self.variables {
            let PythonVariable { name, function, slopes, trouble } = variable.clone();
            let thing = format!("variable `{name}`");
            let own = PythonEquation { thing, function, slopes, trouble };
            functions.push(equation(&name, inputs.clone(), (1, Role::Variable), own));
        }
        for (points, force, of) in &self.forces {
            let PythonForce { name, function, trouble, .. } = force.clone();
            let thing = format!("force `{name}`");
            let on = coordinates(&thing, points)?;
            let own = PythonEquation { thing, function, slopes: None, trouble };
            let of = of.clone().unwrap_or_default();
            functions.push(equation(&name, of, (on.len(), Role::Force(on)), own));
        }
        for (points, constraint, _) in &self.constraints {
            let PythonConstraint { name, rows, function, trouble, .. } = constraint.clone();
            let thing = format!("constraint `{name}`");
            let mut of = vec!["t".to_owned()];
            of.extend(coordinates(&thing, points)?);
            let own = PythonEquation { thing, function, slopes: None, trouble };
            functions.push(equation(&name, of, (rows, Role::Constraint), own));
        }
        Ok(functions)
    }

    /// Whether nothing is added.
    pub(crate) fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.forces.is_empty() && self.constraints.is_empty()
    }
}

/// What is wrong with a function, and what would be right.
pub(crate) type Wrong = (String, &'static str);

/// The names of coordinates, which have no points.
fn coordinates(thing: &str, points: &Points) -> Result<Vec<String>, Wrong> {
    if points.iter().any(|(_, at)| *at != [0.0; 3]) {
        return Err((format!("{thing}: `at` belongs to mechanisms"), "leave it out"));
    }
    Ok(points.iter().map(|(name, _)| name.clone()).collect())
}

fn equation(
    name: &str,
    of: Vec<String>,
    (rows, role): (usize, Role),
    own: PythonEquation,
) -> Function {
    Function { name: name.to_owned(), of, rows, role, function: Arc::new(own) }
}

fn markers(
    thing: &str,
    points: &Points,
    places: &Places,
    model: &Model,
) -> Result<Vec<Marker>, ModelError> {
    let marker = |(name, at): &(String, [f64; 3])| {
        let marker = places.marker(thing, name, model)?;
        let at = Frame::new(Vector3::from(*at), Default::default());
        Ok(Marker { frame: marker.frame * at, ..marker })
    };
    points.iter().map(marker).collect()
}

impl Additions for Functions {
    fn variables(&self) -> Vec<String> {
        self.variables.iter().map(|(_, variable)| variable.name.to_string()).collect()
    }

    fn forces(&self) -> Vec<String> {
        self.forces.iter().map(|(_, force, _)| force.name.to_string()).collect()
    }

    fn add_signals(&self, model: &mut Model) -> Result<(), ModelError> {
        for (inputs, variable) in &self.variables {
            model.computed_variable(&variable.name, inputs, variable.clone())?;
        }
        Ok(())
    }

    fn add_elements(&self, model: &mut Model, places: &Places) -> Result<(), ModelError> {
        for (points, force, _) in &self.forces {
            let markers = markers(&format!("force `{}`", force.name), points, places, model)?;
            let nodes = markers.iter().map(|marker| marker.node).collect();
            model.force(&force.name, PythonForce { nodes, markers, ..force.clone() })?;
        }
        for (points, constraint, length) in &self.constraints {
            let name = constraint.name.to_string();
            let markers = markers(&format!("constraint `{name}`"), points, places, model)?;
            let nodes = markers.iter().map(|marker| marker.node).collect();
            let rows = constraint.rows;
            let constraint = PythonConstraint { markers, ..constraint.clone() };
            model.constrain(&name, Box::new(Numeric::new(nodes, constraint, *length)?))?;
            for row in 0..rows {
                let sensor = MultiplierSensor::new(model, &name, row)?;
                let number = if row == 0 { String::new() } else { format!("_{}", row + 1) };
                model.sensor(&format!("{name}.effort{number}"), sensor)?;
            }
        }
        Ok(())
    }
}
