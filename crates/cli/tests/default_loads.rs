//! Loads of runs in which nothing is set but the formulation and the steps, read from the columns of the table as a user
//! reads them: Newton's and Euler's equations hold in every row, whatever the formulation.

mod common;

use common::columns::{Balance, Columns, Vector, inertia, moments, near};
use common::formulations::{OF_FIXED_STEPS, OF_VARIABLE_STEPS};

/// Nothing set, a step, and rows between the steps of either.
const STEPS: [&str; 4] =
    ["", "step = 1e-2", "output_every = 0.0137", "step = 1e-2\noutput_every = 0.0137"];

/// What is left of a balance, relative to its largest term.
const BALANCED: f64 = 1e-6;

/// Runs a model with every formulation and choice of steps, and looks at the columns.
fn each_run(model: &str, until: f64, look: impl Fn(&str, &Columns)) {
    let alone = OF_VARIABLE_STEPS.iter().flat_map(|words| [(words, STEPS[0]), (words, STEPS[2])]);
    let all = OF_FIXED_STEPS.iter().flat_map(|words| STEPS.map(|steps| (words, steps)));
    for (words, steps) in all.chain(alone) {
        let label = format!("{words} {steps}").replace('\n', " ");
        let text = format!("{model}\n[solve]\n{words}\n{steps}\nuntil = {until}\n");
        look(&label, &Columns::of(&text, until));
    }
}

const BALL: &str = r#"
gravity = [0, 0, -9.81]
[body.bob]
mass = 2
inertia = [0.05, 0.4, 0.4]
at = [1.2, 0, 0]
angular_velocity = [3, 0.5, 1]
velocity = [0, 1.2, -0.6]
[joint.ball]
spherical = { between = ["ground", "bob"], at = [0, 0, 0] }
[sensor]
a = { acceleration = "bob" }
w = { angular_velocity = "bob", axes = "bob" }
alpha = { angular_acceleration = "bob", axes = "bob" }
force = { reaction_force = "ball", axes = "bob" }
"#;

#[test]
fn a_ball_joint_carries_what_the_motion_asks_for() {
    each_run(BALL, 2.0, |label, run| {
        Balance::default()
            .add(1.0, &inertia(2.0, &run.sensor("a")))
            .add(-1.0, &run.force("ball"))
            .close(&format!("{label}: forces"), BALANCED);
        // Euler's equations about the centre of mass, in the axes of the body: J α + ω × J ω = r × f
        let turning: Vec<Vector> = run
            .sensor("w")
            .iter()
            .zip(run.sensor("alpha"))
            .map(|(w, alpha)| {
                let j = [0.05, 0.4, 0.4];
                let gyroscopic = |a: usize, b: usize| (j[b] - j[a]) * w[a] * w[b];
                [
                    j[0] * alpha[0] + gyroscopic(1, 2),
                    j[1] * alpha[1] + gyroscopic(2, 0),
                    j[2] * alpha[2] + gyroscopic(0, 1),
                ]
            })
            .collect();
        let rows = turning.len();
        let arm =
            moments(&vec![[-1.2, 0.0, 0.0]; rows], &vec![[0.0; 3]; rows], &run.sensor("force"));
        Balance::default()
            .add(1.0, &turning)
            .add(-1.0, &arm)
            .beside(1.2, &run.sensor("force"))
            .close(&format!("{label}: moments"), BALANCED);
    });
}

const HANGING: &str = r#"
gravity = [0, 0, -9.81]
[body.arm]
mass = 1.5
inertia = [0.02, 0.15, 0.15]
at = [0.5, 0, 0]
[body.bob]
mass = 0.7
inertia = [0.01, 0.01, 0.01]
at = [1, 0, -0.6]
velocity = [0.4, 0, 0]
[frame.tip]
on = "arm"
at = [0.5, 0, 0]
[joint.hinge]
revolute = { between = ["ground", "arm"], at = [0, 0, 0], about = "y" }
[spring.coil]
between = ["tip", "bob"]
stiffness = 250
damping = 2
free_length = 0.5
[sensor]
arm_a = { acceleration = "arm" }
bob_a = { acceleration = "bob" }
arm_alpha = { angular_acceleration = "arm" }
tip = { position = "tip" }
hinge_force = { reaction_force = "hinge" }
"#;

#[test]
fn a_spring_and_a_hinge_share_the_load() {
    each_run(HANGING, 1.0, |label, run| {
        let coil = run.force("coil");
        Balance::default()
            .add(1.0, &inertia(0.7, &run.sensor("bob_a")))
            .add(-1.0, &coil)
            .close(&format!("{label}: forces on the bob"), BALANCED);
        Balance::default()
            .add(1.0, &inertia(1.5, &run.sensor("arm_a")))
            .add(-1.0, &run.sensor("hinge_force"))
            .add(1.0, &coil)
            .close(&format!("{label}: forces on the arm"), BALANCED);
        let (arm, rows) = (run.sensor("arm"), coil.len());
        let turning: Vec<Vector> =
            run.sensor("arm_alpha").iter().map(|alpha| [0.0, 0.15 * alpha[1], 0.0]).collect();
        Balance::default()
            .add(1.0, &turning)
            .add(1.0, &moments(&run.sensor("tip"), &arm, &coil))
            .add(-1.0, &moments(&vec![[0.0; 3]; rows], &arm, &run.sensor("hinge_force")))
            .close(&format!("{label}: moments on the arm"), BALANCED);
        let [length, rate] =
            ["length", "length_velocity"].map(|word| run.column(&format!("coil.{word}")));
        let law: Vec<f64> =
            length.iter().zip(&rate).map(|(x, v)| -250.0 * (x - 0.5) - 2.0 * v).collect();
        near(&format!("{label}: the coil's law"), &run.column("coil.force"), &law, BALANCED);
    });
}
