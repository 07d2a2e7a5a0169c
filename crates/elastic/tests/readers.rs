//! One mesh written in every format is read back as it was.

mod common;

use common::{HEXAHEDRON, TETRAHEDRON, hold, plane, solid_box};
use rotula_elastic::mesh::{Mesh, Section, Shape, TieKind};
use rotula_elastic::read::{Format, read_matrices_text, read_mesh_text};
use rotula_elastic::{Body, Wanted, modes};
use std::fmt::Write;

/// Edges in the order of Gmsh's manual.
const GMSH_TETRAHEDRON: [(usize, usize); 6] = [(0, 1), (1, 2), (2, 0), (3, 0), (3, 2), (3, 1)];
const GMSH_HEXAHEDRON: [(usize, usize); 12] = [
    (0, 1),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 5),
    (2, 3),
    (2, 6),
    (3, 7),
    (4, 5),
    (4, 7),
    (5, 6),
    (6, 7),
];
/// Edges in the order of Nastran's guide: below, upright, above.
const NASTRAN_HEXAHEDRON: [(usize, usize); 12] = [
    (0, 1),
    (1, 2),
    (2, 3),
    (3, 0),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
    (4, 5),
    (5, 6),
    (6, 7),
    (7, 4),
];

fn sample(shape: Shape) -> Mesh {
    solid_box(shape, [1.0, 0.5, 0.25], [2, 2, 1])
}

/// Labels of an element's nodes, with the middles in the order of the given edges.
fn ordered(mesh: &Mesh, element: usize, theirs: &[(usize, usize)]) -> Vec<u64> {
    let element = &mesh.elements[element];
    let labels: Vec<u64> = element.nodes.iter().map(|&node| mesh.nodes[node].label).collect();
    let (corners, ours): (usize, &[(usize, usize)]) = match element.shape {
        Shape::Tetrahedron4 | Shape::Tetrahedron10 => (4, &TETRAHEDRON),
        _ => (8, &HEXAHEDRON),
    };
    let mut list = labels[..corners].to_vec();
    if labels.len() > corners {
        for (a, b) in theirs {
            let same = |edge: &(usize, usize)| edge == &(*a, *b) || edge == &(*b, *a);
            list.push(labels[corners + ours.iter().position(same).unwrap()]);
        }
    }
    list
}

fn join(labels: &[u64], between: &str) -> String {
    labels.iter().map(u64::to_string).collect::<Vec<_>>().join(between)
}

fn abaqus(mesh: &Mesh) -> String {
    let mut text = String::from("*HEADING\nbox\n*NODE, NSET=ALL\n");
    for node in &mesh.nodes {
        let x = node.position;
        writeln!(text, "{}, {:?}, {:?}, {:?}", node.label, x[0], x[1], x[2]).unwrap();
    }
    let shape = mesh.elements[0].shape;
    let kind = match shape {
        Shape::Tetrahedron4 => "C3D4",
        Shape::Tetrahedron10 => "C3D10",
        Shape::Hexahedron8 => "C3D8",
        _ => "C3D20",
    };
    writeln!(text, "*ELEMENT, TYPE={kind}, ELSET=BODY").unwrap();
    for (index, element) in mesh.elements.iter().enumerate() {
        let labels =
            ordered(mesh, index, if shape.nodes() > 10 { &HEXAHEDRON } else { &TETRAHEDRON });
        match labels.len() > 10 {
            true => {
                let (first, second) = (join(&labels[..15], ", "), join(&labels[15..], ", "));
                writeln!(text, "{}, {first},\n{second}", element.label).unwrap();
            }
            false => writeln!(text, "{}, {}", element.label, join(&labels, ", ")).unwrap(),
        }
    }
    let wall: Vec<u64> =
        plane(mesh, 0, 0.0).into_iter().map(|node| mesh.nodes[node].label).collect();
    writeln!(text, "** the wall\n*Nset, nset=Wall\n{}", join(&wall, ",\n")).unwrap();
    text += "*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n";
    text += "*MATERIAL, NAME=Steel\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.,\n";
    text += "*BOUNDARY\nWALL, 1, 3\n*STEP\n*STATIC\n*END STEP\n";
    text
}

fn nastran(mesh: &Mesh, field: &str) -> String {
    let mut text = String::from("SOL 103\nCEND\nSPC = 1\nBEGIN BULK\n$ a box\n");
    for node in &mesh.nodes {
        let x = node.position;
        match field {
            "small" => writeln!(
                text,
                "GRID    {:8}{:8}{:8.5}{:8.5}{:8.5}",
                node.label, "", x[0], x[1], x[2]
            ),
            "large" => writeln!(
                text,
                "GRID*   {:16}{:16}{:16.9}{:16.9}*N{:<6}\n*N{:<6}{:16.9}",
                node.label, "", x[0], x[1], node.label, node.label, x[2]
            ),
            _ => writeln!(text, "GRID,{},,{:?},{:?},{:?}", node.label, x[0], x[1], x[2]),
        }
        .unwrap();
    }
    for (index, element) in mesh.elements.iter().enumerate() {
        let shape = element.shape;
        let (name, edges): (&str, &[(usize, usize)]) = match shape {
            Shape::Tetrahedron4 | Shape::Tetrahedron10 => ("CTETRA", &TETRAHEDRON),
            _ => ("CHEXA", &NASTRAN_HEXAHEDRON),
        };
        let mut fields = vec![element.label, 1];
        fields.extend(ordered(mesh, index, edges));
        for (line, chunk) in fields.chunks(8).enumerate() {
            let head = if line == 0 { name } else { "+" };
            match field {
                "free" => writeln!(text, "{head},{}", join(chunk, ",")).unwrap(),
                _ => {
                    let cells: String = chunk.iter().map(|label| format!("{label:8}")).collect();
                    writeln!(text, "{head:8}{cells}").unwrap();
                }
            }
        }
    }
    text += "MAT1    1       2.1+11          0.3     7850.\n";
    text += "PSOLID,1,1\n";
    for node in plane(mesh, 0, 0.0) {
        writeln!(text, "SPC1,1,123,{}", mesh.nodes[node].label).unwrap();
    }
    text + "ENDDATA\n"
}

fn gmsh_kind(shape: Shape) -> u32 {
    match shape {
        Shape::Tetrahedron4 => 4,
        Shape::Tetrahedron10 => 11,
        Shape::Hexahedron8 => 5,
        _ => 17,
    }
}

fn gmsh_labels(mesh: &Mesh, index: usize) -> String {
    let edges: &[(usize, usize)] = match mesh.elements[index].shape {
        Shape::Tetrahedron4 | Shape::Tetrahedron10 => &GMSH_TETRAHEDRON,
        _ => &GMSH_HEXAHEDRON,
    };
    join(&ordered(mesh, index, edges), " ")
}

fn gmsh_2(mesh: &Mesh) -> String {
    let mut text = String::from("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    text += "$PhysicalNames\n2\n0 1 \"Corner\"\n3 7 \"Body\"\n$EndPhysicalNames\n";
    writeln!(text, "$Nodes\n{}", mesh.nodes.len()).unwrap();
    for node in &mesh.nodes {
        let x = node.position;
        writeln!(text, "{} {:?} {:?} {:?}", node.label, x[0], x[1], x[2]).unwrap();
    }
    writeln!(text, "$EndNodes\n$Elements\n{}", mesh.elements.len() + 1).unwrap();
    writeln!(text, "100000 15 2 1 1 {}", mesh.nodes[0].label).unwrap();
    for (index, element) in mesh.elements.iter().enumerate() {
        let kind = gmsh_kind(element.shape);
        writeln!(text, "{} {kind} 2 7 1 {}", element.label, gmsh_labels(mesh, index)).unwrap();
    }
    text + "$EndElements\n"
}

fn gmsh_4(mesh: &Mesh) -> String {
    let mut text = String::from("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    text += "$PhysicalNames\n2\n0 1 \"Corner\"\n3 7 \"Body\"\n$EndPhysicalNames\n";
    text += "$Entities\n1 0 0 1\n1 0 0 0 1 1\n1 0 0 0 1 1 1 1 7 0\n$EndEntities\n";
    let count = mesh.nodes.len();
    writeln!(text, "$Nodes\n1 {count} 1 {count}\n3 1 0 {count}").unwrap();
    mesh.nodes.iter().for_each(|node| writeln!(text, "{}", node.label).unwrap());
    for node in &mesh.nodes {
        let x = node.position;
        writeln!(text, "{:?} {:?} {:?}", x[0], x[1], x[2]).unwrap();
    }
    let count = mesh.elements.len();
    writeln!(text, "$EndNodes\n$Elements\n2 {} 1 100000", count + 1).unwrap();
    writeln!(text, "0 1 15 1\n100000 {}", mesh.nodes[0].label).unwrap();
    writeln!(text, "3 1 {} {count}", gmsh_kind(mesh.elements[0].shape)).unwrap();
    for (index, element) in mesh.elements.iter().enumerate() {
        writeln!(text, "{} {}", element.label, gmsh_labels(mesh, index)).unwrap();
    }
    text + "$EndElements\n"
}

fn assert_same(read: &Mesh, mesh: &Mesh, tolerance: f64) {
    assert_eq!(read.nodes.len(), mesh.nodes.len());
    assert_eq!(read.elements.len(), mesh.elements.len());
    for (a, b) in read.nodes.iter().zip(&mesh.nodes) {
        assert_eq!(a.label, b.label);
        assert!((a.position - b.position).amax() <= tolerance);
    }
    for (a, b) in read.elements.iter().zip(&mesh.elements) {
        assert_eq!((a.label, a.shape, &a.nodes), (b.label, b.shape, &b.nodes));
    }
}

#[test]
fn abaqus_files() {
    for shape in common::SOLIDS {
        let mesh = sample(shape);
        let read = read_mesh_text("box.inp", &abaqus(&mesh), Format::Abaqus).unwrap();
        assert_same(&read, &mesh, 0.0);
        assert_eq!(read.node_sets["ALL"].len(), mesh.nodes.len());
        assert_eq!(read.supports.len(), plane(&mesh, 0, 0.0).len());
        assert_eq!(read.materials[0].density, 7850.0);
        let mut held = mesh.clone();
        let wall = plane(&mesh, 0, 0.0);
        hold(&mut held, &wall, [true, true, true, false, false, false]);
        let frequency = |mesh: Mesh| {
            Body::new(mesh, &[]).unwrap().modes(Wanted::Lowest(1)).unwrap().frequencies()[0]
        };
        let (read, made) = (frequency(read), frequency(held));
        assert!((read / made - 1.0).abs() < 1e-10);
    }
}

#[test]
fn nastran_files_in_three_fields() {
    for shape in common::SOLIDS {
        let mesh = sample(shape);
        for field in ["small", "large", "free"] {
            let text = nastran(&mesh, field);
            let read = read_mesh_text("box.bdf", &text, Format::Nastran).unwrap();
            assert_same(&read, &mesh, 1e-9);
            assert_eq!(read.supports.len(), plane(&mesh, 0, 0.0).len());
            assert_eq!(read.materials[0].young, 2.1e11);
            Body::new(read, &[]).unwrap();
        }
    }
}

#[test]
fn gmsh_files_of_two_versions() {
    for shape in common::SOLIDS {
        let mesh = sample(shape);
        for text in [gmsh_2(&mesh), gmsh_4(&mesh)] {
            let mut read = read_mesh_text("box.msh", &text, Format::Gmsh).unwrap();
            assert_same(&read, &mesh, 0.0);
            assert_eq!(read.element_sets["Body"].len(), mesh.elements.len());
            assert_eq!(read.node_sets["Body"].len(), mesh.nodes.len());
            assert_eq!(read.node_sets["Corner"], [0]);
            read.materials.push(common::steel());
            read.give_section(Section::Solid { material: 0 });
            Body::new(read, &[]).unwrap();
        }
    }
}

#[test]
fn ties_of_nastran() {
    let text = "\
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
GRID,4,,0.,0.,1.
GRID,9,,0.5,0.5,0.
GRID,10,,0.3,0.3,0.3
CTETRA,1,1,1,2,3,4
PSOLID,1,1
MAT1,1,2.1+11,,0.3,7850.
RBE2,20,9,123456,1,2
RBE3,21,,10,123456,1.0,123,1,2
+,3,4
MPC,5,3,1,1.0,4,2,-2.0
SPC,1,4,3,0.0
";
    let mesh = read_mesh_text("t.bdf", text, Format::Nastran).unwrap();
    let TieKind::Rigid { reference, followers, .. } = &mesh.ties[0].kind else { panic!("RBE2") };
    assert_eq!((*reference, &followers[..]), (4, &[0, 1][..]));
    let TieKind::Mean { reference, followers, .. } = &mesh.ties[1].kind else { panic!("RBE3") };
    assert_eq!((*reference, followers.len()), (5, 4));
    let TieKind::Sum { terms } = &mesh.ties[2].kind else { panic!("MPC") };
    assert_eq!(terms[..], [(2, 0, 1.0), (3, 1, -2.0)]);
    assert_eq!(mesh.supports[0].components, [false, false, true, false, false, false]);
    Body::new(mesh, &[]).unwrap();
}

#[test]
fn beams_and_ties_of_abaqus() {
    let text = "\
*NODE
1, 0., 0., 0.
2, 1., 0., 0.
3, 2., 0., 0.
4, 2., 0.5, 0.
*ELEMENT, TYPE=B31, ELSET=ROD
1, 1, 2
2, 2, 3
*NSET, NSET=ENDS
3
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.
*BEAM SECTION, ELSET=ROD, MATERIAL=STEEL, SECTION=RECT
0.02, 0.03
0., 1., 0.
*RIGID BODY, NSET=ENDS, REF NODE=4
*BOUNDARY
1, ENCASTRE
";
    let mesh = read_mesh_text("rod.inp", text, Format::Abaqus).unwrap();
    let Section::Beam { profile, .. } = &mesh.sections[0] else { panic!("a beam") };
    // the first axis of the section is local y: 0.02 wide along it
    assert!((profile.inertia_z - 0.03 * 0.02_f64.powi(3) / 12.0).abs() < 1e-15);
    let body = Body::new(mesh, &[3]).unwrap();
    assert_eq!(body.freedom.count(), 12);
    body.modes(Wanted::Lowest(2)).unwrap();
}

/// A square of two triangles and one of a quadrilateral, side by side, in all formats.
#[test]
fn shells_of_all_formats() {
    let inp = "\
*NODE
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
5, 2., 0., 0.
6, 2., 1., 0.
*ELEMENT, TYPE=S4, ELSET=A
1, 1, 2, 3, 4
*ELEMENT, TYPE=S3, ELSET=B
2, 2, 5, 6
3, 2, 6, 3
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.
*SHELL SECTION, ELSET=A, MATERIAL=STEEL
0.01
*SHELL SECTION, ELSET=B, MATERIAL=STEEL
0.01
";
    let bdf = "\
GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
GRID,4,,0.,1.,0.
GRID,5,,2.,0.,0.
GRID,6,,2.,1.,0.
CQUAD4,1,1,1,2,3,4
CTRIA3,2,1,2,5,6
CTRIA3,3,1,2,6,3
PSHELL,1,1,0.01,1,,1
MAT1,1,2.1+11,,0.3,7850.
";
    let msh = "\
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
6
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
5 2 0 0
6 2 1 0
$EndNodes
$Elements
4
9 1 2 3 1 1 2
1 3 2 7 1 1 2 3 4
2 2 2 7 1 2 5 6
3 2 2 7 1 2 6 3
$EndElements
";
    let mut meshes = vec![
        read_mesh_text("a.inp", inp, Format::Abaqus).unwrap(),
        read_mesh_text("a.bdf", bdf, Format::Nastran).unwrap(),
        read_mesh_text("a.msh", msh, Format::Gmsh).unwrap(),
    ];
    meshes[2].materials.push(common::steel());
    meshes[2].give_section(Section::Shell { material: 0, thickness: 0.01 });
    assert_eq!(meshes[2].node_sets["3"].len(), 2);
    let frequencies: Vec<f64> = meshes
        .into_iter()
        .map(|mesh| {
            Body::new(mesh, &[]).unwrap().modes(Wanted::Lowest(7)).unwrap().frequencies()[6]
        })
        .collect();
    assert!(frequencies[0] > 1.0);
    assert!(frequencies.iter().all(|f| (f / frequencies[0] - 1.0).abs() < 1e-9), "{frequencies:?}");
}

#[test]
fn matrices_of_matrix_market() {
    let k = "%%MatrixMarket matrix coordinate real symmetric\n% springs\n2 2 3\n1 1 2.0\n2 1 -1.0\n2 2 2.0\n";
    let m = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 1.0\n";
    let matrices = read_matrices_text(("k.mtx", k), ("m.mtx", m)).unwrap();
    let values = modes(&matrices, Wanted::Lowest(2)).unwrap().values;
    assert!((values[0] - 1.0).abs() < 1e-12 && (values[1] - 3.0).abs() < 1e-12);
}
