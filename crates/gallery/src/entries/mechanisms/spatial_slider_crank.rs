//! The spatial slider crank of three bodies, four joints.

use super::explicit_in_joints;
use crate::entries::doc003::support::{number, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::slider_crank::spatial;
use crate::study::run_system;
use crate::work_precision::method;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-spatial-slider-crank",
    document: "mechanisms",
    title: "Spatial slider crank with a rod on two balls",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-spatial-slider-crank/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let read = |key: &str| number(&data, &format!("/reference/{key}"));
    let (place, speed, rate) = (read("X")?, read("X_t")?, read("theta_t")?);
    let mut rows = Vec::new();
    let studies = [
        ("bdf si2, 1e-11", method("bdf si2")?.tolerance(1e-11, 10.0), 1e-6),
        ("explicit in joint coordinates, 1e-11", explicit_in_joints(1e-11, 10.0)?, 1e-6),
        ("ggl, h = 1e-3", method("ggl")?.fixed(1e-3, 10.0), 2e-3),
    ];
    for (name, settings, bound) in studies {
        let mut system = spatial()?.assemble()?;
        let start = system.start();
        let outcome = run_system(&mut system, &start, &settings)?;
        let state = outcome.state;
        let (slider, crank) = (system.node_frame(3, &state.q), state.v[3]);
        let errors =
            [(slider.position.x - place).abs(), (state.v[12] - speed).abs(), (crank - rate).abs()];
        findings.at_most(format!("{name}: error of the slider"), errors[0], bound);
        // the crank turns with 10 rad/s, so phases count tenfold in speeds, a hundredfold in rates
        findings.at_most(format!("{name}: error of its speed"), errors[1], 10.0 * bound);
        findings.at_most(format!("{name}: error of the crank's rate"), errors[2], 100.0 * bound);
        let defect = outcome.trajectory.audit.energy_defect.unwrap_or(f64::NAN);
        let cells = [errors[0], errors[1], errors[2], defect].map(short);
        rows.push([vec![name.to_owned()], cells.to_vec()].concat());
    }
    let columns = ["method", "slider", "its speed", "crank's rate", "energy defect (J)"];
    findings.table("Errors at t = 10 s", &columns, rows);
    Ok(())
}
