//! Positions in which constraints hardly differ from each other: dead points, ends of reach, gimbal
//! lock. The left vector of the smallest singular value of the constraint matrix says which rows take
//! part, and what it makes of `g_t` whether a drive asks for what they cannot give.

use crate::analysis::{Space, Which};
use crate::diagnosis::{Sentence, Subject, quoted};
use crate::state::State;
use crate::system::{Component, Level, Point, System};

/// More rows than this are not examined, since the decomposition is dense.
const MOST_ROWS: usize = 400;
/// The smallest singular value of rows of length one that is near zero.
const SMALL: f64 = 0.02;
/// It must stand out from the next one: long chains have many small ones.
const ALONE: f64 = 0.2;
/// Rows with less than this part of the largest coefficient play no role.
const TAKES_PART: f64 = 0.1;
/// Most rows that are named.
const MOST_NAMED: usize = 6;

/// Constraints that hardly differ from each other.
#[derive(Clone, Debug)]
pub(crate) struct SingularPosition {
    /// How independent they are: 0 not at all, 1 wholly.
    pub independence: f64,
    /// Names of the rows that take part, the most involved first.
    pub rows: Vec<Subject>,
    /// Names of the rows among them that ask for a velocity (drives).
    pub driven: Vec<Subject>,
}

impl SingularPosition {
    /// Looks for one at a state.
    pub fn find(system: &mut dyn System, state: &State) -> Option<Self> {
        let m = system.sizes().multipliers();
        if m == 0 || m > MOST_ROWS {
            return None;
        }
        let space = Space::new(system, &state.point(), Which::All)?;
        let singular = |k: usize| space.svd.s.get(k).copied().unwrap_or(0.0);
        let smallest = singular(m - 1);
        let next = if m > 1 { singular(m - 2) } else { 1.0 };
        if smallest > SMALL || smallest > ALONE * next {
            return None;
        }
        let length = |i: usize| if space.norms[i] > 0.0 { space.norms[i] } else { 1.0 };
        let coefficient = |i: usize| space.svd.u[(i, m - 1)];
        let mut order: Vec<usize> = (0..m).collect();
        order.sort_by(|a, b| coefficient(*b).abs().total_cmp(&coefficient(*a).abs()));
        let largest = coefficient(order[0]).abs();
        order.retain(|&i| coefficient(i).abs() >= TAKES_PART * largest);

        let asked = prescribed_rates(system, state);
        let demand: f64 = (0..m).map(|i| coefficient(i) * asked[i] / length(i)).sum();
        let size = (0..m).fold(0.0, |size: f64, i| size.max((asked[i] / length(i)).abs()));
        let named = |&i: &usize| system.subject(Component::Constraint(i));
        // A demand that the singular direction does not feel can be met here as elsewhere.
        let driven = match demand.abs() > 1e-3 * size {
            true => order.iter().filter(|&&i| asked[i] != 0.0).map(named).collect(),
            false => Vec::new(),
        };
        let rows = order.iter().take(MOST_NAMED).map(named).collect();
        Some(SingularPosition { independence: smallest, rows, driven })
    }

    /// The fact.
    pub fn evidence(&self) -> Sentence {
        let text = format!(
            "constraints that hardly differ here (to {:.1e} of their size): {}",
            self.independence,
            quoted(&self.rows)
        );
        Sentence::about(text, self.rows.clone())
    }

    /// What happened, as the end of a sentence.
    pub fn headline(&self) -> Sentence {
        match self.driven.is_empty() {
            true => "the mechanism is in a singular position, where its constraints no longer \
                     determine how it goes on"
                .into(),
            false => {
                let text = format!(
                    "the mechanism cannot follow {}: it is at a dead point or at the end of its reach",
                    quoted(&self.driven)
                );
                Sentence::about(text, self.driven.clone())
            }
        }
    }

    /// What to try.
    pub fn remedies(&self) -> Vec<String> {
        if self.driven.is_empty() {
            return vec![
                "change the dimensions or the start so that the motion does not pass exactly \
                 through this position"
                    .into(),
                "remove a constraint among the named ones, or replace it by a stiff spring".into(),
            ];
        }
        let driven = quoted(&self.driven);
        vec![
            format!("let {driven} end or turn back before this position"),
            "lengthen or shorten the links at the named joints so that they reach further".into(),
            "drive another coordinate, one that keeps moving through this position (the crank \
             instead of the slider)"
                .into(),
        ]
    }
}

/// `g_t` and `k(q, 0, t)`: what constraints ask for at rest.
fn prescribed_rates(system: &mut dyn System, state: &State) -> Vec<f64> {
    let rest = vec![0.0; state.v.len()];
    let mut rates = vec![0.0; state.multipliers.len()];
    system.constraint(Level::Velocity, &Point { v: &rest, ..state.point() }, &mut rates);
    rates
}
