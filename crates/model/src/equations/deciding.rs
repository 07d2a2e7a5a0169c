//! What formulas decide by other quantities than time, held while steps are attempted.

use rotula_formula::Decisions;

/// The decisions of a system.
#[derive(Clone)]
pub(crate) struct Deciding {
    decisions: Decisions,
    /// What is decided next is held from then on.
    begins: bool,
}

impl Deciding {
    pub(crate) fn new(decisions: Decisions) -> Self {
        Deciding { decisions, begins: false }
    }

    pub(crate) fn count(&self) -> usize {
        self.decisions.count()
    }

    /// Adds what is decided to the inputs of programs, where it comes last.
    pub(crate) fn look(&mut self, inputs: &mut [f64]) {
        let (given, decided) = inputs.split_at_mut(inputs.len() - self.decisions.count());
        self.decisions.look(given, decided);
    }

    /// Decides anew at each point, until conditions are asked for.
    pub(crate) fn begin(&mut self) {
        self.decisions.release();
        self.begins = true;
    }

    /// Adds the conditions at the last look.
    pub(crate) fn conditions(&mut self, out: &mut Vec<f64>) {
        if std::mem::take(&mut self.begins) {
            self.decisions.hold();
        }
        self.decisions.conditions(out);
    }

    pub(crate) fn rise(&mut self, condition: usize) {
        self.decisions.rise(condition);
    }

    pub(crate) fn let_go(&mut self, condition: usize) {
        self.decisions.let_go(condition / 2);
    }

    /// For checkpoints.
    pub(crate) fn held(&self) -> Vec<f64> {
        std::iter::once(f64::from(u8::from(self.begins))).chain(self.decisions.held()).collect()
    }

    /// Takes that back; false if it belongs to another system.
    pub(crate) fn set_held(&mut self, held: &[f64]) -> bool {
        let Some((begins, held)) = held.split_first() else { return false };
        self.begins = *begins > 0.0;
        self.decisions.set_held(&mut held.iter().copied())
    }
}
