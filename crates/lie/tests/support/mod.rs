//! Independent ways to compute what the crate computes, and the strategies of the property tests.
#![allow(dead_code)] // each test program uses a part

use nalgebra::{SMatrix, SVector, Vector3, Vector6};
use proptest::prelude::*;
use rotula_lie::{DualQuaternion, Frame, Quaternion};

/// `(exp(−X), Σ (−X)ᵏ/(k+1)!)` by power series of a scaled matrix and doubling. The second is the
/// right tangent map when `X` is the bracket matrix; no closed form is used.
pub fn exponential_and_tangent<const N: usize>(
    x: &SMatrix<f64, N, N>,
) -> (SMatrix<f64, N, N>, SMatrix<f64, N, N>) {
    let doublings = x.norm().max(0.25).log2().ceil() as i32 + 2;
    let small = x * 0.5f64.powi(doublings);
    let one = SMatrix::<f64, N, N>::identity();
    let (mut exponential, mut tangent, mut power) = (one, one, one);
    for k in 1..20 {
        power = power * small * (-1.0 / k as f64);
        exponential += power;
        tangent += power / (k + 1) as f64;
    }
    for _ in 0..doublings {
        // T(2X) = (I + exp(−X)) T(X)/2
        tangent = (one + exponential) * tangent * 0.5;
        exponential *= exponential;
    }
    (exponential, tangent)
}

/// `d/dε T(X + εE)`, from the corner of the series of the block matrix `[X E; 0 X]`.
/// `M` must be `2N`.
pub fn tangent_variation<const N: usize, const M: usize>(
    x: &SMatrix<f64, N, N>,
    e: &SMatrix<f64, N, N>,
) -> SMatrix<f64, N, N> {
    let mut block = SMatrix::<f64, M, M>::zeros();
    block.fixed_view_mut::<N, N>(0, 0).copy_from(x);
    block.fixed_view_mut::<N, N>(N, N).copy_from(x);
    block.fixed_view_mut::<N, N>(0, N).copy_from(e);
    exponential_and_tangent(&block).1.fixed_view::<N, N>(0, N).into_owned()
}

/// The Jacobian of `function` at `at` by central differences of eighth order.
pub fn jacobian<const R: usize, const C: usize>(
    at: &SVector<f64, C>,
    function: impl Fn(&SVector<f64, C>) -> SVector<f64, R>,
) -> SMatrix<f64, R, C> {
    const STEP: f64 = 1.0 / 64.0;
    let weights = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    let mut result = SMatrix::<f64, R, C>::zeros();
    for column in 0..C {
        let mut sum = SVector::<f64, R>::zeros();
        for (k, weight) in weights.iter().enumerate() {
            let mut step = SVector::<f64, C>::zeros();
            step[column] = STEP * (k + 1) as f64;
            sum += (function(&(at + step)) - function(&(at - step))) * *weight;
        }
        result.set_column(column, &(sum / STEP));
    }
    result
}

/// The largest difference of two matrices, relative to `1 + |expected|`.
#[track_caller]
pub fn assert_close<const R: usize, const C: usize>(
    computed: &SMatrix<f64, R, C>,
    expected: &SMatrix<f64, R, C>,
    tolerance: f64,
) {
    let error = (computed - expected).abs().max() / (1.0 + expected.abs().max());
    assert_below(error, tolerance);
}

/// Asserts that an error does not exceed its tolerance.
#[track_caller]
pub fn assert_below(error: f64, tolerance: f64) {
    assert!(error <= tolerance, "error {error:e} above {tolerance:e}");
}

/// Compares two frames as motions: `q` and `−q` are equal.
#[track_caller]
pub fn assert_same_frame(computed: &Frame, expected: &Frame, tolerance: f64) {
    assert_close(&computed.to_matrix(), &expected.to_matrix(), tolerance);
}

/// Compares two dual quaternions component by component, signs included.
#[track_caller]
pub fn assert_same_parameters(a: &DualQuaternion, b: &DualQuaternion, tolerance: f64) {
    assert_close(&components(&a.real), &components(&b.real), tolerance);
    assert_close(&components(&a.dual), &components(&b.dual), tolerance);
}

/// The four components as a column.
pub fn components(q: &Quaternion) -> SVector<f64, 4> {
    SVector::from(q.to_array())
}

/// The configuration of the property tests: new cases in every run, none written to disk.
pub fn cases(number: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(number) }
}

/// Vectors of every direction with a length up to `largest`, many of them tiny.
pub fn vectors(largest: f64) -> impl Strategy<Value = Vector3<f64>> {
    let direction = [-1.0..1.0f64, -1.0..1.0, -1.0..1.0];
    let length = prop_oneof![
        3 => 0.0..largest,
        1 => (-13.0..0.0f64).prop_map(move |e| largest * 10f64.powf(e)),
    ];
    (direction, length).prop_filter_map("a direction needs a length", |(d, length)| {
        let d = Vector3::from(d);
        (d.norm() > 1e-3).then(|| d.normalize() * length)
    })
}

/// 6-vectors with an angular part up to `largest`.
pub fn increments(largest: f64) -> impl Strategy<Value = Vector6<f64>> {
    (vectors(3.0), vectors(largest)).prop_map(|(u, r)| Vector6::new(u.x, u.y, u.z, r.x, r.y, r.z))
}

/// Frames of every orientation.
pub fn frames() -> impl Strategy<Value = Frame> {
    (vectors(10.0), vectors(std::f64::consts::PI))
        .prop_map(|(position, r)| Frame::new(position, Quaternion::exp(&r)))
}
