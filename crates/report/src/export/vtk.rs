//! The mechanism in motion as a series of VTK files, for instance for ParaView.
//!
//! `NAME.pvd` lists the times. For each there is a file of surfaces and lines, with the number of the
//! body on every cell, and one of forces: vectors at points. Bent bodies are lines or surfaces, with
//! their values on the points.

use crate::atomic;
use crate::encode::base64;
use crate::error::Error;
use crate::film::solid::{Solid, cylinder, sphere};
use crate::film::surface::surface;
use crate::film::{THIN, first_parts, rigid, size};
use crate::picture::extent;
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::marker::frame_along;
use rotula_mechanics::picture::{Film, Form, Held};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Most times: each is a file or two.
const MOST: usize = 300;

/// Points with cells: triangles and lines, each with a body.
#[derive(Default)]
struct Cells {
    points: Vec<Vector3<f64>>,
    values: Vec<f64>,
    lines: Vec<(Vec<usize>, usize)>,
    triangles: Vec<([usize; 3], usize)>,
}

/// Writes `animation.pvd` into a directory and its files into `animation` beside it; says which file
/// to open.
pub fn write_vtk(directory: &Path, film: &Film) -> Result<PathBuf, Error> {
    let path = directory.join("animation.pvd");
    let parts = first_parts(film).ok_or_else(|| Error::Nothing { path: path.clone() })?;
    let thin = THIN * size(&extent(&parts));
    let folder = directory.join("animation");
    std::fs::create_dir_all(&folder).map_err(Error::write(&folder))?;
    // the same at every time, in the axes of the bodies
    let bodies: Vec<Solid> = (0..film.bodies.len()).map(|body| of_body(film, body, thin)).collect();
    let mut list = String::new();
    let stride = film.times.len().div_ceil(MOST);
    for (k, t) in film.times.iter().enumerate().step_by(stride) {
        let name = format!("mechanism_{k:05}.vtp");
        write(&folder.join(&name), &cells(film, &bodies, k))?;
        list += &format!("<DataSet timestep=\"{t:?}\" part=\"0\" file=\"animation/{name}\"/>\n");
        if !film.arrows.is_empty() || !film.contacts.is_empty() {
            let name = format!("forces_{k:05}.vtp");
            write_forces(&folder.join(&name), film, k)?;
            list +=
                &format!("<DataSet timestep=\"{t:?}\" part=\"1\" file=\"animation/{name}\"/>\n");
        }
    }
    let text = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" \
         byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<Collection>\n{list}</Collection>\n</VTKFile>\n"
    );
    atomic::write(&path, |file| file.write_all(text.as_bytes()))?;
    Ok(path)
}

/// The surface of a body in its own axes.
fn of_body(film: &Film, body: usize, thin: f64) -> Solid {
    let mut out = Solid::default();
    let faces = surface(rigid(film, body));
    let count = faces.corners.len() / 3;
    out.triangles = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    out.corners = faces.corners;
    // every time has all of them again, so they are coarse
    let (ball, bar) = (sphere(20), cylinder(8));
    let mut add = |solid: &Solid, place: &dyn Fn(&Vector3<f64>) -> Vector3<f64>| {
        let first = out.corners.len();
        out.corners.extend(solid.corners.iter().map(place));
        out.triangles.extend(solid.triangles.iter().map(|t| t.map(|k| first + k)));
    };
    for form in rigid(film, body) {
        match form {
            Form::Ball { centre, radius } => add(&ball, &|p| centre + p * *radius),
            Form::Mass(at) => add(&ball, &|p| at + p * (2.4 * thin)),
            Form::Bar([a, b]) if a != b => {
                let (frame, length) = (frame_along(*a, b - a), (b - a).norm());
                add(&bar, &|p| {
                    frame.transform_point(&Vector3::new(thin * p.x, thin * p.y, length * p.z))
                });
            }
            _ => {}
        }
    }
    out
}

/// Everything at a time, in the world.
fn cells(film: &Film, bodies: &[Solid], time: usize) -> Cells {
    let frames: &[Frame] = film.frames_at(time);
    let mut cells = Cells::default();
    for (body, solid) in bodies.iter().enumerate() {
        let first = cells.points.len();
        cells.points.extend(solid.corners.iter().map(|p| frames[body].transform_point(p)));
        cells.triangles.extend(solid.triangles.iter().map(|t| (t.map(|k| first + k), body)));
    }
    for piece in &film.pieces {
        if let Held::Between(ends, _) = &piece.held {
            let first = cells.points.len();
            cells.points.extend(ends.iter().map(|end| (frames[end.node] * end.frame).position));
            cells.lines.push((vec![first, first + 1], piece.body));
        }
    }
    cells.values.resize(cells.points.len(), f64::NAN);
    for tube in &film.tubes {
        let first = cells.points.len();
        let range = time * tube.count..(time + 1) * tube.count;
        cells.points.extend(&tube.points[range.clone()]);
        let values = tube.fields.first().and_then(|field| field.values.get(range));
        cells.values.extend(values.unwrap_or_default());
        cells.values.resize(cells.points.len(), f64::NAN);
        cells.lines.push(((first..first + tube.count).collect(), tube.body));
    }
    for skin in &film.skins {
        let first = cells.points.len();
        let range = time * skin.count..(time + 1) * skin.count;
        cells.points.extend(&skin.points[range.clone()]);
        let values = skin.fields.first().and_then(|field| field.values.get(range));
        cells.values.extend(values.unwrap_or_default());
        cells.values.resize(cells.points.len(), f64::NAN);
        let triangles = skin.triangles.iter().map(|t| (t.map(|k| first + k), skin.body));
        cells.triangles.extend(triangles);
    }
    cells
}

fn write(path: &Path, cells: &Cells) -> Result<(), Error> {
    let lines = offsets(cells.lines.iter().map(|(points, _)| points.as_slice()));
    let triangles = offsets(cells.triangles.iter().map(|(points, _)| points.as_slice()));
    // lines come before surfaces in the order of cells
    let owners = cells.lines.iter().map(|(_, body)| *body);
    let owners = owners.chain(cells.triangles.iter().map(|(_, body)| *body));
    let mut data = format!("<CellData Scalars=\"body\">{}</CellData>", integers("body", owners));
    if cells.values.iter().any(|value| value.is_finite()) {
        data +=
            &format!("<PointData>{}</PointData>", floats("value", 1, cells.values.iter().copied()));
    }
    piece(path, &cells.points, &[("Lines", lines), ("Polys", triangles)], &data)
}

fn write_forces(path: &Path, film: &Film, time: usize) -> Result<(), Error> {
    let arrows = film.arrows.iter().filter(|arrow| arrow.forces[time].norm() > 0.0);
    let arrows = arrows.map(|arrow| (arrow.body, arrow.places[time], arrow.forces[time]));
    let passing = if film.contacts.is_empty() { &[] } else { film.contacts.at(time) };
    let passing = passing.iter().map(|at| (at.body, at.place.into(), at.force.into()));
    let acting: Vec<(usize, Vector3<f64>, Vector3<f64>)> = arrows.chain(passing).collect();
    let places: Vec<Vector3<f64>> = acting.iter().map(|(_, place, _)| *place).collect();
    let forces = acting.iter().flat_map(|(_, _, force)| list(force));
    let single: Vec<[usize; 1]> = (0..places.len()).map(|k| [k]).collect();
    let points = offsets(single.iter().map(|point| &point[..]));
    let data = format!(
        "<PointData Vectors=\"force\">{}{}</PointData>",
        floats("force", 3, forces),
        integers("body", acting.iter().map(|(body, ..)| *body))
    );
    piece(path, &places, &[("Verts", points)], &data)
}

/// Cells as the format wants them: their points one after the other, and where each ends.
fn offsets<'a>(cells: impl Iterator<Item = &'a [usize]>) -> (usize, Vec<usize>, Vec<usize>) {
    let (mut points, mut ends) = (Vec::new(), Vec::new());
    for cell in cells {
        points.extend_from_slice(cell);
        ends.push(points.len());
    }
    (ends.len(), points, ends)
}

type Topology = (usize, Vec<usize>, Vec<usize>);

fn piece(
    path: &Path,
    points: &[Vector3<f64>],
    cells: &[(&str, Topology)],
    data: &str,
) -> Result<(), Error> {
    let counts: String =
        cells.iter().map(|(kind, (count, ..))| format!(" NumberOf{kind}=\"{count}\"")).collect();
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" \
         byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n\
         <Piece NumberOfPoints=\"{}\"{counts}>\n<Points>{}</Points>\n",
        points.len(),
        floats("points", 3, points.iter().flat_map(list))
    );
    for (kind, (_, members, ends)) in cells {
        text += &format!(
            "<{kind}>{}{}</{kind}>\n",
            integers("connectivity", members.iter().copied()),
            integers("offsets", ends.iter().copied())
        );
    }
    text += data;
    text += "\n</Piece>\n</PolyData>\n</VTKFile>\n";
    std::fs::write(path, text).map_err(Error::write(path))
}

fn floats(name: &str, width: usize, numbers: impl Iterator<Item = f64>) -> String {
    let bytes = numbers.flat_map(|number| (number as f32).to_le_bytes()).collect();
    array("Float32", name, width, bytes)
}

fn integers(name: &str, numbers: impl Iterator<Item = usize>) -> String {
    let bytes = numbers.flat_map(|number| (number as i32).to_le_bytes()).collect();
    array("Int32", name, 1, bytes)
}

/// Numbers in base64, after their length.
fn array(kind: &str, name: &str, width: usize, bytes: Vec<u8>) -> String {
    let length = (bytes.len() as u64).to_le_bytes();
    let text = base64(length.into_iter().chain(bytes).map(|byte| [byte]));
    format!(
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{width}\" format=\"binary\">{text}</DataArray>"
    )
}

fn list(v: &Vector3<f64>) -> [f64; 3] {
    [v.x, v.y, v.z]
}
