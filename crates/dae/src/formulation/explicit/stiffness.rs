//! Whether stability, not accuracy, limits the steps. [Hairer & Wanner 1996, IV.2; the test of DOP853]
//!
//! The last stage and the end of a step lie close together at the same time; how much their rates differ tells how fast the
//! fastest motion is, `|λ| ≈ ‖f(y₁) − f(Y₁₂)‖ / ‖y₁ − Y₁₂‖`. Where `h|λ|` stays at the limit of stability, most steps are
//! there to keep a vibration or a decay in check that nobody sees.

use crate::diagnosis::readable;
use serde::{Deserialize, Serialize};

/// Where the stability of the method ends on the negative axis.
const LIMIT: f64 = 6.1;
/// So many steps at the limit are no chance, and so many others in a row show that it was passing.
const SUSPICIOUS: usize = 15;
const HARMLESS: usize = 6;

/// Watches the steps of a run.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct StiffnessWatch {
    at_limit: usize,
    below: usize,
    /// When it was found, the steps then, and how fast the fastest motion is.
    found: Option<(f64, f64, f64)>,
}

impl StiffnessWatch {
    /// An accepted step: its end, its size, and `‖Δf‖/‖Δy‖` between end and last stage.
    pub fn see(&mut self, t: f64, h: f64, rate: f64) {
        if h * rate > LIMIT {
            self.below = 0;
            self.at_limit += 1;
            if self.at_limit >= SUSPICIOUS && self.found.is_none() {
                self.found = Some((t, h, rate));
            }
        } else {
            self.below += 1;
            if self.below >= HARMLESS {
                self.at_limit = 0;
            }
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> Option<String> {
        let (t, h, rate) = self.found?;
        Some(format!(
            "from t = {} on the motion is stiff: something moves or decays at a rate of {rate:.1e} /s, and steps of {h:.1e} s \
             keep the explicit method stable, not exact; an implicit formulation (`bdf`, `ggl`) takes longer ones",
            readable(t)
        ))
    }
}
