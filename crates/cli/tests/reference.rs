//! Every example of the reference runs: each stands in a model that has what it names.

mod common;

use common::Place;
use std::fs::copy;

/// A crank on a hinge.
const CRANK: &str = r#"
[body.crank]
mass = 0.12
inertia = [1e-4, 1e-4, 1e-4]
at = [0, 0.1, 0]
[joint.pin]
revolute = { between = ["ground", "crank"], at = [0, 0, 0], about = "x" }
"#;

/// What an example of a mechanism needs beside it.
fn mechanism(heading: &str) -> String {
    let crank = |more: &str| CRANK.to_owned() + more;
    let ball = |name: &str, x: f64| {
        format!("[body.{name}]\nkind = \"point\"\nmass = 1\nat = [{x}, 0, 0]\n")
    };
    match heading {
        "[parameters]" => {
            "[body.ball]\nsolid = { sphere = \"r\", density = 1000 }".to_owned()
        }
        "[define]" => crank(
            "[parameters]\ntarget = 0.5\n[force.motor]\non = \"crank\"\nmoment = [\"error\", 0, 0]",
        ),
        "[table.NAME]" => crank("[force.push]\non = \"crank\"\nforce = [0, 0, \"road(10*t)\"]"),
        "[body.NAME]" | "[beam.NAME]" | "[flexible.NAME]" | "[swarm.NAME]" => String::new(),
        "[cable.NAME]" => ball("mast", 0.0) + &ball("boom", 1.0),
        "[bar.NAME]" => ball("a", 0.0) + &ball("b", 1.0),
        "[frame.NAME]" | "[motion.NAME]" | "[force.NAME]" | "[solve]" => crank(""),
        "[joint.NAME]" => CRANK.split("[joint").next().unwrap_or_default().to_owned(),
        "[spring.NAME]" => crank("[frame.tip]\non = \"crank\"\nat = [0, 0, 0.08]"),
        "[load.NAME]" => "[flexible.panel]\nfrom = \"panel.flex\"".to_owned(),
        "[bushing.NAME]" => "[body.engine]\nmass = 90\ninertia = [2, 2, 2]".to_owned(),
        "[road.NAME]" => "[table.bumps]\nx = [0, 10, 20]\ny = [0, 0.05, 0]\nbeyond = \"hold\"
[body.front_wheel]
mass = 20
inertia = [0.6, 1.1, 0.6]
at = [0, 0, 0.3]
[tyre.front]
wheel = \"front_wheel\"
brush = { radius = 0.31, stiffness = 2e5, damping = 500, friction = 0.9 }"
            .to_owned(),
        "[tyre.NAME]" => "[road.flat]\nheight = 0
[body.front_wheel]
mass = 20
inertia = [0.6, 1.1, 0.6]
at = [0, 0, 0.3]"
            .to_owned(),
        "[contact.NAME]" => "gravity = [0, 0, -9.81]\n".to_owned() + &ball("leg", 0.0),
        "[clearance.NAME]" => ["rod", "slider"]
            .map(|name| format!("[body.{name}]\nmass = 1\ninertia = [1, 1, 1]\nat = [0.4, 0, 0]\n"))
            .concat(),
        "[coupling.NAME]" => ["small", "large"]
            .map(|name| {
                format!(
                    "[body.{name}_wheel]\nmass = 1\ninertia = [1, 1, 1]\n[joint.{name}]\n\
                     revolute = {{ between = [\"ground\", \"{name}_wheel\"], at = [0, 0, 0], about = \"y\" }}\n"
                )
            })
            .concat(),
        "[sensor.NAME]" => ball("slider", 1.0),
        "[variable]" => crank("[parameters]\nK = 3"),
        "[input]" => crank("[force.motor]\non = \"crank\"\nmoment = [\"torque\", 0, 0]"),
        "[sampled.NAME]" => crank("[parameters]\ntarget = 1"),
        "[latch.NAME]" => crank("[state]\nroom = { at = 20, rate = \"heater - 0.5\" }"),
        "[state.NAME]" => crank("[parameters]\nT = 0.1"),
        "[controller.NAME]" => crank(""),
        "[path.NAME]" => {
            "[part.link.body.plate]\nmass = 0.1\ninertia = [1e-5, 1e-4, 1e-4]\n[use.link]\npart = \"link\"\npath = \"chain\"".to_owned()
        }
        "[part.NAME.SECTION]" => "[use.link]\npart = \"link\"".to_owned(),
        "[use.NAME]" => "[part.link.body.plate]\nmass = 0.1\ninertia = [1e-5, 1e-4, 1e-4]".to_owned(),
        "[output]" => {
            ball("slider", 1.0) + "[spring.left_front]\nbetween = [\"ground\", \"slider\"]\nstiffness = 100\nfree_length = 1"
        }
        other => panic!("what does an example of {other} need?"),
    }
}

/// What an example of equations needs beside it.
fn equations(heading: &str) -> String {
    let parts: &[&str] = match heading {
        "[parameters]" => &["coordinates", "mass"],
        "[mass]" => &["parameters", "coordinates"],
        "[coordinates.NAME]" => &["parameters", "mass"],
        "[nonholonomic]" => &["parameters", "coordinates", "y", "phi", "mass"],
        "[solve]" | "[input]" | "[table.NAME]" => &["parameters", "coordinates", "mass"],
        "[output]" | "[events]" | "[state.NAME]" | "[variable]" | "[force]" => {
            &["parameters", "coordinates", "mass"]
        }
        _ => &["parameters", "coordinates", "y", "mass"],
    };
    let text = |part: &&str| match *part {
        "parameters" => {
            "[parameters]\nm = 2.5\nk = 10\nc = 1\nK = 3\nT = 0.7\nL = 1\ng = 9.81\ntheta = 0.3\n"
        }
        "coordinates" if heading == "[constraint]" => {
            "[coordinates]\nx = { at = 1, velocity = 0 }\n"
        }
        "coordinates" => "[coordinates]\nx = { at = 0, velocity = 1 }\n",
        "y" if heading == "[gap]" => "y = { at = 1, velocity = 0 }\n",
        "y" => "y = { at = 0, velocity = 0 }\n",
        "phi" => "phi = { at = 0, velocity = 1 }\n",
        "mass" if parts.contains(&"phi") => "[mass]\nx = \"m\"\ny = \"m\"\nphi = 1\n",
        "mass" if parts.contains(&"y") => "[mass]\nx = \"m\"\ny = \"m\"\n",
        "mass" => "[mass]\nx = \"m\"\n",
        other => panic!("{other}"),
    };
    parts.iter().map(text).collect()
}

/// A block of one hexahedron that stands on its foot.
const PANEL: &str = "*NODE
1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 0.1\n6, 1, 0, 0.1\n7, 1, 1, 0.1\n8, 0, 1, 0.1
*ELEMENT, TYPE=C3D8, ELSET=ALL
1, 1, 2, 3, 4, 5, 6, 7, 8
*NSET, NSET=FOOT
1, 2, 3, 4
*NSET, NSET=TOP
5, 6, 7, 8
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850
*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL
";

/// The sections of a page of the reference, each with its example.
fn examples(page: &str) -> Vec<(String, String)> {
    let sections = page.split("\n## ").skip(1);
    let found = sections.filter_map(|section| {
        let heading = section.lines().next()?.trim_matches('`').to_owned();
        let block = section.split("```toml,fragment\n").nth(1)?.split("```").next()?;
        Some((heading, block.to_owned()))
    });
    found.collect()
}

/// Runs the examples of a page, each with what it needs.
fn run_all(kind: &str, needs: fn(&str) -> String, least: usize) {
    let place = Place::new();
    let files = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/models/");
    for (from, to) in [("fork.flex", "frame.flex"), ("car_205_60r15.tir", "car.tir")] {
        copy(format!("{files}{from}"), place.path(to)).expect("a file of the examples");
    }
    place.write("panel.inp", PANEL);
    let reduced =
        place.rotula(&["reduce", "panel.inp", "-o", "panel.flex", "--interface", "foot=FOOT"]);
    assert_eq!(reduced.status, 0, "{}", reduced.stderr);
    let page = place.rotula(&["schema", kind, "--markdown"]).stdout;
    let examples = examples(&page);
    assert!(examples.len() >= least, "{kind}: {} examples", examples.len());
    for (heading, example) in examples {
        let mut text = needs(&heading);
        // keys that stand before all sections stay there
        text = format!("{text}\n{example}");
        if heading != "[solve]" {
            text += "\n[solve]\nuntil = 0.02\n";
        }
        if ["[swarm.NAME]", "[clearance.NAME]", "[gap]"].contains(&heading.as_str()) {
            text += "formulation = \"moreau-jean\"\nstep = 1e-3\n";
        }
        place.write("model.toml", &text);
        let said = place.rotula(&["run", "model.toml", "--quiet", "--set", "solve.until=0.02"]);
        assert_eq!(said.status, 0, "{kind}, {heading}: {}{}\n{text}", said.stdout, said.stderr);
    }
}

#[test]
fn examples_of_mechanisms_run() {
    run_all("mechanism", mechanism, 30);
}

#[test]
fn examples_of_equations_run() {
    run_all("equations", equations, 15);
}
