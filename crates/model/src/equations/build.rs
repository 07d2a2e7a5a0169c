//! From the document to expressions.

use crate::equations::auxiliary;
use crate::equations::constraints;
use crate::equations::contacts;
use crate::equations::energies;
use crate::equations::expressions::{Constraint, Coordinate, Equations, Formula};
use crate::equations::install::{self, Added};
use crate::equations::names::{self, Symbols};
use crate::reading::{Entry, Kinds, ModelError, Scope, Table, Value, did_you_mean, order};
use rotula_dae::Sizes;
use rotula_formula::{Decisions, Expression, Timetable};
use std::collections::HashMap;

/// Reads the abbreviations.
fn definitions(document: &Table, scope: &mut Scope) -> Result<(), ModelError> {
    let entries = document.section("define");
    scope.announce(entries);
    for index in order(entries, "the definition")? {
        let entry = &entries[index];
        let defined = scope.parse(&entry.item, &format!("define.{}", entry.key), Kinds::ALL)?;
        scope.define(&entry.key, defined);
    }
    Ok(())
}

/// Reads all sections that make equations; parameters and symbols are in the scope.
pub(crate) fn equations(
    document: &Table,
    mut scope: Scope,
    symbols: Symbols,
    added: Added,
) -> Result<(Equations, Scope), ModelError> {
    definitions(document, &mut scope)?;
    let coordinates = coordinates(document, &mut scope)?;
    let index = coordinate_index(document);
    let mass = mass(document, &mut scope, &index)?;
    let mut force = force(document, &mut scope, &index)?;
    for (i, formula) in added.forces {
        match force.iter_mut().find(|(coordinate, _)| *coordinate == i) {
            Some((_, sum)) => sum.expression = scope.graph.add(sum.expression, formula.expression),
            None => force.push((i, formula)),
        }
    }
    let mut constraints = constraints::constraints(document, &mut scope, &symbols, "constraint")?;
    constraints.extend(added.constraints);
    let holonomic = constraints.len();
    constraints.extend(constraints::constraints(document, &mut scope, &symbols, "nonholonomic")?);
    let contacts = contacts::contacts(document, &mut scope)?;
    let (mut auxiliary, mut explicit) = auxiliary::residuals(document, &mut scope, &symbols)?;
    let inputs = auxiliary::inputs(document, &mut scope)?;
    auxiliary::hold(&inputs, &mut scope, &symbols, (&mut auxiliary, &mut explicit));
    constraints::check_multipliers_act(
        document,
        &scope,
        &symbols,
        &constraints,
        &force,
        &auxiliary,
    )?;
    let energies = energies::energies(document, &mut scope, &symbols, &mass)?;
    let mut outputs = outputs(document, &mut scope)?;
    outputs.extend(added.outputs);
    let deciding = force.iter_mut().map(|(_, formula)| formula).chain(&mut auxiliary);
    for Formula { expression, .. } in deciding {
        *expression = scope.graph.with_whole_parts(*expression, Some(symbols.t));
    }
    let mut events = events(document, &mut scope)?;
    let formulas = [
        mass.iter().map(|(_, _, formula)| formula.expression).collect(),
        force.iter().map(|(_, formula)| formula.expression).collect(),
        auxiliary.iter().map(|formula| formula.expression).collect::<Vec<_>>(),
    ];
    events.extend(jumps(&mut scope, symbols.t, &formulas.concat(), &constraints));
    events.sort_by(f64::total_cmp);
    events.dedup();
    let timetable = Timetable::new(&mut scope.graph, &formulas.concat(), symbols.t);
    let decisions = Decisions::find(
        &mut scope.graph,
        &formulas[1..].concat(),
        Some(symbols.t),
        &symbols.inputs(),
    );
    // every name a formula may use is one of the inputs
    let decisions = decisions.expect("formulas use declared symbols only");
    let name = |entry: &Entry| entry.key.clone();
    let states: Vec<String> = document.section("state").iter().map(name).collect();
    let variables: Vec<String> =
        ["variable", "input"].into_iter().flat_map(|s| document.section(s)).map(name).collect();
    let sizes = Sizes {
        configuration: coordinates.len(),
        motion: coordinates.len(),
        holonomic,
        nonholonomic: constraints.len() - holonomic,
        states: states.len(),
        variables: variables.len(),
    };
    let mut functions = added.functions;
    install::settle(&mut functions, &scope.graph, &symbols, &constraints, &contacts)?;
    let equations = Equations {
        graph: scope.graph.clone(),
        symbols,
        sizes,
        coordinates,
        mass,
        force,
        constraints,
        contacts,
        states,
        variables,
        auxiliary,
        explicit,
        inputs,
        energies,
        outputs,
        events,
        timetable,
        decisions,
        functions,
    };
    Ok((equations, scope))
}

fn coordinates(document: &Table, scope: &mut Scope) -> Result<Vec<Coordinate>, ModelError> {
    let mut coordinates = Vec::new();
    for entry in document.section("coordinates") {
        let mut scale = 1.0;
        if let Some(item) = entry.item.field("scale", None) {
            let path = format!("coordinates.{}.scale", entry.key);
            scale = scope.constant(item, &path)?;
            if scale <= 0.0 {
                let error = ModelError::new(&item.place, format!("{path} is {scale}"));
                return Err(error.with_help("a scale must be positive"));
            }
        }
        coordinates.push(Coordinate { name: entry.key.clone(), scale });
    }
    Ok(coordinates)
}

fn coordinate_index(document: &Table) -> HashMap<&str, usize> {
    let entries = document.section("coordinates").iter();
    entries.enumerate().map(|(i, entry)| (entry.key.as_str(), i)).collect()
}

fn find(index: &HashMap<&str, usize>, name: &str, entry: &Entry) -> Result<usize, ModelError> {
    index.get(name).copied().ok_or_else(|| {
        let mut known: Vec<&str> = index.keys().copied().collect();
        known.sort_unstable();
        ModelError::new(&entry.place, format!("there is no coordinate `{name}`"))
            .with_help(did_you_mean(name, known))
    })
}

fn mass(
    document: &Table,
    scope: &mut Scope,
    index: &HashMap<&str, usize>,
) -> Result<Vec<(usize, usize, Formula)>, ModelError> {
    let mut given: Vec<(usize, usize, Formula)> = Vec::new();
    for entry in document.section("mass") {
        let parts: Vec<&str> = entry.key.split(',').map(str::trim).collect();
        let (i, j) = match parts.as_slice() {
            [x] => (find(index, x, entry)?, find(index, x, entry)?),
            [x, y] => (find(index, x, entry)?, find(index, y, entry)?),
            _ => {
                let error =
                    ModelError::new(&entry.place, "a mass entry names one or two coordinates");
                return Err(error.with_help("write `x = …` or `\"x, y\" = …`"));
            }
        };
        let path = format!("mass.{}", parts.join(","));
        if let Some((_, _, other)) = given.iter().find(|(a, b, _)| (*a, *b) == (i, j)) {
            let message = format!("{path} repeats {}", other.path);
            let help =
                "give each entry once; `\"x, y\"` stands for `\"y, x\"` too, unless both are given";
            return Err(ModelError::new(&entry.place, message).with_help(help));
        }
        let (expression, _) = scope.parse(&entry.item, &path, Kinds::CONFIGURATION)?;
        given.push((i, j, Formula { path, expression }));
    }
    let has = |i: usize, j: usize| given.iter().any(|(a, b, _)| (*a, *b) == (i, j));
    let both = |(i, j, formula): &(usize, usize, Formula)| {
        let mirrored = (!has(*j, *i)).then(|| (*j, *i, formula.clone()));
        std::iter::once((*i, *j, formula.clone())).chain(mirrored)
    };
    Ok(given.iter().flat_map(both).collect())
}

fn force(
    document: &Table,
    scope: &mut Scope,
    index: &HashMap<&str, usize>,
) -> Result<Vec<(usize, Formula)>, ModelError> {
    let entries = document.section("force").iter();
    let read = |entry: &Entry| {
        let i = find(index, &entry.key, entry)?;
        let path = format!("force.{}", entry.key);
        let (expression, _) = scope.parse(&entry.item, &path, Kinds::FORCE)?;
        Ok((i, Formula { path, expression }))
    };
    entries.map(read).collect()
}

fn outputs(document: &Table, scope: &mut Scope) -> Result<Vec<(String, Formula)>, ModelError> {
    let read = |entry: &Entry| {
        let path = format!("output.{}", entry.key);
        let (expression, _) = scope.parse(&entry.item, &path, Kinds::ALL)?;
        Ok((entry.key.clone(), Formula { path, expression }))
    };
    document.section("output").iter().map(read).collect()
}

fn events(document: &Table, scope: &mut Scope) -> Result<Vec<f64>, ModelError> {
    let mut times = Vec::new();
    if let Some(item) = document.get("events").and_then(|events| events.field("times", None))
        && let Value::List(items) = &item.value
    {
        for item in items {
            times.push(scope.constant(item, "events.times")?);
        }
    }
    Ok(times)
}

/// Known times at which formulas jump, or the accelerations that constraints ask for.
fn jumps(
    scope: &mut Scope,
    t: Expression,
    formulas: &[Expression],
    constraints: &[Constraint],
) -> Vec<f64> {
    let mut roots = formulas.to_vec();
    for constraint in constraints {
        let value = constraint.formula.expression;
        let rate = scope.graph.derivative(value, t);
        roots.extend([value, rate, scope.graph.derivative(rate, t)]);
    }
    scope.graph.jump_times(&roots, t)
}

/// The model needs something that moves.
pub(crate) fn check_coordinates(
    document: &Table,
    file: &crate::reading::Place,
) -> Result<(), ModelError> {
    if document.section("coordinates").is_empty() {
        let place = document.entry("coordinates").map_or(file, |entry| &entry.place);
        let error = ModelError::new(place, "the model has no coordinates");
        return Err(error.with_help("add `[coordinates]` with `x = { at = 0, velocity = 0 }`"));
    }
    names::check_names(document)
}
