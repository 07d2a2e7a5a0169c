//! The file `.flex`: a reduced body.
//!
//! A ZIP archive, not compressed, of `header.json` and arrays of doubles in NumPy's format:
//! `numpy.load("body.flex")` reads the arrays. All is in SI units and in the axes of the mesh.
//!
//! The header has the keys `format` ("rotula flexible body"), `version` (1), `title`, `method`,
//! `cut_off` (hertz, or null), `floats`, `frames`, a list of `name` and `position`, and `sets`, lists of the
//! numbers of nodes. With n shapes, f frames, p nodes and e elements, the arrays are
//!
//! | array | shape | content |
//! |---|---|---|
//! | `mass` | 1 | mass |
//! | `first`, `second`, `spin` | 3; 3, 3; 3, 3 | ∫x dm, ∫xxᵀ dm, rotary inertia of beam sections |
//! | `shape_first` | 3, n | ∫φ_k dm |
//! | `shape_second` | 3, 3n | ∫xφ_kᵀ dm, blocks side by side |
//! | `shape_product` | 3n, 3n | ∫φ_kφ_lᵀ dm, blocks |
//! | `shape_spin` | 3, n | rotary inertia times ψ_k |
//! | `modal_mass` | n, n | modal mass |
//! | `stiffness`, `damping` | n | squares of angular frequencies, ratios of critical damping |
//! | `frame_translation`, `frame_rotation` | 3f, n | displacement and rotation of the frames |
//! | `node_labels`, `node_positions` | p; p, 3 | nodes |
//! | `node_displacement`, `node_stress` | 3p, n; 6p, n | shapes and stress (xx, yy, zz, xy, yz, zx) |
//! | `section_nodes`, `section_sizes`, `section_forces` | r; 4r; 6r, n | ends of beams with round sections: nodes, area, second moment, radius and peak of shear, section forces |
//! | `turning_nodes`, `node_rotation` | r; 3r, n | places of the nodes with rotations, and these; may be missing |
//! | `cell_types`, `cell_nodes`, `cell_ends` | e; …; e | elements as VTK numbers them |

use crate::error::{MeshError, Place};
use crate::flexible::{FlexibleBody, FlexibleFrame, Inertia, Surface};
use crate::npy::Array;
use crate::round_sections::RoundSections;
use nalgebra::{DMatrix, Matrix3, Vector3};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

const FORMAT: &str = "rotula flexible body";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    title: String,
    method: String,
    cut_off: Option<f64>,
    floats: bool,
    frames: Vec<FrameHeader>,
    /// Numbers of the nodes of named sets.
    #[serde(default)]
    sets: BTreeMap<String, Vec<u64>>,
}

#[derive(Serialize, Deserialize)]
struct FrameHeader {
    name: String,
    position: [f64; 3],
}

fn vector(values: impl IntoIterator<Item = f64>) -> Array {
    let values: Vec<f64> = values.into_iter().collect();
    Array { shape: vec![values.len()], values }
}

/// Matrices are stored row by row.
fn table(matrix: &DMatrix<f64>) -> Array {
    let values = matrix.transpose().as_slice().to_vec();
    Array { shape: vec![matrix.nrows(), matrix.ncols()], values }
}

fn square(matrix: &Matrix3<f64>) -> Array {
    Array { shape: vec![3, 3], values: matrix.transpose().as_slice().to_vec() }
}

fn stacked(frames: &[FlexibleFrame], rows: fn(&FlexibleFrame) -> &DMatrix<f64>, n: usize) -> Array {
    let mut all = DMatrix::zeros(3 * frames.len(), n);
    for (i, frame) in frames.iter().enumerate() {
        all.rows_mut(3 * i, 3).copy_from(rows(frame));
    }
    table(&all)
}

fn arrays(body: &FlexibleBody) -> Vec<(&'static str, Array)> {
    let (inertia, surface, n) = (&body.inertia, &body.surface, body.shapes());
    let positions =
        Array { shape: vec![surface.labels.len(), 3], values: surface.positions.clone() };
    vec![
        ("mass", vector([inertia.mass])),
        ("first", vector(inertia.first.iter().copied())),
        ("second", square(&inertia.second)),
        ("spin", square(&inertia.spin)),
        ("shape_first", table(&inertia.shape_first)),
        ("shape_second", table(&inertia.shape_second)),
        ("shape_product", table(&inertia.shape_product)),
        ("shape_spin", table(&inertia.shape_spin)),
        ("modal_mass", table(&inertia.modal)),
        ("stiffness", vector(body.stiffness.iter().copied())),
        ("damping", vector(body.damping.iter().copied())),
        ("frame_translation", stacked(&body.frames, |frame| &frame.translation, n)),
        ("frame_rotation", stacked(&body.frames, |frame| &frame.rotation, n)),
        ("node_labels", vector(surface.labels.iter().map(|label| *label as f64))),
        ("node_positions", positions),
        ("node_displacement", table(&surface.displacement)),
        ("node_stress", table(&surface.stress)),
        ("turning_nodes", vector(surface.turning.iter().map(|node| *node as f64))),
        ("node_rotation", table(&surface.rotation)),
        ("section_nodes", vector(surface.sections.nodes.iter().map(|node| *node as f64))),
        ("section_sizes", vector(surface.sections.sizes.iter().copied())),
        ("section_forces", table(&surface.sections.forces)),
        ("cell_types", vector(surface.cells.iter().map(|cell| f64::from(*cell)))),
        ("cell_nodes", vector(surface.connectivity.iter().map(|node| *node as f64))),
        ("cell_ends", vector(surface.ends.iter().map(|end| *end as f64))),
    ]
}

/// Writes a body to a file, which appears whole or not at all.
pub fn write_flex(path: &Path, body: &FlexibleBody) -> Result<(), MeshError> {
    crate::draft::write(path, |file| write_archive(file, body))
}

fn write_archive(file: &mut (impl Write + Seek), body: &FlexibleBody) -> io::Result<()> {
    let frame = |frame: &FlexibleFrame| FrameHeader {
        name: frame.name.clone(),
        position: frame.position.into(),
    };
    let labels = &body.surface.labels;
    let numbered = |(name, nodes): (&String, &Vec<usize>)| {
        (name.clone(), nodes.iter().map(|node| labels[*node]).collect())
    };
    let header = Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        title: body.title.clone(),
        method: body.method.clone(),
        cut_off: body.cut_off,
        floats: body.floats,
        frames: body.frames.iter().map(frame).collect(),
        sets: body.surface.sets.iter().map(numbered).collect(),
    };
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    let mut archive = ZipWriter::new(file);
    archive.start_file("header.json", options)?;
    archive.write_all(serde_json::to_string_pretty(&header)?.as_bytes())?;
    for (name, array) in arrays(body) {
        archive.start_file(format!("{name}.npy"), options)?;
        array.write(&mut archive)?;
    }
    archive.finish()?;
    Ok(())
}

/// Reads a body from a file and checks it.
pub fn read_flex(path: &Path) -> Result<FlexibleBody, MeshError> {
    let name = path.display().to_string();
    let fault = |message: String, help: &str| MeshError::new(&name, Place::NOWHERE, message, help);
    let content = rotula_files::read(path)
        .map_err(|error| fault(format!("the file cannot be read: {error}"), "check its name"))?;
    let archive = ZipArchive::new(io::Cursor::new(content)).map_err(|_| {
        let message = "this is no flexible body".to_owned();
        fault(message, "make one with `rotula reduce MESH -o BODY.flex`")
    })?;
    Source { archive, name: name.clone() }.body()
}

struct Source<R: Read + Seek> {
    archive: ZipArchive<R>,
    name: String,
}

impl<R: Read + Seek> Source<R> {
    fn fault(&self, message: impl Into<String>) -> MeshError {
        let help = "the file is damaged or was made by another program: reduce the mesh again";
        MeshError::new(&self.name, Place::NOWHERE, message, help)
    }

    fn header(&mut self) -> Result<Header, MeshError> {
        let mut text = String::new();
        let read = match self.archive.by_name("header.json") {
            Ok(mut entry) => entry.read_to_string(&mut text).is_ok(),
            Err(_) => false,
        };
        if !read {
            return Err(self.fault("the flexible body has no header"));
        }
        let value: serde_json::Value = serde_json::from_str(&text)
            .map_err(|error| self.fault(format!("the header is unsound: {error}")))?;
        if value.get("format").and_then(|format| format.as_str()) != Some(FORMAT) {
            return Err(self.fault("the header is not that of a flexible body"));
        }
        match value.get("version").and_then(|version| version.as_u64()) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => {
                let message = format!("version {version} of the format is not known");
                let help = format!("this program reads version {VERSION}: reduce the mesh again");
                return Err(MeshError::new(&self.name, Place::NOWHERE, message, help));
            }
            None => return Err(self.fault("the header has no version")),
        }
        serde_json::from_value(value)
            .map_err(|error| self.fault(format!("the header is unsound: {error}")))
    }

    /// An array of a given shape, all numbers finite. Any size fits where none is given.
    fn array(&mut self, name: &str, shape: &[Option<usize>]) -> Result<Array, MeshError> {
        let array = match self.archive.by_name(&format!("{name}.npy")) {
            Ok(mut entry) => Some(Array::read(&mut entry)),
            Err(_) => None,
        };
        let array = array
            .ok_or_else(|| self.fault(format!("the array `{name}` is missing")))?
            .map_err(|error| self.fault(format!("the array `{name}` is unsound: {error}")))?;
        let fits = array.shape.len() == shape.len()
            && shape.iter().zip(&array.shape).all(|(want, is)| want.is_none_or(|w| w == *is));
        if !fits {
            let message = format!("the array `{name}` has the shape {:?}", array.shape);
            return Err(self.fault(message));
        }
        if array.values.iter().any(|value| !value.is_finite()) {
            return Err(self.fault(format!("the array `{name}` holds a number that is not finite")));
        }
        Ok(array)
    }

    fn matrix(
        &mut self,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> Result<DMatrix<f64>, MeshError> {
        let array = self.array(name, &[Some(rows), Some(columns)])?;
        Ok(DMatrix::from_row_slice(rows, columns, &array.values))
    }

    fn vector(&mut self, name: &str, size: Option<usize>) -> Result<Vec<f64>, MeshError> {
        Ok(self.array(name, &[size])?.values)
    }

    fn square(&mut self, name: &str) -> Result<Matrix3<f64>, MeshError> {
        Ok(Matrix3::from_row_slice(&self.array(name, &[Some(3), Some(3)])?.values))
    }

    fn body(mut self) -> Result<FlexibleBody, MeshError> {
        let header = self.header()?;
        let stiffness = self.vector("stiffness", None)?;
        let n = stiffness.len();
        if stiffness.iter().any(|value| *value <= 0.0) {
            return Err(self.fault("a modal stiffness is not positive"));
        }
        let mass = self.vector("mass", Some(1))?[0];
        if mass <= 0.0 {
            return Err(self.fault("the mass is not positive"));
        }
        let inertia = Inertia {
            mass,
            first: Vector3::from_row_slice(&self.vector("first", Some(3))?),
            second: self.square("second")?,
            spin: self.square("spin")?,
            shape_first: self.matrix("shape_first", 3, n)?,
            shape_second: self.matrix("shape_second", 3, 3 * n)?,
            shape_product: self.matrix("shape_product", 3 * n, 3 * n)?,
            shape_spin: self.matrix("shape_spin", 3, n)?,
            modal: self.matrix("modal_mass", n, n)?,
        };
        let count = header.frames.len();
        let translation = self.matrix("frame_translation", 3 * count, n)?;
        let rotation = self.matrix("frame_rotation", 3 * count, n)?;
        let frame = |(i, frame): (usize, FrameHeader)| FlexibleFrame {
            name: frame.name,
            position: frame.position.into(),
            translation: translation.rows(3 * i, 3).into_owned(),
            rotation: rotation.rows(3 * i, 3).into_owned(),
        };
        Ok(FlexibleBody {
            title: header.title,
            method: header.method,
            cut_off: header.cut_off,
            floats: header.floats,
            inertia,
            damping: self.vector("damping", Some(n))?,
            frames: header.frames.into_iter().enumerate().map(frame).collect(),
            surface: self.surface(n, &header.sets)?,
            stiffness,
        })
    }

    fn surface(
        &mut self,
        n: usize,
        sets: &BTreeMap<String, Vec<u64>>,
    ) -> Result<Surface, MeshError> {
        let labels = self.vector("node_labels", None)?;
        let nodes = labels.len();
        let positions = self.array("node_positions", &[Some(nodes), Some(3)])?.values;
        let cells = self.vector("cell_types", None)?;
        let connectivity = self.vector("cell_nodes", None)?;
        let ends = self.vector("cell_ends", Some(cells.len()))?;
        let whole = |values: &[f64]| values.iter().map(|value| *value as usize).collect::<Vec<_>>();
        let (connectivity, ends) = (whole(&connectivity), whole(&ends));
        let ordered = ends.is_sorted() && ends.last().copied().unwrap_or(0) == connectivity.len();
        if !ordered || connectivity.iter().any(|node| *node >= nodes) {
            return Err(self.fault("the elements use nodes that do not exist"));
        }
        let labels: Vec<u64> = labels.iter().map(|label| *label as u64).collect();
        let places: HashMap<u64, usize> = labels.iter().copied().zip(0..).collect();
        let mut indexed = BTreeMap::new();
        for (name, numbers) in sets {
            let nodes: Option<Vec<usize>> =
                numbers.iter().map(|n| places.get(n).copied()).collect();
            let unsound = || self.fault(format!("the set {name} has nodes that do not exist"));
            indexed.insert(name.clone(), nodes.ok_or_else(unsound)?);
        }
        // files of former versions have no rotations
        let (turning, rotation) = match self.archive.index_for_name("turning_nodes.npy") {
            Some(_) => {
                let turning = whole(&self.vector("turning_nodes", None)?);
                let rotation = self.matrix("node_rotation", 3 * turning.len(), n)?;
                (turning, rotation)
            }
            None => (Vec::new(), DMatrix::zeros(0, n)),
        };
        if !turning.is_sorted() || turning.iter().any(|node| *node >= nodes) {
            return Err(self.fault("rotations belong to nodes that do not exist"));
        }
        let sections = match self.archive.index_for_name("section_nodes.npy") {
            Some(_) => {
                let nodes = whole(&self.vector("section_nodes", None)?);
                let sizes = self.vector("section_sizes", Some(4 * nodes.len()))?;
                let forces = self.matrix("section_forces", 6 * nodes.len(), n)?;
                RoundSections { nodes, sizes, forces }
            }
            None => RoundSections::none(n),
        };
        if sections.nodes.iter().any(|node| *node >= nodes) {
            return Err(self.fault("sections belong to nodes that do not exist"));
        }
        Ok(Surface {
            sections,
            sets: indexed,
            turning,
            rotation,
            labels,
            positions,
            displacement: self.matrix("node_displacement", 3 * nodes, n)?,
            stress: self.matrix("node_stress", 6 * nodes, n)?,
            cells: cells.iter().map(|cell| *cell as u8).collect(),
            connectivity,
            ends,
        })
    }
}
