//! Every published result of documents 000 and 001 is reproduced.

use rotula_gallery::{Check, entries, run};

fn reproduce(name: &str) {
    let entries = entries();
    let entry = entries.iter().find(|entry| entry.name == name);
    let finished = run(entry.unwrap_or_else(|| panic!("there is no entry {name}")));
    let mut complaints: Vec<String> = finished
        .checks
        .iter()
        .filter(|check| !check.ok)
        .map(|check| {
            let (value, expected) = (check.value, check.expected);
            format!(
                "{}: {value:.6e}, expected {expected:.6e} ± {:.1e}",
                check.what, check.tolerance
            )
        })
        .collect();
    complaints.extend(finished.error);
    let share = |check: &Check| (check.value - check.expected).abs() / check.tolerance;
    let compared = finished.checks.iter().filter(|check| check.tolerance > 0.0);
    if let Some(worst) = compared.max_by(|a, b| share(a).total_cmp(&share(b))) {
        let count = finished.checks.len();
        println!(
            "{name}: {count} checks, worst {:.3} of its tolerance: {}",
            share(worst),
            worst.what
        );
    }
    assert!(
        finished.status == "pass",
        "{name}: {} of {} checks fail\n{}",
        complaints.len(),
        finished.checks.len(),
        complaints.join("\n")
    );
}

macro_rules! tests {
    ($($test:ident = $name:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            reproduce($name);
        })*
    };
}

tests! {
    linear_oscillator = "linear-oscillator",
    elastic_pendulum = "elastic-pendulum",
    pendulum_index3 = "pendulum-index3",
    slider_crank_index3 = "slider-crank-index3",
    heavy_top = "heavy-top",
    conditioning = "conditioning",
    jay_negrut_15 = "jay-negrut-15",
    pendulum_16 = "pendulum-16",
    slider_crank_soi2 = "slider-crank-soi2",
    s1 = "s1",
    skate = "skate",
    alternating_oscillator = "alternating-oscillator",
}
