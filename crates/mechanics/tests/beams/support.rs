//! Cantilevers, loads at their tips, equilibria and tables of convergence.

use nalgebra::{Vector3, Vector6};
use rotula_dae::State;
use rotula_dae::analysis::{Equilibrium, Relaxation, statics};
use rotula_lie::Frame;
use rotula_mechanics::element::{BeamLine, LaidBeam, Section};
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::{
    Assembly, Body, BodyId, GROUND, Marker, MassProperties, Model, TimeFunction,
};

/// A straight beam along x that starts at the origin, clamped there.
pub fn straight(length: f64, elements: usize, each: usize, section: &Section) -> BeamLine {
    curved(length, elements, each, section, Vector3::zeros())
}

/// The same with a curvature.
pub fn curved(
    length: f64,
    elements: usize,
    each: usize,
    section: &Section,
    curvature: Vector3<f64>,
) -> BeamLine {
    let k = curvature;
    let strain = Vector6::new(1.0, 0.0, 0.0, k.x, k.y, k.z);
    let nodes = elements * (each - 1) + 1;
    BeamLine::along(Frame::identity(), &strain, length, nodes)
        .with_section(section.clone())
        .with_nodes_per_element(each)
        .held_by(Some(GROUND), None)
}

/// How large a load is at a time.
pub const GROWING: &str = "min(t, 1)";
pub const SUDDEN: &str = "1";

/// A load that keeps its direction.
pub fn push(model: &mut Model, at: Marker, [force, moment]: [Vector3<f64>; 2], factor: &str) {
    let mut three = |v: Vector3<f64>| {
        [v.x, v.y, v.z].map(|x| {
            let function = TimeFunction::formula(&format!("({x:e})*{factor}")).unwrap();
            Amplitude::Function(model.function(function).index())
        })
    };
    let (force, moment) = (three(force), three(moment));
    let load = Load::new(at, Axes::World, force, moment);
    model.force("tip load", load).unwrap();
}

/// A beam with a load at its tip.
pub struct Cantilever {
    pub model: Model,
    pub beam: LaidBeam,
}

impl Cantilever {
    /// With a load that is whole at t = 1.
    pub fn new(line: &BeamLine, force: Vector3<f64>, moment: Vector3<f64>) -> Self {
        Cantilever::with_load(line, [force, moment], GROWING)
    }

    pub fn with_load(line: &BeamLine, load: [Vector3<f64>; 2], factor: &str) -> Self {
        let mut model = Model::new();
        let beam = model.beam("beam", line).unwrap();
        push(&mut model, *beam.nodes.last().unwrap(), load, factor);
        Cantilever { model, beam }
    }

    /// The equilibrium under the whole load, reached in equal steps of it.
    pub fn rest(&self, steps: usize) -> (Assembly, Equilibrium) {
        let mut system = self.model.assemble().unwrap();
        let mut state = system.start();
        for k in 1..=steps {
            state.t = k as f64 / steps as f64;
            let rest = statics(&mut system, &state, Relaxation::Never).unwrap();
            println!("  load {:.2}: {}", state.t, rest.path.join(", "));
            if k == steps {
                return (system, rest);
            }
            state = rest.state;
        }
        panic!("at least one step");
    }

    pub fn node(&self, k: usize, system: &Assembly, state: &State) -> Frame {
        let marker = self.beam.nodes[k];
        system.node_frame(marker.node, &state.q) * marker.frame
    }

    pub fn tip(&self, system: &Assembly, state: &State) -> Frame {
        self.node(self.beam.nodes.len() - 1, system, state)
    }

    /// Displacement of the tip in equilibrium.
    pub fn deflection(&self) -> Vector3<f64> {
        let (system, rest) = self.rest(1);
        let start = self.tip(&system, &system.start()).position;
        self.tip(&system, &rest.state).position - start
    }
}

/// Prints a table of errors by number of elements and gives the last observed order.
pub fn table(what: &str, errors: &[(usize, f64)]) -> f64 {
    println!("{what}");
    let mut order = f64::NAN;
    for (k, (n, error)) in errors.iter().enumerate() {
        if k > 0 {
            let (m, before) = errors[k - 1];
            order = (before / error).ln() / (*n as f64 / m as f64).ln();
            println!("  {n:4} elements: error {error:.3e}, order {order:.2}");
        } else {
            println!("  {n:4} elements: error {error:.3e}");
        }
    }
    order
}

/// A hub that is driven about z, and spins from the start.
pub fn hub(model: &mut Model, speed: f64) -> BodyId {
    let hub = MassProperties::principal(1.0, Vector3::new(1.0, 1.0, 1.0));
    let hub = Body::rigid(hub).moving(Vector3::zeros(), Vector3::z() * speed);
    let hub = model.body("hub", hub).unwrap();
    let axle = model.frame(Vector3::zeros(), Vector3::z());
    let (a, b) = (model.marker_at(GROUND, axle), model.marker_at(hub, axle));
    let hinge = model.joint("axle", &Revolute, a, b).unwrap();
    let angle = model.coordinate(hinge, "angle").unwrap();
    model.drive("spin", angle, TimeFunction::formula(&format!("{speed}*t")).unwrap()).unwrap();
    hub
}
