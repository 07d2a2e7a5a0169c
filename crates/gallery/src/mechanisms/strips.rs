//! Structures of several beams: the right-angle frame, a strip that buckles sideways, and a shaft.

use crate::entry::GalleryError;
use crate::mechanisms::connect;
use crate::study::smallest;
use nalgebra::Vector3;
use rotula_dae::analysis::{Relaxation, modes, statics};
use rotula_mechanics::element::{BeamLine, Section};
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::joint::{Cylindrical, Fixed, Revolute, Spherical};
use rotula_mechanics::{
    Body, BodyId, GROUND, JointId, Marker, MassProperties, Model, ModelError, TimeFunction,
};

/// Lays a straight beam and gives its nodes.
fn lay(
    model: &mut Model,
    name: &str,
    ends: [Vector3<f64>; 2],
    (elements, each): (usize, usize),
    section: &Section,
    held: Option<BodyId>,
) -> Result<Vec<Marker>, ModelError> {
    // the z axis of upright beams is the world's x axis
    let along = ends[1] - ends[0];
    let up = if along.z.abs() > 0.9 * along.norm() { Vector3::x() } else { Vector3::z() };
    let line = BeamLine::straight(ends[0], ends[1], up, elements * (each - 1) + 1)?
        .with_section(section.clone())
        .with_nodes_per_element(each)
        .held_by(held, None);
    Ok(model.beam(name, &line)?.nodes)
}

fn push(model: &mut Model, at: Marker, force: Vector3<f64>) -> Result<(), ModelError> {
    let force = [force.x, force.y, force.z].map(Amplitude::Constant);
    let none = [Amplitude::Constant(0.0); 3];
    model.force("load", Load::new(at, Axes::World, force, none))
}

/// The frame of Argyris: two thin legs at a right angle, clamped, pushed at its free end in its plane.
pub(crate) fn right_angle_frame(mesh: (usize, usize), load: f64) -> Result<Model, ModelError> {
    let (length, thin, wide, young): (f64, f64, f64, f64) = (0.24, 0.0006, 0.03, 7.124e10);
    let (shear, area) = (young / 2.62, thin * wide);
    let stiffness = [
        young * area,
        shear * area,
        shear * area,
        shear * wide * thin.powi(3) / 3.0,
        young * wide * thin.powi(3) / 12.0,
        young * thin * wide.powi(3) / 12.0,
    ];
    let section = Section::diagonal(stiffness, 1.0, Vector3::new(1.0, 0.5, 0.5) * 1e-4);
    let mut model = Model::new();
    let corner = Vector3::new(length, 0.0, 0.0);
    let ends = [Vector3::zeros(), corner];
    let leg = lay(&mut model, "leg", ends, mesh, &section, Some(GROUND))?;
    let held = model.body_id(leg[leg.len() - 1].node);
    let ends = [corner, corner - Vector3::new(0.0, length, 0.0)];
    let arm = lay(&mut model, "arm", ends, mesh, &section, Some(held))?;
    push(&mut model, arm[arm.len() - 1], Vector3::new(load, 0.0, 0.0))?;
    Ok(model)
}

/// How much stiffer the strip is up than sideways.
pub(crate) const STIFFER: f64 = 1e3;

/// A clamped strip of 1 m that a load at its tip bends about its stiff axis; EI and GJ of its soft motions.
pub(crate) fn strip(
    mesh: (usize, usize),
    [bending, torsion]: [f64; 2],
    load: f64,
) -> Result<Model, ModelError> {
    // hardly any shear
    let rigid = STIFFER * bending;
    let stiffness = [1e2 * rigid, 1e2 * rigid, 1e2 * rigid, torsion, rigid, bending];
    let section = Section::diagonal(stiffness, 1.0, Vector3::new(1.0, 0.5, 0.5) * 1e-4);
    let mut model = Model::new();
    let ends = [Vector3::zeros(), Vector3::x()];
    let nodes = lay(&mut model, "strip", ends, mesh, &section, Some(GROUND))?;
    push(&mut model, nodes[nodes.len() - 1], Vector3::new(0.0, 0.0, -load))?;
    Ok(model)
}

/// The load near some guess at which an equilibrium loses its stability: where the square of the lowest rate of
/// vibration, which is smooth in the load, is zero.
pub(crate) fn critical_load(
    [low, high]: [f64; 2],
    model: impl Fn(f64) -> Result<Model, ModelError>,
) -> Result<f64, GalleryError> {
    let square = |load: f64| -> Result<f64, GalleryError> {
        let mut system = model(load)?.assemble()?;
        let start = system.start();
        let rest = statics(&mut system, &start, Relaxation::Never)?;
        let found = modes(&mut system, &rest.state)?;
        let squares = found.modes.iter().map(|mode| {
            let [real, imaginary] = mode.eigenvalue;
            imaginary * imaginary - real * real
        });
        Ok(smallest(squares))
    };
    let (mut before, mut at) = ((low, square(low)?), (high, square(high)?));
    for _ in 0..6 {
        let next = at.0 - at.1 * (at.0 - before.0) / (at.1 - before.1);
        if (next / at.0 - 1.0).abs() < 1e-3 {
            break;
        }
        (before, at) = (at, (next, square(next)?));
    }
    // next to zero the lowest rate drowns in rounding: it is interpolated from a little farther away
    let loads = [0.98, 0.99, 1.01].map(|part| part * at.0);
    let [a, b, c] = [square(loads[0])?, square(loads[1])?, square(loads[2])?];
    Ok(loads[0] * b * c / ((a - b) * (a - c))
        + loads[1] * a * c / ((b - a) * (b - c))
        + loads[2] * a * b / ((c - a) * (c - b)))
}

fn turn(model: &mut Model, joint: JointId, angle: &str) -> Result<(), ModelError> {
    let angle = TimeFunction::formula(angle)
        .map_err(|error| ModelError::invalid("drive", error.to_string()))?;
    let coordinate = model.coordinate(joint, "angle")?;
    model.drive("drive", coordinate, angle)
}

/// The thin cantilever of Bauchau et al. (2016) that a crank pushes up, and its middle node. Each third part
/// has elements of `each` nodes: so many, a quarter of them, and one.
pub(crate) fn lateral_buckling(
    (elements, each): (usize, usize),
    beside: f64,
) -> Result<(Model, usize), ModelError> {
    let blade = Section::diagonal(
        [73e6, 5.025e6, 23.4e6, 877.2, 60830.0, 608.3],
        2.68,
        Vector3::new(2255.33e-6, 2233e-6, 22.33e-6),
    );
    let round = |stiffness: [f64; 4], mass: f64, inertia: f64| {
        let [stretch, shear, torsion, bending] = stiffness;
        let stiffness = [stretch, shear, shear, torsion, bending, bending];
        Section::diagonal(stiffness, mass, Vector3::new(2.0, 1.0, 1.0) * inertia)
    };
    let link = round([33.02e6, 10.81e6, 914.5, 1189.0], 1.212, 43.65e-6);
    let crank = round([132.1e6, 43.22e6, 14630.0, 19020.0], 4.85, 698.3e-6);
    let mut model = Model::new();
    let tip = Vector3::new(1.0, beside, 0.0);
    let pin = tip - Vector3::z() * 0.25;
    let axle = pin - Vector3::x() * 0.05;
    let ends = [Vector3::zeros(), Vector3::x()];
    let blade = lay(&mut model, "blade", ends, (elements, each), &blade, Some(GROUND))?;
    let link = lay(&mut model, "link", [tip, pin], (elements.div_ceil(4), each), &link, None)?;
    let crank = lay(&mut model, "crank", [pin, axle], (1, each), &crank, None)?;
    let id = |model: &Model, nodes: &[Marker], k: usize| model.body_id(nodes[k].node);
    let (last, above) = (id(&model, &blade, blade.len() - 1), id(&model, &link, 0));
    connect(&mut model, "tip", &Spherical, [last, above], (tip, Vector3::z()))?;
    let (below, first) = (id(&model, &link, link.len() - 1), id(&model, &crank, 0));
    connect(&mut model, "pin", &Revolute, [below, first], (pin, Vector3::y()))?;
    let end = id(&model, &crank, crank.len() - 1);
    let hinge = connect(&mut model, "axle", &Revolute, [GROUND, end], (axle, Vector3::y()))?;
    turn(&mut model, hinge, "-if(t < 0.4, pi/2*(1 - cos(pi*t/0.4)), pi)")?;
    Ok((model, blade[blade.len() / 2].node))
}

/// The shaft of the same authors with its eccentric disc, and its middle node; it turns by an angle.
pub(crate) fn shaft(
    mesh: (usize, usize),
    angle: &str,
    gravity: f64,
) -> Result<(Model, usize), ModelError> {
    let pi = std::f64::consts::PI;
    let (outer, inner, density) = (0.05_f64, 0.045_f64, 7800.0);
    let spin = density * pi / 2.0 * (outer.powi(4) - inner.powi(4));
    let section = Section::diagonal(
        [313.4e6, 60.5e6, 60.5e6, 272.7e3, 354.5e3, 354.5e3],
        density * pi * (outer * outer - inner * inner),
        Vector3::new(1.0, 0.5, 0.5) * spin,
    );
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -gravity);
    let end = Vector3::x() * 6.0;
    let nodes = lay(&mut model, "shaft", [Vector3::zeros(), end], mesh, &section, None)?;
    let (mass, radius, thick) = (DISC, 0.24_f64, 0.05_f64);
    let across = mass * (radius * radius / 4.0 + thick * thick / 12.0);
    let inertia = Vector3::new(mass * radius * radius / 2.0, across, across);
    let place = Vector3::new(3.0, 0.0, 0.05);
    let disc = Body::rigid(MassProperties::principal(mass, inertia)).at(place);
    let disc = model.body("disc", disc)?;
    let middle = nodes[nodes.len() / 2].node;
    let [first, half, last] =
        [nodes[0].node, middle, nodes[nodes.len() - 1].node].map(|node| model.body_id(node));
    let hinge = connect(
        &mut model,
        "driven",
        &Revolute,
        [GROUND, first],
        (Vector3::zeros(), Vector3::x()),
    )?;
    connect(&mut model, "free", &Cylindrical, [GROUND, last], (end, Vector3::x()))?;
    connect(&mut model, "fit", &Fixed, [half, disc], (place, Vector3::x()))?;
    turn(&mut model, hinge, angle)?;
    Ok((model, middle))
}

/// Mass of the disc of the shaft.
pub(crate) const DISC: f64 = 70.573;
