//! Deformed meshes with stress for ParaView: a `.vtu` file per state, a `.pvd` file for the series.

use crate::draft;
use crate::error::MeshError;
use crate::flexible::Surface;
use std::io::{self, Write};
use std::path::Path;

/// A state of a reduced body.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Its time.
    pub time: f64,
    /// Amplitudes of the shapes.
    pub amplitudes: Vec<f64>,
    /// Where the body's frame is: its origin and its rotation, row by row.
    pub origin: [f64; 3],
    /// The rotation that maps components of the frame to those of the world, row by row.
    pub rotation: [[f64; 3]; 3],
}

impl Snapshot {
    /// A deformed body whose frame is that of the world.
    pub fn at_rest(time: f64, amplitudes: &[f64]) -> Snapshot {
        let rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Snapshot { time, amplitudes: amplitudes.to_vec(), origin: [0.0; 3], rotation }
    }
}

/// Writes a series of states: `STEM.pvd` and `STEM_0000.vtu` and so on beside it.
///
/// Points stand where the body is; the arrays `displacement` (in the body's frame, times `scale` in
/// the positions) and `von_mises` belong to them.
pub fn write_series(
    path: &Path,
    surface: &Surface,
    snapshots: &[Snapshot],
    scale: f64,
) -> Result<(), MeshError> {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
    let mut list = String::new();
    for (index, snapshot) in snapshots.iter().enumerate() {
        let name = format!("{stem}_{index:04}.vtu");
        write_snapshot(&path.with_file_name(&name), surface, snapshot, scale)?;
        let time = snapshot.time;
        let file = escaped(&name);
        list += &format!("    <DataSet timestep=\"{time:?}\" part=\"0\" file=\"{file}\"/>\n");
    }
    draft::write(path, |out| {
        writeln!(out, "<?xml version=\"1.0\"?>")?;
        writeln!(out, "<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>")?;
        write!(out, "{list}")?;
        writeln!(out, "  </Collection>\n</VTKFile>")
    })
}

/// Writes one state.
pub fn write_snapshot(
    path: &Path,
    surface: &Surface,
    snapshot: &Snapshot,
    scale: f64,
) -> Result<(), MeshError> {
    let displacement = surface.displacement(&snapshot.amplitudes);
    let stress = surface.von_mises(&snapshot.amplitudes);
    let place = |node: usize| -> [f64; 3] {
        let local: [f64; 3] = std::array::from_fn(|i| {
            surface.positions[3 * node + i] + scale * displacement[3 * node + i]
        });
        std::array::from_fn(|i| {
            let turned: f64 = (0..3).map(|k| snapshot.rotation[i][k] * local[k]).sum();
            snapshot.origin[i] + turned
        })
    };
    draft::write(path, |out| {
        let (nodes, cells) = (surface.nodes(), surface.cells.len());
        writeln!(out, "<?xml version=\"1.0\"?>")?;
        writeln!(out, "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">")?;
        writeln!(out, "<UnstructuredGrid>")?;
        writeln!(out, "<Piece NumberOfPoints=\"{nodes}\" NumberOfCells=\"{cells}\">")?;
        writeln!(out, "<Points>")?;
        let points: Vec<f64> = (0..nodes).flat_map(place).collect();
        reals(out, "points", 3, &points)?;
        writeln!(out, "</Points>\n<Cells>")?;
        whole(out, "connectivity", surface.connectivity.iter().copied())?;
        whole(out, "offsets", surface.ends.iter().copied())?;
        whole(out, "types", surface.cells.iter().map(|cell| usize::from(*cell)))?;
        writeln!(out, "</Cells>\n<PointData Scalars=\"von_mises\" Vectors=\"displacement\">")?;
        reals(out, "von_mises", 1, &stress)?;
        reals(out, "displacement", 3, &displacement)?;
        whole(out, "node", surface.labels.iter().map(|label| *label as usize))?;
        writeln!(out, "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>")
    })
}

fn reals(out: &mut impl Write, name: &str, width: usize, values: &[f64]) -> io::Result<()> {
    writeln!(
        out,
        "<DataArray type=\"Float64\" Name=\"{name}\" NumberOfComponents=\"{width}\" format=\"ascii\">"
    )?;
    for row in values.chunks(width) {
        let words: Vec<String> = row.iter().map(|value| format!("{value:e}")).collect();
        writeln!(out, "{}", words.join(" "))?;
    }
    writeln!(out, "</DataArray>")
}

fn whole(out: &mut impl Write, name: &str, values: impl Iterator<Item = usize>) -> io::Result<()> {
    writeln!(out, "<DataArray type=\"Int64\" Name=\"{name}\" format=\"ascii\">")?;
    for value in values {
        writeln!(out, "{value}")?;
    }
    writeln!(out, "</DataArray>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
