//! A slider crank whose rod bends, of bodies and joints. [Yen et al. 1998, sheet §4.3]

use super::{connect, pin};
use nalgebra::Vector3;
use rotula_elastic::{BeamFrame, LinearBeam};
use rotula_lie::Frame;
use rotula_mechanics::element::{BeamLine, Flexible, LaidFlexible, Section};
use rotula_mechanics::error::Refusal;
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::joint::Prismatic;
use rotula_mechanics::{Body, BodyId, GROUND, Model, ModelError, TimeFunction};

const CRANK: f64 = 0.15;
/// Length of the rod.
pub const ROD: f64 = 0.30;
const YOUNG: f64 = 0.2e12;
const POISSON: f64 = 0.3;
const WIDTH: f64 = 0.008;
const MASS: f64 = 0.151104;

/// The mechanism and where its parts are.
#[derive(Clone, Debug)]
pub struct SliderCrank {
    /// Bodies, joints and the torque.
    pub model: Model,
    /// The crank.
    pub crank: BodyId,
    /// The slider.
    pub slider: BodyId,
    /// The rod, where it is a body on a floating frame.
    pub rod: Option<LaidFlexible>,
}

/// The rod as a linear beam of four elements on a frame that is tangent to it at the crank pin. Rotary
/// inertia acts in motions of the whole rod alone: J₂ = m₂l₂²/3 + m₂h²/12.
fn linear_rod() -> LinearBeam {
    let per_length = MASS / ROD;
    LinearBeam {
        length: ROD,
        mass: per_length,
        bending: [Some(YOUNG * WIDTH.powi(4) / 12.0), None],
        shear: None,
        rotary: Vector3::new(2.0, 1.0, 1.0) * (per_length * WIDTH * WIDTH / 12.0),
        elements: 4,
        frame: BeamFrame::Tangent,
        damping: 0.0,
    }
}

fn ends() -> [Vector3<f64>; 2] {
    [CRANK, CRANK + ROD].map(|x| Vector3::new(x, 0.0, 0.0))
}

/// With the rod on a floating frame.
pub fn floating() -> Result<SliderCrank, ModelError> {
    let mut model = Model::new();
    let body = linear_rod()
        .body()
        .map_err(|error| ModelError::invalid("rod", Refusal::new(error.message(), error.help())))?;
    let rod = Flexible::new(body).at_frame(Frame::new(ends()[0], Default::default())).in_plane();
    let rod = model.flexible("rod", &rod)?;
    let [start, end] = [0, 1].map(|k| rod.interfaces[k].1);
    let (crank, slider) = rest(&mut model, [start, end])?;
    Ok(SliderCrank { model, crank, slider, rod: Some(rod) })
}

/// With the rod of geometrically exact beams of three nodes.
pub fn exact(elements: usize) -> Result<SliderCrank, ModelError> {
    let mut model = Model::new();
    let (area, second) = (WIDTH * WIDTH, WIDTH.powi(4) / 12.0);
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    let shear_area = 5.0 / 6.0 * shear * area;
    let (stretch, bend) = (YOUNG * area, YOUNG * second);
    let per_length = MASS / ROD;
    let section = Section::diagonal(
        [stretch, shear_area, shear_area, shear * 0.1406 * area * area, bend, bend],
        per_length,
        Vector3::new(2.0, 1.0, 1.0) * (per_length * WIDTH * WIDTH / 12.0),
    );
    let [from, to] = ends();
    let line = BeamLine::straight(from, to, Vector3::z(), 2 * elements + 1)?;
    let laid = model.beam("rod", &line.with_section(section).with_nodes_per_element(3))?;
    let [start, end] = [0, 2 * elements].map(|k| model.body_id(laid.nodes[k].node));
    let (crank, slider) = rest(&mut model, [start, end])?;
    Ok(SliderCrank { model, crank, slider, rod: None })
}

/// Crank, slider, pins, guide and the torque.
fn rest(model: &mut Model, rod: [BodyId; 2]) -> Result<(BodyId, BodyId), ModelError> {
    let [knee, end] = ends();
    let origin = Vector3::zeros();
    let crank = model.body("crank", Body::planar(0.36, 0.002727))?;
    // it does not turn, so its inertia is of no account
    let slider = model.body("slider", Body::planar(0.075552, 1e-3).at(end))?;
    pin(model, "main bearing", [GROUND, crank], origin)?;
    pin(model, "crank pin", [crank, rod[0]], knee)?;
    pin(model, "piston pin", [rod[1], slider], end)?;
    connect(model, "guide", &Prismatic, [GROUND, slider], (end, Vector3::x()))?;
    let zero = Amplitude::Constant(0.0);
    let torque = model.function(TimeFunction::formula("if(t < 0.3, 0.2, 0)")?);
    let moment = [zero, zero, Amplitude::Function(torque.index())];
    let marker = model.marker(crank, Frame::identity());
    model.force("torque", Load::new(marker, Axes::World, [zero; 3], moment))?;
    Ok((crank, slider))
}
