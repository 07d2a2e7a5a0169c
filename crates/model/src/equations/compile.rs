//! All programs of a system, compiled as they are needed.

use crate::equations::block::{Block, Context, Lazy, MotionBlock};
use crate::equations::derive::{Entry, Rows, jacobian};
use crate::equations::expressions::Equations;
use rotula_dae::Patterns;
use rotula_formula::{Decisions, Expression, Graph};
use rotula_linear::Pattern;
use std::collections::BTreeMap;

/// Made once per model, shared by all copies of a system.
pub(crate) struct Compiled {
    /// By mask of terms: 1 inertia, 2 forces, 4 reactions.
    pub dynamics: Vec<Lazy>,
    pub tangent: Vec<MotionBlock>,
    pub reactions: Option<Block>,
    pub dynamics_auxiliary: Block,
    /// Position, velocity and acceleration level.
    pub constraint: [Lazy; 3],
    pub constraint_tangent: [MotionBlock; 3],
    pub auxiliary: Lazy,
    pub auxiliary_motion: MotionBlock,
    pub auxiliary_multipliers: Block,
    pub auxiliary_own: Block,
    /// Kinetic and potential energy.
    pub energy: Option<Lazy>,
    pub power: Option<Lazy>,
    pub outputs: Lazy,
    pub patterns: Patterns,
    pub context: Context,
}

/// Weights of the columns of states and variables: rate, state, one.
pub(crate) const RATE: usize = 0;
pub(crate) const STATE: usize = 1;
pub(crate) const VARIABLE: usize = 2;

impl Compiled {
    pub(crate) fn new(equations: &Equations) -> Self {
        let mut graph = equations.graph.clone();
        let mut inputs = equations.symbols.inputs();
        inputs.extend(equations.decisions.iter().flat_map(Decisions::expressions));
        let sizes = equations.sizes;
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let symbols = &equations.symbols;
        let rows = Rows::new(&mut graph, equations);
        let motion = [(0, &symbols.vdot), (1, &symbols.v), (2, &symbols.q)];

        let terms: Vec<Vec<Expression>> =
            (0..8).map(|mask| rows.dynamics(&mut graph, mask)).collect();
        let tangents = tangents(&mut graph, &terms, &motion);
        let all = &terms[7];
        let by_multiplier = jacobian(&mut graph, all, &[(0, &symbols.multipliers)]);
        let by_auxiliary = auxiliary_columns(&mut graph, all, equations);

        let levels = [&rows.position, &rows.velocity, &rows.acceleration];
        let level_tangents = levels.map(|rows| jacobian(&mut graph, rows, &motion));

        let residuals: Vec<Expression> =
            equations.auxiliary.iter().map(|formula| formula.expression).collect();
        let by_motion = jacobian(&mut graph, &residuals, &motion);
        let own_multiplier = jacobian(&mut graph, &residuals, &[(0, &symbols.multipliers)]);
        let own = auxiliary_columns(&mut graph, &residuals, equations);

        let unusual = equations.constraints.iter().any(|constraint| !constraint.reaction)
            || equations.force.iter().any(|(_, force)| {
                let used = graph.symbols_of(force.expression);
                used.iter().any(|symbol| symbols.multipliers.contains(symbol))
            });
        let patterns = Patterns {
            dynamics: pattern(n, n, tangents.iter().flatten()),
            constraints: pattern(m, n, level_tangents.iter().flatten()),
            reactions: unusual.then(|| pattern(n, m, &by_multiplier)),
            dynamics_auxiliary: pattern(n, a, &by_auxiliary),
            auxiliary_motion: pattern(a, n, &by_motion),
            auxiliary_multipliers: pattern(a, m, &own_multiplier),
            auxiliary: pattern(a, a, &own),
        };
        let context = Context { graph, inputs };
        let energies = equations.energies.as_ref();
        let outputs: Vec<Expression> =
            equations.outputs.iter().map(|(_, formula)| formula.expression).collect();
        Compiled {
            dynamics: terms.iter().map(|rows| Lazy::new(rows)).collect(),
            tangent: tangents.iter().map(|t| MotionBlock::new(t, &patterns.dynamics)).collect(),
            reactions: patterns
                .reactions
                .as_ref()
                .map(|pattern| Block::new(&by_multiplier, pattern)),
            dynamics_auxiliary: Block::new(&by_auxiliary, &patterns.dynamics_auxiliary),
            constraint: [
                Lazy::new(&rows.position[..sizes.holonomic]),
                Lazy::new(&rows.velocity),
                Lazy::new(&rows.acceleration),
            ],
            constraint_tangent: level_tangents
                .each_ref()
                .map(|entries| MotionBlock::new(entries, &patterns.constraints)),
            auxiliary: Lazy::new(&residuals),
            auxiliary_motion: MotionBlock::new(&by_motion, &patterns.auxiliary_motion),
            auxiliary_multipliers: Block::new(&own_multiplier, &patterns.auxiliary_multipliers),
            auxiliary_own: Block::new(&own, &patterns.auxiliary),
            energy: energies.map(|e| Lazy::new(&[e.kinetic.expression, e.potential.expression])),
            power: energies
                .and_then(|e| e.power.as_ref())
                .map(|power| Lazy::new(&[power.expression])),
            outputs: Lazy::new(&outputs),
            patterns,
            context,
        }
    }
}

/// Derivatives of the rows of each mask: those of single terms are taken, the others are sums of them.
fn tangents(
    graph: &mut Graph,
    terms: &[Vec<Expression>],
    motion: &[(usize, &Vec<Expression>)],
) -> Vec<Vec<Entry>> {
    let single = [1, 2, 4].map(|mask| jacobian(graph, &terms[mask], motion));
    let mut sum = |mask: usize| {
        let chosen = (0..3).filter(|bit| mask >> bit & 1 == 1).flat_map(|bit| &single[bit]);
        let mut entries: BTreeMap<(usize, usize, usize), Expression> = BTreeMap::new();
        for entry in chosen {
            let place = (entry.weight, entry.column, entry.row);
            let value = match entries.get(&place) {
                Some(&other) => graph.add(other, entry.value),
                None => entry.value,
            };
            entries.insert(place, value);
        }
        entries
            .into_iter()
            .map(|((weight, column, row), value)| Entry { row, column, weight, value })
            .collect()
    };
    (0..8).map(&mut sum).collect()
}

/// Derivatives with respect to rates, states and variables, in the columns of states and variables.
fn auxiliary_columns(graph: &mut Graph, rows: &[Expression], equations: &Equations) -> Vec<Entry> {
    let symbols = &equations.symbols;
    let mut entries = jacobian(graph, rows, &[(RATE, &symbols.xdot), (STATE, &symbols.x)]);
    let variables = jacobian(graph, rows, &[(VARIABLE, &symbols.y)]);
    let states = symbols.x.len();
    entries.extend(
        variables.into_iter().map(|entry| Entry { column: states + entry.column, ..entry }),
    );
    entries
}

fn pattern<'a>(
    rows: usize,
    columns: usize,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Pattern {
    let places: Vec<(usize, usize)> =
        entries.into_iter().map(|entry| (entry.row, entry.column)).collect();
    Pattern::from_entries(rows, columns, &places)
}
