//! Each malformed mesh gets its message, at its place, with a remedy.

use rotula_elastic::read::{Format, read_matrices_text, read_mesh_text};
use rotula_elastic::{Body, Load, MeshError, check_units};

const INP: &str = "\
*NODE
1, 0., 0., 0.
2, 1., 0., 0.
3, 0., 1., 0.
4, 0., 0., 1.
5, 1., 1., 1.
*ELEMENT, TYPE=C3D4, ELSET=BODY
1, 1, 2, 3, 4
2, 2, 3, 4, 5
*NSET, NSET=WALL
1, 2, 3
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.
*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL
*BOUNDARY
WALL, 1, 3
";

const BDF: &str = "\
GRID    1               0.0     0.0     0.0
GRID    2               1.0     0.0     0.0
GRID    3               0.0     1.0     0.0
GRID    4               0.0     0.0     1.0
GRID    5               0.3     0.3     0.3
CTETRA  1       1       1       2       3       4
PSOLID  1       1
MAT1    1       2.1+11          0.3     7850.
RBE3    8               5       123456  1.0     123     1       2
        3       4
SPC1    1       123     1       2       3
";

const MSH: &str = "\
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
1 4 2 7 1 1 2 3 4
$EndElements
";

struct Mistake {
    format: Format,
    from: &'static str,
    to: &'static str,
    /// Line and column, as `line:column`.
    place: &'static str,
    message: &'static str,
    help: &'static str,
}

const fn inp(
    from: &'static str,
    to: &'static str,
    place: &'static str,
    message: &'static str,
    help: &'static str,
) -> Mistake {
    Mistake { format: Format::Abaqus, from, to, place, message, help }
}

const fn bdf(
    from: &'static str,
    to: &'static str,
    place: &'static str,
    message: &'static str,
    help: &'static str,
) -> Mistake {
    Mistake { format: Format::Nastran, from, to, place, message, help }
}

const fn msh(
    from: &'static str,
    to: &'static str,
    place: &'static str,
    message: &'static str,
    help: &'static str,
) -> Mistake {
    Mistake { format: Format::Gmsh, from, to, place, message, help }
}

const MISTAKES: [Mistake; 49] = [
    inp(
        "2, 1., 0., 0.",
        "2, 1., O., 0.",
        "3:8",
        "the coordinate is `O.`, not a number",
        "write a number",
    ),
    inp(
        "2, 1., 0., 0.",
        "1, 1., 0., 0.",
        "3:1",
        "node 1 is declared twice",
        "the first is in line 2",
    ),
    inp("2, 1., 0., 0.", "2, 1e999, 0., 0.", "3:4", "not a number", "write a number"),
    inp(
        "2, 1., 0., 0.",
        "two, 1., 0., 0.",
        "3:1",
        "the number of the node is `two`",
        "whole number",
    ),
    inp(
        "1, 1, 2, 3, 4",
        "1, 1, 2, 3, 44",
        "8:1",
        "element 1 uses node 44, which does not exist",
        "declare the node",
    ),
    inp("1, 1, 2, 3, 4", "1, 1, 2, 3, 3", "8:1", "element 1 uses node 3 twice", "a different one"),
    inp(
        "1, 1, 2, 3, 4",
        "1, 1, 2, 3",
        "8:1",
        "element 1 has 3 nodes where its type has 4",
        "as many nodes",
    ),
    inp(
        "2, 2, 3, 4, 5",
        "1, 2, 3, 4, 5",
        "9:1",
        "element 1 is declared twice",
        "the first is in line 8",
    ),
    inp(
        "1, 1, 2, 3, 4",
        "1, 2, 1, 3, 4",
        "8:1",
        "element 1 is inverted",
        "exchange two of its corner nodes",
    ),
    inp(
        "4, 0., 0., 1.",
        "4, 1., 1., 0.",
        "8:1",
        "element 1 has no volume",
        "remove it or move its nodes",
    ),
    inp("TYPE=C3D4", "TYPE=C3D6", "7:11", "elements of type C3D6 are not known", "C3D10"),
    inp(
        "*ELEMENT, TYPE=C3D4, ELSET=BODY",
        "*ELEMENT, ELSET=BODY",
        "7:1",
        "*ELEMENT has no parameter TYPE",
        "TYPE=",
    ),
    inp(
        "1, 2, 3\n*MAT",
        "1, 2, 33\n*MAT",
        "11:7",
        "node 33 does not exist",
        "declare it with *NODE",
    ),
    inp("WALL, 1, 3", "WAL, 1, 3", "19:1", "there is no set of nodes WAL", "declare it with *NSET"),
    inp(
        "WALL, 1, 3",
        "WALL, 1, 8",
        "19:7",
        "there are no components 1 to 8",
        "1 to 3 are translations",
    ),
    inp(
        "WALL, 1, 3",
        "WALL, 1, 3, 0.1",
        "19:13",
        "a support that moves is not known",
        "leave the value out",
    ),
    inp(
        "WALL, 1, 3",
        "WALL",
        "19:1",
        "the component is missing below *BOUNDARY",
        "complete the line",
    ),
    inp(
        "MATERIAL=STEEL",
        "MATERIAL=STEAL",
        "17:1",
        "there is no material STEAL",
        "use one of STEEL",
    ),
    inp(
        "*SOLID SECTION, ELSET=BODY",
        "*SOLID SECTION, ELSET=BODIES",
        "17:1",
        "there is no set of elements BODIES",
        "declare it with *ELSET",
    ),
    inp(
        "*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n",
        "",
        "8:1",
        "element 1 has no section",
        "give its set a section",
    ),
    inp("2.1e11, 0.3", "2.1e11", "14:1", "Poisson's ratio is missing", "complete the line"),
    inp("2.1e11, 0.3", "2.1e11, 0.5", "12:1", "Poisson's ratio 0.5", "below 0.5"),
    inp("2.1e11, 0.3", "-2.1e11, 0.3", "12:1", "Young's modulus -210000000000", "must be positive"),
    inp("*DENSITY\n7850.\n", "", "12:1", "density 0", "7850 for steel"),
    inp(
        "*MATERIAL, NAME=STEEL\n*ELASTIC",
        "*ELASTIC",
        "12:1",
        "*ELASTIC belongs to no material",
        "*MATERIAL, NAME=",
    ),
    inp(
        "2.1e11, 0.3\n*DENSITY\n7850.",
        "210000., 0.3\n*DENSITY\n7.85e-9",
        "12:1",
        "is no matter in pascals",
        "--units mm",
    ),
    inp(
        "2.1e11, 0.3\n*DENSITY\n7850.",
        "210000., 0.3\n*DENSITY\n7850.",
        "12:1",
        "is no matter in pascals",
        "the modulus looks like megapascals",
    ),
    inp(
        "2.1e11, 0.3\n*DENSITY\n7850.",
        "2.1e11, 0.3\n*DENSITY\n7.85e-9",
        "12:1",
        "is no matter in pascals",
        "the density like t/mm³",
    ),
    inp(
        "*BOUNDARY\nWALL, 1, 3\n",
        "",
        "",
        "the stiffness is singular: nothing holds the mesh",
        "the mesh has no supports",
    ),
    inp(
        "WALL, 1, 3",
        "WALL, 1, 1",
        "",
        "the stiffness is singular: the whole mesh",
        "add supports that hold it against this motion",
    ),
    inp("*NODE\n", "", "1:1", "data stand before any keyword", "is this an .inp file?"),
    inp(
        "*BOUNDARY\n",
        "*EQUATION\n2\n1, 1, 1.0, 2, 7, 1.0\n*BOUNDARY\n",
        "20:15",
        "there is no component 7",
        "1 to 3 are translations",
    ),
    inp(
        "*BOUNDARY\n",
        "*EQUATION\n3\n1, 1, 1.0, 2, 1, 1.0\n*BOUNDARY\n",
        "19:1",
        "fewer than 3 terms",
        "node, component and coefficient",
    ),
    inp(
        "*BOUNDARY\n",
        "*EQUATION\n2\n1, 1, 1.0, 4, 1, 1.0\n*BOUNDARY\n",
        "19:1",
        "which the support of node 1 determines already",
        "remove it from one",
    ),
    inp(
        "*BOUNDARY\n",
        "*RIGID BODY, NSET=WALL\n*BOUNDARY\n",
        "18:1",
        "*RIGID BODY has no parameter REF NODE",
        "REF NODE=",
    ),
    inp(
        "*BOUNDARY\n",
        "*KINEMATIC\n1, 3\n*BOUNDARY\n",
        "18:1",
        "*KINEMATIC belongs to no coupling",
        "*COUPLING, REF NODE=",
    ),
    bdf(
        "GRID    2               1.0     0.0     0.0",
        "GRID    2       3       1.0     0.0     0.0",
        "2:17",
        "node 2 has its position in system 3",
        "the basic one",
    ),
    bdf(
        "GRID    3               0.0     1.0     0.0",
        "GRID    3               0.0     1.x     0.0",
        "3:33",
        "the coordinate of GRID is `1.x`",
        "write a number",
    ),
    bdf(
        "CTETRA  1       1       1",
        "CTETRA  1       2       1",
        "6:1",
        "element 1 uses property 2, which does not exist",
        "PSOLID",
    ),
    bdf(
        "CTETRA  1       1       1       2       3       4",
        "CTETRA  1       1       1       2       3",
        "6:1",
        "CTETRA has no node in field 7",
        "complete the card",
    ),
    bdf(
        "CTETRA  1       1       1       2       3       4",
        "CPENTA  1       1       1       2       3       4",
        "6:1",
        "elements CPENTA are not known",
        "CTETRA",
    ),
    bdf("PSOLID  1       1", "PSOLID  1       4", "7:1", "PSOLID 1 uses material 4", "MAT1"),
    bdf(
        "MAT1    1       2.1+11          0.3     7850.",
        "MAT1    1       2.1+11                  7850.",
        "8:1",
        "neither shear modulus nor Poisson's ratio",
        "give one",
    ),
    bdf(
        "SPC1    1       123     1       2       3",
        "SPC1    1       127     1       2       3",
        "11:17",
        "`127` names no components",
        "digits of 1 to 6",
    ),
    bdf(
        "SPC1    1       123     1       2       3",
        "SPC1    1       123     1       2       7",
        "11:41",
        "SPC1 uses node 7, which does not exist",
        "GRID",
    ),
    bdf(
        "1       2\n        3       4",
        "1       2",
        "9:1",
        "the nodes of RBE3 8 lie on one line",
        "add a node off the line",
    ),
    msh("$EndNodes\n", "", "10:1", "$Nodes is not closed before $Elements", "$EndNodes"),
    msh("2.2 0 8", "2.2 1 8", "2:5", "the mesh is binary", "save the mesh as ASCII"),
    msh(
        "1 4 2 7 1 1 2 3 4",
        "1 6 2 7 1 1 2 3 4",
        "13:1",
        "element 1 is of type 6, not known",
        "tetrahedra",
    ),
];

/// Reads and checks as the program does: units, matrices, one static solution.
fn attempt(format: Format, text: &str) -> Result<(), MeshError> {
    let mesh = read_mesh_text("mesh", text, format)?;
    check_units(&mesh)?;
    let body = Body::new(mesh, &[])?;
    body.displacement(&[Load { node: 3, component: 0, value: 1.0 }]).map(|_| ())
}

fn base(format: Format) -> &'static str {
    match format {
        Format::Abaqus => INP,
        Format::Nastran => BDF,
        Format::Gmsh => MSH,
    }
}

#[test]
fn sound_files_pass() {
    attempt(Format::Abaqus, INP).unwrap();
    attempt(Format::Nastran, BDF).unwrap();
    // a file of Gmsh has no materials
    let error = attempt(Format::Gmsh, MSH).unwrap_err();
    assert!(error.message().contains("element 1 has no section"), "{error}");
}

#[test]
fn every_mistake_is_named_with_its_place_and_a_remedy() {
    let mut wrong = Vec::new();
    for mistake in &MISTAKES {
        let text = base(mistake.format).replacen(mistake.from, mistake.to, 1);
        assert_ne!(text, base(mistake.format), "`{}` is not in the text", mistake.from);
        let Err(error) = attempt(mistake.format, &text) else {
            wrong.push(format!("`{}` passes", mistake.to));
            continue;
        };
        let place = error.place().map(|place| format!("{}:{}", place.line, place.column));
        let placed = mistake.place.is_empty() || place.as_deref() == Some(mistake.place);
        let said = error.message().contains(mistake.message) && error.help().contains(mistake.help);
        if !placed || !said {
            wrong.push(format!(
                "`{}`, expected {} {}: {error}",
                mistake.to, mistake.place, mistake.message
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn matrices_are_checked() {
    const K: &str = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2.0\n2 2 2.0\n";
    let mistakes = [
        ("%%MatrixMarket matrix", "%%MatrixMarket vector", "k:1:1: the first line"),
        ("2 2 2\n", "2 3 2\n", "k:2:1: the matrix is 2 by 3"),
        ("2 2 2\n", "2 2 3\n", "k:2:1: the file has 2 of its 3 entries"),
        ("2 2 2\n", "2 2 1\n", "k:4:1: the file has more than its 1 entries"),
        ("1 1 2.0", "1 3 2.0", "k:3:1: entry (1, 3) lies outside"),
        ("1 1 2.0", "1 1 a", "k:3:5: the entry is `a`"),
        ("1 1 2.0", "1 1", "k:3:1: the line has 2 numbers"),
        ("1 1 2.0\n2 2 2.0", "1 2 2.0\n2 1 2.0", "k:4:1: the file is symmetric but"),
        (
            "symmetric\n2 2 2\n1 1 2.0",
            "general\n2 2 2\n1 2 2.0",
            "k:3:1: entries (2, 1) and (1, 2) differ",
        ),
    ];
    read_matrices_text(("k", K), ("m", K)).unwrap();
    for (from, to, expected) in mistakes {
        let error = read_matrices_text(("k", &K.replacen(from, to, 1)), ("m", K)).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    let larger = K.replace("2 2 2\n", "3 3 2\n");
    let error = read_matrices_text(("k", K), ("m", &larger)).unwrap_err();
    assert!(error.to_string().contains("the mass has 3 rows, the stiffness 2"), "{error}");
}
