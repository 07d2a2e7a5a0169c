//! Exports, read back by other means than they were written.

mod common;

use rotula_report::{
    Column, Values, write_glb, write_parquet, write_plots, write_table, write_vtk,
};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("export-{name}"));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

/// The numbers of an accessor of a glTF document.
fn accessor(document: &Value, bytes: &[u8], index: &Value) -> Vec<f32> {
    let accessor = &document["accessors"][index.as_u64().unwrap() as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let part = &bytes[start..start + view["byteLength"].as_u64().unwrap() as usize];
    part.chunks(4).map(|chunk| f32::from_le_bytes(chunk.try_into().unwrap())).collect()
}

#[test]
fn gltf_moves_the_bodies_along_the_film() {
    let film = common::film();
    let path = directory("glb").join("animation.glb");
    write_glb(&path, &film).unwrap();
    let file = std::fs::read(&path).unwrap();
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
    let head = word(12);
    assert_eq!((&file[16..20], head % 4), (&b"JSON"[..], 0));
    let document: Value = serde_json::from_slice(&file[20..20 + head]).unwrap();
    let bytes = &file[28 + head..];
    assert_eq!((word(20 + head), &file[24 + head..28 + head]), (bytes.len(), &b"BIN\0"[..]));

    let node = document["nodes"].as_array().unwrap().iter().position(|n| n["name"] == "door");
    let animation = &document["animations"][0];
    let output = |path: &str| {
        let channels = animation["channels"].as_array().unwrap();
        let channel = channels.iter().find(|channel| {
            channel["target"]["node"] == node.unwrap() && channel["target"]["path"] == path
        });
        let sampler = channel.unwrap()["sampler"].as_u64().unwrap() as usize;
        let sampler = &animation["samplers"][sampler];
        assert_eq!(accessor(&document, bytes, &sampler["input"]).len(), film.times.len());
        accessor(&document, bytes, &sampler["output"])
    };
    let (places, turns) = (output("translation"), output("rotation"));
    for k in [0, 40, 100] {
        let frame = film.frames_at(k)[2];
        assert!((f64::from(places[3 * k]) - frame.position.x).abs() < 1e-6);
        let [w, _, _, z] = frame.orientation.to_array();
        // the order of the format: x, y, z, w; either sign is the same rotation
        let sign = if f64::from(turns[4 * k + 3]) * w < 0.0 { -1.0 } else { 1.0 };
        assert!((f64::from(turns[4 * k + 2]) * sign - z).abs() < 1e-6);
    }
    // gravity along −z: z of the model becomes y of the format
    let root = document["scenes"][0]["nodes"][0].as_u64().unwrap() as usize;
    let turn = document["nodes"][root]["rotation"].as_array().unwrap();
    assert!((turn[0].as_f64().unwrap() + 0.5f64.sqrt()).abs() < 1e-6, "{turn:?}");
}

#[test]
fn vtk_lists_all_times_and_their_files() {
    let film = common::film();
    let directory = directory("vtk");
    let path = write_vtk(&directory, &film).unwrap();
    let list = std::fs::read_to_string(&path).unwrap();
    assert_eq!(list.matches("<DataSet").count(), 2 * film.times.len());
    for line in list.lines().filter(|line| line.starts_with("<DataSet")) {
        let file = line.split("file=\"").nth(1).unwrap().split('"').next().unwrap();
        assert!(directory.join(file).is_file(), "{file}");
    }
    let text = std::fs::read_to_string(directory.join("animation/mechanism_00000.vtp")).unwrap();
    let points = text.split("Name=\"points\"").nth(1).unwrap();
    let points = points.split('>').nth(1).unwrap().split('<').next().unwrap();
    // eight bytes of length are two numbers here
    let numbers = common::floats(points);
    let count: usize =
        text.split("NumberOfPoints=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    assert_eq!(numbers.len(), 2 + 3 * count);
    // the last points are those of the beam
    let last = film.tubes[0].points[20];
    let found = &numbers[numbers.len() - 3..];
    assert!((f64::from(found[0]) - last.x).abs() < 1e-6);
    assert!((f64::from(found[2]) - last.z).abs() < 1e-6);
}

#[test]
fn films_without_bodies_are_refused_in_words() {
    let film = rotula_mechanics::picture::Film::default();
    let error = write_glb(&directory("none").join("a.glb"), &film).unwrap_err().to_string();
    assert!(error.contains("no moving body") && error.contains("a.glb"), "{error}");
}

#[test]
fn parquet_holds_the_columns_as_they_are() {
    let trajectory = common::trajectory(30, 7);
    let settings = common::settings();
    let run = common::run(&trajectory, &settings);
    let path = directory("parquet").join("trajectory.parquet");
    write_parquet(&path, &run).unwrap();
    let file = std::fs::read(&path).unwrap();
    assert_eq!((&file[..4], &file[file.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    let footer = &file[file.len() - 8..file.len() - 4];
    let footer = u32::from_le_bytes(footer.try_into().unwrap()) as usize;
    let metadata = &file[file.len() - 8 - footer..file.len() - 8];
    for name in ["t", "crank.x", "crank.x''", "residual.position", "unit.crank.x"] {
        let found = metadata.windows(name.len()).any(|window| window == name.as_bytes());
        assert!(found, "{name} is missing");
    }
    // the first page is that of the times: its numbers are in the file as they are
    let times: Vec<u8> = trajectory.times.iter().flat_map(|t| t.to_le_bytes()).collect();
    let at = file.windows(times.len()).position(|window| window == times);
    assert!(at.is_some_and(|at| at < 40), "{at:?}");
    let columns = 1 + 3 * 7 + 5 + 2 + 2 + 1 + 3 + 3;
    assert!(file.len() > 8 * 30 * columns, "{} bytes", file.len());
}

#[test]
fn tables_hold_texts_and_whole_numbers_beside_numbers() {
    let words = ["done", "", "größer"];
    let column = |name: &str, values| Column { name: name.into(), unit: "", values };
    let columns = [
        column("status", Values::Texts(Box::new(|i| words[i]))),
        column("steps", Values::Integers(Box::new(|i| i as i64 - 1))),
        column("x", Values::Numbers(Box::new(|i| 0.5 * i as f64))),
    ];
    let path = directory("table").join("table.parquet");
    write_table(&path, &columns, 3, "a test").unwrap();
    let file = std::fs::read(&path).unwrap();
    let has = |bytes: &[u8]| file.windows(bytes.len()).any(|window| window == bytes);
    // each text behind its length, each number as it is
    let mut texts = Vec::new();
    for word in words {
        texts.extend((word.len() as u32).to_le_bytes());
        texts.extend(word.as_bytes());
    }
    assert!(has(&texts));
    assert!(has(&[-1i64, 0, 1].map(i64::to_le_bytes).concat()));
    assert!(has(&[0.0f64, 0.5, 1.0].map(f64::to_le_bytes).concat()));
}

#[test]
fn every_plot_becomes_a_picture() {
    let trajectory = common::trajectory(150, 7);
    let settings = common::settings();
    let written = write_plots(&directory("plots"), &common::run(&trajectory, &settings)).unwrap();
    let names: Vec<_> =
        written.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
    for name in ["outputs", "coordinates", "energy", "constraint-residuals", "step-size"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    for path in &written {
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(&bytes[1..4], b"PNG");
        let wide = u32::from_be_bytes(bytes[16..20].try_into().unwrap());
        assert_eq!(wide, 1800);
    }
}
