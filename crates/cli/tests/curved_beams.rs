//! Beams whose sections change along them, which are twisted, or whose axes are curves: closed forms and published frequencies,
//! read from what the program writes.

mod common;

use common::Place;
use common::table::Table;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The lowest frequencies of a model in rad/s.
fn frequencies(model: &str, arguments: &[&str]) -> Vec<f64> {
    let place = Place::new();
    place.write("model.toml", model);
    let mut all = vec!["modes", "model.toml", "--json", "modes.json"];
    all.extend(arguments);
    let said = place.rotula(&all);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let modes = place.json("modes.json");
    let frequency = |mode: &serde_json::Value| mode["frequency"].as_f64().unwrap() * TAU;
    modes["modes"].as_array().unwrap().iter().map(frequency).collect()
}

/// The columns of a beam's end in equilibrium: x, y, z.
fn end_at_rest(model: &str) -> [f64; 3] {
    let place = Place::new();
    place.write("model.toml", model);
    let said = place.rotula(&["statics", "model.toml", "-o", "out"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let table = Table::read(&place, "out/equilibrium.csv");
    ["tip.x", "tip.y", "tip.z"].map(|column| table.last(column))
}

/// A blade of length 1 and slenderness 1000 whose bending stiffness about y and mass per length are one at its root, by a
/// rectangle whose width and height fall linearly.
fn tapered(height: f64, width: f64, elements: usize) -> String {
    // E b h³/12 = 1 and ρ b h = 1 with h = 1e-3 and b = 4e-3; a wide section keeps vibrations in the plane apart
    let (b, h) = (4e-3, 1e-3_f64);
    let (young, density) = (12.0 / (b * h.powi(3)), 1.0 / (b * h));
    format!(
        "[beam.blade]\nto = [1, 0, 0]\nstart = \"ground\"\nelements = {elements}\nnodes = 2\n\
         section = {{ rectangle = [\"{b}*(1 - {width}*station)\", \"{h}*(1 - {height}*station)\"] }}\n\
         material = {{ young = {young}, poisson = 0.3, density = {density} }}\n"
    )
}

/// Nondimensional flapping frequencies of tapered cantilevers by taper of height and width: Ö. Özdemir Özgümüş and M. O. Kaya,
/// Flapwise bending vibration analysis of double tapered rotating Euler–Bernoulli beam by using the differential transform
/// method, Meccanica 41 (2006).
#[test]
fn tapered_cantilevers_have_their_published_frequencies() {
    for (height, width, published) in [
        (0.0, 0.0, [3.51602, 22.0345, 61.6972]),
        (0.4, 0.0, [3.73708, 19.1138, 50.3537]),
        (0.4, 0.4, [4.31878, 20.0500, 51.3346]),
        (0.6, 0.8, [5.82882, 20.3952, 47.3051]),
    ] {
        // flapping is softer than bending in the wide direction by four to twenty: the lowest frequencies near each
        let errors = |elements: usize| {
            let found = frequencies(&tapered(height, width, elements), &["--count", "12"]);
            published.map(|expected| {
                let off = found.iter().map(|f| (f / expected - 1.0).abs());
                off.fold(f64::INFINITY, f64::min)
            })
        };
        let (coarse, fine) = (errors(24), errors(48));
        for k in 0..3 {
            // of second order, up to the digits of the table and the shear of a slender beam
            assert!(fine[k] < coarse[k] / 3.0 + 2e-5, "{height} {width}: {coarse:?} {fine:?}");
            assert!(fine[k] < [5e-4, 2e-3, 5e-3][k], "{height} {width}: {coarse:?} {fine:?}");
        }
    }
}

/// A blade of linear mass and cubic stiffness, half as thick at its tip, that turns: D. H. Hodges and M. J. Rutkowski,
/// Free-vibration analysis of rotating beams by a variable-order finite-element method, AIAA Journal 19 (1981); the same
/// digits come from twelve polynomials in Ritz's method.
#[test]
fn a_tapered_blade_that_turns_stiffens_as_published() {
    for (speed, published) in
        [(0.0, [3.82378, 18.3173]), (5.0, [6.74340, 21.9053]), (10.0, [11.5015, 30.1827])]
    {
        let model = format!(
            "[body.hub]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nangular_velocity = [0, 0, {speed}]\n\
             [joint.axle]\nrevolute = {{ between = [\"ground\", \"hub\"], at = [0, 0, 0], about = \"z\" }}\n\
             [motion.spin]\njoint = \"axle\"\nangle = \"{speed}*t\"\n\
             [beam.blade]\nto = [1, 0, 0]\nstart = \"hub\"\nelements = 32\nnodes = 2\n\
             section = {{ stiffness = [4e5, 4e5, 4e5, 1e3, \"(1 - station/2)^3\", \"400*(1 - station/2)^3\"], \
             mass = \"1 - station/2\", inertia = [8e-6, 4e-6, 4e-6] }}\n\
             angular_velocity = [0, 0, {speed}]\n"
        );
        let about = if speed > 0.0 { "turn" } else { "equilibrium" };
        let found = frequencies(&model, &["--about", about, "--count", "8"]);
        for (k, expected) in published.into_iter().enumerate() {
            let off =
                found.iter().map(|f| (f / expected - 1.0).abs()).fold(f64::INFINITY, f64::min);
            assert!(off < [1e-3, 3e-3][k], "{speed}: {expected} is not among {found:?}");
        }
    }
}

/// A quarter of a circle, held at one end, that a force pulls out of its plane at the other: bending, twist and shear.
#[test]
fn a_quarter_circle_gives_way_as_castigliano_says() {
    let (bending, torsion, shear, force) = (100.0, 80.0, 5e5, 1e-3);
    let expected = force * (PI / 4.0 / bending + (0.75 * PI - 2.0) / torsion + FRAC_PI_2 / shear);
    let model = |lies: &str, nodes: usize| {
        format!(
            "[beam.arc]\n{lies}\nelements = 24\nnodes = {nodes}\nstart = \"ground\"\n\
             section = {{ stiffness = [1e7, {shear}, {shear}, {torsion}, {bending}, {bending}], mass = 1, \
             inertia = [1e-4, 5e-5, 5e-5] }}\n\
             [force.pull]\non = \"arc.end\"\nforce = [0, 0, {force}]\n\
             [sensor]\ntip = {{ position = \"arc.end\" }}\n"
        )
    };
    let formulas = "axis = [\"sin(pi/2*s)\", \"1 - cos(pi/2*s)\", 0]".to_owned();
    let point = |k: usize| {
        let angle = FRAC_PI_2 * k as f64 / 32.0;
        format!("[{}, {}, 0]", angle.sin(), 1.0 - angle.cos())
    };
    let points: Vec<String> = (0..=32).map(point).collect();
    let points = format!("points = [{}]", points.join(", "));
    for (lies, nodes, bound) in
        [(&formulas, 2, 1e-3), (&formulas, 3, 1e-6), (&formulas, 4, 1e-6), (&points, 3, 1e-4)]
    {
        let [x, y, z] = end_at_rest(&model(lies, nodes));
        assert!((z / expected - 1.0).abs() < bound, "{nodes} nodes: {z} is not {expected}");
        assert!((x - 1.0).abs() < 1e-6 && (y - 1.0).abs() < 1e-6, "{x} {y}");
    }
}

/// Sections that turn along a straight beam are those of a constant twist per length.
#[test]
fn a_twist_is_a_curvature_about_the_axis() {
    let model = |lies: &str| {
        format!(
            "[beam.blade]\n{lies}\nelements = 12\nnodes = 3\nstart = \"ground\"\n\
             section = {{ stiffness = [1e6, 5e5, 5e5, 60, 20, 100], mass = 1, inertia = [1e-4, 5e-5, 5e-5] }}\n\
             [force.pull]\non = \"blade.end\"\nforce = [0, 0, 1]\n\
             [sensor]\ntip = {{ position = \"blade.end\" }}\n"
        )
    };
    let twisted = end_at_rest(&model("to = [2, 0, 0]\ntwist = \"0.8*station\""));
    let curved = end_at_rest(&model("along = \"x\"\nlength = 2\ncurvature = [0.4, 0, 0]"));
    let along = end_at_rest(&model(
        "points = [[0, 0, 0], [0.7, 0, 0], [2, 0, 0]]\ntwist = \"0.8*station\"",
    ));
    for k in 0..3 {
        assert!((twisted[k] - curved[k]).abs() < 1e-9, "{twisted:?} {curved:?}");
        assert!((twisted[k] - along[k]).abs() < 1e-9, "{twisted:?} {along:?}");
    }
    assert!(twisted[1].abs() > 1e-3, "it must move sideways: {twisted:?}");
    // a quarter of a turn exchanges the two bending stiffnesses
    let turned = end_at_rest(&model("to = [2, 0, 0]\ntwist = \"pi/2\""));
    let upright = end_at_rest(&model("to = [2, 0, 0]\nup = \"-y\""));
    for k in 0..3 {
        assert!((turned[k] - upright[k]).abs() < 1e-9, "{turned:?} {upright:?}");
    }
}

/// A mirror image of a curved, twisted and tapered beam moves as a mirror shows.
#[test]
fn a_mirrored_blade_moves_as_a_mirror_shows() {
    let model = |place: &str, side: f64| {
        format!(
            "[part.wing.beam.blade]\npoints = [[0, 0, 0], [0.5, 0.1, 0.05], [1, 0.3, 0.2]]\ntwist = \"0.6*station\"\n\
             section = {{ rectangle = [\"0.04 - 0.02*station\", \"0.01 - 0.004*station\"] }}\n\
             material = {{ young = 1e9, poisson = 0.3, density = 1000 }}\nelements = 6\nstart = \"ground\"\n\
             [use.one]\npart = \"wing\"\n{place}\n\
             [force.pull]\non = \"one.blade.end\"\nforce = [0.3, {}, 1]\n\
             [sensor]\ntip = {{ position = \"one.blade.end\" }}\n",
            side * 0.7
        )
    };
    let [x, y, z] = end_at_rest(&model("", 1.0));
    let mirrored = end_at_rest(&model("mirror = \"y\"", -1.0));
    for (found, expected) in mirrored.into_iter().zip([x, -y, z]) {
        assert!((found - expected).abs() < 1e-9, "{mirrored:?} is not [{x}, {}, {z}]", -y);
    }
    assert!((z - 0.2).abs() > 1e-3, "it must bend: {z}");
}

/// Numbers along a beam may come from a table; what pictures show changes with them.
#[test]
fn sections_come_from_tables_and_are_drawn() {
    let place = Place::new();
    place.write("chord.csv", "station,chord\n0,0.06\n0.3,0.05\n1,0.02\n");
    let model = "[table.chord]\nfile = \"chord.csv\"\n\
         [beam.blade]\nto = [1, 0, 0]\nelements = 4\nstart = \"ground\"\n\
         section = { rectangle = [\"chord(station)\", \"chord(station)/4\"] }\n\
         material = { young = 7e10, poisson = 0.3, density = 2700 }\n\
         [force.pull]\non = \"blade.end\"\nforce = [0, 0, 1]\n[solve]\nuntil = 0.01\n";
    place.write("model.toml", model);
    let said = place.rotula(&["run", "model.toml", "-o", "out", "--export", "glb"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    // a mesh for each element, thinner from one to the next
    let glb = std::fs::read(place.path("out/animation.glb")).unwrap();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let scene: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    assert!(scene["meshes"].as_array().unwrap().len() >= 4, "{scene}");
}

#[test]
fn mistakes_are_answered_with_a_place_and_a_remedy() {
    let head = "[beam.b]\nstart = \"ground\"\n";
    let tail = "section = { rectangle = [0.1, 0.1] }\nmaterial = { young = 1e9, poisson = 0.3, density = 1 }\n";
    let section = |numbers: &str| {
        format!(
            "to = [1, 0, 0]\nsection = {{ rectangle = {numbers} }}\nmaterial = {{ young = 1e9, poisson = 0.3, density = 1 }}\n"
        )
    };
    for (lies, place, words) in [
        (
            format!("points = [[0, 0, 0], [1, 0, 0]]\nfrom = [1, 0, 0]\n{tail}"),
            ":4:",
            "its curve says where it lies",
        ),
        (
            format!("points = [[0, 0, 0], [1, 0, 0]]\nlength = 2\n{tail}"),
            ":4:",
            "its curve says where it lies",
        ),
        (format!("points = [[0, 0, 0], [1, 0, 0]]\naxis = [\"s\", 0, 0]\n{tail}"), ":4:", "points"),
        (format!("points = [[0, 0, 0]]\n{tail}"), ":3:", "at least two points"),
        (format!("points = [[0, 0, 0], [0, 0, 0]]\n{tail}"), ":3:", "the same"),
        (format!("points = [[0, 0, 0], [1, 0]]\n{tail}"), ":3:", "3 numbers"),
        (
            format!("points = [[0, 0, 0], [0, 0, 1]]\nup = \"z\"\n{tail}"),
            ":3:",
            "`up` points along it",
        ),
        (
            format!(
                "points = [[0, 0, 0], [0, 0, 0.5], [0.3, 0, 0.8], [0.6, 0, 0.5]]\nelements = 16\n{tail}"
            ),
            ":3:",
            "its sections turn over between nodes 3 and 4",
        ),
        (format!("axis = [\"s\", \"t\", 0]\n{tail}"), ":3:", "time"),
        (format!("axis = [\"s\", \"q\", 0]\n{tail}"), ":3:", "q"),
        (format!("axis = [1, 2, 3]\n{tail}"), ":3:", "stands still"),
        (format!("to = [1, 0, 0]\ntwist = \"0.1*statoin\"\n{tail}"), ":4:", "station"),
        (
            format!("to = [1, 0, 0]\ntwist = \"1/(station - station)\"\n{tail}"),
            ":4:",
            "not a finite number",
        ),
        (
            format!("to = [1, 0, 0]\nkind = \"planar\"\nnormal = \"z\"\ntwist = 0.1\n{tail}"),
            ":6:",
            "leave out `twist`",
        ),
        (
            format!("along = \"x\"\nlength = 1\ncurvature = [0.1, 0, 0]\ntwist = 0.1\n{tail}"),
            ":6:",
            "twist",
        ),
        (section("[\"0.1 - 0.2*station\", 0.1]"), ":4:", "at station 0.5625"),
        (section("[\"0.1*stations\", 0.1]"), ":4:", "station"),
        (section("[\"0.1*t\", 0.1]"), ":4:", "t"),
        (format!("to = [\"station\", 0, 0]\n{tail}"), ":3:", "station"),
    ] {
        let place_of = Place::new();
        place_of.write("model.toml", &format!("{head}{lies}"));
        let said = place_of.rotula(&["check", "model.toml"]);
        assert_eq!(said.status, 2, "{lies}\n{}", said.stdout);
        assert!(said.stderr.contains(&format!("model.toml{place}")), "{lies}\n{}", said.stderr);
        assert!(said.stderr.contains(words), "no `{words}` for {lies}\n{}", said.stderr);
        assert!(said.stderr.contains("help:"), "{lies}\n{}", said.stderr);
    }
}
