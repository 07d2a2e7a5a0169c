//! What can be wrong with the words for machines: each mistake is answered with its place and a remedy.

mod common;

use common::Place;

/// A file that is checked: what it must be told, and where.
fn refused(place: &Place, text: &str, at: &str, words: &[&str]) {
    place.write("model.toml", text);
    let said = place.rotula(&["check", "model.toml"]);
    assert_eq!(said.status, 2, "{text}\n{}", said.stdout);
    assert!(
        said.stderr.contains(&format!("model.toml:{at}")),
        "not at {at}: {text}\n{}",
        said.stderr
    );
    for word in words {
        assert!(said.stderr.contains(word), "no `{word}` for {text}\n{}", said.stderr);
    }
    assert!(said.stderr.contains("help:"), "{text}\n{}", said.stderr);
}

#[test]
fn stations_of_beams() {
    let beam = |stations: &str| {
        format!(
            "[beam.b]\nto = [1, 0, 0]\nelements = 3\nstart = \"ground\"\n{stations}\n\
             section = {{ circle = 0.01 }}\nmaterial = {{ young = 1e9, poisson = 0.3, density = 1 }}\n"
        )
    };
    let place = Place::new();
    for (stations, at, words) in [
        ("stations = { a = 0 }", "5:14", ["is 0", "between 0 and 1"]),
        ("stations = { a = 1.5 }", "5:14", ["is 1.5", "between 0 and 1"]),
        ("stations = { start = 0.5 }", "5:14", ["`start`", "choose another name"]),
        ("stations = { a = 0.5, b = \"1/2\" }", "5:23", ["where `a` is", "use that name"]),
        ("stations = { a = 0.2, b = 0.4, c = 0.6 }", "5:1", ["into 4 pieces", "elements = 4"]),
        ("stations = { a = \"q\" }", "5:19", ["unknown name `q`", "help"]),
        ("stations = { \"a b\" = 0.5 }", "5:14", ["a b", "letters"]),
        ("stations = 0.5", "5:12", ["a table of numbers", "such as"]),
    ] {
        refused(&place, &beam(stations), at, &words);
    }
    let load = "[force.f]\non = \"b.moddle\"\nforce = [0, 0, 1]\n";
    let text = beam("stations = { middle = 0.5 }") + load;
    refused(&place, &text, "9:6", &["`b.moddle`", "did you mean `b.middle`"]);
}

#[test]
fn files_of_blades() {
    let beam = |section: &str| {
        format!("[beam.b]\nto = [1, 0, 0]\nstart = \"ground\"\nsection = {{ {section} }}\n")
    };
    let place = Place::new();
    let row =
        |r: &str| format!("{r} 9 0 0 0.5 0.5 0 0 2e11 8e10 0.01 0.02 0.03 0.5 0.6 0.04 0 0 0\n");
    place.write("st.dat", &format!("#1\n$1 2\n{}{}", row("0"), row("10")));
    place.write("short.dat", &format!("#1\n$1 2\n{}0 1 2\n", row("0")));
    for (section, at, words) in [
        ("hawc2 = \"none.dat\"", "4:21", ["none.dat cannot be read", "folder of the model"]),
        ("hawc2 = \"st.dat\", set = [2, 1]", "4:21", ["no set `#2`", "correct the blade file"]),
        ("hawc2 = \"st.dat\", set = [1, 4]", "4:21", ["no subset `$4`", "correct the blade file"]),
        ("hawc2 = \"st.dat\", set = [1, 1.5]", "4:37", ["[1.0, 1.5]", "two whole numbers"]),
        ("hawc2 = \"st.dat\", beamdyn = \"b\"", "4:31", ["exclude each other", "keep one"]),
        ("hawc2 = \"st.dat\", circle = 0.1", "4:31", ["how stiff", "remove it"]),
        ("circle = 0.1, set = [1, 1]", "4:27", ["only files of `hawc2`", "remove it"]),
        ("hawc2 = \"short.dat\"", "4:21", ["short.dat:4: this row has 3 numbers", "correct"]),
    ] {
        refused(&place, &beam(section), at, &words);
    }
    place.write("m.htc", "begin main_body;\n name blade ;\nend main_body;\n");
    for (words, at, said) in [
        (
            "{ file = \"none.htc\", body = \"blade\" }",
            "4:19",
            ["cannot be read", "model file of HAWC2"],
        ),
        (
            "{ file = \"m.htc\", body = \"blad\" }",
            "4:19",
            ["no main body `blad`; there are blade", "name a main body"],
        ),
        ("{ file = \"m.htc\", body = \"blade\" }", "4:19", ["has no `c2_def`", "correct the file"]),
        ("{ file = \"m.htc\" }", "4:", ["body", "help"]),
        (
            "{ file = \"m.htc\", body = \"blade\" }\ntwist = 0.1",
            "5:1",
            ["exclude each other", "keep one"],
        ),
    ] {
        let text = format!(
            "[beam.b]\nsection = {{ circle = 0.1 }}\nmaterial = {{ young = 1e9, poisson = 0.3, density = 1 }}\nc2_def = {words}\n"
        );
        refused(&place, &text, at, &said);
    }
    let made =
        beam("hawc2 = \"st.dat\"") + "material = { young = 1e9, poisson = 0.3, density = 1 }\n";
    refused(&place, &made, "5:1", &["says how stiff", "remove it"]);
}

#[test]
fn hollow_solids() {
    let body = |solid: &str| format!("[body.b]\nsolid = {{ {solid}, density = 1 }}\n");
    let place = Place::new();
    for (solid, at, words) in [
        ("box = [1, 1, 1], wall = 0", "2:35", ["wall is 0", "positive"]),
        ("box = [1, 1, 1], wall = 0.5", "2:35", ["leaves no cavity", "thinner"]),
        ("sphere = 1, wall = 2", "2:30", ["leaves no cavity", "thinner"]),
        ("sphere = 1, hollow = { sphere = 1.1 }", "2:32", ["not within the sphere", "smaller"]),
        (
            "box = [1, 1, 1], hollow = { sphere = 0.3, at = [0.3, 0, 0] }",
            "2:37",
            ["not within the box", "`at`"],
        ),
        (
            "cylinder = { radius = 1, length = 1 }, hollow = { cylinder = { radius = 0.5, length = 2 } }",
            "2:59",
            ["not within the cylinder", "smaller"],
        ),
        (
            "sphere = 1, hollow = { sphere = 0.5 }, wall = 0.1",
            "2:50",
            ["exclude each other", "keep one"],
        ),
        ("sphere = 1, hollow = { }", "2:", ["what shape", "sphere"]),
        ("sphere = 1, hollow = { sphere = -1 }", "2:", ["radius is -1", "positive"]),
        ("sphere = 1, hollow = { sphere = 0.5, density = 2 }", "2:", ["no key `density`", "help"]),
    ] {
        refused(&place, &body(solid), at, &words);
    }
}

#[test]
fn motions_of_points_and_by_inputs() {
    let head = "[body.b]\nmass = 1\ninertia = [1, 1, 1]\n[input]\nu = 0\n[joint.j]\n\
        prismatic = { between = [\"ground\", \"b\"], at = [0, 0, 0], along = \"x\" }\n[motion.m]\n";
    let place = Place::new();
    for (motion, at, words) in [
        ("point = \"b\"", "8:9", ["prescribes nothing", "add for example `x"]),
        ("point = \"b\"\nangle = \"t\"", "10:1", ["a point has no `angle`", "`x`, `y` or `z`"]),
        ("point = \"b\"\nx = \"t\"\nx_velocity = \"1\"", "11:1", ["`x` twice", "keep one"]),
        ("point = \"c\"\nx = \"t\"", "9:9", ["no body or frame `c`", "choose one of"]),
        ("point = \"b\"\njoint = \"j\"\nx = \"t\"", "10:1", ["exclude each other", "keep one"]),
        (
            "joint = \"j\"\ndisplacement = \"u\"",
            "10:1",
            ["the input `u`, which jumps", "add `within"],
        ),
        (
            "joint = \"j\"\ndisplacement = \"2*u\"\nwithin = 0.1",
            "11:1",
            ["follows no [input]", "remove it"],
        ),
        ("joint = \"j\"\ndisplacement = \"2*u\"", "10:", ["u", "an [input] stands alone"]),
        (
            "joint = \"j\"\ndisplacement_acceleration = \"u\"\nwithin = 0.1",
            "10:1",
            ["a position or a velocity", "prescribe the velocity"],
        ),
        ("joint = \"j\"\ndisplacement = \"u\"\nwithin = 0", "11:10", ["within is 0", "positive"]),
        (
            "joint = \"j\"\ndisplacement = \"t\"\nwithin = 1",
            "11:1",
            ["follows no [input]", "remove it"],
        ),
        ("displacement = \"t\"", "8:9", ["misses `joint`", "`point ="]),
    ] {
        refused(&place, &format!("{head}{motion}\n"), at, &words);
    }
}

#[test]
fn roads_of_meshes_and_teeth() {
    let place = Place::new();
    place.write("upright.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    place.write("half.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n");
    place.write("sheet.obj", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3\nf 1 3 4\n");
    let road =
        |words: &str| format!("[body.b]\nmass = 1\ninertia = [1, 1, 1]\n[road.r]\n{words}\n");
    for (words, at, said) in [
        ("mesh = \"none.obj\"", "5:8", ["none.obj", "help"]),
        ("mesh = \"upright.obj\"", "5:8", ["stands upright", "covers a rectangle"]),
        ("mesh = \"half.obj\"", "5:8", ["gap at x", "covers a rectangle"]),
        ("mesh = \"sheet.obj\"\ngrid = 1e-6", "6:8", ["points", "neither too fine"]),
        ("mesh = \"sheet.obj\"\nheight = \"x\"", "6:1", ["exclude each other", "keep one"]),
        ("height = \"x\"\ngrid = 0.1", "6:1", ["only a mesh", "remove it"]),
        ("mesh = \"sheet.obj\"\nscale = -1", "6:9", ["scale is -1", "positive"]),
    ] {
        refused(&place, &road(words), at, &said);
    }
    let pair = "[body.a]\nmass = 1\ninertia = [1, 1, 1]\n[body.b]\nmass = 1\ninertia = [1, 1, 1]\nat = [0.1, 0, 0]\n\
        [joint.a]\nrevolute = { between = [\"ground\", \"a\"], at = [0, 0, 0], about = \"z\" }\n\
        [joint.b]\nrevolute = { between = [\"ground\", \"b\"], at = [0.1, 0, 0], about = \"z\" }\n[coupling.c]\n";
    let wide = "mesh = { joints = [\"a\", \"b\"], radii = [0.08, 0.08], stiffness = 1e6 }\n";
    refused(
        &place,
        &format!("{pair}{wide}"),
        "13:",
        &["do not mesh at a distance of 0.1", "cosine of the pressure angle"],
    );
}

#[test]
fn damping_of_contacts() {
    let text = "[body.b]\nmass = 1\ninertia = [1, 1, 1]\nat = [0, 0, 1]\n[contact.c]\nbetween = [\"ground\", \"b\"]\n\
        first = { plane = \"z\" }\nsecond = { sphere = 0.1 }\nstiffness = 1e5\ndamping = 10\n";
    refused(&Place::new(), text, "10:11", &["needs `damping_depth`", "from which depth on"]);
}

#[test]
fn paths_round_wheels() {
    let place = Place::new();
    let part = "[part.l.body.b]\nmass = 1\ninertia = [1, 1, 1]\n";
    for (path, using, at, words) in [
        (
            "wheels = [[0, 0, 1], [5, 0, 0]]\npieces = 9",
            "path = \"p\"",
            "2:10",
            ["without radius, number 1", "negative"],
        ),
        (
            "wheels = [[0, 0, 1], [0.1, 0, 0.5]]\npieces = 9",
            "path = \"p\"",
            "2:10",
            ["wheel 0 to wheel 1", "move them apart"],
        ),
        (
            "wheels = [[0, 0, 1], [5, 0, 1]]\npieces = 2",
            "path = \"p\"",
            "3:10",
            ["has 2 pieces", "at least 3"],
        ),
        (
            "wheels = [[0, 0, 0.1], [0.3, 0, 0.1]]\npieces = 3",
            "path = \"p\"",
            "3:10",
            ["too long for its wheels", "more pieces"],
        ),
        ("wheels = [[0, 0, 1]]\npieces = 9", "path = \"p\"", "2:10", ["at least two", "help"]),
        (
            "wheels = [[0, 0, 1], [5, 0, 1]]",
            "path = \"p\"",
            "1:7",
            ["misses `pieces`", "add `pieces"],
        ),
        (
            "wheels = [[0, 0, 1], [5, 0, 1]]\npieces = 9\nlay = \"chord\"",
            "path = \"p\"",
            "4:7",
            ["chord", "did you mean `chords`"],
        ),
        (
            "wheels = [[0, 0, 1], [5, 0, 1]]\npieces = 9\nplane = \"zx\"",
            "path = \"p\"",
            "4:9",
            ["zx", "xz"],
        ),
        (
            "wheels = [[0, 0, 1], [5, 0, 1]]\npieces = 9",
            "path = \"q\"",
            "9:8",
            ["no path `q`", "choose one of `p`"],
        ),
        (
            "wheels = [[0, 0, 1], [5, 0, 1]]\npieces = 9",
            "count = 4\npath = \"p\"",
            "10:1",
            ["exclude each other", "keep one"],
        ),
    ] {
        let text = format!("[path.p]\n{path}\n{part}[use.l]\npart = \"l\"\n{using}\n");
        refused(&place, &text, at, &words);
    }
}
