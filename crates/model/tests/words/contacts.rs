//! `[contact.NAME]`.

use crate::{assert_close, run};

const GRAVITY: f64 = 9.81;

/// A solid comes to rest where the force of its contacts, `n k dᵉ`, carries the weight.
#[test]
fn solids_rest_at_the_depth_that_carries_them() {
    let rests = [
        // solid, exponent, mass, height without weight, places of contact
        ("sphere = 0.1", 1.5, 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3, 0.1, 1.0),
        ("box = [0.2, 0.3, 0.1]", 1.0, 6.0, 0.05, 4.0),
        (
            "capsule = { radius = 0.1, length = 0.3, axis = \"x\" }",
            1.5,
            1000.0 * std::f64::consts::PI * (3e-3 + 4e-3 / 3.0),
            0.1,
            2.0,
        ),
    ];
    for (solid, exponent, mass, height, places) in rests {
        let result = run(&format!(
            r#"
            gravity = [0, 0, -{GRAVITY}]
            [body.thing]
            solid = {{ {solid}, density = 1000 }}
            at = [0, 0, {height}]
            [contact.floor]
            between = ["ground", "thing"]
            first = {{ plane = "z" }}
            stiffness = 1e5
            exponent = {exponent}
            dissipation = 3
            [solve]
            tolerance = 1e-7
            until = 3.0
            "#
        ));
        let depth = (mass * GRAVITY / (places * 1e5)).powf(1.0 / exponent);
        assert_close(solid, result.last("thing.z"), height - depth, 1e-6);
    }
}

/// A sphere that slides at first ends up rolling, however rough the floor is. Its moment of momentum
/// about a point of the floor stays: `v = v₀/(1 + I/mℓ²)`, where the lever ℓ is the radius less half the
/// depth, because the force acts in the middle between the surfaces.
#[test]
fn a_sliding_ball_ends_rolling() {
    let result = run(r#"
        gravity = [0, 0, -9.81]
        [body.ball]
        mass = 1
        inertia = [0.004, 0.004, 0.004]
        at = [0, 0, 0.0979]
        velocity = [1, 0, 0]
        [contact.floor]
        between = ["ground", "ball"]
        first = { plane = "z" }
        second = { sphere = 0.1 }
        stiffness = 1e5
        dissipation = 2
        friction = { coefficient = 0.3, creep = 1e-4 }
        [solve]
        tolerance = 1e-6
        until = 0.6
    "#);
    let depth = (GRAVITY / 1e5f64).powf(2.0 / 3.0);
    let lever = 0.1 - 0.5 * depth;
    assert_close("speed", result.last("ball.vx"), 1.0 / (1.0 + 0.004 / lever.powi(2)), 1e-3);
    assert_close("slip", result.last("ball.vx") - lever * result.last("ball.wy"), 0.0, 1e-3);
}

/// Two balls of equal mass on one line exchange their velocities.
#[test]
fn equal_balls_exchange_their_velocities() {
    let result = run(r#"
        [body.left]
        solid = { sphere = 0.1, density = 1000 }
        at = [-0.3, 0, 0]
        velocity = [1, 0, 0]
        [body.right]
        solid = { sphere = 0.1, density = 1000 }
        [contact.knock]
        between = ["left", "right"]
        stiffness = 1e6
        [solve]
        tolerance = 1e-8
        until = 0.3
    "#);
    assert_close("left", result.last("left.vx"), 0.0, 1e-4);
    assert_close("right", result.last("right.vx"), 1.0, 1e-4);
}

/// A mesh from a file has the mass and the surface of the box it describes.
#[test]
fn a_mesh_is_the_box_it_describes() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("block.obj"), BLOCK).unwrap();
    let rest = |solid: &str| {
        let text = format!(
            r#"
            gravity = [0, 0, -9.81]
            [body.thing]
            solid = {{ {solid}, density = 1000 }}
            at = [0, 0, 0.05]
            [contact.floor]
            between = ["ground", "thing"]
            first = {{ plane = "z" }}
            stiffness = 1e5
            exponent = 1
            dissipation = 3
            [solve]
            tolerance = 1e-6
            until = 1.0
            "#
        );
        crate::run_as(&folder.join("model.toml").display().to_string(), &text).last("thing.z")
    };
    let (mesh, boxed) = (rest("mesh = \"block.obj\", scale = 0.1"), rest("box = [0.2, 0.2, 0.1]"));
    assert_close("height", mesh, boxed, 1e-12);
}

/// A box of 2 × 2 × 1.
const BLOCK: &str = "\
v -1 -1 -0.5\nv 1 -1 -0.5\nv -1 1 -0.5\nv 1 1 -0.5\nv -1 -1 0.5\nv 1 -1 0.5\nv -1 1 0.5\nv 1 1 0.5
f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
