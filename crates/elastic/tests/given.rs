//! Bodies by their matrices: the same as by their meshes, and checked as well.

mod common;

use common::{beam, plane, solid_box};
use nalgebra::DMatrix;
use rotula_elastic::mesh::{Profile, Shape};
use rotula_elastic::read::read_given_text;
use rotula_elastic::{
    Attachment, Body, Damping, FlexibleBody, Mesh, Method, Units, Wanted, check_units, convert,
    flexible_body, reduce,
};
use std::fmt::Write;

/// A body as three files.
struct Files {
    stiffness: String,
    mass: String,
    nodes: String,
}

/// The matrices and nodes of a mesh, in units of `length` metres.
fn files(mesh: &Mesh, length: f64) -> Files {
    let body = Body::new(mesh.clone(), &[]).unwrap();
    let size = body.matrices.size();
    let write = |values: &[f64]| {
        let mut lines = Vec::new();
        for j in 0..size {
            for (i, p) in body.matrices.column(j).filter(|(i, _)| *i >= j) {
                let turns = [i, j].iter().filter(|k| body.freedom.owner(**k).1 >= 3).count();
                // N/mm and N mm, tonnes and t mm²
                let value = values[p] * length.powi(1 - turns as i32);
                lines.push(format!("{} {} {value:e}", i + 1, j + 1));
            }
        }
        let header = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n";
        format!("{header}{size} {size} {}\n{}\n", lines.len(), lines.join("\n"))
    };
    let mut nodes = String::from("# a body\nnode,x,y,z,components,set\n");
    for (index, node) in mesh.nodes.iter().enumerate() {
        let [x, y, z] = [0, 1, 2].map(|i| node.position[i] / length);
        let components = if body.freedom.component(index, 3).is_some() { "123456" } else { "123" };
        let sets = mesh.node_sets.iter().filter(|(_, nodes)| nodes.contains(&index));
        let sets: Vec<&str> = sets.map(|(name, _)| name.as_str()).collect();
        writeln!(nodes, "{},{x:e},{y:e},{z:e},{components},{}", node.label, sets.join(" "))
            .unwrap();
    }
    Files { stiffness: write(&body.matrices.stiffness), mass: write(&body.matrices.mass), nodes }
}

fn read(files: &Files) -> Result<Mesh, rotula_elastic::MeshError> {
    read_given_text(
        ("K.mtx", &files.stiffness),
        ("M.mtx", &files.mass),
        ("nodes.csv", &files.nodes),
    )
}

fn bar() -> Mesh {
    let mut mesh = solid_box(Shape::Hexahedron8, [0.6, 0.05, 0.04], [6, 2, 1]);
    for (name, x) in [("LEFT", 0.0), ("RIGHT", 0.6)] {
        let nodes = plane(&mesh, 0, x);
        mesh.add_to_set(name, &nodes);
    }
    mesh
}

fn reduced(mesh: Mesh, method: Method) -> FlexibleBody {
    let at = |name: &str, at: &str| Attachment { name: name.into(), at: at.into(), rigid: true };
    let reduction = reduce(mesh, &[at("a", "LEFT"), at("b", "RIGHT")], method).unwrap();
    flexible_body(&reduction, "bar", Damping::Ratio(0.01)).unwrap()
}

fn near(what: &str, a: &DMatrix<f64>, b: &DMatrix<f64>, tolerance: f64) {
    // shapes have unit modal mass: their integrals are of the size of one
    let size = a.amax().max(b.amax()).max(1e-6);
    assert!((a - b).amax() <= tolerance * size, "{what}: {:e} of {size:e}", (a - b).amax());
}

/// Shapes are the same up to their sign.
fn signs(a: &FlexibleBody, b: &FlexibleBody) -> DMatrix<f64> {
    let sign =
        |k: usize| a.surface.displacement.column(k).dot(&b.surface.displacement.column(k)).signum();
    DMatrix::from_diagonal(&nalgebra::DVector::from_fn(a.shapes(), |k, _| sign(k)))
}

fn compare(mesh: &FlexibleBody, given: &FlexibleBody, tolerance: f64) {
    assert_eq!(mesh.shapes(), given.shapes());
    let sign = signs(mesh, given);
    let wide = sign.kronecker(&DMatrix::identity(3, 3));
    let [a, b] =
        [mesh, given].map(|body| DMatrix::from_column_slice(body.shapes(), 1, &body.stiffness));
    for k in 0..a.nrows() {
        assert!((a[k] / b[k] - 1.0).abs() < tolerance, "frequency {k}: {} {}", a[k], b[k]);
    }
    let (i, j) = (&mesh.inertia, &given.inertia);
    assert!((i.mass / j.mass - 1.0).abs() < tolerance);
    assert!((i.first - j.first).norm() < tolerance * i.mass);
    assert!((i.second - j.second).norm() < tolerance * i.mass);
    assert!(j.spin.norm() < tolerance * i.mass);
    near("first", &(&i.shape_first * &sign), &j.shape_first, tolerance);
    near("second", &(&i.shape_second * &wide), &j.shape_second, tolerance);
    near("product", &(&wide * &i.shape_product * &wide), &j.shape_product, tolerance);
    near("modal", &i.modal, &j.modal, tolerance);
    assert!(j.shape_spin.amax() < tolerance, "{:e}", j.shape_spin.amax());
    for (a, b) in mesh.frames.iter().zip(&given.frames) {
        assert_eq!((&a.name, a.position), (&b.name, b.position));
        near("frame", &(&a.translation * &sign), &b.translation, tolerance);
        near("rotation", &(&a.rotation * &sign), &b.rotation, tolerance);
    }
    near("nodes", &(&mesh.surface.displacement * &sign), &given.surface.displacement, tolerance);
}

#[test]
fn matrices_and_mesh_make_the_same_body() {
    let files = files(&bar(), 1.0);
    let mesh = read(&files).unwrap();
    check_units(&mesh).unwrap();
    for method in [Method::CraigBampton(Wanted::Lowest(6)), Method::Guyan] {
        compare(&reduced(bar(), method), &reduced(mesh.clone(), method), 1e-6);
    }
    let given = reduced(mesh, Method::Guyan);
    assert!(!given.surface.cells.is_empty() && given.surface.stress.amax() == 0.0);
}

#[test]
fn millimetres_are_noticed_and_converted() {
    let mut mesh = read(&files(&bar(), 1e-3)).unwrap();
    let error = check_units(&mesh).unwrap_err().to_string();
    assert!(error.starts_with("K.mtx: waves would run") && error.contains("--units mm"), "{error}");
    convert(&mut mesh, Units::Millimetres);
    check_units(&mesh).unwrap();
    let method = Method::CraigBampton(Wanted::Lowest(4));
    compare(&reduced(bar(), method), &reduced(mesh, method), 1e-6);
}

/// With rotations everything but the change of the inertia with the deformation is exact.
#[test]
fn beams_keep_their_momentum_and_their_modes() {
    let profile = Profile {
        area: 1e-3,
        inertia_y: 2e-8,
        inertia_z: 8e-8,
        torsion: 6e-8,
        shear_y: 0.0,
        shear_z: 0.0,
        radius: None,
    };
    let mut mesh = beam(0.8, 8, profile);
    mesh.add_to_set("LEFT", &[0]);
    mesh.add_to_set("RIGHT", &[8]);
    let given = read(&files(&mesh, 1.0)).unwrap();
    check_units(&given).unwrap();
    let method = Method::CraigBampton(Wanted::Lowest(4));
    let (whole, given) = (reduced(mesh, method), reduced(given, method));
    let still = nalgebra::DVector::zeros(whole.shapes());
    let sign = signs(&whole, &given);
    let mut wide = DMatrix::identity(6 + whole.shapes(), 6 + whole.shapes());
    wide.view_mut((6, 6), (whole.shapes(), whole.shapes())).copy_from(&sign);
    let mass = &wide * whole.inertia.mass_matrix(&still) * &wide;
    near("mass matrix", &mass, &given.inertia.mass_matrix(&still), 1e-6);
    for (a, b) in whole.stiffness.iter().zip(&given.stiffness) {
        assert!((a / b - 1.0).abs() < 1e-6, "{a} {b}");
    }
    // the integrals of second order differ by what the rotations of the nodes add to the displacement
    let wide = &sign.kronecker(&DMatrix::identity(3, 3));
    let product = wide * &whole.inertia.shape_product * wide;
    let [a, b] = [&product, &given.inertia.shape_product].map(|matrix| matrix.view((0, 0), (9, 9)));
    let difference = (a - b).norm() / a.norm();
    assert!(difference < 0.05, "{difference}");
}

#[test]
fn wrong_files_are_named() {
    let sound = files(&bar(), 1.0);
    let check = |files: Files| {
        let mesh = read(&files)?;
        check_units(&mesh)?;
        Body::new(mesh, &[]).map(|_| ())
    };
    type Spoil = fn(&mut Files);
    let cases: [(Spoil, &str); 10] = [
        (
            |f| f.nodes = f.nodes.replacen("node,x", "knot,x", 1),
            "nodes.csv:2:1: `knot` is no column",
        ),
        (
            |f| f.nodes = f.nodes.replacen(",components", "", 1),
            "nodes.csv:2:1: the table has no column `components`",
        ),
        (
            |f| f.nodes = f.nodes.replacen(",123,", ",12,", 1),
            "nodes.csv:3:1: node 1 has not all translations",
        ),
        (|f| f.nodes = f.nodes.replacen(",123,", ",1223,", 1), "nodes.csv:3:"),
        (|f| f.nodes = f.nodes.replacen(",123,", ",127,", 1), "nodes.csv:3:"),
        (
            |f| f.nodes = f.nodes.replacen(",123,", ",123456,", 1),
            "nodes.csv: the table lists 129 components",
        ),
        // two nodes exchanged
        (
            |f| {
                let mut lines: Vec<&str> = f.nodes.lines().collect();
                lines.swap(2, 4);
                f.nodes = lines.join("\n");
            },
            "K.mtx: the stiffness resists a rigid motion about",
        ),
        (
            |f| spoil(&mut f.stiffness, 0, 1e9),
            "K.mtx: the stiffness resists a rigid motion along x",
        ),
        (|f| spoil(&mut f.mass, 0, 1.0), "M.mtx: the mass is "),
        (|f| spoil(&mut f.mass, 0, -1.0), "M.mtx: entry (1, 1), of node 1 along x, is -"),
    ];
    for (spoil, expected) in cases {
        let mut files = Files {
            stiffness: sound.stiffness.clone(),
            mass: sound.mass.clone(),
            nodes: sound.nodes.clone(),
        };
        spoil(&mut files);
        let error = check(files).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{expected}: {error}");
        assert!(error.contains("; "), "{error}");
    }
    // an indefinite stiffness that yields to rigid motions: less than nothing of a bar's own
    let mut mesh = read(&sound).unwrap();
    let given = mesh.given.as_mut().unwrap();
    let mut soft = given.matrices.clone();
    for j in 0..soft.size() {
        let column: Vec<_> = given.matrices.column(j).collect();
        column.iter().for_each(|(i, p)| {
            if given.rows[*i].1 != given.rows[j].1 {
                soft.stiffness[*p] *= 3.0;
            }
        });
    }
    given.matrices = soft;
    let error = Body::new(mesh, &[]).unwrap_err().to_string();
    assert!(error.starts_with("K.mtx: the stiffness "), "{error}");
}

/// Adds to an entry of a matrix.
fn spoil(text: &mut String, entry: usize, value: f64) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let words: Vec<String> = lines[3 + entry].split(' ').map(str::to_owned).collect();
    let old: f64 = words[2].parse().unwrap();
    lines[3 + entry] = format!("{} {} {:e}", words[0], words[1], old + value);
    *text = lines.join("\n");
}
