//! Checks of the auxiliary equations and of forces that depend on them.

use crate::check::Subject;
use rotula_dae::{Point, State, StateWeights, System, Terms, Weights};
use rotula_linear::Pattern;

/// Where a difference is taken: an entry of a state that adds like a number.
type Entry = fn(&mut State, usize) -> &mut f64;

impl<S: System> Subject<S> {
    /// Compares columns of a derivative with fourth-order differences of `f` in plain entries of the
    /// state.
    fn compare_entries(
        &mut self,
        what: &str,
        pattern: &Pattern,
        values: &[f64],
        columns: std::ops::Range<usize>,
        entry: Entry,
        f: &dyn Fn(&mut S, &Point, &mut [f64]),
    ) {
        let rows = pattern.rows();
        for (j, column) in columns.enumerate() {
            let (h, mut sum) = (2e-4, vec![0.0; rows]);
            for (step, weight) in [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)] {
                let (mut state, mut out) = (self.state.clone(), vec![0.0; rows]);
                *entry(&mut state, j) += step * h;
                f(&mut self.system, &state.point(), &mut out);
                sum.iter_mut().zip(&out).for_each(|(s, o)| *s += weight * o / (12.0 * h));
            }
            for (row, difference) in sum.iter().enumerate() {
                let exact = pattern.position(row, column).map_or(0.0, |place| values[place]);
                assert!(
                    (exact - difference).abs() < 1e-7 * (1.0 + exact.abs()),
                    "{what}: row {row}, column {column}: {exact} is not {difference}"
                );
            }
        }
    }

    /// The derivatives of the auxiliary equations with respect to the motion, the multipliers, the
    /// states, their rates and the variables.
    pub fn auxiliary(&mut self, what: &str) {
        let (patterns, sizes) = (self.system.patterns(), self.system.sizes());
        let none = StateWeights { rate: 0.0, state: 0.0 };
        let mut m = vec![0.0; patterns.auxiliary_multipliers.entries()];
        let mut a = vec![0.0; patterns.auxiliary.entries()];
        let residual = |system: &mut S, at: &Point, out: &mut [f64]| system.auxiliary(at, out);
        self.compare(
            &format!("{what}, auxiliary"),
            sizes.auxiliary(),
            &patterns.auxiliary_motion,
            &residual,
            &|system, at, weights, out| {
                let mut m = vec![0.0; system.patterns().auxiliary_multipliers.entries()];
                let mut a = vec![0.0; system.patterns().auxiliary.entries()];
                system.auxiliary_tangent(at, weights, none, out, &mut m, &mut a)
            },
        );
        let (states, all) = (0..sizes.states, sizes.states..sizes.auxiliary());
        let blocks: [(StateWeights, std::ops::Range<usize>, Entry); 3] = [
            (StateWeights { state: 1.0, ..none }, states.clone(), |state, j| &mut state.x[j]),
            (StateWeights { rate: 1.0, ..none }, states, |state, j| &mut state.xdot[j]),
            (none, all, |state, j| &mut state.y[j]),
        ];
        let mut motion = vec![0.0; patterns.auxiliary_motion.entries()];
        for (weights, columns, entry) in blocks {
            let at = self.state.point();
            let whole = Weights::default();
            self.system.auxiliary_tangent(&at, whole, weights, &mut motion, &mut m, &mut a);
            let label = format!("{what}, auxiliary by itself");
            self.compare_entries(&label, &patterns.auxiliary, &a, columns, entry, &residual);
        }
        let columns = 0..sizes.multipliers();
        let label = format!("{what}, auxiliary by multipliers");
        let entry: Entry = |state, j| &mut state.multipliers[j];
        let pattern = &patterns.auxiliary_multipliers;
        self.compare_entries(&label, pattern, &m, columns, entry, &residual);
    }

    /// The derivatives of the equations of motion with respect to states and variables.
    pub fn commands(&mut self, what: &str) {
        let (pattern, sizes) = (self.system.patterns().dynamics_auxiliary, self.system.sizes());
        let weights = StateWeights { rate: 0.0, state: 1.0 };
        let mut values = vec![0.0; pattern.entries()];
        self.system.dynamics_auxiliary(&self.state.point(), weights, &mut values);
        let dynamics =
            |system: &mut S, at: &Point, out: &mut [f64]| system.dynamics(at, Terms::ALL, out);
        let label = format!("{what}, dynamics by auxiliary");
        let by_states: Entry = |state, j| &mut state.x[j];
        let by_variables: Entry = |state, j| &mut state.y[j];
        let (states, all) = (0..sizes.states, sizes.states..sizes.auxiliary());
        self.compare_entries(&label, &pattern, &values, states, by_states, &dynamics);
        self.compare_entries(&label, &pattern, &values, all, by_variables, &dynamics);
    }
}
