//! Meshes from files.

use super::Mesh;
use crate::error::{ModelError, Refusal, refusal};
use nalgebra::Vector3;
use std::io::Cursor;
use std::path::Path;

impl Mesh {
    /// Reads an STL file (binary or text) or an OBJ file, as its name ends. Lengths in the file are
    /// multiplied by `scale`: 0.001 if it was drawn in millimetres.
    pub fn read(path: impl AsRef<Path>, scale: f64) -> Result<Self, ModelError> {
        let path = path.as_ref();
        let fault = |what: Refusal| ModelError::invalid(format!("mesh `{}`", path.display()), what);
        if !(scale.is_finite() && scale > 0.0) {
            return Err(fault(
                refusal!("a scale of {scale} makes no sense"; "give a positive number"),
            ));
        }
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
        let read = match ending.as_str() {
            "stl" => read_stl,
            "obj" => read_obj,
            _ => return Err(fault("name a file that ends in .stl or .obj".into())),
        };
        let content = rotula_files::read(path);
        let content = content.map_err(|e| fault(format!("it cannot be opened: {e}").into()))?;
        let (mut vertices, triangles) = read(&content).map_err(fault)?;
        vertices.iter_mut().for_each(|v| *v *= scale);
        Mesh::new(&vertices, &triangles).map_err(|error| match error {
            ModelError::Invalid { refusal, .. } => fault(refusal),
            other => other,
        })
    }
}

type Surface = (Vec<Vector3<f64>>, Vec<[usize; 3]>);

fn read_stl(content: &[u8]) -> Result<Surface, Refusal> {
    let mesh = stl_io::read_stl(&mut Cursor::new(content))
        .map_err(|e| format!("it is not a good STL: {e}"))?;
    let vertices = mesh.vertices.iter().map(|v| Vector3::from(v.0.map(f64::from))).collect();
    Ok((vertices, mesh.faces.iter().map(|face| face.vertices).collect()))
}

fn read_obj(mut content: &[u8]) -> Result<Surface, Refusal> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    // materials say nothing about the solid
    let materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut content, &options, materials)
        .map_err(|e| format!("it is not a good OBJ: {e}"))?;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for model in models {
        let first = vertices.len();
        let (points, _) = model.mesh.positions.as_chunks::<3>();
        vertices.extend(points.iter().map(|p| Vector3::from(*p)));
        let (faces, _) = model.mesh.indices.as_chunks::<3>();
        triangles.extend(faces.iter().map(|face| face.map(|k| first + k as usize)));
    }
    Ok((vertices, triangles))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A tetrahedron with three edges of length 2 along the axes.
    const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
    const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    /// A file that goes away with the test.
    struct Scrap(PathBuf);

    impl Scrap {
        fn new(name: &str, content: &[u8]) -> Self {
            let unique = format!("rotula-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(unique);
            std::fs::write(&path, content).unwrap();
            Scrap(path)
        }
    }

    impl Drop for Scrap {
        fn drop(&mut self) {
            std::fs::remove_file(&self.0).ok();
        }
    }

    fn check(name: &str, content: &[u8]) {
        let file = Scrap::new(name, content);
        let mesh = Mesh::read(&file.0, 0.5).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (4, 4), "{name}");
        mesh.check_solid().unwrap();
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-15, "{name}: {}", mesh.volume());
    }

    #[test]
    fn stl_in_both_forms() {
        let mut text = String::from("solid tetrahedron\n");
        let mut binary = vec![0u8; 80];
        binary.extend(4u32.to_le_bytes());
        for face in FACES {
            text += "facet normal 0 0 0\nouter loop\n";
            binary.extend([0u8; 12]);
            for k in face {
                let [x, y, z] = CORNERS[k];
                text += &format!("vertex {x} {y} {z}\n");
                binary.extend(CORNERS[k].iter().flat_map(|x| x.to_le_bytes()));
            }
            text += "endloop\nendfacet\n";
            binary.extend([0u8; 2]);
        }
        text += "endsolid tetrahedron\n";
        check("text.stl", text.as_bytes());
        check("binary.stl", &binary);
    }

    #[test]
    fn obj_with_two_groups_that_share_vertices() {
        let mut text = String::from("mtllib none.mtl\n");
        for [x, y, z] in CORNERS {
            text += &format!("v {x} {y} {z}\n");
        }
        for (k, [a, b, c]) in FACES.iter().enumerate() {
            if k % 2 == 0 {
                text += &format!("g part{k}\n");
            }
            text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
        }
        check("groups.obj", text.as_bytes());
    }

    #[test]
    fn files_that_are_no_meshes() {
        let error = |path: &Path| Mesh::read(path, 1.0).unwrap_err().to_string();
        assert!(error(Path::new("nowhere.stl")).contains("cannot be opened"));
        assert!(error(Path::new("model.step")).contains(".stl or .obj"));
        let torn = Scrap::new("torn.stl", b"solid x\nfacet normal 0 0 0\nouter loop\nvertex 1 2");
        assert!(error(&torn.0).contains("not a good STL"), "{}", error(&torn.0));
        let empty = Scrap::new("empty.obj", b"v 0 0 0\n");
        assert!(error(&empty.0).contains("no triangles"), "{}", error(&empty.0));
    }
}
