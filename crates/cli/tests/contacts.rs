//! What a run leaves of its contacts and impacts, read from its files.

mod common;

use common::table::Table;
use common::{Place, model, number};

/// All 24 contacts of a bearing are named, and some are aimed anew on the way.
#[test]
fn named_contacts_keep_their_columns_from_first_to_last() {
    let bearing = &model("ball_bearing.toml");
    for until in [0.045, 0.05, 0.06] {
        let place = Place::new();
        let said = place.run(bearing, &[&format!("solve.until={until}")], "out");
        assert!(!said.stderr.contains("warning"), "{}", said.stderr);
        let table = Table::read(&place, "out/trajectory.csv");
        let of =
            |prefix: &str| table.headings().iter().filter(|key| key.starts_with(prefix)).count();
        let counts = [of("gap."), of("force."), of("impulse."), of("contacts.")];
        assert_eq!(counts, [24, 48, 48, 3], "until {until}");
        for key in table
            .headings()
            .iter()
            .filter(|key| key.starts_with("gap.") || key.starts_with("force."))
        {
            assert!(table.numbers(key).iter().all(|value| value.is_finite()), "{key}");
        }
        let times = table.numbers("t");
        assert_eq!(times.last(), Some(&until));
        // the long table holds the same forces, each in its place
        let long = Table::read(&place, "out/contacts.csv");
        let (t, forces, names) =
            (long.numbers("t"), long.numbers("normal_force"), long.texts("contact"));
        // the balls fall through a clearance of 20 µm
        assert!(t[0] < 0.0021 && t.last() == times.last(), "{:?} to {:?}", t[0], t.last());
        let mut seen = 0;
        for (row, time) in times.iter().enumerate() {
            let from = t.partition_point(|other| other < time);
            let to = t.partition_point(|other| other <= time);
            let sum: f64 = forces[from..to].iter().sum();
            let whole = table.numbers("contacts.force")[row];
            assert!((sum - whole).abs() <= 1e-9 * whole.abs().max(1.0), "at {time}: {sum} {whole}");
            for k in from..to {
                let column = &table.texts(&format!("force.{}", names[k]))[row];
                assert_eq!(column.parse::<f64>().expect("a number"), forces[k]);
                seen += 1;
            }
            if row > 40 {
                break;
            }
        }
        assert!(seen > 40, "{seen} rows");
        let bodies = (long.texts("first"), long.texts("second"));
        let at = names.iter().position(|name| *name == "out3").expect("the ball at the bottom");
        assert_eq!((bodies.0[at], bodies.1[at]), ("ground", "ball3"));
        let place = ["x", "y", "z"].map(|axis| long.numbers(axis)[at]);
        // on the outer race
        assert!((place[0].hypot(place[1]) - 0.02502).abs() < 1e-5, "{place:?}");
    }
}

const BALL: &str = r#"
gravity = [0, 0, -10]
[body.ball]
mass = 2
inertia = [0.1, 0.1, 0.1]
at = [0, 0, 1]
shape = { sphere = 0.1 }
[contact.floor]
between = ["ground", "ball"]
first = { plane = "z" }
restitution = 0.7
[solve]
formulation = "nonsmooth"
step = 1e-3
until = 1.8
"#;

/// The impulses are the change of momentum less the impulse of the weight, and each impact takes
/// `½m(1 − e²)v²`.
#[test]
fn impacts_of_a_ball_obey_momentum_and_restitution() {
    for formulation in ["nonsmooth", "moreau-jean"] {
        let place = Place::new();
        let set = format!("solve.formulation=\"{formulation}\"");
        let said = place.run(BALL, &[&set], "out");
        let table = Table::read(&place, "out/trajectory.csv");
        let velocity = table.numbers("ball.vz");
        let (mass, restitution, gravity, until) = (2.0, 0.7, 10.0, 1.8);
        let change = mass * (velocity.last().expect("rows") - velocity[0]);
        let events = Table::read(&place, "out/events.csv");
        let impulses = events.numbers("impulse");
        // falls of √(2·0.9/10) s; the bounces end at 2.4 s
        assert_eq!(impulses.len(), 4, "{impulses:?}");
        let sum: f64 = impulses.iter().sum();
        let momentum = change + mass * gravity * until;
        assert!((sum - momentum).abs() < 1e-9 * sum, "{sum} is not {momentum}");
        let (before, after, lost) = (
            events.numbers("velocity_before"),
            events.numbers("velocity_after"),
            events.numbers("energy_lost"),
        );
        assert!((before[0] + (2.0f64 * 10.0 * 0.9).sqrt()).abs() < 0.02, "{before:?}");
        for k in 0..impulses.len() {
            assert!((after[k] + restitution * before[k]).abs() < 1e-9, "{before:?} {after:?}");
            let exact = 0.5 * mass * (1.0 - restitution * restitution) * before[k] * before[k];
            assert!((lost[k] - exact).abs() < 1e-8 * exact, "{} is not {exact}", lost[k]);
        }
        assert!(events.texts("contact").iter().all(|name| *name == "floor"));
        assert!(events.texts("second").iter().all(|name| *name == "ball"));
        let audit = place.audit("out");
        assert_eq!(audit["impacts"], 4);
        let expected = number(&audit, "impact_expected");
        assert!(
            (expected - lost.iter().sum::<f64>()).abs() < 1e-8 * expected,
            "{expected} {lost:?}"
        );
        // the first order of the step
        assert!((number(&audit, "impact_loss") - expected).abs() < 0.02 * expected, "{audit}");
        assert!(number(&audit, "penetration") < 2e-2, "{audit}");
        assert!(said.stdout.contains("There were 4 impacts"), "{}", said.stdout);
        assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    }
}

#[test]
fn what_does_not_fit_into_the_table_of_contacts_is_named() {
    let place = Place::new();
    let heap = r#"
gravity = [0, 0, -9.81]
[swarm.grain]
spheres = 8
radius = 0.1
density = 1000
filling = [[0, 0, 0.1], [0.5, 0.5, 0.6]]
container = [[0, 0, 0], [0.5, 0.5, 1]]
restitution = 0
friction = 0.3
[output]
contact_rows = 500
[solve]
formulation = "moreau-jean"
step = 2e-3
until = 1
"#;
    let said = place.run(heap, &[], "out");
    assert!(said.stderr.contains("rows were left out"), "{}", said.stderr);
    let few = Table::read(&place, "out/contacts.csv");
    let all = place.run(heap, &["output.contact_rows=1e6"], "all");
    assert!(!all.stderr.contains("left out"), "{}", all.stderr);
    let all = Table::read(&place, "all/contacts.csv");
    let [few, all] = [few, all].map(|table| table.numbers("t"));
    assert!(few.len() <= 502 && all.len() > 1000, "{} of {}", few.len(), all.len());
    // every time at which something touches is there
    let times = |mut list: Vec<f64>| {
        list.dedup();
        list
    };
    let left_out = format!("{} rows were left out", all.len() - few.len());
    assert!(said.stderr.contains(&left_out), "{}", said.stderr);
    assert_eq!(times(few), times(all));
    let refused = place.rotula(&["run", "model.toml", "--set", "output.contact_rows=-3"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("output.contact_rows"), "{}", refused.stderr);
}

/// A block that slides to rest on four corners: each is a row, and together they are the columns of the contact.
const SOFT: &str = r#"
gravity = [0, 0, -9.81]
[body.block]
mass = 2
inertia = [0.01, 0.01, 0.01]
at = [0, 0, 0.0499]
velocity = [0.5, 0, 0]
[contact.floor]
between = ["ground", "block"]
first = { plane = "z" }
second = { box = [0.2, 0.2, 0.1] }
stiffness = 1e5
exponent = 1
dissipation = 2
friction = { coefficient = 0.3, creep = 0.001 }
[solve]
until = 0.5
max_step = 0.01
"#;

#[test]
fn soft_contacts_are_in_the_table_place_by_place() {
    let place = Place::new();
    place.write("model.toml", SOFT);
    let said = place.rotula(&["run", "model.toml", "-o", "out", "--export", "parquet"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(place.path("out/contacts.parquet").exists() && !place.path("out/events.csv").exists());
    let (table, long) =
        (Table::read(&place, "out/trajectory.csv"), Table::read(&place, "out/contacts.csv"));
    assert!(long.texts("contact").iter().all(|name| *name == "floor"));
    assert!(long.texts("first").iter().all(|name| *name == "ground"));
    assert!(long.texts("second").iter().all(|name| *name == "block"));
    let [t, gap, normal, rubbing, slip] =
        ["t", "gap", "normal_force", "tangential_force", "slip_1"].map(|name| long.numbers(name));
    let places = ["x", "y", "z"].map(|name| long.numbers(name));
    let forces = ["fx", "fy", "fz"].map(|name| long.numbers(name));
    let columns = ["floor.fx", "floor.fy", "floor.fz"].map(|name| table.numbers(name));
    let (whole, x) = (table.numbers("floor.normal"), table.numbers("block.x"));
    let weight = 2.0 * 9.81;
    for (row, time) in table.numbers("t").iter().enumerate() {
        let here =
            t.partition_point(|other| other < time)..t.partition_point(|other| other <= time);
        let sum = |list: &[f64]| list[here.clone()].iter().sum::<f64>();
        assert!((sum(&normal) - whole[row]).abs() < 1e-9 * weight, "at {time}");
        for (force, column) in forces.iter().zip(&columns) {
            assert!((sum(force) - column[row]).abs() < 1e-9 * weight, "at {time}");
        }
        for k in here {
            assert!(gap[k] < 0.0 && rubbing[k] <= 0.3 * normal[k] + 1e-12);
            // at the corners, between the surfaces
            assert!(
                ((places[0][k] - x[row]).abs() - 0.1).abs() < 1e-3,
                "{}",
                places[0][k] - x[row]
            );
            assert!((places[1][k].abs() - 0.1).abs() < 1e-3 && places[2][k].abs() < 1e-3);
        }
    }
    assert_eq!(slip[0], 0.5);
    // at rest four corners carry the block, each by its law
    let last = t.len() - 4;
    assert_eq!(t[last], 0.5);
    let sum: f64 = normal[last..].iter().sum();
    assert!((sum - weight).abs() < 0.02 * weight, "{sum} is not {weight}");
    for k in last..t.len() {
        assert!((normal[k] + 1e5 * gap[k]).abs() < 1e-2 * weight, "{} {}", normal[k], gap[k]);
    }
}

#[test]
fn soft_and_rigid_contacts_share_the_table() {
    let place = Place::new();
    let text = BALL.replace(
        "[solve]",
        "[body.pad]\nkind = \"point\"\nmass = 1\nat = [3, 0, 0.0995]\n[contact.mat]\nbetween = [\"ground\", \"pad\"]\nfirst = { plane = \"z\" }\nsecond = { sphere = 0.1 }\nstiffness = 2e4\nexponent = 1\n[solve]",
    );
    // a located impact lasts no time and has no row
    place.run(&text, &["solve.located=false"], "out");
    let long = Table::read(&place, "out/contacts.csv");
    let (names, normal, t) =
        (long.texts("contact"), long.numbers("normal_force"), long.numbers("t"));
    let of = |name: &str| (0..names.len()).filter(|k| names[*k] == name).collect::<Vec<_>>();
    let (soft, rigid) = (of("mat"), of("floor"));
    assert!(soft.len() > 1500 && !rigid.is_empty() && soft.len() + rigid.len() == names.len());
    // it starts where the mat carries it: m g = k δ
    assert!(soft.iter().all(|k| (normal[*k] - 10.0).abs() < 1e-6), "{}", normal[soft[0]]);
    assert_eq!((t[soft[0]], t[*soft.last().expect("rows")]), (0.0, 1.8));
    // the arrow of the film, too: a picture is made of both
    assert!(place.read("out/report.html").contains("mat"));
}

/// Friction is against the slip, also where a body gives way more easily along one tangent than along the other: it is not against the
/// slip times a mass.
#[test]
fn friction_is_against_the_slip_of_a_slender_body() {
    for solve in ["\"moreau-jean\"", "\"nonsmooth\"", "\"nonsmooth\"\niteration = \"monolithic\""] {
        let place = Place::new();
        // a foot below the centre: the inertia about x is a fifteenth of that about y
        let text = format!(
            "gravity = [0, 0, -9.81]\n[body.b]\nmass = 1\ninertia = [0.002, 0.03, 0.03]\nat = [0, 0, 0.25]\n\
             velocity = [1, 1, 0]\n[contact.f]\nbetween = [\"ground\", \"b\"]\nfirst = {{ plane = \"z\" }}\n\
             second = {{ sphere = 0.05, at = [0, 0, -0.2] }}\nrestitution = 0\nfriction = 0.3\n\
             [solve]\nformulation = {solve}\nstep = 1e-4\nuntil = 0.01\n"
        );
        place.run(&text, &[], "out");
        let table = Table::read(&place, "out/contacts.csv");
        let column = |key: &str| table.numbers(key);
        let (forces, slips) = (
            [column("tangential_force_1"), column("tangential_force_2")],
            [column("slip_1"), column("slip_2")],
        );
        let (normal, times) = (column("normal_force"), column("t"));
        assert!(times.len() > 90, "{} rows", times.len());
        for row in 0..times.len() {
            let speed = slips[0][row].hypot(slips[1][row]);
            for k in 0..2 {
                let expected = -0.3 * normal[row] * slips[k][row] / speed;
                let off = (forces[k][row] - expected).abs();
                // between the slip of the end of a step and that of its row
                assert!(off < 1e-3 * normal[row], "{solve}, t = {}: {off}", times[row]);
            }
        }
    }
}
