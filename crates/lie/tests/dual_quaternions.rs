//! Dual quaternions against frames, which share none of their formulas.

mod support;

use nalgebra::Vector6;
use proptest::prelude::*;
use rotula_lie::{DualQuaternion, Quaternion, se3};
use std::f64::consts::PI;
use support::*;

#[test]
fn cayley_increment_of_the_note() {
    // [Dymore note, eq. 29] with r = (0, 1, 0), u = (1, 2, 0): n₀ = √5, r·u = 2
    let motion = DualQuaternion::cayley(&Vector6::new(1.0, 2.0, 0.0, 0.0, 1.0, 0.0));
    let n = 5f64.sqrt();
    let expected = DualQuaternion::new(
        Quaternion::new(2.0 / n, 0.0, 1.0 / n, 0.0),
        Quaternion::new(-0.8 / n, 1.0 / n, 1.6 / n, 0.0),
    );
    assert_same_parameters(&motion, &expected, 1e-16);
}

#[test]
fn a_million_normalised_products_keep_the_dual_norm() {
    let step = DualQuaternion::cayley(&Vector6::new(1e-3, 0.0, 2e-3, 3e-3, -1e-3, 2e-3));
    let mut motion = DualQuaternion::identity();
    for _ in 0..1_000_000 {
        motion = (motion * step).normalised();
    }
    let (real, dual) = motion.norm();
    let size = motion.dual.norm();
    assert_below((real - 1.0).abs(), 4e-16);
    assert_below(dual.abs(), 4e-16 * size);
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn product_is_composition(a in frames(), b in frames()) {
        let [p, q] = [a, b].map(|frame| DualQuaternion::from_frame(&frame));
        assert_same_frame(&p.to_frame(), &a, 3e-15);
        assert_same_frame(&(p * q).to_frame(), &(a * b), 5e-15);
        assert_same_frame(&p.conjugate().to_frame(), &a.inverse(), 5e-15);
        assert_same_parameters(&(p * p.conjugate()), &DualQuaternion::identity(), 5e-15);
        assert_same_frame(&(-p).to_frame(), &a, 3e-15);
        prop_assert!((-p).shortest().real.scalar >= 0.0);
    }

    #[test]
    fn exponential_is_that_of_frames(delta in increments(7.0)) {
        let motion = DualQuaternion::exp(&delta);
        let expected = DualQuaternion::from_frame(&se3::exp(&delta));
        assert_same_parameters(&motion, &expected, 2e-15);
        let (real, dual) = motion.norm();
        assert_below((real - 1.0).abs(), 1e-15);
        assert_below(dual.abs(), 2e-15);
    }

    #[test]
    fn logarithm_undoes_exponential(delta in increments(PI - 1e-3)) {
        assert_close(&DualQuaternion::exp(&delta).log(), &delta, 1e-14);
    }

    #[test]
    fn cayley_is_that_of_frames(delta in increments(6.0)) {
        let motion = DualQuaternion::cayley(&delta);
        let expected = DualQuaternion::from_frame(&se3::cayley(&delta));
        assert_same_parameters(&motion, &expected, 2e-15);
        assert_close(&motion.cayley_inverse(), &delta, 1e-14);
        let (real, dual) = motion.norm();
        assert_below((real - 1.0).abs(), 1e-15);
        assert_below(dual.abs(), 2e-15);
    }

    #[test]
    fn normalisation_divides_by_the_dual_norm(frame in frames(), n in 0.1..5.0f64, m in -3.0..3.0f64) {
        let motion = DualQuaternion::from_frame(&frame);
        // (n + εm) p̂ is the same motion, off the unit sphere
        let scaled = DualQuaternion::new(motion.real * n, motion.dual * n + motion.real * m);
        let (real, dual) = scaled.norm();
        assert_below((real - n).abs(), 2e-14);
        assert_below((dual - m).abs(), 5e-14);
        assert_same_parameters(&scaled.normalised(), &motion, 5e-15 * (1.0 + (m / n).abs()));
        assert_close(&scaled.cayley_inverse(), &motion.cayley_inverse(), 1e-13);
    }

    #[test]
    fn interpolation_is_that_of_frames(a in frames(), b in frames(), s in 0.0..1.0f64) {
        let [p, q] = [a, b].map(|frame| DualQuaternion::from_frame(&frame));
        prop_assume!(b.seen_from(&a).orientation.angle() < PI - 1e-3);
        let expected = a.interpolate(&b, s);
        assert_same_frame(&p.interpolate(&q, s).to_frame(), &expected, 1e-13);
        assert_same_frame(&p.interpolate(&-q, s).to_frame(), &expected, 1e-13);
    }
}
