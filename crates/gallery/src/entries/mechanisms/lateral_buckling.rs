//! Lateral buckling: the critical load of a strip, and a thin beam that a crank pushes.

use crate::entries::convergence::{Meshes, convergence};
use crate::entries::doc003::support::{number, reference};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::strips::{STIFFER, critical_load, lateral_buckling, strip};
use crate::study::{largest, run_system};
use rotula_dae::{Coefficients, Formulation, Output, Settings, StepControl};

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-lateral-buckling",
    document: "mechanisms",
    title: "Lateral buckling: a strip in statics, and a thin beam on a crank",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-lateral-buckling/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let [bending, torsion] = [608.3, 877.2];
    let factor = number(&data, "/strip")?;
    let critical = |elements: usize, each: usize| -> Result<f64, GalleryError> {
        let model = |load| strip((elements, each), [bending, torsion], load);
        Ok(critical_load([2e3, 4e3], model)? / (bending * torsion).sqrt())
    };
    let fine = critical(4, 4)?;
    // the sag before it buckles makes the load larger by √((1 − EI/EI_stiff)(1 − GJ/EI_stiff)), as in a
    // beam under pure bending: a thousandth here
    let stiff = STIFFER * bending;
    let sagging = ((1.0 - bending / stiff) * (1.0 - torsion / stiff)).sqrt();
    findings.near("strip: P L²/√(EI GJ)", fine, factor / sagging, 2e-3);
    let meshes = [Meshes { each: 2, counts: &[4, 8, 16], order: (2.0, 0.2), bound: 2e-2 }];
    convergence(findings, ("critical load of the strip", "N"), &meshes, |elements, each| {
        Ok((critical(elements, each)? - fine).abs())
    })?;
    let (amplitude, onset) = (number(&data, "/amplitude")?, number(&data, "/onset")?);
    let mut rows = Vec::new();
    for (mesh, tolerance) in [((4, 3), 0.02), ((8, 3), 0.005)] {
        let [largest, first] = swing(mesh, 1e-4)?;
        let what = format!("{} elements of {} nodes", mesh.0, mesh.1);
        findings.close(format!("{what}: largest displacement"), largest, amplitude, tolerance);
        findings.near(format!("{what}: beginning"), first, onset, 1.5e-3);
        rows.push(vec![what, format!("{largest:.6}"), format!("{first:.4}")]);
    }
    rows.push(vec!["MBDyn".into(), amplitude.to_string(), onset.to_string()]);
    let columns = ["mesh", "largest displacement sideways (m)", "passes 1 mm at (s)"];
    findings.table("Thin beam on a crank", &columns, rows);
    let [straight, _] = swing((4, 3), 0.0)?;
    // what is there is rounding, which grows while the straight beam is unstable
    findings.at_most("without the offset it stays in its plane (m)", straight, 1e-6);
    Ok(())
}

/// The largest displacement of the middle sideways, and when it passes a millimetre.
fn swing(mesh: (usize, usize), beside: f64) -> Result<[f64; 2], GalleryError> {
    let (model, middle) = lateral_buckling(mesh, beside)?;
    let mut system = model.assemble()?;
    let start = system.start();
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let coefficients = Coefficients::generalized_alpha(0.6)?;
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 5e-4 });
    settings.output = Output::EachStep;
    settings.until = 0.8;
    let outcome = run_system(&mut system, &start, &settings)?;
    let trajectory = &outcome.trajectory;
    let aside = |k: usize| system.node_frame(middle, trajectory.q.row(k)).position.y.abs();
    let largest = largest((0..trajectory.len()).map(aside));
    let first = (0..trajectory.len()).find(|k| aside(*k) > 1e-3);
    Ok([largest, first.map_or(f64::NAN, |k| trajectory.times[k])])
}
