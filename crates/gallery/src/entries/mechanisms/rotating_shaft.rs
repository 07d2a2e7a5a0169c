//! A shaft with an eccentric disc: sag, critical speed, and a run across it.

use crate::entries::doc003::support::{number, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::strips::{DISC, shaft};
use crate::study::{largest, run_system, smallest};
use rotula_dae::analysis::{ModeKind, Relaxation, modes, statics};
use rotula_dae::{Coefficients, Formulation, Output, Settings, StepControl};
use std::f64::consts::{PI, TAU};

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-rotating-shaft",
    document: "mechanisms",
    title: "Rotating shaft with an eccentric disc, run across its critical speed",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-rotating-shaft/reference.json");

/// 48 rad/s from half a second on, 72 rad/s from 1.25 s on.
const ANGLE: &str = "48*if(t < 0.5, t/2 - sin(2*pi*t)/(4*pi), t - 0.25) \
                     + 24*if(t < 1, 0, if(t < 1.25, (t - 1)/2 - sin(4*pi*(t - 1))/(8*pi), t - 1.125))";

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let (sag, excursion) = (number(&data, "/sag")?, number(&data, "/excursion")?);
    let (length, bending) = (6.0_f64, 354.5e3);
    let tube = 7800.0 * PI * (0.05_f64.powi(2) - 0.045_f64.powi(2));
    let bent = (tube * length.powi(4) / 384.0 + DISC * length.powi(3) / 192.0) / bending;
    let sheared = (tube * length.powi(2) / 8.0 + DISC * length / 4.0) / 60.5e6;
    let book = 9.81 * (bent + sheared);
    let mut rows = Vec::new();
    for mesh in [(8, 2), (16, 2), (4, 3), (8, 3)] {
        let (model, middle) = shaft(mesh, ANGLE, 9.81)?;
        let mut system = model.assemble()?;
        let start = system.start();
        let rest = statics(&mut system, &start, Relaxation::Never)?;
        let found = -system.node_frame(middle, &rest.state.q).position.z;
        let mut row = vec![format!("{} of {} nodes", mesh.0, mesh.1), format!("{found:.6}")];
        row.extend([sag, book].map(|value| short(found / value - 1.0)));
        rows.push(row);
        if mesh != (8, 3) {
            continue;
        }
        findings.close("sag of the middle beside MBDyn", found, sag, 1e-3);
        findings.close("sag of the middle beside a linear beam", found, book, 1e-3);
        // the lowest vibration across: half of a massless clamped beam's stiffness with 13/35 of its mass
        let theory =
            (192.0 * bending / length.powi(3) / (DISC + 13.0 / 35.0 * tube * length)).sqrt();
        let vibrations = modes(&mut system, &rest.state)?;
        let lowest = vibrations.modes.iter().filter(|mode| mode.kind == ModeKind::Oscillation);
        let lowest = smallest(lowest.map(|mode| TAU * mode.frequency));
        findings.close("lowest rate beside the massless shaft", lowest, theory, 0.02);
        let formulation = Formulation::Index3 { scaling: true, augmented: false };
        let coefficients = Coefficients::generalized_alpha(0.8)?;
        let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 1e-3 });
        settings.output = Output::EachStep;
        settings.until = 2.5;
        let outcome = run_system(&mut system, &rest.state, &settings)?;
        let aside = |k: usize| {
            let place = system.node_frame(middle, outcome.trajectory.q.row(k)).position;
            place.y.hypot(place.z)
        };
        let largest = largest((0..outcome.trajectory.len()).map(aside));
        findings.close("largest excursion of the middle", largest, excursion, 0.01);
        findings.note(format!(
            "The lowest vibration has {lowest:.2} rad/s; the middle goes {largest:.5} m astray, \
             {excursion} m in MBDyn."
        ));
    }
    let columns = ["elements", "sag (m)", "to MBDyn", "to a linear beam"];
    findings.table("Sag of the shaft with its disc", &columns, rows);
    Ok(())
}
