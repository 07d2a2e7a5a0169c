//! `[table]`: what is read, and what mistakes are answered with.

use rotula_model::{Mechanism, ModelError};
use std::path::PathBuf;

const SOUND: &str = r#"title = "tables"

[parameters]
top = 0.05

[table.road]
x = [0, 1, 2, "3*1"]
y = [0, "top", 0, 0]
interpolation = "spline"
beyond = "hold"

[table.map]
x = [0, 1]
y = [0, 1, 2]
z = [[0, 1, 2], [3, 4, 5]]
beyond = "extend"

[table.measured]
file = "measured.csv"
columns = ["time", "angle"]

[table.pairs]
points = [[0, 0], [1, 2], [2, 0]]
periodic = true

[define]
start = "map(0.5, 1)"

[body.cart]
mass = 1
inertia = [1, 1, 1]
at = ["start - 2.5", 0, "road(1)"]

[joint.guide]
prismatic = { between = ["ground", "cart"], at = [0, 0, 0], along = "z" }

[spring.coil]
joint = "guide"
table = "pairs"

[force.push]
on = "cart"
force = ["road(t)*pairs(t)", 0, "road'(guide.displacement)"]

[solve]
until = 1
"#;

const MEASURED: &str = "time, angle, note\n0, 0, 1\n0.1, 0.5, 1\n0.2, 0.7, 1\n";

/// A folder with the measured data in it.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("rotula_tables_{name}_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("measured.csv"), MEASURED).unwrap();
    folder
}

fn read(text: &str, folder: &std::path::Path) -> Result<Mechanism, ModelError> {
    Mechanism::parse(text, &folder.join("model.toml").display().to_string(), &[])
}

#[test]
fn tables_are_read_in_place_and_from_files() {
    let folder = folder("read");
    let model = read(SOUND, &folder).unwrap();
    let body = &model.model.bodies()[1].1;
    assert!((body.frame.position.x - (2.5 - 2.5)).abs() < 1e-15);
    assert!((body.frame.position.z - 0.05).abs() < 1e-15);
    std::fs::remove_dir_all(folder).unwrap();
}

/// What is replaced, by what (`§` marks the expected place), phrases of the message and of the help.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    ("x = [0, 1, 2, \"3*1\"]", "x = [0, 2, §1, 3]", "must increase, but 1 follows 2", "sort"),
    ("x = [0, 1, 2, \"3*1\"]", "x = [0, 1, §1, 3]", "must increase, but 1 follows 1", "doubles"),
    ("x = [0, 1, 2, \"3*1\"]", "x = [0, 1, 2, §nan]", "`nan` is not a finite number", "finite"),
    ("x = [0, 1, 2, \"3*1\"]", "x = [0, 1, 2, §\"0/0\"]", "not a finite number", "divisions"),
    ("y = [0, \"top\", 0, 0]", "y = §[0, 1]", "table.road.y has 2 numbers for 4 x", "for each x"),
    ("y = [0, \"top\", 0, 0]", "y = [0, \"§tip\", 0, 0]", "unknown name `tip`", "`top`"),
    ("y = [0, \"top\", 0, 0]", "y = §3", "table.road.y must be a list of numbers", "such as"),
    ("[table.road]\nx = [0, 1, 2, \"3*1\"]", "[table.§road]", "table `road` misses `x`", "points"),
    ("y = [0, \"top\", 0, 0]\n", "", "table `road` misses `y`", "y = […]"),
    ("\"spline\"", "§\"cubic\"", "table.road.interpolation cannot be `cubic`", "`spline`"),
    ("beyond = \"hold\"", "beyond = §\"stay\"", "table.road.beyond cannot be `stay`", "`hold`"),
    ("beyond = \"hold\"", "§behind = \"hold\"", "table.road has no key `behind`", "`beyond`"),
    ("[table.road]", "[table.§sin]", "`sin` is a function of the formula language", "another name"),
    (
        "[parameters]\n",
        "[parameters]\nroad = 2\n",
        "`road` is taken already in [parameters]",
        "another",
    ),
    ("[parameters]\n", "[parameters]\nh = \"§road(1)\"\n", "unknown function `road`", "[define]"),
    ("z = [[0, 1, 2], [3, 4, 5]]", "z = §[[0, 1, 2]]", "table.map.z has 1 rows for 2 x", "every x"),
    ("[3, 4, 5]]", "§[3, 4]]", "a row of table.map.z has 2 numbers for 3 y", "every y"),
    ("[3, 4, 5]]", "§7]", "table.map.z must be a list of numbers", "such as"),
    (
        "beyond = \"extend\"",
        "interpolation = §\"monotone\"",
        "a table of two arguments cannot be monotone",
        "\"spline\"",
    ),
    ("file = \"measured.csv\"", "file = §\"mesured.csv\"", "mesured.csv cannot be read", "folder"),
    ("\"angle\"]", "§\"anlge\"]", "has no column `anlge`", "`angle`"),
    ("\"angle\"]", "§3]", "must be names", "quotes"),
    ("[\"time\", \"angle\"]", "§[\"time\"]", "must have two or three names, but has 1", "x and y"),
    (
        "[\"time\", \"angle\"]",
        "[\"time\", \"angle\"]\n§x = [0, 1]",
        "exclude each other",
        "keep one",
    ),
    (
        "interpolation = \"spline\"",
        "§columns = [\"a\", \"b\"]",
        "only files have columns",
        "remove",
    ),
    ("[2, 0]]", "[2, §1]]", "must end as it begins", "repeat the first value"),
    ("periodic = true", "periodic = true\n§beyond = \"hold\"", "has no ends", "leave"),
    ("[1, 2], [2, 0]]", "[§0, 2], [2, 0]]", "must increase", "sort"),
    ("\"road(t)*", "\"§road(t, 1)*", "`road` takes one argument", "road(…)"),
    ("\"map(0.5, 1)\"", "\"§map(0.5)\"", "`map` takes two arguments", "map(…)"),
    ("\"road(t)*", "\"§raod(t)*", "unknown function `raod`", "the table `road`"),
    ("\"road(t)*", "\"§road*", "unknown name `road`", "write `road(x)`"),
    ("\"map(0.5, 1)\"", "\"§map'(0.5, 1)\"", "unknown function `map'`", "map.d10(x, y)"),
    ("\"road(1)\"]", "§\"measured(1)\"]", "is not a finite number: measured(1)", "ends of tables"),
    ("table = \"pairs\"", "table = §\"map\"", "the table `map` has two arguments", "whose x"),
    ("table = \"pairs\"", "table = §\"pears\"", "there is no table `pears`", "`pairs`"),
    ("table = \"pairs\"", "table = §[[0, 1], [0, 2]]", "must increase", "sort"),
];

#[test]
fn every_mistake_is_named_at_its_place() {
    let folder = folder("mistakes");
    for (what, by, message, help) in MISTAKES {
        assert!(SOUND.contains(what), "the sound model lacks {what}");
        let changed = SOUND.replacen(what, by, 1);
        let Err(error) = read(&changed.replace('§', ""), &folder) else {
            panic!("read without complaint: {by}")
        };
        let shown = error.to_string();
        assert!(error.message().contains(message), "{by}\n{shown} does not say: {message}");
        let advice = error.advice().unwrap_or_default();
        assert!(advice.contains(help), "{by}\n{shown} does not advise: {help}");
        let Some(at) = changed.find('§') else { continue };
        let line = changed[..at].matches('\n').count() + 1;
        let column = changed[..at].chars().rev().take_while(|c| *c != '\n').count() + 1;
        assert_eq!(error.line_and_column(), Some((line, column)), "{by}\n{shown}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn mistakes_in_files_are_named_at_their_cells() {
    let folder = folder("cells");
    for (cells, place, message, help) in [
        ("time,angle\n0,0\n1,fast\n", (3, 3), "`fast` in the column `angle`", "fill the gap"),
        ("time,angle\n0,0\n1,\n2,0\n", (3, 3), "is not a finite number", "leave the row out"),
        ("time,angle\n0,0\n1,NaN\n2,0\n", (3, 3), "`NaN`", "leave the row out"),
        ("time,angle\n0,0\n1\n", (3, 1), "no cell for the column `angle`", "as many cells"),
        ("time,angle\n0,0\n0,1\n", (3, 1), "must increase, but 0 follows 0", "doubles"),
        ("time,angle\n0,0\n", (2, 1), "at least two points", "at least two"),
        ("# nothing\n", (1, 1), "has no rows", "row of numbers"),
    ] {
        std::fs::write(folder.join("measured.csv"), cells).unwrap();
        let error = read(SOUND, &folder).err().unwrap_or_else(|| panic!("{cells} was read"));
        let shown = error.to_string();
        assert!(error.file_name().ends_with("measured.csv"), "{shown}");
        assert_eq!(error.line_and_column(), Some(place), "{shown}");
        assert!(error.message().contains(message), "{shown} does not say: {message}");
        assert!(error.advice().unwrap_or_default().contains(help), "{shown}: {help}");
    }
    // three columns make a grid, whatever the order of the rows
    let three = SOUND.replace("[\"time\", \"angle\"]", "[\"time\", \"angle\", \"note\"]");
    let grid = "time,angle,note\n1,0,10\n0,0,0\n0,2,2\n1,2,12\n";
    std::fs::write(folder.join("measured.csv"), grid).unwrap();
    let used = three.replace("\"road(1)\"", "\"measured(0.5, 1)\"");
    let model = read(&used, &folder).unwrap();
    assert!((model.model.bodies()[1].1.frame.position.z - 6.0).abs() < 1e-14);
    for (rows, message) in [("1,2,3\n", "come twice"), ("2,0,1\n", "no row for x = 2 and y = 2")] {
        std::fs::write(folder.join("measured.csv"), format!("{grid}{rows}")).unwrap();
        let error = read(&three, &folder).err().unwrap_or_else(|| panic!("{rows} was read"));
        assert!(error.message().contains(message), "{error}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn motions_by_rough_tables_are_warned_of() {
    let folder = folder("rough");
    let model = |table: &str, motion: &str| {
        let text = format!(
            "{SOUND}\n[table.course]\n{table}\n[motion.drive]\njoint = \"guide\"\n{motion}\n"
        );
        let read = read(&text, &folder).unwrap();
        read.cautions.clone()
    };
    let smooth: Vec<f64> = (0..40).map(|k| (0.2 * f64::from(k)).sin()).collect();
    let x: Vec<f64> = (0..40).map(f64::from).collect();
    let noisy: Vec<f64> = (0..40)
        .map(|k| (0.2 * f64::from(k)).sin() + 0.05 * (1.7 * f64::from(k * k)).sin())
        .collect();
    let points =
        |y: &[f64], kind: &str| format!("x = {x:?}\ny = {y:?}\ninterpolation = \"{kind}\"");
    let position = "displacement = \"2*course(t)\"";
    let velocity = "displacement_velocity = \"course(3*t)\"";
    let quiet: [String; 0] = [];
    assert_eq!(model(&points(&smooth, "spline"), position), quiet);
    assert_eq!(model(&points(&smooth, "monotone"), velocity), quiet);
    for (table, motion, phrase) in [
        (points(&smooth, "linear"), position, "accelerations there are undefined"),
        (points(&smooth, "linear"), velocity, "accelerations jump"),
        (points(&smooth, "monotone"), position, "accelerations jump"),
        (points(&noisy, "spline"), position, "as those of noise do"),
    ] {
        let found = model(&table, motion);
        assert_eq!(found.len(), 1, "{phrase}");
        assert!(found[0].contains(phrase) && found[0].starts_with("motion `drive`"), "{found:?}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
