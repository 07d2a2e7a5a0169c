//! A place where two solids touch or might, and the contact that it makes.

use super::edges::Ridge;
use super::rim::{RimGap, RimSlip};
use super::slip::{Normal, Slip};
use super::{ImpactLaw, Sphere, Unilateral, sphere_on_plane, spheres};
use crate::constraint::Relative;
use crate::error::ModelError;
use crate::joint::Pair;
use crate::marker::{Marker, frame_along};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use serde::{Deserialize, Serialize};

/// A place of contact. What it holds of a solid is in the axes of its marker, so that it moves with the solid.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) key: u64,
    pub(super) kind: Kind,
    /// A point of each solid: a corner or centre, the foot of the origin on a plane, the middle of an edge.
    pub(super) points: [[f64; 3]; 2],
    /// The normal of a plane, the direction of an edge; for spheres the way to the second.
    pub(super) ways: [[f64; 3]; 2],
    /// Radii about the points and edges.
    pub(super) radii: [f64; 2],
}

/// What touches what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Kind {
    /// Far apart: spheres inside the solids, which never touch before the solids do.
    Far,
    Spheres,
    /// The plane belongs to the first or the second solid, the point or sphere to the other.
    Plane(usize),
    /// The edge belongs to the first or the second solid, the point or sphere to the other.
    Edge(usize),
    /// The plane belongs to the first or the second solid, the rim of a cylinder along z to the other: the point is its middle.
    Rim(usize),
    /// Two edges that cross. The second runs so that the first × the second leads from the first solid to the second.
    Edges,
}

impl Found {
    /// Nothing near, between solids that hold spheres of these radii about their origins.
    pub(super) fn far(radii: [f64; 2]) -> Self {
        Found { key: 0, kind: Kind::Far, points: [[0.0; 3]; 2], ways: [[0.0, 0.0, 1.0]; 2], radii }
    }

    pub(super) fn point(&self, slot: usize) -> Vector3<f64> {
        self.points[slot].into()
    }

    fn way(&self, slot: usize) -> Vector3<f64> {
        self.ways[slot].into()
    }

    /// The same place up to rounding.
    pub(super) fn agrees(&self, other: &Found, size: f64) -> bool {
        const SAME: f64 = 1e-9;
        // that between spheres only tells where tangents are built about
        const TURNED: f64 = 0.5;
        let turned = if self.kind == Kind::Spheres { TURNED } else { SAME };
        self.kind == other.kind
            && (0..2).all(|slot| {
                (self.point(slot) - other.point(slot)).norm() < SAME * size
                    && (self.way(slot) - other.way(slot)).norm() < turned
            })
    }

    /// The contact between the solids in the frames of the markers; `planes` are those in which both bodies move.
    pub(super) fn contact(
        &self,
        markers: &[Marker; 2],
        planes: &[Option<Vector3<f64>>; 2],
        law: ImpactLaw,
    ) -> Result<Unilateral, ModelError> {
        let moved = |slot: usize, frame: Frame| Marker {
            frame: markers[slot].frame * frame,
            ..markers[slot]
        };
        let at = |slot: usize| moved(slot, Frame::new(self.point(slot), Quaternion::identity()));
        // a pair whose first marker has the axis or normal along z
        let pair = |slot: usize, way: Vector3<f64>, b: Marker| {
            let frame = frame_along(self.point(slot), way);
            let plane = planes[slot].map(|plane| frame.orientation.rotate_back(&plane));
            Pair { a: moved(slot, frame), b, plane }
        };
        match self.kind {
            Kind::Far => {
                let pair = Pair { a: markers[0], b: markers[1], plane: planes[0] };
                spheres(&pair, self.radii, ImpactLaw { friction: 0.0, ..law })
            }
            // tangents are built about the z axis of the first marker
            Kind::Spheres => spheres(&pair(0, self.way(0), at(1)), self.radii, law),
            Kind::Plane(slot) => {
                let pair = pair(slot, self.way(slot), at(1 - slot));
                sphere_on_plane(&pair, self.radii[1 - slot], law)
            }
            Kind::Rim(slot) => {
                let pair = pair(slot, self.way(slot), at(1 - slot));
                let (radius, plane) = (self.radii[1 - slot], pair.plane);
                Unilateral::new(
                    Box::new(Relative::new(pair.a, pair.b, RimGap { radius })),
                    Some(Box::new(Relative::new(pair.a, pair.b, RimSlip { radius, plane }))),
                    law,
                )
            }
            Kind::Edge(slot) => {
                let pair = pair(slot, self.way(slot), at(1 - slot));
                self.ridge(&pair, 1 - slot, Normal::Aside, law)
            }
            Kind::Edges => {
                let b = moved(1, frame_along(self.point(1), self.way(1)));
                self.ridge(&pair(0, self.way(0), b), 1, Normal::Across, law)
            }
        }
    }

    /// Contact with an edge along z of the first marker of a pair; the second belongs to a solid.
    fn ridge(
        &self,
        pair: &Pair,
        solid: usize,
        normal: Normal,
        law: ImpactLaw,
    ) -> Result<Unilateral, ModelError> {
        let radius = self.radii[solid];
        let gap = Ridge { normal, reach: self.radii[0] + self.radii[1] };
        let slip = Slip { normal, arm: -radius, plane: pair.plane };
        let contact = Unilateral::new(
            Box::new(Relative::new(pair.a, pair.b, gap)),
            Some(Box::new(Relative::new(pair.a, pair.b, slip))),
            law,
        )?;
        Ok(match normal {
            Normal::Aside => contact.touching_with(Sphere { marker: pair.b, radius }),
            _ => contact,
        })
    }

    /// Whether one from a checkpoint may be used.
    pub(super) fn is_sound(&self) -> bool {
        let slot = match self.kind {
            Kind::Plane(slot) | Kind::Edge(slot) | Kind::Rim(slot) => slot,
            Kind::Far | Kind::Spheres | Kind::Edges => 0,
        };
        let numbers = self.points.as_flattened().iter().chain(self.ways.as_flattened());
        slot < 2
            && numbers.chain(&self.radii).all(|number| number.is_finite())
            && self.radii.iter().all(|radius| *radius >= 0.0)
    }
}
