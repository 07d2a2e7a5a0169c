//! A chain of point masses in space joined by rigid links: sparse blocks, derivatives by hand.

use rotula_dae::*;

/// Masses 1, links of length 1/n, gravity along −z.
#[derive(Clone)]
pub struct Chain {
    pub links: usize,
    pattern: Patterns,
}

impl Chain {
    pub fn new(links: usize) -> Self {
        let n = 3 * links;
        let (mut rows, mut blocks) = (Vec::new(), Vec::new());
        for i in 0..links {
            for node in i.saturating_sub(1)..=i {
                rows.extend((0..3).map(|k| (i, 3 * node + k)));
                for k in 0..3 {
                    blocks.push((3 * i + k, 3 * node + k));
                    blocks.push((3 * node + k, 3 * i + k));
                }
            }
        }
        let mut pattern = Patterns::dense(Sizes::default());
        pattern.dynamics = Pattern::from_entries(n, n, &blocks);
        pattern.constraints = Pattern::from_entries(links, n, &rows);
        pattern.dynamics_auxiliary = Pattern::empty(n, 0);
        pattern.auxiliary_motion = Pattern::empty(0, n);
        pattern.auxiliary_multipliers = Pattern::empty(0, links);
        Chain { links, pattern }
    }

    /// Stretched out horizontally, with a bend in the velocity.
    pub fn start(&self) -> State {
        let mut state = State::zeros(self.sizes());
        for i in 0..self.links {
            state.q[3 * i] = (i + 1) as f64 * self.length();
        }
        state
    }

    fn length(&self) -> f64 {
        1.0 / self.links as f64
    }

    /// Node `i − 1`, or the origin.
    fn link(values: &[f64], i: usize) -> [f64; 3] {
        let mut link = [values[3 * i], values[3 * i + 1], values[3 * i + 2]];
        if i > 0 {
            for k in 0..3 {
                link[k] -= values[3 * i - 3 + k];
            }
        }
        link
    }

    /// Writes `row` and `−row` at the two nodes of each link.
    fn scatter(&self, values: &mut [f64], row: impl Fn(usize) -> [f64; 3]) {
        let pattern = &self.pattern.constraints;
        for i in 0..self.links {
            let entries = row(i);
            for (k, entry) in entries.into_iter().enumerate() {
                values[pattern.position(i, 3 * i + k).unwrap()] = entry;
                if i > 0 {
                    values[pattern.position(i, 3 * i - 3 + k).unwrap()] = -entry;
                }
            }
        }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl System for Chain {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: self.links, ..Sizes::vector(3 * self.links) }
    }

    fn patterns(&self) -> Patterns {
        self.pattern.clone()
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        out.fill(0.0);
        if terms.inertia {
            out.copy_from_slice(at.vdot);
        }
        for i in 0..self.links {
            if terms.forces {
                out[3 * i + 2] += 9.81;
            }
            if terms.reactions {
                let link = Self::link(at.q, i);
                for k in 0..3 {
                    out[3 * i + k] -= at.multipliers[i] * link[k];
                    if i > 0 {
                        out[3 * i - 3 + k] += at.multipliers[i] * link[k];
                    }
                }
            }
        }
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        values.fill(0.0);
        let pattern = &self.pattern.dynamics;
        let mut add = |row: usize, col: usize, value: f64| {
            values[pattern.position(row, col).unwrap()] += value;
        };
        for i in 0..self.links {
            for k in 0..3 {
                let here = 3 * i + k;
                if terms.inertia {
                    add(here, here, weights.mass);
                }
                if terms.reactions {
                    let curvature = weights.stiffness * at.multipliers[i];
                    add(here, here, -curvature);
                    if i > 0 {
                        add(here - 3, here - 3, -curvature);
                        add(here, here - 3, curvature);
                        add(here - 3, here, curvature);
                    }
                }
            }
        }
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        let length = self.length();
        for (i, row) in out.iter_mut().enumerate() {
            let (x, v, a) = (Self::link(at.q, i), Self::link(at.v, i), Self::link(at.vdot, i));
            *row = match level {
                Level::Position => (dot(x, x) - length * length) / 2.0,
                Level::Velocity => dot(x, v),
                Level::Acceleration => dot(x, a) + dot(v, v),
            };
        }
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.scatter(values, |i| Self::link(at.q, i));
    }

    fn constraint_tangent(&mut self, level: Level, at: &Point, w: Weights, values: &mut [f64]) {
        self.scatter(values, |i| {
            let (x, v, a) = (Self::link(at.q, i), Self::link(at.v, i), Self::link(at.vdot, i));
            std::array::from_fn(|k| match level {
                Level::Position => w.stiffness * x[k],
                Level::Velocity => w.damping * x[k] + w.stiffness * v[k],
                Level::Acceleration => w.mass * x[k] + 2.0 * w.damping * v[k] + w.stiffness * a[k],
            })
        });
    }
}
