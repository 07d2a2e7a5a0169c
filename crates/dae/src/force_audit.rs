//! Proof of the forces of a run: how far each recorded row is from `M v̇ = f + Gᵀλ`, body by body, and how far its
//! reactions are from those that the accelerations of its positions and velocities demand.
//!
//! The second is needed because accelerations and reactions may be wrong together, in balance: where constraints are met
//! at position or velocity level, an error of the iteration shows at acceleration level only. There the residual
//! `G v̇ + γ` is turned into the reactions that would remove it, `δλ = S⁻¹(G v̇ + γ)` with `S = G M⁻¹ Gᵀ`.

use crate::loads::Loads;
use crate::reaction_matrix::ReactionMatrix;
use crate::state::State;
use crate::system::{System, Terms, Weights};
use crate::underlying::Underlying;
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// A row whose residual at acceleration level exceeds all before by this factor is looked at.
const NOTABLE: f64 = 1.2;

/// The best balance that is told from rounding, and how much of the latter there may be.
const BEST: f64 = 1e-6;
const ROUNDING: f64 = 20.0 * f64::EPSILON;

/// A body and a time at which something was worst.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// How much, relative to the largest load of its kind (force or moment) on the body in the run.
    pub size: f64,
    /// The body.
    pub body: String,
    /// The time.
    pub t: f64,
}

/// Forces of a run as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ForceBalance {
    /// The largest `|M v̇ − f − Gᵀλ|` of a body, relative to the largest force (or moment) on it.
    pub imbalance: Option<Worst>,
    /// The largest residual at acceleration level, expressed as a reaction on a body, relative in the same way;
    /// looked at where the residual is largest.
    pub reaction_drift: Option<Worst>,
}

impl ForceBalance {
    /// Continues with what came after.
    pub(crate) fn append(&mut self, later: ForceBalance) {
        let larger = |a: Option<Worst>, b: Option<Worst>| match (a, b) {
            (Some(a), Some(b)) => Some(if b.size > a.size { b } else { a }),
            (a, b) => a.or(b),
        };
        self.imbalance = larger(self.imbalance.take(), later.imbalance);
        self.reaction_drift = larger(self.reaction_drift.take(), later.reaction_drift);
    }
}

/// The largest value of each row of the equations of motion and when it was.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Peaks {
    sizes: Vec<f64>,
    times: Vec<f64>,
}

impl Peaks {
    fn new(count: usize) -> Self {
        Peaks { sizes: vec![0.0; count], times: vec![f64::NAN; count] }
    }

    fn see(&mut self, k: usize, size: f64, t: f64) {
        // What is no number stays the worst.
        if size > self.sizes[k] || size.is_nan() || self.times[k].is_nan() {
            (self.sizes[k], self.times[k]) = (size, t);
        }
    }
}

/// Follows the forces of a run.
#[derive(Serialize, Deserialize)]
pub(crate) struct ForceAudit {
    pub loads: Loads,
    pub reactions: ReactionMatrix,
    /// By vector of each body.
    imbalance: Peaks,
    drift: Peaks,
    largest: Vec<f64>,
    /// What rounding of positions does to stiff forces, by row; found with the first row.
    rounding: Option<Vec<f64>>,
    residual: Vec<f64>,
    /// The largest residual at acceleration level that was looked at, and recorded rows so far.
    looked_at: f64,
    count: usize,
}

/// Forces of the contacts of a row, by contact row.
pub(crate) struct ContactLoads<'a> {
    pub pattern: &'a Pattern,
    pub gradient: &'a [f64],
    pub forces: &'a [f64],
}

impl ForceAudit {
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let loads = Loads::new(system);
        let vectors = loads.all_vectors().len();
        ForceAudit {
            loads,
            reactions: ReactionMatrix::new(&system.patterns()),
            imbalance: Peaks::new(vectors),
            drift: Peaks::new(vectors),
            largest: vec![0.0; vectors],
            rounding: None,
            residual: vec![0.0; sizes.motion],
            looked_at: 0.0,
            count: 0,
        }
    }

    /// Takes in a row, with the forces of its contacts if there are some.
    pub fn see(&mut self, system: &mut dyn System, row: &State, contacts: Option<ContactLoads>) {
        let at = row.point();
        self.loads.measure(system, &at);
        system.dynamics(&at, Terms::ALL, &mut self.residual);
        if let Some(contacts) = contacts {
            let ContactLoads { pattern, gradient, forces } = contacts;
            pattern.multiply_transposed_add(gradient, -1.0, forces, &mut self.residual);
            self.loads.add_contacts(pattern, gradient, forces);
        }
        let scales = self.loads.scales();
        let rounding = self.rounding.get_or_insert_with(|| stiff_rounding(system, row, scales));
        for (k, vector) in self.loads.all_vectors().iter().enumerate() {
            self.imbalance.see(k, length(&self.residual[vector.clone()]), row.t);
            // Nothing can be balanced better than it can be computed.
            let least = length(&rounding[vector.clone()]) / BEST;
            self.largest[k] = self.largest[k].max(self.loads.sizes[vector.start]).max(least);
        }
    }

    /// Takes in the residual at acceleration level of the row seen last.
    pub fn see_accelerations(
        &mut self,
        system: &mut dyn System,
        underlying: &mut Underlying,
        row: &State,
        residual: f64,
    ) {
        self.count += 1;
        if row.multipliers.is_empty() {
            return;
        }
        let due = self.count.is_power_of_two() || residual > NOTABLE * self.looked_at;
        if !due {
            return;
        }
        self.looked_at = self.looked_at.max(residual);
        let Some(found) = underlying.reactions_of_drift(system, row) else {
            // Where reactions are not determined there is nothing to compare them with.
            return;
        };
        self.reactions.evaluate(system, &row.point());
        self.residual.fill(0.0);
        self.reactions.add_product(found, &mut self.residual);
        for (k, vector) in self.loads.all_vectors().iter().enumerate() {
            self.drift.see(k, length(&self.residual[vector.clone()]), row.t);
        }
    }

    /// The worst of all.
    pub fn conclude(&self, system: &dyn System) -> ForceBalance {
        let parts = system.parts();
        let worst = |peaks: &Peaks| {
            let mut worst: Option<Worst> = None;
            for (k, part) in parts.iter().enumerate() {
                for vector in self.loads.vectors_of(k) {
                    let (peak, t) = (peaks.sizes[vector], peaks.times[vector]);
                    // Nothing acts and nothing is out of balance.
                    let size = if peak == 0.0 { 0.0 } else { peak / self.largest[vector] };
                    if !t.is_nan() && worst.as_ref().is_none_or(|w| size > w.size || size.is_nan())
                    {
                        worst = Some(Worst { size, body: part.name.clone(), t });
                    }
                }
            }
            worst
        };
        ForceBalance { imbalance: worst(&self.imbalance), reaction_drift: worst(&self.drift) }
    }
}

/// `ε K q` by row: what a rounding error of a position does to the force of a stiff spring.
fn stiff_rounding(system: &mut dyn System, row: &State, scales: &[f64]) -> Vec<f64> {
    let pattern = system.patterns().dynamics;
    let mut values = vec![0.0; pattern.entries()];
    system.tangent(&row.point(), Weights::STIFFNESS, Terms::ALL, &mut values);
    let stiffness = |i: usize| pattern.position(i, i).map_or(0.0, |entry| values[entry].abs());
    scales.iter().enumerate().map(|(i, scale)| ROUNDING * scale * stiffness(i)).collect()
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}
