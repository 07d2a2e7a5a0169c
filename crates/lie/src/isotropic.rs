//! Isotropic matrix functions of a vector, and their derivatives.
//!
//! ```text
//! M(r) = o I + p r~ + q r~²,      o, p, q functions of x = r·r
//! ```
//!
//! Each coefficient is stored as `[f, f₁, f₂]` with `f₁ = 2 df/dx` and `f₂ = 4 d²f/dx²`: then
//! `df = f₁ (r·dr)` and `df₁ = f₂ (r·dr)`, without further factors.

use crate::so3::skew;
use nalgebra::{Matrix3, Vector3};

/// The coefficients of `M(r) = o I + p r~ + q r~²` and their derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Isotropic {
    pub o: [f64; 3],
    pub p: [f64; 3],
    pub q: [f64; 3],
}

impl Isotropic {
    /// `M(r)`.
    #[inline]
    pub fn matrix(&self, r: &Vector3<f64>) -> Matrix3<f64> {
        let (o, p, q) = (self.o[0], self.p[0], self.q[0]);
        // r~² = r rᵀ − (r·r) I
        let diagonal = o - q * r.norm_squared();
        let (xy, xz, yz) = (q * r.x * r.y, q * r.x * r.z, q * r.y * r.z);
        let (px, py, pz) = (p * r.x, p * r.y, p * r.z);
        Matrix3::new(
            diagonal + q * r.x * r.x,
            xy - pz,
            xz + py,
            xy + pz,
            diagonal + q * r.y * r.y,
            yz - px,
            xz - py,
            yz + px,
            diagonal + q * r.z * r.z,
        )
    }

    /// `M(r) a`, without forming the matrix.
    #[inline]
    pub fn apply(&self, r: &Vector3<f64>, a: &Vector3<f64>) -> Vector3<f64> {
        let ra = r.cross(a);
        a * self.o[0] + ra * self.p[0] + r.cross(&ra) * self.q[0]
    }

    /// `M(r)ᵀ a = M(−r) a`, without forming the matrix.
    #[inline]
    pub fn apply_transposed(&self, r: &Vector3<f64>, a: &Vector3<f64>) -> Vector3<f64> {
        self.apply(&-r, a)
    }

    /// The variation of `M(r)` when `r` varies by `u`: `d/dε M(r + εu)`.
    #[inline]
    pub fn variation(&self, r: &Vector3<f64>, u: &Vector3<f64>) -> Matrix3<f64> {
        let s = r.dot(u);
        let varied = Isotropic {
            o: [self.o[1] * s - 2.0 * self.q[0] * s, 0.0, 0.0],
            p: [self.p[1] * s, 0.0, 0.0],
            q: [self.q[1] * s, 0.0, 0.0],
        };
        // r~u~ + u~r~ = r uᵀ + u rᵀ − 2 (r·u) I, whose last term is in `varied.o`
        let cross = r * u.transpose();
        varied.matrix(r) + (cross + cross.transpose()) * self.q[0] + skew(&(u * self.p[0]))
    }

    /// `variation(r, u) a`, without forming the matrix.
    #[inline]
    pub fn variation_times(
        &self,
        r: &Vector3<f64>,
        u: &Vector3<f64>,
        a: &Vector3<f64>,
    ) -> Vector3<f64> {
        let s = r.dot(u);
        let (ra, ua) = (r.cross(a), u.cross(a));
        a * (self.o[1] * s)
            + ra * (self.p[1] * s)
            + r.cross(&ra) * (self.q[1] * s)
            + ua * self.p[0]
            + (u.cross(&ra) + r.cross(&ua)) * self.q[0]
    }

    /// `second_variation(r, u, w) a`, without forming the matrix.
    #[inline]
    pub fn second_variation_times(
        &self,
        r: &Vector3<f64>,
        [u, w]: [&Vector3<f64>; 2],
        a: &Vector3<f64>,
    ) -> Vector3<f64> {
        let (s, t, z) = (r.dot(u), r.dot(w), u.dot(w));
        let (ra, ua, wa) = (r.cross(a), u.cross(a), w.cross(a));
        let twice = |f: &[f64; 3]| f[2] * s * t + f[1] * z;
        a * twice(&self.o)
            + ra * twice(&self.p)
            + r.cross(&ra) * twice(&self.q)
            + (wa * s + ua * t) * self.p[1]
            + ((w.cross(&ra) + r.cross(&wa)) * s + (u.cross(&ra) + r.cross(&ua)) * t) * self.q[1]
            + (u.cross(&wa) + w.cross(&ua)) * self.q[0]
    }

    /// The derivative of `M(r) a` with respect to `r`: `gradient(r, a) u = variation(r, u) a`.
    #[inline]
    pub fn gradient(&self, r: &Vector3<f64>, a: &Vector3<f64>) -> Matrix3<f64> {
        // r × (r × a) = r (r·a) − (r·r) a gives the terms with q
        self.gradient_column(r, a) * r.transpose()
            + (r * a.transpose() + Matrix3::from_diagonal_element(r.dot(a))) * self.q[0]
            - skew(&(a * self.p[0]))
    }

    /// The vector that multiplies `rᵀ` in the gradient.
    #[inline]
    fn gradient_column(&self, r: &Vector3<f64>, a: &Vector3<f64>) -> Vector3<f64> {
        let ra = r.cross(a);
        a * (self.o[1] - 2.0 * self.q[0]) + ra * self.p[1] + r.cross(&ra) * self.q[1]
    }

    /// The variation of `gradient(r, a)` when `r` varies by `u` and `a` stays.
    #[inline]
    pub fn gradient_variation(
        &self,
        r: &Vector3<f64>,
        u: &Vector3<f64>,
        a: &Vector3<f64>,
    ) -> Matrix3<f64> {
        let s = r.dot(u);
        let ra = r.cross(a);
        let ua = u.cross(a);
        let column = a * ((self.o[2] - 2.0 * self.q[1]) * s)
            + ra * (self.p[2] * s)
            + r.cross(&ra) * (self.q[2] * s)
            + ua * self.p[1]
            + (u.cross(&ra) + r.cross(&ua)) * self.q[1];
        let q1s = self.q[1] * s;
        column * r.transpose()
            + self.gradient_column(r, a) * u.transpose()
            + (r * q1s + u * self.q[0]) * a.transpose()
            + Matrix3::from_diagonal_element(r.dot(a) * q1s + u.dot(a) * self.q[0])
            - skew(&(a * (self.p[1] * s)))
    }

    /// The second variation `d/dη variation(r + ηw, u)`, symmetric in `u` and `w`.
    #[inline]
    pub fn second_variation(
        &self,
        r: &Vector3<f64>,
        u: &Vector3<f64>,
        w: &Vector3<f64>,
    ) -> Matrix3<f64> {
        let (s, t, z) = (r.dot(u), r.dot(w), u.dot(w));
        let twice = |f: &[f64; 3]| f[2] * s * t + f[1] * z;
        let o = twice(&self.o)
            - twice(&self.q) * r.norm_squared()
            - 4.0 * self.q[1] * s * t
            - 2.0 * self.q[0] * z;
        let outer = r
            * (r * (0.5 * twice(&self.q)) + w * (self.q[1] * s) + u * (self.q[1] * t)).transpose()
            + u * w.transpose() * self.q[0];
        let axis = r * twice(&self.p) + w * (self.p[1] * s) + u * (self.p[1] * t);
        Matrix3::from_diagonal_element(o) + outer + outer.transpose() + skew(&axis)
    }

    /// The variation of `gradient_variation(r, u, a)` when `r` varies by `w`; `third` holds the
    /// third derivatives of `o`, `p`, `q`.
    #[inline]
    pub fn gradient_second_variation(
        &self,
        third: &[f64; 3],
        r: &Vector3<f64>,
        [u, w]: [&Vector3<f64>; 2],
        a: &Vector3<f64>,
    ) -> Matrix3<f64> {
        let [o3, p3, q3] = *third;
        let (s, t, z) = (r.dot(u), r.dot(w), u.dot(w));
        let st = s * t;
        let (ra, ua, wa) = (r.cross(a), u.cross(a), w.cross(a));
        let rra = r.cross(&ra);
        let (ura, wra) = (u.cross(&ra) + r.cross(&ua), w.cross(&ra) + r.cross(&wa));
        let Isotropic { o, p, q } = self;
        let column = |s: f64, ua: &Vector3<f64>, ura: &Vector3<f64>| {
            a * ((o[2] - 2.0 * q[1]) * s)
                + ra * (p[2] * s)
                + rra * (q[2] * s)
                + ua * p[1]
                + ura * q[1]
        };
        let both = a * ((o3 - 2.0 * q[2]) * st + (o[2] - 2.0 * q[1]) * z)
            + ra * (p3 * st + p[2] * z)
            + rra * (q3 * st + q[2] * z)
            + wa * (p[2] * s)
            + ua * (p[2] * t)
            + wra * (q[2] * s)
            + ura * (q[2] * t)
            + (u.cross(&wa) + w.cross(&ua)) * q[1];
        let along = q[2] * st + q[1] * z;
        both * r.transpose()
            + column(s, &ua, &ura) * w.transpose()
            + column(t, &wa, &wra) * u.transpose()
            + (w * (q[1] * s) + r * along + u * (q[1] * t)) * a.transpose()
            + Matrix3::from_diagonal_element(
                w.dot(a) * q[1] * s + r.dot(a) * along + u.dot(a) * q[1] * t,
            )
            - skew(&(a * (p[2] * st + p[1] * z)))
    }
}
