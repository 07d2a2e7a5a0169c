//! What mutation begins with: the examples and test files of this repository, and a few formulas and tables.

use crate::target::Target;
use std::path::{Path, PathBuf};

const FORMULAS: &[&str] = &[
    "-0.1*theta' - 3*sin(theta)",
    "if(t < 0.3 and not x >= 2, 0.2, step(t, 0, 1, 2, 3))",
    "(x^2 + y^2 - L^2)/(2*L)",
    "table(x, 0, 1; 1, 2; 3, 4) + table_slope(x, 0, 1, 2, 2)",
    "atan2(x, -y) + hypot(x, y)*mod(t, 2) - clamp(x, -1, 1)^-2.5",
    "2*(1e308*x)*(1e308*3) - sqrt(max(0, x))*log10(abs(y))",
    "pulse(t, 1, 2)*heaviside(x - 1)/tanh(exp(-x)) + pi*tau",
    "lambda.pin_x*x''^2^3 - min(x, y, 3)*sign(x)*floor(y)",
];

const TABLES: &[&str] = &[
    "parameters.L,solve.step\n1,1e-3\n2,\"2e-3\"\n",
    "body.crank.mass\n0.1\n0.2\n\n0.3\n",
    "# x, y\n0, 0\n0.5, 1\n1, 4\n",
];

const NASTRAN: &str = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\nGRID,5,,0.,0.,1.\n\
    GRID,6,,1.,0.,1.\nGRID,7,,1.,1.,1.\nGRID,8,,0.,1.,1.\nCHEXA,1,1,1,2,3,4,5,6,+\n+,7,8\nPSOLID,1,1\n\
    MAT1,1,2.1+11,,0.3,7850.\nRBE2,2,1,123456,2,3\nSPC1,1,123,5,6\nENDDATA\n";

const BLADES: &[&str] = &[
    "------- BEAMDYN -------\nA blade\n2 station_total - Number of stations (-)\n------ DISTRIBUTED PROPERTIES ------\n\
     0\n9 0 0 0 0 0\n0 9 0 0 0 0\n0 0 9 0 0 0\n0 0 0 9 0 0\n0 0 0 0 9 0\n0 0 0 0 0 9\n\n\
     1 0 0 0 0 0\n0 1 0 0 0 0\n0 0 1 0 0 0\n0 0 0 1 0 0\n0 0 0 0 1 0\n0 0 0 0 0 1\n\n\
     1\n9 0 0 0 0 0\n0 9 0 0 0 0\n0 0 9 0 0 0\n0 0 0 9 0 0\n0 0 0 0 9 0\n0 0 0 0 0 9\n\n\
     1 0 0 0 0 0\n0 1 0 0 0 0\n0 0 1 0 0 0\n0 0 0 1 0 0\n0 0 0 0 1 0\n0 0 0 0 0 1\n",
    "1 sets\n#1 blade\n$1 2\n0 9 0 0 0.5 0.5 0 0 2e11 8e10 0.01 0.02 0.03 0.5 0.6 0.04 0 0 0\n\
     10 8 0.1 0.2 0.5 0.6 0.3 0.1 2e11 8e10 0.01 0.02 0.03 0.5 0.6 0.04 30 0.2 -0.1 ; tip\n",
    "#1\n$1 2\n0 9 0 0 0.5 0.6 30 0.2 0 9 0 0 0 0 0 9 0 0 0 0 9 0 0 0 9 0 0 9 0 9\n\
     10 9 0 0 0.5 0.6 30 0.2 0 9 0 0 0 0 0 9 0 0 0 0 9 0 0 0 9 0 0 9 0 9\n",
];

/// The inputs that a target begins with.
pub(crate) fn read(target: Target) -> Vec<Vec<u8>> {
    let texts = |list: &[&str]| list.iter().map(|text| text.as_bytes().to_vec()).collect();
    let models = || {
        let mut found = files("examples/models", "toml");
        found.extend(files("crates/cli/tests/models", "toml"));
        // large models and hundreds of contacts take their time, whatever is changed
        found.retain(|content: &Vec<u8>| {
            content.len() < 6000 && !String::from_utf8_lossy(content).contains("[swarm")
        });
        found
    };
    match target {
        Target::Formula => texts(FORMULAS),
        Target::Table => texts(TABLES),
        Target::Blade => texts(BLADES),
        Target::Model | Target::Program | Target::Checkpoint => models(),
        Target::Gmsh => files("crates/cli/tests/models", "msh"),
        Target::Abaqus => files("examples/models", "inp"),
        Target::Nastran => vec![NASTRAN.as_bytes().to_vec()],
        Target::Flex => files("examples/models", "flex"),
        Target::Urdf => files("examples/models", "urdf"),
        Target::Adams => files("crates/mechanics/tests/data/adams", "adm"),
    }
}

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The content of all files of a folder with an ending, in the order of their names.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let folder = root().join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read(path).ok()).collect()
}
