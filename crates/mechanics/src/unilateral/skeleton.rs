//! What of a solid may touch first: its corners, its sharp edges and its faces, with a radius about them.
//!
//! A sphere is a corner and a capsule an edge, each with its radius; a box, a hull and a mesh have none. Edges and corners at which the
//! solid is hollow cannot touch before others do, and edges between faces in one plane are none.

use crate::force::to_library;
use crate::shape::{Mesh, Shape};
use nalgebra::Vector3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use std::collections::HashMap;

/// Faces lie in one plane up to this sine.
const FLAT: f64 = 1e-6;
/// How far a direction may leave the cone of directions in which a feature is in front: a solid that turns by that much within a
/// step touches there all the same.
pub(super) const LEANING: f64 = 0.1;

/// A corner.
#[derive(Clone)]
pub(super) struct Corner {
    pub(super) place: Vector3<f64>,
    /// The mean of the normals about it, weighted by their angles; nothing for what has no faces.
    pub(super) outwards: Vector3<f64>,
    /// Directions of the edges that leave it.
    edges: Vec<Vector3<f64>>,
}

impl Corner {
    /// Whether it is in front of all about it in a direction.
    pub(super) fn faces(&self, way: &Vector3<f64>) -> bool {
        (self.outwards == Vector3::zeros() || self.outwards.dot(way) > 0.0)
            && self.edges.iter().all(|edge| edge.dot(way) <= LEANING)
    }
}

/// A straight sharp edge.
#[derive(Clone)]
pub(super) struct Edge {
    pub(super) ends: [Vector3<f64>; 2],
    /// From the edge into the faces on either side of it, at right angles to it; nothing for the axis of a capsule.
    into: Option<[Vector3<f64>; 2]>,
    /// The sum of the normals of these faces.
    pub(super) outwards: Vector3<f64>,
}

impl Edge {
    /// Whether it is in front of its faces in a direction.
    pub(super) fn faces(&self, way: &Vector3<f64>) -> bool {
        self.into.is_none_or(|into| into.iter().all(|into| into.dot(way) <= LEANING))
    }

    pub(super) fn has_faces(&self) -> bool {
        self.into.is_some()
    }
}

/// A flat convex face: a triangle of a mesh or the side of a box.
#[derive(Clone)]
pub(super) struct Face {
    /// The same for all triangles of one plane that hang together.
    pub(super) number: u32,
    pub(super) normal: Vector3<f64>,
    pub(super) height: f64,
    /// A point within it.
    pub(super) middle: Vector3<f64>,
    /// Its sides: the direction out of the face, where it ends, and whether the solid goes on there, higher than the face.
    sides: Vec<(Vector3<f64>, f64, bool)>,
}

impl Face {
    /// Whether a point lies over it, up to `slack`, and up to `reach` where it runs into another face.
    pub(super) fn holds(&self, point: &Vector3<f64>, slack: f64, reach: f64) -> bool {
        let inside = |(out, end, valley): &(Vector3<f64>, f64, bool)| {
            out.dot(point) <= end + if *valley { reach } else { slack }
        };
        self.sides.iter().all(inside)
    }
}

/// All of them, in the axes of the solid.
#[derive(Clone)]
pub(super) struct Skeleton {
    pub(super) corners: Vec<Corner>,
    pub(super) edges: Vec<Edge>,
    pub(super) faces: Vec<Face>,
    pub(super) radius: f64,
    /// Where edges and faces are.
    pub(super) edge_tree: Bvh,
    pub(super) face_tree: Bvh,
    /// The box about all.
    pub(super) bounds: Aabb,
}

impl Skeleton {
    /// That of a shape; none of a cylinder, which is round in a way that has no skeleton.
    pub(super) fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Sphere { radius } => Some(Skeleton::line(*radius, &[Vector3::zeros()])),
            Shape::Capsule { radius, length } => {
                let end = Vector3::new(0.0, 0.0, 0.5 * length);
                Some(Skeleton::line(*radius, &[-end, end]))
            }
            Shape::Box { size } => Some(Skeleton::of_faces(&corners(size), &SIDES.map(Vec::from))),
            Shape::Mesh(mesh) => Some(Skeleton::of_mesh(mesh)),
            Shape::Cylinder { .. } => None,
        }
    }

    fn line(radius: f64, ends: &[Vector3<f64>]) -> Self {
        let along = |from: usize| ends.get(1 - from).map(|to| (to - ends[from]).normalize());
        let corner = |k: usize| Corner {
            place: ends[k],
            outwards: Vector3::zeros(),
            edges: along(k).into_iter().collect(),
        };
        let edge = |pair: &[Vector3<f64>]| Edge {
            ends: [pair[0], pair[1]],
            into: None,
            outwards: Vector3::zeros(),
        };
        let corners = (0..ends.len()).map(corner).collect();
        Skeleton::built(corners, ends.windows(2).map(edge).collect(), Default::default(), radius)
    }

    fn of_mesh(mesh: &Mesh) -> Self {
        let triangles: Vec<Vec<usize>> = mesh.triangles().iter().map(|t| t.to_vec()).collect();
        Skeleton::of_faces(mesh.vertices(), &triangles)
    }

    /// From flat convex faces, whose corners run anticlockwise seen from outside, and each of whose sides has a neighbour.
    fn of_faces(places: &[Vector3<f64>], rings: &[Vec<usize>]) -> Self {
        let normal = |ring: &[usize]| {
            let [a, b, c] = [0, 1, 2].map(|k| places[ring[k]]);
            (b - a).cross(&(c - a)).try_normalize(0.0)
        };
        // slivers without a normal touch nowhere that their neighbours do not
        let rings: Vec<(&[usize], Vector3<f64>)> =
            rings.iter().filter_map(|ring| Some((ring.as_slice(), normal(ring)?))).collect();
        let mut owners: HashMap<(usize, usize), usize> = HashMap::new();
        for (face, (ring, _)) in rings.iter().enumerate() {
            owners.extend(sides(ring).map(|side| (side, face)));
        }
        let (mut faces, mut boxes) = (Vec::with_capacity(rings.len()), Vec::new());
        let mut edges = Vec::new();
        let mut planes = Planes((0..rings.len()).collect());
        let mut around: Vec<(Vector3<f64>, Vec<Vector3<f64>>)> =
            vec![(Vector3::zeros(), Vec::new()); places.len()];
        for (face, (ring, normal)) in rings.iter().enumerate() {
            let mut borders = Vec::with_capacity(ring.len());
            for (k, (a, b)) in sides(ring).enumerate() {
                let along = (places[b] - places[a]).normalize();
                let out = along.cross(normal);
                let neighbour = owners.get(&(b, a)).copied();
                let other = neighbour.map(|other| rings[other].1);
                // the rise of the neighbour over this face
                let rise = other.map_or(0.0, |other| -other.dot(&out));
                borders.push((out, out.dot(&places[a]), rise > FLAT));
                let before =
                    (places[ring[(k + ring.len() - 1) % ring.len()]] - places[a]).normalize();
                around[a].0 += normal * before.dot(&along).clamp(-1.0, 1.0).acos();
                around[a].1.push(along);
                match (neighbour, other) {
                    (Some(neighbour), Some(other))
                        if rise < -FLAT || other.dot(normal) < 0.0 && rise <= 0.0 =>
                    {
                        let into = [-out, along.cross(&other)];
                        let ends = [places[a], places[b]];
                        let edge = Edge { ends, into: Some(into), outwards: normal + other };
                        // either face comes by
                        edges.extend((face < neighbour).then_some(edge));
                    }
                    (Some(neighbour), _) if rise.abs() <= FLAT => planes.join(face, neighbour),
                    _ => {}
                }
            }
            let middle = ring.iter().map(|k| places[*k]).sum::<Vector3<f64>>() / ring.len() as f64;
            let height = normal.dot(&middle);
            faces.push(Face { number: 0, normal: *normal, height, middle, sides: borders });
            boxes.push(about(ring.iter().map(|k| places[*k])));
        }
        for (k, face) in faces.iter_mut().enumerate() {
            face.number = planes.first(k) as u32;
        }
        let corners = std::iter::zip(places, around);
        let corners =
            corners.map(|(&place, (outwards, edges))| Corner { place, outwards, edges }).collect();
        Skeleton::built(corners, edges, (faces, boxes), 0.0)
    }

    fn built(
        corners: Vec<Corner>,
        edges: Vec<Edge>,
        (faces, boxes): (Vec<Face>, Vec<Aabb>),
        radius: f64,
    ) -> Self {
        let edge_boxes: Vec<Aabb> = edges.iter().map(|edge| about(edge.ends)).collect();
        let strategy = BvhBuildStrategy::default();
        Skeleton {
            edge_tree: Bvh::from_leaves(strategy, &edge_boxes),
            face_tree: Bvh::from_leaves(strategy, &boxes),
            bounds: about(corners.iter().map(|corner| corner.place)),
            corners,
            edges,
            faces,
            radius,
        }
    }
}

/// The box about some points.
pub(super) fn about(points: impl IntoIterator<Item = Vector3<f64>>) -> Aabb {
    Aabb::from_points(points.into_iter().map(|point| to_library(&point)))
}

/// Faces in one plane that hang together go by the number of the first.
struct Planes(Vec<usize>);

impl Planes {
    fn first(&self, mut face: usize) -> usize {
        while self.0[face] != face {
            face = self.0[face];
        }
        face
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
    }
}

fn sides(ring: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..ring.len()).map(|k| (ring[k], ring[(k + 1) % ring.len()]))
}

/// The corners of a box.
fn corners(size: &Vector3<f64>) -> Vec<Vector3<f64>> {
    crate::force::support_points(&Shape::Box { size: *size }).0
}

/// The sides of a box, by the numbers of its corners.
const SIDES: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
