//! Puts functions of a program into a model.

use crate::equations::contacts::ContactFormulas;
use crate::equations::expressions::{Constraint, Formula};
use crate::equations::function::{Function, Installed, Role, series};
use crate::equations::names::Symbols;
use crate::reading::{Kinds, ModelError, Place, Scope, Table, did_you_mean};
use rotula_formula::{Expression, Graph};

/// Sizes over which functions change: of the time, and of what has no scale.
const TIME: f64 = 0.1;
const OTHER: f64 = 1.0;
/// Most numbers and arguments of one function.
const MOST: usize = 64;

/// What functions add to a model.
pub(crate) struct Added {
    pub functions: Vec<Installed>,
    pub forces: Vec<(usize, Formula)>,
    pub constraints: Vec<Constraint>,
    pub outputs: Vec<(String, Formula)>,
}

/// The names of the constraints that functions make.
pub(crate) fn constraint_names(functions: &[Function]) -> Vec<String> {
    let constraints = functions.iter().filter(|function| function.role == Role::Constraint);
    constraints.flat_map(Function::row_names).collect()
}

/// How many constraints functions make.
pub(crate) fn constraint_rows(functions: &[Function]) -> usize {
    constraint_names(functions).len()
}

/// Makes the names of functions known, before formulas are read.
pub(crate) fn install(
    document: &Table,
    file: &Place,
    functions: &[Function],
    scope: &mut Scope,
    symbols: &mut Symbols,
) -> Result<Added, ModelError> {
    let mut added = Added {
        functions: Vec::new(),
        forces: Vec::new(),
        constraints: Vec::new(),
        outputs: Vec::new(),
    };
    for function in functions {
        let wrong = |message: String, help: String| {
            ModelError::new(file, format!("function `{}`: {message}", function.name))
                .with_help(help)
        };
        check_names(document, function, scope).map_err(|(message, help)| wrong(message, help))?;
        let (allowed, rule) = match &function.role {
            Role::Variable => (Kinds::ALL, ""),
            Role::Force(_) => (
                Kinds::FORCE,
                "a force depends on time, coordinates, velocities, states, variables and multipliers",
            ),
            Role::Constraint => {
                (Kinds::CONFIGURATION, "a constraint depends on time and coordinates")
            }
        };
        let (mut arguments, mut kinds) = (Vec::new(), Kinds::CONSTANT);
        for name in &function.of {
            let Some((symbol, kind)) = scope.symbol(name) else {
                let help = did_you_mean(name, scope.symbol_names());
                return Err(wrong(format!("there is no `{name}`"), help));
            };
            if !kind.within(allowed) {
                return Err(wrong(format!("it is computed from `{name}`"), rule.to_owned()));
            }
            arguments.push(symbol);
            kinds = kinds | kind;
        }
        if function.rows == 0 || function.rows > MOST || arguments.len() > MOST {
            let message = format!("it has {} numbers of {}", function.rows, arguments.len());
            return Err(wrong(message, format!("give 1 to {MOST} of each")));
        }
        let known = symbols.inputs();
        let (coefficients, numbers) =
            series(&mut scope.graph, &function.name, &arguments, function.rows);
        let place = |symbol: &Expression| known.iter().position(|other| other == symbol);
        added.functions.push(Installed {
            function: function.function.clone(),
            arguments: arguments.iter().filter_map(place).collect(),
            sizes: arguments.iter().map(|symbol| size(document, symbols, symbol)).collect(),
            rows: function.rows,
            first: known.len(),
            curved: false,
        });
        symbols.coefficients.extend(coefficients);
        for (row, (name, expression)) in function.row_names().into_iter().zip(numbers).enumerate() {
            let formula = |path: String| Formula { path, expression };
            scope.define(&name, (expression, kinds));
            match &function.role {
                Role::Variable => {
                    added.outputs.push((name.clone(), formula(format!("variable.{name}"))));
                }
                Role::Force(coordinates) => {
                    let coordinate = coordinates.get(row).map_or("", String::as_str);
                    let entries = document.section("coordinates");
                    let Some(i) = entries.iter().position(|entry| entry.key == coordinate) else {
                        let names = entries.iter().map(|entry| entry.key.as_str());
                        let help = did_you_mean(coordinate, names.collect::<Vec<_>>());
                        return Err(wrong(format!("there is no coordinate `{coordinate}`"), help));
                    };
                    added.forces.push((i, formula(format!("force.{name}"))));
                }
                Role::Constraint => {
                    let formula = formula(format!("constraint.{name}"));
                    added.constraints.push(Constraint { name, formula, reaction: true });
                }
            }
        }
    }
    Ok(added)
}

/// Names of functions must be new, and fit for formulas.
fn check_names(
    document: &Table,
    function: &Function,
    scope: &Scope,
) -> Result<(), (String, String)> {
    let another = || "choose another name".to_owned();
    for name in function.row_names() {
        let mut letters = name.chars();
        let sound = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && letters.all(|c| c.is_alphanumeric() || c == '_');
        if !sound {
            let help = "names begin with a letter and go on with letters, digits and `_`";
            return Err((format!("`{name}` cannot be used as a name"), help.to_owned()));
        }
        if scope.knows(&name) {
            return Err((format!("the name `{name}` is taken already"), another()));
        }
        let sections = ["parameters", "define", "constraint", "nonholonomic", "gap", "output"];
        for section in sections {
            if document.section(section).iter().any(|entry| entry.key == name) {
                return Err((
                    format!("the name `{name}` is taken already in [{section}]"),
                    another(),
                ));
            }
        }
    }
    Ok(())
}

/// A size over which functions of an unknown change little by little: the scale of a coordinate.
fn size(document: &Table, symbols: &Symbols, symbol: &Expression) -> f64 {
    if *symbol == symbols.t {
        return TIME;
    }
    let coordinate = symbols.q.iter().position(|other| other == symbol);
    let entry = coordinate.and_then(|i| document.section("coordinates").get(i));
    let scale = entry.and_then(|entry| entry.item.field("scale", None)?.number());
    scale.filter(|scale| *scale > 0.0).unwrap_or(OTHER)
}

/// Finds the functions whose second derivatives are needed, and refuses those in contacts.
pub(crate) fn settle(
    functions: &mut [Installed],
    graph: &Graph,
    symbols: &Symbols,
    constraints: &[Constraint],
    contacts: &[ContactFormulas],
) -> Result<(), ModelError> {
    let inputs = symbols.inputs();
    for function in functions {
        let uses = |expression: Expression| {
            let n = function.coefficients();
            let own = &inputs[function.first..function.first + n];
            graph.symbols_of(expression).iter().any(|symbol| own.contains(symbol))
        };
        let curved = constraints.iter().any(|constraint| uses(constraint.formula.expression));
        for contact in contacts {
            let slips = contact.slips.iter().map(|(slip, _)| slip.expression);
            if std::iter::once(contact.gap.expression).chain(slips).any(uses) {
                let message = format!("{} uses a function of the program", contact.gap.path);
                let error = ModelError::file("model", message);
                return Err(error.with_help("write its formula"));
            }
        }
        function.curved = curved;
    }
    Ok(())
}
