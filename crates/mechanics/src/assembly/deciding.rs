//! What formulas of an assembled model decide by other quantities than time, held while steps are attempted.

use super::control::{Content, Equation};
use super::{Assembly, Push};
use crate::assembly::auxiliary::given;
use crate::scene::Scene;
use nalgebra::Vector6;
use rotula_dae::Point;
use rotula_formula::Decisions;

/// The formulas that decide, by their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Deciding {
    /// Auxiliary equations.
    equations: Vec<usize>,
    /// Laws of forces.
    pushes: Vec<usize>,
    /// What is decided next is held from then on.
    begins: bool,
}

impl Deciding {
    pub(super) fn find(equations: &[Equation], pushes: &[Push]) -> Self {
        let decides = |equation: &Equation| match &equation.content {
            Content::Formula { expression, .. } => expression.decisions().is_some(),
            _ => false,
        };
        Deciding {
            equations: (0..equations.len()).filter(|&k| decides(&equations[k])).collect(),
            pushes: (0..pushes.len()).filter(|&k| pushes[k].force.decisions().is_some()).collect(),
            begins: false,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.equations.is_empty() && self.pushes.is_empty()
    }
}

impl Assembly {
    /// All decisions, in their order.
    fn decisions_mut(&mut self) -> impl Iterator<Item = &mut Decisions> {
        let Assembly { control, pushes, deciding, .. } = self;
        let of_equations = pick(&mut control.equations, &deciding.equations).filter_map(|e| {
            match &mut e.content {
                Content::Formula { expression, .. } => expression.decisions_mut(),
                _ => None,
            }
        });
        let of_pushes =
            pick(pushes, &deciding.pushes).filter_map(|push| push.force.decisions_mut());
        of_equations.chain(of_pushes)
    }

    /// The decisions in which a condition is, and its number there.
    fn decisions_of(&mut self, condition: usize) -> Option<(&mut Decisions, usize)> {
        let mut own = condition;
        self.decisions_mut().find_map(|decisions| {
            let count = 2 * decisions.count();
            if own < count {
                return Some((decisions, own));
            }
            own -= count;
            None
        })
    }

    /// Decides anew at each point, until conditions are looked at.
    pub(super) fn begin_deciding(&mut self) {
        self.decisions_mut().for_each(Decisions::release);
        self.deciding.begins = true;
    }

    /// Adds the conditions under which something else is decided.
    pub(super) fn deciding_conditions(&mut self, at: &Point, out: &mut Vec<f64>) {
        if self.deciding.is_empty() {
            return;
        }
        self.look_at_decisions(at);
        if std::mem::take(&mut self.deciding.begins) {
            self.decisions_mut().for_each(Decisions::hold);
        }
        self.decisions_mut().for_each(|decisions| decisions.conditions(out));
    }

    /// Evaluates the formulas that decide.
    fn look_at_decisions(&mut self, at: &Point) {
        if !self.deciding.pushes.is_empty() {
            self.place(at);
        }
        let angles = self.angles(at.q);
        let Assembly { control, pushes, deciding, moment, scratch, .. } = self;
        for equation in pick(&mut control.equations, &deciding.equations) {
            if let Content::Formula { expression, .. } = &mut equation.content {
                expression.evaluate(&given(at));
            }
        }
        let world = moment.world(at, angles);
        for push in pick(pushes, &deciding.pushes) {
            let wrenches = &mut scratch.rows[..push.nodes.len()];
            wrenches.fill(Vector6::zeros());
            push.force.wrench(Scene { world: &world, nodes: &push.nodes }, wrenches);
        }
    }

    /// Another decision stands.
    pub(super) fn decide_anew(&mut self, condition: usize) {
        if let Some((decisions, own)) = self.decisions_of(condition) {
            decisions.rise(own);
        }
    }

    /// Never holds that decision again.
    pub(super) fn let_go_of(&mut self, condition: usize) -> bool {
        let found = self.decisions_of(condition);
        found.map(|(decisions, own)| decisions.let_go(own / 2)).is_some()
    }

    /// The formula or force that decides, as a user would recognise it.
    pub(super) fn name_of_decision(&self, condition: usize) -> String {
        let mut own = condition;
        let mut within = |decisions: Option<&Decisions>| {
            let count = 2 * decisions.map_or(0, Decisions::count);
            let is = own < count;
            own = own.saturating_sub(count);
            is
        };
        let states = self.control.states.len();
        for &k in &self.deciding.equations {
            let Content::Formula { expression, .. } = &self.control.equations[k].content else {
                continue;
            };
            if within(expression.decisions()) {
                let name = match k.checked_sub(states) {
                    None => &self.control.states[k],
                    Some(variable) => &self.control.variables[variable],
                };
                return format!("what `{name}` decides");
            }
        }
        let push = self.deciding.pushes.iter().find(|&&k| within(self.pushes[k].force.decisions()));
        let name = push.map_or("", |&k| &self.pushes[k].name);
        format!("what the force `{name}` decides")
    }

    /// What is decided, for checkpoints.
    pub(super) fn decided(&mut self) -> Vec<f64> {
        let mut all = vec![f64::from(u8::from(self.deciding.begins))];
        self.decisions_mut().for_each(|decisions| all.extend(decisions.held()));
        all
    }

    /// Takes that back; false if it belongs to another model.
    pub(super) fn set_decided(&mut self, decided: &[f64]) -> bool {
        let [begins, held @ ..] = decided else { return false };
        self.deciding.begins = *begins > 0.0;
        let mut held = held.iter().copied();
        self.decisions_mut().all(|decisions| decisions.set_held(&mut held))
    }
}

/// Some things of a list, by their places in increasing order.
fn pick<'a, T>(all: &'a mut [T], places: &'a [usize]) -> impl Iterator<Item = &'a mut T> {
    let mut next = places.iter().copied().peekable();
    all.iter_mut().enumerate().filter_map(move |(k, thing)| next.next_if_eq(&k).map(|_| thing))
}
