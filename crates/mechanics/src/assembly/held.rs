//! Signals of an assembled model that change at instants, or where conditions rise, and are held in between.

use super::Assembly;
use super::auxiliary::given;
use super::control::{Content, Control};
use crate::control::{Expression, Given, Sampling};
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_dae::{Events, Point, Sentence, Subject};

/// Instants that differ by less than this part of the time between samples are one.
const SAME_INSTANT: f64 = 1e-9;

/// What gives a held variable its values.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    /// Its place among the variables.
    variable: usize,
    expression: Expression,
    sampling: Sampling,
    /// The number of the next sample.
    next: u64,
}

impl Sampler {
    pub(super) fn new(variable: usize, expression: Expression, sampling: Sampling) -> Self {
        Sampler { variable, expression, sampling, next: 0 }
    }

    /// When the next sample is due, without the rounding of a sum.
    fn instant(&self) -> f64 {
        self.sampling.first + self.next as f64 * self.sampling.every
    }

    /// The last sample if it is infinite or undefined, in words.
    pub(super) fn explain_not_finite(&self) -> Option<String> {
        self.expression.explain_not_finite()
    }

    pub(super) fn variable(&self) -> usize {
        self.variable
    }
}

/// A held variable that is 0 or 1.
#[derive(Clone, Debug)]
pub(super) struct Latch {
    /// Its place among the variables.
    pub(super) variable: usize,
    /// It becomes 1 where this rises through zero.
    pub(super) set: Expression,
    /// It becomes 0 where this does.
    pub(super) reset: Option<Expression>,
    pub(super) initial: bool,
}

impl Latch {
    /// Its conditions.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &Expression> {
        std::iter::once(&self.set).chain(&self.reset)
    }
}

/// Each latch has two conditions, that it is set and that it is reset.
fn latch_of(condition: usize) -> (usize, bool) {
    (condition / 2, condition.is_multiple_of(2))
}

impl Assembly {
    /// Whether some signals are sampled or latched, or formulas decide by them.
    pub(crate) fn holds_signals(&self) -> bool {
        let Control { samplers, latches, .. } = &self.control;
        !samplers.is_empty() || !latches.is_empty() || !self.deciding.is_empty()
    }

    /// Which condition it is among those of formulas; those of latches come first.
    fn of_formula(&self, condition: usize) -> Option<usize> {
        condition.checked_sub(2 * self.control.latches.len())
    }
}

impl Events for Assembly {
    fn begin(&mut self, t: f64) {
        for k in 0..self.control.latches.len() {
            let Latch { variable, initial, .. } = self.control.latches[k];
            self.hold(variable, f64::from(u8::from(initial)));
        }
        let mut samplers = std::mem::take(&mut self.control.samplers);
        for sampler in &mut samplers {
            let Sampling { every, first, initial } = sampler.sampling;
            // what was due before is not made up for
            sampler.next = ((t - first) / every - SAME_INSTANT).ceil().max(0.0) as u64;
            self.hold(sampler.variable, initial);
        }
        self.control.samplers = samplers;
        self.begin_deciding();
    }

    fn next_instant(&mut self) -> f64 {
        self.control.samplers.iter().map(Sampler::instant).fold(f64::INFINITY, f64::min)
    }

    fn sample(&mut self, at: &Point) {
        let instant = self.next_instant();
        let mut samplers = std::mem::take(&mut self.control.samplers);
        let mut variables = at.y.to_vec();
        for sampler in &mut samplers {
            if sampler.instant() > instant + SAME_INSTANT * sampler.sampling.every {
                continue;
            }
            let (states, rates) = (at.x, at.xdot);
            let given =
                Given { t: sampler.instant(), locals: &[], states, rates, variables: &variables };
            let value = sampler.expression.evaluate(&given);
            variables[sampler.variable] = value;
            self.hold(sampler.variable, value);
            sampler.next += 1;
        }
        self.control.samplers = samplers;
    }

    fn conditions(&mut self, at: &Point, out: &mut Vec<f64>) {
        out.clear();
        for latch in &mut self.control.latches {
            out.push(latch.set.evaluate(&given(at)));
            let reset = latch.reset.as_mut();
            out.push(reset.map_or(-1.0, |reset| reset.evaluate(&given(at))));
        }
        self.deciding_conditions(at, out);
    }

    fn waits_for(&mut self, condition: usize) -> bool {
        if self.of_formula(condition).is_some() {
            return true;
        }
        let (latch, sets) = latch_of(condition);
        let row = self.control.states.len() + self.control.latches[latch].variable;
        let Content::Held(value) = self.control.equations[row].content else { return false };
        (value == 0.0) == sets
    }

    fn rise(&mut self, condition: usize) {
        if let Some(own) = self.of_formula(condition) {
            return self.decide_anew(own);
        }
        let (latch, sets) = latch_of(condition);
        self.hold(self.control.latches[latch].variable, f64::from(u8::from(sets)));
    }

    fn let_go(&mut self, condition: usize) -> bool {
        self.of_formula(condition).is_some_and(|own| self.let_go_of(own))
    }

    fn condition_name(&mut self, condition: usize) -> String {
        if let Some(own) = self.of_formula(condition) {
            return self.name_of_decision(own);
        }
        let (latch, _) = latch_of(condition);
        let variable = self.control.latches[latch].variable;
        format!("the latch `{}`", self.control.variables[variable])
    }
}

impl Assembly {
    /// A condition that is undefined at a point, in words.
    pub(super) fn explain_conditions(&mut self, at: &Point) -> Option<Sentence> {
        let control = &mut self.control;
        control.latches.iter_mut().find_map(|latch| {
            let conditions = std::iter::once(&mut latch.set).chain(&mut latch.reset);
            let mut undefined = conditions.filter_map(|condition| {
                let value = condition.evaluate(&given(at));
                condition.explain_not_finite().filter(|_| value.is_nan())
            });
            let found = undefined.next()?;
            let name = Subject::Variable(control.variables[latch.variable].clone());
            Some(Sentence::about(format!("the latch `{name}`, {found}"), [name]))
        })
    }

    /// Gives a held variable another value.
    fn hold(&mut self, variable: usize, value: f64) {
        let row = self.control.states.len() + variable;
        self.control.equations[row].content = Content::Held(value);
    }

    /// What is held, and how far sampling has come.
    pub(super) fn save_held(&mut self, out: &mut Writer) {
        let held = self.control.equations.iter().filter_map(|equation| match equation.content {
            Content::Held(value) => Some(value),
            _ => None,
        });
        out.put(&held.collect::<Vec<f64>>());
        out.put(&self.control.samplers.iter().map(|sampler| sampler.next).collect::<Vec<u64>>());
        out.put(&self.decided());
    }

    pub(super) fn load_held(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        let (held, next): (Vec<f64>, Vec<u64>) = (from.get()?, from.get()?);
        let mut places: Vec<&mut f64> = Vec::new();
        for equation in &mut self.control.equations {
            if let Content::Held(value) = &mut equation.content {
                places.push(value);
            }
        }
        if (held.len(), next.len()) != (places.len(), self.control.samplers.len()) {
            return Err(Unreadable);
        }
        places.into_iter().zip(held).for_each(|(place, value)| *place = value);
        self.control.samplers.iter_mut().zip(next).for_each(|(sampler, next)| sampler.next = next);
        let decided: Vec<f64> = from.get()?;
        if self.set_decided(&decided) { Ok(()) } else { Err(Unreadable) }
    }
}
