//! Reduced bodies and pictures on disk.

mod common;

use common::{plane, solid_box};
use rotula_elastic::mesh::Shape;
use rotula_elastic::{
    Attachment, Damping, FlexibleBody, Method, Snapshot, Wanted, flexible_body, read_flex, reduce,
    write_flex, write_series,
};
use std::io::{Read, Write};
use std::path::Path;

fn body() -> FlexibleBody {
    let mut mesh = solid_box(Shape::Hexahedron20, [0.5, 0.05, 0.05], [4, 1, 1]);
    for (name, x) in [("left", 0.0), ("right", 0.5)] {
        let nodes = plane(&mesh, 0, x);
        mesh.node_sets.insert(name.into(), nodes);
    }
    let attachments = ["left", "right"].map(|name| Attachment {
        name: name.into(),
        at: name.into(),
        rigid: true,
    });
    let method = Method::CraigBampton(Wanted::Lowest(4));
    let reduction = reduce(mesh, &attachments, method).unwrap();
    flexible_body(&reduction, "bar", Damping::Ratio(0.02)).unwrap()
}

#[test]
fn bodies_come_back_as_they_were() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("deep/bar.flex");
    let body = body();
    write_flex(&path, &body).unwrap();
    assert_eq!(read_flex(&path).unwrap(), body);
    let left = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(left, 1, "no draft is left");
}

/// Copies an archive with one entry changed, or left out.
fn changed(from: &Path, to: &Path, name: &str, change: impl Fn(&[u8]) -> Option<Vec<u8>>) {
    let mut source = zip::ZipArchive::new(std::fs::File::open(from).unwrap()).unwrap();
    let mut target = zip::ZipWriter::new(std::fs::File::create(to).unwrap());
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for index in 0..source.len() {
        let mut entry = source.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        let entry_name = entry.name().to_owned();
        if entry_name == name {
            let Some(new) = change(&bytes) else { continue };
            bytes = new;
        }
        target.start_file(entry_name, options).unwrap();
        target.write_all(&bytes).unwrap();
    }
    target.finish().unwrap();
}

#[test]
fn damaged_files_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (sound, path) = (directory.path().join("a.flex"), directory.path().join("b.flex"));
    write_flex(&sound, &body()).unwrap();
    let replaced = |from: &'static str, to: &'static str| {
        move |bytes: &[u8]| {
            Some(String::from_utf8(bytes.to_vec()).unwrap().replace(from, to).into_bytes())
        }
    };
    let last = |value: f64| {
        move |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            let end = bytes.len();
            bytes[end - 8..].copy_from_slice(&value.to_le_bytes());
            Some(bytes)
        }
    };
    type Change = Box<dyn Fn(&[u8]) -> Option<Vec<u8>>>;
    let cases: Vec<(&str, Change, &str)> = vec![
        ("header.json", Box::new(|_| None), "has no header"),
        (
            "header.json",
            Box::new(replaced("\"version\": 1", "\"version\": 7")),
            "version 7 of the format is not known",
        ),
        (
            "header.json",
            Box::new(replaced("rotula flexible", "another")),
            "not that of a flexible body",
        ),
        ("header.json", Box::new(replaced("\"floats\"", "\"sinks\"")), "the header is unsound"),
        ("stiffness.npy", Box::new(|_| None), "the array `stiffness` is missing"),
        ("stiffness.npy", Box::new(last(-1.0)), "a modal stiffness is not positive"),
        ("mass.npy", Box::new(last(0.0)), "the mass is not positive"),
        (
            "modal_mass.npy",
            Box::new(last(f64::NAN)),
            "`modal_mass` holds a number that is not finite",
        ),
        (
            "damping.npy",
            Box::new(|bytes: &[u8]| Some(bytes[..bytes.len() - 8].to_vec())),
            "`damping` is unsound",
        ),
        ("cell_nodes.npy", Box::new(last(1e9)), "nodes that do not exist"),
    ];
    for (name, change, expected) in cases {
        changed(&sound, &path, name, change);
        let error = read_flex(&path).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("b.flex"), "{error}");
    }
    std::fs::write(&path, "no archive").unwrap();
    assert!(read_flex(&path).unwrap_err().to_string().contains("this is no flexible body"));
    let nowhere = directory.path().join("none.flex");
    assert!(read_flex(&nowhere).unwrap_err().to_string().contains("cannot be read"));
}

#[test]
fn series_for_paraview() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bar.pvd");
    let body = body();
    let mut amplitudes = vec![0.0; body.shapes()];
    amplitudes[0] = 1e-3;
    let mut turned = Snapshot::at_rest(0.5, &amplitudes);
    turned.rotation = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    turned.origin = [10.0, 0.0, 0.0];
    write_series(&path, &body.surface, &[Snapshot::at_rest(0.0, &amplitudes), turned], 1.0)
        .unwrap();
    let list = std::fs::read_to_string(&path).unwrap();
    assert!(list.contains("timestep=\"0.5\" part=\"0\" file=\"bar_0001.vtu\""), "{list}");
    let points = |name: &str| -> Vec<f64> {
        let text = std::fs::read_to_string(directory.path().join(name)).unwrap();
        let part = text.split("Name=\"points\"").nth(1).unwrap();
        let part = part.split_once('>').unwrap().1.split("</DataArray>").next().unwrap();
        part.split_whitespace().map(|word| word.parse().unwrap()).collect()
    };
    let (first, second) = (points("bar_0000.vtu"), points("bar_0001.vtu"));
    assert_eq!(first.len(), 3 * body.surface.nodes());
    for (a, b) in first.chunks(3).zip(second.chunks(3)) {
        let expected = [10.0 - a[1], a[0], a[2]];
        assert!(b.iter().zip(expected).all(|(b, e)| (b - e).abs() < 1e-12));
    }
}
