//! Curves against circles and helices.

use super::*;
use rotula_dae::automatic::Dual;

#[test]
fn the_nearest_point_of_a_circle() {
    let circle = Curve::formulas(["2*cos(s)", "2*sin(s)", "0"], 0.0, std::f64::consts::TAU, true);
    let circle = circle.unwrap();
    for angle in [0.1, 2.0, 3.1, 5.5, 6.2] {
        for radius in [1.1, 2.0, 3.5] {
            let place = Vector3::new(radius * f64::cos(angle), radius * f64::sin(angle), 0.3);
            let s = circle.nearest(&place);
            assert!((s - angle).sin().abs() < 1e-12 && (s - angle).cos() > 0.0);
            let [a, b] = circle.across(&place.into());
            assert!((a.hypot(b) - (radius - 2.0).hypot(0.3)).abs() < 1e-12);
            let c = circle.across_in_plane(&place.into(), &Vector3::z());
            assert!((c + radius - 2.0).abs() < 1e-12);
        }
    }
}

/// In the plane the distance across a circle is `2 − ρ`: its derivatives up to the third.
#[test]
fn derivatives_of_the_distance_from_a_circle() {
    let circle = Curve::formulas(["2*cos(s)", "2*sin(s)", "0"], 0.0, std::f64::consts::TAU, true);
    let circle = circle.unwrap();
    type Third = Dual<Dual<Dual<f64, 1>, 1>, 1>;
    let moving = |x: f64, rate: f64| -> Third {
        let once = |x: f64, d: f64| Dual { real: x, dual: [d] };
        let twice = Dual { real: once(x, rate), dual: [once(rate, 0.0)] };
        Dual { real: twice, dual: [Dual { real: once(rate, 0.0), dual: [once(0.0, 0.0)] }] }
    };
    let place = [moving(1.3, 0.7), moving(2.1, -0.4), moving(0.0, 0.0)];
    let found = circle.across_in_plane(&place, &Vector3::z());
    let exact = -place[0].hypot(place[1]) + 2.0;
    let parts = |t: Third| {
        [t.real.real.real, t.dual[0].real.real, t.dual[0].dual[0].real, t.dual[0].dual[0].dual[0]]
    };
    for (a, b) in parts(found).iter().zip(parts(exact)) {
        assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    }
}

#[test]
fn a_spline_is_close_to_its_helix() {
    let points: Vec<_> = (0..60)
        .map(|k| 0.2 * f64::from(k))
        .map(|t| Vector3::new(t.cos(), t.sin(), 0.3 * t))
        .collect();
    let curve = Curve::through(&points, false).unwrap();
    let t = 5.03f64;
    let place = Vector3::new(t.cos(), t.sin(), 0.3 * t);
    let s = curve.nearest(&place);
    assert!((curve.derivatives(s)[0] - place).norm() < 1e-4);
}

#[test]
fn bad_curves_are_refused() {
    let text = |c: Result<Curve, ModelError>| c.unwrap_err().to_string();
    let (p, q) = (Vector3::zeros(), Vector3::x());
    assert!(text(Curve::through(&[p], false)).contains("at least two points"));
    assert!(text(Curve::through(&[p, q], true)).contains("three for a closed"));
    assert!(text(Curve::through(&[p, p, q], false)).contains("the same"));
    assert!(text(Curve::through(&[p, q * f64::NAN], false)).contains("finite"));
    assert!(text(Curve::formulas(["s", "s", "0"], 1.0, 0.0, false)).contains("smaller one first"));
    assert!(text(Curve::formulas(["s", "s", "0"], 0.0, 1.0, true)).contains("does not end"));
    assert!(text(Curve::formulas(["1", "2", "3"], 0.0, 1.0, false)).contains("stands still"));
    assert!(Curve::formulas(["s", "u", "0"], 0.0, 1.0, false).is_err());
}
