//! Seventeen motions against MSC Adams, in all columns at all 501 instants.
//!
//! Source of the data: projectchrono/chrono, `data/testing/joints` (BSD-3), results of MSC Adams; the
//! first line of each file says which. Positions, velocities, accelerations and the quaternion are
//! those of the marker in the centre of mass, in world axes. Reactions are what acts on the ground (on
//! marker I of a deck, at its origin), in world axes; in no case does it matter whether a torque is
//! taken about I or J, because no joint slides under load. Of the actuator and on the ball of the rod
//! it is what acts on the body.
//!
//! Each model runs with five formulations and three step sizes, `h`, `h/2`, `h/4`. The difference of
//! the extrapolations `(4 fine − coarse)/3` from both pairs, over seven, is the error of the better
//! one, if that falls at least with the third power of the step. This error, and the difference
//! between the formulations, must be below a tenth of what the data are allowed to differ. So what
//! remains is the error of the data, of two kinds:
//!
//! - half a unit of the last digit of the greatest number in a column, 6 or 7 digits. In eleven of
//!   the cases nothing else is found in positions and velocities;
//! - the error of the integration in Adams, relative to the greatest number: one figure for positions
//!   and velocities, one for accelerations and forces, listed in [`accuracy`]. These figures are read
//!   off the deviation that all five formulations have in common. The data confirm them: the
//!   spherical and the universal pendulum lose 4·10⁻⁴ of their energy (see the last test), where they
//!   deviate by as much. In the other pendulums only accelerations deviate, by 10⁻⁴, while velocities
//!   agree to the last digit.
//!
//! Two motions whip (accelerations up to 2700 m/s² for some milliseconds). There the figures are a
//! little above the deviation, so that the slowest formulation can be shown to have converged.

mod cases;
mod columns;
mod functions;

use columns::{Columns, difference};
use rotula_dae::{
    Coefficients, DaeIteration, Formulation, GglVariant, HhtMode, MassHistory, MultiplierSource,
    Outcome, ReactionOutput, Settings, StepControl, simulate,
};
use rotula_mechanics::Assembly;

/// Relative errors of the data and the number of steps between two samples in the finest run.
struct Accuracy {
    motion: f64,
    forces: f64,
    steps: usize,
}

fn accuracy(case: &str) -> Accuracy {
    let (motion, forces, steps) = match case {
        "Cylindrical_Case02" | "Revolute_Case01" => (1e-8, 1.4e-4, 40),
        "Distance_Case01" => (1e-8, 8e-5, 40),
        "Distance_Case02" => (1e-4, 2e-4, 320),
        "RevSpherical_Case01" => (5e-5, 8e-5, 320),
        "RotSpring_Case01" => (1.1e-5, 1.5e-4, 40),
        "Spherical_Case01" | "Universal_Case01" => (5e-4, 8e-4, 40),
        "TranSpring_Case02" | "TranSpringCB_Case02" => (1e-8, 1e-8, 40),
        "TranSpringCB_Case03" => (8e-6, 1e-6, 80),
        _ => (0.0, 0.0, 40),
    };
    Accuracy { motion, forces, steps }
}

fn formulations() -> [(&'static str, Formulation, Coefficients); 5] {
    let alpha = Coefficients::generalized_alpha(0.9).unwrap();
    let hht = Coefficients::hht(-0.05).unwrap();
    let dae_alpha = Formulation::DaeAlpha {
        iteration: DaeIteration::Newton,
        multipliers: MultiplierSource::AccelerationLevel,
    };
    [
        ("index3", Formulation::Index3 { scaling: true, augmented: false }, alpha),
        ("ggl", Formulation::Ggl(GglVariant::MassWeighted), alpha),
        ("soi2", Formulation::Soi2 { mass: MassHistory::Stored }, alpha),
        ("hht-i3", Formulation::HhtI3(HhtMode::Recommended), hht),
        ("dae-alpha", dae_alpha, alpha),
    ]
}

fn run(
    case: &cases::Case,
    (word, formulation, coefficients): (&str, Formulation, Coefficients),
    h: f64,
) -> (Assembly, Outcome) {
    let mut assembly = case.model.assemble().unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = 5.0;
    // steps are so short that the default accuracy of the iteration would show
    settings.newton.tolerance = 1e-12;
    settings.reactions = ReactionOutput::Recomputed;
    let start = assembly.start();
    let outcome = simulate(&mut assembly, &start, &settings, &mut ());
    let outcome = outcome.unwrap_or_else(|error| panic!("{} {word}: {error}", case.name));
    assert!(outcome.failure.is_none(), "{} {word}: {}", case.name, outcome.failure.unwrap());
    (assembly, outcome)
}

/// `(4 fine − coarse)/3`: the error of second order cancels.
fn extrapolated(coarse: &Columns, fine: &Columns) -> Columns {
    let mut out = fine.clone();
    for (name, rows) in &mut out {
        for (row, coarse) in rows.iter_mut().zip(&coarse[name]) {
            let sign = columns::sign(name, row, coarse);
            for (x, c) in row.iter_mut().zip(coarse) {
                *x = (4.0 * *x - sign * c) / 3.0;
            }
        }
    }
    out
}

/// Half a unit of the last digit of a number.
fn half_unit(value: f64, digits: i32) -> f64 {
    if value == 0.0 { 0.0 } else { 0.5 * 10f64.powi(value.log10().floor() as i32 - digits + 1) }
}

fn check(name: &str) {
    let case = cases::all().into_iter().find(|case| case.name == name).unwrap();
    let data = columns::reference(name);
    assert_eq!(data.times.len(), 501);
    let Accuracy { motion, forces, steps } = accuracy(name);
    let kinetic = columns::energy(&case, &data.columns).0;
    let mut first: Option<Columns> = None;
    let mut wrong = Vec::new();
    for formulation in formulations() {
        let word = formulation.0;
        // with the shortest steps, errors of rounding, which position-level constraints divide by h²,
        // are seen in this whipping motion
        let whip = name == "RevSpherical_Case01" && word == "index3";
        let steps = if whip { steps / 2 } else { steps };
        let mut runs = Vec::new();
        let mut defects = Vec::new();
        for n in [steps / 4, steps / 2, steps] {
            let (mut assembly, outcome) = run(&case, formulation, 0.01 / n as f64);
            let trajectory = &outcome.trajectory;
            for (i, t) in data.times.iter().enumerate() {
                assert!((trajectory.times[i * n] - t).abs() < 1e-9, "{name}: {t}");
            }
            let drift = trajectory.audit.position_residual;
            assert!(drift < 1e-10, "{name} {word}: drift {drift:e}");
            defects.push(trajectory.audit.energy_defect.unwrap());
            runs.push(columns::measured(&case, &mut assembly, trajectory, n));
        }
        // the balance of energy closes with the square of the step, and to a ten-thousandth
        println!("{name} {word}: energy {:.1e} {:.1e}", defects[1], defects[2]);
        let closes = defects[2] < 0.3 * defects[1] || defects[2] < 1e-9 * kinetic.max(1.0);
        assert!(closes && defects[2] <= 1e-4 * kinetic, "{name} {word}: energy {defects:?}");
        let coarse = extrapolated(&runs[0], &runs[1]);
        let fine = extrapolated(&runs[1], &runs[2]);
        let first = first.get_or_insert_with(|| fine.clone());
        for (column, rows) in &data.columns {
            let (deviation, scale) = difference(column, rows, &fine[column]);
            let own = difference(column, &coarse[column], &fine[column]).0 / 7.0;
            let spread = difference(column, &first[column], &fine[column]).0;
            let relative = match column.as_str() {
                "Pos" | "Vel" | "Quat" | "Avel" => motion,
                _ => forces,
            };
            // numbers that are zero but for rounding have no digits; hence the last term
            let bound = 1.01 * half_unit(scale, data.digits) + relative * scale + 1e-12;
            let line = format!(
                "{name} {word} {column}: deviation {deviation:.2e} of {bound:.2e}, own error \
                 {own:.1e}, between formulations {spread:.1e}"
            );
            println!("{line}");
            if deviation > bound || own > 0.1 * bound || spread > 0.1 * bound {
                wrong.push(line);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

macro_rules! motions {
    ($($test:ident $name:literal)*) => {$(
        #[test]
        fn $test() {
            check($name);
        }
    )*};
}

motions! {
    cylindrical_falling "Cylindrical_Case01"
    cylindrical_pendulum "Cylindrical_Case02"
    distance_at_the_centre "Distance_Case01"
    distance_at_a_corner "Distance_Case02"
    linear_actuator "LinActuator_Case01"
    prismatic_falling "Prismatic_Case01"
    prismatic_held "Prismatic_Case03"
    revolute_spherical_rod "RevSpherical_Case01"
    revolute_pendulum "Revolute_Case01"
    rotational_spring "RotSpring_Case01"
    spherical_pendulum "Spherical_Case01"
    translational_spring "TranSpring_Case01"
    translational_spring_from_the_side "TranSpring_Case02"
    custom_spring "TranSpringCB_Case01"
    custom_spring_from_the_side "TranSpringCB_Case02"
    progressive_spring "TranSpringCB_Case03"
    universal_pendulum "Universal_Case01"
}

/// What the data say about their own accuracy: the spherical and the universal pendulum were
/// integrated less accurately than the revolute one, though all three make the same motion.
#[test]
fn energy_of_the_data() {
    let errors = ["Spherical_Case01", "Universal_Case01", "Revolute_Case01"].map(|name| {
        let case = cases::all().into_iter().find(|case| case.name == name).unwrap();
        let (kinetic, change) = columns::energy(&case, &columns::reference(name).columns);
        change / kinetic
    });
    println!("{errors:?}");
    assert!(errors[0] > 3e-4 && errors[1] > 3e-4 && errors[2] < 5e-6, "{errors:?}");
    let Accuracy { motion, .. } = accuracy("Spherical_Case01");
    assert!(motion < 2.0 * errors[0]);
}
