//! One file per way of enforcing constraints. Most are a [`Scheme`], a nonlinear system that
//! [`Iterated`] makes a step of; `nonsmooth`, `moreau-jean` and `explicit` are a [`Step`] of their own.
//!
//! | file | words | constraints met at | from |
//! |---|---|---|---|
//! | `acceleration` | `index3`, `index2`, `index1`, `baumgarte`, `hht-i3` (recommended) | one level | 000, 002 §4.2, 003 |
//! | `corrections` | `ggl` | position + velocity | 002 (73), (74) |
//! | | `pva` | position + velocity + acceleration | 002 (70) |
//! | | `projected` | position + velocity + acceleration | 004 (2.5) |
//! | `soi2` | `soi2` | position + velocity, nonholonomic | 001 (13) |
//! | `hht_soi2` | `hht-soi2` | position + velocity | 001 (17) |
//! | `hht_paper` | `hht-i3` (paper) | position | 003 |
//! | `dae_alpha` | `dae-alpha` | position + velocity | 004 (3.3), (3.6) |
//! | `nonsmooth/` | `nonsmooth` | position + velocity (+ acceleration), with contacts | 002 §3 |
//! | `moreau_jean` | `moreau-jean` | velocity, with contacts | 002 §2.2.3 |
//! | `bdf/` | `bdf` | position (+ velocity) | 003 §7 |
//!
//! To add one: copy the nearest neighbour, add a variant to `settings::Formulation`, its word in
//! `solve/`, a line in [`Method::of`], and put it on the list in `tests.rs`, which checks its matrix
//! against its residual.

/// How a formulation goes into a checkpoint: whole.
macro_rules! saved_whole {
    () => {
        fn save(&self, out: &mut $crate::checkpoint::Writer) {
            out.put(self);
        }

        fn load(
            &mut self,
            from: &mut $crate::checkpoint::Reader,
        ) -> Result<(), $crate::checkpoint::Unreadable> {
            *self = from.get()?;
            Ok(())
        }
    };
}

/// The methods that every scheme of the generalized-α family has in the same form.
macro_rules! alpha_scheme {
    () => {
        fn core(&self) -> &Core {
            &self.core
        }

        fn core_mut(&mut self) -> &mut Core {
            &mut self.core
        }

        fn alpha(&self) -> Option<&Alpha> {
            Some(&self.alpha)
        }

        fn parts_mut(&mut self) -> (&mut Core, Option<&mut Alpha>) {
            (&mut self.core, Some(&mut self.alpha))
        }

        fn state_factor(&self) -> f64 {
            self.alpha.c.c7
        }

        fn position_factor(&self) -> f64 {
            self.alpha.c.c8
        }

        saved_whole!();
    };
}

mod acceleration;
mod bdf;
mod core;
mod corrections;
mod dae_alpha;
mod explicit;
mod gram;
mod hht_paper;
mod hht_soi2;
mod moreau_jean;
mod nonsmooth;
mod rows;
mod soi2;
#[cfg(test)]
mod splitting_tests;
mod support;
#[cfg(test)]
mod tests;

pub(crate) use self::core::Core;
pub(crate) use nonsmooth::turns;
pub(crate) use support::warnings;

use crate::alpha::{Alpha, Guess};
use crate::checkpoint::{Reader, Unreadable, Writer};
use crate::diagnosis::Diagnosis;
use crate::iterated::Iterated;
use crate::ringing::Prescribed;
use crate::settings::{Formulation, GglVariant, HhtMode, Settings};
use crate::state::State;
use crate::step::{LocalError, PastPoint, RowForm, Step};
use crate::system::{Level, System};
use acceleration::Enforce;
use corrections::Direction;
use rotula_linear::{BlockMatrix, FactorError};
use rows::{equation_of_two_balances, keep_entries};

/// What an equation of the iteration is, for diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equation {
    /// Equation of motion of coordinate `i`.
    Motion(usize),
    /// Constraint `i` at a level.
    Constraint(Level, usize),
    /// Correction of coordinate `i` that stabilises a constraint.
    Correction(usize),
    /// Auxiliary equation `i`.
    Auxiliary(usize),
}

/// One step of an integrator as a nonlinear system of equations.
///
/// [`Iterated`] calls `begin`, `guess`, then `residual`/`factorise`/`solve` until the iteration
/// converges, then `conclude`, `local_error` and, if the step is accepted, `commit`. Nothing that an
/// attempt computes is remembered before `commit`.
pub(crate) trait Scheme {
    /// What all formulations share.
    fn core(&self) -> &Core;

    /// The same, to be changed.
    fn core_mut(&mut self) -> &mut Core;

    /// The recursion of the generalized-α family, if the scheme has one.
    fn alpha(&self) -> Option<&Alpha> {
        None
    }

    /// Both, to be changed.
    fn parts_mut(&mut self) -> (&mut Core, Option<&mut Alpha>) {
        (self.core_mut(), None)
    }

    /// Puts the whole scheme into a checkpoint.
    fn save(&self, out: &mut Writer);

    /// Becomes the scheme of a checkpoint.
    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable>;

    /// What equation `i` of the iteration is.
    fn equation(&self, i: usize) -> Equation;

    /// Takes over the analysis of a matrix of accelerations and reactions for those of its own that have the same pattern.
    fn follow(&mut self, _analysed: &BlockMatrix) {}

    /// Prepares a step of size `h` from an accepted state.
    fn begin(&mut self, system: &mut dyn System, state: &State, h: f64) -> Result<(), FactorError>;

    /// Fills the unknowns with a first guess.
    fn guess(&mut self, guess: &Guess, u: &mut [f64]);

    /// The residual at `u`.
    fn residual(&mut self, system: &mut dyn System, u: &[f64], out: &mut [f64]);

    /// Assembles the iteration matrix at `u`, which is cleared before.
    fn assemble(&mut self, system: &mut dyn System, u: &[f64]);

    /// Size of a correction, as a root-mean-square acceleration relative to `weights`.
    fn correction_size(&self, correction: &[f64], weights: &[f64]) -> f64;

    /// Completes the state at the end of the step from the converged unknowns.
    fn conclude(
        &mut self,
        system: &mut dyn System,
        u: &[f64],
        next: &mut State,
    ) -> Result<(), FactorError>;

    /// Number of unknowns of the iteration.
    fn unknowns(&self) -> usize {
        self.core().matrix.size()
    }

    /// Starts afresh from a consistent state.
    fn restart(&mut self, _system: &mut dyn System, state: &State) {
        let (core, alpha) = self.parts_mut();
        core.see_states(&state.x);
        if let Some(alpha) = alpha {
            alpha.restart(state);
        }
    }

    /// Starts afresh from a consistent state, whose accelerations and multipliers the scheme may
    /// replace by those it needs.
    fn start(&mut self, system: &mut dyn System, state: &mut State) -> Result<(), Diagnosis> {
        self.restart(system, state);
        Ok(())
    }

    /// Turns a copy of the state of the accepted step into what is recorded of it: impulses become mean forces.
    fn complete_row(&self, _row: &mut State) -> RowForm {
        RowForm::Balanced
    }

    /// Factorises the iteration matrix at `u`.
    fn factorise(&mut self, system: &mut dyn System, u: &[f64]) -> Result<(), FactorError> {
        self.core_mut().matrix.clear();
        self.assemble(system, u);
        self.core_mut().matrix.factor()
    }

    /// Turns a residual into the correction to be subtracted from the unknowns.
    fn solve(&mut self, residual: &mut [f64]) {
        self.core_mut().matrix.solve(residual);
    }

    /// Where the balance of forces begins whose multipliers are recorded: its rows, and in the same places the
    /// accelerations among the unknowns, followed by the multipliers.
    fn balance(&self) -> usize {
        0
    }

    /// Whether what is recorded of forces is what the iteration finds; otherwise they need not converge.
    fn forces_count(&self) -> bool {
        true
    }

    /// The accelerations among the unknowns.
    fn accelerations<'a>(&self, u: &'a [f64]) -> &'a [f64] {
        &u[self.balance()..self.balance() + self.core().sizes.motion]
    }

    /// Local error of the concluded step.
    fn local_error(&self, next: &State, weights: &[f64]) -> LocalError {
        let core = self.core();
        self.alpha().map_or_else(LocalError::default, |alpha| {
            alpha.local_error((&core.base, next), weights, &core.state_weights)
        })
    }

    /// The concluded step is accepted.
    fn commit(&mut self) {
        let (core, alpha) = self.parts_mut();
        if let Some(alpha) = alpha {
            alpha.commit(&core.base);
        }
        core.see_base();
    }

    /// Order of the method: the local error falls like `h^(order+1)`.
    fn order(&self) -> usize {
        2
    }

    /// The start value of the algorithmic acceleration that a concluded first step suggests, so
    /// that it lives at `t₀ + αh`. [Jay & Negrut 2009, eq. 8] Whatever else the scheme learns for its start it keeps to itself.
    fn suggest_start(&mut self, _system: &mut dyn System, next: &State, out: &mut [f64]) {
        if let Some(alpha) = self.alpha() {
            alpha.shifted_acceleration(&self.core().base, next, out);
        }
    }

    /// The next step starts from the state as it is.
    fn forget_start(&mut self) {}

    /// Points of the past for the interpolation of the accepted step. See [`Step::past`](crate::step::Step::past).
    fn past(&self) -> [Option<PastPoint<'_>>; 2] {
        [None; 2]
    }

    /// Called before an accepted step is committed: the factor by which the next step may grow, if
    /// the scheme has a rule of its own (variable order).
    fn advise(&mut self, _next: &State, _weights: &[f64], _tolerance: f64) -> Option<f64> {
        None
    }

    /// The attempt was rejected, for the given number of times in a row.
    fn rejected(&mut self, _times: usize) {}

    /// How exact accelerations must be for a local-error tolerance, if not by the rule of the α
    /// methods.
    fn newton_bound(&self, _tolerance: f64) -> Option<f64> {
        None
    }

    /// Whether constraints are met by positions or velocities, not by accelerations alone.
    fn meets_positions(&self) -> bool {
        true
    }

    /// What the constraints prescribe, if accelerations and multipliers answer small errors of the iteration with an
    /// oscillation.
    fn prescribed(&self) -> Option<Prescribed> {
        None
    }

    /// `∂x/∂ẋ`: what an error of a rate does to the state.
    fn state_factor(&self) -> f64;

    /// `∂Δ/∂v̇`: what an error of the acceleration does to the position.
    fn position_factor(&self) -> f64;
}

/// Builds the step that the settings ask for, or says why the system cannot have it.
pub(crate) fn build(system: &dyn System, settings: &Settings) -> Result<Box<dyn Step>, Diagnosis> {
    support::refuse(system, settings)?;
    Ok(match Method::of(system, settings) {
        Method::Iterated(scheme) => Box::new(Iterated::new(system, scheme, settings)),
        Method::Itself(step) => step,
    })
}

/// Builds the nonlinear system of each step, if the formulation that the settings ask for has one.
pub(crate) fn scheme(
    system: &dyn System,
    settings: &Settings,
) -> Result<Option<Box<dyn Scheme>>, Diagnosis> {
    support::refuse(system, settings)?;
    Ok(match Method::of(system, settings) {
        Method::Iterated(scheme) => Some(scheme),
        Method::Itself(_) => None,
    })
}

/// What a formulation is.
enum Method {
    Iterated(Box<dyn Scheme>),
    Itself(Box<dyn Step>),
}

impl Method {
    fn of(system: &dyn System, settings: &Settings) -> Self {
        let accelerations =
            |enforce| Box::new(acceleration::AccelerationScheme::new(system, settings, enforce));
        let corrected = |direction, with_velocity| {
            Box::new(corrections::CorrectedScheme::new(system, settings, direction, with_velocity))
        };
        let scheme: Box<dyn Scheme> = match settings.formulation {
            Formulation::Index3 { scaling, augmented } => {
                accelerations(Enforce::Position { scaling, augmented })
            }
            Formulation::Index2 => accelerations(Enforce::Velocity),
            Formulation::Index1 => accelerations(Enforce::Acceleration),
            Formulation::Baumgarte { constants: [alpha, beta] } => {
                accelerations(Enforce::Mixed { alpha, beta })
            }
            Formulation::HhtI3 { mode: HhtMode::Recommended } => {
                accelerations(Enforce::Position { scaling: true, augmented: false })
            }
            Formulation::HhtI3 { mode: HhtMode::Paper } => {
                Box::new(hht_paper::HhtPaperScheme::new(system, settings))
            }
            Formulation::Ggl { variant: GglVariant::OldGradient } => {
                corrected(Direction::OldGradient, false)
            }
            Formulation::Ggl { variant: GglVariant::MassWeighted } => {
                corrected(Direction::New, false)
            }
            Formulation::Pva => corrected(Direction::New, true),
            Formulation::Projected => corrected(Direction::Unprojected, true),
            Formulation::DaeAlpha { iteration, multipliers } => {
                Box::new(dae_alpha::DaeAlphaScheme::new(system, settings, iteration, multipliers))
            }
            Formulation::Soi2 { mass } => Box::new(soi2::Soi2Scheme::new(system, settings, mass)),
            Formulation::HhtSoi2 => Box::new(hht_soi2::HhtSoi2Scheme::new(system, settings)),
            Formulation::Bdf { form, max_order } => {
                Box::new(bdf::BdfScheme::new(system, form, max_order))
            }
            Formulation::Nonsmooth { strategy, variant, iteration, located, impact_law: _ } => {
                let options = (strategy, variant, iteration, located);
                let step = nonsmooth::NonsmoothScheme::new(system, settings, options);
                return Method::Itself(Box::new(step));
            }
            Formulation::MoreauJean { theta, activation, project } => {
                let options = (theta, activation, project);
                let step = moreau_jean::MoreauJeanScheme::new(system, settings, options);
                return Method::Itself(Box::new(step));
            }
            Formulation::Explicit => {
                return Method::Itself(Box::new(explicit::ExplicitScheme::new(system)));
            }
        };
        Method::Iterated(scheme)
    }
}
