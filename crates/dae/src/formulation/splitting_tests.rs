//! The iterations of DAE-α against coordinate splitting written out: the dynamics premultiplied by
//! the annihilator `P` of `Gᵀ`, no multipliers among the unknowns. [Yen et al. 1998, sheet §1, key equivalence]

use super::Scheme;
use crate::alpha::Guess;
use crate::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use crate::*;

/// Five coordinates, two curved constraints, a mass matrix that varies.
struct Curved;

impl Equations for Curved {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 2, ..Sizes::vector(5) }
    }

    fn mass<T: Scalar>(&self, _t: T, q: &[T], m: &mut MassMatrix<T>) {
        for i in 0..5 {
            m.set(i, i, q[(i + 1) % 5].sin() * 0.3 + 2.0);
        }
        m.set(0, 1, q[2].cos() * 0.4);
        m.set(1, 3, q[4] * 0.2);
    }

    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        f[0] = at.q[1] * at.v[2] - at.q[0] * 3.0;
        f[1] = at.v[0] * at.v[4] * 0.5 - at.v[1];
        f[2] = (at.q[3] * 2.0).sin() + at.t;
        f[3] = at.q[0] * at.q[2];
        f[4] = at.q[4] * -2.0;
    }

    fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0] * q[0] + q[1] * q[2] * 0.7 + q[3] - 1.0;
        g[1] = q[4].sin() + q[1] * 1.3 - q[2] * q[3] * 0.4 + q[0] * 0.3;
    }
}

const COORDINATES: usize = 5;
const CONSTRAINTS: usize = 2;

type Matrix = Vec<Vec<f64>>;

/// Gaussian elimination with row pivoting; several right-hand sides.
fn solve(mut a: Matrix, mut b: Matrix) -> Matrix {
    let n = a.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k] / a[k][k];
            let (row_a, row_b) = (a[k].clone(), b[k].clone());
            a[i].iter_mut().zip(&row_a).for_each(|(x, y)| *x -= factor * y);
            b[i].iter_mut().zip(&row_b).for_each(|(x, y)| *x -= factor * y);
        }
    }
    for k in 0..n {
        let pivot = a[k][k];
        b[k].iter_mut().for_each(|x| *x /= pivot);
    }
    b
}

/// Column-major values of a dense block as rows.
fn rows(values: &[f64], count: usize) -> Matrix {
    let columns = values.len() / count;
    (0..count).map(|i| (0..columns).map(|j| values[j * count + i]).collect()).collect()
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, r)| x * r[j]).sum::<f64>();
    a.iter().map(|row| (0..b[0].len()).map(|j| entry(row, j)).collect()).collect()
}

fn transposed(a: &Matrix) -> Matrix {
    (0..a[0].len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// The point of an iterate: accelerations `r` of the position balance and `s` of the velocity balance.
struct Place {
    state: State,
    c7: f64,
    c8: f64,
}

impl Place {
    fn new(scheme: &dyn Scheme, system: &dyn System, u: &[f64]) -> Self {
        let (core, alpha) = (scheme.core(), scheme.alpha().unwrap());
        let (r, s) = u.split_at(COORDINATES);
        let mut state = core.base.clone();
        state.t = core.trial.t;
        alpha.set_increment(r, &mut state.increment);
        alpha.set_velocity(s, &mut state.v);
        system.retract(&core.base.q, &state.increment, &mut state.q);
        Place { state, c7: alpha.c.c7, c8: alpha.c.c8 }
    }
}

/// One iteration of coordinate splitting with the dependent coordinates `y`, from `u = (r, s)`.
fn split_iteration(
    system: &mut dyn System,
    place: &Place,
    u: &[f64],
    y: &[usize],
    curvature: bool,
) -> Vec<f64> {
    let (n, m) = (COORDINATES, CONSTRAINTS);
    let at = place.state.point();
    let x: Vec<usize> = (0..n).filter(|i| !y.contains(i)).collect();
    let mut values = vec![0.0; m * n];
    system.constraint_gradient(&at, &mut values);
    let gradient = rows(&values, m);
    let pick = |columns: &[usize]| -> Matrix {
        gradient.iter().map(|row| columns.iter().map(|&j| row[j]).collect()).collect()
    };
    // Q = (GY)⁻¹ GX, P = Xᵀ − QᵀYᵀ
    let q = solve(pick(y), pick(&x));
    let mut annihilator = vec![vec![0.0; n]; n - m];
    for (k, &i) in x.iter().enumerate() {
        annihilator[k][i] = 1.0;
        for (l, &j) in y.iter().enumerate() {
            annihilator[k][j] = -q[l][k];
        }
    }
    let annihilated = product(&annihilator, &transposed(&gradient));
    assert!(annihilated.iter().flatten().all(|value| value.abs() < 1e-13));
    let (mut left, mut right) = (Matrix::new(), Matrix::new());
    let weights = |column: usize, mass: f64| match column {
        0 => Weights { mass, damping: 0.0, stiffness: place.c8 },
        _ => Weights { mass, damping: place.c7, stiffness: 0.0 },
    };
    for balance in 0..2 {
        let vdot = &u[balance * n..(balance + 1) * n];
        let mut residual = vec![0.0; n];
        system.dynamics(&Point { vdot, ..at }, Terms::WITHOUT_REACTIONS, &mut residual);
        // (GY)ᵀ s = Yᵀ r
        let dependent: Matrix = y.iter().map(|&j| vec![residual[j]]).collect();
        let multipliers = solve(transposed(&pick(y)), dependent).concat();
        let terms = if curvature { Terms::ALL } else { Terms::WITHOUT_REACTIONS };
        let blocks = [0, 1].map(|column| {
            let mass = if column == balance { 1.0 } else { 0.0 };
            let point = Point { vdot, multipliers: &multipliers, ..at };
            let mut values = vec![0.0; n * n];
            system.tangent(&point, weights(column, mass), terms, &mut values);
            product(&annihilator, &rows(&values, n))
        });
        left.extend(blocks[0].iter().zip(&blocks[1]).map(|(a, b)| [&a[..], b].concat()));
        let column: Matrix = residual.into_iter().map(|value| vec![value]).collect();
        right.extend(product(&annihilator, &column));
    }
    for level in [Level::Position, Level::Velocity] {
        let mut residual = vec![0.0; m];
        system.constraint(level, &at, &mut residual);
        let blocks = [0, 1].map(|column| {
            let mut values = vec![0.0; m * n];
            system.constraint_tangent(level, &at, weights(column, 0.0), &mut values);
            rows(&values, m)
        });
        left.extend(blocks[0].iter().zip(&blocks[1]).map(|(a, b)| [&a[..], b].concat()));
        right.extend(residual.into_iter().map(|value| vec![value]));
    }
    u.iter().zip(solve(left, right).concat()).map(|(u, d)| u - d).collect()
}

/// Dependent coordinates by complete pivoting, as full coordinate splitting needs a definite choice.
fn pivots(system: &mut dyn System, place: &Place) -> Vec<usize> {
    let mut values = vec![0.0; CONSTRAINTS * COORDINATES];
    system.constraint_gradient(&place.state.point(), &mut values);
    let mut gradient = rows(&values, CONSTRAINTS);
    let mut columns = Vec::new();
    while !gradient.is_empty() {
        let size = |&(i, j): &(usize, usize)| gradient[i][j].abs();
        let all = (0..gradient.len()).flat_map(|i| (0..COORDINATES).map(move |j| (i, j)));
        let (i, j) = all.max_by(|a, b| size(a).total_cmp(&size(b))).unwrap();
        let pivot = gradient.remove(i);
        for row in &mut gradient {
            let factor = row[j] / pivot[j];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
        columns.push(j);
    }
    columns
}

fn scheme(iteration: DaeIteration) -> (Automatic<Curved>, Box<dyn Scheme>, Vec<f64>) {
    let mut system = Automatic::new(Curved);
    let formulation =
        Formulation::DaeAlpha { iteration, multipliers: MultiplierSource::AccelerationLevel };
    let coefficients = Coefficients::generalized_alpha(0.6).unwrap();
    let settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 0.2 });
    let mut scheme = super::scheme(&system, &settings).unwrap().unwrap();
    let mut state = State::zeros(system.sizes());
    state.q.copy_from_slice(&[0.5, -0.3, 0.4, 0.834, 0.26]);
    state.v.copy_from_slice(&[0.3, 0.1, -0.4, -0.2, 0.15]);
    state.vdot.copy_from_slice(&[-0.5, 0.2, 0.7, -0.1, 0.3]);
    // far from those of the solution: neither CM nor CS may feel them
    state.multipliers.copy_from_slice(&[1.7, -2.3]);
    scheme.restart(&mut system, &state);
    scheme.begin(&mut system, &state, 0.2).unwrap();
    let mut u = vec![0.0; scheme.unknowns()];
    scheme.guess(&Guess::Hold, &mut u);
    (system, scheme, u)
}

/// The accelerations among the unknowns.
fn motion(u: &[f64]) -> Vec<f64> {
    let second = COORDINATES + CONSTRAINTS;
    [&u[..COORDINATES], &u[second..second + COORDINATES]].concat()
}

/// Largest relative distance between the iterates of a scheme and those of the written-out splitting.
fn largest_distance(iteration: DaeIteration, split: Option<[usize; 2]>) -> f64 {
    let (mut system, mut scheme, mut u) = scheme(iteration);
    let mut reference = motion(&u);
    let (mut worst, mut last): (f64, f64) = (0.0, 0.0);
    for _ in 0..8 {
        let place = Place::new(scheme.as_ref(), &system, &reference);
        let y = split.map_or_else(|| pivots(&mut system, &place), |y| y.to_vec());
        let curvature = iteration == DaeIteration::Cs;
        reference = split_iteration(&mut system, &place, &reference, &y, curvature);

        scheme.factorise(&mut system, &u).unwrap();
        let mut correction = vec![0.0; u.len()];
        scheme.residual(&mut system, &u, &mut correction);
        scheme.solve(&mut correction);
        u.iter_mut().zip(&correction).for_each(|(u, d)| *u -= d);
        last = motion(&correction).iter().fold(0.0, |most, d| most.max(d.abs()));

        let ours = motion(&u);
        let size = ours.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
        for (a, b) in ours.iter().zip(&reference) {
            worst = worst.max((a - b).abs() / size);
        }
    }
    assert!(last < 1e-3, "{iteration:?} does not converge here: {last:e}");
    worst
}

/// CM is Newton's method on the saddle point without curvature, iterate by iterate and for every split.
#[test]
fn cm_takes_the_steps_of_coordinate_splitting() {
    for i in 0..COORDINATES {
        for j in i + 1..COORDINATES {
            let worst = largest_distance(DaeIteration::Cm, Some([i, j]));
            assert!(worst < 1e-12, "Y = ({i}, {j}): {worst:e}");
        }
    }
}

/// Full CS resets the multipliers to those of its split.
#[test]
fn cs_takes_the_steps_of_coordinate_splitting() {
    let worst = largest_distance(DaeIteration::Cs, None);
    assert!(worst < 1e-12, "{worst:e}");
}

/// The comparison can tell: Newton's method takes other steps.
#[test]
fn newton_takes_other_steps() {
    let worst = largest_distance(DaeIteration::Newton, Some([0, 1]));
    assert!(worst > 1e-3, "{worst:e}");
}
