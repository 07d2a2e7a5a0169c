//! Tables read back to what was written.

mod common;

use rotula_dae::{Settings, Table, Trajectory};
use rotula_report::{Curves, Error, Extra, Run, write_csv, write_npz};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

fn run(trajectory: &Trajectory, extra: Extra) -> Run<'_> {
    static SETTINGS: OnceLock<Settings> = OnceLock::new();
    Run { extra, ..Run::new("a run", trajectory, SETTINGS.get_or_init(common::settings)) }
}

#[test]
fn curves_take_the_place_of_coordinates() {
    let trajectory = common::trajectory(20, 7);
    let curves = Curves {
        title: "Joint coordinates".into(),
        place: 0,
        names: vec!["pin.angle".into()],
        table: trajectory.x.clone(),
    };
    let run =
        Run { coordinates: false, curves: vec![curves], ..run(&trajectory, Extra::default()) };
    let path = directory("curves").join("trajectory.csv");
    write_csv(&path, &run).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("t,pin.angle,kinetic,potential,work,residual.position,"), "{text}");
    let path = path.with_file_name("trajectory.npz");
    write_npz(&path, &run).unwrap();
    assert!(array(&path, "joint_coordinates").0.contains("(20, 1)"));
}

#[test]
fn csv_reads_back_exactly() {
    let mut trajectory = common::trajectory(50, 7);
    trajectory.names.configuration[0] = "a, \"b\"".into();
    trajectory.energy = Table::new(3);
    (0..50).for_each(|_| trajectory.energy.push(&[f64::NAN, 1e-300, 1.0 / 3.0]));
    let extra = Extra { names: vec!["sensor".into()], table: trajectory.x.clone() };
    let path = directory("csv").join("trajectory.csv");
    write_csv(&path, &run(&trajectory, extra)).unwrap();

    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    assert!(header.starts_with("t,\"a, \"\"b\"\"\",crank.y,"));
    assert!(header.contains(",crank.x',") && header.contains(",crank.x'',"));
    assert!(
        header.contains(",lambda.constraint 1,")
            && header.contains(",state 1,state 1',variable 1,")
    );
    assert!(header.ends_with(
        ",sensor,kinetic,potential,work,residual.position,residual.velocity,residual.acceleration"
    ));
    for (i, line) in lines.enumerate() {
        let row: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        assert_eq!(row.len(), 1 + 3 * 7 + 5 + 2 + 2 + 1 + 3 + 3);
        assert_eq!(row[0], trajectory.times[i]);
        assert_eq!(row[1..8], *trajectory.q.row(i));
        assert_eq!(row[8..15], *trajectory.v.row(i));
        assert_eq!(row[22..27], *trajectory.multipliers.row(i));
        assert!(row[32].is_nan());
        assert_eq!(row[33..35], [1e-300, 1.0 / 3.0]);
    }
    assert_eq!(text.lines().count(), 51);
}

/// Header and values of an array in an archive.
fn array(path: &Path, name: &str) -> (String, Vec<u8>) {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut bytes = Vec::new();
    let mut entry = archive.by_name(&format!("{name}.npy")).unwrap();
    std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
    assert_eq!((10 + length) % 64, 0, "values are aligned");
    let values = bytes.split_off(10 + length);
    (String::from_utf8(bytes[10..].to_vec()).unwrap(), values)
}

#[test]
fn npz_holds_all_arrays() {
    let trajectory = common::trajectory(40, 7);
    let path = directory("npz").join("trajectory.npz");
    write_npz(&path, &run(&trajectory, Extra::default())).unwrap();

    let (header, values) = array(&path, "q");
    assert!(header.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (40, 7), }"));
    let numbers: Vec<f64> =
        values.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(numbers, trajectory.q.values());
    let (header, values) = array(&path, "q_names");
    assert!(header.contains("'<U8'") && header.contains("'shape': (7,)"));
    assert_eq!(&values[..8], b"c\0\0\0r\0\0\0");
    assert!(array(&path, "extra").0.contains("(40, 0)"));
    for name in ["t", "v", "vdot", "multipliers", "x", "y", "energy", "residuals", "steps_t"] {
        array(&path, name);
    }
    assert!(array(&path, "steps_iterations").0.contains("'<i8'"));
    assert!(array(&path, "steps_h").0.contains("(40,)"));
}

#[test]
fn numpy_reads_the_archive() {
    let trajectory = common::trajectory(40, 7);
    let path = directory("numpy").join("trajectory.npz");
    write_npz(&path, &run(&trajectory, Extra::default())).unwrap();
    let has_numpy = |python: &&str| {
        let output = Command::new(python).args(["-c", "import numpy"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let Some(python) = ["python3", "/usr/bin/python3"].into_iter().find(has_numpy) else {
        println!("skipped: Python with NumPy is not installed");
        return;
    };
    let script = "
import numpy, sys
a = numpy.load(sys.argv[1])
assert a['q'].shape == (40, 7) and a['extra'].shape == (40, 0), a['q'].shape
assert a['q_names'].tolist()[:2] == ['crank.x', 'crank.y'], a['q_names']
assert a['energy_names'].tolist() == ['kinetic', 'potential', 'work']
assert a['steps_iterations'].dtype.kind == 'i' and a['extra_names'].shape == (0,)
print(repr(float(a['v'][17, 3])), repr(float(a['t'][-1])))
";
    let output = Command::new(python).args(["-c", script]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed: Vec<f64> = String::from_utf8(output.stdout)
        .unwrap()
        .split_whitespace()
        .map(|number| number.parse().unwrap())
        .collect();
    assert_eq!(printed, [trajectory.v.row(17)[3], trajectory.times[39]]);
}

#[test]
fn a_table_of_another_length_is_refused() {
    let trajectory = common::trajectory(10, 2);
    let extra = Extra { names: vec!["sensor".into()], table: Table::new(1) };
    let directory = directory("shape");
    let path = directory.join("trajectory.csv");
    let error = write_csv(&path, &run(&trajectory, extra)).unwrap_err();
    assert!(
        matches!(error, Error::Shape { ref what, found: 0, expected: 10, .. } if what == "extra")
    );
    assert!(error.to_string().contains("trajectory.csv"));
    assert_eq!(std::fs::read_dir(directory).unwrap().count(), 0);
}

#[test]
fn failure_leaves_no_temporary_file() {
    let trajectory = common::trajectory(10, 2);
    let directory = directory("atomic");
    // A directory of that name cannot be replaced by a file: the final rename fails.
    let path = directory.join("trajectory.csv");
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("inside"), "x").unwrap();
    let error = write_csv(&path, &run(&trajectory, Extra::default())).unwrap_err();
    assert!(error.to_string().contains("trajectory.csv"));
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);
    // A file cannot hold another.
    let under = path.join("inside").join("trajectory.csv");
    assert!(write_csv(&under, &run(&trajectory, Extra::default())).is_err());
}
