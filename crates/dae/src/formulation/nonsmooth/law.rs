//! Which contacts are closed, stick or slip, and the equations that follow. [Brüls et al. 2018, eqs. 55–57; §7]

use super::candidates::Equations;
use crate::contact::Contact;
use serde::{Deserialize, Serialize};

/// What a contact does at one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Status {
    /// No reaction.
    #[default]
    Open,
    /// Closed; the tangential rows vanish as well.
    Stick,
    /// Closed; friction acts along a unit vector with its whole strength.
    Slip([f64; 2]),
}

impl Status {
    pub fn closed(self) -> bool {
        self != Status::Open
    }

    /// A number for the detection of cycles; slip directions count by their sign.
    pub fn code(self) -> u64 {
        match self {
            Status::Open => 0,
            Status::Stick => 1,
            Status::Slip(d) if d[0] >= 0.0 => 2,
            Status::Slip(_) => 3,
        }
    }

    /// True if only the direction of slip may differ, by less than a right angle.
    pub fn same_kind(self, other: Status) -> bool {
        match (self, other) {
            (Status::Slip(a), Status::Slip(b)) => a[0] * b[0] + a[1] * b[1] > 0.0,
            _ => std::mem::discriminant(&self) == std::mem::discriminant(&other),
        }
    }
}

/// What the law of a contact looks at, in one level: values of its rows (as accelerations), total
/// multipliers (as forces) and effective masses.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub law: &'a Contact,
    pub rows: &'a [f64],
    pub total: &'a [f64],
    /// Factors r of the augmented multipliers.
    pub r: &'a [f64],
    /// Effective masses, which turn multipliers into accelerations.
    pub mass: &'a [f64],
    /// The direction of slip follows the augmented multiplier; else it is the one of the status.
    pub turns: bool,
}

impl Sight<'_> {
    /// `λ_N − r g_N`. [Brüls et al. 2018, eqs. 55–57]
    pub fn augmented(&self) -> f64 {
        self.total[0] - self.r[0] * self.rows[0]
    }

    /// `λ_T − r ξ_T`, with one factor for all tangents: else friction would not be against the slip where the masses along them differ.
    fn augmented_friction(&self) -> [f64; 2] {
        let (r, mut y) = (self.tangential_factor(), [0.0; 2]);
        for k in 0..self.law.directions {
            y[k] = self.total[1 + k] - r * self.rows[1 + k];
        }
        y
    }

    fn tangential_factor(&self) -> f64 {
        self.r[1..self.law.rows()].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The forces that the law makes of the augmented ones: those of a solution are these themselves.
    pub fn projected(&self) -> [f64; 3] {
        let [x, y] = self.augmented_friction();
        let (size, limit) = (x.hypot(y), self.law.friction * self.total[0].max(0.0));
        let factor = if size > limit { limit / size } else { 1.0 };
        [self.augmented().max(0.0), factor * x, factor * y]
    }

    /// Distance of the forces from what the law makes of them, as accelerations.
    pub fn natural_error(&self) -> [f64; 3] {
        let (mut error, projected) = ([0.0; 3], self.projected());
        for a in 0..self.law.rows() {
            error[a] = (self.total[a] - projected[a]) / self.mass[a];
        }
        error
    }

    /// Stick or slip of a closed contact, by the projection of the augmented tangential multiplier
    /// on the disc of friction.
    pub fn friction(&self) -> Status {
        let y = self.augmented_friction();
        let size = y[0].hypot(y[1]);
        let limit = self.law.friction * self.augmented().max(0.0);
        if self.law.directions == 0 || size <= limit {
            return Status::Stick;
        }
        Status::Slip(y.map(|part| part / size))
    }

    /// The equations of the contact. `open` is what an open contact holds at zero.
    pub fn equations(&self, status: Status, open: &[f64]) -> Equations {
        let mut e = Equations::default();
        let count = self.law.rows();
        let free = |e: &mut Equations, a: usize| {
            e.residual[a] = open[a] / self.mass[a];
            e.own[a][a] = 1.0 / self.mass[a];
        };
        let hold = |e: &mut Equations, a: usize| {
            e.residual[a] = self.rows[a];
            e.mix[a][a] = 1.0;
        };
        match status {
            Status::Open => (0..count).for_each(|a| free(&mut e, a)),
            Status::Stick => (0..count).for_each(|a| hold(&mut e, a)),
            Status::Slip(d) => {
                hold(&mut e, 0);
                self.slip(d, &mut e);
            }
        }
        e
    }

    /// `λ_T = μ λ_N d` with `d` the direction of `y = λ_T − r ξ_T`, linearised in all of them.
    fn slip(&self, mut d: [f64; 2], e: &mut Equations) {
        let (friction, n) = (self.law.friction, self.law.directions);
        let mut turn = 0.0;
        if n == 2 && self.turns {
            let y = self.augmented_friction();
            let size = y[0].hypot(y[1]);
            if size > 0.0 {
                d = y.map(|part| part / size);
                // At most 1 where the contact slips; above, the linearisation would mislead.
                turn = (friction * self.total[0].max(0.0) / size).min(1.0);
            }
        }
        for i in 0..n {
            let mass = self.mass[1 + i];
            e.residual[1 + i] = (self.total[1 + i] - friction * self.total[0] * d[i]) / mass;
            e.own[1 + i][0] = -friction * d[i] / mass;
            for j in 0..n {
                let identity = if i == j { 1.0 } else { 0.0 };
                let across = turn * (identity - d[i] * d[j]);
                e.own[1 + i][1 + j] = (identity - across) / mass;
                e.mix[1 + i][1 + j] = across * self.tangential_factor() / mass;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The linearised equations of slip against differences of their residual.
    #[test]
    fn slip_is_linearised_exactly() {
        let law = Contact::rough(0.5, 0.4, 2);
        let (r, mass) = ([2.0, 1.3, 1.7], [2.0, 1.5, 1.1]);
        let residual = |rows: [f64; 3], total: [f64; 3]| {
            let sight =
                Sight { law: &law, rows: &rows, total: &total, r: &r, mass: &mass, turns: true };
            let y: Vec<f64> = (1..3).map(|k| total[k] - r[1] * rows[k]).collect();
            let size = y[0].hypot(y[1]);
            sight.equations(Status::Slip([y[0] / size, y[1] / size]), &total)
        };
        let (rows, total) = ([0.0, 0.7, -0.4], [5.0, -1.2, 0.9]);
        let e = residual(rows, total);
        let step = 1e-6;
        for b in 0..3 {
            let shifted = |sign: f64, multiplier: bool| {
                let (mut rows, mut total) = (rows, total);
                if multiplier {
                    total[b] += sign * step
                } else {
                    rows[b] += sign * step
                }
                residual(rows, total).residual
            };
            for a in 0..3 {
                let own = (shifted(1.0, true)[a] - shifted(-1.0, true)[a]) / (2.0 * step);
                let mix = (shifted(1.0, false)[a] - shifted(-1.0, false)[a]) / (2.0 * step);
                assert!((own - e.own[a][b]).abs() < 1e-8, "own {a} {b}: {own} {}", e.own[a][b]);
                assert!((mix - e.mix[a][b]).abs() < 1e-8, "mix {a} {b}: {mix} {}", e.mix[a][b]);
            }
        }
    }

    /// Friction is against the slip, also where the masses along the tangents differ.
    #[test]
    fn friction_is_against_the_slip() {
        let law = Contact::rough(0.0, 0.4, 2);
        let (r, rows) = ([1.0, 5.0, 0.2], [0.0, 0.6, -0.8]);
        let total = [10.0, -4.0 * 0.6, 4.0 * 0.8];
        let sight = Sight { law: &law, rows: &rows, total: &total, r: &r, mass: &r, turns: true };
        let Status::Slip(d) = sight.friction() else { panic!("it slips") };
        assert!((d[0] + 0.6).abs() < 1e-14 && (d[1] - 0.8).abs() < 1e-14, "{d:?}");
        let residual = sight.equations(Status::Slip(d), &total).residual;
        assert!(residual.iter().all(|r| r.abs() < 1e-13), "{residual:?}");
        assert!(sight.natural_error().iter().all(|e| e.abs() < 1e-13));
    }

    #[test]
    fn the_disc_separates_stick_from_slip() {
        let law = Contact::rough(0.0, 0.5, 1);
        let status = |rows: [f64; 2], total: [f64; 2]| {
            let one = [1.0, 1.0];
            Sight { law: &law, rows: &rows, total: &total, r: &one, mass: &one, turns: true }
                .friction()
        };
        assert_eq!(status([0.0, 0.0], [10.0, 4.9]), Status::Stick);
        assert_eq!(status([0.0, 1.0], [10.0, -4.9]), Status::Slip([-1.0, 0.0]));
        assert_eq!(status([0.0, -1.0], [10.0, 4.9]), Status::Slip([1.0, 0.0]));
    }
}
