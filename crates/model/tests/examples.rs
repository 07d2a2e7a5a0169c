//! The model files of examples/models run, and meet published numbers.

use rotula_dae::{Outcome, simulate};
use rotula_model::{Curves, Mechanism};
use std::path::Path;

/// Reads an example, with `[solve]` changed, and runs it.
fn run(name: &str, overrides: &[(&str, &str)]) -> (Outcome, Vec<Curves>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let overrides: Vec<(String, String)> =
        overrides.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let mechanism = Mechanism::read(&folder.join(name), &overrides).unwrap();
    let settings = mechanism.settings().unwrap();
    let mut system = mechanism.system();
    let outcome = simulate(&mut system, &mechanism.initial_state(), &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{name}: {:?}", outcome.failure);
    let curves = mechanism.curves(&outcome.trajectory);
    (outcome, curves)
}

/// All values of a curve.
fn curve(curves: &[Curves], name: &str) -> Vec<f64> {
    for group in curves {
        if let Some(j) = group.names.iter().position(|own| own == name) {
            return group.table.column(j).collect();
        }
    }
    let names: Vec<&String> = curves.iter().flat_map(|group| &group.names).collect();
    panic!("no curve {name} among {names:?}");
}

fn last(curves: &[Curves], name: &str) -> f64 {
    *curve(curves, name).last().unwrap()
}

fn assert_close(what: &str, value: f64, reference: f64, tolerance: f64) {
    let error = (value - reference).abs();
    println!("{what}: {value} against {reference}, off by {error:.2e}");
    assert!(error < tolerance, "{what} is {value}, not {reference}: off by {error:.2e}");
}

/// Reference: minimal coordinates, integrated to 2e-10.
#[test]
fn planar_slider_crank() {
    let (outcome, curves) =
        run("slider_crank.toml", &[("solve.formulation", "bdf"), ("solve.tolerance", "1e-9")]);
    let angle = last(&curves, "main_bearing.angle") + std::f64::consts::FRAC_PI_4;
    assert_close("crank angle", angle, 109.08978291022093, 1e-4);
    assert_close("slider", last(&curves, "slider.x"), 0.3466444238662447, 1e-5);
    assert!(outcome.trajectory.audit.position_residual < 1e-9);
}

/// Reference: a planar Reissner beam with elements of fourth degree, to 7e-7. Its shear factor is 5/6,
/// Cowper's is 0.850.
#[test]
fn flexible_pendulum() {
    let overrides = [
        ("solve.until", "1"),
        ("solve.step", "2.5e-4"),
        ("solve.coefficients", "{ generalized-alpha = 1 }"),
        ("beam.rod.damping", "0"),
        ("beam.rod.elements", "8"),
        ("beam.rod.nodes", "4"),
        ("beam.rod.sections", "[1]"),
    ];
    let (outcome, curves) = run("flexible_pendulum.toml", &overrides);
    assert_close("tip x", last(&curves, "tip.x"), -0.9634070377175677, 1e-3);
    assert_close("tip z", last(&curves, "tip.z"), -0.05259757169924251, 2e-3);
    let audit = &outcome.trajectory.audit;
    assert!(audit.energy_defect.unwrap() < 1e-3, "{audit:?}");
    // the moment vanishes at the pin and is small beside it
    assert!(curve(&curves, "rod.my1").iter().all(|m| m.abs() < 1.0));
}

/// Reference: minimal coordinates, integrated to 2e-11.
#[test]
fn spatial_slider_crank() {
    let overrides = [("solve.formulation", "bdf"), ("solve.tolerance", "1e-11")];
    let (_, curves) = run("spatial_slider_crank.toml", &overrides);
    assert_close("crank angle", last(&curves, "bearing.angle"), 105.33722225078046, 1e-4);
    assert_close("crank speed", last(&curves, "bearing.angle_velocity"), 10.004191059327415, 1e-4);
    assert_close("slider", last(&curves, "slider"), 0.20364383498490848, 1e-6);
    assert_close("slider by body", last(&curves, "slider.x"), last(&curves, "slider"), 1e-14);
    assert_close("slider speed", last(&curves, "slider.vx"), -0.43269583234615466, 1e-5);
}

/// Reference: the IVP test set, to which an independent solution of nine digits agrees.
#[test]
fn andrews_squeezer() {
    let overrides = [("solve.formulation", "bdf"), ("solve.tolerance", "1e-9")];
    let (_, curves) = run("squeezer_bodies.toml", &overrides);
    for (joint, reference) in [
        ("beta", 15.810771195155155),
        ("theta", -15.75637105841365),
        ("gamma", 0.04082224011965412),
        ("phi", -0.5347301163420621),
        ("delta", 0.5244099658799506),
        ("omega", 0.5347301163420688),
        ("epsilon", 1.0480807410419415),
    ] {
        assert_close(joint, last(&curves, &format!("{joint}.angle")), reference, 1e-5);
    }
    assert_close("beta'", last(&curves, "beta.angle_velocity"), 1139.9203022590293, 1e-1);
}

/// Reference: Euler's equations about the fixed point, integrated to 2e-10. The method is of second
/// order: halving the step quarters the error, and what is left after extrapolation is small.
#[test]
fn heavy_top() {
    let position = |step: &str| {
        let (_, curves) = run("gyroscope.toml", &[("solve.step", step)]);
        assert_close("fixed point", last(&curves, "top.x"), 0.0, 1e-9);
        ["x", "y", "z"].map(|axis| last(&curves, &format!("disc.{axis}")))
    };
    let (coarse, fine) = (position("1e-4"), position("5e-5"));
    let reference = [-0.1504168227458525, -0.7241655916369771, -0.6730222695603097];
    for k in 0..3 {
        let ratio = (coarse[k] - reference[k]) / (fine[k] - reference[k]);
        assert!((ratio - 4.0).abs() < 0.2, "errors fall by {ratio}");
        let extrapolated = fine[k] + (fine[k] - coarse[k]) / 3.0;
        assert_close("disc", extrapolated, reference[k], 1e-5);
    }
}

/// The drive turns the crank evenly; what it needs comes back as weight lifted and friction lost.
#[test]
fn driven_four_bar() {
    let (outcome, curves) = run("four_bar.toml", &[]);
    let angle = curve(&curves, "main.angle");
    for (t, angle) in outcome.trajectory.times.iter().zip(angle) {
        assert!((angle - std::f64::consts::TAU * t).abs() < 1e-8, "{angle} at {t}");
    }
    assert!(outcome.warnings.iter().any(|warning| warning.contains("repeat")));
    assert!(!outcome.initial.accelerated.is_empty());
    let effort = curve(&curves, "drive.effort");
    let reaction = curve(&curves, "main.mz");
    assert!(effort.iter().any(|moment| moment.abs() > 0.1));
    assert!(
        reaction.iter().all(|moment| moment.abs() < 1e-9),
        "a hinge holds no moment about its axis"
    );
    let audit = &outcome.trajectory.audit;
    assert!(audit.energy_defect.unwrap() < 1e-2 * audit.work.unwrap().abs().max(1.0));
}

/// Dampers take energy away, and nothing else does.
#[test]
fn double_pendulum() {
    let (outcome, curves) = run("double_pendulum.toml", &[("solve.tolerance", "1e-8")]);
    let audit = &outcome.trajectory.audit;
    assert!(audit.work.unwrap() < -0.01);
    assert!(audit.energy_defect.unwrap() < 2e-3, "{audit:?}");
    let length = |k: usize| {
        let part = |name: &str| curve(&curves, name)[k];
        (part("tip.x").powi(2) + part("tip.z").powi(2)).sqrt()
    };
    assert!((0..outcome.trajectory.len()).all(|k| length(k) < 1.6 + 1e-9));
}

/// Between the weave and the capsize speed the bicycle rights itself, below it does not; published
/// are 4.292 m/s and 6.024 m/s.
#[test]
fn the_bicycle_rights_itself_when_it_is_fast_enough() {
    let leans = |speed: &str| {
        let (_, curves) =
            run("bicycle.toml", &[("parameters.speed", speed), ("solve.tolerance", "1e-5")]);
        let (times, lean) = (curve(&curves, "hub.x"), curve(&curves, "frame.qx"));
        let half = times.len() / 2;
        let most = |part: &[f64]| part.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        (most(&lean[..half]), most(&lean[half..]))
    };
    let (early, late) = leans("5");
    assert!(early > 0.005 && late < 0.4 * early, "{early} then {late} at 5 m/s");
    let (early, late) = leans("4");
    assert!(late > 1.5 * early, "{early} then {late} at 4 m/s");
}

/// One turn of the crank turns the wheel by a quarter, backwards.
#[test]
fn the_geneva_wheel_turns_by_quarters() {
    for (until, quarters) in [("1", 1.0), ("2", 2.0)] {
        let (_, curves) = run("geneva.toml", &[("solve.until", until)]);
        let angle = last(&curves, "bearing.angle");
        // the clearance of 0.2 mm at the radius of the slots lets it play by about this much
        assert_close("wheel", angle, -quarters * std::f64::consts::FRAC_PI_2, 0.02);
    }
}

/// Each swing of the torque moves the wheel by two teeth of twelve, and the pawl holds it where it held it before.
#[test]
fn the_ratchet_turns_one_way() {
    let angles = ["1", "2", "3"].map(|until| {
        let (_, curves) = run("ratchet.toml", &[("solve.until", until)]);
        last(&curves, "axle.angle")
    });
    for pair in angles.windows(2) {
        assert_close("wheel", pair[1] - pair[0], std::f64::consts::FRAC_PI_3, 1e-6);
    }
}

/// Reference: intersections of circles with Jansen's lengths. Joints are given to six digits.
#[test]
fn the_foot_of_the_walking_leg() {
    for (until, x, y) in [
        ("0.25", -0.0768906623, -0.9038935137),
        ("0.5", -0.3372972954, -0.7351709741),
        ("0.75", -0.7067056318, -0.8964283680),
    ] {
        let (_, curves) = run("walking_leg.toml", &[("solve.until", until)]);
        assert_close("toe", last(&curves, "toe.x"), x, 5e-6);
        assert_close("toe", last(&curves, "toe.y"), y, 5e-6);
    }
}

/// It walks forwards upright, and feet on the ground hardly slip. On the flat part of its path a
/// toe moves by 0.24 m per radian of the crank, at its ends by less, and the crank turns by 3 rad/s.
#[test]
fn the_walker_walks() {
    let bodies = ("output.bodies", "[\"trunk\", \"rear_a_shank\"]");
    let (outcome, curves) = run("walker.toml", &[bodies]);
    let (times, way) = (&outcome.trajectory.times, curve(&curves, "trunk.x"));
    let first = times.iter().position(|t| *t >= 1.0).unwrap();
    let speed = (way[way.len() - 1] - way[first]) / (times[way.len() - 1] - times[first]);
    assert!((0.6..0.72).contains(&speed), "{speed} m/s");
    assert!(curve(&curves, "trunk.qz").iter().all(|tilt| tilt.abs() < 0.01));
    assert!(curve(&curves, "trunk.y").iter().all(|height| height.abs() < 0.03));
    let [x, y, spin] = ["toe.x", "toe.y", "rear_a_shank.wz"].map(|name| curve(&curves, name));
    // pressed into the ground by more than a millimetre; when feet take turns, three touch and one slips
    let pressed = |k: &usize| y[*k] < -0.919 && y[k - 1] < -0.919 && times[*k] > 1.0;
    // the sole is round, so that the toe moves when it rolls
    let rolling = |k: usize| 0.02 * 0.5 * (spin[k] + spin[k - 1]);
    let slip = |k: usize| ((x[k] - x[k - 1]) / (times[k] - times[k - 1]) + rolling(k)).abs();
    let mut slips: Vec<f64> = (1..x.len()).filter(pressed).map(slip).collect();
    slips.sort_by(f64::total_cmp);
    // the feet on the ground are not all equally fast against the trunk, so that they creep
    let median = slips[slips.len() / 2];
    println!("median slip {median} m/s at {speed} m/s");
    assert!(median < 0.05 * speed, "slips with {median} m/s at {speed} m/s");
}

/// Momentum passes through the row: when the first ball has hit it, the last swings out nearly as far
/// as the first was lifted, and the others stay.
#[test]
fn newtons_cradle_swings() {
    let (_, curves) = run("newtons_cradle.toml", &[("solve.until", "0.9")]);
    let greatest =
        |name: &str| curve(&curves, name).iter().fold(0.0f64, |most, angle| most.max(angle.abs()));
    let lift = 30f64.to_radians();
    assert_close("last ball", greatest("string5.angle"), lift, 0.02);
    for k in 2..5 {
        let angle = greatest(&format!("string{k}.angle"));
        assert!(angle < 0.03, "string {k} swings by {angle}");
    }
}

/// Three boxes come to rest upon each other.
#[test]
fn boxes_rest_in_a_stack() {
    let (outcome, curves) = run("stack.toml", &[]);
    for (k, height) in [0.1, 0.3, 0.5].into_iter().enumerate() {
        let name = format!("box{}", k + 1);
        assert_close(&name, last(&curves, &format!("{name}.z")), height, 1e-6);
        assert_close(&name, last(&curves, &format!("{name}.vz")), 0.0, 1e-6);
    }
    // 9 kg each: the contacts carry three, two and one of them
    let summary = &outcome.trajectory.contacts.summary;
    let force = summary.column(1).last().unwrap();
    assert_close("sum of the contact forces", force, 6.0 * 9.0 * 9.81, 1e-3);
}

/// Impacts in the play take energy away, and the pin stays in its hole.
#[test]
fn a_pin_rattles_in_its_clearance() {
    let (outcome, _) = run("slider_crank_clearance.toml", &[("solve.until", "0.5")]);
    let trajectory = &outcome.trajectory;
    let energy = |i: usize| trajectory.energy.row(i).iter().sum::<f64>();
    let (first, last) = (energy(0), energy(trajectory.times.len() - 1));
    println!("{} impacts, energy {first} to {last}", trajectory.contacts.impacts.len());
    assert!(last < 0.97 * first && last > 0.3 * first, "energy {first} to {last}");
    let least = trajectory.contacts.gap.column(0).fold(1.0, f64::min);
    assert!(least > -1e-10, "the pin leaves its hole by {least}");
}

/// All dominoes lie, the first four leaning on the next and the last flat, and nothing overlaps.
#[test]
fn dominoes_fall() {
    let (outcome, curves) = run("dominoes.toml", &[]);
    let heights: Vec<f64> = (1..=5).map(|k| last(&curves, &format!("domino{k}.y"))).collect();
    println!("heights {heights:?}");
    assert!(heights[..4].iter().all(|height| *height > 0.01 && *height < 0.016), "{heights:?}");
    assert!((heights[4] - 0.005).abs() < 1e-4, "{heights:?}");
    let least = outcome.trajectory.contacts.summary.column(2).fold(1.0, f64::min);
    assert!(least > -1e-4, "dominoes overlap by {least}");
}

/// A hundred spheres come to rest in their box, none inside another.
#[test]
fn poured_spheres_come_to_rest() {
    let (outcome, curves) = run("poured_spheres.toml", &[]);
    let trajectory = &outcome.trajectory;
    let energy = |i: usize| trajectory.energy.row(i)[0] + trajectory.energy.row(i)[1];
    let rows = trajectory.times.len();
    for i in 1..rows {
        assert!(energy(i) < energy(i - 1) + 1e-4 * energy(0), "energy grows before row {i}");
    }
    let kinetic = trajectory.energy.row(rows - 1)[0];
    println!("{kinetic} J of {} left, {:?}", energy(0), trajectory.statistics);
    assert!(kinetic < 0.01 * energy(0), "{kinetic} J are left in motion");
    let places: Vec<[f64; 3]> = (1..=100)
        .map(|k| ["x", "y", "z"].map(|axis| last(&curves, &format!("grain{k}.{axis}"))))
        .collect();
    let mut deepest = 0.0f64;
    for (i, a) in places.iter().enumerate() {
        deepest = deepest.max(0.05 - a[2]).max(0.05 - a[0]).max(a[0] - 0.95);
        for b in &places[..i] {
            let distance = (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
            deepest = deepest.max(0.1 - distance);
        }
    }
    println!("deepest overlap {deepest}");
    // two spheres approach by less than this in one step
    assert!(deepest < 2.0 * 5e-3, "spheres overlap by {deepest}");
}

/// [METHOD_004 §3.3], with steps of 0.5 ms that damp the vibrations of the rod; the gallery goes further.
#[test]
fn flexible_slider_crank() {
    let (outcome, curves) = run("flexible_slider_crank.toml", &[]);
    assert_close("crank", last(&curves, "main_bearing.angle"), 8.988397450000441, 1e-4);
    assert_close("slider", last(&curves, "slider.x"), 0.15728125527655287, 1e-5);
    let audit = &outcome.trajectory.audit;
    assert_close("energy", audit.final_energy.unwrap(), 0.321311091490, 2e-5);
}

/// A fork whose stem is shaken: its stress is read at nodes, found where it is highest, and shown.
#[test]
fn fork() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    let overrides = [("solve.until".to_owned(), "0.1".to_owned())];
    let mechanism = Mechanism::read(&folder.join("fork.toml"), &overrides).unwrap();
    assert_eq!(mechanism.hints(), Vec::<String>::new());
    let settings = mechanism.settings().unwrap();
    let start = mechanism.initial_state();
    let outcome = simulate(&mut mechanism.system(), &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none());
    let trajectory = &outcome.trajectory;
    let curves = mechanism.curves(trajectory);
    let largest = |name: &str| curve(&curves, name).into_iter().fold(0.0, f64::max);
    let spots = mechanism.hot_spots(trajectory);
    let (body, hottest) = &spots[0];
    assert!(body == "fork" && spots.len() == 10);
    // the stem bends most beside its clamp: stress of 6M/bh² within the coarseness of the mesh
    assert!(hottest.position[0] < 0.03, "{hottest:?}");
    let moment = curve(&curves, "slide.my")[hottest.state].abs();
    let beam = 6.0 * moment / (0.04 * 0.012 * 0.012);
    println!("{:.3e} Pa against {beam:.3e} Pa of a beam", hottest.stress);
    assert!((hottest.stress / beam - 1.0).abs() < 0.25, "{} against {beam}", hottest.stress);
    for name in ["fork.stress37", "fork.stress69"] {
        assert!(largest(name) > 0.0 && largest(name) <= hottest.stress, "{name}");
    }
    let film = mechanism.film(trajectory, 1_000_000);
    let skin = &film.skins[0];
    assert_eq!(skin.points.len(), skin.count * film.times.len());
    assert_eq!(skin.fields[0].values.len(), skin.points.len());
    // every edge of a closed skin belongs to two triangles, once in each direction
    let mut edges: Vec<(usize, usize)> =
        skin.triangles.iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]).collect();
    let mut reversed: Vec<(usize, usize)> = edges.iter().map(|(a, b)| (*b, *a)).collect();
    edges.sort_unstable();
    reversed.sort_unstable();
    assert_eq!(edges, reversed);
}

/// Numbers of document 002, §6.3: 335 steps of contact, 300 N meanwhile, 497.41 J afterwards.
#[test]
fn elastic_bar() {
    let (outcome, _) = run("elastic_bar.toml", &[]);
    let trajectory = &outcome.trajectory;
    let forces: Vec<f64> = trajectory.contacts.force.column(0).collect();
    let closed: Vec<f64> =
        trajectory.times.iter().zip(&forces).filter(|(_, f)| **f > 0.0).map(|(t, _)| *t).collect();
    assert_eq!(closed.len(), 335, "steps of contact");
    assert_close("first touch", closed[0], 0.502, 1e-9);
    assert_close("last touch", closed[334], 1.170, 1e-9);
    let held: Vec<f64> = trajectory
        .times
        .iter()
        .zip(&forces)
        .filter(|(t, _)| (0.6..=1.1).contains(*t))
        .map(|(_, force)| *force)
        .collect();
    assert_close("force", held.iter().sum::<f64>() / held.len() as f64, 300.0, 0.01);
    assert_close("highest force", forces.iter().copied().fold(0.0, f64::max), 347.15, 0.01);
    assert_close("energy", trajectory.audit.final_energy.unwrap(), 497.412, 2e-3);
}

/// Numbers of document 002, §6.2, before the motion turns chaotic: the gap at 0.3 s and the first touch.
#[test]
fn bouncing_flexible_pendulum() {
    let (outcome, curves) = run("bouncing_flexible_pendulum.toml", &[("solve.until", "0.36")]);
    let trajectory = &outcome.trajectory;
    let row = trajectory.times.iter().position(|t| (t - 0.3).abs() < 1e-9).unwrap();
    assert_close("gap", trajectory.contacts.gap.row(row)[0], 0.0798204929, 1e-6);
    let first = trajectory.contacts.force.column(0).position(|force| force > 0.0).unwrap();
    assert_close("first touch", trajectory.times[first], 0.32702338493, 5e-5);
    let tip = curve(&curves, "tip.x").into_iter().fold(1.0, f64::min);
    assert!(tip > 0.5_f64.sqrt() - 1e-12, "the tip enters the wall: {tip}");
}

/// The strip sags under the ball and its own weight as a cantilever does. Two-node elements are too stiff by
/// 1/4n² for n of them, here 5.6 up to the ball.
#[test]
fn ball_on_beam() {
    let (a, length, radius, half): (f64, f64, f64, f64) = (0.7, 1.0, 0.04, 0.005);
    let stiffness = 2.1e11 * 0.05 * (2.0 * half).powi(3) / 12.0;
    let force = 9.81 * 7800.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let weight = 9.81 * 7800.0 * 0.05 * 2.0 * half;
    let own = 6.0 * length * length - 4.0 * length * a + a * a;
    let sag = force * a.powi(3) / (3.0 * stiffness) + weight * a * a * own / (24.0 * stiffness);
    let (_, curves) = run("ball_on_beam.toml", &[("solve.output_every", "5e-4")]);
    let heights = curve(&curves, "ball.y");
    let last = &heights[heights.len() - 1000..];
    let mean = last.iter().sum::<f64>() / last.len() as f64;
    // a little vibration is left
    assert!(last.iter().all(|y| (y - mean).abs() < 2e-5), "the ball does not lie still");
    assert_close("height", mean, radius + half - sag, sag / (4.0 * 5.6 * 5.6));
}
