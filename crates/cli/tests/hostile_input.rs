//! Inputs that once made the program crash, hang, or ask for all memory: each ends in words, soon.

mod common;

use common::table::Table;
use common::{Place, Said, model, planar_chain};

/// Longer than any of these may take on a slow machine.
#[cfg(unix)]
const SECONDS: &str = "ulimit -t 60";

/// Runs a model by all commands that read one.
fn all(text: &str, commands: &[&str]) -> Vec<Said> {
    let place = Place::new();
    place.write("m.toml", text);
    let one = |command: &&str| place.rotula(&[*command, "m.toml"]);
    commands.iter().map(one).collect()
}

fn refused(text: &str, words: &[&str]) {
    for said in all(text, &["check", "run"]) {
        assert_eq!(said.status, 2, "{}", said.stderr);
        for word in words {
            assert!(said.stderr.contains(word), "{word:?} is not in\n{}", said.stderr);
        }
    }
}

fn oscillator(solve: &str) -> String {
    format!(
        "[coordinates]\nx = {{ at = 1, velocity = 0 }}\n[mass]\nx = 1\n[force]\nx = \"-x\"\n[solve]\n{solve}\n"
    )
}

#[test]
fn products_that_overflow_end() {
    for formula in ["2*(1e308*1e308)", "70*1e308*1e308", "5*1e308*1e308", "x*1e308*1e308*3*x"] {
        let formula = formula.replace('x', "b");
        let text = format!("[parameters]\nb = 7\na = \"{formula}\"\n{}", oscillator("until = 0.1"));
        refused(&text, &["m.toml:3:5: parameters.a is not a finite number"]);
    }
}

#[test]
fn time_that_would_stand_still_is_refused() {
    let far = "start = 1e16\nuntil = 1.00000000000001e16\n";
    refused(&oscillator(&format!("{far}step = 1e-3")), &["m.toml:10:8: step = 0.001 is too small"]);
    refused(&oscillator(far), &["is too small for times near", "begin near 0"]);
}

#[test]
fn bounds_of_steps_must_leave_room() {
    let text = oscillator("until = 10\nmin_step = 1");
    refused(&text, &["m.toml:9:12: min_step = 1 exceeds max_step = 0.2"]);
    // a small largest step is no contradiction to the default
    let said = all(&oscillator("until = 1e-3\nmax_step = 1e-14\nmin_step = 1e-15"), &["check"]);
    assert_eq!(said[0].status, 0, "{}", said[0].stderr);
}

#[test]
fn more_rows_than_fit_are_refused_with_their_number() {
    let text = oscillator("until = 10\noutput_every = 1e-9");
    refused(&text, &["m.toml:9:16: output_every asks for 1.000e10 rows"]);
    refused(&oscillator("until = 10\noutput_every = 1e-300"), &["rows"]);
    // fixed steps are as many
    let said = all(&oscillator("until = 1e6\nstep = 1e-6"), &["run"]);
    assert_eq!(said[0].status, 2);
    assert!(said[0].stderr.contains("m.toml:7:2: the results would take"), "{}", said[0].stderr);
}

#[test]
fn beams_of_no_length_are_refused() {
    for length in ["5e-324", "1e-120", "1e300"] {
        let text = format!(
            "[flexible.rod]\nkind = \"planar\"\n[flexible.rod.beam]\nlength = {length}\nelements = 4\n\
             [flexible.rod.beam.section]\nstiffness = [1e7, 4e6, 4e6, 44, 68, 68]\nmass = 0.5\n\
             inertia = [5e-6, 3e-6, 3e-6]\n[solve]\nuntil = 0.1\n"
        );
        refused(&text, &["m.toml:3:15: flexible.rod.beam: mass and stiffness", length]);
    }
}

/// Every vibration of a linear beam is a shape, and all act on all: a thousand elements took minutes, four
/// thousand all memory.
#[test]
fn linear_beams_of_too_many_elements_are_refused() {
    for elements in ["101", "1000.0", "4000"] {
        let text = format!(
            "[flexible.rod.beam]\nlength = 0.3\nelements = {elements}\n\
             [flexible.rod.beam.section]\nstiffness = [1e7, 4e6, 4e6, 44, 68, 68]\nmass = 0.5\n\
             inertia = [5e-6, 3e-6, 3e-6]\n[solve]\nuntil = 0.1\n"
        );
        let count = elements.trim_end_matches(".0");
        let what = format!("m.toml:1:15: flexible.rod.beam: it has {count} elements");
        refused(&text, &[&what, "take 4 to 100"]);
    }
}

/// Lines of many elements; `more` are keys of the first table.
#[cfg(unix)]
fn line(kind: &str, elements: usize, more: &str) -> String {
    let table = match kind {
        "cable" => format!("[cable.l]\nelements = {elements}\nstiffness = 1e4\nmass = 1\n{more}"),
        _ => format!(
            "[beam.l]\nelements = {elements}\nkind = \"{kind}\"\n{more}\
             material = {{ density = 3, poisson = 0, young = 900 }}\nsection = {{ rectangle = [1, 1] }}\n"
        ),
    };
    format!("{table}from = [0, 0, 0]\nto = [10, 0, 0]\n[solve]\nstep = 0.1\nuntil = 1\n")
}

#[test]
#[cfg(target_os = "linux")]
fn lines_that_memory_has_no_room_for_are_refused() {
    let place = Place::new();
    let limits = format!("{SECONDS}; ulimit -v 4000000");
    for (kind, more) in [
        ("spatial", ""),
        ("planar", ""),
        ("spatial", "nodes = 4\n"),
        ("planar", "nodes = 4\n"),
        ("cable", ""),
    ] {
        place.write("m.toml", &line(kind, 1_000_000, more));
        let said = place.rotula_limited(&limits, &["check", "m.toml"]);
        assert_eq!(said.status, 2, "{kind} {more}: {}", said.stderr);
        let thing = if kind == "cable" { "m.toml:1:8: cable `l`" } else { "m.toml:1:7: beam `l`" };
        for word in [thing, "its 1000000 elements", "and there are 4.1 GB", "take fewer elements"] {
            assert!(said.stderr.contains(word), "{word:?} is not in\n{}", said.stderr);
        }
    }
    place.write(
        "m.toml",
        "[swarm.s]\nspheres = 1000000\nradius = 0.01\ndensity = 1000\nrestitution = 0\n\
         filling = [[0, 0, 0], [3, 3, 3]]\n[solve]\nstep = 0.001\nuntil = 1\n",
    );
    let said = place.rotula_limited(&limits, &["check", "m.toml"]);
    assert_eq!(said.status, 2, "{}", said.stderr);
    for word in ["m.toml:2:1: swarm `s`: its 1000000 bodies", "take fewer bodies"] {
        assert!(said.stderr.contains(word), "{word:?} is not in\n{}", said.stderr);
    }
    // two that have room each, but not together
    let one = line("planar", 80_000, "");
    let other = one.split("[solve]").next().unwrap_or_default().replace("beam.l", "beam.m");
    place.write("m.toml", &format!("{other}{one}"));
    let said = place.rotula_limited(&limits, &["check", "m.toml"]);
    assert_eq!(said.status, 2, "{}", said.stderr);
    assert!(said.stderr.contains("those of the model before it"), "{}", said.stderr);
}

/// Once every node was looked for among all, and every round of the elimination looked at all that was left.
#[test]
#[cfg(unix)]
fn what_long_beams_take_grows_with_their_length_only() {
    let place = Place::new();
    place.write("m.toml", &line("planar", 60_000, ""));
    // as much as is promised suffices
    let said = place.rotula_limited("ulimit -t 30; ulimit -v 4000000", &["check", "m.toml"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("The model can be run"), "{}", said.stdout);
}

#[test]
fn an_interface_that_holds_every_node_is_refused() {
    let place = Place::new();
    place.write("b.msh", include_str!("models/bar.msh"));
    for method in ["craig-bampton", "guyan", "free"] {
        let mut arguments = vec!["reduce", "b.msh", "-o", "o.flex", "--interface", "l=Body"];
        arguments.extend(["--material", "2.1e11,0.3,7850", "--method", method]);
        let said = place.rotula(&arguments);
        assert_eq!(said.status, 2, "{method}: {}", said.stderr);
        assert!(said.stderr.contains("besides the rigid motions"), "{method}: {}", said.stderr);
        assert!(!place.path("o.flex").exists());
    }
}

/// A chain of planar bodies of which nothing is recorded.
fn chain(count: usize) -> String {
    let nothing = "[output]\nbodies = false\njoints = false\nreactions = false\n";
    planar_chain(count) + nothing + "[solve]\nstep = 1e-3\nuntil = 0.01\n"
}

#[test]
#[cfg(unix)]
fn a_large_model_is_checked_in_little_memory() {
    let place = Place::new();
    let limits = format!("{SECONDS}; ulimit -v 4000000");
    place.write("m.toml", &chain(14_000));
    // full matrices would take 21 GB and more
    let said = place.rotula_limited(&limits, &["check", "m.toml"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("14000 degrees of freedom"), "{}", said.stdout);
    assert!(said.stdout.contains("were not looked for"), "{}", said.stdout);
    // lists are not longer than anyone reads
    assert!(said.stdout.len() < 40_000, "{}", said.stdout.len());
    place.write("m.toml", &chain(3000));
    for command in ["modes", "statics"] {
        let said = place.rotula_limited(&limits, &[command, "m.toml"]);
        assert!([0, 1, 2].contains(&said.status), "{command}: {}", said.stderr);
    }
}

/// Once every recorded body was looked for along the whole chain: a minute for ten steps.
#[test]
#[cfg(unix)]
fn the_output_of_a_long_chain_takes_no_longer_than_its_motion() {
    let place = Place::new();
    let last = "[output]\nbodies = [\"b9999\"]\njoints = false\nreactions = false\n";
    let solve = "[solve]\nstep = 1e-3\nuntil = 0.01\n";
    place.write("m.toml", &(planar_chain(10_000) + last + solve));
    // seconds of the processor; it needs seven
    let said = place.rotula_limited("ulimit -t 30", &["run", "m.toml", "-q", "-o", "out"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let table = Table::read(&place, "out/trajectory.csv");
    assert_eq!(table.len(), 11);
    // the end of the chain falls freely: nothing holds it against its weight but the hinge before it
    assert!(table.last("b9999.y") < 0.0, "{}", table.last("b9999.y"));
}

#[test]
fn a_contact_of_a_planet_with_a_ball_leaves_results() {
    let place = Place::new();
    place.write("m.toml", include_str!("models/huge_contact.toml"));
    let said = place.rotula(&["run", "m.toml", "-o", "out"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let rows = place.read("out/trajectory.csv");
    assert_eq!(rows.lines().count(), 102);
    assert!(!rows.contains("NaN") && place.path("out/report.html").exists());
}

#[test]
fn a_start_out_of_the_range_of_numbers_is_refused() {
    let text = "gravity = [0, -9.81, 0]\n[beam.strip]\nkind = \"planar\"\nelements = 8\nnormal = [0, 0, 1]\n\
                to = [1, 0, 0]\nmaterial = { density = 1e-308, poisson = 0.3, young = 2.1e11 }\n\
                section = { rectangle = [0.01, 0.05] }\n\
                [joint.clamp]\nfixed = { between = [\"ground\", \"strip.start\"], at = [0, 0, 0] }\n\
                [body.ball]\nkind = \"planar\"\nsolid = { sphere = 0.04, density = 7800 }\nat = [0.7, 0.1, 0]\n\
                [contact.touch]\nbetween = [\"strip\", \"ball\"]\nfirst = { sphere = 0.005 }\nrestitution = 0.3\n\
                [solve]\nformulation = \"nonsmooth\"\nstep = 5e-4\nuntil = 0.1\n";
    for said in all(text, &["run", "check"]) {
        assert_eq!(said.status, 2, "{}", said.stderr);
        assert!(said.stderr.contains("m.toml:2:7: "), "{}", said.stderr);
        assert!(said.stderr.contains("out of the range of numbers"), "{}", said.stderr);
    }
}

/// A body at the end of the world: a step is solved, but its matrix at the end is singular.
#[test]
fn a_step_that_cannot_be_concluded_is_explained() {
    let place = Place::new();
    place.write("m.toml", &model("far_arm.toml"));
    let said = place.rotula(&["run", "m.toml"]);
    assert!([1, 2].contains(&said.status), "{}: {}", said.status, said.stderr);
    assert!(said.stderr.contains("m.toml"), "{}", said.stderr);
}

/// The list of contacts shrinks, then a step cannot even begin: nothing of the larger list is looked at.
#[test]
fn a_step_that_cannot_begin_is_explained() {
    let place = Place::new();
    place.write("m.toml", &model("guide_at_the_end_of_the_world.toml"));
    let said = place.rotula(&["run", "m.toml"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(said.stderr.contains("m.toml: The simulation failed: near t = "), "{}", said.stderr);
}

#[test]
fn solids_too_thin_for_numbers_are_refused() {
    let plate = |x: f64| {
        format!(
            "kind = \"planar\"\nmass = 1\ninertia = 1\nat = [{x}, 0, 0]\nshape = {{ box = [\"5e-324\", 1, 1] }}\n"
        )
    };
    let text = format!(
        "[body.a]\n{}[body.b]\n{}[contact.c]\nbetween = [\"a\", \"b\"]\nrestitution = 0\n\
         [solve]\nformulation = \"nonsmooth\"\nstep = 1e-3\nuntil = 0.1\n",
        plate(0.0),
        plate(1.0)
    );
    refused(&text, &["m.toml:13:10: ", "thinner or wider than numbers can tell"]);
}

/// Every residual is finite, the motion that they lead to is not.
#[test]
fn a_motion_out_of_the_range_of_numbers_is_not_accepted() {
    let text = "[coordinates]\ny = { at = 0, velocity = 0 }\n[mass]\ny = 1\n[force]\ny = -9.81\n\
                [solve]\nuntil = 1e308\ntolerance = 1e-7\n";
    let place = Place::new();
    place.write("m.toml", text);
    let said = place.rotula(&["run", "m.toml", "-o", "out"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(said.stderr.contains("left the range of numbers"), "{}", said.stderr);
    let rows = place.read("out/trajectory.csv");
    assert!(!rows.contains("NaN") && !rows.contains("inf"), "{rows}");
}

#[test]
fn an_equilibrium_near_a_rigid_contact_has_results() {
    let text = "gravity = [0, 0, -9.81]\n[body.b]\nmass = 1\ninertia = [1, 1, 1]\nat = [0, 0, 2]\n\
                [joint.guide]\nprismatic = { between = [\"ground\", \"b\"], at = [0, 0, 2], along = \"z\" }\n\
                [spring.s]\njoint = \"guide\"\nstiffness = 100\nfree_length = 0\n\
                [contact.floor]\nbetween = [\"ground\", \"b\"]\nfirst = { plane = \"z\" }\n\
                second = { sphere = 0.1 }\nrestitution = 0\n\
                [solve]\nformulation = \"nonsmooth\"\nstep = 1e-3\nuntil = 0.01\n";
    for said in all(text, &["statics", "modes"]) {
        assert_eq!(said.status, 0, "{}", said.stderr);
    }
}

#[test]
fn masses_that_no_body_has_are_refused_by_name() {
    let pair = |mass: &str| {
        format!(
            "[coordinates]\nx = {{ at = 1, velocity = 0 }}\ny = {{ at = 0, velocity = 0 }}\n\
             [mass]\n{mass}\n[force]\nx = \"-x\"\n[solve]\nuntil = 1\n"
        )
    };
    refused(
        &pair("x = -1\ny = 1"),
        &["m.toml:2:1: ", "coordinate `x` has a negative kinetic energy"],
    );
    refused(&pair("x = 1\ny = 1\n\"x, y\" = 2"), &["coordinate `x` and `y` together"]);
    let beam = "[beam.b]\nto = [1, 0, 0]\n[beam.b.section]\nstiffness = [1e6, 1e6, 1e6, 10, 10, 10]\n\
                mass_matrix = [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], \
                [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1]]\n[solve]\nuntil = 0.1\n";
    refused(beam, &["beam.b"]);
}

#[test]
fn colours_that_do_not_exist_are_refused_with_the_nearest() {
    let body = |colour: &str| {
        format!(
            "[body.b]\nmass = 1\ninertia = [1, 1, 1]\ncolour = \"{colour}\"\n[solve]\nuntil = 0.1\n"
        )
    };
    refused(&body("oragne"), &["m.toml:4:10: body.b.colour is `oragne`", "did you mean `orange`?"]);
    refused(&body("#12345"), &["m.toml:4:10: ", "as in \"#3465a4\""]);
    refused(
        &body("#d07a1a80\"\nopacity = 0.5\ndescription = \""),
        &["m.toml:5:", "opacity", "the last two digits of the colour"],
    );
    refused(
        &body("red\"\nopacity = 1.5\ndescription = \""),
        &["m.toml:5:", "body.b.opacity is 1.5"],
    );
    for good in ["orange", "#d07a1a", "#d07a1a80"] {
        let said = all(&body(good), &["run"]);
        assert_eq!(said[0].status, 0, "{}", said[0].stderr);
    }
}

#[test]
fn messages_stay_readable_whatever_the_file_holds() {
    let name = "n".repeat(1_000_000);
    let models = [
        format!("[coordinates]\n{name} = {{ at = 1, velocity = 0 }}\n[solve]\nuntil = 1\n"),
        format!("[parameters]\na = \"{name}\"\n{}", oscillator("until = 1")),
        format!("[parameters]\na = \"{}1\"\n{}", "1+".repeat(500_000), oscillator("until = 1")),
        oscillator(&format!("until = 1\nformulation = \"{name}\"")),
        oscillator(&format!("until = 1\n{name} = 1")),
        format!("title = \"{name}\"\n{name}"),
        oscillator("until = 1\nstep = -1e-300"),
    ];
    for text in models {
        for said in all(&text, &["check", "run"]) {
            assert!([0, 2].contains(&said.status), "{}", said.status);
            assert!(said.stderr.len() < 10_000, "{} bytes", said.stderr.len());
        }
    }
}

#[test]
fn refusals_point_at_what_they_are_about() {
    let place = Place::new();
    let at = |text: &str, line: &str| {
        place.write("m.toml", text);
        let said = place.rotula(&["run", "m.toml"]);
        assert_eq!(said.status, 2, "{text}");
        assert!(said.stderr.contains(&format!("m.toml:{line}: ")), "{line}:\n{}", said.stderr);
    };
    let body = "[body.b]\nmass = 1\ninertia = [1, 1, 1]\n";
    // no section: where it could be written
    at(body, "3:20");
    at(&format!("{body}[solve]\nstep = 1e-3\n"), "4:2");
}

#[test]
fn deep_nesting_ends_in_words() {
    for depth in [100, 10_000, 200_000] {
        let nested = format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
        let texts = [
            format!("[parameters]\na = \"{nested}\"\n{}", oscillator("until = 0.1")),
            format!("[parameters]\na = \"{}1\"\n{}", "-".repeat(depth), oscillator("until = 0.1")),
            format!("[parameters]\na = \"2{}\"\n{}", "^1".repeat(depth), oscillator("until = 0.1")),
            format!("a = {}{}\n", "[".repeat(depth), "]".repeat(depth)),
        ];
        for text in texts {
            for said in all(&text, &["check"]) {
                assert!([0, 2].contains(&said.status), "{depth}: {}", said.stderr.len());
            }
        }
    }
}
