//! The critical load of a right-angle frame.

use crate::entries::convergence::{Meshes, convergence};
use crate::entries::doc003::support::{number, reference};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::strips::{critical_load, right_angle_frame};

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-right-angle-frame",
    document: "mechanisms",
    title: "Buckling of a right-angle frame out of its plane",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-right-angle-frame/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let published = number(&reference(REFERENCE)?, "/critical")?;
    let critical = |elements: usize, each: usize| {
        critical_load([0.8, 1.4], |load| right_angle_frame((elements, each), load))
    };
    let fine = critical(6, 4)?;
    findings.near("critical load (N)", fine, published, 1e-3);
    let meshes = [
        Meshes { each: 2, counts: &[4, 8, 16], order: (2.0, 0.2), bound: 1e-2 },
        Meshes { each: 3, counts: &[2, 4, 8], order: (4.0, 0.4), bound: 1e-4 },
    ];
    convergence(findings, ("critical load", "N"), &meshes, |elements, each| {
        Ok((critical(elements, each)? - fine).abs())
    })?;
    findings
        .note(format!("With 6 elements of 4 nodes on each leg the critical load is {fine:.6} N."));
    Ok(())
}
