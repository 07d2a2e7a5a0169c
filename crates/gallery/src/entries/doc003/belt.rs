//! The poly-V belt: 105 bodies, 100 of them segments of a belt with cords between them and contacts with four pulleys.
//!
//! All published counts are met. The data are those of our sheet, since the paper gives none; so are the figures to compare
//! with: the path, and the state that two methods find with tight tolerances after 2 ms.

use super::industrial::{Finished, WORK, mechanism, value_of};
use super::support::{number, numbers, reference};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use rotula_dae::System;
use rotula_mechanics::force::{Bushing, Contact};
use rotula_mechanics::quantity::Quantity;
use rotula_model::Mechanism;

pub(super) const ENTRY: Entry = Entry {
    name: "belt",
    document: "003",
    title: "The poly-V belt: 105 bodies, 3062 equations by the count of the paper",
    run,
};

const MODEL: &str = include_str!("../../../../../examples/models/poly_v_belt.toml");
const FILE: &str = "poly_v_belt.toml";
const REFERENCE: &str = include_str!("../../../../../gallery/belt/reference.json");

/// What the paper calls equations: coordinates and reactions, components of forces, states and variables.
struct Counts {
    bodies: usize,
    joints: usize,
    coordinates: usize,
    reactions: usize,
    /// Three components of each cord and of each contact, and one of whatever turns a joint.
    components: usize,
    states: usize,
    variables: usize,
}

impl Counts {
    fn of(mechanism: &Mechanism) -> Self {
        let offers = |quantities: &[Quantity]| {
            let forces = mechanism.model.forces().iter();
            forces.filter(|(_, force)| force.quantities() == quantities).count()
        };
        let spatial = offers(Bushing::all_quantities()) + offers(Contact::all_quantities());
        let on_joints = mechanism.model.forces().len() - spatial;
        let sizes = mechanism.system().sizes();
        Counts {
            // the ground does not move
            bodies: mechanism.model.bodies().len() - 1,
            joints: mechanism.model.joints().len(),
            coordinates: sizes.motion,
            reactions: sizes.multipliers(),
            components: 3 * spatial + on_joints,
            states: sizes.states,
            // the largest and the smallest tension
            variables: ["tightest", "slackest"]
                .iter()
                .filter(|name| mechanism.probe().names().any(|own| own == **name))
                .count(),
        }
    }

    fn equations(&self) -> usize {
        self.coordinates + self.reactions + self.components + self.states + self.variables
    }
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let belt = mechanism(MODEL, FILE, &[])?;
    let counts = Counts::of(&belt);
    let mut exactly = |what: &str, value: usize, published: usize| {
        findings.near(what, value as f64, published as f64, 0.0);
    };
    exactly("bodies", counts.bodies, 105);
    exactly("joints", counts.joints, 5);
    exactly("coordinates", counts.coordinates, 630);
    exactly("reactions", counts.reactions, 25);
    exactly("components of forces", counts.components, 2404);
    exactly("equations", counts.equations(), 3062);
    let fine = mechanism(MODEL, FILE, &[("parameters.n", "600")])?;
    exactly("equations of 600 segments", Counts::of(&fine).equations(), 18_062);
    // the paths of two numbers of segments differ only in how segments lie about arcs
    for (belt, group) in [(&belt, "/path"), (&fine, "/path_of_600")] {
        let printed = data.pointer(group).and_then(|group| group.as_object());
        for name in printed.into_iter().flat_map(|printed| printed.keys()) {
            let value = value_of(belt, name);
            // the value as printed, and how far ours may be off
            let expected = numbers(&data, &format!("{group}/{name}"))?;
            findings.near(format!("{name} of the path"), value, expected[0], expected[1]);
        }
    }

    let mut rows = Vec::new();
    let studies = [
        ("hht-i3", [("solve.formulation", "hht-i3"), ("solve.tolerance", "1e-5")]),
        ("ggl", [("solve.formulation", "ggl"), ("solve.tolerance", "1e-5")]),
    ];
    for (name, overrides) in studies {
        let finished = Finished::run(&mechanism(MODEL, FILE, &overrides)?)?;
        for (curve, key, tolerance) in [
            ("alternator_shaft.angle_velocity", "/end/alternator_speed", "/bound/speed"),
            ("crankshaft.angle_velocity", "/end/crank_speed", "/bound/speed"),
            ("pivot.angle", "/end/arm_angle", "/bound/angle"),
            ("tightest", "/end/tightest", "/bound/tension"),
            ("slackest", "/end/slackest", "/bound/tension"),
        ] {
            let (expected, tolerance) = (number(&data, key)?, number(&data, tolerance)?);
            findings.near(
                format!("{name}: {curve} at 2 ms"),
                finished.last(curve),
                expected,
                tolerance,
            );
        }
        rows.push(finished.work(name));
    }
    findings.table("2 ms with a tolerance of 1e-5", &WORK, rows);
    findings.note("`python3 benches/industrial.py belt` compares all methods over longer times.");
    Ok(())
}
