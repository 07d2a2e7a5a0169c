//! Loads on a reduced body: forces and moments at nodes and interfaces, pressure on faces, forces spread over the mass.

use crate::face::Face;
use crate::flexible::{FlexibleBody, Surface};
use nalgebra::{DVector, Vector3};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Cells of beams and shells in VTK.
const THIN: [u8; 3] = [3, 5, 9];

/// What a load does to the frame of a body and to its shapes, in the axes of the frame and at the
/// undeformed place of where it acts.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyLoad {
    /// Force.
    pub force: Vector3<f64>,
    /// Moment about the centre of mass of the undeformed body.
    pub moment: Vector3<f64>,
    /// Force on each shape.
    pub shapes: DVector<f64>,
}

impl BodyLoad {
    /// Both loads together.
    pub fn with(self, other: BodyLoad) -> BodyLoad {
        BodyLoad {
            force: self.force + other.force,
            moment: self.moment + other.moment,
            shapes: self.shapes + other.shapes,
        }
    }
}

impl FlexibleBody {
    /// Forces at nodes, given by their indices.
    pub fn nodal_load(&self, forces: impl IntoIterator<Item = (usize, Vector3<f64>)>) -> BodyLoad {
        let surface = &self.surface;
        let centre = self.inertia.centre();
        let mut load = self.no_load();
        for (node, force) in forces {
            load.force += force;
            load.moment += (surface.position(node) - centre).cross(&force);
            load.shapes += surface.displacement.fixed_rows::<3>(3 * node).tr_mul(&force);
        }
        load
    }

    /// Moments at nodes, given by their indices. None if one of these has no rotations.
    pub fn nodal_moments(
        &self,
        moments: impl IntoIterator<Item = (usize, Vector3<f64>)>,
    ) -> Option<BodyLoad> {
        let surface = &self.surface;
        let mut load = self.no_load();
        for (node, moment) in moments {
            let place = surface.turning.binary_search(&node).ok()?;
            load.moment += moment;
            load.shapes += surface.rotation.fixed_rows::<3>(3 * place).tr_mul(&moment);
        }
        Some(load)
    }

    /// A force and a moment at a frame, given by its place in the list.
    pub fn frame_load(&self, frame: usize, force: Vector3<f64>, moment: Vector3<f64>) -> BodyLoad {
        let frame = &self.frames[frame];
        let lever = frame.position - self.inertia.centre();
        let shapes = frame.modal_load(force, moment);
        BodyLoad { force, moment: moment + lever.cross(&force), shapes }
    }

    /// A pressure on the faces whose nodes are all among some. It pushes against solids from outside, and
    /// on shells against their normal. None if there is no such face.
    pub fn pressure_load(&self, nodes: &[usize], pressure: f64) -> Option<BodyLoad> {
        let mut forces: BTreeMap<usize, Vector3<f64>> = BTreeMap::new();
        for (face, outward) in self.surface.outer_faces(nodes) {
            let areas = face.areas(|node| self.surface.position(node));
            for (node, area) in face.nodes.iter().zip(areas) {
                *forces.entry(*node).or_default() -= area * (outward * pressure);
            }
        }
        (!forces.is_empty()).then(|| self.nodal_load(forces))
    }

    /// A force spread over the body like its mass; over a uniform beam, evenly along it.
    pub fn spread_load(&self, force: Vector3<f64>) -> BodyLoad {
        let shapes = self.inertia.shape_first.tr_mul(&force) / self.inertia.mass;
        BodyLoad { force, shapes, ..self.no_load() }
    }

    /// Forces on the shapes alone.
    pub fn shape_load(&self, shapes: DVector<f64>) -> BodyLoad {
        BodyLoad { shapes, ..self.no_load() }
    }

    fn no_load(&self) -> BodyLoad {
        let shapes = DVector::zeros(self.shapes());
        BodyLoad { force: Vector3::zeros(), moment: Vector3::zeros(), shapes }
    }
}

impl Surface {
    /// Whether a node belongs to a beam or a shell, so that its mesh has rotations there.
    pub fn is_thin(&self, node: usize) -> bool {
        let mut start = 0;
        self.cells.iter().zip(&self.ends).any(|(cell, &end)| {
            let own = &self.connectivity[start..end];
            start = end;
            THIN.contains(cell) && own.contains(&node)
        })
    }

    /// Where a node is in the undeformed body.
    pub fn position(&self, node: usize) -> Vector3<f64> {
        Vector3::from_column_slice(&self.positions[3 * node..3 * node + 3])
    }

    /// Faces of one element only whose nodes are all among some, with 1 where their normal points out of the
    /// element or −1.
    fn outer_faces(&self, nodes: &[usize]) -> Vec<(Face, f64)> {
        let chosen: BTreeSet<usize> = nodes.iter().copied().collect();
        let mut found: HashMap<Vec<usize>, Option<(Face, f64)>> = HashMap::new();
        let mut start = 0;
        for (cell, &end) in self.cells.iter().zip(&self.ends) {
            let of_cell = &self.connectivity[start..end];
            start = end;
            let middle: Vector3<f64> = of_cell.iter().map(|node| self.position(*node)).sum();
            let middle = middle / of_cell.len() as f64;
            for face in Face::of(*cell, of_cell) {
                if !face.nodes.iter().all(|node| chosen.contains(node)) {
                    continue;
                }
                let normal: Vector3<f64> = face.areas(|node| self.position(node)).into_iter().sum();
                let side = normal.dot(&(self.position(face.nodes[0]) - middle));
                let shell = face.nodes.len() == of_cell.len();
                let outward = if shell { 1.0 } else { side.signum() };
                let mut key = face.nodes.clone();
                key.sort_unstable();
                // a face of two elements is inside
                found.entry(key).and_modify(|face| *face = None).or_insert(Some((face, outward)));
            }
        }
        let mut faces: Vec<(Face, f64)> = found.into_values().flatten().collect();
        // sums in one order, whatever the order of the map
        faces.sort_by(|a, b| a.0.nodes.cmp(&b.0.nodes));
        faces
    }
}
