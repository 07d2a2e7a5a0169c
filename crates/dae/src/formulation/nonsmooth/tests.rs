//! The matrix of all stages together against central differences of all residuals.

use super::law::Status;
use super::{Blocks, NonsmoothScheme};
use crate::Contacts;
use crate::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use crate::formulation::Core;
use crate::formulation::tests::{Rich, somewhere};
use crate::*;
use rotula_linear::Pattern;

/// Two curved contacts as constraints: the gaps as holonomic ones, the sliding velocities of the first as
/// nonholonomic ones.
struct Surfaces;

impl Equations for Surfaces {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 2, nonholonomic: 2, ..Sizes::vector(4) }
    }

    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        (0..4).for_each(|i| m.set(i, i, 1.0));
    }

    fn force<T: Scalar>(&self, _at: &Arguments<T>, _f: &mut [T]) {}

    fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0] * q[0] * 0.5 + q[1].sin() - q[3];
        g[1] = q[2] * q[3] + q[0].cos() * 0.7;
    }

    fn nonholonomic<T: Scalar>(&self, _t: T, q: &[T], v: &[T], k: &mut [T]) {
        k[0] = v[1] * q[2].cos() - v[3] * q[0] + v[2];
        k[1] = v[0] + v[2] * q[1].sin() * 0.4;
    }
}

/// Where the rows of the contacts are among those of the constraints: gap and two slips, then a gap.
const PLACES: [usize; 4] = [0, 2, 3, 1];

struct Touched {
    body: Automatic<Rich>,
    touch: Automatic<Surfaces>,
    contacts: [Contact; 2],
}

impl Touched {
    fn permuted(from: &[f64], out: &mut [f64]) {
        for (from, out) in from.chunks(4).zip(out.chunks_mut(4)) {
            PLACES.iter().zip(out).for_each(|(&place, out)| *out = from[place]);
        }
    }
}

impl System for Touched {
    crate::forward_system!(body);

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.body.dynamics(at, terms, out);
    }

    crate::hand_out!(Contacts);
}

impl Contacts for Touched {
    fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn contact_patterns(&self) -> ContactPatterns {
        ContactPatterns { rows: Pattern::dense(4, 4), curvature: Pattern::dense(4, 4) }
    }

    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        let mut rows = [0.0; 4];
        self.touch.constraint(level, at, &mut rows[..if level == Level::Position { 2 } else { 4 }]);
        Touched::permuted(&rows, out);
    }

    fn contact_gradient(&mut self, at: &Point, values: &mut [f64]) {
        let mut rows = [0.0; 16];
        self.touch.constraint_gradient(at, &mut rows);
        Touched::permuted(&rows, values);
    }

    fn contact_tangent(&mut self, level: Level, at: &Point, w: Weights, values: &mut [f64]) {
        let mut rows = [0.0; 16];
        self.touch.constraint_tangent(level, at, w, &mut rows);
        Touched::permuted(&rows, values);
    }

    fn contact_curvature(&mut self, at: &Point, forces: &[f64], values: &mut [f64]) {
        let mut multipliers = [0.0; 4];
        PLACES.iter().zip(forces).for_each(|(&place, force)| multipliers[place] = *force);
        let at = Point { multipliers: &multipliers, ..*at };
        let terms = Terms { inertia: false, forces: false, reactions: true };
        let weights = Weights { mass: 0.0, damping: 0.0, stiffness: 1.0 };
        self.touch.tangent(&at, weights, terms, values);
    }
}

/// All residuals with the present unknowns and status.
fn residual(scheme: &mut NonsmoothScheme, system: &mut Touched, size: usize) -> Vec<f64> {
    scheme.stages.set_trial(system, (&mut scheme.core, &scheme.alpha));
    let mut all = [0, 1, 2].map(|stage: usize| vec![0.0; scheme.stages.x[stage].len()]);
    for (stage, out) in all.iter_mut().enumerate() {
        scheme.stages.residual(system, (&scheme.core, &scheme.alpha), stage, out);
    }
    let mut out = vec![0.0; size];
    scheme.stages.gather(&all, &mut out);
    out
}

fn check(strategy: Strategy, variant: NonsmoothVariant, status: [[Status; 2]; 3]) {
    let contacts = [Contact::rough(0.3, 0.4, 2), Contact::smooth(0.5)];
    let body = Automatic::new(Rich { plain: false });
    let mut system = Touched { body, touch: Automatic::new(Surfaces), contacts };
    let iteration = NonsmoothIteration::Monolithic;
    let formulation = Formulation::Nonsmooth {
        strategy,
        variant,
        iteration,
        located: false,
        impact_law: MultipleImpactLaw::Moreau,
    };
    let coefficients = Coefficients::generalized_alpha(0.8).unwrap();
    let settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 0.3 });
    let mut scheme =
        NonsmoothScheme::new(&system, &settings, (strategy, variant, iteration, false));
    let state = somewhere(system.sizes());
    scheme.alpha.restart(&state);
    scheme.begin(&mut system, &state, 0.3).unwrap();
    let stages = &mut scheme.stages;
    for (k, x) in stages.x.iter_mut().enumerate() {
        for (i, x) in x.iter_mut().enumerate() {
            *x = 0.8 * (1.7 * i as f64 + 0.9 * k as f64).sin();
        }
        // pressed, so that the cone has a width; the augmented friction is well beyond it
        let offset = 4 + 2;
        x[offset] = 1.0 + 0.1 * k as f64;
        x[offset + 1] = 3.0;
    }
    stages.r.copy_from_slice(&[1.3, 0.8, 0.8, 2.0]);
    stages.mass.copy_from_slice(&[1.1, 0.7, 0.9, 1.6]);
    for (own, given) in stages.status.iter_mut().zip(status) {
        own.copy_from_slice(&given);
    }
    let (sizes, patterns) = (system.sizes(), system.patterns());
    let (mut blocks, mut matrix) =
        Blocks::build(&[0, 1, 2], sizes, &patterns, &scheme.stages.candidates);
    let size = matrix.size();
    // rows and totals of the point itself
    residual(&mut scheme, &mut system, size);
    matrix.clear();
    let NonsmoothScheme { core, alpha, stages, .. } = &mut scheme;
    let Core { trial, buffers, .. } = core;
    let at = (&*trial, buffers, alpha.c.c7, alpha.c.c8);
    stages.assemble(&mut system, at, &mut blocks, &mut matrix);
    let step = 1e-4;
    for column in 0..size {
        let mut derivative = vec![0.0; size];
        for (shift, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            let mut correction = vec![0.0; size];
            correction[column] = -shift * step;
            scheme.stages.apply(&correction);
            let moved = residual(&mut scheme, &mut system, size);
            correction[column] = shift * step;
            scheme.stages.apply(&correction);
            for (sum, r) in derivative.iter_mut().zip(moved) {
                *sum += weight * r / (12.0 * step);
            }
        }
        for (row, derivative) in derivative.iter().enumerate() {
            let entry = matrix.entry(row, column);
            assert!(
                (entry - derivative).abs() < 1e-8 * (1.0 + derivative.abs()),
                "{strategy:?} {variant:?} {status:?}, entry {row} {column}: {entry} {derivative}"
            );
        }
    }
}

#[test]
fn the_matrix_of_all_stages_is_the_derivative_of_their_residuals() {
    let (open, stick) = (Status::Open, Status::Stick);
    let slip = Status::Slip([0.6, 0.8]);
    // by stage: smooth motion, position, velocity
    let cases = [
        [[open, open], [open, open], [open, open]],
        [[open, stick], [stick, stick], [open, stick]],
        [[stick, open], [stick, stick], [stick, open]],
        [[slip, stick], [stick, stick], [slip, stick]],
        [[open, open], [stick, open], [slip, open]],
    ];
    for strategy in [Strategy::Pva, Strategy::Pvv, Strategy::Bilateral, Strategy::Free] {
        for variant in [NonsmoothVariant::Star, NonsmoothVariant::Printed] {
            cases.iter().for_each(|status| check(strategy, variant, *status));
        }
    }
}
