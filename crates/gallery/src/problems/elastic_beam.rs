//! The elastic beam of Hairer and Wanner: a clamped, inextensible beam of forty links under a force at
//! its free end. *Solving Ordinary Differential Equations II*, §IV.1 and §IV.10.
//!
//! With `n` links, angles `θ` and `g_lk = n + ½ − max(l, k)` for `l, k = 1 … n`:
//!
//! ```text
//! Σ_k g_lk cos(θ_l−θ_k) θ̈_k = n⁴(θ_{l−1} − 2θ_l + θ_{l+1}) + n²(F_y cos θ_l − F_x sin θ_l)
//!                              − Σ_k g_lk sin(θ_l−θ_k) θ̇_k²
//! θ_0 = −θ_1,  θ_{n+1} = θ_n,   F_y = −F_x = 3/2 sin² t until t = π, then 0
//! ```

use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::{Sizes, State, System};
use std::f64::consts::PI;

/// End of the interval of the test set.
pub const END: f64 = 5.0;

/// The beam, by its number of links.
#[derive(Clone, Copy, Debug)]
pub struct ElasticBeam {
    links: usize,
}

impl ElasticBeam {
    fn weight(&self, l: usize, k: usize) -> f64 {
        self.links as f64 - 0.5 - l.max(k) as f64
    }
}

impl Equations for ElasticBeam {
    fn sizes(&self) -> Sizes {
        Sizes::vector(self.links)
    }

    fn mass<T: Scalar>(&self, _t: T, q: &[T], m: &mut MassMatrix<T>) {
        for l in 0..self.links {
            for k in 0..=l {
                m.set(l, k, (q[l] - q[k]).cos() * self.weight(l, k));
            }
        }
    }

    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        let (q, n) = (at.q, self.links);
        let squared = (n * n) as f64;
        let push = if at.t.value() < PI { at.t.sin().powi(2) * 1.5 } else { T::from(0.0) };
        for l in 0..n {
            let before = if l == 0 { -q[0] } else { q[l - 1] };
            let after = if l + 1 == n { q[n - 1] } else { q[l + 1] };
            let bending = (before - q[l] * 2.0 + after) * (squared * squared);
            let (sin, cos) = q[l].sin_cos();
            f[l] = bending + push * (cos + sin) * squared;
        }
        for l in 0..n {
            for k in 0..l {
                let term = (q[l] - q[k]).sin() * self.weight(l, k);
                f[l] -= term * at.v[k] * at.v[k];
                f[k] += term * at.v[l] * at.v[l];
            }
        }
    }

    /// The second derivative of the force jumps where it ends.
    fn discontinuities(&self) -> &[f64] {
        &[PI]
    }
}

/// The straight beam at rest, with forty links.
pub fn elastic_beam() -> (Automatic<ElasticBeam>, State) {
    let system = Automatic::new(ElasticBeam { links: 40 });
    let state = State::zeros(system.sizes());
    (system, state)
}
