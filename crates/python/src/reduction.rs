//! Finite element meshes as flexible bodies.

use crate::errors::Fault;
use pyo3::prelude::*;
use rotula_elastic::{
    Attachment, Damping, MaterialFault, MeshError, Method, Units, Wanted, check_units, convert,
    flexible_body, give_material, read, reduce as reduce_mesh, write_flex,
};
use std::path::{Path, PathBuf};

/// Name of a frame, its node or set of nodes, and whether the set moves rigidly with it.
type Interface = (String, String, bool);

/// Mass, frequencies and the frequency up to which vibrations were kept.
type Reduced = (f64, Vec<f64>, Option<f64>);

/// What is to be done with a mesh.
#[derive(FromPyObject)]
pub(crate) struct Wish {
    #[pyo3(item)]
    interfaces: Vec<Interface>,
    #[pyo3(item)]
    method: String,
    #[pyo3(item)]
    modes: usize,
    #[pyo3(item)]
    below: Option<f64>,
    #[pyo3(item)]
    damping: f64,
    #[pyo3(item)]
    millimetres: bool,
    #[pyo3(item)]
    material: Option<[f64; 3]>,
    #[pyo3(item)]
    thickness: Option<f64>,
}

/// Reads a mesh, reduces it and writes a flexible body.
#[pyfunction]
pub(crate) fn reduce(
    py: Python<'_>,
    mesh: PathBuf,
    output: PathBuf,
    wish: Wish,
) -> PyResult<Reduced> {
    py.detach(|| reduced(&mesh, &output, &wish)).map_err(|fault| fault.raise(py))
}

fn reduced(path: &Path, output: &Path, wish: &Wish) -> Result<Reduced, Box<Fault>> {
    let refused = |message: &str, remedy: &str| {
        Box::new(Fault {
            message: message.to_owned(),
            remedy: (!remedy.is_empty()).then(|| remedy.to_owned()),
            file: path.display().to_string(),
            ..Fault::default()
        })
    };
    let of_mesh = |error: MeshError| {
        let mut fault = refused(error.message(), error.help());
        (fault.line, fault.column) = error.place().map(|at| (at.line, at.column)).unzip();
        fault
    };
    let mut mesh = read::read_mesh(path).map_err(of_mesh)?;
    give_material(&mut mesh, wish.material, wish.thickness).map_err(|fault| match fault {
        MaterialFault::NotNeeded => {
            refused("`material` is not needed: the mesh gives every element its material", "leave it out")
        }
        MaterialFault::NoThickness => {
            refused("the mesh has shells without thickness", "give `thickness`")
        }
        MaterialFault::Missing => refused(
            "the mesh has no materials",
            "give `material`: Young's modulus, Poisson's ratio and density, such as (2.1e11, 0.3, 7850)",
        ),
    })?;
    convert(&mut mesh, if wish.millimetres { Units::Millimetres } else { Units::Si });
    check_units(&mesh).map_err(of_mesh)?;
    let wanted = wish.below.map_or(Wanted::Lowest(wish.modes), Wanted::Below);
    let method = match wish.method.as_str() {
        "craig-bampton" => Method::CraigBampton(wanted),
        "plain-craig-bampton" => Method::PlainCraigBampton(wanted),
        "free" => Method::Free(wanted),
        "guyan" => Method::Guyan,
        other => {
            let words = format!("`method` is {other:?}");
            let remedy = "write \"craig-bampton\", \"plain-craig-bampton\", \"guyan\" or \"free\"";
            return Err(refused(&words, remedy));
        }
    };
    if !(0.0..=1.0).contains(&wish.damping) {
        let words = format!("`damping` is {}, no ratio of critical damping", wish.damping);
        return Err(refused(&words, "give a number from 0 to 1, such as 0.01"));
    }
    let attachments: Vec<Attachment> = wish
        .interfaces
        .iter()
        .map(|(name, at, rigid)| Attachment { name: name.clone(), at: at.clone(), rigid: *rigid })
        .collect();
    let reduction = reduce_mesh(mesh, &attachments, method).map_err(of_mesh)?;
    let title = path.file_stem().map_or("body".into(), |stem| stem.to_string_lossy());
    let body = flexible_body(&reduction, &title, Damping::Ratio(wish.damping)).map_err(of_mesh)?;
    write_flex(output, &body).map_err(of_mesh)?;
    Ok((body.inertia.mass, body.frequencies(), body.cut_off))
}
