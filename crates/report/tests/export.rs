//! Exports, read back by other means than they were written.

mod common;

use nalgebra::Vector3;
use rotula_dae::ContactForce;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::Symbol;
use rotula_mechanics::picture::{Field, Film, Shapes, Skin};
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

/// A glTF file that was read.
struct Scene {
    document: Value,
    bytes: Vec<u8>,
}

impl Scene {
    fn of(film: &Film, name: &str) -> Self {
        let path = directory(name).join("animation.glb");
        write_glb(&path, film).unwrap();
        let file = std::fs::read(&path).unwrap();
        let head = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
        let document = serde_json::from_slice(&file[20..20 + head]).unwrap();
        Scene { document, bytes: file[28 + head..].to_vec() }
    }

    fn numbers(&self, index: &Value) -> Vec<f32> {
        accessor(&self.document, &self.bytes, index)
    }

    fn index(&self, list: &str, name: &str) -> usize {
        let found = self.document[list].as_array().unwrap().iter().position(|n| n["name"] == name);
        found.unwrap_or_else(|| panic!("no {name} among the {list}"))
    }

    /// The numbers of a property of a node at a time, if it moves.
    fn moved(&self, node: usize, path: &str, time: usize) -> Option<Vec<f64>> {
        let animation = &self.document["animations"][0];
        let channel = animation["channels"].as_array().unwrap().iter().find(|channel| {
            channel["target"]["node"] == node && channel["target"]["path"] == path
        })?;
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let times = self.numbers(&sampler["input"]).len();
        let all = self.numbers(&sampler["output"]);
        let width = all.len() / times;
        Some(all[time * width..(time + 1) * width].iter().map(|x| f64::from(*x)).collect())
    }

    /// Where a node is at a time; without scale.
    fn frame(&self, node: usize, time: usize) -> Frame {
        let given = |path: &str, usual: &[f64]| -> Vec<f64> {
            self.moved(node, path, time).unwrap_or_else(|| {
                let list = self.document["nodes"][node][path].as_array();
                list.map_or(usual.to_vec(), |l| l.iter().map(|x| x.as_f64().unwrap()).collect())
            })
        };
        let p = given("translation", &[0.0; 3]);
        let r = given("rotation", &[0.0, 0.0, 0.0, 1.0]);
        let turn = Quaternion::new(r[3], r[0], r[1], r[2]).normalised();
        Frame::new(Vector3::new(p[0], p[1], p[2]), turn)
    }

    fn points(&self, index: &Value) -> Vec<Vector3<f64>> {
        let numbers = self.numbers(index);
        let point = |p: &[f32]| Vector3::new(p[0], p[1], p[2]).map(f64::from);
        numbers.chunks(3).map(point).collect()
    }
}

/// Rings of a tube stay around the points of the line, at its radius.
#[test]
fn gltf_bends_beams_as_the_film_does() {
    let film = common::film();
    let scene = Scene::of(&film, "glb-tube");
    let nodes = scene.document["nodes"].as_array().unwrap();
    let node = nodes.iter().position(|node| node.get("skin").is_some()).unwrap();
    let top = scene.document["scenes"][0]["nodes"].as_array().unwrap();
    assert!(top.contains(&node.into()), "a carried surface stands alone");
    let skin = &scene.document["skins"][nodes[node]["skin"].as_u64().unwrap() as usize];
    let joints: Vec<usize> =
        skin["joints"].as_array().unwrap().iter().map(|j| j.as_u64().unwrap() as usize).collect();
    assert_eq!(joints.len(), film.tubes[0].count);
    let back = scene.numbers(&skin["inverseBindMatrices"]);
    let mesh = &scene.document["meshes"][nodes[node]["mesh"].as_u64().unwrap() as usize];
    let attributes = &mesh["primitives"][0]["attributes"];
    let corners = scene.points(&attributes["POSITION"]);
    let weights = scene.numbers(&attributes["WEIGHTS_0"]);
    let owners = scene.numbers(&attributes["JOINTS_0"]);
    for time in [0, 33, 100] {
        for (k, corner) in corners.iter().enumerate() {
            assert_eq!(weights[4 * k], 1.0);
            // two numbers of sixteen bits in one of thirty-two
            let owner = (owners[2 * k].to_bits() & 0xffff) as usize;
            let m = |row: usize, column: usize| f64::from(back[16 * owner + 4 * column + row]);
            let local =
                Vector3::from_fn(|i, _| (0..3).map(|j| m(i, j) * corner[j]).sum::<f64>() + m(i, 3));
            let place = scene.frame(joints[owner], time).transform_point(&local);
            let centre = film.tubes[0].points[time * film.tubes[0].count + owner];
            let away = (place - centre).norm();
            // the middles of the ends are on the line
            let expected = if local.norm() < 1e-3 { 0.0 } else { film.tubes[0].outline.reach() };
            assert!((away - expected).abs() < 1e-5, "{away} at {time}, ring {owner}");
        }
    }
}

/// A surface is the sum of its shapes at every time, to the last digit of the format.
#[test]
fn gltf_deforms_surfaces_by_their_shapes() {
    let mut film = common::film();
    let rest = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    let moves = vec![
        vec![Vector3::zeros(), Vector3::z(), Vector3::zeros(), Vector3::x() * 0.5],
        vec![Vector3::y(), Vector3::zeros(), Vector3::x() * -2.0, Vector3::zeros()],
    ];
    let origin = Vector3::new(0.1, 0.2, 0.3);
    let amplitudes: Vec<Vec<f64>> =
        film.times.iter().map(|t| vec![0.1 * t.sin(), 0.05 * t]).collect();
    let at = |time: usize, k: usize| {
        let moved = moves.iter().zip(&amplitudes[time]).map(|(m, a)| m[k] * *a);
        origin + rest[k] + moved.sum::<Vector3<f64>>()
    };
    let frames = |time: usize| film.frames_at(time)[2];
    let count = rest.len();
    let points = (0..film.times.len())
        .flat_map(|time| (0..count).map(move |k| (time, k)))
        .map(|(time, k)| frames(time).transform_point(&at(time, k)))
        .collect::<Vec<_>>();
    let shapes =
        Shapes { origin, rest: rest.clone(), moves: moves.clone(), amplitudes: amplitudes.clone() };
    film.skins.push(Skin {
        body: 2,
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
        count,
        points: points.clone(),
        fields: Vec::new(),
        shapes,
    });
    let scene = Scene::of(&film, "glb-skin");
    let node = scene.index("nodes", "surface");
    let body = scene.index("nodes", "door");
    let children = scene.document["nodes"][body]["children"].as_array().unwrap();
    assert!(children.contains(&node.into()));
    let mesh = scene.document["nodes"][node]["mesh"].as_u64().unwrap() as usize;
    let primitive = &scene.document["meshes"][mesh]["primitives"][0];
    let base = scene.points(&primitive["attributes"]["POSITION"]);
    let targets: Vec<_> = primitive["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| scene.points(&target["POSITION"]))
        .collect();
    for time in [0, 50, 100] {
        let weights = scene.moved(node, "weights", time).unwrap();
        assert_eq!(weights.len(), 2);
        let place = scene.frame(body, time) * scene.frame(node, time);
        for k in 0..count {
            let moved = targets.iter().zip(&weights).map(|(t, w)| t[k] * *w);
            let found = place.transform_point(&(base[k] + moved.sum::<Vector3<f64>>()));
            let wrong = (found - points[time * count + k]).norm();
            assert!(wrong < 1e-6, "{wrong} at {time}");
        }
    }
}

/// Joints sit where they are at every time, paths go through all places of their points, and a surface has the colours
/// of its largest values.
#[test]
fn gltf_shows_joints_paths_and_values() {
    let mut film = common::film();
    let moving = rotula_mechanics::Marker {
        node: 2,
        frame: Frame::new(Vector3::new(0.3, 0.0, 0.0), Quaternion::identity()),
    };
    film.pieces.push(rotula_mechanics::picture::Piece {
        body: 2,
        held: rotula_mechanics::picture::Held::Joint {
            name: "far".into(),
            at: moving,
            axis: moving,
            symbol: Symbol::Ball,
            grounded: false,
        },
    });
    let rest = vec![Vector3::zeros(), Vector3::x(), Vector3::y()];
    let amplitudes = vec![Vec::new(); film.times.len()];
    // the third point has its largest value in the middle of the film
    let value = |time: usize, k: usize| match (time, k) {
        (50, 2) => 8.0,
        (_, k) => k as f64,
    };
    let values = (0..film.times.len()).flat_map(|time| (0..3).map(move |k| value(time, k)));
    film.skins.push(Skin {
        body: 2,
        triangles: vec![[0, 1, 2]],
        count: 3,
        points: film.times.iter().flat_map(|_| rest.clone()).collect(),
        fields: vec![Field { values: values.collect(), ..Field::new("stress", "Pa") }],
        shapes: Shapes { origin: Vector3::zeros(), rest, moves: Vec::new(), amplitudes },
    });
    let scene = Scene::of(&film, "glb-symbols");
    let far = scene.index("nodes", "joint far");
    for time in [0, 40, 100] {
        let place = (film.frames_at(time)[2] * moving.frame).position;
        assert!((scene.frame(far, time).position - place).norm() < 1e-6);
    }
    // the hinge stands still: the middle of its pin is at the origin, its axis is z
    let hinge = scene.index("nodes", "joint hinge");
    assert!(scene.moved(hinge, "translation", 0).is_none());
    let frame = scene.frame(hinge, 0);
    let length = scene.document["nodes"][hinge]["scale"][2].as_f64().unwrap();
    assert!(frame.transform_point(&(Vector3::z() * (0.5 * length))).norm() < 1e-6);

    let path = scene.index("nodes", "path of corner");
    let mesh = scene.document["nodes"][path]["mesh"].as_u64().unwrap() as usize;
    let primitive = &scene.document["meshes"][mesh]["primitives"][0];
    assert_eq!(primitive["mode"], 3);
    let points = scene.points(&primitive["attributes"]["POSITION"]);
    assert_eq!(points.len(), film.times.len());
    let corner = (film.frames_at(70)[2] * film.traced[0].1.frame).position;
    assert!((points[70] - corner).norm() < 1e-6);

    let node = scene.index("nodes", "surface");
    let mesh = scene.document["nodes"][node]["mesh"].as_u64().unwrap() as usize;
    let mesh = &scene.document["meshes"][mesh];
    assert_eq!(mesh["extras"]["range"], serde_json::json!([0.0, 8.0]));
    let primitive = &mesh["primitives"][0];
    let colours = scene.points(&primitive["attributes"]["COLOR_0"]);
    let yellow = Vector3::new(0.99, 0.91, 0.14).map(|part: f64| part.powf(2.2));
    assert_eq!(colours.len(), 3);
    assert!((colours[2] - yellow).norm() < 1e-6, "{colours:?}");
    let materials = scene.document["materials"].as_array().unwrap();
    for mesh in scene.document["meshes"].as_array().unwrap() {
        let material = mesh["primitives"][0]["material"].as_u64().unwrap() as usize;
        assert!(material < materials.len(), "no material {material}");
    }
    let painted = primitive["material"].as_u64().unwrap() as usize;
    assert_eq!(materials[painted]["name"], "values");
}

/// Arrows point along the forces and grow with them.
#[test]
fn gltf_shows_forces() {
    let mut film = common::film();
    for (k, _) in film.times.iter().enumerate() {
        let force =
            |size: f64| ContactForce { body: 1, place: [1.0, 2.0, 3.0], force: [size, 0.0, 0.0] };
        match k % 2 {
            0 => film.contacts.push(&[]),
            _ => film.contacts.push(&[force(20.0), force(10.0)]),
        }
    }
    let scene = Scene::of(&film, "glb-arrows");
    let hinge = scene.index("nodes", "hinge");
    for time in [0, 40] {
        let along = scene.frame(hinge, time).orientation.rotate(&Vector3::z());
        let force = film.arrows[0].forces[time];
        assert!((along - force.normalize()).norm() < 1e-6);
        let scale = scene.moved(hinge, "scale", time).unwrap()[0];
        let first = scene.moved(hinge, "scale", 0).unwrap()[0];
        assert!((scale / first - force.norm() / film.arrows[0].forces[0].norm()).abs() < 1e-5);
    }
    for (name, size) in [("contact 1", 20.0), ("contact 2", 10.0)] {
        let node = scene.index("nodes", name);
        assert_eq!(scene.moved(node, "scale", 2).unwrap(), [0.0; 3]);
        let along = scene.frame(node, 1).orientation.rotate(&Vector3::z());
        assert!((along - Vector3::x()).norm() < 1e-6);
        let scale = scene.moved(node, "scale", 1).unwrap()[0];
        let unit = scene.moved(hinge, "scale", 0).unwrap()[0] / film.arrows[0].forces[0].norm();
        assert!((scale / unit - size).abs() < 1e-4, "{scale}");
    }
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
