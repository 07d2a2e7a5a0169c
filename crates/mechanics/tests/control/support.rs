//! Running a model with several formulations, and what to compare with.

use nalgebra::Vector3;
use rotula_dae::{Formulation, Settings, State, StepControl, simulate};
use rotula_mechanics::control::SensorId;
use rotula_mechanics::force::Amplitude;
use rotula_mechanics::joint::Prismatic;
use rotula_mechanics::{Assembly, Body, BodyId, GROUND, JointId, MassProperties, Model};

pub const FORMULATIONS: [&str; 4] = ["index3", "hht-i3", "soi2", "ggl"];

pub const NONE: Amplitude = Amplitude::Constant(0.0);

/// The last state of a run.
pub fn run(model: &Model, formulation: &str, step: f64, until: f64) -> (Assembly, State) {
    let mut assembly = model.assemble().unwrap();
    let mut all = Formulation::all().into_iter();
    let formulation = all.find(|known| known.word() == formulation).unwrap();
    let mut settings = Settings::usual(formulation, [0.0, until], None);
    settings.control = StepControl::Fixed { h: step };
    let start = assembly.start();
    let outcome = simulate(&mut assembly, &start, &settings, &mut ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{formulation:?}: {failure}");
    }
    (assembly, outcome.state)
}

/// Checks readings at the end of a run with every formulation: the error at the finer step lies below
/// `bound` and falls with the square of the step.
pub fn converges(
    what: &str,
    model: &Model,
    until: f64,
    step: f64,
    bound: f64,
    expected: &[(SensorId, f64)],
) {
    for formulation in FORMULATIONS {
        let errors = [step, 0.5 * step].map(|h| {
            let (mut assembly, state) = run(model, formulation, h, until);
            let read =
                |(id, value): &(SensorId, f64)| (assembly.read_sensor(*id, &state) - value).abs();
            expected.iter().map(read).fold(0.0, f64::max)
        });
        println!("{what}, {formulation}: {:.2e} {:.2e}", errors[0], errors[1]);
        assert!(errors[1] < bound, "{what}, {formulation}: error {}", errors[1]);
        let ratio = errors[0] / errors[1];
        assert!(ratio > 3.3, "{what}, {formulation}: {} / {} = {ratio}", errors[0], errors[1]);
    }
}

/// A block of a mass on a slide along x.
pub fn slide(model: &mut Model, mass: f64) -> (BodyId, JointId) {
    let properties = MassProperties::principal(mass, Vector3::new(0.1, 0.2, 0.3));
    let body = model.body("block", Body::rigid(properties)).unwrap();
    let frame = model.frame(Vector3::zeros(), Vector3::x());
    let (a, b) = (model.marker_at(GROUND, frame), model.marker_at(body, frame));
    let joint = model.joint("slide", &Prismatic, a, b).unwrap();
    (body, joint)
}

/// The solution of `ẋ = f(t, x)` by the classical method of Runge and Kutta.
pub fn reference<const N: usize>(
    f: impl Fn(f64, [f64; N]) -> [f64; N],
    start: [f64; N],
    until: f64,
) -> [f64; N] {
    let steps = 20_000;
    let h = until / steps as f64;
    let moved = |x: [f64; N], k: [f64; N], by: f64| std::array::from_fn(|i| x[i] + by * k[i]);
    let mut x = start;
    for n in 0..steps {
        let t = n as f64 * h;
        let a = f(t, x);
        let b = f(t + 0.5 * h, moved(x, a, 0.5 * h));
        let c = f(t + 0.5 * h, moved(x, b, 0.5 * h));
        let d = f(t + h, moved(x, c, h));
        x = std::array::from_fn(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    x
}
