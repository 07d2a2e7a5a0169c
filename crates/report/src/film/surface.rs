//! Flat faces as triangles with normals, smooth where the surface is round.

use nalgebra::Vector3;
use rotula_mechanics::picture::Form;
use std::collections::HashMap;

/// Faces that meet at a smaller angle than this are shaded as one round surface.
const ROUND: f64 = 0.82; // cos 35°

/// Triangles: three corners each, with a normal at each corner; and edges: two ends each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Surface {
    pub corners: Vec<Vector3<f64>>,
    pub normals: Vec<Vector3<f64>>,
    pub edges: Vec<Vector3<f64>>,
}

/// Corners of a face, whether its edges are sharp, and the direction out of it.
type Face<'a> = (&'a [Vector3<f64>], bool, Vector3<f64>);

/// The surface that all faces among the forms make.
pub(crate) fn surface<'a>(forms: impl Iterator<Item = &'a Form>) -> Surface {
    let faces: Vec<Face> = forms
        .filter_map(|form| match form {
            Form::Face { corners, sharp } => Some((&corners[..], *sharp, normal(corners)?)),
            _ => None,
        })
        .collect();
    let mut round: HashMap<[u64; 3], Vec<Vector3<f64>>> = HashMap::new();
    for (corners, _, normal) in faces.iter().filter(|(_, sharp, _)| !sharp) {
        corners.iter().for_each(|corner| round.entry(key(corner)).or_default().push(*normal));
    }
    let mut out = Surface::default();
    for (corners, sharp, normal) in &faces {
        let at = |corner: &Vector3<f64>| match round.get(&key(corner)) {
            Some(others) if !sharp => {
                let near = others.iter().filter(|other| other.dot(normal) > ROUND);
                near.sum::<Vector3<f64>>().try_normalize(0.0).unwrap_or(*normal)
            }
            _ => *normal,
        };
        for pair in corners[1..].windows(2) {
            for corner in [&corners[0], &pair[0], &pair[1]] {
                out.corners.push(*corner);
                out.normals.push(at(corner));
            }
        }
        if *sharp {
            for k in 0..corners.len() {
                out.edges.extend([corners[k], corners[(k + 1) % corners.len()]]);
            }
        }
    }
    out
}

/// Corners of neighbours differ by rounding only.
fn key(corner: &Vector3<f64>) -> [u64; 3] {
    // adding zero makes one of the two zeros
    [corner.x, corner.y, corner.z].map(|x| u64::from((x as f32 + 0.0).to_bits()))
}

/// The direction out of a face; none if it has no area.
fn normal(corners: &[Vector3<f64>]) -> Option<Vector3<f64>> {
    let first = corners.first()?;
    let fan = corners[1..].windows(2).map(|pair| (pair[0] - first).cross(&(pair[1] - first)));
    fan.sum::<Vector3<f64>>().try_normalize(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(corners: [[f64; 3]; 4], sharp: bool) -> Form {
        Form::Face { corners: corners.map(|[x, y, z]| Vector3::new(x, y, z)).to_vec(), sharp }
    }

    #[test]
    fn round_faces_share_normals_and_sharp_ones_have_edges() {
        // two faces that meet along x = 0 at an angle of about 11°
        let left = [[-1.0, 0.0, -0.1], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 1.0, -0.1]];
        let right = [[0.0, 0.0, 0.0], [1.0, 0.0, -0.1], [1.0, 1.0, -0.1], [0.0, 1.0, 0.0]];
        let round = surface([face(left, false), face(right, false)].iter());
        assert_eq!((round.corners.len(), round.normals.len(), round.edges.len()), (12, 12, 0));
        for (corner, normal) in round.corners.iter().zip(&round.normals) {
            assert!(corner.x != 0.0 || (normal - Vector3::z()).norm() < 1e-12);
        }
        let sharp = surface([face(left, true), face(right, true)].iter());
        assert_eq!(sharp.edges.len(), 16);
        assert!(sharp.normals.iter().all(|normal| normal.x != 0.0));
    }
}
