//! Clamped beams with a load at their tip.

use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_lie::Frame;
use rotula_mechanics::element::{BeamLine, Section};
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::{GROUND, Model, ModelError};

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
    /// The model with some elements of 2, 3 or 4 nodes, and the node of its tip.
    pub fn model(&self, elements: usize, each: usize) -> Result<(Model, usize), ModelError> {
        let k = self.curvature;
        let strain = Vector6::new(1.0, 0.0, 0.0, k.x, k.y, k.z);
        let nodes = elements * (each - 1) + 1;
        let line = BeamLine::along(Frame::identity(), &strain, self.length, nodes)
            .with_section(self.section.clone())
            .with_nodes_per_element(each)
            .held_by(Some(GROUND), None);
        let mut model = Model::new();
        let beam = model.beam("beam", &line)?;
        let tip = beam.nodes[nodes - 1];
        let three = |v: Vector3<f64>| [v.x, v.y, v.z].map(Amplitude::Constant);
        let load = Load::new(tip, Axes::World, three(self.force), three(self.moment));
        model.force("tip load", load)?;
        Ok((model, tip.node))
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
