//! The table of nodes that belongs to matrices: which node and which components their rows are of.
//!
//! A CSV file whose first line names its columns, and which has a line for each run of rows:
//!
//! ```text
//! node,x,y,z,components,set,held
//! 1,0,0,0,123456,LEFT,
//! 2,0.5,0,0,123456,,
//! ```
//!
//! `components` are the rows of the node in their order: 1 to 3 are translations along x, y and z, 4 to 6
//! rotations. A node may have several lines, if its rows do not follow each other. `set` (names with spaces
//! between them) and `held` (components that are supported) may be left out.

use crate::error::{MeshError, Place};
use crate::given::Given;
use crate::mesh::{Mesh, Support};
use crate::read::fields::{Field, by_commas};
use crate::read::matrix_market::{read_matrices, read_matrices_text};
use crate::read::{components, read_text};
use nalgebra::Vector3;
use std::path::Path;

const COLUMNS: [&str; 7] = ["node", "x", "y", "z", "components", "set", "held"];
/// The columns that must be there.
const NEEDED: usize = 5;
const HEADER: &str =
    "the first line must name the columns: node,x,y,z,components and, if you like, set,held";

/// Reads a body from the files of its stiffness, its mass and its nodes.
pub fn read_given(stiffness: &Path, mass: &Path, nodes: &Path) -> Result<Mesh, MeshError> {
    let matrices = read_matrices(stiffness, mass)?;
    let files = [stiffness, mass].map(|path| path.display().to_string());
    let table = read_text(nodes)?;
    with_matrices(&nodes.display().to_string(), &table, matrices, files)
}

/// Reads a body from texts; each comes with what errors call it.
pub fn read_given_text(
    stiffness: (&str, &str),
    mass: (&str, &str),
    nodes: (&str, &str),
) -> Result<Mesh, MeshError> {
    let matrices = read_matrices_text(stiffness, mass)?;
    with_matrices(nodes.0, nodes.1, matrices, [stiffness.0, mass.0].map(str::to_owned))
}

fn with_matrices(
    file: &str,
    text: &str,
    matrices: crate::Matrices,
    files: [String; 2],
) -> Result<Mesh, MeshError> {
    let (mut mesh, rows) = read_table(file, text)?;
    if rows.len() != matrices.size() {
        let message = format!(
            "the table lists {} components, the matrices of {} and {} have {} rows",
            rows.len(),
            files[0],
            files[1],
            matrices.size()
        );
        return Err(mesh.fault(Place::NOWHERE, message, "list every row once, in its order"));
    }
    mesh.given = Some(Given { matrices, rows, files });
    Ok(mesh)
}

/// The nodes, and the node and component of each row of the matrices.
fn read_table(file: &str, text: &str) -> Result<(Mesh, Vec<(usize, usize)>), MeshError> {
    let mut mesh = Mesh::new(file);
    let mut rows: Vec<(usize, usize)> = Vec::new();
    let mut listed: Vec<[bool; 6]> = Vec::new();
    let mut columns: Option<[Option<usize>; 7]> = None;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fields = by_commas(line, index + 1);
        match &columns {
            None => columns = Some(header(file, &fields)?),
            Some(columns) => row(&mut mesh, &mut rows, &mut listed, columns, &fields)?,
        }
    }
    for (node, has) in mesh.nodes.iter().zip(&listed) {
        let whole = has[..3] == [true; 3] && (has[3..] == [true; 3] || has[3..] == [false; 3]);
        if !whole {
            let message =
                format!("node {} has not all translations, or only some rotations", node.label);
            let help = "list 123 or 123456 and write supported components in the column `held`; matrices \
                        from which supports were eliminated have lost a part of the mass";
            return Err(mesh.fault(node.place, message, help));
        }
    }
    match rows.is_empty() {
        true => Err(mesh.fault(Place::NOWHERE, "the table has no nodes", HEADER)),
        false => Ok((mesh, rows)),
    }
}

/// Where each known column is.
fn header(file: &str, fields: &[Field]) -> Result<[Option<usize>; 7], MeshError> {
    let mut columns = [None; 7];
    for (at, field) in fields.iter().enumerate() {
        let Some(known) = COLUMNS.iter().position(|name| field.text.eq_ignore_ascii_case(name))
        else {
            return Err(field.fault(
                file,
                format!("`{}` is no column of a table of nodes", field.text),
                HEADER,
            ));
        };
        if columns[known].replace(at).is_some() {
            return Err(field.fault(
                file,
                format!("there are two columns `{}`", field.text),
                HEADER,
            ));
        }
    }
    match columns[..NEEDED].iter().position(Option::is_none) {
        Some(missing) => {
            let message = format!("the table has no column `{}`", COLUMNS[missing]);
            Err(fields[0].fault(file, message, HEADER))
        }
        None => Ok(columns),
    }
}

fn row(
    mesh: &mut Mesh,
    rows: &mut Vec<(usize, usize)>,
    listed: &mut Vec<[bool; 6]>,
    columns: &[Option<usize>; 7],
    fields: &[Field],
) -> Result<(), MeshError> {
    let file = mesh.file.clone();
    let field = |column: usize| columns[column].and_then(|at| fields.get(at));
    let place = Place::line(fields[0].place.line);
    let needed = |column: usize| {
        field(column).filter(|field| !field.is_blank()).ok_or_else(|| {
            let message = format!("the line has no `{}`", COLUMNS[column]);
            MeshError::new(&file, place, message, HEADER)
        })
    };
    let label = needed(0)?.label(&file, "the node")?;
    let mut position = Vector3::zeros();
    for i in 0..3 {
        position[i] = needed(1 + i)?.number(&file, "the coordinate")?;
    }
    let node = match mesh.node(label) {
        Some(node) if mesh.nodes[node].position == position => node,
        Some(node) => {
            let message = format!("node {label} is at another place than before");
            let help =
                format!("the first is in line {}: give it one place", mesh.nodes[node].place.line);
            return Err(mesh.fault(place, message, help));
        }
        None => mesh.add_node(label, position, place)?,
    };
    listed.resize(mesh.nodes.len(), [false; 6]);
    let word = needed(4)?;
    components(&file, word)?;
    for i in word.text.bytes().filter(|digit| *digit != b'0').map(|digit| usize::from(digit - b'1'))
    {
        if std::mem::replace(&mut listed[node][i], true) {
            let message = format!("component {} of node {label} is listed twice", i + 1);
            let help = "each row of the matrices is a different component";
            return Err(word.fault(&file, message, help));
        }
        rows.push((node, i));
    }
    for name in field(5).iter().flat_map(|field| field.text.split_whitespace()) {
        mesh.add_to_set(name, &[node]);
    }
    if let Some(held) = field(6).filter(|field| !field.is_blank()) {
        let components = components(&file, held)?;
        mesh.supports.push(Support { node, components, place });
    }
    Ok(())
}
