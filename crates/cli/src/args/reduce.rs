//! The options of `reduce`.

use crate::help;
use clap::{Args as Options, ValueEnum};
use std::path::PathBuf;

#[derive(Options)]
#[command(after_help = help::REDUCE)]
pub(crate) struct Reduce {
    /// The mesh: Gmsh (.msh), Abaqus or CalculiX (.inp), or Nastran (.bdf). Or a stiffness in Matrix
    /// Market's format (.mtx).
    #[arg(value_name = "MESH")]
    pub mesh: PathBuf,
    /// The mass that belongs to a stiffness, in Matrix Market's format.
    #[arg(long, value_name = "FILE", requires = "nodes")]
    pub mass: Option<PathBuf>,
    /// The nodes to which the rows of stiffness and mass belong: a table node,x,y,z,components.
    #[arg(long, value_name = "FILE", requires = "mass")]
    pub nodes: Option<PathBuf>,
    /// The flexible body, a .flex file.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Attach a frame to a node with rotations, or rigidly to a set of nodes (RBE2); may be repeated.
    #[arg(long = "interface", value_name = "NAME=NODE|SET", value_parser = interface)]
    pub interfaces: Vec<(String, String)>,
    /// Attach a frame to the mean of a set of nodes (RBE3); may be repeated.
    #[arg(long = "mean-interface", value_name = "NAME=SET", value_parser = interface)]
    pub mean_interfaces: Vec<(String, String)>,
    /// How the body is reduced.
    #[arg(long, value_enum, default_value_t = MethodChoice::CraigBampton)]
    pub method: MethodChoice,
    /// Number of modes of vibration [default: 10].
    #[arg(long, value_name = "COUNT", conflicts_with = "below")]
    pub modes: Option<usize>,
    /// All modes of vibration below a frequency.
    #[arg(long, value_name = "HERTZ")]
    pub below: Option<f64>,
    /// Ratio of critical damping of every mode.
    #[arg(long, value_name = "RATIO", default_value_t = 0.0)]
    pub damping: f64,
    /// Another ratio of modes from a frequency on, such as 100=0.1; may be repeated.
    #[arg(long, value_name = "HERTZ=RATIO", value_parser = band)]
    pub damping_above: Vec<(f64, f64)>,
    /// Units of the mesh.
    #[arg(long, value_enum, default_value_t = UnitsChoice::Si)]
    pub units: UnitsChoice,
    /// Young's modulus, Poisson's ratio and density of elements to which the mesh gives no material,
    /// in the units of the mesh.
    #[arg(long, value_name = "E,NU,RHO", value_parser = material)]
    pub material: Option<[f64; 3]>,
    /// Thickness of shells to which the mesh gives no material, in the units of the mesh.
    #[arg(long, value_name = "LENGTH", requires = "material")]
    pub thickness: Option<f64>,
    /// Also write the shapes with their stress for ParaView, one per time step.
    #[arg(long, value_name = "FILE")]
    pub vtk: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodChoice {
    /// Constraint modes of the interfaces, modes of the body held there, and static shapes of the inertia of the first.
    CraigBampton,
    /// Constraint modes and modes of the body held there, and nothing besides.
    PlainCraigBampton,
    /// Constraint modes only.
    Guyan,
    /// Modes of the free body, and residual attachment modes of the interfaces.
    Free,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnitsChoice {
    /// Metre, kilogram, second, pascal.
    Si,
    /// Millimetre, tonne, second, megapascal.
    Mm,
}

fn interface(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, at)) if !name.trim().is_empty() && !at.trim().is_empty() => {
            Ok((name.trim().to_owned(), at.trim().to_owned()))
        }
        _ => Err("write NAME=NODE or NAME=SET, for example hub=HUB".to_owned()),
    }
}

fn material(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|word| word.trim().parse().ok()).collect();
    <[f64; 3]>::try_from(numbers)
        .map_err(|_| "write modulus, Poisson's ratio and density: 2.1e11,0.3,7850".to_owned())
}

fn band(text: &str) -> Result<(f64, f64), String> {
    let both = text.split_once('=').and_then(|(frequency, ratio)| {
        Some((frequency.trim().parse().ok()?, ratio.trim().parse().ok()?))
    });
    both.ok_or_else(|| "write a frequency in hertz and a ratio: 100=0.1".to_owned())
}
