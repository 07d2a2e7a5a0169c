//! Recorded reactions converge with the order of the method, in every row: at the ends of steps and between them.

mod common;

use common::Place;
use common::columns::Columns;
use common::formulations::OF_FIXED_STEPS;

/// Rows of a run; their distance is no multiple of the steps.
const ROWS: f64 = 24.7;

/// The order of all methods, less what steps that are not yet small leave open.
const LEAST_ORDER: f64 = 1.8;

/// Reactions that are exact to this part of the largest cannot become better: the reference has a tolerance of 1e-12.
const EXACT: f64 = 1e-8;

/// Moments of joints that bear none are rounding of their forces at lever arms.
const LEAST_ARM: f64 = 1e-3;

/// An example, up to its settings.
fn model(name: &str) -> String {
    let path = format!("{}/../../examples/models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.split_once("[solve]").unwrap().0.to_owned()
}

const BALL: &str = r#"
gravity = [0, 0, -9.81]
[body.bob]
mass = 1
inertia = [0.04, 0.1, 0.1]
at = [2, 0, 0]
angular_velocity = [0, 0, 1]
velocity = [0, 2, 0]
[joint.ball]
spherical = { between = ["ground", "bob"], at = [0, 0, 0] }
"#;

/// Forces and moments of all joints and drives, each with the largest of its kind.
struct Reactions(Vec<(Vec<f64>, f64)>);

impl Reactions {
    /// Those of a run, in the rows after the start.
    fn of(place: &Place, model: &str, words: &str, until: f64) -> Self {
        let every = until / ROWS;
        place.run(
            &format!("{model}\n[solve]\n{words}\nuntil = {until}\noutput_every = {every}\n"),
            &[],
            "out",
        );
        let columns = Columns::read(place, "out", until);
        let ending = |names: &[&str]| -> Vec<Vec<f64>> {
            let named = columns.names().filter(|name| {
                let (_, part) = name.rsplit_once('.').unwrap_or_default();
                names.contains(&part)
            });
            named.map(|name| columns.column(name)[1..].to_vec()).collect()
        };
        let largest = |columns: &[Vec<f64>]| {
            columns.iter().flatten().fold(0.0f64, |most, value| most.max(value.abs()))
        };
        let forces = ending(&["fx", "fy", "fz"]);
        let moments = ending(&["mx", "my", "mz", "effort"]);
        let force = largest(&forces);
        assert!(force > 0.1, "nothing acts");
        let moment = largest(&moments).max(LEAST_ARM * force);
        let all = forces.into_iter().map(|column| (column, force));
        Reactions(all.chain(moments.into_iter().map(|column| (column, moment))).collect())
    }

    /// The largest deviation, relative to the largest force or moment.
    fn error(&self, exact: &Reactions) -> f64 {
        assert_eq!(self.0.len(), exact.0.len());
        let pairs = self.0.iter().zip(&exact.0);
        let errors = pairs.flat_map(|((found, _), (known, size))| {
            assert_eq!(found.len(), known.len());
            found.iter().zip(known).map(move |(a, b)| (a - b).abs() / size)
        });
        errors.fold(0.0, f64::max)
    }
}

/// An eighth of the step must leave a 64th of the error, whatever the formulation: where in its step a row lies is another matter each time,
/// which three halvings even out.
fn converge(name: &str, model: &str, until: f64, step: f64, unable: &[&str]) {
    let place = Place::new();
    let tight = "formulation = \"explicit\"\ntolerance = 1e-12";
    let exact = Reactions::of(&place, model, tight, until);
    for words in OF_FIXED_STEPS {
        if unable.iter().any(|word| words.contains(&format!("\"{word}\""))) {
            continue;
        }
        let error = |step: f64| {
            Reactions::of(&place, model, &format!("{words}\nstep = {step}"), until).error(&exact)
        };
        let (coarse, fine) = (error(step), error(0.125 * step));
        let order = (coarse / fine).log2() / 3.0;
        let label = words.replace('\n', " ");
        println!("{name}, {label}: {coarse:.2e} {fine:.2e}, order {order:.2}");
        assert!(coarse.is_finite() && fine.is_finite());
        assert!(order > LEAST_ORDER || fine < EXACT, "{name}, {label}: {coarse:.2e} {fine:.2e}");
    }
}

#[test]
fn on_a_ball_joint() {
    converge("ball", BALL, 0.8, 2e-3, &[]);
}

#[test]
fn in_a_spatial_slider_crank() {
    converge("spatial slider-crank", &model("spatial_slider_crank"), 0.2, 1e-3, &[]);
}

#[test]
fn in_a_gyroscope() {
    converge("gyroscope", &model("gyroscope"), 0.1, 4e-4, &[]);
}

#[test]
fn in_bricards_mechanism() {
    converge("Bricard", &model("bricard"), 0.2, 4e-3, &[]);
}

#[test]
fn in_a_door_with_two_hinges() {
    converge("door", &model("door"), 0.2, 4e-3, &[]);
}

/// Wheels that roll: constraints that are nonholonomic.
#[test]
fn in_a_bicycle() {
    converge("bicycle", &model("bicycle"), 0.2, 1e-3, &["hht-soi2"]);
}
