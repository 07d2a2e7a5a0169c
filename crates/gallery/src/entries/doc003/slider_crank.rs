//! The spatial slider crank in quaternions and in Euler angles.

use super::support::{number, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::rods::Coordinates;
use crate::problems::spatial_slider_crank::{SLIDER, slider_crank};
use crate::study::run_system;
use crate::work_precision::method;

pub(super) const ENTRY: Entry = Entry {
    name: "spatial-slider-crank",
    document: "003",
    title: "Spatial slider crank, quaternions and Euler angles",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/spatial-slider-crank/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let mut rows = Vec::new();
    for i in 0..2 {
        let read = |key: &str| number(&data, &format!("/results/{i}/{key}"));
        let (until, x, v) = (read("t")?, read("x")?, read("v")?);
        let (hht, bdf) = (method("hht-i3")?, method("bdf si2")?);
        // Near t = 2 the slider turns: there the two references themselves differ by 3.7e-9 in
        // position and 3.0e-6 in velocity.
        let steepness = if i == 0 { 10.0 } else { 1000.0 };
        let studies = [
            ("hht-i3, h = 5e-4", hht.fixed(5e-4, until), 2e-5),
            ("hht-i3, 1e-7", hht.tolerance(1e-7, until), 3e-4),
            ("bdf si2, 1e-10", bdf.tolerance(1e-10, until), 1e-7),
        ];
        for (name, settings, position_bound) in studies {
            let velocity_bound = steepness * position_bound;
            for coordinates in [Coordinates::Quaternion, Coordinates::Euler] {
                let (mut system, initial) = slider_crank(coordinates);
                let state = run_system(&mut system, &initial, &settings)?.state;
                let slider = system.equations().bodies()[SLIDER].first;
                let (position, velocity) =
                    ((state.q[slider] - x).abs(), (state.v[slider] - v).abs());
                let what = format!("t = {until}, {name}, {coordinates:?}");
                findings.at_most(format!("{what}: position error"), position, position_bound);
                findings.at_most(format!("{what}: velocity error"), velocity, velocity_bound);
                let cells = [format!("{until}"), name.to_owned(), format!("{coordinates:?}")];
                rows.push([cells.to_vec(), vec![short(position), short(velocity)]].concat());
            }
        }
    }
    let columns = ["t", "method", "coordinates", "position error", "velocity error"];
    findings.table("Slider against the reference", &columns, rows);
    Ok(())
}
