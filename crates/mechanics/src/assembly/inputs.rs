//! Numbers of an assembled model that are set from outside while a run goes on.

use super::Assembly;
use super::control::Content;
use rotula_dae::Inputs;
use rotula_dae::checkpoint::Unreadable;

impl Inputs for Assembly {
    fn names(&self) -> Vec<String> {
        let states = self.control.states.len();
        let variables = self.control.variables.iter().zip(&self.control.equations[states..]);
        let inputs =
            variables.filter(|(_, equation)| matches!(equation.content, Content::Input(_)));
        inputs.map(|(name, _)| name.clone()).collect()
    }

    fn value(&self, input: usize) -> f64 {
        self.input_values()[input]
    }

    fn set(&mut self, input: usize, value: f64, t: f64) {
        let name = Inputs::names(self).swap_remove(input);
        *self.input_mut(input) = value;
        self.moment.functions.iter_mut().for_each(|function| function.input_set(&name, value, t));
        // functions are worked out anew
        self.moment.time = f64::NAN;
    }
}

impl Assembly {
    fn input_mut(&mut self, input: usize) -> &mut f64 {
        let mut values = self.control.equations.iter_mut().filter_map(|e| match &mut e.content {
            Content::Input(value) => Some(value),
            _ => None,
        });
        values.nth(input).expect("one of the names")
    }

    pub(super) fn input_values(&self) -> Vec<f64> {
        let contents = self.control.equations.iter().map(|equation| &equation.content);
        contents
            .filter_map(|content| match content {
                Content::Input(value) => Some(*value),
                Content::Formula { .. } | Content::Sensor { .. } | Content::Held(_) => None,
            })
            .collect()
    }

    pub(super) fn set_input_values(&mut self, values: Vec<f64>) -> Result<(), Unreadable> {
        if values.len() != self.input_values().len() {
            return Err(Unreadable);
        }
        for (input, value) in values.into_iter().enumerate() {
            *self.input_mut(input) = value;
        }
        Ok(())
    }
}
