//! The iterates of every step of a run, seen from outside: a system that notes where it is asked for
//! its residual. Any rule of convergence can then be applied afterwards to the same run. [Yen et al. 1998, sheet §2]

use crate::entry::GalleryError;
use crate::study::{largest, run_freely};
use rotula_dae::{
    Component, Description, Energetics, Energy, Explanation, Outcome, Point, Sentence, State,
    StepRecord, Switching, System, Terms,
};
use rotula_model::equations::{EquationSystem, Model};
use std::cell::RefCell;
use std::rc::Rc;

/// Largest change of the positions and velocities in one iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Correction {
    pub position: f64,
    pub velocity: f64,
}

/// The corrections of one step.
pub(super) struct Step {
    pub h: f64,
    pub corrections: Vec<Correction>,
}

/// A run and the corrections of all its steps.
pub(super) struct Watched {
    pub outcome: Outcome,
    pub steps: Vec<Step>,
    /// No attempt was given up.
    pub converged: bool,
}

/// Runs a model text and watches; stops at the first step whose iteration fails.
pub(super) fn watch(text: &str, overrides: &[(&str, &str)]) -> Result<Watched, GalleryError> {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let model = Model::parse(text, "model.toml", &overrides)
        .map_err(|error| GalleryError::Model(error.to_string()))?;
    let settings = model.settings()?;
    let seen = Rc::new(RefCell::new(Vec::<Iterate>::new()));
    let mut system = Witness { inner: model.system(), seen: seen.clone() };
    let mut steps = Vec::new();
    let mut converged = true;
    let mut observer = |state: &State, step: &StepRecord| {
        let mut seen = seen.borrow_mut();
        seen.push(Iterate::new(state.t, &state.q, &state.v));
        // an evaluation at the start of the step belongs to a restart, not to the iteration
        seen.retain(|iterate| iterate.t > state.t - step.h / 2.0);
        // both balances are evaluated at the same point
        seen.dedup_by(|b, a| a.q == b.q && a.v == b.v);
        let mut corrections: Vec<_> = seen.windows(2).map(|pair| pair[1].since(&pair[0])).collect();
        // a last correction below rounding leaves no second point
        corrections.resize(step.iterations, Correction { position: 0.0, velocity: 0.0 });
        steps.push(Step { h: step.h, corrections });
        seen.clear();
        converged &= step.rejected == 0;
        converged
    };
    let outcome = run_freely(&mut system, &model.initial_state(), &settings, &mut observer)?;
    converged &= outcome.failure.is_none();
    Ok(Watched { outcome, steps, converged })
}

struct Iterate {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Iterate {
    fn new(t: f64, q: &[f64], v: &[f64]) -> Self {
        Iterate { t, q: q.to_vec(), v: v.to_vec() }
    }

    fn since(&self, before: &Iterate) -> Correction {
        let change = |a: &[f64], b: &[f64]| largest(a.iter().zip(b).map(|(a, b)| (a - b).abs()));
        Correction { position: change(&self.q, &before.q), velocity: change(&self.v, &before.v) }
    }
}

/// A system that notes where the whole equations of motion are evaluated, which is what a residual of
/// the iteration does.
struct Witness {
    inner: EquationSystem,
    seen: Rc<RefCell<Vec<Iterate>>>,
}

impl System for Witness {
    rotula_dae::forward_system!(inner);

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        if terms == Terms::ALL {
            self.seen.borrow_mut().push(Iterate::new(at.t, at.q, at.v));
        }
        self.inner.dynamics(at, terms, out);
    }

    fn as_description(&self) -> Option<&dyn Description> {
        Some(self)
    }

    fn as_explanation(&mut self) -> Option<&mut dyn Explanation> {
        Some(self)
    }

    fn as_energetics(&mut self) -> Option<&mut dyn Energetics> {
        Some(self)
    }

    fn as_switching(&self) -> Option<&dyn Switching> {
        Some(self)
    }
}

impl Description for Witness {
    fn name(&self, component: Component) -> String {
        self.inner.name(component)
    }

    fn scale(&self, coordinate: usize) -> f64 {
        self.inner.scale(coordinate)
    }
}

impl Explanation for Witness {
    fn explain_not_finite(&mut self, at: &Point) -> Option<Sentence> {
        self.inner.explain_not_finite(at)
    }
}

impl Energetics for Witness {
    fn energy(&mut self, at: &Point) -> Option<Energy> {
        self.inner.energy(at)
    }

    fn power(&mut self, at: &Point) -> Option<f64> {
        self.inner.power(at)
    }
}

impl Switching for Witness {
    fn discontinuities(&self) -> &[f64] {
        self.inner.discontinuities()
    }
}
