//! `link[*].x`: the numbers of all copies as arguments of `sum`, `min` and `max`; tables say where copies are.

use rotula_model::Mechanism;

const CHAIN: &str = r#"title = "chain"

[parameters]
n = 12

[table.place]
x = [0, 4, 20]
y = [0, 8, 8]
interpolation = "linear"

[part.mass.body.ball]
mass = "1 + i"
inertia = [1, 1, 1]

[part.mass.spring.coil]
between = ["ground", "ball"]
stiffness = "10*(i + 1)"
free_length = 100

[part.mass.define]
push = "coil.force/10"

[use.mass]
part = "mass"
count = "n"
at = ["place(i) + 1", 0, "i"]

[sensor]
total = { formula = "sum(mass[*].push)" }
least = { formula = "min(2, mass[*].push, 1)" }
most = { formula = "max(mass[*].coil.force)" }

[solve]
until = 1.0
"#;

fn parse(text: &str) -> Result<Mechanism, rotula_model::ModelError> {
    Mechanism::parse(text, "chain.toml", &[])
}

/// The value of a sensor at the start.
fn read(mechanism: &Mechanism, name: &str) -> f64 {
    let mut probe = mechanism.probe();
    let curve = probe.names().position(|own| own == name).expect("the sensor");
    probe.read(curve, &mechanism.initial_state())
}

#[test]
fn copies_are_added_up_and_compared() {
    let mechanism = parse(CHAIN).unwrap();
    let place = |i: f64| if i < 4.0 { 2.0 * i + 1.0 } else { 9.0 };
    let pushes: Vec<f64> = (0..12)
        .map(|i| {
            let i = f64::from(i);
            (i + 1.0) * (100.0 - place(i).hypot(i))
        })
        .collect();
    let total: f64 = pushes.iter().sum();
    let most = pushes.iter().copied().fold(f64::MIN, f64::max);
    assert!((read(&mechanism, "total") / total - 1.0).abs() < 1e-12);
    assert!((read(&mechanism, "most") / (10.0 * most) - 1.0).abs() < 1e-12);
    assert_eq!(read(&mechanism, "least"), 1.0);
}

#[test]
fn mistakes_are_named_at_their_place() {
    for (wrong, place, said, help) in [
        (
            "sum(mass[*].push)*mass[*].push",
            (29, 40),
            "stands for many numbers",
            "write `sum(mass[*].push)`",
        ),
        ("mass[*].push", (29, 22), "stands for many numbers", "`max(mass[*].push)`"),
        ("sum(mass[*].pull)", (29, 26), "there is no `mass[0].pull`", "all numbered copies"),
        ("sum(weight[*].push)", (29, 26), "there is no `weight[0].push`", "all numbered copies"),
    ] {
        let text = CHAIN.replace("sum(mass[*].push)", wrong);
        let error = parse(&text).unwrap_err();
        assert!(error.message().contains(said), "{wrong}: {error}");
        assert_eq!(error.line_and_column(), Some(place), "{wrong}: {error}");
        assert!(error.advice().is_some_and(|own| own.contains(help)), "{wrong}: {error:?}");
    }
}
