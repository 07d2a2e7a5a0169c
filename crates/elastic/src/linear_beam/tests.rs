//! Linear beams against closed forms and sums over their shapes.

use super::*;

fn beam(elements: usize, frame: BeamFrame) -> LinearBeam {
    LinearBeam {
        length: 2.0,
        mass: 0.7,
        bending: [Some(3.0), Some(8.0)],
        shear: None,
        rotary: Vector3::new(0.02, 0.01, 0.01),
        elements,
        frame,
        damping: 0.01,
    }
}

#[test]
fn frequencies_are_those_of_clamped_and_of_pinned_beams() {
    let cases = [
        (BeamFrame::Tangent, [1.875104068711961, 4.694091132974174, 7.854757438237613]),
        (BeamFrame::Chord, [1.0, 2.0, 3.0].map(|k| k * std::f64::consts::PI)),
    ];
    for (frame, roots) in cases {
        let mut beam = beam(12, frame);
        beam.bending[1] = None;
        let body = beam.body().unwrap();
        for (k, root) in roots.iter().enumerate() {
            let exact = (root / beam.length).powi(2) * (3.0_f64 / 0.7).sqrt();
            let error = body.stiffness[k].sqrt() / exact - 1.0;
            // the leading error of cubic elements with a consistent mass
            let leading = (root / 12.0).powi(4) / 1440.0;
            let what = format!("{frame:?}, mode {}", k + 1);
            assert!((error / leading - 1.0).abs() < 0.1, "{what}: {error:e}, {leading:e}");
        }
    }
}

/// Every integral against a sum over many points of the interpolated shapes.
#[test]
fn integrals_are_those_of_the_shapes() {
    let beam = beam(3, BeamFrame::Tangent);
    let (body, shapes) = (beam.body().unwrap(), Shapes::new(&beam).unwrap());
    let (n, points) = (body.shapes(), 3 * DRAWN);
    // Boole's rule over each element is exact up to degree five
    let weights = [7.0, 32.0, 12.0, 32.0, 7.0].map(|w| w / 90.0 * 2.0 / 3.0);
    for k in 0..n {
        let (mut first, mut second) = (Vector3::zeros(), Matrix3::zeros());
        for element in 0..3 {
            for (i, weight) in weights.iter().enumerate() {
                let p = 4 * element + i;
                assert!(p <= points);
                let x = Vector3::from_column_slice(&body.surface.positions[3 * p..3 * p + 3]);
                let shape = body.surface.displacement.fixed_view::<3, 1>(3 * p, k).into_owned();
                first += shape * (0.7 * weight);
                second += x * shape.transpose() * (0.7 * weight);
            }
        }
        let exact = body.inertia.shape_first.fixed_view::<3, 1>(0, k).into_owned();
        assert!((first - exact).norm() < 1e-12, "shape {k}: {first} {exact}");
        let exact = body.inertia.shape_second.fixed_view::<3, 3>(0, 3 * k).into_owned();
        assert!((second - exact).norm() < 1e-12, "shape {k}: {second} {exact}");
    }
    // the kinetic energy of the shapes is that of their products, both directions together
    for k in 0..n {
        for l in 0..n {
            let block = body.inertia.shape_product.fixed_view::<3, 3>(3 * k, 3 * l);
            let mut sum = Matrix3::zeros();
            // fine trapezoids
            let steps = 3000;
            for p in 0..=steps {
                let x = 2.0 * p as f64 / steps as f64;
                let weight = if p == 0 || p == steps { 0.5 } else { 1.0 };
                let [a, b] = [k, l].map(|shape| shapes.at(shape, x)[0]);
                sum += a * b.transpose() * (0.7 * 2.0 / steps as f64 * weight);
            }
            assert!((sum - block).norm() < 1e-4, "shapes {k}, {l}: {sum} {block}");
            let unit = if k == l { 1.0 } else { 0.0 };
            assert!((block.trace() - unit).abs() < 1e-11);
        }
    }
    // the tip of the unit load
    let end = &body.frames[1];
    let load = end.modal_load(Vector3::new(0.0, 1.0, 0.0), Vector3::zeros());
    let tip: f64 = (0..n).map(|k| load[k] / body.stiffness[k] * end.translation[(1, k)]).sum();
    assert!((tip - 8.0 / 9.0).abs() < 1e-11, "{tip}");
}

#[test]
fn bad_beams_are_refused() {
    let bad = LinearBeam { elements: 0, ..beam(3, BeamFrame::Chord) };
    assert!(bad.body().unwrap_err().message().contains("no elements"));
    let bad = LinearBeam { mass: -1.0, ..beam(3, BeamFrame::Chord) };
    assert!(bad.body().unwrap_err().message().contains("mass per length is -1"));
}

/// A short thick beam, 3.6 times as long as high.
fn thick(elements: usize, frame: BeamFrame) -> LinearBeam {
    LinearBeam {
        length: 1.0,
        mass: 78.0,
        bending: [Some(2.0e6), Some(5.0e6)],
        shear: Some([1.0e8, 1.5e8]),
        rotary: Vector3::new(1.4, 0.9, 0.5),
        elements,
        frame,
        damping: 0.0,
    }
}

/// P L³/3EI + P L/kGA, and under a moment M L²/2EI, exactly with any number of elements.
#[test]
fn timoshenko_tips_are_those_of_statics() {
    for elements in [1, 3] {
        let beam = thick(elements, BeamFrame::Tangent);
        let body = beam.body().unwrap();
        let end = &body.frames[1];
        for axis in [1, 2] {
            let (ei, kga) = (beam.bending[axis - 1].unwrap(), beam.shear.unwrap()[axis - 1]);
            let still = |load: nalgebra::DVector<f64>| -> Vector3<f64> {
                let sum = |k: usize| {
                    end.translation.fixed_view::<3, 1>(0, k) * (load[k] / body.stiffness[k])
                };
                (0..body.shapes()).map(sum).sum()
            };
            let tip = still(end.modal_load(Vector3::ith(axis, 1.0), Vector3::zeros()))[axis];
            let exact = 1.0 / (3.0 * ei) + 1.0 / kga;
            assert!((tip / exact - 1.0).abs() < 1e-10, "{elements}, {axis}: {tip} {exact}");
            // a moment about z bends along y, one about −y along z
            let moment = if axis == 1 { Vector3::z() } else { -Vector3::y() };
            let tip = still(end.modal_load(Vector3::zeros(), moment))[axis];
            let exact = 1.0 / (2.0 * ei);
            assert!((tip / exact - 1.0).abs() < 1e-10, "{elements}, {axis}: {tip} {exact}");
        }
    }
}

/// Elements shorter than the beam is high have second order, longer ones nearly fourth.
///
/// The lower root of EIβ⁴ − (m + rβ² + m EI β²/kGA) ω² + (m r/kGA) ω⁴ = 0 with β = nπ/L.
#[test]
fn frequencies_of_a_simply_supported_timoshenko_beam() {
    let mut errors = [[0.0; 3]; 2];
    for (row, elements) in [16, 32].into_iter().enumerate() {
        let mut beam = thick(elements, BeamFrame::Chord);
        beam.bending[1] = None;
        let body = beam.body().unwrap();
        let (ei, kga, m, r) = (2.0e6, 1.0e8, beam.mass, beam.rotary.z);
        for n in 0..3 {
            let beta = (n + 1) as f64 * std::f64::consts::PI / beam.length;
            let (a, b, c) = (m * r / kga, m + (r + m * ei / kga) * beta.powi(2), ei * beta.powi(4));
            let exact = 2.0 * c / (b + (b * b - 4.0 * a * c).sqrt());
            errors[row][n] = body.stiffness[n] / exact - 1.0;
        }
        // without shear and rotary inertia its square would be a quarter larger
        let slender = (std::f64::consts::PI).powi(4) * ei / m;
        assert!(slender / body.stiffness[0] > 1.2, "{}", slender / body.stiffness[0]);
    }
    let [coarse, fine] = errors;
    for n in 0..3 {
        let order = (coarse[n] / fine[n]).log2();
        let small = fine[n] > 0.0 && fine[n] < 1e-3 * ((n + 1) as f64).powi(2);
        assert!(small && (order - 2.0).abs() < 0.1, "{n}: {errors:?}, order {order}");
    }
}

/// Momentum and energy of the shapes with their rotary inertia: sums over many sections.
#[test]
fn rotary_inertia_counts_in_bending() {
    let beam = thick(3, BeamFrame::Tangent);
    let (body, shapes) = (beam.body().unwrap(), Shapes::new(&beam).unwrap());
    let steps = 6000;
    let (mut spin, mut modal) = (DMatrix::zeros(3, body.shapes()), 0.0);
    for p in 0..steps {
        let x = (p as f64 + 0.5) / steps as f64;
        for k in 0..body.shapes() {
            let [w, turn] = shapes.at(k, x);
            let weighted = beam.rotary.component_mul(&turn) / steps as f64;
            let mut column = spin.fixed_view_mut::<3, 1>(0, k);
            column += weighted;
            if k == 1 {
                modal += w.norm_squared() * beam.mass / steps as f64 + turn.dot(&weighted);
            }
        }
    }
    let size = body.inertia.shape_spin.amax();
    assert!(size > 0.0 && (&spin - &body.inertia.shape_spin).amax() < 1e-5 * size);
    assert!((modal - 1.0).abs() < 1e-5, "{modal}");
}
