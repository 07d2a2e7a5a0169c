//! SO(3) and unit quaternions: round trips at every angle, tangents, derivatives.

mod support;

use nalgebra::{Matrix3, Vector3};
use proptest::prelude::*;
use rotula_lie::{Quaternion, so3};
use std::f64::consts::PI;
use support::*;

/// Axes along which every branch of the matrix-to-quaternion conversion is taken.
fn axes() -> [Vector3<f64>; 7] {
    [
        Vector3::x(),
        Vector3::y(),
        -Vector3::z(),
        Vector3::new(1.0, -2.0, 2.0) / 3.0,
        Vector3::new(2.0, 3.0, 6.0) / 7.0,
        Vector3::new(-6.0, 2.0, 9.0) / 11.0,
        Vector3::new(4.0, 7.0, -4.0) / 9.0,
    ]
}

#[test]
fn logarithm_undoes_exponential_from_tiny_angles_through_a_half_turn() {
    let mut angles = vec![0.0, 1.0, 2.0, 3.0, PI / 2.0, PI - 0.1];
    for exponent in 1..=12 {
        angles.push(10f64.powi(-exponent));
        angles.push(PI - 10f64.powi(-exponent));
    }
    for axis in axes() {
        for &angle in &angles {
            let r = axis * angle;
            // relative, so that tiny rotations keep all their digits
            let tolerance = 2e-15 * angle;
            assert_below((Quaternion::exp(&r).log() - r).norm(), tolerance);
            assert_below((so3::log(&so3::exp(&r)) - r).norm(), tolerance);
            assert_below((Quaternion::exp(&r).angle() - angle).abs(), tolerance);
        }
    }
}

#[test]
fn logarithm_of_an_exact_half_turn_has_the_length_of_pi() {
    for axis in axes() {
        let half_turn = axis * axis.transpose() * 2.0 - Matrix3::identity();
        let r = so3::log(&half_turn);
        assert_below((r.norm() - PI).abs(), 1e-15);
        assert_below(r.cross(&axis).norm(), 2e-15);
        let q = Quaternion::from_parts(0.0, axis);
        assert_close(&q.log(), &(axis * PI), 1e-15);
        // just past the half turn the short way is round the other side
        assert_close(&so3::log(&so3::exp(&(axis * (PI + 1e-9)))), &(axis * (1e-9 - PI)), 1e-15);
    }
}

#[test]
fn cayley_of_the_note() {
    // [Dymore note, section 4]: r = 0.7 turns by 2 atan(0.35) = 0.673349638773
    for axis in axes() {
        let r = axis * 0.7;
        let expected = axis * 0.673_349_638_773_454_4;
        assert_close(&so3::log(&so3::cayley(&r)), &expected, 1e-15);
        assert_close(&Quaternion::cayley(&r).log(), &expected, 1e-15);
    }
}

#[test]
fn zero_and_underflowing_vectors_are_harmless() {
    for length in [0.0, 1e-200, 1e-160, 1e-155] {
        let r = Vector3::new(length, -length, 0.0);
        let expected = Matrix3::identity() - so3::skew(&(r * 0.5));
        assert_close(&so3::tangent(&r), &expected, 1e-300);
        assert_eq!(Quaternion::exp(&r).log(), r);
        assert_eq!(so3::log(&so3::exp(&r)), r);
        assert_eq!(so3::cayley_inverse(&so3::cayley(&r)), r);
    }
}

#[test]
fn a_million_products_keep_the_norm_when_normalised() {
    let turn = Quaternion::exp(&Vector3::new(1e-3, 2e-3, -1.5e-3));
    let mut q = Quaternion::identity();
    for _ in 0..1_000_000 {
        q = (q * turn).normalised();
    }
    assert_below((q.norm() - 1.0).abs(), 4e-16);
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn skew_is_the_cross_product(a in vectors(5.0), b in vectors(5.0)) {
        assert_close(&(so3::skew(&a) * b), &a.cross(&b), 1e-15);
        prop_assert_eq!(so3::unskew(&so3::skew(&a)), a);
    }

    #[test]
    fn exponential_is_orthogonal_and_equals_the_series(r in vectors(9.0)) {
        let rotation = so3::exp(&r);
        let (series, _) = exponential_and_tangent(&so3::skew(&-r));
        assert_close(&(rotation.transpose() * rotation), &Matrix3::identity(), 2e-15);
        assert_close(&rotation, &series, 2e-14);
        assert_close(&Quaternion::exp(&r).to_matrix(), &rotation, 2e-15);
    }

    #[test]
    fn exponential_is_a_homomorphism_along_an_axis(
        r in vectors(1.0), s in -4.0..4.0f64, t in -4.0..4.0f64,
    ) {
        assert_close(&(so3::exp(&(r * s)) * so3::exp(&(r * t))), &so3::exp(&(r * (s + t))), 5e-15);
        let product = Quaternion::exp(&(r * s)) * Quaternion::exp(&(r * t));
        assert_close(&components(&product), &components(&Quaternion::exp(&(r * (s + t)))), 3e-15);
    }

    #[test]
    fn logarithm_round_trip(r in vectors(PI - 1e-3)) {
        assert_below((so3::log(&so3::exp(&r)) - r).norm(), 4e-15 * r.norm());
        assert_below((Quaternion::exp(&r).log() - r).norm(), 2e-15 * r.norm());
    }

    #[test]
    fn cayley_round_trip(r in vectors(20.0)) {
        let scale = r.norm() * (1.0 + r.norm_squared());
        assert_below((so3::cayley_inverse(&so3::cayley(&r)) - r).norm(), 1e-15 * scale);
        assert_below((Quaternion::cayley(&r).cayley_inverse() - r).norm(), 1e-15 * r.norm());
        assert_close(&Quaternion::cayley(&r).to_matrix(), &so3::cayley(&r), 2e-15);
        // (I − r~/2) R = I + r~/2
        let half = so3::skew(&(r * 0.5));
        let one = Matrix3::identity();
        assert_close(&((one - half) * so3::cayley(&r)), &(one + half), 5e-15);
    }

    #[test]
    fn tangent_equals_the_series(r in vectors(9.0)) {
        let (_, series) = exponential_and_tangent(&so3::skew(&r));
        assert_close(&so3::tangent(&r), &series, 1e-14);
        // the left tangent map is the transpose
        assert_close(&so3::tangent(&r).transpose(), &(so3::exp(&r) * so3::tangent(&r)), 3e-15);
    }

    #[test]
    fn tangents_times_their_inverses_are_one(r in vectors(5.5)) {
        let one = Matrix3::identity();
        assert_close(&(so3::tangent(&r) * so3::tangent_inverse(&r)), &one, 1e-14);
        assert_close(&(so3::cayley_tangent(&r) * so3::cayley_tangent_inverse(&r)), &one, 1e-14);
    }

    #[test]
    fn cayley_tangent_is_the_body_variation(r in vectors(4.0)) {
        let rotation = so3::cayley(&r);
        for i in 0..3 {
            let mut direction = Vector3::zeros();
            direction[i] = 1.0;
            let rate = jacobian::<9, 1>(&Default::default(), |s| {
                let moved = so3::cayley(&(r + direction * s.x));
                nalgebra::SVector::from_column_slice(moved.as_slice())
            });
            let body = rotation.transpose() * Matrix3::from_column_slice(rate.as_slice());
            assert_close(&so3::unskew(&body), &(so3::cayley_tangent(&r) * direction), 5e-13);
        }
    }

    #[test]
    fn derivatives_of_the_tangents(r in vectors(4.5), a in vectors(2.0), u in vectors(2.0)) {
        let series = tangent_variation::<3, 6>(&so3::skew(&r), &so3::skew(&u));
        assert_close(&(so3::tangent_derivative(&r, &a) * u), &(series * a), 2e-14);
        // d(T⁻¹) = −T⁻¹ dT T⁻¹
        let inverse = so3::tangent_inverse(&r);
        let expected = -(inverse * series * (inverse * a));
        assert_close(&(so3::tangent_inverse_derivative(&r, &a) * u), &expected, 5e-14);
        assert_close(
            &so3::cayley_tangent_derivative(&r, &a),
            &jacobian(&r, |r| so3::cayley_tangent(r) * a),
            5e-13,
        );
        assert_close(
            &so3::cayley_tangent_inverse_derivative(&r, &a),
            &jacobian(&r, |r| so3::cayley_tangent_inverse(r) * a),
            5e-13,
        );
    }

    #[test]
    fn quaternion_product_is_the_matrix_product(a in vectors(3.1), b in vectors(3.1), v in vectors(3.0)) {
        let (p, q) = (Quaternion::exp(&a), Quaternion::exp(&b));
        assert_close(&(p * q).to_matrix(), &(p.to_matrix() * q.to_matrix()), 3e-15);
        assert_close(&p.rotate(&v), &(p.to_matrix() * v), 3e-15);
        assert_close(&p.rotate_back(&p.rotate(&v)), &v, 3e-15);
        assert_close(&components(&(p * p.conjugate())), &components(&Quaternion::identity()), 1e-15);
    }

    #[test]
    fn quaternion_from_matrix(r in vectors(PI)) {
        let q = Quaternion::exp(&r);
        let recovered = Quaternion::from_matrix(&q.to_matrix());
        prop_assert!(recovered.scalar >= 0.0);
        let aligned = recovered.nearest_to(&q);
        assert_close(&components(&aligned), &components(&q), 1e-15);
        assert_below((recovered.norm() - 1.0).abs(), 1e-15);
    }

    #[test]
    fn quaternion_interpolation(a in vectors(3.1), b in vectors(3.1), s in 0.0..1.0f64) {
        let (p, q) = (Quaternion::exp(&a), Quaternion::exp(&b));
        assert_close(&p.interpolate(&q, 0.0).to_matrix(), &p.to_matrix(), 3e-15);
        assert_close(&p.interpolate(&q, 1.0).to_matrix(), &q.to_matrix(), 5e-15);
        // −q is the same rotation, so the path is the same, and uniform
        let between = p.interpolate(&q, s);
        assert_close(&p.interpolate(&-q, s).to_matrix(), &between.to_matrix(), 3e-15);
        let whole = (p.conjugate() * q).angle();
        assert_below(((p.conjugate() * between).angle() - s * whole).abs(), 3e-15);
    }
}
