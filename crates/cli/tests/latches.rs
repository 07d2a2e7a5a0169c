//! Latches: they change where their conditions rise, on the step and not after it.

mod common;

use common::Place;
use common::columns::Columns;

/// A carriage that is pushed back at the right end and forth at the left one, with an acceleration of one.
const SHUTTLE: &str = r#"
[body.carriage]
mass = 2
inertia = [1, 1, 1]

[joint.guide]
prismatic = { between = ["ground", "carriage"], at = [0, 0, 0], along = "x" }
force = "2*(1 - 2*back)"

[latch.back]
set = "guide.displacement - 0.5"
reset = "-guide.displacement"

[solve]
until = 5
output_every = 0.01
"#;

/// Its place, and whether it is pushed back, in closed form.
fn shuttle(t: f64) -> (f64, bool) {
    let (first, second) = (1.0, 2.0 + 2f64.sqrt());
    if t < first {
        (0.5 * t * t, false)
    } else if t < second {
        let s = t - first;
        (0.5 + s - 0.5 * s * s, true)
    } else {
        let s = t - second;
        (-2f64.sqrt() * s + 0.5 * s * s, false)
    }
}

/// The largest error of the place, where the latch is right in every row.
fn error(settings: &[&str]) -> f64 {
    let place = Place::new();
    place.run(SHUTTLE, settings, "out");
    let run = Columns::read(&place, "out", 5.0);
    let [t, x, back] = ["t", "guide.displacement", "back"].map(|name| run.column(name));
    let mut worst = 0.0;
    for row in 0..t.len() {
        let (exact, pushed) = shuttle(t[row]);
        worst = f64::max(worst, (x[row] - exact).abs());
        assert!(x[row].is_finite());
        // rows at the very instants may be on either side
        if [1.0, 2.0 + 2f64.sqrt()].iter().all(|instant| (t[row] - instant).abs() > 1e-4) {
            assert_eq!(back[row], f64::from(u8::from(pushed)), "{settings:?}: t = {}", t[row]);
        }
    }
    worst
}

#[test]
fn a_shuttle_turns_where_it_should() {
    // forces are constant in between: all error comes from the instants
    let found = error(&["solve.formulation=explicit"]);
    assert!(found < 1e-8, "explicit: {found}");
    let found = error(&["solve.formulation=ggl"]);
    assert!(found < 1e-6, "ggl: {found}");
    let found = error(&[]);
    assert!(found < 1e-6, "bdf: {found}");
    // equal steps of a tenth of a second end between their grid points, too
    let found = error(&["solve.formulation=ggl", "solve.step=0.1"]);
    assert!(found < 1e-7, "equal steps: {found}");
}

#[test]
fn equal_steps_keep_their_rows() {
    let text = SHUTTLE.replace("output_every = 0.01", "step = 0.1\nformulation = \"index1\"");
    let place = Place::new();
    place.run(&text, &[], "out");
    let run = Columns::read(&place, "out", 5.0);
    for (row, t) in run.column("t").iter().enumerate() {
        assert!((t - 0.1 * row as f64).abs() < 1e-9, "row {row} is at {t}");
    }
    assert_eq!(run.rows(), 51);
}

#[test]
fn a_thermostat_starts_by_itself_and_keeps_its_band() {
    // T' = 2 on, −1 off, between 18 and 22 from 15: on for 3.5, off for 4, on for 2, …
    let text = r#"
[body.ball]
kind = "point"
mass = 1
[state]
room = { at = 15, rate = "3*heater - 1" }
[latch.heater]
set = "18 - room"
reset = "room - 22"
[solve]
until = 20
output_every = 0.1
"#;
    let place = Place::new();
    place.run(text, &[], "out");
    let run = Columns::read(&place, "out", 20.0);
    let [t, room, heater] = ["t", "room", "heater"].map(|name| run.column(name));
    assert_eq!(heater[0], 1.0, "it is cold at the start");
    for row in 0..t.len() {
        let phase = (t[row] - 3.5).rem_euclid(6.0);
        let exact = match (t[row] < 3.5, phase < 4.0) {
            (true, _) => 15.0 + 2.0 * t[row],
            (_, true) => 22.0 - phase,
            (_, false) => 18.0 + 2.0 * (phase - 4.0),
        };
        assert!((room[row] - exact).abs() < 1e-6, "t = {}: {} {exact}", t[row], room[row]);
    }
}

#[test]
fn latches_see_samples_and_times() {
    let text = r#"
[body.ball]
kind = "point"
mass = 1
[sampled.count]
every = 0.1
value = "count + 1"
[latch.many]
set = "count - 3.5"
[latch.late]
set = "if(t < 0.62, -1, 1)"
reset = "t - 0.85"
[latch.both]
set = "many + late - 1.5"
at = 0
[solve]
until = 1
output_every = 0.05
"#;
    let place = Place::new();
    place.run(text, &[], "out");
    let run = Columns::read(&place, "out", 1.0);
    let [t, many, late, both] = ["t", "many", "late", "both"].map(|name| run.column(name));
    for row in 0..t.len() {
        let on = |whether: bool| f64::from(u8::from(whether));
        // the fourth sample is taken at 0.3
        assert_eq!(many[row], on(t[row] > 0.299), "{}", t[row]);
        assert_eq!(late[row], on(t[row] > 0.62 && t[row] < 0.86), "{}", t[row]);
        assert_eq!(both[row], on(t[row] > 0.62), "{}", t[row]);
    }
}

#[test]
fn a_relay_without_hysteresis_is_refused_in_words() {
    let text = SHUTTLE
        .replace("set = \"guide.displacement - 0.5\"", "set = \"sliding\"")
        .replace("reset = \"-guide.displacement\"", "reset = \"-sliding\"")
        + "[variable]\nsliding = \"guide.displacement - 0.5 + guide.displacement_velocity\"\n";
    Place::new().run_fails(&text, &["the latch `back` changes without end", "hysteresis"]);
}

#[test]
fn a_condition_that_is_no_number_is_named() {
    let text = SHUTTLE.replace("guide.displacement - 0.5", "sqrt(0.4 - guide.displacement) - 1");
    Place::new().run_fails(&text, &["the latch `back`"]);
}

#[test]
fn a_run_that_was_cut_off_goes_on_with_its_latches() {
    Place::new().goes_on_when_cut_off(SHUTTLE, "300", "every=50steps");
}
