//! All programs of a system.

use crate::block::{Block, MotionBlock, Scratch, program};
use crate::derive::{Entry, Rows, jacobian};
use crate::equations::Equations;
use rotula_dae::Patterns;
use rotula_formula::{Expression, Graph, Program};
use rotula_linear::Pattern;

/// Compiled once per model, shared by all copies of a system.
pub(crate) struct Compiled {
    /// By mask of terms: 1 inertia, 2 forces, 4 reactions.
    pub dynamics: Vec<Program>,
    pub tangent: Vec<MotionBlock>,
    pub reactions: Option<Block>,
    pub dynamics_auxiliary: Block,
    /// Position, velocity and acceleration level.
    pub constraint: [Program; 3],
    pub constraint_tangent: [MotionBlock; 3],
    pub auxiliary: Program,
    pub auxiliary_motion: MotionBlock,
    pub auxiliary_multipliers: Block,
    pub auxiliary_own: Block,
    /// Kinetic and potential energy.
    pub energy: Option<Program>,
    pub power: Option<Program>,
    pub outputs: Program,
    pub patterns: Patterns,
}

/// Weights of the columns of states and variables: rate, state, one.
pub(crate) const RATE: usize = 0;
pub(crate) const STATE: usize = 1;
pub(crate) const VARIABLE: usize = 2;

impl Compiled {
    pub(crate) fn new(equations: &Equations) -> Self {
        let mut graph = equations.graph.clone();
        let inputs = equations.symbols.inputs();
        let sizes = equations.sizes;
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let symbols = &equations.symbols;
        let rows = Rows::new(&mut graph, equations);
        let motion = [(0, &symbols.vdot), (1, &symbols.v), (2, &symbols.q)];

        let terms: Vec<Vec<Expression>> =
            (0..8).map(|mask| rows.dynamics(&mut graph, mask)).collect();
        let tangents: Vec<Vec<Entry>> = terms
            .iter()
            .map(|rows| jacobian(&mut graph, rows, &motion))
            .collect();
        let all = &terms[7];
        let by_multiplier = jacobian(&mut graph, all, &[(0, &symbols.multipliers)]);
        let by_auxiliary = auxiliary_columns(&mut graph, all, equations);

        let levels = [&rows.position, &rows.velocity, &rows.acceleration];
        let level_tangents = levels.map(|rows| jacobian(&mut graph, rows, &motion));

        let residuals: Vec<Expression> = equations
            .auxiliary
            .iter()
            .map(|formula| formula.expression)
            .collect();
        let by_motion = jacobian(&mut graph, &residuals, &motion);
        let own_multiplier = jacobian(&mut graph, &residuals, &[(0, &symbols.multipliers)]);
        let own = auxiliary_columns(&mut graph, &residuals, equations);

        let unusual = equations
            .constraints
            .iter()
            .any(|constraint| !constraint.reaction)
            || equations.force.iter().any(|(_, force)| {
                let used = graph.symbols_of(force.expression);
                used.iter()
                    .any(|symbol| symbols.multipliers.contains(symbol))
            });
        let patterns = Patterns {
            dynamics: pattern(
                n,
                n,
                tangents[1].iter().chain(&tangents[2]).chain(&tangents[4]),
            ),
            constraints: pattern(m, n, level_tangents.iter().flatten()),
            reactions: unusual.then(|| pattern(n, m, &by_multiplier)),
            dynamics_auxiliary: pattern(n, a, &by_auxiliary),
            auxiliary_motion: pattern(a, n, &by_motion),
            auxiliary_multipliers: pattern(a, m, &own_multiplier),
            auxiliary: pattern(a, a, &own),
        };
        let compile = |outputs: &[Expression]| program(&graph, &inputs, outputs);
        let block = |entries: &[Entry], pattern| Block::new(&graph, &inputs, entries, pattern);
        let motion_block =
            |entries: &Vec<Entry>, pattern| MotionBlock::new(&graph, &inputs, entries, pattern);
        let energies = equations.energies.as_ref();
        let outputs: Vec<Expression> = equations
            .outputs
            .iter()
            .map(|(_, formula)| formula.expression)
            .collect();
        Compiled {
            dynamics: terms.iter().map(|rows| compile(rows)).collect(),
            tangent: tangents
                .iter()
                .map(|t| motion_block(t, &patterns.dynamics))
                .collect(),
            reactions: patterns
                .reactions
                .as_ref()
                .map(|pattern| block(&by_multiplier, pattern)),
            dynamics_auxiliary: block(&by_auxiliary, &patterns.dynamics_auxiliary),
            constraint: [
                compile(&rows.position[..sizes.holonomic]),
                compile(&rows.velocity),
                compile(&rows.acceleration),
            ],
            constraint_tangent: level_tangents
                .each_ref()
                .map(|entries| motion_block(entries, &patterns.constraints)),
            auxiliary: compile(&residuals),
            auxiliary_motion: motion_block(&by_motion, &patterns.auxiliary_motion),
            auxiliary_multipliers: block(&own_multiplier, &patterns.auxiliary_multipliers),
            auxiliary_own: block(&own, &patterns.auxiliary),
            energy: energies.map(|e| compile(&[e.kinetic.expression, e.potential.expression])),
            power: energies
                .and_then(|e| e.power.as_ref())
                .map(|power| compile(&[power.expression])),
            outputs: compile(&outputs),
            patterns,
        }
    }

    /// Scratch memory large enough for every program.
    pub(crate) fn scratch(&self) -> Scratch {
        let mut scratch = Scratch::new(self.auxiliary.inputs());
        let blocks = [
            &self.dynamics_auxiliary,
            &self.auxiliary_multipliers,
            &self.auxiliary_own,
        ];
        let single = [&self.auxiliary, &self.outputs];
        (self.dynamics.iter())
            .chain(self.tangent.iter().flat_map(MotionBlock::programs))
            .chain(self.reactions.iter().chain(blocks).map(Block::program))
            .chain(&self.constraint)
            .chain(
                self.constraint_tangent
                    .iter()
                    .flat_map(MotionBlock::programs),
            )
            .chain(self.auxiliary_motion.programs())
            .chain(single)
            .chain(&self.energy)
            .chain(&self.power)
            .for_each(|program| scratch.fit(program));
        scratch
    }
}

/// Derivatives with respect to rates, states and variables, in the columns of states and variables.
fn auxiliary_columns(graph: &mut Graph, rows: &[Expression], equations: &Equations) -> Vec<Entry> {
    let symbols = &equations.symbols;
    let mut entries = jacobian(graph, rows, &[(RATE, &symbols.xdot), (STATE, &symbols.x)]);
    let variables = jacobian(graph, rows, &[(VARIABLE, &symbols.y)]);
    let states = symbols.x.len();
    entries.extend(variables.into_iter().map(|entry| Entry {
        column: states + entry.column,
        ..entry
    }));
    entries
}

fn pattern<'a>(
    rows: usize,
    columns: usize,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Pattern {
    let places: Vec<(usize, usize)> = entries
        .into_iter()
        .map(|entry| (entry.row, entry.column))
        .collect();
    Pattern::from_entries(rows, columns, &places)
}
