//! The spatial double pendulum in quaternions and in Euler angles.

use super::support::{largest_difference, number, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::rods::{Coordinates, double_pendulum};
use crate::study::run_system;
use crate::work_precision::method;
use rotula_dae::Settings;

pub(super) const ENTRY: Entry = Entry {
    name: "double-pendulum-3d",
    document: "003",
    title: "Spatial double pendulum, quaternions and Euler angles",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/double-pendulum-3d/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let mut rows = Vec::new();
    for i in 0..2 {
        let until = number(&data, &format!("/results/{i}/t"))?;
        let positions = numbers(&data, &format!("/results/{i}/P"))?;
        let velocities = numbers(&data, &format!("/results/{i}/V"))?;
        let (hht, bdf) = (method("hht-i3")?, method("bdf si2")?);
        // Second order at h = 1/2000, a tolerance as in the tables of document 003, and the
        // integrator that reaches the precision of the reference.
        let studies = [
            ("hht-i3, h = 5e-4", hht.fixed(5e-4, until), 2e-5, 1e-4),
            ("hht-i3, 1e-7", hht.tolerance(1e-7, until), 6e-4, 6e-3),
            ("bdf si2, 1e-10", bdf.tolerance(1e-10, until), 1e-7, 1e-6),
        ];
        for (name, settings, position_bound, velocity_bound) in studies {
            for coordinates in [Coordinates::Quaternion, Coordinates::Euler] {
                let (p, v) = centres(coordinates, &settings)?;
                let position = largest_difference(&p, &positions);
                let velocity = largest_difference(&v, &velocities);
                let what = format!("t = {until}, {name}, {coordinates:?}");
                findings.at_most(format!("{what}: position error"), position, position_bound);
                findings.at_most(format!("{what}: velocity error"), velocity, velocity_bound);
                let cells = [format!("{until}"), name.to_owned(), format!("{coordinates:?}")];
                let errors = [short(position), short(velocity)];
                rows.push([cells.to_vec(), errors.to_vec()].concat());
            }
        }
    }
    let columns = ["t", "method", "coordinates", "position error", "velocity error"];
    findings.table("Centres of mass against the reference", &columns, rows);
    Ok(())
}

/// Positions and velocities of both centres of mass at the end.
fn centres(
    coordinates: Coordinates,
    settings: &Settings,
) -> Result<(Vec<f64>, Vec<f64>), GalleryError> {
    let (mut system, initial) = double_pendulum(coordinates);
    let state = run_system(&mut system, &initial, settings)?.state;
    let pick = |values: &[f64]| -> Vec<f64> {
        let bodies = system.equations().bodies();
        bodies.iter().flat_map(|body| values[body.first..body.first + 3].to_vec()).collect()
    };
    Ok((pick(&state.q), pick(&state.v)))
}
