//! What a run leaves of its contacts, impacts and energy, read from its files.

mod common;

use common::{Place, Said};
use std::collections::BTreeMap;

/// A table by column.
struct Columns(BTreeMap<String, Vec<String>>);

impl Columns {
    fn read(place: &Place, name: &str) -> Self {
        let text = place.read(name);
        let mut lines = text.lines();
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let names = split(lines.next().expect("headings"));
        let mut columns: BTreeMap<String, Vec<String>> =
            names.iter().map(|name| (name.clone(), Vec::new())).collect();
        for line in lines {
            let fields = split(line);
            assert_eq!(fields.len(), names.len(), "{name}: {line}");
            for (name, field) in names.iter().zip(fields) {
                columns.get_mut(name).expect("a column").push(field);
            }
        }
        Columns(columns)
    }

    fn texts(&self, name: &str) -> &[String] {
        self.0.get(name).unwrap_or_else(|| panic!("no column `{name}` in {:?}", self.0.keys()))
    }

    fn numbers(&self, name: &str) -> Vec<f64> {
        self.texts(name).iter().map(|field| field.parse().expect("a number")).collect()
    }
}

fn run(place: &Place, text: &str, set: &[&str], out: &str) -> Said {
    place.write("model.toml", text);
    let mut arguments = vec!["run", "model.toml", "-o", out];
    set.iter().for_each(|pair| arguments.extend(["--set", pair]));
    let said = place.rotula(&arguments);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    said
}

fn audit(place: &Place, out: &str) -> serde_json::Value {
    let text = place.read(&format!("{out}/summary.json"));
    let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(summary["outcome"]["status"], "done");
    summary["audit"].clone()
}

fn number(audit: &serde_json::Value, key: &str) -> f64 {
    audit[key].as_f64().unwrap_or_else(|| panic!("no number `{key}` in {audit}"))
}

/// All 24 contacts of a bearing are named, and some are aimed anew on the way.
#[test]
fn named_contacts_keep_their_columns_from_first_to_last() {
    let bearing = include_str!("models/ball_bearing.toml");
    for until in [0.045, 0.05, 0.06] {
        let place = Place::new();
        let said = run(&place, bearing, &[&format!("solve.until={until}")], "out");
        assert!(!said.stderr.contains("warning"), "{}", said.stderr);
        let table = Columns::read(&place, "out/trajectory.csv");
        let of = |prefix: &str| table.0.keys().filter(|key| key.starts_with(prefix)).count();
        let counts = [of("gap."), of("force."), of("impulse."), of("contacts.")];
        assert_eq!(counts, [24, 48, 48, 3], "until {until}");
        for key in table.0.keys().filter(|key| key.starts_with("gap.") || key.starts_with("force."))
        {
            assert!(table.numbers(key).iter().all(|value| value.is_finite()), "{key}");
        }
        let times = table.numbers("t");
        assert_eq!(times.last(), Some(&until));
        // the long table holds the same forces, each in its place
        let long = Columns::read(&place, "out/contacts.csv");
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
        let at = names.iter().position(|name| name == "out3").expect("the ball at the bottom");
        assert_eq!((bodies.0[at].as_str(), bodies.1[at].as_str()), ("ground", "ball3"));
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
        let said = run(&place, BALL, &[&set], "out");
        let table = Columns::read(&place, "out/trajectory.csv");
        let velocity = table.numbers("ball.vz");
        let (mass, restitution, gravity, until) = (2.0, 0.7, 10.0, 1.8);
        let change = mass * (velocity.last().expect("rows") - velocity[0]);
        let events = Columns::read(&place, "out/events.csv");
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
        assert!(events.texts("contact").iter().all(|name| name == "floor"));
        assert!(events.texts("second").iter().all(|name| name == "ball"));
        let audit = audit(&place, "out");
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

const PRESS: &str = r#"
gravity = [0, 0, -9.81]
[body.p]
mass = 1
inertia = [1, 1, 1]
[joint.j]
prismatic = { between = ["ground", "p"], at = [0, 0, 0], along = "z" }
[motion.drive]
joint = "j"
displacement = "0.5*t"
[solve]
until = 5
"#;

/// Work is that of the recorded time, not of the end of the step around it.
#[test]
fn energy_and_work_are_of_one_time() {
    for set in [&[][..], &["solve.output_every=0.03"], &["solve.output_every=0.5"]] {
        let place = Place::new();
        run(&place, PRESS, set, "out");
        let audit = audit(&place, "out");
        assert!(number(&audit, "energy_defect") < 1e-12, "{set:?}: {audit}");
        assert!((number(&audit, "work") - 9.81 * 2.5).abs() < 1e-10, "{set:?}: {audit}");
        let table = Columns::read(&place, "out/trajectory.csv");
        let [t, work] = ["t", "work"].map(|name| table.numbers(name));
        for (t, work) in t.iter().zip(work) {
            assert!((work - 9.81 * 0.5 * t).abs() < 1e-11, "{set:?} at {t}: {work}");
        }
    }
}

#[test]
fn nothing_is_said_about_the_energy_of_what_rests() {
    let place = Place::new();
    let block = r#"
gravity = ["9.81*sin(20*deg)", 0, "-9.81*cos(20*deg)"]
[body.b]
solid = { box = [0.2, 0.2, 0.1], density = 1000 }
at = [0, 0, 0.05]
[contact.c]
between = ["ground", "b"]
first = { plane = "z" }
restitution = 0
friction = 0.5
[solve]
formulation = "nonsmooth"
step = 2e-3
until = 2
output_every = 0.1
"#;
    let said = run(&place, block, &[], "out");
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    let audit = audit(&place, "out");
    assert!(number(&audit, "energy_defect") < number(&audit, "energy_floor"), "{audit}");
    assert!(said.stdout.contains("which is rounding"), "{}", said.stdout);
    // and friction holds it: four corners carry the block
    let table = Columns::read(&place, "out/contacts.csv");
    let t = table.numbers("t");
    let last = t.partition_point(|time| time < t.last().expect("rows"));
    let weight = 4.0 * 9.81;
    let angle = 20f64.to_radians();
    let sum = |name: &str| table.numbers(name)[last..].iter().sum::<f64>();
    for (name, exact) in [("fx", -weight * angle.sin()), ("fz", weight * angle.cos())] {
        assert!((sum(name) - exact).abs() < 1e-6 * weight, "{name}: {} is not {exact}", sum(name));
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
    let said = run(&place, heap, &[], "out");
    assert!(said.stderr.contains("rows were left out"), "{}", said.stderr);
    let few = Columns::read(&place, "out/contacts.csv");
    let all = run(&place, heap, &["output.contact_rows=1e6"], "all");
    assert!(!all.stderr.contains("left out"), "{}", all.stderr);
    let all = Columns::read(&place, "all/contacts.csv");
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

#[test]
fn equations_without_energy_have_no_columns_of_it() {
    let place = Place::new();
    let text = r#"
[coordinates]
x = { at = 1, velocity = 0 }
[mass]
x = 1
[force]
x = "-x"
[solve]
until = 1
"#;
    let said = run(&place, text, &[], "out");
    let table = Columns::read(&place, "out/trajectory.csv");
    for name in ["kinetic", "potential", "work"] {
        assert!(!table.0.contains_key(name), "{name}");
    }
    assert!(!place.read("out/trajectory.csv").contains("NaN"));
    assert!(!said.stdout.contains("energy"), "{}", said.stdout);
    let with = format!("{text}[energy]\npotential = \"x^2/2\"\npower = \"0\"\n");
    run(&place, &with, &[], "with");
    let table = Columns::read(&place, "with/trajectory.csv");
    let sum = |row: usize| table.numbers("kinetic")[row] + table.numbers("potential")[row];
    assert!((sum(0) - 0.5).abs() < 1e-12 && (sum(table.numbers("t").len() - 1) - 0.5).abs() < 1e-4);
}

/// Damped panels much stiffer than the motion: their spurious swinging from step to step takes no energy.
/// With a fixed step, the sudden start is not resolved, and just that is said.
#[test]
fn the_energy_of_a_satellite_is_judged_by_what_moves() {
    let satellite = include_str!("models/satellite.toml");
    let place = Place::new();
    let said = run(&place, satellite, &[], "out");
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    let whole = audit(&place, "out");
    let (defect, exchanged) = (number(&whole, "energy_defect"), number(&whole, "energy_exchanged"));
    assert!(defect < 0.01 * exchanged && exchanged < 10.0, "{whole}");

    let said = run(&place, satellite, &["solve.step=1e-3", "solve.until=3"], "fixed");
    assert!(said.stderr.contains("appears from nowhere and dies out"), "{}", said.stderr);
    assert!(!said.stderr.contains("not to be believed"), "{}", said.stderr);
    let fixed = audit(&place, "fixed");
    assert!(number(&fixed, "energy_burst_at") < 0.01, "{fixed}");
    let rest = number(&fixed, "energy_defect") - number(&fixed, "energy_burst");
    assert!(rest.abs() < 0.02, "{fixed}");
    // and the motion is right
    let angle = |out: &str| {
        let table = Columns::read(&place, &format!("{out}/trajectory.csv"));
        let row = table.numbers("t").partition_point(|time| *time < 3.0 - 1e-9);
        table.numbers("a_root.angle")[row]
    };
    assert!((angle("fixed") - angle("out")).abs() < 0.05, "{} {}", angle("fixed"), angle("out"));
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
        (Columns::read(&place, "out/trajectory.csv"), Columns::read(&place, "out/contacts.csv"));
    assert!(long.texts("contact").iter().all(|name| name == "floor"));
    assert!(long.texts("first").iter().all(|name| name == "ground"));
    assert!(long.texts("second").iter().all(|name| name == "block"));
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
    run(&place, &text, &[], "out");
    let long = Columns::read(&place, "out/contacts.csv");
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

/// Corners that slide along faces while the library names now one, now another of their features: the energy that is not
/// accounted for shrinks with the step, and sliding is no series of impacts.
#[test]
fn dominoes_lose_no_energy_between_the_steps() {
    let dominoes = include_str!("../../../examples/models/dominoes.toml");
    let place = Place::new();
    let defects = ["1e-3", "5e-4", "2.5e-4"].map(|step| {
        let said = run(&place, dominoes, &[&format!("solve.step={step}")], step);
        assert!(!said.stderr.contains("warning"), "{}", said.stderr);
        let audit = audit(&place, step);
        assert!(number(&audit, "impacts") < 150.0, "{audit}");
        number(&audit, "energy_defect") / number(&audit, "energy_exchanged")
    });
    // of the first order across impacts: a quarter with a quarter of the step
    assert!(defects[0] < 0.01 && defects[2] < 0.4 * defects[0], "{defects:?}");
}
