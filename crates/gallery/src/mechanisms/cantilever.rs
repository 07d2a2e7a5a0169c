//! Clamped beams with a load at their tip.

use crate::entry::GalleryError;
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::analysis::{Relaxation, statics};
use rotula_lie::Frame;
use rotula_mechanics::element::section::{Material, Profile};
use rotula_mechanics::element::{BeamLine, Section};
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::{GROUND, Marker, Model, ModelError};

/// A beam along x from the origin, and what pushes its tip.
pub(crate) struct Cantilever {
    pub section: Section,
    pub length: f64,
    /// Pre-twist and curvatures per length.
    pub curvature: Vector3<f64>,
    pub force: Vector3<f64>,
    pub moment: Vector3<f64>,
}

impl Cantilever {
    /// Its line with some elements of 2, 3 or 4 nodes.
    pub fn line(&self, elements: usize, each: usize) -> BeamLine {
        let k = self.curvature;
        let strain = Vector6::new(1.0, 0.0, 0.0, k.x, k.y, k.z);
        let nodes = elements * (each - 1) + 1;
        BeamLine::along(Frame::identity(), &strain, self.length, nodes)
            .with_section(self.section.clone())
            .with_nodes_per_element(each)
            .held_by(Some(GROUND), None)
    }

    /// Displacement of the tip in equilibrium.
    pub fn deflection(&self, elements: usize, each: usize) -> Result<Vector3<f64>, GalleryError> {
        let places = self.rest(&self.line(elements, each))?;
        Ok(places.last().map_or(Vector3::zeros(), |[from, to]| to - from))
    }

    /// Places of the nodes of a line of it at the start and in equilibrium.
    pub fn rest(&self, line: &BeamLine) -> Result<Vec<[Vector3<f64>; 2]>, GalleryError> {
        let (model, nodes) = self.model(line)?;
        let mut system = model.assemble()?;
        let start = system.start();
        let rest = statics(&mut system, &start, Relaxation::Never)?;
        let place = |q: &[f64], marker: &Marker| {
            (system.node_frame(marker.node, q) * marker.frame).position
        };
        Ok(nodes.iter().map(|node| [place(&start.q, node), place(&rest.state.q, node)]).collect())
    }

    /// The model of a line, and its nodes.
    pub fn model(&self, line: &BeamLine) -> Result<(Model, Vec<Marker>), ModelError> {
        let mut model = Model::new();
        let nodes = model.beam("beam", line)?.nodes;
        let tip = nodes[nodes.len() - 1];
        let three = |v: Vector3<f64>| [v.x, v.y, v.z].map(Amplitude::Constant);
        let load = Load::new(tip, Axes::World, three(self.force), three(self.moment));
        model.force("tip load", load)?;
        Ok((model, nodes))
    }
}

/// A section without couplings, whose mass does not matter.
fn weightless(stiffness: [f64; 6]) -> Section {
    Section::diagonal(stiffness, 1.0, Vector3::new(1.0, 0.5, 0.5))
}

/// A moment that bends it to a full circle.
pub(crate) fn roll_up() -> Cantilever {
    let (shear, bending) = (1282.0512820512822, 0.13333333333333333);
    Cantilever {
        section: weightless([4000.0, shear, shear, 0.1, bending, bending]),
        length: 1.0,
        curvature: Vector3::zeros(),
        force: Vector3::zeros(),
        moment: Vector3::new(0.0, 0.0, std::f64::consts::TAU * bending),
    }
}

/// The composite beam of Wang et al.
pub(crate) fn composite() -> Cantilever {
    let diagonal = Vector6::new(1368.17e3, 88.56e3, 38.78e3, 16.96e3, 59.12e3, 141.47e3);
    let mut stiffness = Matrix6::from_diagonal(&diagonal);
    for (i, j, value) in [(3, 4, 17.61e3), (3, 5, -0.351e3), (4, 5, -0.37e3)] {
        (stiffness[(i, j)], stiffness[(j, i)]) = (value, value);
    }
    let section = Section { stiffness, ..weightless([1.0; 6]) };
    let force = Vector3::new(0.0, 0.0, 150.0);
    let zero = Vector3::zeros();
    Cantilever { section, length: 10.0, curvature: zero, force, moment: zero }
}

/// Their beam with a quarter turn of pre-twist.
pub(crate) fn twisted() -> Cantilever {
    let (shear, torsion) = (8.2604167e9, 1.41872656e8);
    Cantilever {
        section: weightless([2.5e10, shear, shear, torsion, 5.20833e8, 1.30208333e8]),
        length: 10.0,
        curvature: Vector3::new(std::f64::consts::FRAC_PI_2 / 10.0, 0.0, 0.0),
        force: Vector3::new(0.0, 0.0, -4000e3),
        moment: Vector3::zeros(),
    }
}

/// The bend of 45 degrees of Bathe and Bolourchi, pushed out of its plane.
pub(crate) fn bend() -> Cantilever {
    let shear = 4166670.0;
    Cantilever {
        section: weightless([1e7, shear, shear, 833300.0, 833300.0, 833300.0]),
        length: 100.0 * std::f64::consts::FRAC_PI_4,
        curvature: Vector3::new(0.0, 0.0, 1.0 / 100.0),
        force: Vector3::new(0.0, 0.0, 600.0),
        moment: Vector3::zeros(),
    }
}

/// The cantilever of Harsch, Capobianco and Eugster with a stiffness of stretching and one of shear, under a
/// part of its force and its moment.
pub(crate) fn elastica([stretch, shear]: [f64; 2], part: f64) -> Cantilever {
    let (length, bending) = (std::f64::consts::TAU, 2.0);
    let load = part * 10.0 * bending / (length * length);
    Cantilever {
        section: weightless([stretch, shear, shear, 0.5, bending, bending]),
        length,
        curvature: Vector3::zeros(),
        force: Vector3::new(0.0, -load, 0.0),
        moment: Vector3::new(0.0, 0.0, 2.5 * load),
    }
}

/// The Princeton beam of the table of Obrezkov et al., under a load at an angle from its stiff direction.
pub(crate) fn princeton_at(load: f64, angle: f64) -> Result<Cantilever, ModelError> {
    let material = Material::isotropic(71.7e9, 0.31, 2700.0)?;
    let profile = Profile::Rectangle { width: 0.0032024, height: 0.0123777 };
    Ok(Cantilever {
        section: Section::of(&profile, &material)?,
        length: 0.508,
        curvature: Vector3::zeros(),
        force: Vector3::new(0.0, load * angle.sin(), load * angle.cos()),
        moment: Vector3::zeros(),
    })
}

/// The Princeton beam at 45 degrees.
pub(crate) fn princeton() -> Cantilever {
    let (shear, torsion) = (932616.4954198474, 3.2215076212011717);
    let bending = [39.84613284193922, 2.505852697877054];
    Cantilever {
        section: weightless([2932146.2616000003, shear, shear, torsion, bending[0], bending[1]]),
        length: 0.508,
        curvature: Vector3::zeros(),
        force: Vector3::new(0.0, 1.0, -1.0) * (8.896 * std::f64::consts::FRAC_1_SQRT_2),
        moment: Vector3::zeros(),
    }
}
