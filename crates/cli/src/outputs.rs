//! The curves of `[output]` along a trajectory.

use rotula_dae::{Point, StateWeights, System, Table, Trajectory, Weights};
use rotula_equations::EquationSystem;
use rotula_report::Extra;

/// Evaluates every output at every recorded time.
pub(crate) fn along(trajectory: &Trajectory, system: &mut EquationSystem) -> Extra {
    let names: Vec<String> = system.output_names().map(str::to_owned).collect();
    let mut table = Table::new(names.len());
    if names.is_empty() {
        return Extra { names, table };
    }
    let mut rates = Rates::new(system);
    let increment = vec![0.0; trajectory.sizes.motion];
    let mut row = vec![0.0; names.len()];
    for (i, &t) in trajectory.times.iter().enumerate() {
        let mut point = Point {
            t,
            q: trajectory.q.row(i),
            increment: &increment,
            v: trajectory.v.row(i),
            vdot: trajectory.vdot.row(i),
            multipliers: trajectory.multipliers.row(i),
            x: trajectory.x.row(i),
            xdot: &[],
            y: trajectory.y.row(i),
        };
        point.xdot = rates.solve(system, point);
        system.outputs(&point, &mut row);
        table.push(&row);
    }
    Extra { names, table }
}

/// Rates of the first-order states: a trajectory does not keep them, but `d(ẋ, x, …) = 0` does.
struct Rates {
    xdot: Vec<f64>,
    residual: Vec<f64>,
    motion: Vec<f64>,
    multipliers: Vec<f64>,
    auxiliary: Vec<f64>,
    pattern: rotula_dae::Pattern,
}

/// Residuals of rates are nearly always linear in them, so that few iterations are plenty.
const MOST_ITERATIONS: usize = 5;

impl Rates {
    fn new(system: &EquationSystem) -> Self {
        let sizes = system.sizes();
        let patterns = system.patterns();
        Rates {
            xdot: vec![0.0; sizes.states],
            residual: vec![0.0; sizes.auxiliary()],
            motion: vec![0.0; patterns.auxiliary_motion.entries()],
            multipliers: vec![0.0; patterns.auxiliary_multipliers.entries()],
            auxiliary: vec![0.0; patterns.auxiliary.entries()],
            pattern: patterns.auxiliary,
        }
    }

    /// The rates at a point, found from those of the point before.
    fn solve(&mut self, system: &mut EquationSystem, at: Point) -> &[f64] {
        let n = self.xdot.len();
        let weights = StateWeights { rate: 1.0, state: 0.0 };
        for _ in 0..MOST_ITERATIONS {
            if n == 0 {
                break;
            }
            let point = Point { xdot: &self.xdot, ..at };
            system.auxiliary(&point, &mut self.residual);
            if self.residual[..n].iter().all(|d| *d == 0.0) {
                break;
            }
            system.auxiliary_tangent(
                &point,
                Weights::default(),
                weights,
                &mut self.motion,
                &mut self.multipliers,
                &mut self.auxiliary,
            );
            let matrix = dense(&self.pattern, &self.auxiliary, n);
            match eliminate(matrix, self.residual[..n].to_vec()) {
                Some(step) => self.xdot.iter_mut().zip(step).for_each(|(x, d)| *x -= d),
                // a state without a rate: what uses the rate is not defined
                None => {
                    self.xdot.fill(f64::NAN);
                    break;
                }
            }
        }
        &self.xdot
    }
}

/// The upper left `n × n` block, row by row.
fn dense(pattern: &rotula_dae::Pattern, values: &[f64], n: usize) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; n]; n];
    for ((row, column), value) in pattern.iter().zip(values) {
        if row < n && column < n {
            matrix[row][column] = *value;
        }
    }
    matrix
}

/// Gauss elimination with row pivots; `None` if the matrix is singular.
fn eliminate(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        a.swap(k, pivot);
        b.swap(k, pivot);
        if a[k][k] == 0.0 || !a[k][k].is_finite() {
            return None;
        }
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::{along, eliminate};
    use rotula_dae::simulate;
    use rotula_equations::Model;

    #[test]
    fn a_small_system_is_solved() {
        let solution = eliminate(vec![vec![0.0, 2.0], vec![4.0, 1.0]], vec![6.0, 7.0]);
        assert_eq!(solution, Some(vec![1.0, 3.0]));
        assert_eq!(eliminate(vec![vec![0.0]], vec![1.0]), None);
    }

    #[test]
    fn outputs_may_use_rates_of_states() {
        let text = r#"
            [coordinates]
            x = { at = 1, velocity = 0 }
            [mass]
            x = 1
            [force]
            x = "-x"
            [state]
            s = { at = 0, residual = "2*s' + w' - x" }
            w = { at = 0, rate = "x - s" }
            [output]
            rate = "s'"
            expected = "(x - (x - s))/2"
            [solve]
            formulation = "index3"
            step = 0.1
            until = 1.0
        "#;
        let model = Model::parse(text, "model.toml", &[]).unwrap();
        let mut system = model.system();
        let settings = model.settings().unwrap();
        let outcome = simulate(&mut system, &model.initial_state(), &settings, &mut ()).unwrap();
        let extra = along(&outcome.trajectory, &mut system);
        for i in 0..outcome.trajectory.len() {
            let [rate, expected] = *extra.table.row(i) else { panic!("two outputs") };
            assert!((rate - expected).abs() < 1e-12, "{rate} is not {expected}");
        }
    }
}
