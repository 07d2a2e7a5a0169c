//! The equations of a mechanism in joint coordinates, as the integrators ask for them.

use super::{Command, TreeSystem};
use rotula_dae::{
    Events, ForwardDynamics, Inputs, Level, Manifold, Patterns, Point, Sizes, StateWeights,
    Switching, System, Terms, Weights,
};

/// The weights one by one, in the order of values along accelerations, velocities and variations.
const ONE_BY_ONE: [Weights; 3] = [Weights::MASS, Weights::DAMPING, Weights::STIFFNESS];

/// Which of these matter under given weights: what goes with accelerations or velocities goes with coordinates, too.
fn wanted(weights: Weights) -> [bool; 3] {
    let Weights { mass, damping, stiffness } = weights;
    let (damped, stiff) = (damping != 0.0, stiffness != 0.0);
    [mass != 0.0 || damped || stiff, damped || stiff, stiff]
}

/// Where, and with which terms, bodies are asked for terms along joints. Accelerations of bodies are those of the joints and
/// what their velocities add, `V̇ = R v̇ + Ṙ v`; the first belongs to the inertia, the second to the forces:
///
/// ```text
/// inertia  Rᵀ M R v̇             at velocities of zero, bodies' inertia
/// forces   Rᵀ (M Ṙ v − f)       at accelerations of zero, bodies' inertia and forces
/// ```
fn shares<'a>(at: &Point<'a>, terms: Terms, zeros: &'a [f64]) -> [Option<(Point<'a>, Terms)>; 2] {
    let Terms { inertia, forces, reactions } = terms;
    match (inertia, forces) {
        (true, true) | (false, false) => [Some((*at, terms)), None],
        (false, true) => {
            [Some((Point { vdot: zeros, ..*at }, Terms { inertia: true, ..terms })), None]
        }
        (true, false) => {
            let still = Point { v: zeros, ..*at };
            [Some((still, Terms::INERTIA)), reactions.then_some((*at, Terms::REACTIONS))]
        }
    }
}

impl TreeSystem {
    /// The sum of what is worked out for all shares of some terms.
    fn in_shares(
        &mut self,
        at: &Point,
        terms: Terms,
        out: &mut [f64],
        share: impl Fn(&mut Self, &Point, Terms, &mut [f64]),
    ) {
        let zeros = std::mem::take(&mut self.zeros);
        let [first, second] = shares(at, terms, &zeros);
        if let Some((at, terms)) = first {
            share(self, &at, terms, out);
        }
        if let Some((at, terms)) = second {
            let mut more = vec![0.0; out.len()];
            share(self, &at, terms, &mut more);
            out.iter_mut().zip(&more).for_each(|(out, more)| *out += more);
        }
        self.zeros = zeros;
    }

    /// What bodies miss at a point, along joints.
    fn missed(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.hand_over(at);
        let terms = self.terms(terms);
        self.inner.handed_dynamics(&self.state.point(), terms, &mut self.residual);
        self.gather();
        self.project(out);
    }

    /// The derivative of that.
    fn missed_tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        self.place(at);
        let terms = self.terms(terms);
        self.columns.set(&self.layout, &self.stations, weights, at.increment);
        let [_, damped, stiff] = wanted(weights);
        let massive = self.tangent.has_elements && terms.inertia;
        for (k, wanted) in [massive, damped, stiff].into_iter().enumerate() {
            let values = &mut self.tangent.values[k];
            match wanted {
                true => self.inner.tangent(&self.state.point(), ONE_BY_ONE[k], terms, values),
                false => values.fill(0.0),
            }
        }
        if weights.stiffness != 0.0 {
            self.inner.dynamics(&self.state.point(), terms, &mut self.residual);
            self.gather();
        }
        let TreeSystem { tangent, layout, stations, columns, wrenches, .. } = self;
        tangent.along_joints(layout, stations, columns, (terms.inertia, wrenches), values);
    }

    /// The rows that remain, of all.
    fn select(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.kept).for_each(|(out, &row)| *out = self.all_rows[row]);
    }

    /// How many rows the assembly has at a level.
    fn rows_at(&self, level: Level) -> usize {
        match level {
            Level::Position => self.inner.sizes().holonomic,
            _ => self.all_rows.len(),
        }
    }
}

impl System for TreeSystem {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn patterns(&self) -> Patterns {
        self.patterns.clone()
    }

    fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        self.layout.chart.retract(q, increment, out);
        self.carry_turns(q, out);
    }

    fn local(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        self.layout.chart.local(q, other, out);
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.in_shares(at, terms, out, |tree, at, terms, out| tree.missed(at, terms, out));
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        // accelerations that only stand for what velocities do are none to differentiate by
        let mass = if terms.inertia { weights.mass } else { 0.0 };
        let weights = Weights { mass, ..weights };
        self.in_shares(at, terms, values, |tree, at, terms, values| {
            tree.missed_tangent(at, weights, terms, values);
        });
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        if self.kept.is_empty() {
            return;
        }
        self.hand_over(at);
        let count = self.rows_at(level);
        self.inner.handed_constraint(level, &self.state.point(), &mut self.all_rows[..count]);
        self.select(out);
    }

    fn balance(&mut self, level: Level, at: &Point, dynamics: &mut [f64], rows: &mut [f64]) {
        if self.kept.is_empty() {
            return self.dynamics(at, Terms::ALL, dynamics);
        }
        self.hand_over(at);
        let count = self.rows_at(level);
        let TreeSystem { inner, state, residual, all_rows, .. } = self;
        inner.handed_balance(level, &state.point(), residual, &mut all_rows[..count]);
        self.gather();
        self.project(dynamics);
        self.select(rows);
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        if self.kept.is_empty() {
            return;
        }
        self.place(at);
        self.columns.set(&self.layout, &self.stations, Weights::DAMPING, at.increment);
        let TreeSystem { inner, state, constraints, layout, stations, columns, .. } = self;
        inner.constraint_gradient(&state.point(), &mut constraints.values[1]);
        constraints.along_joints(layout, stations, columns, [false, true, false], values);
    }

    fn constraint_tangent(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        if self.kept.is_empty() {
            return;
        }
        self.place(at);
        self.columns.set(&self.layout, &self.stations, weights, at.increment);
        let there = match level {
            Level::Position => [false, false, true],
            Level::Velocity => [false, true, true],
            Level::Acceleration => [true; 3],
        };
        let wanted = wanted(weights);
        let present = [0, 1, 2].map(|k| there[k] && wanted[k]);
        let TreeSystem { inner, state, constraints, layout, stations, columns, .. } = self;
        for (k, one) in ONE_BY_ONE.into_iter().enumerate() {
            if present[k] {
                let values = &mut constraints.values[k];
                inner.constraint_tangent(level, &state.point(), one, values);
            }
        }
        constraints.along_joints(layout, stations, columns, present, values);
    }

    fn auxiliary(&mut self, at: &Point, out: &mut [f64]) {
        self.ask(at, |inner, at| inner.auxiliary(at, out));
    }

    fn auxiliary_tangent(
        &mut self,
        at: &Point,
        weights: Weights,
        states: StateWeights,
        motion: &mut [f64],
        multipliers: &mut [f64],
        auxiliary: &mut [f64],
    ) {
        self.place(at);
        self.columns.set(&self.layout, &self.stations, weights, at.increment);
        let known = self.inner.patterns().auxiliary_multipliers;
        let mut all = vec![0.0; known.entries()];
        let TreeSystem { inner, state, auxiliary: rows, layout, stations, columns, .. } = self;
        for (k, one) in ONE_BY_ONE.into_iter().enumerate() {
            let values = &mut rows.values[k];
            inner.auxiliary_tangent(&state.point(), one, states, values, &mut all, auxiliary);
        }
        rows.along_joints(layout, stations, columns, [true; 3], motion);
        // joints whose reactions are measured remain constraints, so that all columns are there
        multipliers.copy_from_slice(&all);
    }

    fn dynamics_auxiliary(&mut self, at: &Point, states: StateWeights, values: &mut [f64]) {
        self.place(at);
        values.fill(0.0);
        let known = self.inner.patterns().dynamics_auxiliary;
        let mut all = vec![0.0; known.entries()];
        self.inner.dynamics_auxiliary(&self.state.point(), states, &mut all);
        for Command { rider, column, places } in &self.commands {
            let rider = &self.layout.riders[*rider];
            let node = &self.inner.nodes()[rider.node];
            let mut wrench = nalgebra::Vector6::zeros();
            for (k, &part) in node.kind.columns().iter().enumerate() {
                wrench[part] = known.position(node.v + k, *column).map_or(0.0, |at| all[at]);
            }
            let wrench = self.stations.to_world(rider, &wrench);
            for &(row, place) in places {
                values[place] += self.stations.screws[row].dot(&wrench);
            }
        }
    }

    fn inputs(&mut self) -> Option<&mut dyn Inputs> {
        Some(&mut self.inner)
    }

    rotula_dae::hand_out!(
        Manifold,
        Description,
        Explanation,
        Contacts,
        Energetics,
        History,
        AuxiliaryRows,
        Reduced
    );

    fn as_forward_dynamics(&mut self) -> Option<&mut dyn ForwardDynamics> {
        self.is_articulated().then_some(self)
    }

    fn as_events(&mut self) -> Option<&mut dyn Events> {
        self.inner.holds_signals().then_some(self)
    }

    fn as_switching(&self) -> Option<&dyn Switching> {
        Some(&self.inner)
    }
}

impl Manifold for TreeSystem {
    fn increment_rate(&self, increment: &[f64], v: &[f64], out: &mut [f64]) {
        self.layout.chart.increment_rate(increment, v, out);
    }
}

impl Events for TreeSystem {
    fn begin(&mut self, t: f64) {
        self.inner.begin(t);
    }

    fn next_instant(&mut self) -> f64 {
        Events::next_instant(&mut self.inner)
    }

    fn sample(&mut self, at: &Point) {
        self.ask(at, Events::sample);
    }

    fn conditions(&mut self, at: &Point, out: &mut Vec<f64>) {
        self.ask(at, |inner, at| Events::conditions(inner, at, out));
    }

    fn waits_for(&mut self, condition: usize) -> bool {
        Events::waits_for(&mut self.inner, condition)
    }

    fn rise(&mut self, condition: usize) {
        Events::rise(&mut self.inner, condition);
    }

    fn let_go(&mut self, condition: usize) -> bool {
        Events::let_go(&mut self.inner, condition)
    }

    fn condition_name(&mut self, condition: usize) -> String {
        Events::condition_name(&mut self.inner, condition)
    }
}
