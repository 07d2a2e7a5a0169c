//! Shapes of sections: area, second moments, torsion constant, shear factors.
//!
//! Shear factors are those of Cowper (The shear coefficient in Timoshenko's beam theory, Journal of
//! Applied Mechanics 33, 1966, table 1), which depend on Poisson's ratio. Thin-walled sections carry
//! shear across their webs in their flanges: 5/6 of the area of these. Torsion constants: the
//! rectangle's series and thin walls, open and closed (Bredt), after Timoshenko and Goodier (Theory of
//! Elasticity, chapter 10).

use crate::error::{ModelError, Refusal, refusal};
use std::f64::consts::PI;

/// The shape of a section; y is its width, z its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Profile {
    /// A full rectangle.
    Rectangle {
        /// Along y.
        width: f64,
        /// Along z.
        height: f64,
    },
    /// A full circle.
    Circle {
        /// Its radius.
        radius: f64,
    },
    /// A circular tube.
    Tube {
        /// Outer radius.
        outer: f64,
        /// Inner radius.
        inner: f64,
    },
    /// Two flanges along y and a web along z.
    I {
        /// Width of the flanges.
        width: f64,
        /// Outer height.
        height: f64,
        /// Thickness of each flange.
        flange: f64,
        /// Thickness of the web.
        web: f64,
    },
    /// A hollow rectangle.
    Box {
        /// Outer width.
        width: f64,
        /// Outer height.
        height: f64,
        /// Thickness of the walls along y (top and bottom).
        flange: f64,
        /// Thickness of the walls along z (sides).
        web: f64,
    },
}

/// Integrals over a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    /// Area.
    pub area: f64,
    /// `∫z²` and `∫y²`: bending about y and about z.
    pub second: [f64; 2],
    /// Torsion constant.
    pub torsion: f64,
    /// Shear factors along y and z.
    pub shear: [f64; 2],
}

impl Profile {
    /// The integrals; shear factors depend on Poisson's ratio.
    pub fn properties(&self, nu: f64) -> Result<Properties, ModelError> {
        self.validate()?;
        Ok(match *self {
            Profile::Rectangle { width, height } => Properties {
                area: width * height,
                second: rectangle(width, height),
                torsion: rectangle_torsion(width, height),
                shear: [10.0 * (1.0 + nu) / (12.0 + 11.0 * nu); 2],
            },
            Profile::Circle { radius } => round(radius, 0.0, nu),
            Profile::Tube { outer, inner } => round(outer, inner, nu),
            Profile::I { width, height, flange, web } => {
                let (depth, inside) = (height - flange, height - 2.0 * flange);
                let area = 2.0 * width * flange + web * inside;
                let whole = rectangle(width, height);
                let gap = rectangle(width - web, inside);
                let side = 2.0 * rectangle(width, flange)[1] + rectangle(web, inside)[1];
                let (m, n) = (2.0 * width * flange / (depth * web), width / depth);
                let extra = 30.0 * n * n * (m + m * m) + 5.0 * nu * n * n * (8.0 * m + 9.0 * m * m);
                Properties {
                    area,
                    second: [whole[0] - gap[0], side],
                    torsion: (2.0 * width * flange.powi(3) + depth * web.powi(3)) / 3.0,
                    shear: [5.0 / 6.0 * 2.0 * width * flange / area, cowper(m, nu, extra)],
                }
            }
            Profile::Box { width, height, flange, web } => {
                let (outer, inner) = (rectangle(width, height), {
                    rectangle(width - 2.0 * web, height - 2.0 * flange)
                });
                let (b, h) = (width - web, height - flange);
                let area = width * height - (width - 2.0 * web) * (height - 2.0 * flange);
                let factor = |b: f64, h: f64, along: f64, across: f64| {
                    let (m, n) = (b * across / (h * along), b / h);
                    cowper(m, nu, 10.0 * n * n * ((3.0 + nu) * m + 3.0 * m * m))
                };
                Properties {
                    area,
                    second: [outer[0] - inner[0], outer[1] - inner[1]],
                    torsion: 2.0 * (b * h).powi(2) / (b / flange + h / web),
                    shear: [factor(h, b, flange, web), factor(b, h, web, flange)],
                }
            }
        })
    }

    fn validate(&self) -> Result<(), ModelError> {
        let sizes: Vec<(&str, f64)> = match *self {
            Profile::Rectangle { width, height } => vec![("width", width), ("height", height)],
            Profile::Circle { radius } => vec![("radius", radius)],
            Profile::Tube { outer, inner } => {
                vec![("outer radius", outer), ("inner radius", inner)]
            }
            Profile::I { width, height, flange, web }
            | Profile::Box { width, height, flange, web } => {
                vec![("width", width), ("height", height), ("flange", flange), ("web", web)]
            }
        };
        let invalid = |what: Refusal| Err(ModelError::invalid("section", what));
        for (name, value) in sizes {
            if !(value.is_finite() && value > 0.0) {
                return invalid(refusal!("its {name} is {value}"; "it must be positive"));
            }
        }
        let webs = if matches!(self, Profile::Box { .. }) { 2.0 } else { 1.0 };
        match *self {
            Profile::Tube { outer, inner } if inner >= outer => invalid(
                format!("its inner radius {inner} is not below the outer radius {outer}").into(),
            ),
            Profile::I { width, height, flange, web }
            | Profile::Box { width, height, flange, web }
                if 2.0 * flange >= height || webs * web >= width =>
            {
                invalid(
                    refusal!("its walls fill it"; "give their thicknesses, or take a rectangle"),
                )
            }
            _ => Ok(()),
        }
    }
}

/// Second moments about y and z.
fn rectangle(width: f64, height: f64) -> [f64; 2] {
    [width * height.powi(3) / 12.0, height * width.powi(3) / 12.0]
}

/// `a b³/3 (1 − (192 b/π⁵a) Σ tanh(nπa/2b)/n⁵)` over odd `n`, `a ≥ b`.
fn rectangle_torsion(width: f64, height: f64) -> f64 {
    let (a, b) = (width.max(height), width.min(height));
    let term = |n: f64| (0.5 * n * PI * a / b).tanh() / n.powi(5);
    // what is left after a thousand terms is below the rounding of the sum
    let sum: f64 = (0..1000).rev().map(|k| term(2.0 * k as f64 + 1.0)).sum();
    a * b.powi(3) / 3.0 * (1.0 - 192.0 * b / (PI.powi(5) * a) * sum)
}

fn round(outer: f64, inner: f64, nu: f64) -> Properties {
    let second = 0.25 * PI * (outer.powi(4) - inner.powi(4));
    let m = inner / outer;
    let square = (1.0 + m * m).powi(2);
    let factor =
        6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m * m);
    Properties {
        area: PI * (outer * outer - inner * inner),
        second: [second; 2],
        torsion: 2.0 * second,
        shear: [factor; 2],
    }
}

/// Cowper's factor of thin-walled I and box sections along the web; they differ in one term.
fn cowper(m: f64, nu: f64, extra: f64) -> f64 {
    let (m2, m3) = (m * m, m * m * m);
    10.0 * (1.0 + nu) * (1.0 + 3.0 * m).powi(2)
        / ((12.0 + 72.0 * m + 150.0 * m2 + 90.0 * m3)
            + nu * (11.0 + 66.0 * m + 135.0 * m2 + 90.0 * m3)
            + extra)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a / b - 1.0).abs() < tolerance, "{a} is not {b}");
    }

    #[test]
    fn torsion_of_rectangles_meets_the_tables() {
        // Timoshenko and Goodier, chapter 10: k₁ of a b³
        for (ratio, k) in [(1.0, 0.1406), (1.5, 0.196), (2.0, 0.229), (10.0, 0.312)] {
            close(rectangle_torsion(ratio, 1.0), k * ratio, 2e-3);
            close(rectangle_torsion(1.0, ratio), k * ratio, 2e-3);
        }
    }

    #[test]
    fn hollow_sections_are_differences_of_full_ones() {
        let nu = 0.3;
        let full = Profile::Rectangle { width: 0.2, height: 0.3 }.properties(nu).unwrap();
        let hole = Profile::Rectangle { width: 0.18, height: 0.27 }.properties(nu).unwrap();
        let hollow = Profile::Box { width: 0.2, height: 0.3, flange: 0.015, web: 0.01 };
        let hollow = hollow.properties(nu).unwrap();
        close(hollow.area, full.area - hole.area, 1e-13);
        for k in 0..2 {
            close(hollow.second[k], full.second[k] - hole.second[k], 1e-13);
        }
        let tube = Profile::Tube { outer: 0.05, inner: 1e-9 }.properties(nu).unwrap();
        let circle = Profile::Circle { radius: 0.05 }.properties(nu).unwrap();
        close(tube.shear[0], circle.shear[0], 1e-12);
        close(circle.shear[0], 6.0 * 1.3 / 8.8, 1e-14);
        // Cowper's thin round tube: 2 (1 + ν)/(4 + 3ν)
        let thin = Profile::Tube { outer: 1.0, inner: 1.0 - 1e-7 }.properties(nu).unwrap();
        close(thin.shear[0], 2.0 * 1.3 / 4.9, 1e-6);
        // a thin-walled closed section is far stiffer in torsion than an open one
        let i = Profile::I { width: 0.2, height: 0.3, flange: 0.015, web: 0.02 };
        let i = i.properties(nu).unwrap();
        close(i.area, hollow.area, 1e-12);
        close(i.second[0], hollow.second[0], 1e-12);
        assert!(hollow.torsion > 50.0 * i.torsion);
    }

    #[test]
    fn a_web_without_flanges_is_a_rectangle() {
        for nu in [0.0, 0.3] {
            close(cowper(0.0, nu, 0.0), 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu), 1e-14);
        }
    }

    #[test]
    fn bad_sizes_are_named() {
        let error = |p: Profile| p.properties(0.3).unwrap_err().to_string();
        assert!(error(Profile::Circle { radius: -1.0 }).contains("radius is -1"));
        assert!(error(Profile::Tube { outer: 1.0, inner: 2.0 }).contains("not below"));
        let filled = Profile::Box { width: 1.0, height: 1.0, flange: 0.1, web: 0.5 };
        assert!(error(filled).contains("walls fill it"));
    }
}
