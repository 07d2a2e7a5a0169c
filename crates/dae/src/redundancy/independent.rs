//! A system without those of its constraints that follow from the others.

mod facets;

use super::spread;
use crate::system::{
    Contacts, Events, ForwardDynamics, Handle, Inputs, Level, Manifold, Patterns, Point,
    RigidMotion, Sizes, StateWeights, Switching, System, Terms, Weights,
};
use rotula_linear::Pattern;

/// A system seen through some of its constraint rows. The rows left out hold by themselves; their
/// multipliers are zero here.
pub(crate) struct Independent<'a> {
    inner: Handle<'a>,
    kept: Vec<usize>,
    view: View,
    /// One number per constraint of the inner system.
    all: Vec<f64>,
    multipliers: Vec<f64>,
    /// Some rows by their numbers in the inner system.
    inner_rows: Vec<usize>,
    /// The worst of the rows left out at the last accepted state, if it does not hold.
    violated: Option<(usize, f64)>,
}

/// Sizes and derivatives as they look without the rows left out.
struct View {
    sizes: Sizes,
    patterns: Patterns,
    constraints: Selection,
    reactions: Option<Selection>,
    auxiliary: Selection,
}

impl View {
    fn new(inner: &dyn System, kept: &[usize]) -> Self {
        let whole = inner.sizes();
        let patterns = inner.patterns();
        let sizes = Sizes {
            holonomic: kept.iter().filter(|&&row| row < whole.holonomic).count(),
            nonholonomic: kept.iter().filter(|&&row| row >= whole.holonomic).count(),
            ..whole
        };
        let mut place = vec![None; whole.multipliers()];
        kept.iter().enumerate().for_each(|(new, &old)| place[old] = Some(new));
        let (m, n, a) = (kept.len(), whole.motion, whole.auxiliary());
        let (constraints, constraint_pattern) =
            Selection::new(&patterns.constraints, (m, n), |i, j| place[i].map(|i| (i, j)));
        let reactions = patterns
            .reactions
            .as_ref()
            .map(|pattern| Selection::new(pattern, (n, m), |i, j| place[j].map(|j| (i, j))));
        let (auxiliary, auxiliary_pattern) =
            Selection::new(&patterns.auxiliary_multipliers, (a, m), |i, j| {
                place[j].map(|j| (i, j))
            });
        let (reactions, reaction_pattern) = reactions.unzip();
        View {
            patterns: Patterns {
                constraints: constraint_pattern,
                reactions: reaction_pattern,
                auxiliary_multipliers: auxiliary_pattern,
                ..patterns
            },
            sizes,
            constraints,
            reactions,
            auxiliary,
        }
    }
}

/// Entries of a pattern that remain, and the values of all of them.
struct Selection {
    entries: Vec<usize>,
    values: Vec<f64>,
}

impl Selection {
    /// Keeps the entries for which `place` knows a new place.
    fn new(
        pattern: &Pattern,
        (rows, cols): (usize, usize),
        place: impl Fn(usize, usize) -> Option<(usize, usize)>,
    ) -> (Self, Pattern) {
        let mut entries = Vec::new();
        let mut kept = Vec::new();
        for (k, (i, j)) in pattern.iter().enumerate() {
            if let Some(at) = place(i, j) {
                entries.push(k);
                kept.push(at);
            }
        }
        // rows and columns keep their order, so the values do too
        let reduced = Pattern::from_entries(rows, cols, &kept);
        (Selection { entries, values: vec![0.0; pattern.entries()] }, reduced)
    }

    fn copy_to(&self, out: &mut [f64]) {
        for (out, &k) in out.iter_mut().zip(&self.entries) {
            *out = self.values[k];
        }
    }
}

impl<'a> Independent<'a> {
    /// Keeps the given rows, which are increasing.
    pub fn new(inner: Handle<'a>, kept: Vec<usize>) -> Self {
        let all = inner.sizes().multipliers();
        let view = View::new(&*inner, &kept);
        let zeros = vec![0.0; all];
        Independent {
            inner,
            kept,
            view,
            all: zeros.clone(),
            multipliers: zeros,
            inner_rows: Vec::new(),
            violated: None,
        }
    }

    /// Keeps other rows from now on.
    pub fn keep(&mut self, kept: Vec<usize>) {
        self.view = View::new(&*self.inner, &kept);
        self.kept = kept;
        self.violated = None;
    }

    /// The rows it is seen through.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// The worst of the rows left out and by how much it is violated, if it does not hold at the last accepted state.
    pub fn violated(&self) -> Option<(usize, f64)> {
        self.violated
    }

    /// The system with all its rows.
    pub fn whole(&mut self) -> &mut (dyn System + 'a) {
        &mut *self.inner
    }

    /// How many rows the whole system has at a level.
    fn rows_at(&self, level: Level) -> usize {
        match level {
            Level::Position => self.inner.sizes().holonomic,
            _ => self.all.len(),
        }
    }

    /// Calls the inner system at the same point with all multipliers.
    fn inside<T>(&mut self, at: &Point, f: impl FnOnce(&mut Self, &Point) -> T) -> T {
        let mut multipliers = std::mem::take(&mut self.multipliers);
        spread(&self.kept, at.multipliers, &mut multipliers);
        let result = f(self, &Point { multipliers: &multipliers, ..*at });
        self.multipliers = multipliers;
        result
    }
}

impl System for Independent<'_> {
    fn sizes(&self) -> Sizes {
        self.view.sizes
    }

    fn patterns(&self) -> Patterns {
        self.view.patterns.clone()
    }

    fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        self.inner.retract(q, increment, out);
    }

    fn local(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        self.inner.local(q, other, out);
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.inside(at, |this, at| this.inner.dynamics(at, terms, out));
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        self.inside(at, |this, at| this.inner.tangent(at, weights, terms, values));
    }

    fn reactions(&mut self, at: &Point, values: &mut [f64]) {
        self.inside(at, |this, at| {
            if let Some(selection) = &mut this.view.reactions {
                this.inner.reactions(at, &mut selection.values);
                selection.copy_to(values);
            }
        });
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.inside(at, |this, at| {
            let count = this.rows_at(level);
            this.inner.constraint(level, at, &mut this.all[..count]);
            out.iter_mut().zip(&this.kept).for_each(|(out, &row)| *out = this.all[row]);
        });
    }

    fn balance(&mut self, level: Level, at: &Point, dynamics: &mut [f64], rows: &mut [f64]) {
        self.inside(at, |this, at| {
            let count = this.rows_at(level);
            this.inner.balance(level, at, dynamics, &mut this.all[..count]);
            rows.iter_mut().zip(&this.kept).for_each(|(out, &row)| *out = this.all[row]);
        });
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.inside(at, |this, at| {
            this.inner.constraint_gradient(at, &mut this.view.constraints.values);
            this.view.constraints.copy_to(values);
        });
    }

    fn constraint_tangent(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        self.inside(at, |this, at| {
            this.inner.constraint_tangent(level, at, weights, &mut this.view.constraints.values);
            this.view.constraints.copy_to(values);
        });
    }

    fn auxiliary(&mut self, at: &Point, out: &mut [f64]) {
        self.inside(at, |this, at| this.inner.auxiliary(at, out));
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
        self.inside(at, |this, at| {
            let all = &mut this.view.auxiliary.values;
            this.inner.auxiliary_tangent(at, weights, states, motion, all, auxiliary);
            this.view.auxiliary.copy_to(multipliers);
        });
    }

    fn dynamics_auxiliary(&mut self, at: &Point, states: StateWeights, values: &mut [f64]) {
        self.inside(at, |this, at| this.inner.dynamics_auxiliary(at, states, values));
    }

    fn inputs(&mut self) -> Option<&mut dyn Inputs> {
        self.inner.inputs()
    }

    fn as_manifold(&self) -> Option<&dyn Manifold> {
        self.inner.as_manifold()
    }

    crate::hand_out!(Description, Explanation, Energetics, History, AuxiliaryRows);

    fn as_contacts(&self) -> Option<&dyn Contacts> {
        self.inner.as_contacts().map(|_| self as &dyn Contacts)
    }

    fn as_contacts_mut(&mut self) -> Option<&mut dyn Contacts> {
        self.inner.as_contacts().is_some().then_some(self)
    }

    fn as_rigid_motion(&self) -> Option<&dyn RigidMotion> {
        self.inner.as_rigid_motion()
    }

    fn as_switching(&self) -> Option<&dyn Switching> {
        self.inner.as_switching()
    }

    fn as_events(&mut self) -> Option<&mut dyn Events> {
        self.inner.as_events()?;
        Some(self)
    }

    fn as_forward_dynamics(&mut self) -> Option<&mut dyn ForwardDynamics> {
        self.inner.as_forward_dynamics()?;
        Some(self)
    }
}
