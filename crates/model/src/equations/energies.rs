//! Energies and power.

use crate::equations::expressions::{Energies, Formula};
use crate::equations::names::Symbols;
use crate::reading::{Kinds, ModelError, Scope, Table};
use rotula_formula::Expression;

/// Reads the section `energy`; without it the system knows no energies.
pub(crate) fn energies(
    document: &Table,
    scope: &mut Scope,
    symbols: &Symbols,
    mass: &[(usize, usize, Formula)],
) -> Result<Option<Energies>, ModelError> {
    let Some(section) = document.get("energy") else {
        return Ok(None);
    };
    let mut read = |key: &str, allowed: Kinds| -> Result<Option<Formula>, ModelError> {
        let Some(item) = section.field(key, None) else {
            return Ok(None);
        };
        let path = format!("energy.{key}");
        let (expression, _) = scope.parse(item, &path, allowed)?;
        Ok(Some(Formula { path, expression }))
    };
    let kinetic = read("kinetic", Kinds::ENERGY)?;
    let potential = read("potential", Kinds::ENERGY)?;
    let power = read("power", Kinds::ALL)?;
    let kinetic = kinetic.unwrap_or_else(|| Formula {
        path: "the kinetic energy".into(),
        expression: kinetic_energy(scope, symbols, mass),
    });
    let potential = potential.unwrap_or_else(|| Formula {
        path: "the potential energy".into(),
        expression: scope.graph.constant(0.0),
    });
    Ok(Some(Energies { kinetic, potential, power }))
}

/// ½ v·M v
fn kinetic_energy(
    scope: &mut Scope,
    symbols: &Symbols,
    mass: &[(usize, usize, Formula)],
) -> Expression {
    let graph = &mut scope.graph;
    let mut sum = graph.constant(0.0);
    for (i, j, entry) in mass {
        let factor = graph.constant(0.5);
        let square = graph.mul(symbols.v[*i], symbols.v[*j]);
        let term = graph.mul(entry.expression, square);
        let term = graph.mul(factor, term);
        sum = graph.add(sum, term);
    }
    sum
}
