//! Impacts that are located: the step ends where a gap closes, the law of the impact acts on the velocities of that instant, and
//! the motion starts afresh. [Pfeiffer, Glocker 1996; Acary, Brogliato 2008]
//!
//! ```text
//! attempt a step with what is open held open; judge its error
//! a gap has closed in it: attempt shorter steps, by Newton's method on their length, until the first gap is zero
//! accept; before the next step let the impact happen (`strike`), with all contacts that touch
//! a bounce that would rise less than gaps are resolved: without restitution, the contact stays closed
//! ```
//!
//! Impacts of many contacts at once, and those that follow each other without end, are not told apart: there steps pass through
//! them (`waiting`).
//!
//! | file | content |
//! |---|---|
//! | `crossing` | where a gap closes |
//! | `cut` | the step that ends there |
//! | `strike`, `law` | the impact at an instant, and the impulses that its law asks for |
//! | `happen` | what it does to a run |
//! | `turn` | the step that ends where a closed contact opens, slips or sticks |
//! | `waiting` | which contacts wait for their impact, and when steps pass through impacts |

mod crossing;
mod cut;
mod happen;
mod law;
mod strike;
mod turn;
mod waiting;

use crate::contact::{contact_rows, first_rows};
use crate::march::March;
use crate::saddle::Saddle;
use crate::settings::{Formulation, MultipleImpactLaw, StepControl};
use crate::system::{Level, Point, System};
pub(crate) use crossing::Sight;
pub(crate) use cut::Cut;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
pub(crate) use strike::Strike;
pub(crate) use turn::Margins;
pub(crate) use waiting::Waiting;

/// Gaps are resolved to this part of the tolerance: a miss shifts the path by twice as much at most.
const PART: f64 = 0.1;
/// How gaps are resolved with fixed steps, relative to lengths.
const FINE: f64 = 1e-9;
/// Rates below this part of the tolerance, as lengths per second, are no impact.
const SLOW: f64 = 1e-3;

/// What a run knows of its impacts.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Located {
    /// Contacts may hit each other at the present state.
    pub due: bool,
    /// When the steps that are counted together end.
    counted_until: f64,
    /// Speed of the last impact of each contact among them, and how many did not lose speed.
    counts: BTreeMap<u64, (f64, usize)>,
    total: usize,
    /// An impact was due at this time already, and nothing has moved since.
    standing: Option<f64>,
    /// A closed contact changes at the present state: the keys of those that slipped until then and stop.
    pub changed: Option<Vec<u64>>,
    /// When one did last, and how many did until the end of a usual step.
    last_change: Option<f64>,
    changes: usize,
    changes_until: f64,
    #[serde(skip)]
    saddle: Option<Saddle>,
    #[serde(skip)]
    scratch: Scratch,
}

impl Located {
    /// A start may be the instant of an impact.
    pub fn new() -> Self {
        Located { due: true, ..Located::default() }
    }
}

#[derive(Default)]
struct Scratch {
    rows: Vec<f64>,
    from: Vec<Sight>,
    to: Vec<Sight>,
}

/// Gaps and rates of all contacts at a point.
pub(crate) fn sights(
    system: &mut dyn System,
    at: &Point,
    rows: &mut Vec<f64>,
    out: &mut Vec<Sight>,
) {
    rows.clear();
    rows.resize(contact_rows(system.contacts()), 0.0);
    system.contact(Level::Position, at, rows);
    out.clear();
    let mut row = 0;
    for law in system.contacts() {
        out.push(Sight { gap: rows[row], rate: 0.0 });
        row += law.rows();
    }
    system.contact(Level::Velocity, at, rows);
    row = 0;
    for (sight, law) in out.iter_mut().zip(system.contacts()) {
        sight.rate = rows[row];
        row += law.rows();
    }
}

/// The length that errors of each gap are measured against: what its coordinates are measured against, seen by its gradient.
pub(crate) fn lengths(system: &mut dyn System, at: &Point, weights: &[f64]) -> Vec<f64> {
    let pattern = system.contact_row_pattern();
    let mut gradient = vec![0.0; pattern.entries()];
    system.contact_gradient(at, &mut gradient);
    let mut largest = vec![0.0f64; pattern.rows()];
    for ((row, column), value) in pattern.iter().zip(&gradient) {
        largest[row] = largest[row].max(value.abs() * weights[column]);
    }
    first_rows(system.contacts()).into_iter().map(|row| largest[row]).collect()
}

impl March {
    /// The law of impacts with several contacts.
    fn impact_law(&self) -> MultipleImpactLaw {
        match self.settings.formulation {
            Formulation::Nonsmooth { impact_law, .. } => impact_law,
            _ => MultipleImpactLaw::default(),
        }
    }

    /// How closely gaps are resolved, and rates below which nothing hits, relative to lengths.
    fn resolution(&self) -> (f64, f64) {
        match &self.settings.control {
            StepControl::Tolerance(control) => {
                (PART * control.tolerance, (SLOW * control.tolerance).max(FINE))
            }
            StepControl::Fixed { .. } | StepControl::Repeated { .. } => (FINE, FINE),
        }
    }
}
