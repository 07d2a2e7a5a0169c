//! Rules of numerical integration over the reference shapes.

/// A point of a rule, with its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) at: [f64; 3],
    pub(crate) weight: f64,
}

/// Gauss's rule on [-1, 1].
pub(crate) fn gauss(points: usize) -> &'static [(f64, f64)] {
    const TWO: [(f64, f64); 2] = [(-0.577_350_269_189_625_8, 1.0), (0.577_350_269_189_625_8, 1.0)];
    const THREE: [(f64, f64); 3] = [
        (-0.774_596_669_241_483_4, 5.0 / 9.0),
        (0.0, 8.0 / 9.0),
        (0.774_596_669_241_483_4, 5.0 / 9.0),
    ];
    const FOUR: [(f64, f64); 4] = [
        (-0.861_136_311_594_052_6, 0.347_854_845_137_453_9),
        (-0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
        (0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
        (0.861_136_311_594_052_6, 0.347_854_845_137_453_9),
    ];
    match points {
        2 => &TWO,
        3 => &THREE,
        4 => &FOUR,
        _ => unreachable!("rules of two, three and four points exist"),
    }
}

/// Product rule on the cube [-1, 1]³.
pub(crate) fn cube(points: usize) -> Vec<Sample> {
    let line = gauss(points);
    let mut rule = Vec::with_capacity(points * points * points);
    for (z, c) in line {
        for (y, b) in line {
            for (x, a) in line {
                rule.push(Sample { at: [*x, *y, *z], weight: a * b * c });
            }
        }
    }
    rule
}

/// Rule on the tetrahedron with corners 0, e₁, e₂, e₃, of volume 1/6: one point of degree 1, four
/// points of degree 2, or fourteen points of degree 5 (Walkington).
pub(crate) fn tetrahedron(points: usize) -> Vec<Sample> {
    let corner_like = |a: f64, weight: f64| {
        let b = 1.0 - 3.0 * a;
        [[a, a, a], [b, a, a], [a, b, a], [a, a, b]].map(|at| Sample { at, weight: weight / 6.0 })
    };
    match points {
        1 => vec![Sample { at: [0.25; 3], weight: 1.0 / 6.0 }],
        4 => corner_like(0.138_196_601_125_010_5, 0.25).to_vec(),
        14 => {
            let mut rule = corner_like(0.310_885_919_263_300_6, 0.112_687_925_718_015_85).to_vec();
            rule.extend(corner_like(0.092_735_250_310_891_23, 0.073_493_043_116_361_95));
            let b = 0.045_503_704_125_649_65;
            let c = 0.5 - b;
            let middles = [[b, b, c], [b, c, b], [c, b, b], [c, c, b], [c, b, c], [b, c, c]];
            rule.extend(middles.map(|at| Sample { at, weight: 0.042_546_020_777_081_47 / 6.0 }));
            rule
        }
        _ => unreachable!("rules of one, four and fourteen points exist"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factorial(n: i32) -> f64 {
        (1..=n).map(f64::from).product()
    }

    #[test]
    fn tetrahedra_integrate_polynomials_exactly() {
        for (points, degree) in [(1, 1), (4, 2), (14, 5)] {
            for i in 0..=degree {
                for j in 0..=degree - i {
                    for k in 0..=degree - i - j {
                        let sum: f64 = tetrahedron(points)
                            .iter()
                            .map(|s| s.weight * s.at[0].powi(i) * s.at[1].powi(j) * s.at[2].powi(k))
                            .sum();
                        let exact =
                            factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
                        assert!((sum - exact).abs() < 1e-15, "{points}: x^{i} y^{j} z^{k}");
                    }
                }
            }
        }
    }

    #[test]
    fn lines_integrate_polynomials_exactly() {
        for points in 2..=4 {
            for power in 0..2 * points as i32 {
                let sum: f64 = gauss(points).iter().map(|(x, w)| w * x.powi(power)).sum();
                let exact = if power % 2 == 0 { 2.0 / f64::from(power + 1) } else { 0.0 };
                assert!((sum - exact).abs() < 1e-15);
            }
        }
        let volume: f64 = cube(3).iter().map(|sample| sample.weight).sum();
        assert!((volume - 8.0).abs() < 1e-14);
    }
}
