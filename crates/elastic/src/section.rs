//! Materials and sections: what elements are made of.

use crate::error::Place;
use nalgebra::Vector3;

/// A linear elastic, isotropic material.
#[derive(Clone, Debug)]
pub struct Material {
    /// Its name in the file.
    pub name: String,
    /// Young's modulus, in pascals.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density, in kilograms per cubic metre.
    pub density: f64,
    /// Where it is declared.
    pub place: Place,
}

/// The cross-section of a beam. The local axis x runs from the first node to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Area.
    pub area: f64,
    /// Second moment of area about the local axis y.
    pub inertia_y: f64,
    /// Second moment of area about the local axis z.
    pub inertia_z: f64,
    /// Torsion constant.
    pub torsion: f64,
    /// Part of the area that carries shear along y; zero for a beam without shear deformation.
    pub shear_y: f64,
    /// Part of the area that carries shear along z; zero for a beam without shear deformation.
    pub shear_z: f64,
    /// Outer radius of a circle or tube, at which stress is looked for.
    pub radius: Option<f64>,
}

impl Profile {
    /// A rectangle, `width` along the local axis y and `height` along z, with shear factors 5/6.
    pub fn rectangle(width: f64, height: f64) -> Profile {
        let (long, short) = (width.max(height), width.min(height));
        let ratio = short / long;
        // Timoshenko's series for the torsion of a rectangle, first term and its correction.
        let beta = (1.0 / 3.0) * (1.0 - 0.63 * ratio * (1.0 - ratio.powi(4) / 12.0));
        Profile {
            area: width * height,
            inertia_y: width * height.powi(3) / 12.0,
            inertia_z: height * width.powi(3) / 12.0,
            torsion: beta * long * short.powi(3),
            shear_y: 5.0 / 6.0,
            shear_z: 5.0 / 6.0,
            radius: None,
        }
    }

    /// A full circle, with shear factors 9/10.
    pub fn circle(radius: f64) -> Profile {
        Profile::tube(radius, 0.0, 0.9)
    }

    /// A tube; `shear` is the part of the area that carries shear, 1/2 for a thin wall.
    pub fn tube(outer: f64, inner: f64, shear: f64) -> Profile {
        let pi = std::f64::consts::PI;
        let inertia = pi * (outer.powi(4) - inner.powi(4)) / 4.0;
        Profile {
            area: pi * (outer * outer - inner * inner),
            inertia_y: inertia,
            inertia_z: inertia,
            torsion: 2.0 * inertia,
            shear_y: shear,
            shear_z: shear,
            radius: Some(outer),
        }
    }
}

/// Kinds of elements and of their sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Tetrahedra and hexahedra.
    Solid,
    /// Beams.
    Beam,
    /// Shells.
    Shell,
}

impl Family {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Family::Solid => "solid",
            Family::Beam => "beam",
            Family::Shell => "shell",
        }
    }
}

/// What an element is made of.
#[derive(Clone, Debug)]
pub enum Section {
    /// Solid material.
    Solid {
        /// Index of the material.
        material: usize,
    },
    /// A beam.
    Beam {
        /// Index of the material.
        material: usize,
        /// Its cross-section.
        profile: Profile,
        /// Direction that lies in the plane of the local axes x and y.
        toward: Vector3<f64>,
    },
    /// A shell.
    Shell {
        /// Index of the material.
        material: usize,
        /// Its thickness, half of it on either side of the nodes.
        thickness: f64,
    },
}

impl Section {
    /// Index of the material.
    pub fn material(&self) -> usize {
        match self {
            Section::Solid { material }
            | Section::Beam { material, .. }
            | Section::Shell { material, .. } => *material,
        }
    }

    /// Which elements it fits.
    pub fn family(&self) -> Family {
        match self {
            Section::Solid { .. } => Family::Solid,
            Section::Beam { .. } => Family::Beam,
            Section::Shell { .. } => Family::Shell,
        }
    }
}
