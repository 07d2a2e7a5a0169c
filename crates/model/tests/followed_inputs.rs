//! Motions that follow inputs: a new value is reached in its time, smoothly, and what the motion takes is right all the way.

use rotula_dae::Integrator;
use rotula_model::Mechanism;

fn model(motion: &str) -> Mechanism {
    let text = format!(
        "[body.cart]\nmass = 3\ninertia = [1, 1, 1]\n\
         [joint.guide]\nprismatic = {{ between = [\"ground\", \"cart\"], at = [0, 0, 0], along = \"x\" }}\n\
         [input]\ncommand = 0\n[motion.drive]\njoint = \"guide\"\nwithin = 0.5\n{motion}\n\
         [solve]\nformulation = \"ggl\"\nstep = 0.01\nuntil = 10\n"
    );
    Mechanism::parse(&text, "cart.toml", &[]).unwrap()
}

/// Sets the input at times, and looks at the cart in every step: time, place, speed, effort.
fn follow(motion: &str, commands: &[(f64, f64)], until: f64) -> Vec<[f64; 4]> {
    let mechanism = model(motion);
    let (settings, start) = (mechanism.settings().unwrap(), mechanism.initial_state());
    let mut system = mechanism.system();
    let mut integrator = Integrator::new(&mut system, &start, &settings).unwrap();
    let mut probe = mechanism.probe();
    let place = |name: &str| probe.names().position(|own| own == name).unwrap();
    let columns = ["cart.x", "cart.vx", "drive.effort"].map(place);
    let mut rows = Vec::new();
    let mut commands = commands.iter();
    let mut next = commands.next();
    while integrator.state().t < until - 1e-9 {
        let t = integrator.state().t;
        if let Some((when, value)) = next
            && t >= when - 1e-9
        {
            integrator.system().inputs().unwrap().set(0, *value, t);
            integrator.restart().unwrap();
            next = commands.next();
        }
        integrator.step_towards(t + 0.01).unwrap();
        let row = integrator.row();
        let [x, v, effort] = columns.map(|column| probe.read(column, &row));
        rows.push([integrator.state().t, x, v, effort]);
    }
    rows
}

#[test]
fn a_cart_goes_where_it_is_told() {
    let rows = follow("displacement = \"command\"", &[(0.2, 1.0), (0.4, -0.5), (2.0, 0.3)], 4.0);
    let at = |t: f64| rows.iter().find(|row| (row[0] - t).abs() < 1e-6).unwrap();
    // half a second after the last of each it rests where it was told
    for (t, place) in [(0.95, -0.5), (2.0, -0.5), (2.6, 0.3)] {
        let [_, x, v, _] = *at(t);
        assert!((x - place).abs() < 1e-9 && v.abs() < 1e-8, "{:?}", at(t));
    }
    // multipliers of equal steps ring on for a while where the acceleration has a kink; of some hundred newton nothing is left
    assert!(at(2.0)[3].abs() < 1e-2 && at(3.95)[3].abs() < 1e-2, "{:?} {:?}", at(2.0), at(3.95));
    // the middle of the quintic from -0.5 to 0.3: half way, with 15/8 of the mean speed and no acceleration
    let [_, x, v, _] = *at(2.25);
    assert!((x + 0.1).abs() < 1e-9 && (v - 1.875 * 0.8 / 0.5).abs() < 1e-8, "{:?}", at(2.25));
    // no step is torn: speeds never change by more than the largest acceleration of a quintic allows, 5.774 d/T² for a way d
    for pair in rows.windows(2) {
        assert!((pair[1][2] - pair[0][2]).abs() < 0.01 * 1.5 * 5.774 * 1.6 / 0.25, "{pair:?}");
    }
}

#[test]
fn a_cart_goes_as_fast_as_it_is_told() {
    let rows = follow("displacement_velocity = \"command\"", &[(0.2, 2.0), (1.0, 0.0)], 2.0);
    let at = |t: f64| rows.iter().find(|row| (row[0] - t).abs() < 1e-6).unwrap();
    assert!((at(0.9)[2] - 2.0).abs() < 1e-9, "{:?}", at(0.9));
    // cubics of the speed cover half of their time's way: 2 (0.25 + 0.3 + 0.25)
    let [_, x, v, _] = *at(1.8);
    assert!((x - 1.6).abs() < 1e-8 && v.abs() < 1e-9, "{:?}", at(1.8));
}
