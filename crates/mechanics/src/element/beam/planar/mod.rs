//! Geometrically exact beams whose nodes move in one plane.
//!
//! In a plane rotations add, so places `r` and angles `θ` of the sections may be interpolated as they
//! are and strains still know nothing of rigid motions (Reissner's beam, `[Brüls et al. 2018, sheet §6.2]`):
//!
//! ```text
//! γ = R(θ)ᵀ r′ − γ₀,    κ = θ′ − κ₀
//! ```
//!
//! with Lagrange polynomials of two, three or four nodes and reduced quadrature. The mass matrix is
//! constant in the axes of the plane. All of it costs a small part of the spatial element.

mod element;
mod output;
mod rule;
mod state;
mod tangent;

pub(crate) use rule::Rule;
pub(crate) use state::{Knot, Turn};
pub(crate) use tangent::Slope;

use super::{Beam, Distributed, End, MOST_CHARTS, MOST_NODES, MassKind, Sample};
use crate::error::{ModelError, refusal};
use crate::node::Motion;
use nalgebra::{Matrix3, Vector2, Vector3, Vector6};
use rotula_dae::Terms;
use rotula_lie::Frame;
use std::borrow::Cow;

/// Stretch, shear and curvature among the six strains; likewise of twists and wrenches.
pub(super) const KEPT: [usize; 3] = [0, 1, 5];

/// How much of an angle a frame in a plane may be out of it.
const FLAT: f64 = 1e-9;

/// A planar beam element with two, three or four nodes.
#[derive(Clone, Debug)]
pub struct PlanarBeam {
    /// The spatial element of the same nodes, section and loads.
    spatial: Beam,
    /// The plane: its axes, the normal last.
    axes: Matrix3<f64>,
    rule: Rule,
    inertial: Vec<Station>,
    middle: Station,
}

/// A point of a quadrature rule, with the shape functions of all nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station<T = f64> {
    weight: T,
    shape: [T; MOST_NODES],
    slope: [T; MOST_NODES],
    strain: Vector3<T>,
}

impl Station {
    fn new(sample: &Sample, strain: Vector3<f64>) -> Self {
        let (mut shape, mut slope) = ([0.0; MOST_NODES], [0.0; MOST_NODES]);
        shape[1..].copy_from_slice(&sample.shape);
        slope[1..].copy_from_slice(&sample.slope);
        shape[0] = 1.0 - sample.shape.iter().sum::<f64>();
        slope[0] = -sample.slope.iter().sum::<f64>();
        Station { weight: sample.weight, shape, slope, strain }
    }
}

/// The part of a matrix of a section that belongs to the plane.
fn kept(matrix: &nalgebra::Matrix6<f64>) -> Matrix3<f64> {
    Matrix3::from_fn(|i, j| matrix[(KEPT[i], KEPT[j])])
}

impl PlanarBeam {
    /// The planar form of an element whose nodes move in a plane; `start` are its sections free of
    /// stress. Sections have their mass on their axis, and z along the normal of the plane.
    pub fn new(spatial: Beam, start: &[Frame], plane: &Frame) -> Result<Self, ModelError> {
        if !Self::fits(&spatial.section.mass) {
            let what = refusal!(
                "the mass of its section lies beside its axis";
                "a planar element has none"
            );
            return Err(ModelError::invalid("beam element", what));
        }
        if let Some(k) = start.iter().position(|frame| !lies_in(frame, plane)) {
            let what = refusal!("section {k} is not in the plane"; "its z axis must be the normal");
            return Err(ModelError::invalid("beam element", what));
        }
        let count = spatial.count;
        let (section, kind) = (&spatial.section, spatial.mass_kind);
        let axes = plane.orientation.to_matrix();
        let mut beam = PlanarBeam {
            axes,
            rule: Rule {
                count,
                stiffness: kept(&section.stiffness),
                damping: kept(&section.damping),
                damped: kept(&section.damping) != Matrix3::zeros(),
                elastic: [Station::new(&spatial.middle, Vector3::zeros()); MOST_CHARTS],
                overlap: [[0.0; MOST_NODES]; MOST_NODES],
                mass: [section.mass[(0, 0)], section.mass[(5, 5)]],
                shares: spatial.shares,
                gravity: Vector2::zeros(),
            },
            inertial: Vec::new(),
            middle: Station::new(&spatial.middle, Vector3::zeros()),
            spatial,
        };
        let places = beam.placed(Terms::ALL, |k| Cow::Owned(Motion::at_rest(&start[k])));
        let station = |sample: &Sample| {
            let station = Station::new(sample, Vector3::zeros());
            Station { strain: station.bend(places.knots()).strain, ..station }
        };
        let sampled = |samples: &[Sample]| samples.iter().map(station).collect::<Vec<_>>();
        let (elastic, inertial) = (sampled(&beam.spatial.elastic), sampled(&beam.spatial.inertial));
        let middle = station(&beam.spatial.middle);
        beam.rule.elastic[..count - 1].copy_from_slice(&elastic);
        (beam.inertial, beam.middle) = (inertial, middle);
        for i in 0..count {
            for j in 0..count {
                beam.rule.overlap[i][j] = match kind {
                    MassKind::Lumped if i == j => beam.spatial.shares[i],
                    MassKind::Lumped => 0.0,
                    MassKind::Consistent => {
                        beam.inertial.iter().map(|s| s.weight * s.shape[i] * s.shape[j]).sum()
                    }
                };
            }
        }
        Ok(beam)
    }

    /// Whether a section has its mass on its axis.
    pub(super) fn fits(mass: &nalgebra::Matrix6<f64>) -> bool {
        [(0, 5), (1, 5), (0, 1)].iter().all(|place| mass[*place] == 0.0)
    }

    /// Its section.
    pub fn section(&self) -> &crate::element::Section {
        &self.spatial.section
    }

    /// How its forces follow from sections in the axes of a plane, if its sections are nodes of that
    /// plane and it carries nothing but its weight.
    pub(crate) fn rule_in(&self, plane: &Frame) -> Option<&Rule> {
        let free = self.ends()[..self.count()].iter().all(|end| end.adjoint().is_none());
        let fits = free && self.loads().is_empty();
        (fits && plane.orientation.to_matrix() == self.axes).then_some(&self.rule)
    }

    fn count(&self) -> usize {
        self.spatial.count
    }

    fn ends(&self) -> &[End; MOST_NODES] {
        &self.spatial.ends
    }

    fn loads(&self) -> &[Distributed] {
        &self.spatial.loads
    }

    /// The part of a world vector in the plane.
    fn flat(&self, a: &Vector3<f64>) -> Vector2<f64> {
        Vector2::new(self.axes.column(0).dot(a), self.axes.column(1).dot(a))
    }
}

/// Whether a frame lies in a plane and turns about its normal.
pub(super) fn lies_in(frame: &Frame, plane: &Frame) -> bool {
    let inside = frame.seen_from(plane);
    let normal = inside.orientation.rotate(&Vector3::z());
    let size = 1.0 + inside.position.norm();
    inside.position.z.abs() <= FLAT * size && (normal - Vector3::z()).norm() <= FLAT
}

/// The six components of a planar vector.
fn embed(a: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(a.x, a.y, 0.0, 0.0, 0.0, a.z)
}
