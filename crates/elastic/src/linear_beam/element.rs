//! One element of a linear beam: exact deflections under loads at its ends, with or without shear.
//!
//! With Φ = 12 EI / (kGA h²) the deflection is a cubic and the turn of the sections a square of the place;
//! without shear, Φ = 0, they are Hermite's cubics and their slope. [Friedman and Kosmatka 1993]

use nalgebra::{Matrix4, Vector4};

/// Points and weights of Gauss's rule with four points, exact for squares of cubics.
pub(super) const POINTS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// Deflection and turn at both ends determine both everywhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic {
    /// Its length.
    pub(super) h: f64,
    /// Φ.
    pub(super) shear: f64,
}

impl Cubic {
    /// Factors of the deflection at the part `s` of the length.
    pub(super) fn deflection(&self, s: f64) -> Vector4<f64> {
        let (h, p) = (self.h, self.shear);
        let (s2, s3) = (s * s, s * s * s);
        Vector4::new(
            1.0 + p - p * s - 3.0 * s2 + 2.0 * s3,
            h * ((1.0 + 0.5 * p) * s - (2.0 + 0.5 * p) * s2 + s3),
            p * s + 3.0 * s2 - 2.0 * s3,
            h * (-0.5 * p * s - (1.0 - 0.5 * p) * s2 + s3),
        ) / (1.0 + p)
    }

    /// Factors of the turn of the section there.
    pub(super) fn turn(&self, s: f64) -> Vector4<f64> {
        let (h, p) = (self.h, self.shear);
        let s2 = s * s;
        Vector4::new(
            6.0 * (s2 - s) / h,
            1.0 + p - (4.0 + p) * s + 3.0 * s2,
            6.0 * (s - s2) / h,
            3.0 * s2 - (2.0 - p) * s,
        ) / (1.0 + p)
    }

    /// Stiffness for unit EI.
    pub(super) fn stiffness(&self) -> Matrix4<f64> {
        let (h, p) = (self.h, self.shear);
        let (near, far) = ((4.0 + p) * h * h, (2.0 - p) * h * h);
        #[rustfmt::skip]
        let k = Matrix4::new(
            12.0, 6.0 * h, -12.0, 6.0 * h,
            6.0 * h, near, -6.0 * h, far,
            -12.0, -6.0 * h, 12.0, -6.0 * h,
            6.0 * h, far, -6.0 * h, near,
        );
        k / (h.powi(3) * (1.0 + p))
    }

    /// Consistent mass for a mass and a rotary inertia per length.
    pub(super) fn mass(&self, mass: f64, rotary: f64) -> Matrix4<f64> {
        let mut sum = Matrix4::zeros();
        for (s, weight) in POINTS {
            let (w, turn) = (self.deflection(s), self.turn(s));
            sum +=
                (w * w.transpose() * mass + turn * turn.transpose() * rotary) * (weight * self.h);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_shear_the_mass_is_the_known_one() {
        let h: f64 = 0.7;
        #[rustfmt::skip]
        let known = Matrix4::new(
            156.0, 22.0 * h, 54.0, -13.0 * h,
            22.0 * h, 4.0 * h * h, 13.0 * h, -3.0 * h * h,
            54.0, 13.0 * h, 156.0, -22.0 * h,
            -13.0 * h, -3.0 * h * h, -22.0 * h, 4.0 * h * h,
        ) * (h / 420.0);
        let found = Cubic { h, shear: 0.0 }.mass(1.0, 0.0);
        assert!((found - known).amax() < 1e-15, "{found}");
    }

    /// EI θ'' = −kGA (w' − θ) and constant shear force: the interpolation solves the static equations.
    #[test]
    fn the_interpolation_is_in_equilibrium() {
        let beam = Cubic { h: 0.4, shear: 1.7 };
        let (ei, step) = (1.0, 1e-4);
        let kga = 12.0 * ei / (beam.shear * beam.h * beam.h);
        for s in [0.2, 0.5, 0.9] {
            let slope =
                (beam.deflection(s + step) - beam.deflection(s - step)) / (2.0 * step * beam.h);
            let strain = slope - beam.turn(s);
            let curved = (beam.turn(s + step) - beam.turn(s) * 2.0 + beam.turn(s - step))
                / (step * beam.h).powi(2);
            let rest = curved * ei + strain * kga;
            assert!(rest.amax() < 1e-4 * kga, "{rest}");
        }
        // rigid motions cost nothing, and are met
        let turned = Vector4::new(0.0, 1.0, beam.h, 1.0);
        assert!((beam.stiffness() * turned).amax() < 1e-10);
        assert!((beam.deflection(0.3).dot(&turned) - 0.3 * beam.h).abs() < 1e-15);
        assert!((beam.turn(0.3).dot(&turned) - 1.0).abs() < 1e-14);
    }
}
