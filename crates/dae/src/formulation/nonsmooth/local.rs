//! One contact by itself: the impulse that its law asks for, exactly.
//!
//! The rows of the contact are `u = b + W λ`. Without friction `λ = max(0, −b/W)`. With friction the
//! cases are tried in turn: open, stick, slip; slip in space has one unknown, the angle of its
//! direction. [Brüls et al. 2018, sheet §7]

/// Newton steps for the angle of slip, and angles that are tried if they fail.
const MOST_STEPS: usize = 12;
const ANGLES: usize = 48;
const MOST_BISECTIONS: usize = 60;

/// What one contact sees of the world.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    /// How its rows follow its own forces.
    pub compliance: &'a [[f64; 3]; 3],
    /// Its rows without its own forces.
    pub free: [f64; 3],
    pub rows: usize,
    pub friction: f64,
}

impl Problem<'_> {
    /// The forces that meet the law; `before` is where the direction of slip is looked for first. None
    /// if the law has no solution, which strong friction on a skew contact can bring about.
    #[inline]
    pub fn solve(&self, before: [f64; 3]) -> Option<[f64; 3]> {
        let (w, b) = (self.compliance, &self.free);
        if b[0] >= 0.0 {
            return Some([0.0; 3]);
        }
        match self.rows {
            1 => (w[0][0] > 0.0).then(|| [-b[0] / w[0][0], 0.0, 0.0]),
            2 => self.planar(before),
            _ => self.spatial(before),
        }
    }

    /// The forces that meet the law of friction with a normal force of at least so much, which may leave the contact opening: with
    /// that force if the contact opens then, with a larger one if not.
    pub fn solve_above(&self, least: f64) -> [f64; 3] {
        let least = least.max(0.0);
        let w = self.compliance;
        let tangential = self.rub(least);
        let forces = [least, tangential[0], tangential[1]];
        let rate: f64 = self.free[0] + (0..self.rows).map(|k| w[0][k] * forces[k]).sum::<f64>();
        if rate >= 0.0 {
            return forces;
        }
        self.solve(forces).filter(|found| found[0] >= least).unwrap_or(forces)
    }

    /// Friction under a given normal force: within its disc against the slip, `W_T λ_T + b_T = −α λ_T` with `α ≥ 0`.
    fn rub(&self, normal: f64) -> [f64; 2] {
        let (w, limit) = (self.compliance, self.friction * normal);
        if self.rows == 1 || limit == 0.0 {
            return [0.0; 2];
        }
        let slip = [1, 2].map(|k| self.free[k] + w[k][0] * normal);
        if self.rows == 2 {
            return [(-slip[0] / w[1][1]).clamp(-limit, limit), 0.0];
        }
        let with = |alpha: f64| {
            let (a, b, c) = (w[1][1] + alpha, w[1][2], w[2][2] + alpha);
            let determinant = a * c - b * b;
            let x = (b * slip[1] - c * slip[0]) / determinant;
            let y = (b * slip[0] - a * slip[1]) / determinant;
            [x, y]
        };
        let size = |[x, y]: [f64; 2]| x.hypot(y);
        if size(with(0.0)) <= limit {
            return with(0.0);
        }
        // the size falls with α
        let (mut low, mut high) = (0.0, slip[0].hypot(slip[1]) / limit);
        for _ in 0..MOST_BISECTIONS {
            let middle = 0.5 * (low + high);
            if size(with(middle)) > limit { low = middle } else { high = middle }
        }
        with(high)
    }

    fn planar(&self, before: [f64; 3]) -> Option<[f64; 3]> {
        let (w, b) = (self.compliance, &self.free);
        let determinant = w[0][0] * w[1][1] - w[0][1] * w[1][0];
        let stick = [
            (w[0][1] * b[1] - w[1][1] * b[0]) / determinant,
            (w[1][0] * b[0] - w[0][0] * b[1]) / determinant,
        ];
        if stick[0] >= 0.0 && stick[1].abs() <= self.friction * stick[0] {
            return Some([stick[0], stick[1], 0.0]);
        }
        let first = if before[1] < 0.0 { -1.0 } else { 1.0 };
        [first, -first].into_iter().find_map(|sign| {
            let normal = -b[0] / (w[0][0] + self.friction * sign * w[0][1]);
            let tangential = self.friction * sign * normal;
            let slip = b[1] + w[1][0] * normal + w[1][1] * tangential;
            (normal >= 0.0 && slip * sign <= 0.0).then_some([normal, tangential, 0.0])
        })
    }

    fn spatial(&self, before: [f64; 3]) -> Option<[f64; 3]> {
        if let Some(stick) = self.stick() {
            let size = stick[1] * stick[1] + stick[2] * stick[2];
            let limit = self.friction * stick[0];
            if stick[0] >= 0.0 && size <= limit * limit {
                return Some(stick);
            }
        }
        if self.friction == 0.0 {
            let normal = -self.free[0] / self.compliance[0][0];
            return (normal >= 0.0).then_some([normal, 0.0, 0.0]);
        }
        // against the slip that the forces of before leave, which is right for round bodies
        let w = self.compliance;
        let against = [1, 2].map(|k| -self.free[k] - w[k][0] * before[0]);
        self.slip_from(unit(against)).or_else(|| self.slip_anywhere())
    }

    /// `W λ = −b`.
    #[inline]
    fn stick(&self) -> Option<[f64; 3]> {
        let ([p, q, r], b) = (self.compliance, &self.free);
        let minor = |x: usize, y: usize| q[x] * r[y] - q[y] * r[x];
        let determinant = p[0] * minor(1, 2) - p[1] * minor(0, 2) + p[2] * minor(0, 1);
        let scale = -1.0 / determinant;
        if !scale.is_finite() {
            return None;
        }
        let other =
            |x: usize, y: usize, from: &[f64; 3], to: &[f64; 3]| from[x] * to[y] - from[y] * to[x];
        Some([
            scale * (b[0] * minor(1, 2) - b[1] * other(1, 2, p, r) + b[2] * other(1, 2, p, q)),
            scale * (-b[0] * minor(0, 2) + b[1] * other(0, 2, p, r) - b[2] * other(0, 2, p, q)),
            scale * (b[0] * minor(0, 1) - b[1] * other(0, 1, p, r) + b[2] * other(0, 1, p, q)),
        ])
    }

    /// Forces of slip along a direction: how far the slip is from being against it, the derivative of
    /// this by the angle, and whether the forces are admissible.
    #[inline]
    fn along(&self, d: [f64; 2]) -> Trial {
        let (w, b, mu) = (self.compliance, &self.free, self.friction);
        let turned = [-d[1], d[0]];
        let a = w[0][0] + mu * (w[0][1] * d[0] + w[0][2] * d[1]);
        let normal = -b[0] / a;
        let normal_rate = -normal * mu * (w[0][1] * turned[0] + w[0][2] * turned[1]) / a;
        let across = |k: usize, x: [f64; 2]| w[k][1] * x[0] + w[k][2] * x[1];
        let slip = [1, 2].map(|k| b[k] + w[k][0] * normal + mu * normal * across(k, d));
        let rate = [1, 2].map(|k| {
            w[k][0] * normal_rate + mu * (normal_rate * across(k, d) + normal * across(k, turned))
        });
        Trial {
            forces: [normal, mu * normal * d[0], mu * normal * d[1]],
            error: d[0] * slip[1] - d[1] * slip[0],
            slope: turned[0] * slip[1] - turned[1] * slip[0] + d[0] * rate[1] - d[1] * rate[0],
            size: slip[0].abs() + slip[1].abs(),
            admissible: normal >= 0.0 && d[0] * slip[0] + d[1] * slip[1] <= 0.0,
        }
    }

    fn slip_from(&self, mut d: [f64; 2]) -> Option<[f64; 3]> {
        for _ in 0..MOST_STEPS {
            let trial = self.along(d);
            let step = trial.error / trial.slope;
            let still = trial.error.abs() <= 4.0 * f64::EPSILON * trial.size;
            if still || step.abs() <= 1e-15 {
                return trial.admissible.then_some(trial.forces);
            }
            if !step.is_finite() {
                return None;
            }
            let step = step.clamp(-1.0, 1.0);
            d = unit([d[0] + step * d[1], d[1] - step * d[0]]);
        }
        None
    }

    fn slip_anywhere(&self) -> Option<[f64; 3]> {
        let turn = std::f64::consts::TAU / ANGLES as f64;
        let at = |angle: f64| self.along([angle.cos(), angle.sin()]);
        (0..ANGLES).find_map(|k| {
            let (mut low, mut high) = (k as f64 * turn, (k + 1) as f64 * turn);
            let sign = at(low).error;
            if sign * at(high).error > 0.0 {
                return None;
            }
            for _ in 0..MOST_BISECTIONS {
                let middle = 0.5 * (low + high);
                if at(middle).error * sign > 0.0 { low = middle } else { high = middle }
            }
            let trial = at(0.5 * (low + high));
            trial.admissible.then_some(trial.forces)
        })
    }
}

#[inline]
fn unit([x, y]: [f64; 2]) -> [f64; 2] {
    let size = (x * x + y * y).sqrt();
    if size > 0.0 { [x / size, y / size] } else { [1.0, 0.0] }
}

struct Trial {
    forces: [f64; 3],
    error: f64,
    slope: f64,
    size: f64,
    admissible: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random numbers from −1 to 1.
    fn random(seed: &mut u64) -> f64 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// The law itself: open, stick or slip against the sliding velocity.
    fn check(problem: &Problem, forces: [f64; 3]) -> &'static str {
        let (w, b) = (problem.compliance, problem.free);
        let n = problem.rows;
        let u: Vec<f64> =
            (0..n).map(|i| b[i] + (0..n).map(|j| w[i][j] * forces[j]).sum::<f64>()).collect();
        let scale = b.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let near = |x: f64| x.abs() <= 1e-11 * scale;
        if forces == [0.0; 3] {
            assert!(u[0] >= 0.0);
            return "open";
        }
        assert!(forces[0] >= 0.0 && near(u[0]), "{u:?}");
        let (size, limit) = (forces[1].hypot(forces[2]), problem.friction * forces[0]);
        assert!(size <= limit * (1.0 + 1e-12) + 1e-300);
        let slip = u.get(1).copied().unwrap_or(0.0).hypot(u.get(2).copied().unwrap_or(0.0));
        if near(slip) {
            return "stick";
        }
        assert!((size / limit - 1.0).abs() < 1e-11);
        for k in 1..n {
            assert!((u[k] / slip + forces[k] / size).abs() < 1e-8, "{u:?} {forces:?}");
        }
        "slip"
    }

    #[test]
    fn the_law_is_met_exactly() {
        let mut seed = 7;
        let mut seen = std::collections::BTreeMap::new();
        for case in 0..20_000 {
            let rows = 1 + case % 3;
            // A Aᵀ + a little: any coupling of normal and tangents
            let a: [[f64; 3]; 3] = [(); 3].map(|()| [(); 3].map(|()| random(&mut seed)));
            let mut compliance = [[0.0; 3]; 3];
            for i in 0..rows {
                for j in 0..rows {
                    compliance[i][j] = (0..3).map(|k| a[i][k] * a[j][k]).sum();
                }
                compliance[i][i] += 0.05;
            }
            let mut free = [0.0; 3];
            (0..rows).for_each(|k| free[k] = random(&mut seed));
            let friction = if rows == 1 { 0.0 } else { 0.6 * random(&mut seed).abs() };
            let problem = Problem { compliance: &compliance, free, rows, friction };
            let mut before = [0.0; 3];
            (0..rows).for_each(|k| before[k] = random(&mut seed).abs());
            let name = match problem.solve(before) {
                Some(forces) => check(&problem, forces),
                None => "none",
            };
            *seen.entry(name).or_insert(0) += 1;
        }
        assert!(seen["open"] > 5000 && seen["stick"] > 1000 && seen["slip"] > 1000, "{seen:?}");
        // strong coupling of normal and tangents may leave no solution; that is rare
        assert!(seen.get("none").copied().unwrap_or(0) < 200, "{seen:?}");
    }
}
