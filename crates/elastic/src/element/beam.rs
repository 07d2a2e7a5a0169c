//! The beam with two nodes: Bernoulli–Euler, or Timoshenko where shear factors are given.
//!
//! Displacements u, v, w and rotations about x, y, z per node, in the local frame. The shape
//! functions are those that satisfy the homogeneous equations of the Timoshenko beam, so that end
//! displacements under end loads are exact; the consistent mass, with rotary inertia, is integrated
//! with the same functions.

use crate::element::quadrature::gauss;
use crate::mesh::{Material, Profile};
use nalgebra::{DMatrix, Matrix3, SMatrix, Vector3};

type Matrix12 = SMatrix<f64, 12, 12>;
type Rows = SMatrix<f64, 3, 12>;

/// A straight beam.
pub(crate) struct Beam {
    /// Columns are the local axes.
    axes: Matrix3<f64>,
    length: f64,
    material: Material,
    profile: Profile,
}

/// Why two nodes and a direction make no beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NoBeam {
    NoLength,
    NoPlane,
}

/// A point that carries mass and rotary inertia, in the axes of the mesh.
pub(crate) struct BeamMass {
    pub(crate) mass: f64,
    /// Distance from the first node, as a part of the length.
    pub(crate) at: f64,
    pub(crate) translation: Rows,
    pub(crate) inertia: Matrix3<f64>,
    pub(crate) rotation: Rows,
}

impl Beam {
    pub(crate) fn new(
        ends: [Vector3<f64>; 2],
        material: &Material,
        profile: Profile,
        toward: Vector3<f64>,
    ) -> Result<Beam, NoBeam> {
        let along = ends[1] - ends[0];
        let length = along.norm();
        if length == 0.0 {
            return Err(NoBeam::NoLength);
        }
        let x = along / length;
        let z = x.cross(&toward);
        if z.norm() <= 1e-6 * toward.norm() || toward.norm() == 0.0 {
            return Err(NoBeam::NoPlane);
        }
        let z = z.normalize();
        let axes = Matrix3::from_columns(&[x, z.cross(&x), z]);
        Ok(Beam { axes, length, material: material.clone(), profile })
    }

    fn shear_modulus(&self) -> f64 {
        self.material.young / (2.0 * (1.0 + self.material.poisson))
    }

    /// Ratio of the flexibilities in shear and in bending, Φ = 12 E I / (κ G A L²).
    fn shear_ratio(&self, inertia: f64, factor: f64) -> f64 {
        if factor == 0.0 {
            return 0.0;
        }
        let shear = factor * self.shear_modulus() * self.profile.area;
        12.0 * self.material.young * inertia / (shear * self.length * self.length)
    }

    fn ratios(&self) -> [f64; 2] {
        let profile = &self.profile;
        [
            self.shear_ratio(profile.inertia_z, profile.shear_y),
            self.shear_ratio(profile.inertia_y, profile.shear_z),
        ]
    }

    /// Stiffness in the axes of the mesh.
    pub(crate) fn stiffness(&self) -> DMatrix<f64> {
        let turn = self.turn();
        let global = turn * self.local_stiffness() * turn.transpose();
        DMatrix::from_column_slice(12, 12, global.as_slice())
    }

    /// Section forces N, V_y, V_z, T, M_y, M_z at the first end and at the second by displacements in the axes of the mesh: what
    /// the part of the beam beyond the section does to that before it.
    pub(crate) fn section_forces(&self) -> DMatrix<f64> {
        let mut forces = self.local_stiffness() * self.turn().transpose();
        forces.fixed_rows_mut::<6>(0).neg_mut();
        DMatrix::from_column_slice(12, 12, forces.as_slice())
    }

    /// Area, second moment of area, outer radius, and largest over mean shear of a round section.
    pub(crate) fn round_sizes(&self) -> Option<[f64; 4]> {
        let Profile { area, inertia_y, radius, .. } = self.profile;
        let radius = radius?;
        let full = std::f64::consts::PI * radius * radius;
        let peak = if area > (1.0 - 1e-9) * full { 4.0 / 3.0 } else { 2.0 };
        Some([area, inertia_y, radius, peak])
    }

    /// Stiffness in the axes of the beam.
    fn local_stiffness(&self) -> Matrix12 {
        let (young, l) = (self.material.young, self.length);
        let mut local = Matrix12::zeros();
        let mut spring = |i: usize, j: usize, k: f64| {
            local[(i, i)] += k;
            local[(j, j)] += k;
            local[(i, j)] -= k;
            local[(j, i)] -= k;
        };
        spring(0, 6, young * self.profile.area / l);
        spring(3, 9, self.shear_modulus() * self.profile.torsion / l);
        let [in_xy, in_xz] = self.ratios();
        // A positive rotation about y lowers the end of the beam: the plane xz has the other sign.
        let planes = [
            ([1, 5, 7, 11], self.profile.inertia_z, in_xy, 1.0),
            ([2, 4, 8, 10], self.profile.inertia_y, in_xz, -1.0),
        ];
        for (unknowns, inertia, phi, sign) in planes {
            let k = young * inertia / (l.powi(3) * (1.0 + phi));
            let s = sign * l;
            let block = [
                [12.0, 6.0 * s, -12.0, 6.0 * s],
                [6.0 * s, (4.0 + phi) * l * l, -6.0 * s, (2.0 - phi) * l * l],
                [-12.0, -6.0 * s, 12.0, -6.0 * s],
                [6.0 * s, (2.0 - phi) * l * l, -6.0 * s, (4.0 + phi) * l * l],
            ];
            for (row, i) in block.iter().zip(unknowns) {
                for (value, j) in row.iter().zip(unknowns) {
                    local[(i, j)] += k * value;
                }
            }
        }
        local
    }

    /// Maps local components of both nodes to those of the mesh.
    fn turn(&self) -> Matrix12 {
        let mut turn = Matrix12::zeros();
        for block in 0..4 {
            turn.fixed_view_mut::<3, 3>(3 * block, 3 * block).copy_from(&self.axes);
        }
        turn
    }

    /// Displacement and rotation of the section at `x` of the length, in local components.
    fn shape_rows(&self, x: f64) -> (Rows, Rows) {
        let l = self.length;
        let (mut translation, mut rotation) = (Rows::zeros(), Rows::zeros());
        for (end, value) in [(0, 1.0 - x), (6, x)] {
            translation[(0, end)] = value;
            rotation[(0, end + 3)] = value;
        }
        let planes = [(1, 2, [1, 5, 7, 11], 1.0), (2, 1, [2, 4, 8, 10], -1.0)];
        for ((row, turn, unknowns, sign), phi) in planes.into_iter().zip(self.ratios()) {
            let scale = 1.0 / (1.0 + phi);
            let bow = x - x * x;
            let values = [
                1.0 - 3.0 * x * x + 2.0 * x.powi(3) + phi * (1.0 - x),
                sign * l * (x - 2.0 * x * x + x.powi(3) + 0.5 * phi * bow),
                3.0 * x * x - 2.0 * x.powi(3) + phi * x,
                sign * l * (x.powi(3) - x * x - 0.5 * phi * bow),
            ];
            let turns = [
                -6.0 * bow / l * sign,
                1.0 - 4.0 * x + 3.0 * x * x + phi * (1.0 - x),
                6.0 * bow / l * sign,
                3.0 * x * x - 2.0 * x + phi * x,
            ];
            for (k, unknown) in unknowns.into_iter().enumerate() {
                translation[(row, unknown)] = scale * values[k];
                rotation[(turn, unknown)] = scale * turns[k];
            }
        }
        (translation, rotation)
    }

    /// The points of the quadrature of the consistent mass.
    pub(crate) fn mass_points(&self) -> Vec<BeamMass> {
        let Profile { area, inertia_y, inertia_z, .. } = self.profile;
        let per_length = self.material.density;
        let section = Vector3::new(inertia_y + inertia_z, inertia_y, inertia_z);
        let inertia = self.axes * Matrix3::from_diagonal(&section) * self.axes.transpose();
        let back = self.turn().transpose();
        let point = |&(xi, weight): &(f64, f64)| {
            let at = 0.5 * (1.0 + xi);
            let length = 0.5 * weight * self.length;
            let (translation, rotation) = self.shape_rows(at);
            BeamMass {
                mass: per_length * area * length,
                at,
                translation: self.axes * translation * back,
                inertia: inertia * (per_length * length),
                rotation: self.axes * rotation * back,
            }
        };
        gauss(4).iter().map(point).collect()
    }

    /// Consistent mass in the axes of the mesh.
    pub(crate) fn mass(&self) -> DMatrix<f64> {
        let mut mass = Matrix12::zeros();
        for point in self.mass_points() {
            mass += point.translation.transpose() * point.translation * point.mass;
            mass += point.rotation.transpose() * point.inertia * point.rotation;
        }
        DMatrix::from_column_slice(12, 12, mass.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Place;

    fn beam(shear: f64) -> Beam {
        let name = "steel".to_owned();
        let (young, poisson, density) = (2.1e11, 0.3, 7850.0);
        let material = Material { name, young, poisson, density, place: Place::NOWHERE };
        let profile = Profile { shear_y: shear, shear_z: shear, ..Profile::rectangle(0.2, 0.3) };
        let ends = [Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.9, 1.1, 0.7)];
        Beam::new(ends, &material, profile, Vector3::new(0.0, 0.3, 1.0)).unwrap()
    }

    /// Strain energy of the shape functions by differences and quadrature.
    #[test]
    fn stiffness_is_the_strain_energy_of_the_shape_functions() {
        for shear in [0.0, 5.0 / 6.0] {
            let beam = beam(shear);
            let (l, h) = (beam.length, 1e-5);
            let (e, g, p) = (beam.material.young, beam.shear_modulus(), beam.profile);
            let mut local = Matrix12::zeros();
            for (xi, weight) in gauss(4) {
                let x = 0.5 * (1.0 + xi);
                let slope = |rows: fn(&(Rows, Rows)) -> &Rows| {
                    let (plus, minus) = (beam.shape_rows(x + h), beam.shape_rows(x - h));
                    (rows(&plus) - rows(&minus)) / (2.0 * h * l)
                };
                let (du, dr) = (slope(|rows| &rows.0), slope(|rows| &rows.1));
                let (_, r) = beam.shape_rows(x);
                let mut strains: Vec<(SMatrix<f64, 1, 12>, f64)> = vec![
                    (du.row(0).into(), e * p.area),
                    (dr.row(0).into(), g * p.torsion),
                    (dr.row(1).into(), e * p.inertia_y),
                    (dr.row(2).into(), e * p.inertia_z),
                ];
                let shears = [du.row(1) - r.row(2), du.row(2) + r.row(1)];
                if shear == 0.0 {
                    assert!(shears.iter().all(|strain| strain.abs().max() < 1e-8));
                } else {
                    strains.extend(shears.map(|strain| (strain, shear * g * p.area)));
                }
                for (row, modulus) in strains {
                    local += row.transpose() * row * (modulus * 0.5 * weight * l);
                }
            }
            let turn = beam.turn();
            let expected = turn * local * turn.transpose();
            let stiffness = beam.stiffness();
            for (value, reference) in stiffness.iter().zip(expected.iter()) {
                assert!((value - reference).abs() < 1e-8 * stiffness.abs().max());
            }
        }
    }

    #[test]
    fn beams_without_length_or_plane_are_refused() {
        let sound = beam(0.0);
        let ends = [Vector3::zeros(), Vector3::x()];
        let try_with = |ends, toward| Beam::new(ends, &sound.material, sound.profile, toward).err();
        assert_eq!(try_with([ends[0], ends[0]], Vector3::y()), Some(NoBeam::NoLength));
        assert_eq!(try_with(ends, Vector3::x()), Some(NoBeam::NoPlane));
    }
}
