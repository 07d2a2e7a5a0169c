//! `rotula reduce` as a user meets it.

mod common;

use common::Place;
use std::fmt::Write;

/// A bar of hexahedra along x, in metres times `scale`, with its ends as sets.
fn bar(scale: f64, young: &str, density: &str) -> String {
    let mut text = String::from("*NODE\n");
    let (cells, length, width) = (10, 1.0 * scale, 0.05 * scale);
    let label = |i: usize, j: usize, k: usize| 1 + i + (cells + 1) * (j + 2 * k);
    for k in 0..2 {
        for j in 0..2 {
            for i in 0..=cells {
                let x = length * i as f64 / cells as f64;
                let (y, z) = (width * j as f64, width * k as f64);
                writeln!(text, "{}, {x:?}, {y:?}, {z:?}", label(i, j, k)).unwrap();
            }
        }
    }
    text += "*ELEMENT, TYPE=C3D8, ELSET=BAR\n";
    for i in 0..cells {
        let corners = [(i, 0, 0), (i + 1, 0, 0), (i + 1, 1, 0), (i, 1, 0)];
        let mut line = format!("{}", i + 1);
        for up in 0..2 {
            corners.iter().for_each(|(i, j, _)| write!(line, ", {}", label(*i, *j, up)).unwrap());
        }
        writeln!(text, "{line}").unwrap();
    }
    for (name, i) in [("LEFT", 0), ("RIGHT", cells)] {
        let nodes = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(j, k)| label(i, j, k).to_string());
        writeln!(text, "*NSET, NSET={name}\n{}", nodes.join(", ")).unwrap();
    }
    write!(
        text,
        "*MATERIAL, NAME=STEEL\n*ELASTIC\n{young}, 0.3\n*DENSITY\n{density}\n\
         *SOLID SECTION, ELSET=BAR, MATERIAL=STEEL\n"
    )
    .unwrap();
    text
}

const ENDS: [&str; 4] = ["--interface", "a=LEFT", "--interface", "b=RIGHT"];

#[test]
fn a_bar_becomes_a_flexible_body() {
    let place = Place::new();
    place.write("bar.inp", &bar(1.0, "2.1e11", "7850."));
    let arguments = ["reduce", "bar.inp", "-o", "bar.flex", "--modes", "8", "--vtk", "bar.pvd"];
    let said = place.rotula(&[&arguments[..], &ENDS].concat());
    assert_eq!(said.status, 0, "{}", said.stderr);
    let sentences = [
        "bar.inp: 10 elements, 46 nodes, 120 free components.",
        "In metres it is 1 by 0.05 by 0.05; its mass is 19.625 kg, its centre is at (0.5, 0.025, 0.025).",
        "It was reduced to 26 shapes by Craig and Bampton's method with residual shapes, with the interfaces a and b.",
        "The lowest frequencies of the free body are ",
        "The cut-off is ",
        "The flexible body is in bar.flex. Its shapes are in bar.pvd.",
    ];
    for sentence in sentences {
        assert!(said.stdout.contains(sentence), "no `{sentence}` in\n{}", said.stdout);
    }
    assert!(place.path("bar_0025.vtu").exists() && place.drafts().is_empty());
    let body = rotula_elastic::read_flex(&place.path("bar.flex")).unwrap();
    assert_eq!((body.shapes(), body.frames.len(), body.title.as_str()), (26, 2, "bar"));
    // the same bar in millimetres
    place.write("small.inp", &bar(1000.0, "210000.", "7.85e-9"));
    let said = place.rotula(&[&["reduce", "small.inp", "-o", "small.flex"][..], &ENDS].concat());
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("--units mm"), "{}", said.stderr);
    let arguments = ["reduce", "small.inp", "-o", "small.flex", "--units", "mm", "--modes", "8"];
    let said = place.rotula(&[&arguments[..], &ENDS].concat());
    assert_eq!(said.status, 0, "{}", said.stderr);
    let small = rotula_elastic::read_flex(&place.path("small.flex")).unwrap();
    // nodes in millimetres with a material in pascals: nothing is wrong but the size
    place.write("long.inp", &bar(1000.0, "2.1e11", "7850."));
    let said = place.rotula(&[&["reduce", "long.inp", "-o", "long.flex"][..], &ENDS].concat());
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("1000 m long. Are the nodes in millimetres?"), "{}", said.stdout);
    for (a, b) in small.frequencies().iter().zip(body.frequencies()) {
        assert!((a / b - 1.0).abs() < 1e-8, "{a} {b}");
    }
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let place = Place::new();
    let sound = bar(1.0, "2.1e11", "7850.");
    place.write("bar.inp", &sound);
    place.write("hole.inp", &sound.replacen("1, 1, 2, 13,", "1, 1, 2, 99,", 1));
    let cases: [(&[&str], &str); 9] = [
        (&["hole.inp"], "element 1 uses node 99, which does not exist"),
        (&["none.inp"], "none.inp: the file cannot be read"),
        (&["bar.inp", "--interface", "a=LEFTT"], "one of the sets LEFT, RIGHT"),
        (&["bar.inp"], "neither interfaces nor supports"),
        (&["bar.inp", "--interface", "a"], "write NAME=NODE or NAME=SET"),
        (&["bar.inp", "--interface", "a=LEFT", "--damping", "2"], "no ratio of critical damping"),
        (
            &["bar.inp", "--interface", "a=LEFT", "--damping-above", "100=2"],
            "no ratio of critical damping",
        ),
        (&["bar.inp", "--interface", "a=LEFT", "--damping-above", "100"], "100=0.1"),
        (
            &["bar.inp", "--interface", "a=LEFT", "--method", "guyan", "--modes", "3"],
            "no modes of vibration",
        ),
    ];
    for (arguments, expected) in cases {
        let said = place.rotula(&[&["reduce"], arguments, &["-o", "out.flex"]].concat());
        assert_eq!(said.status, 2, "{arguments:?}");
        assert!(said.stderr.contains(expected), "{arguments:?}: {}", said.stderr);
        assert!(!place.path("out.flex").exists());
    }
    let said = place.rotula(&["reduce", "hole.inp", "-o", "out.flex"]);
    let line = sound.lines().position(|line| line.starts_with("1, 1, 2")).unwrap() + 1;
    assert!(said.stderr.contains(&format!("hole.inp:{line}:1: ")), "{}", said.stderr);
}

/// A tetrahedron of bars with masses at its corners.
#[test]
fn matrices_become_a_flexible_body() {
    let place = Place::new();
    let nodes = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.3, 0.4, 0.0), (0.3, 0.2, 0.5)];
    let mut stiffness = vec![[0.0; 12]; 12];
    for a in 0..4 {
        for b in 0..a {
            let arm = [nodes[a].0 - nodes[b].0, nodes[a].1 - nodes[b].1, nodes[a].2 - nodes[b].2];
            let length = arm.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
            for i in 0..3 {
                for j in 0..3 {
                    let value = 2.1e7 / length * arm[i] * arm[j] / (length * length);
                    stiffness[3 * a + i][3 * a + j] += value;
                    stiffness[3 * b + i][3 * b + j] += value;
                    stiffness[3 * a + i][3 * b + j] -= value;
                    stiffness[3 * b + i][3 * a + j] -= value;
                }
            }
        }
    }
    let header = "%%MatrixMarket matrix coordinate real general\n12 12 ";
    let mut text = format!("{header}144\n");
    for (i, row) in stiffness.iter().enumerate() {
        row.iter().enumerate().for_each(|(j, value)| {
            writeln!(text, "{} {} {value:e}", i + 1, j + 1).unwrap();
        });
    }
    place.write("K.mtx", &text);
    let mut text = format!("{header}12\n");
    (1..=12).for_each(|i| writeln!(text, "{i} {i} 2.0").unwrap());
    place.write("M.mtx", &text);
    let mut text = String::from("node,x,y,z,components,set\n");
    for (k, (x, y, z)) in nodes.iter().enumerate() {
        writeln!(text, "{},{x},{y},{z},123,ALL", k + 1).unwrap();
    }
    place.write("nodes.csv", &text);
    let files = ["K.mtx", "--mass", "M.mtx", "--nodes", "nodes.csv", "-o", "out.flex"];
    let said = place.rotula(&[&["reduce"], &files[..], &["--method", "free"]].concat());
    assert_eq!(said.status, 0, "{}", said.stderr);
    for sentence in ["K.mtx: 4 nodes, 12 free components.", "its mass is 8 kg", "6 shapes"] {
        assert!(said.stdout.contains(sentence), "no `{sentence}` in\n{}", said.stdout);
    }
    let body = rotula_elastic::read_flex(&place.path("out.flex")).unwrap();
    assert_eq!(body.shapes(), 6);
    let cases: [(&[&str], &str); 3] = [
        (&["K.mtx"], "a stiffness without mass and nodes"),
        (&["K.mtx", "--mass", "M.mtx"], "--nodes"),
        (&["x.inp", "--mass", "M.mtx", "--nodes", "nodes.csv"], "belong to a stiffness"),
    ];
    for (arguments, expected) in cases {
        let said = place.rotula(&[&["reduce"], arguments, &["-o", "bad.flex"]].concat());
        assert_eq!(said.status, 2, "{arguments:?}");
        assert!(said.stderr.contains(expected), "{arguments:?}: {}", said.stderr);
    }
}
