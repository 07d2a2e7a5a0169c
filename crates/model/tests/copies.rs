//! `[part]` and `[use]`: what copies are called, where they are, and what mistakes are answered with.

use rotula_model::{Mechanism, ModelError};
use std::path::PathBuf;

const SOUND: &str = r#"title = "copies"
gravity = [0, 0, -9.81]

[parameters]
n = 4
pitch = 0.2

[part.link.parameters]
length = "pitch"
mass = "length*density"
density = 2

[part.link.body.plate]
mass = "mass"
inertia = { xx = 1e-3, yy = 2e-3, zz = 2e-3, xy = 1e-4 }
centre = [0, 0.01, 0]
at = ["length/2", 0, 0]
shape = { box = ["length", 0.02, 0.01] }

[part.link.frame.start]
on = "plate"
at = ["-length/2", 0, 0]

[part.link.frame.end]
on = "plate"
at = ["length/2", 0, 0]

[part.pin.joint.pin]
revolute = { frames = ["link[i].end", "link[i+1].start"] }

[part.pair.use.left]
part = "link"
set = { length = "2*pitch" }

[part.pair.use.right]
part = "link"
at = [0, 1, 0]
mirror = "y"

[part.pair.spring.coil]
between = ["left.plate", "right.end"]
law = "k*(1 - value) - 0.1*rate"

[part.pair.define]
k = "10*side"

[part.pair.motion]

[use.link]
part = "link"
count = "n"
at = ["pitch*i", 0, 0]
set = { density = "2 + i" }

[use.pin]
part = "pin"
count = "n - 1"

[use.car]
part = "pair"
at = [5, 0, 0]
turned = { about = "z", by = "90*deg" }

[joint.base]
revolute = { between = ["ground", "link[0].plate"], at = [0, 0, 0], about = "y" }

[sensor]
tip = { position = "link[n-1].end" }
bend = { formula = "link[n-1].plate_angle" }

[part.gauge.sensor]
height = { position = "link[2].end", along = "z" }

[variable]
u = "pin[n-2].pin.angle + pin[0].pin.angle_velocity"

[solve]
until = 1
"#;

/// The sound model, but for a sensor that stands there to be spoilt.
fn sound() -> String {
    SOUND
        .replace("bend = { formula = \"link[n-1].plate_angle\" }", "bend = { formula = \"tip.z\" }")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("rotula_copies_{name}_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn parse(text: &str, set: &[(&str, &str)]) -> Result<Mechanism, ModelError> {
    let set: Vec<_> = set.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Mechanism::parse(text, "model.toml", &set)
}

fn names(model: &Mechanism) -> Vec<String> {
    model.model.bodies().iter().map(|(name, _)| name.clone()).collect()
}

fn body<'a>(model: &'a Mechanism, name: &str) -> &'a rotula_mechanics::Body {
    let found = model.model.bodies().iter().find(|(own, _)| own == name);
    &found.unwrap_or_else(|| panic!("no {name} in {:?}", names(model))).1
}

#[test]
fn copies_have_paths_and_places_of_their_own() {
    let model = parse(&sound(), &[]).unwrap();
    let bodies = names(&model);
    assert_eq!(bodies[1..5], ["link[0].plate", "link[1].plate", "link[2].plate", "link[3].plate"]);
    assert_eq!(bodies[5..], ["car.left.plate", "car.right.plate"]);
    let joints: Vec<&str> = model.model.joints().iter().map(|j| j.name.as_str()).collect();
    assert_eq!(joints, ["base", "pin[0].pin", "pin[1].pin", "pin[2].pin"]);
    for k in 0..4 {
        let link = body(&model, &format!("link[{k}].plate"));
        assert!((link.mass.mass - 0.2 * (2.0 + f64::from(k))).abs() < 1e-15);
        assert!((link.frame.position.x - (0.1 + 0.2 * f64::from(k))).abs() < 1e-15);
    }
    // turned by a right angle about z: x of the part is y of the world
    let left = body(&model, "car.left.plate").frame.position;
    assert!((left - nalgebra::Vector3::new(5.0, 0.2, 0.0)).norm() < 1e-15, "{left}");
    let right = body(&model, "car.right.plate").frame.position;
    assert!((right - nalgebra::Vector3::new(4.0, 0.1, 0.0)).norm() < 1e-15, "{right}");
    assert!(model.model.forces().iter().any(|(name, _)| name == "car.coil"));
}

#[test]
fn a_mirror_image_has_mirrored_masses() {
    let model = parse(&sound(), &[]).unwrap();
    let [plain, mirrored] = ["car.left.plate", "car.right.plate"].map(|name| body(&model, name));
    assert_eq!(mirrored.mass.centre, nalgebra::Vector3::new(0.0, -0.01, 0.0));
    assert_eq!(plain.mass.centre, nalgebra::Vector3::new(0.0, 0.01, 0.0));
    assert_eq!(plain.mass.inertia[(0, 1)], -mirrored.mass.inertia[(0, 1)]);
    assert_eq!(plain.mass.inertia[(0, 0)], mirrored.mass.inertia[(0, 0)]);
}

#[test]
fn nodes_of_beams_are_numbered_by_formulas() {
    let text = "[bar.coil]\nfrom = [0, 0, 0]\nto = [0, 0, 1]\nelements = 8\nstiffness = 100\nmass = 0.1\n\
                [part.guide.joint.guide]\npoint-on-line = { between = [\"ground\", \"coil.[i + 1]\"], at = [0, 0, 0], along = \"z\" }\n\
                [use.guide]\npart = \"guide\"\ncount = 7\nat = [0, 0, \"(i + 1)/8\"]\n\
                [variable]\nu = \"guide[6].guide.displacement\"\n[solve]\nuntil = 1\n";
    let model = parse(text, &[]).unwrap();
    let on: Vec<&str> = (model.model.joints().iter())
        .map(|joint| model.model.bodies()[joint.pair.b.node].0.as_str())
        .collect();
    assert_eq!(on, ["coil.1", "coil.2", "coil.3", "coil.4", "coil.5", "coil.6", "coil.7"]);
    let error = parse(&text.replace("[i + 1]", "[i + 3]"), &[]).err().unwrap();
    assert!(
        error.message().contains("no body or frame `coil.9` (in the copy `guide[6]`"),
        "{error}"
    );
}

#[test]
fn overrides_reach_parts_uses_and_single_copies() {
    let changed = |key: &str, value: &str, name: &str| {
        body(&parse(&sound(), &[(key, value)]).unwrap(), name).mass.mass
    };
    assert_eq!(changed("part.link.parameters.mass", "7", "link[1].plate"), 7.0);
    assert_eq!(changed("use.car.at", "[0, 0, 1]", "car.left.plate"), 0.8);
    assert_eq!(changed("body.\"link[3].plate\".mass", "9", "link[3].plate"), 9.0);
    assert_eq!(changed("body.\"link[3].plate\".mass", "9", "link[2].plate"), 0.8);
    let model = parse(&sound(), &[("parameters.n", "7")]).unwrap();
    assert_eq!(model.model.bodies().len(), 10);
    let error = parse(&sound(), &[("body.\"link[9].plate\".mass", "9")]).err().unwrap();
    assert!(error.to_string().contains("the model has no body `link[9].plate`"), "{error}");
}

#[test]
fn parts_may_stand_in_files_that_run_alone() {
    let folder = folder("files");
    let wheel = "title = \"wheel\"\ngravity = [0, 0, -9.81]\n[parameters]\nr = 0.3\n[body.rim]\nmass = \"10*r\"\ninertia = [1, 1, 1]\n[sensor]\nz = { position = \"rim\", along = \"z\" }\n[solve]\nuntil = 1\n";
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    std::fs::write(folder.join("parts/wheel.toml"), wheel).unwrap();
    let axle = "[part.wheel]\nfile = \"wheel.toml\"\n[use.left]\npart = \"wheel\"\n[use.right]\npart = \"wheel\"\nat = [0, 1, 0]\nset = { r = 0.5 }\n";
    std::fs::write(folder.join("parts/axle.toml"), axle).unwrap();
    let car = "[part.axle]\nfile = \"parts/axle.toml\"\n[use.front]\npart = \"axle\"\n[use.rear]\npart = \"axle\"\nat = [-2, 0, 0]\n[solve]\nuntil = 1\n";
    let name = folder.join("car.toml").display().to_string();
    let model = Mechanism::parse(car, &name, &[]).unwrap();
    assert_eq!(
        names(&model)[1..],
        ["front.left.rim", "front.right.rim", "rear.left.rim", "rear.right.rim"]
    );
    assert_eq!(body(&model, "rear.right.rim").mass.mass, 5.0);
    assert_eq!(
        body(&model, "rear.right.rim").frame.position,
        nalgebra::Vector3::new(-2.0, 1.0, 0.0)
    );
    Mechanism::read(&folder.join("parts/wheel.toml"), &[]).unwrap();
    // a fault in the file of a part names both places
    std::fs::write(folder.join("parts/wheel.toml"), wheel.replace("10*r", "10*rr")).unwrap();
    let error = Mechanism::parse(car, &name, &[]).err().unwrap();
    assert!(error.file_name().ends_with("wheel.toml"), "{error}");
    assert_eq!(error.line_and_column(), Some((6, 12)), "{error}");
    let message = error.message();
    assert!(
        message.contains("unknown name `rr`") && message.contains("in the copy `front.left`"),
        "{error}"
    );
    assert!(message.contains("axle.toml:3:6"), "{error}");
    assert_eq!(error.advice(), Some("did you mean `r`?"));
    // files that name each other
    std::fs::write(folder.join("parts/wheel.toml"), "[part.axle]\nfile = \"axle.toml\"\n").unwrap();
    let error = Mechanism::parse(car, &name, &[]).err().unwrap();
    assert!(
        error.message().contains("does `") && error.message().contains("name itself"),
        "{error}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// What is replaced, by what (`§` marks the expected place), phrases of the message and of the help.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    ("[use.pin]\npart = \"pin\"", "[use.pin]\npart = §\"pim\"", "there is no part `pim`", "`pin`"),
    ("[use.pin]\npart = \"pin\"", "[use.§pin]", "copy `pin` misses `part`", "add `part"),
    (
        "set = { density = \"2 + i\" }",
        "set = { §densty = 3 }",
        "`link` has no parameter `densty`",
        "`density`",
    ),
    (
        "[use.pin]\npart = \"pin\"",
        "[use.pin]\npart = \"pin\"\nset = { §a = 3 }",
        "`pin` has no parameter `a`",
        "[part.pin.parameters]",
    ),
    (
        "set = { density = \"2 + i\" }",
        "set = { density = \"2 + §k\" }",
        "unknown name `k` in link[0].density (in the copy `link[0]`",
        "known here",
    ),
    (
        "set = { density = \"2 + i\" }",
        "set = §3",
        "use.link.set must be a table of numbers",
        "such as",
    ),
    ("count = \"n\"\n", "count = §2.5\n", "use.link.count is 2.5", "whole number"),
    ("count = \"n\"\n", "count = §0\n", "use.link.count is 0", "whole number"),
    ("mirror = \"y\"", "mirror = §\"w\"", "cannot be `w`", "`x`"),
    ("mirror = \"y\"", "§miror = \"y\"", "part.pair.use.right has no key `miror`", "`mirror`"),
    ("at = [\"pitch*i\", 0, 0]", "at = [\"pitch*§j\", 0, 0]", "unknown name `j`", "known here"),
    ("at = [5, 0, 0]", "at = §[5, 0]", "use.car.at must have 3 numbers", "3 numbers"),
    (
        "mass = \"mass\"",
        "mass = \"§mas\"",
        "unknown name `mas` in body.link[0].plate.mass (in the copy `link[0]`, model.toml:",
        "`mass`",
    ),
    (
        "mass = \"length*density\"",
        "mass = \"length*§densiti\"",
        "unknown name `densiti`",
        "`density`",
    ),
    (
        "mass = \"length*density\"",
        "mass = §\"length*mass\"",
        "depends on itself",
        "without the others",
    ),
    (
        "on = \"plate\"\nat = [\"-length/2\"",
        "on = §\"plat\"\nat = [\"-length/2\"",
        "there is no body or frame `plat` (in the copy `link[0]`",
        "choose one of",
    ),
    (
        "\"link[i+1].start\"",
        "§\"link[i+2].start\"",
        "there is no body or frame `link[4].start` (in the copy `pin[2]`",
        "`link[",
    ),
    ("\"link[i+1].start\"", "\"link[§i-1].start\"", "the index `i-1` is -1", "mod(i + 1, count)"),
    (
        "\"link[i+1].start\"",
        "\"link[§i/2].start\"",
        "the index `i/2` is 0.5 (in the copy `pin[1]`",
        "numbered from 0",
    ),
    ("\"link[i+1].start\"", "\"link[§j+1].start\"", "unknown name `j`", "known here"),
    ("\"link[0].plate\"", "\"link§[0.plate\"", "this bracket is not closed", "`]`"),
    ("\"link[0].plate\"", "\"link[§t].plate\"", "`t` is the time", "it may use parameters"),
    ("pin[n-2].pin.angle", "§pin[n-2].pin.angel", "unknown name `pin[n-2].pin.angel`", "angle"),
    ("pin[n-2].pin.angle", "pin§[n.pin.angle", "this bracket is not closed", "`]`"),
    ("tip.z", "§link[n-1].tip", "unknown name `link[n-1].tip`", "known here"),
    (
        "[part.pair.motion]",
        "[part.pair.§solve]",
        "`solve` belongs to a model, not to a part",
        "outside of parts",
    ),
    (
        "[part.pair.motion]",
        "[part.pair.§table.x]",
        "`table` belongs to a model",
        "outside of parts",
    ),
    ("[part.pair.motion]", "[part.pair.§motoin]", "part.pair has no section `motoin`", "`motion`"),
    (
        "[part.pair.motion]",
        "[part.other]\nfile = \"x.toml\"\n[part.other.§motion]",
        "exclude each other",
        "leave the file out",
    ),
    (
        "[part.pair.motion]",
        "[part.pair]\nmotion = §3",
        "is a section, not a number",
        "write it as in",
    ),
    (
        "[part.pair.motion]",
        "[part.other]\nfile = §\"other.toml\"",
        "other.toml cannot be read",
        "folder",
    ),
    ("[part.pair.motion]", "[part.other]\nfile = §3", "part.other.file must be a text", "quotes"),
    (
        "[part.gauge.sensor]",
        "[part]\ngauge = §3\n[x.y]",
        "part.gauge must be a table",
        "[part.gauge",
    ),
    (
        "[part.pin.joint.pin]",
        "[part.pin.joint.§\"a b\"]",
        "`a b` cannot be used as a name",
        "letters",
    ),
    (
        "centre = [0, 0.01, 0]",
        "§center = [0, 0.01, 0]",
        "part.link.body.plate has no key `center`",
        "`centre`",
    ),
    (
        "centre = [0, 0.01, 0]",
        "centre = §3",
        "part.link.body.plate.centre must be a list of 3 numbers",
        "such as",
    ),
    (
        "[part.pair.use.left]\npart = \"link\"",
        "[part.pair.use.left]\npart = §\"pair\"",
        "the part `pair` contains itself: pair → pair",
        "one direction",
    ),
    (
        "[part.pair.motion]",
        "[part.link.joint.slot]\n§cylindrical = { between = [\"ground\", \"plate\"], at = [0, 0, 0], about = \"x\" }",
        "has no mirror image here (in the copy `car.right`",
        "turn or slide",
    ),
    ("[use.car]\n", "[use.§t]\n", "`t` is the time", "another name"),
    (
        "[use.pin]",
        "[use.link2]\npart = \"link\"\n[body.§\"link2.plate\"]\nmass = 1\n[use.pin]",
        "cannot be used as a name",
        "letters",
    ),
];

#[test]
fn every_mistake_is_named_at_its_place() {
    let sound = sound();
    let mut wrong = Vec::new();
    for (what, by, message, help) in MISTAKES {
        assert!(sound.contains(what), "the sound model lacks {what}");
        let changed = sound.replacen(what, by, 1);
        let Err(error) = parse(&changed.replace('§', ""), &[]) else {
            wrong.push(format!("read without complaint: {by}"));
            continue;
        };
        let advice = error.advice().unwrap_or_default();
        let at = changed.find('§').unwrap_or_default();
        let line = changed[..at].matches('\n').count() + 1;
        let column = changed[..at].chars().rev().take_while(|c| *c != '\n').count() + 1;
        let said = error.message().contains(message) && advice.contains(help);
        if !said || error.line_and_column() != Some((line, column)) {
            wrong.push(format!("{by}\nat {line}:{column} must say {message}; {help}\n{error}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(MISTAKES.len() >= 30);
}

#[test]
fn the_schema_knows_parts_and_uses() {
    let schema = rotula_model::schema();
    let part = &schema["properties"]["part"]["additionalProperties"]["properties"];
    assert!(part["file"].is_object() && part["joint"].is_object() && part["use"].is_object());
    assert!(part["solve"].is_null());
    let used = &schema["properties"]["use"]["additionalProperties"]["properties"];
    for key in ["part", "at", "turned", "mirror", "count", "set"] {
        assert!(used[key].is_object(), "{key}");
    }
    let page = rotula_model::reference();
    assert!(page.contains("## `[part.NAME.SECTION]`") && page.contains("## `[use.NAME]`"));
}

/// Bodies, frames, joints, springs with formulas and indices, sensors.
const MANY: &str = r#"
[part.link.parameters]
l = 0.1
[part.link.body.plate]
mass = "l"
inertia = [1, 1, 1]
at = ["l/2", 0, 0]
[part.link.frame.end]
on = "plate"
at = ["l/2", 0, 0]
[part.link.joint.pin]
spherical = { between = ["ground", "plate"], at = [0, 0, 0] }
[part.link.spring.coil]
between = ["plate", "link[mod(i+1, count)].end"]
law = "3*(l - value) - 0.1*rate"
[part.link.sensor]
height = { position = "end", along = "z" }
[use.link]
part = "link"
count = 10000
at = ["0.1*i", 0, 0]
[solve]
until = 1
"#;

#[test]
fn ten_thousand_copies_are_read_in_no_time() {
    let start = std::time::Instant::now();
    let model = parse(MANY, &[]).unwrap();
    let took = start.elapsed().as_secs_f64();
    assert_eq!(model.model.bodies().len(), 10_001);
    assert_eq!(model.model.joints().len(), 10_000);
    assert_eq!(model.model.forces().len(), 10_000);
    // 1.3 s of computing on a machine of 2023; what grew with the square would take minutes
    assert!(took < 10.0, "it took {took} s");
}
