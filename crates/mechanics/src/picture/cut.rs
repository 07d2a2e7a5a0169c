//! The section of a beam, cable or bar as pictures show it: its outline, and the loads in it.
//!
//! Between two nodes the strains are those of the helix from one to the other, less those at rest:
//! `ε = (log(A⁻¹B) − log(A₀⁻¹B₀)) / L`. Section forces are `K ε`, without the part of damping; the stress along
//! the beam at a point of the outline is `E (ε_x − y κ_z + z κ_y)`.

use super::film::Field;
use crate::element::section::Profile;
use nalgebra::{Matrix6, Vector6};
use rotula_lie::{Frame, se3};

/// Sides of a circle on which stresses are looked for.
const SIDES: usize = 16;

/// The outline of a section, in its axes y and z.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A circle with its radius.
    Round(f64),
    /// A polygon, anticlockwise seen against the axis.
    Corners(Vec<[f64; 2]>),
}

impl Outline {
    fn rectangle(width: f64, height: f64) -> Self {
        let (y, z) = (0.5 * width, 0.5 * height);
        Outline::Corners(vec![[-y, -z], [y, -z], [y, z], [-y, z]])
    }

    /// The outer edge of a profile.
    pub fn of(profile: &Profile) -> Self {
        match *profile {
            Profile::Circle { radius } | Profile::Tube { outer: radius, .. } => {
                Outline::Round(radius)
            }
            Profile::Rectangle { width, height } | Profile::Box { width, height, .. } => {
                Outline::rectangle(width, height)
            }
            Profile::I { width, height, flange, web } => {
                let (y, z, t, w) = (0.5 * width, 0.5 * height, flange, 0.5 * web);
                let right = [[y, -z], [y, t - z], [w, t - z], [w, z - t], [y, z - t], [y, z]];
                let left = right.iter().rev().map(|[y, z]| [-y, *z]);
                Outline::Corners(right.iter().copied().chain(left).collect())
            }
        }
    }

    /// The full rectangle with the same radii of gyration as a section that is known by its stiffness alone.
    pub fn equivalent(stiffness: &Matrix6<f64>) -> Option<Self> {
        let side = |k: usize| (12.0 * stiffness[(k, k)] / stiffness[(0, 0)]).sqrt();
        let (width, height) = (side(5), side(4));
        let sound = |size: f64| size.is_finite() && size > 0.0;
        (sound(width) && sound(height)).then(|| Outline::rectangle(width, height))
    }

    /// How far it reaches from the axis.
    pub fn reach(&self) -> f64 {
        match self {
            Outline::Round(radius) => *radius,
            Outline::Corners(corners) => {
                corners.iter().map(|[y, z]| y.hypot(*z)).fold(0.0, f64::max)
            }
        }
    }

    /// Points at which bending is felt most.
    fn edge(&self) -> Vec<[f64; 2]> {
        match self {
            Outline::Corners(corners) => corners.clone(),
            Outline::Round(radius) => (0..SIDES)
                .map(|k| (std::f64::consts::TAU * k as f64 / SIDES as f64).sin_cos())
                .map(|(s, c)| [radius * c, radius * s])
                .collect(),
        }
    }
}

/// What is known of a section.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Its outline; of a cable or bar only if its diameter is given.
    pub outline: Option<Outline>,
    /// From strains to section forces; of a cable or bar only the first entry counts.
    pub stiffness: Matrix6<f64>,
    /// Young's modulus, if it is known.
    pub young: Option<f64>,
    /// Whether it cannot push.
    pub slack: bool,
}

/// Colours of a beam, and of a cable or bar.
const BEAM: [(&str, &str); 4] =
    [("bending moment", "N m"), ("axial force", "N"), ("shear force", "N"), ("torque", "N m")];
const STRAND: [(&str, &str); 2] = [("tension", "N"), ("strain", "")];
const STRESS: (&str, &str) = ("largest normal stress", "Pa");

impl Cut {
    /// The fields that a beam (or a cable or bar) is coloured by, without values so far.
    pub(super) fn fields(&self, thin: bool) -> Vec<Field> {
        let stress = self.young.filter(|_| thin || self.outline.is_some()).map(|_| STRESS);
        let others: &[(&str, &str)] = if thin { &STRAND } else { &BEAM };
        let all = stress.into_iter().chain(others.iter().copied());
        all.map(|(quantity, unit)| Field::new(quantity, unit)).collect()
    }

    /// The values of all fields between two nodes of a beam, with the motion from one to the other at rest.
    pub(super) fn in_beam(&self, pair: &[Frame], rest: &Vector6<f64>) -> Vec<f64> {
        let length = rest.fixed_rows::<3>(0).norm();
        let strain = (se3::log(&pair[1].seen_from(&pair[0])) - rest) / length;
        let force = self.stiffness * strain;
        let mut out = Vec::with_capacity(5);
        if let (Some(young), Some(outline)) = (self.young, &self.outline) {
            let at = |[y, z]: &[f64; 2]| young * (strain[0] - y * strain[5] + z * strain[4]);
            out.push(outline.edge().iter().map(|point| at(point).abs()).fold(0.0, f64::max));
        }
        out.extend([force[4].hypot(force[5]), force[0], force[1].hypot(force[2]), force[3]]);
        out
    }

    /// The values of all fields of a piece of a cable or bar.
    pub(super) fn in_strand(&self, strain: f64) -> Vec<f64> {
        let pulls = if self.slack { strain.max(0.0) } else { strain };
        let mut out = Vec::with_capacity(3);
        out.extend(self.young.map(|young| (young * pulls).abs()));
        out.extend([self.stiffness[(0, 0)] * pulls, strain]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::section::{Material, Section};
    use nalgebra::Vector3;
    use rotula_lie::Quaternion;

    /// A bar of steel bent to a circle and stretched: the closed forms of pure bending and tension.
    #[test]
    fn loads_of_an_arc_are_those_of_pure_bending() {
        let (young, radius, length, bend) = (210e9, 0.01, 0.1, 0.05);
        let steel = Material::isotropic(young, 0.3, 7850.0).unwrap();
        let profile = Profile::Circle { radius };
        let cut = Cut {
            outline: Some(Outline::of(&profile)),
            stiffness: Section::of(&profile, &steel).unwrap().stiffness,
            young: Some(young),
            slack: false,
        };
        let rest = Vector6::ith(0, length);
        let stretch = 1e-4;
        let moved = rest * (1.0 + stretch) + Vector6::ith(5, length * bend);
        let start = Frame::new(Vector3::new(1.0, 2.0, 3.0), Quaternion::exp(&Vector3::y()));
        let pair = [start, start * se3::exp(&moved)];
        let second = std::f64::consts::PI * radius.powi(4) / 4.0;
        let values = cut.in_beam(&pair, &rest);
        let names: Vec<String> = cut.fields(false).iter().map(|f| f.quantity.clone()).collect();
        assert_eq!(names.len(), values.len());
        let of = |name: &str| values[names.iter().position(|own| own == name).unwrap()];
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
        near(of("bending moment"), young * second * bend);
        near(of("axial force"), young * std::f64::consts::PI * radius * radius * stretch);
        near(of("largest normal stress"), young * (stretch + radius * bend));
        assert!(of("torque").abs() < 1e-6 && of("shear force").abs() < 1e-3);
    }

    #[test]
    fn an_equivalent_rectangle_has_the_size_of_the_rectangle() {
        let steel = Material::isotropic(210e9, 0.3, 7850.0).unwrap();
        let profile = Profile::Rectangle { width: 0.3, height: 0.1 };
        let stiffness = Section::of(&profile, &steel).unwrap().stiffness;
        let found = Outline::equivalent(&stiffness).unwrap();
        let (Outline::Corners(a), Outline::Corners(b)) = (found, Outline::of(&profile)) else {
            panic!("both are rectangles")
        };
        for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
            assert!((a - b).abs() < 1e-12);
        }
        assert!(Outline::equivalent(&Matrix6::zeros()).is_none());
    }

    #[test]
    fn a_slack_cable_carries_nothing() {
        let stiffness = Matrix6::from_diagonal_element(100.0);
        let cut = Cut { outline: None, stiffness, young: None, slack: true };
        assert_eq!(cut.in_strand(-0.1), [0.0, -0.1]);
        assert_eq!(cut.in_strand(0.1), [10.0, 0.1]);
    }
}
