//! A run that was cut off and resumed gives the same numbers as one that was not, to the last bit: for
//! every formulation, and for every model in `examples/models`.

use rotula_dae::checkpoint::{Keeper, Kept, Snapshot, Writer};
use rotula_dae::{
    Diagnosis, Failure, Outcome, Settings, State, StepRecord, key, keys, simulate, simulate_kept,
    words_of,
};
use rotula_model::reading::{Solve, Usual};
use rotula_study::Model;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Steps after which a snapshot is taken.
const CUTS: [usize; 5] = [1, 2, 3, 7, 20];

/// Keeps snapshots in memory.
#[derive(Default)]
struct Memory {
    cuts: Vec<usize>,
    steps: usize,
    rows: Vec<Vec<u8>>,
    kept: Vec<Kept>,
    resumed: Option<Kept>,
}

impl Memory {
    fn after(kept: &Kept, cuts: Vec<usize>) -> Self {
        Memory { cuts, rows: kept.rows.clone(), resumed: Some(kept.clone()), ..Memory::default() }
    }
}

impl Keeper for Memory {
    fn resume(&mut self) -> Option<Kept> {
        self.resumed.take()
    }

    fn due(&mut self, _stopping: bool) -> bool {
        self.steps += 1;
        self.cuts.contains(&self.steps)
    }

    fn keep(&mut self, snapshot: Snapshot) {
        self.rows.push(snapshot.rows);
        self.kept.push(Kept { state: snapshot.state, rows: self.rows.clone() });
    }
}

fn bits(part: &impl Serialize) -> Vec<u8> {
    let mut out = Writer::default();
    out.put(part);
    out.finish()
}

/// In what two outcomes differ.
fn difference(a: &Outcome, b: &Outcome) -> Option<String> {
    let (x, y) = (&a.trajectory, &b.trajectory);
    if let Some(k) = x.steps.iter().zip(&y.steps).position(|(x, y)| bits(x) != bits(y)) {
        return Some(format!("step {}: {:?} and {:?}", k + 1, x.steps[k], y.steps[k]));
    }
    let texts = |o: &Outcome| (o.warnings.clone(), o.failure.as_ref().map(|f| f.to_string()));
    let differs = [
        ("times", bits(&x.times) != bits(&y.times)),
        ("configurations", bits(&x.q) != bits(&y.q)),
        ("velocities", bits(&x.v) != bits(&y.v)),
        ("multipliers", bits(&x.multipliers) != bits(&y.multipliers)),
        ("contacts", bits(&x.contacts) != bits(&y.contacts)),
        ("statistics", bits(&x.statistics) != bits(&y.statistics)),
        ("audit", bits(&x.audit) != bits(&y.audit)),
        ("something else in the trajectory", bits(x) != bits(y)),
        ("state", bits(&a.state) != bits(&b.state)),
        ("initial report", bits(&a.initial) != bits(&b.initial)),
        ("words", texts(a) != texts(b)),
    ];
    differs.iter().find(|(_, differs)| *differs).map(|(what, _)| (*what).to_owned())
}

/// Runs so many steps, cuts the run at some of them, goes on from each cut, and from a cut after it.
/// Returns the number of cuts, or why the model cannot be run so.
fn compare(
    model: &Model,
    settings: &Settings,
    most: usize,
    what: &str,
) -> Result<usize, Diagnosis> {
    let start = model.initial_state();
    let mut steps = 0;
    let mut end = settings.until;
    let mut few = |state: &State, _: &StepRecord| {
        steps += 1;
        end = state.t;
        steps < most
    };
    let whole = simulate(model.system().as_mut(), &start, settings, &mut few)?;
    let stopped = whole.failure.as_ref().is_some_and(|d| d.failure == Failure::Interrupted);
    let mut until_then = |state: &State, _: &StepRecord| !stopped || state.t < end;
    let mut run = |keeper: &mut Memory| {
        let mut system = model.system();
        simulate_kept(system.as_mut(), &start, settings, &mut until_then, keeper)
            .map(|outcome| difference(&whole, &outcome))
    };
    let mut first = Memory { cuts: CUTS.to_vec(), ..Memory::default() };
    assert_eq!(run(&mut first)?, None, "{what}: taking snapshots changes the run");
    for (kept, cut) in first.kept.iter().zip(CUTS) {
        let mut second = Memory::after(kept, vec![1, 9]);
        let resumed = run(&mut second).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(resumed, None, "{what}: resumed after {cut} steps");
        // one cut after another cut is enough
        for later in second.kept.iter().filter(|_| cut == 3) {
            let resumed = run(&mut Memory::after(later, Vec::new())).unwrap();
            assert_eq!(resumed, None, "{what}: resumed again after {cut} steps");
        }
    }
    Ok(first.kept.len())
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models")
}

fn example(name: &str) -> Model {
    // a few spheres near the floor touch as soon as a hundred that fall from above
    let few = [("spheres", "6"), ("filling", "[[0, 0, 0], [0.3, 0.3, 0.3]]")];
    let few = few.map(|(key, value)| (format!("swarm.grain.{key}"), value.to_owned()));
    let overrides = if name == "poured_spheres.toml" { &few[..] } else { &[] };
    Model::read(&examples().join(name), overrides).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every formulation with each word of its own options.
fn variants(word: &str) -> Vec<Map<String, Value>> {
    let mut base = Map::from_iter([("formulation".to_owned(), json!(word))]);
    if word == "baumgarte" {
        base.insert("baumgarte".into(), json!([20, 20]));
    }
    if word.starts_with("hht") {
        base.insert("coefficients".into(), json!({ "hht": -0.1 }));
    }
    let mut all = vec![base.clone()];
    let own = keys()
        .iter()
        .filter(|key| key.belongs().is_some_and(|owners| owners.contains(&format!("`{word}`"))));
    for key in own {
        for option in words_of(key.of(word).expect("its own key")) {
            let mut words = base.clone();
            words.insert(key.name.clone(), json!(option));
            all.push(words);
        }
    }
    all
}

#[test]
fn every_formulation_resumes_to_the_last_bit() {
    let models: [(&str, f64); 6] = [
        ("pendulum.toml", 1e-2),
        ("slider_crank.toml", 1e-3),
        ("controlled_pendulum.toml", 5e-3),
        ("bricard.toml", 5e-3),
        ("rocking_block.toml", 2e-3),
        ("poured_spheres.toml", 2e-3),
    ];
    let models = models.map(|(name, h)| (name, example(name), h));
    for word in key("formulation").expect("a key").words() {
        let mut compared = 0;
        for words in variants(word) {
            for (name, model, h) in &models {
                for fixed in [true, false] {
                    let mut words = words.clone();
                    words.insert("until".into(), json!(2.0));
                    match fixed {
                        true => words.insert("step".into(), json!(h)),
                        false => words.insert("tolerance".into(), json!(1e-5)),
                    };
                    let what = format!("{name} with {words:?}");
                    let settings = match Solve::new(words, Usual::default()).settings() {
                        Ok(settings) => settings,
                        Err(error) => panic!("{what}: {error}"),
                    };
                    compared += compare(model, &settings, 30, &what).unwrap_or(0);
                }
            }
        }
        assert!(compared >= 12, "{word}: only {compared} comparisons were possible");
    }
}

#[test]
fn every_example_resumes_to_the_last_bit() {
    let mut names: Vec<_> = std::fs::read_dir(examples())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    assert!(names.len() >= 30);
    for name in &names {
        let model = example(name);
        let settings = model.settings().unwrap();
        let cuts = compare(&model, &settings, 40, name).unwrap_or_else(|d| panic!("{name}: {d}"));
        assert!(cuts > 0, "{name}");
    }
}

/// A pendulum that is pushed twice: marching starts anew where its forces jump.
const PUSHED: &str = r#"
[coordinates]
x = { at = 1, velocity = 0 }
y = { at = 0, velocity = 0 }
[mass]
x = 1
y = 1
[force]
x = "5*heaviside(t - 0.031) - 9*heaviside(t - 0.3)"
y = "-9.81"
[constraint]
rod = "(x^2 + y^2 - 1)/2"
[energy]
potential = "9.81*y"
[solve]
until = 0.6
"#;

#[test]
fn jumps_outputs_and_starts_resume_to_the_last_bit() {
    let model = Model::parse(PUSHED, "pushed", &[]).unwrap();
    let mut compared = 0;
    for formulation in ["ggl", "index3", "bdf"] {
        for change in [
            json!({ "tolerance": 1e-6 }),
            json!({ "output_every": 0.0123 }),
            json!({ "reactions": "recomputed" }),
            json!({ "start_acceleration": "shifted", "step": 0.01 }),
            json!({ "start_acceleration": "clean", "step": 0.01 }),
        ] {
            let mut words = change.as_object().expect("words").clone();
            words.insert("formulation".into(), json!(formulation));
            words.insert("until".into(), json!(0.6));
            let what = format!("{words:?}");
            let solve = Solve::new(words, Usual::default());
            let Ok(settings) = solve.settings() else { continue };
            compared += compare(&model, &settings, 1000, &what).unwrap_or(0);
        }
    }
    assert!(compared >= 50, "only {compared} comparisons were possible");
}

/// A table of contacts from which earlier rows are taken out on the way.
#[test]
fn a_table_of_contacts_that_is_thinned_out_is_resumed() {
    let model = example("poured_spheres.toml");
    let mut settings = model.settings().expect("settings that make sense");
    for most in [40, 200] {
        settings.contact_rows = most;
        let cuts = compare(&model, &settings, 200, "poured spheres").expect("a run");
        assert_eq!(cuts, CUTS.len());
        let whole = simulate(model.system().as_mut(), &model.initial_state(), &settings, &mut ());
        assert!(whole.expect("a run").trajectory.contacts.touching.left_out > 0);
    }
}
