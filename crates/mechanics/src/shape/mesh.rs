//! Surfaces of triangles.

use crate::error::{ModelError, Refusal, refusal};
use nalgebra::Vector3;
use std::collections::HashMap;

/// Vertices and triangles; seen from outside, the vertices of a triangle run anticlockwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices: Vec<Vector3<f64>>,
    triangles: Vec<[usize; 3]>,
}

impl Mesh {
    /// A mesh. Vertices at the same place become one, and triangles that thereby lose a corner are
    /// left out.
    pub fn new(vertices: &[Vector3<f64>], triangles: &[[usize; 3]]) -> Result<Self, ModelError> {
        let fault = |what: Refusal| Err(ModelError::invalid("mesh", what));
        if let Some(k) = vertices.iter().position(|v| v.iter().any(|x| !x.is_finite())) {
            return fault(format!("vertex {} is not finite", k + 1).into());
        }
        let outside = triangles.iter().position(|t| t.iter().any(|k| *k >= vertices.len()));
        if let Some(k) = outside {
            return fault(
                format!(
                    "triangle {} speaks of a vertex beyond the {} there are",
                    k + 1,
                    vertices.len()
                )
                .into(),
            );
        }
        let mut places: HashMap<[u64; 3], usize> = HashMap::new();
        let mut kept = Vec::new();
        let number: Vec<usize> = vertices
            .iter()
            .map(|v| {
                // adding zero makes one of the two zeros
                let bits = [v.x, v.y, v.z].map(|x| (x + 0.0).to_bits());
                *places.entry(bits).or_insert_with(|| {
                    kept.push(*v);
                    kept.len() - 1
                })
            })
            .collect();
        let triangles: Vec<[usize; 3]> = triangles
            .iter()
            .map(|t| t.map(|k| number[k]))
            .filter(|[a, b, c]| a != b && b != c && c != a)
            .collect();
        if triangles.is_empty() {
            return fault("it has no triangles".into());
        }
        Ok(Mesh { vertices: kept, triangles })
    }

    /// The vertices.
    pub fn vertices(&self) -> &[Vector3<f64>] {
        &self.vertices
    }

    /// The triangles, as numbers of vertices.
    pub fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    /// The places of the corners of all triangles.
    pub fn corners(&self) -> impl Iterator<Item = [Vector3<f64>; 3]> + '_ {
        self.triangles.iter().map(|t| t.map(|k| self.vertices[k]))
    }

    /// The enclosed volume; negative if the triangles look inwards.
    pub fn volume(&self) -> f64 {
        let origin = self.vertices[0];
        let tetrahedron = |[a, b, c]: [Vector3<f64>; 3]| {
            (a - origin).dot(&(b - origin).cross(&(c - origin))) / 6.0
        };
        self.corners().map(tetrahedron).sum()
    }

    /// The same surface with its sides exchanged.
    pub fn reversed(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self
    }

    /// Whether the surface encloses a solid: every edge has a triangle on either side, all triangles
    /// run the same way round, and they look outwards.
    pub fn check_solid(&self) -> Result<(), ModelError> {
        let fault = |what: Refusal| Err(ModelError::invalid("mesh", what));
        let mut edges: HashMap<(usize, usize), usize> = HashMap::new();
        for t in &self.triangles {
            for k in 0..3 {
                *edges.entry((t[k], t[(k + 1) % 3])).or_default() += 1;
            }
        }
        // in the order of the triangles, so that the message is the same in every run
        let runs = self.triangles.iter().flat_map(|t| (0..3).map(|k| (t[k], t[(k + 1) % 3])));
        for (a, b) in runs {
            let place = |k: usize| {
                let v = self.vertices[k];
                format!("({}, {}, {})", v.x, v.y, v.z)
            };
            let between = || format!("the edge from {} to {}", place(a), place(b));
            let same_way = edges[&(a, b)];
            let other_way = edges.get(&(b, a)).copied().unwrap_or(0);
            if same_way + other_way == 1 {
                return fault(refusal!(
                    "it is open: {} has a triangle on one side only", between();
                    "close the hole"
                ));
            }
            if same_way != other_way {
                return fault(refusal!(
                    "its triangles do not all run the same way round: {} is met {same_way} \
                     times one way and {other_way} times the other", between();
                    "make the normals consistent"
                ));
            }
        }
        if self.volume() <= 0.0 {
            return fault(refusal!(
                "it is inside out: it encloses {:.4e} m³", self.volume();
                "reverse its triangles so that, seen from outside, their vertices run \
                 anticlockwise"
            ));
        }
        Ok(())
    }
}
