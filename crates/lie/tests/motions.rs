//! SE(3) and its retractions: group laws, round trips, tangents, derivatives.

mod support;

use nalgebra::{Matrix6, Vector3, Vector6};
use proptest::prelude::*;
use rotula_lie::{Frame, Quaternion, Retraction, se3, wiener_milenkovic};
use std::f64::consts::PI;
use support::*;

const ALL: [Retraction; 3] =
    [Retraction::Exponential, Retraction::Cayley, Retraction::WienerMilenkovic];

/// The bracket matrix, written out here so as not to use the crate's.
fn bracket(a: &Vector6<f64>) -> Matrix6<f64> {
    let mut matrix = Matrix6::zeros();
    for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        for (row, column, part) in [(0, 0, 3), (3, 3, 3), (0, 3, 0)] {
            matrix[(row + i, column + j)] = -a[part + k];
            matrix[(row + j, column + i)] = a[part + k];
        }
    }
    matrix
}

#[test]
fn logarithm_round_trip_from_tiny_angles_through_a_half_turn() {
    let axis = Vector3::new(1.0, -2.0, 2.0) / 3.0;
    let u = Vector3::new(0.3, 1.7, -0.4);
    let mut angles = vec![0.0, 1e-300, 1.0, 2.9999999, 3.0000001, PI];
    for exponent in 1..=12 {
        angles.push(10f64.powi(-exponent));
        angles.push(PI - 10f64.powi(-exponent));
    }
    for angle in angles {
        let r = axis * angle;
        let delta = Vector6::new(u.x, u.y, u.z, r.x, r.y, r.z);
        let back = se3::log(&se3::exp(&delta));
        assert_close(&back, &delta, 1e-15);
        let angular = back.fixed_rows::<3>(3).into_owned();
        assert_below((angular - r).norm(), 2e-15 * angle);
    }
}

#[test]
fn the_screw_of_a_quarter_turn() {
    // turning by π/2 about z while the origin moves along the circle of radius 1, rising by 2
    let frame = se3::exp(&(Vector6::new(1.0, 0.0, 4.0 / PI, 0.0, 0.0, 1.0) * (PI / 2.0)));
    assert_close(&frame.position, &Vector3::new(1.0, 1.0, 2.0), 1e-15);
    assert_close(&frame.orientation.rotate(&Vector3::x()), &Vector3::y(), 1e-15);
}

#[test]
fn cayley_position_and_tangent_of_the_note() {
    // [Dymore note, section 4], evaluated by hand with r = (0, 0, 2), u = (1, 0, 1): D = 2, r·u = 2
    let delta = Vector6::new(1.0, 0.0, 1.0, 0.0, 0.0, 2.0);
    let frame = se3::cayley(&delta);
    assert_close(&frame.position, &Vector3::new(0.5, 0.5, 0.5), 1e-16);
    assert_close(&frame.orientation.log(), &Vector3::new(0.0, 0.0, PI / 2.0), 1e-15);
    #[rustfmt::skip]
    let expected = Matrix6::new(
         0.5, 0.5, 0.0, -0.25,  0.0,   0.0,
        -0.5, 0.5, 0.0,  0.0,  -0.25,  0.25,
         0.0, 0.0, 0.5,  0.0,  -0.25, -0.25,
         0.0, 0.0, 0.0,  0.5,   0.5,   0.0,
         0.0, 0.0, 0.0, -0.5,   0.5,   0.0,
         0.0, 0.0, 0.0,  0.0,   0.0,   0.5,
    );
    assert_close(&se3::cayley_tangent(&delta), &expected, 1e-16);
}

#[test]
fn a_million_steps_keep_the_norm() {
    let delta = Vector6::new(1e-3, 0.0, 2e-3, 3e-3, -1e-3, 2e-3);
    for retraction in ALL {
        let mut frame = Frame::identity();
        for _ in 0..1_000_000 {
            frame = retraction.retract(&frame, &delta);
        }
        assert_below((frame.orientation.norm() - 1.0).abs(), 4e-16);
    }
}

#[test]
fn the_retractions_agree_to_second_order() {
    let delta = Vector6::new(0.3, -0.5, 0.2, 0.4, 0.1, -0.6);
    let differences = |h: f64| {
        let [a, b, c] = ALL.map(|map| map.motion(&(delta * h)).to_matrix());
        [(a - b).norm(), (a - c).norm()]
    };
    let (coarse, fine) = (differences(2e-2), differences(1e-2));
    for (coarse, fine) in coarse.iter().zip(fine) {
        assert_below(((coarse / fine).log2() - 3.0).abs(), 0.01);
    }
    // 2 tan(φ/2) = φ + φ³/12 + …, 4 tan(φ/4) = φ + φ³/48 + …
    assert_below((fine[0] / fine[1] - 4.0).abs(), 0.01);
}

#[test]
fn wiener_milenkovic_turns_by_four_times_the_arc_tangent_of_a_quarter() {
    for length in [1e-8, 0.7, 2.0, 3.9] {
        let r = Vector3::new(2.0, -1.0, 2.0) / 3.0 * length;
        let expected = r / length * (4.0 * f64::atan(length / 4.0));
        let turned = wiener_milenkovic::rotation(&r);
        assert_close(&turned.log(), &expected, 1e-15);
        assert_below((turned.norm() - 1.0).abs(), 1e-15);
        assert_close(&wiener_milenkovic::vector(&turned), &r, 1e-14);
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn frames_are_a_group(a in frames(), b in frames(), c in frames(), p in vectors(3.0)) {
        assert_same_frame(&((a * b) * c), &(a * (b * c)), 2e-14);
        assert_same_frame(&(a * a.inverse()), &Frame::identity(), 5e-14);
        assert_same_frame(&b.seen_from(&a), &(a.inverse() * b), 5e-15);
        assert_close(&(a * b).to_matrix(), &(a.to_matrix() * b.to_matrix()), 5e-15);
        assert_close(&(a * b).transform_point(&p), &a.transform_point(&b.transform_point(&p)), 5e-15);
        assert_close(&a.transform_point_back(&a.transform_point(&p)), &p, 1e-14);
    }

    #[test]
    fn exponential_is_a_homomorphism_along_a_screw(
        a in increments(1.0), s in -3.0..3.0f64, t in -3.0..3.0f64,
    ) {
        assert_same_frame(&(se3::exp(&(a * s)) * se3::exp(&(a * t))), &se3::exp(&(a * (s + t))), 1e-14);
    }

    #[test]
    fn adjoint_carries_increments(frame in frames(), a in increments(2.5), b in increments(2.5)) {
        let carried = frame * se3::exp(&a) * frame.inverse();
        assert_same_frame(&carried, &se3::exp(&(frame.adjoint() * a)), 2e-14);
        prop_assert_eq!(se3::adjoint_bracket(&a), bracket(&a));
        assert_close(&(se3::adjoint_bracket(&a) * b), &-(se3::adjoint_bracket(&b) * a), 1e-15);
        // Ad(exp a) = exp(ad a)
        let (series, _) = exponential_and_tangent(&bracket(&-a));
        assert_close(&se3::exp(&a).adjoint(), &series, 2e-14);
    }

    #[test]
    fn local_undoes_retract(frame in frames(), delta in increments(3.1)) {
        for retraction in ALL {
            let moved = retraction.retract(&frame, &delta);
            assert_close(&retraction.local(&frame, &moved), &delta, 5e-14);
            assert_same_frame(&retraction.retract(&frame, &retraction.local(&frame, &moved)), &moved, 2e-14);
            assert_below((moved.orientation.norm() - 1.0).abs(), 1e-15);
        }
    }

    #[test]
    fn tangents_times_their_inverses_are_one(delta in increments(4.5)) {
        for retraction in ALL {
            let product = retraction.tangent(&delta) * retraction.tangent_inverse(&delta);
            assert_close(&product, &Matrix6::identity(), 1e-14);
        }
    }

    #[test]
    fn exponential_tangent_equals_the_series(delta in increments(7.0)) {
        let (_, series) = exponential_and_tangent(&bracket(&delta));
        assert_close(&se3::tangent(&delta), &series, 2e-14);
    }

    #[test]
    fn tangents_are_body_variations(delta in increments(3.0)) {
        for retraction in ALL {
            // the motion seen from the moved frame, whose logarithm is the body variation
            let moved = retraction.motion(&delta);
            let body = jacobian(&delta, |d| se3::log(&retraction.motion(d).seen_from(&moved)));
            assert_close(&retraction.tangent(&delta), &body, 1e-12);
        }
    }

    #[test]
    fn exponential_derivatives_equal_the_series(
        delta in increments(4.5), a in increments(2.0), e in increments(2.0),
    ) {
        let series = tangent_variation::<6, 12>(&bracket(&delta), &bracket(&e));
        assert_close(&(se3::tangent_derivative(&delta, &a) * e), &(series * a), 5e-14);
        let inverse = se3::tangent_inverse(&delta);
        let expected = -(inverse * series * (inverse * a));
        assert_close(&(se3::tangent_inverse_derivative(&delta, &a) * e), &expected, 5e-13);
    }

    #[test]
    fn derivatives_equal_finite_differences(delta in increments(3.0), a in increments(2.0)) {
        for retraction in ALL {
            assert_close(
                &retraction.tangent_derivative(&delta, &a),
                &jacobian(&delta, |d| retraction.tangent(d) * a),
                1e-12,
            );
            assert_close(
                &retraction.tangent_inverse_derivative(&delta, &a),
                &jacobian(&delta, |d| retraction.tangent_inverse(d) * a),
                1e-12,
            );
        }
    }

    #[test]
    fn interpolation_is_helicoidal(a in frames(), b in frames(), s in 0.0..1.0f64, g in frames()) {
        assert_same_frame(&a.interpolate(&b, 0.0), &a, 5e-15);
        assert_same_frame(&a.interpolate(&b, 1.0), &b, 5e-14);
        // one screw: the twist from `a` grows in proportion
        let whole = se3::log(&b.seen_from(&a));
        prop_assume!(whole.fixed_rows::<3>(3).norm() < PI - 1e-3);
        let between = a.interpolate(&b, s);
        assert_close(&se3::log(&between.seen_from(&a)), &(whole * s), 5e-14);
        // the outer frame does not matter
        assert_same_frame(&(g * a).interpolate(&(g * b), s), &(g * between), 1e-13);
        let flipped = Frame::new(b.position, -b.orientation);
        assert_same_frame(&a.interpolate(&flipped, s), &between, 1e-14);
    }
}

#[test]
fn nearby_frames_far_from_the_origin_keep_their_digits() {
    let far =
        Frame::new(Vector3::new(1e6, -2e6, 3e6), Quaternion::exp(&Vector3::new(0.4, -1.0, 2.0)));
    // a displacement that the coordinates of the far frame can hold exactly
    let near = Frame::new(far.position + Vector3::new(0.5, 0.25, -0.125), far.orientation);
    let expected = far.orientation.rotate_back(&Vector3::new(0.5, 0.25, -0.125));
    assert_close(&near.seen_from(&far).position, &expected, 1e-16);
}
