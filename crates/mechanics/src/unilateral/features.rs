//! Which corners, edges and faces of two solids meet: a corner over a face, two edges that cross, and of round solids corners
//! and edges beside each other too.
//!
//! Each is looked at on its own: a gap along a direction in which both features are in front of their solids is a true distance,
//! so that hollow solids need no parts. Of a corner below several faces that form an edge or a slab, the face counts that is nearest.

use super::found::{Found, Kind};
use super::skeleton::{Corner, Edge, Face, Skeleton, about};
use crate::force::to_library;
use nalgebra::Vector3;
use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::shape::Shape;
use rotula_lie::Frame;

/// Edges cross at more than this sine; others meet at their ends, which touch by themselves.
const CROSSING: f64 = 1e-3;
/// Parts of the size that are rounding, and within which an edge that crosses another at a corner adds nothing to that corner.
const ROUNDING: f64 = 1e-9;
const NEAR: f64 = 1e-6;
/// How far inwards, as a part of the overlap.
const INWARDS: f64 = 0.25;
/// Directions lie in the plane of motion up to this sine.
const FLAT: f64 = 1e-6;

/// Two solids, where they are, and what to look for.
pub(super) struct Meeting<'a> {
    pub(super) skeletons: [&'a Skeleton; 2],
    /// From the axes of each to those of the other.
    pub(super) frames: [Frame; 2],
    /// Normals of the plane in which both move, in their axes.
    pub(super) planes: [Option<Vector3<f64>>; 2],
    /// Gaps up to this, and overlaps down to that depth.
    pub(super) margin: f64,
    pub(super) depth: f64,
    /// The size of the larger solid.
    pub(super) size: f64,
    /// The solids as the collision library knows them.
    pub(super) shapes: [&'a dyn Shape; 2],
}

impl Meeting<'_> {
    /// Lists all places, the same in the same order wherever the solids came from.
    pub(super) fn find(&self, out: &mut Vec<Found>) {
        // places of corners on faces, in the axes of the first
        let mut places = Vec::new();
        for slot in 0..2 {
            self.corners_on_faces(slot, &mut places, out);
        }
        if self.reach() > 0.0 {
            for slot in 0..2 {
                self.corners_beside_edges(slot, out);
            }
            self.corners_beside_corners(out);
        }
        self.crossing_edges(&places, out);
    }

    /// The sum of the radii.
    fn reach(&self) -> f64 {
        self.skeletons[0].radius + self.skeletons[1].radius
    }

    /// Whether a gap counts, between two points on the surfaces, in the axes of a solid. What overlaps does so in the middle between them,
    /// a little `inwards` of both features: a feature on the far side of a solid is behind it, not in it.
    fn near(
        &self,
        gap: f64,
        slot: usize,
        points: [Vector3<f64>; 2],
        inwards: Vector3<f64>,
    ) -> bool {
        if gap >= -NEAR * self.size {
            return gap <= self.margin;
        }
        let middle = (points[0] + points[1]) * 0.5 - inwards * (INWARDS * gap);
        let within = |k: usize| {
            let seen = if k == slot { middle } else { self.frames[slot].transform_point(&middle) };
            self.shapes[k].contains_local_point(to_library(&seen))
        };
        gap >= -self.depth && within(0) && within(1)
    }

    /// The corners of a solid that are near the other, with their places in its axes.
    fn corners(&self, slot: usize) -> impl Iterator<Item = (usize, &Corner, Vector3<f64>)> {
        let other = self.skeletons[1 - slot];
        let bounds = other.bounds.loosened(self.margin + self.reach());
        let each = self.skeletons[slot].corners.iter().enumerate();
        each.filter_map(move |(k, corner)| {
            let place = self.frames[slot].transform_point(&corner.place);
            let inside = bounds.contains_local_point(to_library(&place));
            inside.then_some((k, corner, place))
        })
    }

    /// Whether a corner of a solid is in front in a direction of the other's axes.
    fn in_front(&self, slot: usize, corner: &Corner, way: Vector3<f64>) -> bool {
        corner.faces(&self.frames[slot].orientation.rotate_back(&way))
    }

    /// Into the solid at one of its corners, in the axes of the other.
    fn inwards(&self, slot: usize, corner: &Corner) -> Vector3<f64> {
        -self.frames[slot].orientation.rotate(&unit(&corner.outwards))
    }

    fn corners_on_faces(&self, slot: usize, places: &mut Vec<Vector3<f64>>, out: &mut Vec<Found>) {
        let (other, reach) = (1 - slot, self.reach());
        let faces = &self.skeletons[other].faces;
        if faces.is_empty() {
            return;
        }
        let mut below: Vec<(&Face, f64)> = Vec::new();
        for (k, corner, place) in self.corners(slot) {
            below.clear();
            let bounds = about([place]).loosened(self.margin.max(self.depth) + reach);
            let (slack, valley) = (ROUNDING * self.size, self.margin.max(self.depth));
            for face in self.skeletons[other].face_tree.intersect_aabb(&bounds) {
                let face = &faces[face as usize];
                let height = face.normal.dot(&place) - face.height;
                let gap = height - reach;
                let surfaces = [place - face.normal * height, place - face.normal * reach];
                if gap <= self.margin
                    && face.holds(&place, slack, valley)
                    && self.in_front(slot, corner, -face.normal)
                    && self.near(gap, other, surfaces, self.inwards(slot, corner))
                {
                    below.push((face, gap));
                }
            }
            below.sort_by_key(|(face, _)| face.number);
            for &(face, gap) in &below {
                let hidden = |(nearer, other): &(&Face, f64)| {
                    gap < -slack && *other > gap && behind_each_other(face, nearer)
                };
                if below.iter().any(hidden) || !self.flat(other, &face.normal) {
                    continue;
                }
                let mut ways = [[0.0; 3]; 2];
                ways[other] = face.normal.into();
                let mut points = [[0.0; 3]; 2];
                points[other] = (face.normal * face.height).into();
                points[slot] = self.flattened(slot, corner.place).into();
                let key = key(Kind::Plane(other), k as u32, face.number);
                self.add(
                    Found { key, kind: Kind::Plane(other), points, ways, radii: self.radii() },
                    out,
                );
                places.push(if slot == 1 { place } else { corner.place });
            }
        }
    }

    fn corners_beside_edges(&self, slot: usize, out: &mut Vec<Found>) {
        let (other, reach) = (1 - slot, self.reach());
        for (k, corner, place) in self.corners(slot) {
            let bounds = about([place]).loosened(self.margin + reach);
            for number in self.skeletons[other].edge_tree.intersect_aabb(&bounds) {
                let edge = &self.skeletons[other].edges[number as usize];
                let along = edge.ends[1] - edge.ends[0];
                let at = (place - edge.ends[0]).dot(&along) / along.norm_squared();
                let off = place - edge.ends[0] - along * at;
                let Some(way) = off.try_normalize(0.0) else { continue };
                let foot = place - off + way * self.skeletons[other].radius;
                let surfaces = [foot, place - way * self.skeletons[slot].radius];
                let beside = (0.0..=1.0).contains(&at)
                    && self.near(off.norm() - reach, other, surfaces, -unit(&edge.outwards))
                    && edge.faces(&way)
                    && self.in_front(slot, corner, -way)
                    && self.flat(other, &way);
                if beside {
                    let mut ways = [[0.0; 3]; 2];
                    ways[other] = along.normalize().into();
                    let mut points = [[0.0; 3]; 2];
                    points[other] =
                        self.flattened(other, (edge.ends[0] + edge.ends[1]) * 0.5).into();
                    points[slot] = self.flattened(slot, corner.place).into();
                    let kind = Kind::Edge(other);
                    let key = key(kind, k as u32, number);
                    self.add(Found { key, kind, points, ways, radii: self.radii() }, out);
                }
            }
        }
    }

    fn corners_beside_corners(&self, out: &mut Vec<Found>) {
        for (j, second, place) in self.corners(1) {
            for (i, first) in self.skeletons[0].corners.iter().enumerate() {
                let off = place - first.place;
                let Some(way) = off.try_normalize(0.0) else { continue };
                let [r, s] = self.radii();
                let surfaces = [first.place + way * r, place - way * s];
                let beside = self.near(off.norm() - r - s, 0, surfaces, Vector3::zeros())
                    && first.faces(&way)
                    && self.in_front(1, second, -way);
                if !beside {
                    continue;
                }
                let points = [self.flattened(0, first.place), self.flattened(1, second.place)];
                let kind = Kind::Spheres;
                self.add(
                    Found {
                        key: key(kind, i as u32, j as u32),
                        kind,
                        points: points.map(<[f64; 3]>::from),
                        ways: [way.into(), [0.0; 3]],
                        radii: self.radii(),
                    },
                    out,
                );
            }
        }
    }

    fn crossing_edges(&self, places: &[Vector3<f64>], out: &mut Vec<Found>) {
        let [first, second] = self.skeletons;
        let reach = self.reach();
        for (i, a) in first.edges.iter().enumerate() {
            let ends = a.ends.map(|end| self.frames[0].transform_point(&end));
            let bounds = about(ends).loosened(self.margin.max(self.depth) + reach);
            if !bounds.intersects(&second.bounds) {
                continue;
            }
            for j in second.edge_tree.intersect_aabb(&bounds) {
                let b = &second.edges[j as usize];
                let Some(Crossing { way, gap, at, turned }) = self.crossing(a, b) else { continue };
                let doubled = places.iter().any(|place| (place - at).norm() < NEAR * self.size);
                let seen = self.frames[0].orientation.rotate(&way);
                let surfaces = [at + way * first.radius, at + way * (gap - second.radius)];
                let second_out = self.frames[1].orientation.rotate(&unit(&b.outwards));
                let inwards = -unit(&a.outwards) - second_out;
                if doubled
                    || !a.faces(&way)
                    || !b.faces(&-seen)
                    || !self.near(gap - reach, 0, surfaces, inwards)
                {
                    continue;
                }
                let directions = [a, b].map(|edge| (edge.ends[1] - edge.ends[0]).normalize());
                let found = Found {
                    key: key(Kind::Edges, i as u32, j),
                    kind: Kind::Edges,
                    points: [a, b].map(|edge| ((edge.ends[0] + edge.ends[1]) * 0.5).into()),
                    ways: [directions[0].into(), (directions[1] * turned).into()],
                    radii: self.radii(),
                };
                match self.planes[0] {
                    None => self.add(found, out),
                    Some(_) => {
                        self.add_flat(found, [directions[0], directions[1]], [way, seen], out)
                    }
                }
            }
        }
    }

    /// Where two edges are nearest, if that is between their ends.
    fn crossing(&self, a: &Edge, b: &Edge) -> Option<Crossing> {
        let from = b.ends.map(|end| self.frames[1].transform_point(&end));
        let (along, other) = (a.ends[1] - a.ends[0], from[1] - from[0]);
        let lengths = [along.norm(), other.norm()];
        let across = along.cross(&other);
        let sine = across.norm() / (lengths[0] * lengths[1]);
        if sine < CROSSING {
            return None;
        }
        let way = from[0] - a.ends[0];
        let size = across.norm_squared();
        let at = [way.cross(&other).dot(&across) / size, way.cross(&along).dot(&across) / size];
        let slack = lengths.map(|length| ROUNDING * self.size / length);
        if (0..2).any(|k| !(-slack[k]..=1.0 + slack[k]).contains(&at[k])) {
            return None;
        }
        let normal = across.normalize();
        let gap = normal.dot(&way);
        // out of the first and into the second; between axes, from one to the other
        let outwards =
            a.outwards.dot(&normal) - self.frames[1].orientation.rotate(&b.outwards).dot(&normal);
        let round = !a.has_faces() && !b.has_faces();
        let turned = if round { gap } else { outwards };
        let turned = if turned < 0.0 { -1.0 } else { 1.0 };
        let at = a.ends[0] + along * at[0];
        Some(Crossing { way: normal * turned, gap: gap * turned, at, turned })
    }

    /// Crossing edges of bodies that move in a plane: the one that leaves the plane is a corner there, the other a side.
    fn add_flat(
        &self,
        found: Found,
        directions: [Vector3<f64>; 2],
        ways: [Vector3<f64>; 2],
        out: &mut Vec<Found>,
    ) {
        let plane = |slot: usize| self.planes[slot].unwrap_or_default();
        let leaves = |slot: usize| 1.0 - directions[slot].dot(&plane(slot)).abs() < FLAT;
        let Some(corner) = (0..2).find(|slot| leaves(*slot)) else { return };
        let side = 1 - corner;
        if !self.flat(side, &directions[side]) {
            return;
        }
        // out of the solid that has the side
        let normal = if side == 0 { ways[0] } else { -ways[1] };
        let mut flat = Found { kind: Kind::Plane(side), ways: [[0.0; 3]; 2], ..found };
        flat.ways[side] = normal.into();
        flat.points[side] =
            (normal * (normal.dot(&found.point(side)) + self.skeletons[side].radius)).into();
        flat.points[corner] = self.flattened(corner, found.point(corner)).into();
        self.add(flat, out);
    }

    /// Whether a direction lies in the plane of motion, if there is one.
    fn flat(&self, slot: usize, way: &Vector3<f64>) -> bool {
        self.planes[slot].is_none_or(|plane| plane.dot(way).abs() < FLAT)
    }

    fn flattened(&self, slot: usize, point: Vector3<f64>) -> Vector3<f64> {
        self.planes[slot].map_or(point, |plane| point - plane * plane.dot(&point))
    }

    fn radii(&self) -> [f64; 2] {
        self.skeletons.map(|skeleton| skeleton.radius)
    }

    /// Lists a place unless it is there already.
    fn add(&self, found: Found, out: &mut Vec<Found>) {
        let same = |other: &Found| other.key == found.key || other.agrees(&found, self.size);
        if !out.iter().any(same) {
            out.push(found);
        }
    }
}

/// Two edges that cross, in the axes of the first solid.
struct Crossing {
    /// From the first to the second.
    way: Vector3<f64>,
    gap: f64,
    /// On the first.
    at: Vector3<f64>,
    /// −1 if the second edge runs the other way than that of [`Kind::Edges`].
    turned: f64,
}

/// The direction of what has one.
fn unit(way: &Vector3<f64>) -> Vector3<f64> {
    way.try_normalize(0.0).unwrap_or_default()
}

/// Whether two faces form an edge or the sides of a slab.
fn behind_each_other(a: &Face, b: &Face) -> bool {
    let behind = |face: &Face, other: &Face| face.normal.dot(&other.middle) < face.height;
    behind(a, b) && behind(b, a)
}

/// Kind and features in 44 bits, and two of them rarely alike.
pub(super) fn key(kind: Kind, first: u32, second: u32) -> u64 {
    let (kind, slot) = match kind {
        Kind::Far => return 0,
        Kind::Spheres => (1, 0),
        Kind::Plane(slot) => (2, slot),
        Kind::Edge(slot) => (3, slot),
        Kind::Edges => (4, 0),
        Kind::Rim(slot) => (5, slot),
    };
    let words = [2 * kind + slot as u32, first, second];
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, word| {
        // FNV-1a
        (hash ^ u64::from(*word)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    1 + ((hash ^ hash >> 44) & ((1 << 44) - 2))
}
