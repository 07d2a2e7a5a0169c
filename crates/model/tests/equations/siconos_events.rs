//! Examples of Siconos whose integrators are not those of Rotula, against what both must share: the
//! trajectory itself. Where it is a time stepping of the same kind, the numbers are the same.

use rotula_dae::{Output, Trajectory, simulate};
use rotula_model::equations::Model;

fn run(text: &str) -> Trajectory {
    let model = Model::parse(text, "model.toml", &[]).unwrap();
    let mut settings = model.settings().unwrap();
    settings.output = Output::EachStep;
    let outcome =
        simulate(&mut model.system(), &model.initial_state(), &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    outcome.trajectory
}

/// The row of a trajectory with a fixed step at a time.
fn row(path: &Trajectory, h: f64, t: f64) -> usize {
    let k = (t / h).round() as usize;
    assert!((path.times[k] - t).abs() < 1e-9, "{} is not {t}", path.times[k]);
    k
}

/// The example BouncingBallED detects its impacts, so it is exact: restitution 0.9, from a height of 1.
/// So is ours, at any step. Without location it meets an impact at the end of the step in which it happens:
/// first order. Each impact is late by at most a step, which changes the place by the jump of velocity, at most
/// (1 + e) √(2g), times h; and the speed of the rebound by at most g h, which moves the ball for the rest of the time.
#[test]
fn a_bouncing_ball_converges_to_detected_impacts() {
    // time, height and impacts so far
    let reference = [
        (0.305, 0.543712375, 0.0),
        (1.165, 0.347392128148, 1.0),
        (1.455, 0.505883784509, 2.0),
        (1.755, 0.579459796779, 2.0),
        (2.045, 0.147176735436, 3.0),
        (2.495, 0.389511716951, 3.0),
        (2.935, 0.429318905105, 4.0),
    ];
    let mean_error = |h: f64, located: bool| {
        let path = run(&format!(
            "[coordinates]\nx = {{ at = 1, velocity = 0 }}\n[mass]\nx = 1\n[force]\nx = -9.81\n\
             [gap]\nfloor = {{ gap = \"x\", restitution = 0.9 }}\n\
             [solve]\nformulation = \"nonsmooth\"\nlocated = {located}\nstep = {h}\nuntil = 3.0\n"
        ));
        let mut sum = 0.0;
        for (t, height, impacts) in reference {
            let impacts = if located { 0.0 } else { impacts };
            let error = (path.q.row(row(&path, h, t))[0] - height).abs();
            let limit = impacts * h * (1.9 * (2.0 * 9.81f64).sqrt() + 9.81 * t);
            assert!(error <= limit + 1e-8, "h = {h}, t = {t}: {error:e} above {limit:e}");
            sum += error;
        }
        sum / reference.len() as f64
    };
    let steps: Vec<f64> = (0..7).map(|k| 5e-3 / f64::from(1 << k)).collect();
    steps.iter().for_each(|&h| assert!(mean_error(h, true) < 1e-8));
    let errors: Vec<f64> = steps.iter().map(|&h| mean_error(h, false)).collect();
    // where in its step an impact falls changes from step size to step size: the order shows in the mean
    let order = (errors[0] / errors[6]).log2() / 6.0;
    println!("{errors:?}, order {order:.2}");
    assert!((order - 1.0).abs() < 0.25, "order {order}: {errors:?}");
}

fn pendulum(h: f64) -> Trajectory {
    run(&format!(
        "[coordinates]\nx = {{ at = \"sqrt(0.75)\", velocity = 0 }}\ny = {{ at = 0.5, velocity = 0 }}\n\
         [mass]\nx = 1\ny = 1\n[force]\ny = 9.81\n[constraint]\nrod = \"x^2 + y^2 - 1\"\n\
         [solve]\nformulation = \"nonsmooth\"\nstep = {h}\nuntil = 10.0\n"
    ))
}

/// Rows of the example SimplePendulumED with Lsodar, an integrator of high order: time, place, velocity.
/// It agrees with the pendulum's own equation to 3e-11.
const PENDULUM: [[f64; 5]; 3] = [
    [2.0, 0.81277456572, 0.582578325479, 0.741543889267, -1.0345527566],
    [5.0, -0.45262002991, 0.891703486885, -2.47200124538, -1.25476382461],
    [10.0, -0.606668495915, 0.794954927062, 1.91236080745, 1.45941488657],
];

fn distance(path: &Trajectory, h: f64, expected: &[f64; 5]) -> f64 {
    let k = row(path, h, expected[0]);
    let found = [path.q.row(k), path.v.row(k)].concat();
    found.iter().zip(&expected[1..]).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// Second order to that reference, at all its rows.
#[test]
fn a_pendulum_converges_to_an_integrator_of_high_order() {
    let error = |h: f64| {
        let path = pendulum(h);
        PENDULUM.iter().fold(0.0f64, |most, row| most.max(distance(&path, h, row)))
    };
    let [coarse, fine] = [4e-3, 2e-3].map(error);
    let order = (coarse / fine).log2();
    println!("{coarse:e} {fine:e}, order {order:.3}");
    assert!((order - 2.0).abs() < 0.05, "order {order}");
}

/// Place and velocity of the pendulum from the equation of its angle, `φ̈ = g cos φ`, by Runge and Kutta.
fn truth(t: f64) -> [f64; 5] {
    let count = (t / 1e-4).round();
    let h = t / count;
    let rate = |[angle, speed]: [f64; 2]| [speed, 9.81 * angle.cos()];
    let mut x = [std::f64::consts::FRAC_PI_6, 0.0];
    for _ in 0..count as usize {
        let moved = |k: [f64; 2], part: f64| [x[0] + part * h * k[0], x[1] + part * h * k[1]];
        let a = rate(x);
        let b = rate(moved(a, 0.5));
        let c = rate(moved(b, 0.5));
        let d = rate(moved(c, 1.0));
        x = [0, 1].map(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    let (speed, (sin, cos)) = (x[1], x[0].sin_cos());
    [t, cos, sin, -sin * speed, cos * speed]
}

/// The same example with Siconos' own α-scheme at h = 10⁻³, another one of second order: at equal step its
/// distance from the truth is that of ours, and no smaller.
#[test]
fn a_pendulum_is_as_exact_as_in_another_alpha_scheme() {
    let theirs = [
        [1.999, 0.812026862075, 0.583620060715, 0.747536768338, -1.04009873584],
        [4.999, -0.450120841921, 0.892967652084, -2.47948916942, -1.24984686204],
        [9.999, -0.608608188628, 0.793470902261, 1.90397259263, 1.46038990135],
    ];
    let ours = pendulum(1e-3);
    for expected in &theirs {
        let truth = truth(expected[0]);
        let own = distance(&ours, 1e-3, &truth);
        let other = truth.iter().zip(expected).fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
        println!("t = {}: ours {own:.2e}, theirs {other:.2e}", expected[0]);
        assert!(other < 2e-4 && own < other, "t = {}: {own:e} {other:e}", expected[0]);
    }
    for row in &PENDULUM {
        let truth = truth(row[0]);
        assert!(truth.iter().zip(row).all(|(a, b)| (a - b).abs() < 1e-10), "{truth:?} {row:?}");
    }
}

/// The example FrictionOscillator: a relay on the velocity of an oscillator, θ = ½ and h = 10⁻². As a block
/// on the floor whose weight and friction are 1 it is the time stepping of Moreau and Jean: the same
/// numbers, through the slip and for ever in the stick.
#[test]
fn an_oscillator_with_friction_is_that_of_siconos() {
    let reference = [
        (0.2, 12.9328760006, 3.29772138783),
        (2.0, 1.04449549169, -12.3177474566),
        (6.0, 6.77812922287, 6.77928893169),
        (10.0, -7.2562997523, 0.880172118025),
        (16.0, -3.27302376396, -0.621015128914),
        (20.0, 1.2411251966, -0.207251537777),
        (50.0, 0.682044135195, 0.0),
    ];
    let path = run("[coordinates]\nx = { at = 12, velocity = 6 }\ny = { at = 0, velocity = 0 }\n\
         [mass]\nx = 1\ny = 1\n[force]\nx = \"-x\"\ny = -1\n\
         [gap]\nfloor = { gap = \"y\", restitution = 0, friction = 1, slip = \"x\" }\n\
         [solve]\nformulation = \"moreau-jean\"\ntheta = 0.5\nstep = 1e-2\nuntil = 60\n");
    for (t, x, v) in reference {
        let k = row(&path, 1e-2, t);
        let (found, speed) = (path.q.row(k)[0], path.v.row(k)[0]);
        assert!((found - x).abs() < 1e-9 && (speed - v).abs() < 1e-9, "t = {t}: {found} {speed}");
    }
}

fn slider_crank(scheme: &str, h: f64) -> Trajectory {
    let corner = |name: &str, side: f64, end: f64| {
        // above or below the axis, behind or before the pin
        let (y, x) = (side * 0.025, end * 0.05);
        format!(
            "{name} = {{ gap = \"0.026 - {side}*(0.153*sin(crank) + 0.306*sin(rod) + {x}*sin(slider) + \
             {y}*cos(slider))\", restitution = 0.4, friction = 0.01, slip = \"0.153*cos(crank) + \
             0.306*cos(rod) + {x}*cos(slider) - {y}*sin(slider)\" }}\n"
        )
    };
    let corners = [("a", 1.0, -1.0), ("b", 1.0, 1.0), ("c", -1.0, -1.0), ("d", -1.0, 1.0)]
        .map(|(n, s, e)| corner(n, s, e));
    run(&format!(
        "[parameters]\nm = 0.038\nl1 = 0.153\nl2 = 0.306\ng = 9.81\ncoupling = \"2.5*m*l1*l2\"\n\
         [coordinates]\ncrank = {{ at = 0, velocity = 150 }}\nrod = {{ at = 0, velocity = -75 }}\n\
         slider = {{ at = 0, velocity = 0 }}\n\
         [mass]\ncrank = \"7.4e-5 + 3.25*m*l1^2\"\n\"crank, rod\" = \"coupling*cos(rod - crank)\"\n\
         rod = \"5.9e-4 + 2.25*m*l2^2\"\nslider = 2.7e-6\n\
         [force]\ncrank = \"-coupling*sin(crank - rod)*rod'^2 - 3.5*m*g*l1*cos(crank)\"\n\
         rod = \"coupling*sin(crank - rod)*crank'^2 - 2.5*m*g*l2*cos(rod)\"\n\
         [gap]\n{}[solve]\n{scheme}\nstep = {h}\nuntil = 0.2\n",
        corners.concat()
    ))
}

/// The slider-crank of Flores, Leine and Glocker with play between slider and guide, friction and impacts of
/// its four corners: the example SliderCrank with θ = ½ and h = 10⁻⁴. Its scheme is not ours: it corrects
/// each step once and moves positions back onto the guide. So the numbers differ, and by how much is not
/// derived but was measured, over all rows: as part of what its trajectory is away from the limit of small
/// steps, 1.3 % in the median and 9.2 % at most from 0.02 s on. Earlier that distance is itself small, and
/// the two differ by up to 2.5e-4 after the first impact. The limits below are these figures, rounded up.
#[test]
fn a_slider_with_play_is_near_that_of_siconos() {
    let table = include_str!("data/siconos_slider_crank.csv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let numbers: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
        (numbers[0], [numbers[1], numbers[2]])
    });
    let at = |path: &Trajectory, h: f64, t: f64| {
        let q = path.q.row(row(path, h, t));
        [q[0] / std::f64::consts::TAU, q[1]]
    };
    let [ours, coarse, middle, limit] = [
        ("formulation = \"moreau-jean\"\ntheta = 0.5", 1e-4),
        ("formulation = \"nonsmooth\"", 1e-4),
        ("formulation = \"nonsmooth\"", 5e-5),
        ("formulation = \"nonsmooth\"", 6.25e-6),
    ]
    .map(|(scheme, h)| (slider_crank(scheme, h), h));
    let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let mut parts = Vec::new();
    let mut early = 0.0f64;
    for (t, theirs) in rows.skip(1) {
        let [exact, same] = [&limit, &ours].map(|(path, h)| at(path, *h, t));
        let (error, between) = (distance(theirs, exact), distance(theirs, same));
        match t < 0.02 {
            true => early = early.max(between),
            false => assert!(between < 0.1 * error, "t = {t}: {between:e} of {error:e}"),
        }
        parts.push(between / error);
    }
    parts.sort_by(f64::total_cmp);
    println!("{} rows, median {:.4}, at first {early:.2e}", parts.len(), parts[parts.len() / 2]);
    assert_eq!(parts.len(), 500);
    assert!(parts[250] < 0.02 && early < 3e-4, "{} {early:e}", parts[250]);
    let error = |(path, h): &(Trajectory, f64)| {
        let [found, exact] = [at(path, *h, 0.2), at(&limit.0, limit.1, 0.2)];
        (found[0] - exact[0]).abs()
    };
    // impacts, slip and stick are located, so that ours is of second order: against a limit that is so itself, with a
    // sixteenth of the step, (1 − 1/256) / (1/4 − 1/256) of the errors
    let ratio = error(&coarse) / error(&middle);
    println!("ratio of errors {ratio:.3}");
    assert!((ratio / (255.0 / 63.0) - 1.0).abs() < 0.25, "{ratio}");
}
