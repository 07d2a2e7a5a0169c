//! The implementation of the contract.

use crate::equations::block::Scratch;
use crate::equations::compile::Compiled;
use crate::equations::contacts::CompiledContacts;
use crate::equations::deciding::Deciding;
use crate::equations::explain;
use crate::equations::expressions::Equations;
use crate::equations::function::Memory;
use rotula_dae::*;
use std::sync::Arc;

/// An equation model. Each function is compiled when it is first asked for; after that no method of [`System`] allocates,
/// but for names, patterns and explanations. Copies share the programs and own their scratch memory.
#[derive(Clone)]
pub struct EquationSystem {
    equations: Arc<Equations>,
    compiled: Arc<Compiled>,
    contacts: Arc<CompiledContacts>,
    scratch: Scratch,
    contact_scratch: Scratch,
    memories: Vec<Memory>,
    /// Values of the inputs.
    inputs: Vec<f64>,
    deciding: Option<Deciding>,
}

impl EquationSystem {
    pub(crate) fn new(equations: Arc<Equations>) -> Self {
        let compiled = Arc::new(Compiled::new(&equations));
        let scratch = Scratch::new(compiled.context.inputs.len());
        let contacts = Arc::new(CompiledContacts::new(&equations));
        let contact_scratch = contacts.scratch();
        let memories = equations.memories();
        let inputs = equations.inputs.iter().map(|(_, value)| *value).collect();
        let deciding = equations.decisions.clone().map(Deciding::new);
        EquationSystem {
            equations,
            compiled,
            contacts,
            scratch,
            contact_scratch,
            memories,
            inputs,
            deciding,
        }
    }

    /// The names of the curves of `[output]`.
    pub fn output_names(&self) -> impl Iterator<Item = &str> {
        self.equations.outputs.iter().map(|(name, _)| name.as_str())
    }

    /// The values of the curves of `[output]`.
    pub fn outputs(&mut self, at: &Point, out: &mut [f64]) {
        self.load(at, false);
        self.scratch.run(&self.compiled.context, &self.compiled.outputs, out);
    }

    /// Makes a point the present one, with what functions are there; with their slopes for tangents.
    #[inline]
    fn load(&mut self, at: &Point, slopes: bool) {
        let EquationSystem { equations, scratch, memories, deciding, .. } = self;
        equations.load(at, &mut scratch.inputs, memories, slopes);
        if let Some(deciding) = deciding {
            deciding.look(&mut scratch.inputs);
        }
    }
}

fn mask(terms: Terms) -> usize {
    usize::from(terms.inertia) | usize::from(terms.forces) << 1 | usize::from(terms.reactions) << 2
}

fn level_index(level: Level) -> usize {
    match level {
        Level::Position => 0,
        Level::Velocity => 1,
        Level::Acceleration => 2,
    }
}

fn motion(weights: Weights) -> [f64; 3] {
    [weights.mass, weights.damping, weights.stiffness]
}

impl System for EquationSystem {
    fn sizes(&self) -> Sizes {
        self.equations.sizes
    }

    fn patterns(&self) -> Patterns {
        self.compiled.patterns.clone()
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.load(at, false);
        self.scratch.run(&self.compiled.context, &self.compiled.dynamics[mask(terms)], out);
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        self.load(at, true);
        self.compiled.tangent[mask(terms)].evaluate(
            &self.compiled.context,
            &mut self.scratch,
            motion(weights),
            values,
        );
    }

    fn reactions(&mut self, at: &Point, values: &mut [f64]) {
        self.load(at, true);
        match &self.compiled.reactions {
            Some(block) => {
                block.evaluate(&self.compiled.context, &mut self.scratch, &[1.0], values)
            }
            None => values.fill(0.0),
        }
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.load(at, false);
        self.scratch.run(
            &self.compiled.context,
            &self.compiled.constraint[level_index(level)],
            out,
        );
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.constraint_tangent(Level::Velocity, at, Weights::DAMPING, values);
    }

    fn constraint_tangent(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        self.load(at, true);
        let block = &self.compiled.constraint_tangent[level_index(level)];
        block.evaluate(&self.compiled.context, &mut self.scratch, motion(weights), values);
    }

    fn auxiliary(&mut self, at: &Point, out: &mut [f64]) {
        self.load(at, false);
        self.scratch.run(&self.compiled.context, &self.compiled.auxiliary, out);
        // their formulas have the values that they start with
        let first = out.len() - self.inputs.len();
        let given = self.equations.inputs.iter().zip(&self.inputs);
        for (out, ((_, start), value)) in out[first..].iter_mut().zip(given) {
            *out += start - value;
        }
    }

    rotula_dae::hand_out!(
        Inputs,
        Description,
        Explanation,
        Contacts,
        Energetics,
        History,
        Switching
    );

    fn as_events(&mut self) -> Option<&mut dyn Events> {
        self.deciding.is_some().then_some(self)
    }

    fn auxiliary_tangent(
        &mut self,
        at: &Point,
        weights: Weights,
        states: StateWeights,
        motion_values: &mut [f64],
        multipliers: &mut [f64],
        auxiliary: &mut [f64],
    ) {
        self.load(at, true);
        let Compiled { auxiliary_motion, auxiliary_multipliers, auxiliary_own, .. } =
            &*self.compiled;
        auxiliary_motion.evaluate(
            &self.compiled.context,
            &mut self.scratch,
            motion(weights),
            motion_values,
        );
        auxiliary_multipliers.evaluate(
            &self.compiled.context,
            &mut self.scratch,
            &[1.0],
            multipliers,
        );
        auxiliary_own.evaluate(
            &self.compiled.context,
            &mut self.scratch,
            &[states.rate, states.state, 1.0],
            auxiliary,
        );
    }

    fn dynamics_auxiliary(&mut self, at: &Point, states: StateWeights, values: &mut [f64]) {
        self.load(at, true);
        let weights = [states.rate, states.state, 1.0];
        self.compiled.dynamics_auxiliary.evaluate(
            &self.compiled.context,
            &mut self.scratch,
            &weights,
            values,
        );
    }
}

impl Description for EquationSystem {
    fn name(&self, component: Component) -> String {
        let equations = &self.equations;
        match component {
            Component::Coordinate(i) => equations.coordinates[i].name.clone(),
            Component::Constraint(i) => equations.constraints[i].name.clone(),
            Component::State(i) => equations.states[i].clone(),
            Component::Variable(i) => equations.variables[i].clone(),
            Component::Contact(i) => equations.contacts[i].name.clone(),
        }
    }

    fn scale(&self, coordinate: usize) -> f64 {
        self.equations.coordinates[coordinate].scale
    }
}

impl Explanation for EquationSystem {
    fn explain_not_finite(&mut self, at: &Point) -> Option<Sentence> {
        self.load(at, true);
        let decided = self.deciding.as_ref().map_or(0, Deciding::count);
        let given = self.scratch.inputs.len() - decided;
        explain::not_finite(&self.equations, &self.scratch.inputs[..given])
    }
}

impl Contacts for EquationSystem {
    fn contacts(&self) -> &[Contact] {
        &self.contacts.laws
    }

    fn contact_patterns(&self) -> ContactPatterns {
        self.contacts.patterns.clone()
    }

    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.contacts.rows(level, at, &mut self.contact_scratch, out);
    }

    fn contact_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.contact_tangent(Level::Velocity, at, Weights::DAMPING, values);
    }

    fn contact_tangent(&mut self, level: Level, at: &Point, weights: Weights, values: &mut [f64]) {
        self.contacts.tangent(level, at, weights, &mut self.contact_scratch, values);
    }

    fn contact_curvature(&mut self, at: &Point, forces: &[f64], values: &mut [f64]) {
        self.contacts.curvature(at, forces, &mut self.contact_scratch, values);
    }
}

impl Energetics for EquationSystem {
    fn energy(&mut self, at: &Point) -> Option<Energy> {
        self.load(at, false);
        let program = self.compiled.energy.as_ref()?;
        let mut out = [0.0; 2];
        self.scratch.run(&self.compiled.context, program, &mut out);
        Some(Energy { kinetic: out[0], potential: out[1] })
    }

    fn power(&mut self, at: &Point) -> Option<f64> {
        self.load(at, false);
        let program = self.compiled.power.as_ref()?;
        let mut out = [0.0];
        self.scratch.run(&self.compiled.context, program, &mut out);
        Some(out[0])
    }
}

impl History for EquationSystem {
    fn save(&mut self, out: &mut checkpoint::Writer) {
        out.put(&self.inputs);
        out.put(&self.deciding.as_ref().map_or_else(Vec::new, Deciding::held));
    }

    fn load(&mut self, from: &mut checkpoint::Reader) -> Result<(), checkpoint::Unreadable> {
        let inputs: Vec<f64> = from.get()?;
        if inputs.len() != self.inputs.len() {
            return Err(checkpoint::Unreadable);
        }
        self.inputs = inputs;
        let held: Vec<f64> = from.get()?;
        let fits = match &mut self.deciding {
            Some(deciding) => deciding.set_held(&held),
            None => held.is_empty(),
        };
        if fits { Ok(()) } else { Err(checkpoint::Unreadable) }
    }
}

impl Switching for EquationSystem {
    fn discontinuities(&self) -> &[f64] {
        &self.equations.events
    }

    fn jumps_between(&self, span: [f64; 2]) -> Vec<[f64; 2]> {
        self.equations.timetable.as_ref().map_or_else(Vec::new, |table| table.jumps(span))
    }

    fn features_between(&self, span: [f64; 2]) -> Vec<[f64; 2]> {
        let features = self.equations.timetable.as_ref().map(|table| table.features(span));
        let features = features.into_iter().flatten();
        features.map(|feature| [feature.at, feature.within]).collect()
    }
}

impl Events for EquationSystem {
    fn begin(&mut self, _: f64) {
        self.deciding.iter_mut().for_each(Deciding::begin);
    }

    fn next_instant(&mut self) -> f64 {
        f64::INFINITY
    }

    fn sample(&mut self, _: &Point) {}

    fn conditions(&mut self, at: &Point, out: &mut Vec<f64>) {
        out.clear();
        self.load(at, false);
        self.deciding.iter_mut().for_each(|deciding| deciding.conditions(out));
    }

    fn waits_for(&mut self, _: usize) -> bool {
        true
    }

    fn rise(&mut self, condition: usize) {
        self.deciding.iter_mut().for_each(|deciding| deciding.rise(condition));
    }

    fn let_go(&mut self, condition: usize) -> bool {
        self.deciding.iter_mut().for_each(|deciding| deciding.let_go(condition));
        true
    }

    fn condition_name(&mut self, _: usize) -> String {
        "what a force decides".into()
    }
}

impl Inputs for EquationSystem {
    fn names(&self) -> Vec<String> {
        self.equations.inputs.iter().map(|(name, _)| name.clone()).collect()
    }

    fn value(&self, input: usize) -> f64 {
        self.inputs[input]
    }

    fn set(&mut self, input: usize, value: f64, _: f64) {
        self.inputs[input] = value;
    }
}
