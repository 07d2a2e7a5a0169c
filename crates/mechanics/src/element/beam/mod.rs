//! Geometrically exact beams in the local frame of SE(3).
//!
//! The shape of an element is interpolated in the chart of its first node, so that strains, section
//! forces and tangents depend on the deformation alone, not on where the element is: a factorisation
//! survives large rotations. With two nodes the interpolation is the helix of constant strain of
//! Sonneville, Cardona and Brüls (2014), which does not lock and bends to a circle exactly; with
//! three or four, Lagrange polynomials in the chart and reduced quadrature.
//!
//! Beams whose nodes move in one plane have an element of their own, [`PlanarBeam`].
//!
//! A section's first axis points along the beam. Its strain is `(γ; κ)`: stretch, two shears, twist,
//! two curvatures, in the axes of the section.

mod chart;
mod elastic;
mod element;
mod end;
mod inertia;
mod line;
mod output;
mod planar;
mod shape;
mod tangent;

pub use line::{BeamLine, LaidBeam};
pub use output::{BeamElement, SectionState};
pub use planar::PlanarBeam;
pub(crate) use planar::{Knot, Rule, Slope, Turn};

use crate::element::Section;
use crate::error::{ModelError, Refusal, refusal};
use crate::force::Amplitude;
use crate::marker::Marker;
use crate::node::Motion;
use chart::between;
use elastic::Bent;
use end::End;
use nalgebra::{Vector3, Vector6};
use shape::Sample;

/// Nodes of an element but the first.
const MOST_CHARTS: usize = 3;
/// Nodes of an element.
pub(crate) const MOST_NODES: usize = MOST_CHARTS + 1;

/// How the mass of an element is spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassKind {
    /// With the velocity of every section of the interpolated shape.
    #[default]
    Consistent,
    /// Put into the nodes.
    Lumped,
}

/// A load per length on every section.
#[derive(Clone, Copy, Debug)]
pub struct Distributed {
    /// Force and moment per length.
    pub per_length: Vector6<f64>,
    /// Whether it follows the sections or keeps its direction.
    pub axes: crate::force::Axes,
    /// A factor: constant, or a function of time.
    pub factor: Amplitude,
}

/// A beam element with two, three or four nodes.
#[derive(Clone, Debug)]
pub struct Beam {
    nodes: [usize; MOST_NODES],
    count: usize,
    ends: [End; MOST_NODES],
    section: Section,
    mass_kind: MassKind,
    length: f64,
    elastic: Vec<Sample>,
    inertial: Vec<Sample>,
    middle: Sample,
    /// Part of the length that belongs to each node, for a lumped mass.
    shares: [f64; MOST_NODES],
    loads: Vec<Distributed>,
    gravity: Vector3<f64>,
}

impl Beam {
    /// An element through markers at equal distances along it, which are free of stress where they
    /// are `start`ed. `length` is measured along the beam; without it, along the helix through the
    /// first and the last marker.
    pub fn new(
        markers: &[Marker],
        start: &[rotula_lie::Frame],
        section: Section,
        length: Option<f64>,
    ) -> Result<Self, ModelError> {
        let invalid = |what: Refusal| Err(ModelError::invalid("beam element", what));
        let count = markers.len();
        if !(2..=MOST_NODES).contains(&count) || start.len() != count {
            return invalid(refusal!("it has {count} nodes"; "it may have 2, 3 or 4"));
        }
        section.validate()?;
        let motions: Vec<Motion> = start.iter().map(Motion::at_rest).collect();
        let way = between(&motions[0], &motions[count - 1]);
        let length = length.unwrap_or_else(|| way.fixed_rows::<3>(0).norm());
        if !(length.is_finite() && length > 0.0) {
            return invalid(refusal!("its length is {length}"; "put its ends apart"));
        }
        let mut nodes = [0; MOST_NODES];
        for (node, marker) in nodes.iter_mut().zip(markers) {
            *node = marker.node;
        }
        let end = |k: usize| End::new(&markers[k.min(count - 1)]);
        let shares: [f64; MOST_NODES] = match count {
            2 => [0.5, 0.5, 0.0, 0.0],
            3 => [1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0, 0.0],
            _ => [1.0 / 8.0, 3.0 / 8.0, 3.0 / 8.0, 1.0 / 8.0],
        };
        let mut beam = Beam {
            nodes,
            count,
            ends: std::array::from_fn(end),
            section,
            mass_kind: MassKind::default(),
            length,
            elastic: Sample::rule(count - 1, count, length),
            inertial: Sample::rule(count, count, length),
            middle: Sample::new(count, length, 0.5, 1.0),
            shares: shares.map(|share| share * length),
            loads: Vec::new(),
            gravity: Vector3::zeros(),
        };
        let mut charts = [Vector6::zeros(); MOST_CHARTS];
        for k in 1..count {
            charts[k - 1] = between(&motions[0], &motions[k]);
        }
        for sample in beam.elastic.iter_mut().chain([&mut beam.middle]) {
            let none = Vector6::zeros();
            let bent = Bent {
                x: sample.interpolate(&charts),
                slope: sample.differentiate(&charts),
                rate: none,
                slope_rate: none,
            };
            sample.strain = bent.curvature();
        }
        Ok(beam)
    }

    /// Chooses how the mass is spread.
    pub fn with_mass(mut self, kind: MassKind) -> Self {
        self.mass_kind = kind;
        self
    }

    /// Adds a load.
    pub fn loaded(mut self, load: Distributed) -> Result<Self, ModelError> {
        if let Amplitude::Variable(_) = load.factor {
            return Err(ModelError::invalid(
                "distributed load",
                refusal!(
                    "its factor is a variable of a controller";
                    "give a number or a function of time"
                ),
            ));
        }
        if load.per_length.iter().any(|x| !x.is_finite()) {
            return Err(ModelError::invalid(
                "distributed load",
                "force and moment per length must be finite numbers",
            ));
        }
        self.loads.push(load);
        Ok(self)
    }

    /// Its length along the beam, free of stress.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Its section.
    pub fn section(&self) -> &Section {
        &self.section
    }
}
