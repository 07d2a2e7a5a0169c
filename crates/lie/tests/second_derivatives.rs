//! Derivatives of tangent maps along directions, and of their transposes, against differences.

use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_lie::se3;

/// Motions with angles from none to nearly half a turn, and beyond where the series end.
fn motions() -> Vec<Vector6<f64>> {
    let axis = Vector3::new(0.48, -0.6, 0.64);
    let motion = |angle: f64| {
        let r = axis * angle;
        Vector6::new(0.7, -0.3, 1.1, r.x, r.y, r.z)
    };
    [0.0, 1e-9, 1e-3, 0.2, 0.3, 1.0, 2.5, 2.9, 3.1, 4.0].map(motion).to_vec()
}

fn direction(k: usize) -> Vector6<f64> {
    [Vector6::new(0.3, 1.0, -0.4, 0.8, -0.2, 0.5), Vector6::new(-0.9, 0.2, 0.6, -0.1, 0.7, 0.4)][k]
}

/// Sixth-order central difference along `e`.
fn along(
    f: impl Fn(&Vector6<f64>) -> Matrix6<f64>,
    at: &Vector6<f64>,
    e: &Vector6<f64>,
) -> Matrix6<f64> {
    let h = 5e-3;
    let pair = |k: f64| f(&(at + e * (k * h))) - f(&(at - e * (k * h)));
    (pair(1.0) * 45.0 - pair(2.0) * 9.0 + pair(3.0)) / (60.0 * h)
}

fn close(what: &str, at: &Vector6<f64>, a: &Matrix6<f64>, b: &Matrix6<f64>) {
    let error = (a - b).amax() / (1.0 + a.amax());
    assert!(error < 1e-10, "{what} at {at:?}: {error:e}");
}

#[test]
fn variations_of_tangent_maps() {
    let (e, a) = (direction(0), direction(1));
    for x in motions() {
        close("T", &x, &se3::tangent_variation(&x, &e), &along(se3::tangent, &x, &e));
        let inverse = along(se3::tangent_inverse, &x, &e);
        close("T⁻¹", &x, &se3::tangent_inverse_variation(&x, &e), &inverse);
        let second = along(|x| se3::tangent_derivative(x, &a), &x, &e);
        close("∂T", &x, &se3::tangent_second_derivative(&x, &e, &a), &second);
        let second = along(|x| se3::tangent_inverse_derivative(x, &a), &x, &e);
        close("∂T⁻¹", &x, &se3::tangent_inverse_second_derivative(&x, &e, &a), &second);
    }
}

#[test]
fn products_without_matrices() {
    let (e, a) = (direction(0), direction(1));
    let close = |a: Vector6<f64>, b: Vector6<f64>| {
        assert!((a - b).amax() < 1e-13 * (1.0 + a.amax()), "{a:?} is not {b:?}");
    };
    for x in motions() {
        close(se3::tangent_variation_times(&x, &e, &a), se3::tangent_variation(&x, &e) * a);
        let inverse = se3::tangent_inverse_variation(&x, &e) * a;
        close(se3::tangent_inverse_variation_times(&x, &e, &a), inverse);
    }
    close(se3::bracket(&e, &a), se3::adjoint_bracket(&e) * a);
    close(se3::bracket_transposed(&e, &a), se3::adjoint_bracket(&e).transpose() * a);
}

#[test]
fn transposed_maps_of_wrenches() {
    let w = direction(1);
    for x in motions() {
        let mut columns = [Matrix6::zeros(); 2];
        for k in 0..6 {
            let e = Vector6::ith(k, 1.0);
            let maps = [se3::tangent as fn(&Vector6<f64>) -> Matrix6<f64>, se3::tangent_inverse];
            for (column, map) in columns.iter_mut().zip(maps) {
                column.set_column(k, &(along(map, &x, &e).transpose() * w));
            }
        }
        close("Tᵀ", &x, &se3::tangent_transposed_derivative(&x, &w), &columns[0]);
        close("T⁻ᵀ", &x, &se3::tangent_inverse_transposed_derivative(&x, &w), &columns[1]);
    }
}

#[test]
fn the_coadjoint_bracket_is_the_transposed_one() {
    let (a, w) = (direction(0), direction(1));
    let carried = se3::adjoint_bracket(&a).transpose() * w;
    assert!((se3::coadjoint_bracket(&w) * a - carried).amax() < 1e-15);
}
