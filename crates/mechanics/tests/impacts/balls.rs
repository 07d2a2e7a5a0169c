//! Balls: falling, sliding, rolling, in a row.

use crate::{law, plane, run, sphere};
use nalgebra::Vector3;
use rotula_mechanics::{Body, GROUND, MassProperties, Model};

const DOWN: Vector3<f64> = Vector3::new(0.0, 0.0, -10.0);

fn solid_ball(mass: f64, radius: f64) -> Body {
    Body::rigid(MassProperties::principal(mass, Vector3::repeat(0.4 * mass * radius * radius)))
}

/// A ball falls 1.25 m in 0.5 s and bounces with 4/5 of its speed.
#[test]
fn a_ball_bounces_at_the_exact_times() {
    let latest = |h: f64| {
        let mut model = Model::new();
        model.gravity = DOWN;
        let ball = solid_ball(1.0, 0.1).at(Vector3::new(0.0, 0.0, 1.35));
        let ball = model.body("ball", ball).unwrap();
        let floor = plane(&model, Vector3::zeros(), Vector3::z());
        model.collide("floor", floor, sphere(&model, ball, 0.1), law(0.8, 0.0)).unwrap();
        let (_, result) = run(&model, h, 2.6);
        let lowest = result.contacts.gap.column(0).fold(f64::INFINITY, f64::min);
        assert!(lowest > -1e-12, "the ball sinks in by {lowest}");
        let (mut t, mut speed) = (0.5, 5.0);
        let mut worst = 0.0f64;
        for impact in result.contacts.impacts.iter().take(4) {
            worst = worst.max((impact.t - t).abs());
            speed *= 0.8;
            t += 2.0 * speed / 10.0;
        }
        assert!(result.contacts.impacts.len() >= 4);
        worst
    };
    let (coarse, fine) = (latest(1e-3), latest(1e-4));
    // first order: each impact falls on a step and changes the next flight by as much
    assert!(coarse < 4e-3 && fine < 4e-4, "impacts are late by {coarse} and {fine}");
}

/// A ball that slides at first rolls with 5/7 of its speed after 2 v/(7 μ g).
#[test]
fn a_ball_slides_then_rolls() {
    for turn in [0.0, 0.7] {
        let mut model = Model::new();
        model.gravity = DOWN;
        let way = Vector3::new(f64::cos(turn), f64::sin(turn), 0.0);
        let ball = solid_ball(2.0, 0.1).at(Vector3::new(0.0, 0.0, 0.1));
        let ball = model.body("ball", ball.moving(way * 1.4, Vector3::zeros())).unwrap();
        let floor = plane(&model, Vector3::zeros(), Vector3::z());
        model.collide("floor", floor, sphere(&model, ball, 0.1), law(0.0, 0.2)).unwrap();
        let (system, result) = run(&model, 1e-3, 0.5);
        // it slides for 0.2 s over ½(1.4 + 1.0) 0.2 m, then rolls
        let place = system.node_frame(ball.node(), result.last_q()).position;
        let (along, across) = (place.dot(&way), place.dot(&way.cross(&Vector3::z())));
        println!("rolled {along} {across}, speed {:?}", result.last_v());
        assert!((along - (0.24 + 0.3)).abs() < 1e-4, "{along}");
        assert!(across.abs() < 1e-8, "{across}");
        let v = result.last_v();
        let spin = (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]).sqrt();
        let speed = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        assert!((speed - 1.0).abs() < 1e-3 && (spin - 10.0).abs() < 1e-2, "{speed} {spin}");
        assert!((speed - 0.1 * spin).abs() < 1e-9, "it slips by {}", speed - 0.1 * spin);
    }
}

/// [sheet 002 §4 (iii)]
#[test]
fn newtons_cradle() {
    let third = 1.0 / 3.0;
    let cases = [
        (0.0, 0.0, [third, third, third]),
        (0.5, 0.0, [0.0, 0.5, 0.5]),
        (1.0, 0.0, [-third, 2.0 * third, 2.0 * third]),
        (1.0, 0.005, [0.0, 0.0, 1.0]),
    ];
    for (restitution, gap, expected) in cases {
        let mut model = Model::new();
        let mut balls = Vec::new();
        for k in 0..3 {
            let place = Vector3::new(k as f64 * (1.0 + gap), 0.0, 0.0);
            let speed = Vector3::x() * if k == 0 { 1.0 } else { 0.0 };
            let ball = Body::point(1.0).at(place).moving(speed, Vector3::zeros());
            balls.push(model.body(&format!("ball {k}"), ball).unwrap());
        }
        for k in 0..2 {
            let (a, b) = (sphere(&model, balls[k], 0.5), sphere(&model, balls[k + 1], 0.5));
            model.collide(&format!("pair {k}"), a, b, law(restitution, 0.0)).unwrap();
        }
        let (_, result) = run(&model, 1e-3, if gap > 0.0 { 0.1 } else { 0.01 });
        for k in 0..3 {
            let v = result.last_v()[3 * k];
            assert!((v - expected[k]).abs() < 1e-12, "e = {restitution}, gap {gap}: ball {k}: {v}");
        }
    }
}

/// [sheet 002 §4 (iv)]: three balls of 1 kg upon each other.
#[test]
fn a_stack_carries_its_weight() {
    let mut model = Model::new();
    model.gravity = DOWN;
    let mut below = plane(&model, Vector3::zeros(), Vector3::z());
    for k in 0..3 {
        let ball = Body::point(1.0).at(Vector3::new(0.0, 0.0, 0.5 + k as f64));
        let ball = model.body(&format!("ball {k}"), ball).unwrap();
        let this = sphere(&model, ball, 0.5);
        model.collide(&format!("under {k}"), below, this.clone(), law(0.0, 0.0)).unwrap();
        below = this;
    }
    let (_, result) = run(&model, 1e-2, 0.1);
    let forces = result.contacts.force.row(10);
    for (force, weight) in forces.iter().zip([30.0, 20.0, 10.0]) {
        assert!((force - weight).abs() < 1e-9, "{forces:?}");
    }
}

/// [sheet 002 §4 (i)]: a ball that does not turn slides in a bowl, a pendulum of length 0.9 m; the
/// error falls with the square of the step.
#[test]
fn a_ball_slides_in_a_bowl_with_second_order() {
    let (length, gravity) = (0.9, 10.0);
    // the exact angle at steps of 1e-2 by Runge and Kutta with steps of 1e-4
    let slope = |[angle, rate]: [f64; 2]| [rate, -gravity / length * f64::sin(angle)];
    let mut state = [-1.0, 0.0];
    let mut exact = vec![state[0]];
    for step in 1..=10_000 {
        let dt = 1e-4;
        let to = |k: [f64; 2], c: f64| [state[0] + c * k[0], state[1] + c * k[1]];
        let a = slope(state);
        let b = slope(to(a, 0.5 * dt));
        let c = slope(to(b, 0.5 * dt));
        let d = slope(to(c, dt));
        for i in 0..2 {
            state[i] += dt / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        }
        if step % 100 == 0 {
            exact.push(state[0]);
        }
    }
    let error = |h: f64| {
        let mut model = Model::new();
        model.gravity = DOWN;
        let from = Vector3::new(f64::sin(-1.0), 0.0, -f64::cos(-1.0));
        let ball = model.body("ball", Body::point(1.0).at(from * length)).unwrap();
        let bowl = model.marker(GROUND, rotula_lie::Frame::identity());
        let bowl = (bowl, rotula_mechanics::force::Surface::Bowl { radius: 1.0 });
        model.collide("bowl", bowl, sphere(&model, ball, 0.1), law(0.0, 0.0)).unwrap();
        let (_, result) = run(&model, h, 1.0);
        let every = (1e-2 / h).round() as usize;
        let mut worst = 0.0f64;
        for (k, angle) in exact.iter().enumerate() {
            let q = result.q.row(k * every);
            let exact = Vector3::new(angle.sin(), 0.0, -angle.cos()) * length;
            worst = worst.max((Vector3::new(q[0], q[1], q[2]) - exact).norm());
        }
        worst
    };
    let (coarse, fine) = (error(5e-3), error(2.5e-3));
    let order = (coarse / fine).log2();
    println!("errors {coarse:e} and {fine:e}, order {order}");
    assert!((order - 2.0).abs() < 0.1, "order {order}");
    assert!(fine < 1e-4, "{fine}");
}
