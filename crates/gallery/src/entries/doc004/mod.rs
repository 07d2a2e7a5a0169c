//! Document 004: J. Yen, L. Petzold, S. Raha, "A time integration algorithm for flexible mechanism
//! dynamics: the DAE α-method", Comput. Methods Appl. Mech. Engrg. 158 (1998) 341–355.
//!
//! | file | concept |
//! |---|---|
//! | `pendulum_order`, `stiff_spring`, `bushing`, `flexible_slider_crank` | the entries |
//! | `bushing_iterations`, `slider_limits` | iterations and largest steps: Tables 1 and 2 |
//! | `iterates`, `rule`, `step_limits` | iterates of a run, rules of convergence, the search |
//! | `frequencies` | small vibrations of a constrained system |
//! | `support` | converged runs, reference data |

mod bushing;
mod bushing_iterations;
mod flexible_slider_crank;
mod frequencies;
mod iterates;
mod pendulum_order;
mod rule;
mod slider_limits;
mod step_limits;
mod stiff_spring;
pub(in crate::entries) mod support;

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    vec![pendulum_order::ENTRY, stiff_spring::ENTRY, bushing::ENTRY, flexible_slider_crank::ENTRY]
}
