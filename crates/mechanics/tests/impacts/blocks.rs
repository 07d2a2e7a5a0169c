//! Blocks: sliding, resting, rocking, upon each other.

use crate::{cuboid, law, plane, run};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::shape::Shape;
use rotula_mechanics::{Body, GROUND, MassProperties, Model};

const DOWN: Vector3<f64> = Vector3::new(0.0, 0.0, -10.0);

fn block(size: &Vector3<f64>) -> Body {
    let [x, y, z] = [0, 1, 2].map(|k| size[k] * size[k] / 12.0);
    Body::rigid(MassProperties::principal(1.0, Vector3::new(y + z, z + x, x + y)))
}

/// [sheet 002 §7]: with v = 1 and μ = 0.3 a block stops after 1/3 s and 1/6 m.
#[test]
fn a_block_slides_to_rest_on_its_corners() {
    let size = Vector3::new(0.4, 0.3, 0.1);
    let mut model = Model::new();
    model.gravity = DOWN;
    let body = block(&size).at(Vector3::new(0.0, 0.0, 0.05));
    let body = model.body("block", body.moving(Vector3::x(), Vector3::zeros())).unwrap();
    let floor = plane(&model, Vector3::zeros(), Vector3::z());
    model.collide("floor", floor, cuboid(&model, body, size), law(0.0, 0.3)).unwrap();
    let (system, result) = run(&model, 2.5e-3, 0.5);
    let frame = system.node_frame(body.node(), result.last_q());
    assert!((frame.position - Vector3::new(1.0 / 6.0, 0.0, 0.05)).norm() < 1e-5, "{frame:?}");
    assert!(result.last_v().iter().all(|v| v.abs() < 1e-9));
    let normal: f64 = (0..8).map(|k| result.contacts.force.row(200)[3 * k]).sum();
    assert!((normal - 10.0).abs() < 1e-6, "{normal}");
}

/// [sheet 002 §7]: on a slope of tangent 0.5, μ = 0.6 sticks and μ = 0.4 slides.
#[test]
fn a_block_sticks_or_slides_on_a_slope() {
    for (friction, speed) in [(0.6, 0.0), (0.4, 0.447214)] {
        let size = Vector3::new(0.2, 0.2, 0.02);
        let mut model = Model::new();
        let slope = f64::atan(0.5);
        let turn = Quaternion::exp(&Vector3::new(0.0, slope, 0.0));
        model.gravity = DOWN;
        let up = turn.rotate(&Vector3::z());
        let body = block(&size).at_frame(Frame::new(up * 0.01, turn));
        let body = model.body("block", body).unwrap();
        let floor = plane(&model, Vector3::zeros(), up);
        model.collide("slope", floor, cuboid(&model, body, size), law(0.0, friction)).unwrap();
        let (_, result) = run(&model, 2.5e-3, 0.5);
        let v = result.last_v();
        let down = turn.rotate(&Vector3::x());
        let off = Vector3::from_column_slice(&v[..3]) - down * speed;
        assert!(off.norm() < 1e-6, "μ = {friction}: {v:?}");
    }
}

/// [sheet 002 §4 (v)]: a rod of 10 N on 2, 3 and 5 supports.
#[test]
fn a_rod_rests_on_several_supports() {
    for supports in [2, 3, 5] {
        let mut model = Model::new();
        model.gravity = Vector3::new(0.0, -10.0, 0.0);
        let rod = model.body("rod", Body::planar(1.0, 1.0 / 12.0)).unwrap();
        let floor = model.marker(GROUND, model.frame(Vector3::zeros(), Vector3::y()));
        for k in 0..supports {
            let x = -0.5 + k as f64 / (supports - 1) as f64;
            let at = Frame::new(Vector3::new(x, 0.0, 0.0), Quaternion::identity());
            let pair = model.pair(floor, model.marker(rod, at));
            let contact =
                rotula_mechanics::unilateral::sphere_on_plane(&pair, 0.0, law(0.0, 0.0)).unwrap();
            model.touch(&format!("support {k}"), contact).unwrap();
        }
        let (_, result) = run(&model, 1e-2, 0.1);
        let forces = result.contacts.force.row(10);
        let sum: f64 = forces.iter().sum();
        assert!((sum - 10.0).abs() < 1e-7, "{forces:?}");
        assert!(forces.iter().all(|force| *force > -1e-9), "{forces:?}");
        if supports == 2 {
            assert!(forces.iter().all(|force| (force - 5.0).abs() < 1e-9), "{forces:?}");
        }
        assert!(result.last_v().iter().all(|v| v.abs() < 1e-9));
    }
}

/// A block rocks from corner to corner: each impact leaves `1 − 3/2 sin²α` of its rate (Housner).
#[test]
fn a_block_rocks_as_housner_says() {
    let (half_width, half_height, tilt) = (0.1, 0.4, 0.15f64);
    let reach = f64::hypot(half_width, half_height);
    let slender = f64::atan2(half_width, half_height);
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -10.0, 0.0);
    let turn = Quaternion::exp(&Vector3::new(0.0, 0.0, tilt));
    // the left corner stays in the origin
    let middle = turn.rotate(&Vector3::new(half_width, half_height, 0.0));
    let body = Body::planar(1.0, reach * reach / 3.0).at_frame(Frame::new(middle, turn));
    let body = model.body("block", body).unwrap();
    let size = Vector3::new(2.0 * half_width, 2.0 * half_height, 0.2);
    let floor = plane(&model, Vector3::zeros(), Vector3::y());
    model.collide("floor", floor, cuboid(&model, body, size), law(0.0, 1.0)).unwrap();
    let (_, result) = run(&model, 5e-4, 1.0);
    let rates: Vec<f64> = result.v.column(2).collect();
    let hit = (1..rates.len()).min_by(|a, b| rates[*a].total_cmp(&rates[*b])).unwrap();
    let energy = 10.0 * reach * (f64::cos(slender - tilt) - f64::cos(slender));
    let before = -(2.0 * energy / (4.0 / 3.0 * reach * reach)).sqrt();
    let after = before * (1.0 - 1.5 * slender.sin().powi(2));
    println!("{} {before}, {} {after}", rates[hit], rates[hit + 1]);
    assert!((rates[hit] - before).abs() < 5e-3 * before.abs(), "{} {before}", rates[hit]);
    // the rate after the impact falls while the block rises on its other corner
    assert!((rates[hit + 1] - after).abs() < 1e-2 * after.abs(), "{} {after}", rates[hit + 1]);
    let lowest =
        (0..4).flat_map(|k| result.contacts.gap.column(k).collect::<Vec<_>>()).fold(1.0, f64::min);
    assert!(lowest > -1e-11, "{lowest}");
}

/// Three boxes upon each other: each carries those above it.
#[test]
fn boxes_stack() {
    let size = Vector3::new(0.5, 0.4, 0.2);
    let mut model = Model::new();
    model.gravity = DOWN;
    let mut below = plane(&model, Vector3::zeros(), Vector3::z());
    for k in 0..3 {
        // a little to the side, so that corners lie on faces
        let place = Vector3::new(0.03 * k as f64, 0.02 * k as f64, 0.1 + 0.2 * k as f64);
        let body = model.body(&format!("box {k}"), block(&size).at(place)).unwrap();
        let this = (model.marker(body, Frame::identity()), Shape::Box { size }.into());
        model.collide(&format!("under {k}"), below, this.clone(), law(0.0, 0.5)).unwrap();
        below = this;
    }
    let (system, result) = run(&model, 5e-3, 0.1);
    let sum: f64 = result.contacts.summary.row(20)[1];
    println!("sum of normal forces {sum}");
    assert!((sum - 60.0).abs() < 1e-5, "{sum}");
    for k in 0..3 {
        let height = system.node_frame(k + 1, result.last_q()).position.z;
        assert!((height - 0.1 - 0.2 * k as f64).abs() < 1e-8, "box {k} at {height}");
    }
}
