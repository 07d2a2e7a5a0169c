//! `[output]`: what is recorded, and the recorded curves.

use nalgebra::Vector3;
use rotula_dae::{Names, State, Table as Numbers, Trajectory};
use rotula_mechanics::control::SensorId;
use rotula_mechanics::node::NodeKind;
use rotula_mechanics::picture::Sketch;
use rotula_mechanics::{Assembly, JointId, Model};
use rotula_reading::{Item, ModelError, Scope, Table, Value, did_you_mean};

/// Which things are recorded, by their place in the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Bodies whose motion is recorded.
    pub bodies: Vec<usize>,
    /// Joints whose coordinates are recorded.
    pub joints: Vec<usize>,
    /// Joints whose reactions are recorded.
    pub reactions: Vec<usize>,
    /// Most rows of the table of contacts, if the file says so.
    pub contact_rows: Option<usize>,
}

impl Recorded {
    /// Reads the section; everything is recorded that it does not mention.
    /// Of beams these are the ends: `inner` nodes are recorded only by name.
    pub(crate) fn read(
        document: &Table,
        model: &Model,
        inner: &[usize],
        scope: &mut Scope,
    ) -> Result<Self, ModelError> {
        let bodies = model.bodies().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        let joints = model.joints().iter().map(|joint| joint.name.as_str()).collect::<Vec<_>>();
        let item = |key: &str| document.get("output").and_then(|output| output.field(key, None));
        let named = |key: &str| matches!(item(key).map(|item| &item.value), Some(Value::List(_)));
        // the ground has no motion
        let mut moving = chosen(item("bodies"), "body", &bodies, 1)?;
        if !named("bodies") {
            moving.retain(|node| !inner.contains(node));
        }
        Ok(Recorded {
            bodies: moving,
            joints: chosen(item("joints"), "joint", &joints, 0)?,
            reactions: chosen(item("reactions"), "joint", &joints, 0)?,
            contact_rows: item("contact_rows").map(|item| rows(item, scope)).transpose()?,
        })
    }
}

/// A number of rows: whole and not negative.
fn rows(item: &Item, scope: &mut Scope) -> Result<usize, ModelError> {
    let number = scope.constant(item, "output.contact_rows")?;
    if number >= 0.0 && number.fract() == 0.0 && number < 1e15 {
        return Ok(number as usize);
    }
    let message = format!("output.contact_rows is {number}");
    Err(ModelError::new(&item.place, message).with_help("it must be a whole number, 0 or more"))
}

fn chosen(
    item: Option<&Item>,
    what: &str,
    known: &[&str],
    first: usize,
) -> Result<Vec<usize>, ModelError> {
    match item.map(|item| &item.value) {
        Some(Value::Boolean(false)) => Ok(Vec::new()),
        Some(Value::List(items)) => {
            let find = |item: &Item| {
                let name = item.text().unwrap_or_default();
                let found = (first..known.len()).find(|&k| known[k] == name);
                found.ok_or_else(|| {
                    ModelError::new(&item.place, format!("there is no {what} `{name}`"))
                        .with_help(did_you_mean(name, known[first..].to_vec()))
                })
            };
            items.iter().map(find).collect()
        }
        _ => Ok((first..known.len()).collect()),
    }
}

/// Curves that belong together, at the recorded times.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// What they are.
    pub title: &'static str,
    /// Their names, such as `crank.x`.
    pub names: Vec<String>,
    /// Their units; empty where there is none or it is not known.
    pub units: Vec<&'static str>,
    /// One row per recorded time.
    pub table: Numbers,
}

/// What a curve reads at a state.
enum Reading {
    /// The position (0 to 2) or orientation (3 to 6) of a body, world axes.
    Place(usize, usize),
    /// The velocity (0 to 2) or angular velocity (3 to 5) of a body, world axes.
    Motion(usize, usize),
    Sensor(SensorId),
    /// Force (0 to 2) or moment (3 to 5) of a joint.
    Reaction(JointId, usize),
    State(usize),
    Variable(usize),
    /// Von Mises stress of a flexible body at a node of its mesh, both by their places.
    Stress(usize, usize),
}

/// The readings of one group.
#[derive(Default)]
struct Group {
    title: &'static str,
    curves: Vec<(String, &'static str, Reading)>,
}

/// Reads the recorded curves at single states, by name.
pub struct Probe {
    model: Model,
    sketch: Sketch,
    assembly: Assembly,
    readings: Vec<(String, Reading)>,
}

impl Probe {
    pub(crate) fn new(
        (model, sketch): (&Model, &Sketch),
        recorded: &Recorded,
        assembly: Assembly,
    ) -> Self {
        let names = Names::of(&assembly);
        let groups = groups(model, sketch, recorded).into_iter().chain([unknowns(model, &names)]);
        let curves = groups.flat_map(|group| group.curves);
        let readings = curves.map(|(name, _, reading)| (name, reading)).collect();
        Probe { model: model.clone(), sketch: sketch.clone(), assembly, readings }
    }

    /// The names of all curves.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.readings.iter().map(|(name, _)| name.as_str())
    }

    /// The value of a curve at a state, by its place among the names.
    pub fn read(&mut self, curve: usize, state: &State) -> f64 {
        value(&self.readings[curve].1, (&self.model, &self.sketch), &mut self.assembly, state)
    }
}

/// All recorded curves along a trajectory, by group.
pub(crate) fn curves(
    (model, sketch): (&Model, &Sketch),
    recorded: &Recorded,
    assembly: &mut Assembly,
    trajectory: &Trajectory,
) -> Vec<Curves> {
    let mut groups = groups(model, sketch, recorded);
    groups.insert(1, unknowns(model, &trajectory.names));
    let mut curves: Vec<Curves> = groups
        .iter()
        .map(|group| Curves {
            title: group.title,
            names: group.curves.iter().map(|(name, ..)| name.clone()).collect(),
            units: group.curves.iter().map(|(_, unit, _)| *unit).collect(),
            table: Numbers::new(group.curves.len()),
        })
        .collect();
    let mut state = State::zeros(trajectory.sizes);
    for row in 0..trajectory.len() {
        load(trajectory, row, &mut state);
        for (group, curves) in groups.iter().zip(&mut curves) {
            let read = |(_, _, reading): &(_, _, Reading)| {
                value(reading, (model, sketch), assembly, &state)
            };
            let values: Vec<f64> = group.curves.iter().map(read).collect();
            curves.table.push(&values);
        }
    }
    curves.retain(|curves| !curves.names.is_empty());
    curves
}

/// The state recorded in a row.
pub(crate) fn load(trajectory: &Trajectory, row: usize, state: &mut State) {
    state.t = trajectory.times[row];
    for (to, from) in [
        (&mut state.q, &trajectory.q),
        (&mut state.v, &trajectory.v),
        (&mut state.vdot, &trajectory.vdot),
        (&mut state.multipliers, &trajectory.multipliers),
        (&mut state.x, &trajectory.x),
        (&mut state.xdot, &trajectory.xdot),
        (&mut state.y, &trajectory.y),
    ] {
        to.copy_from_slice(from.row(row));
    }
}

const PLACES: [&str; 7] = ["x", "y", "z", "qw", "qx", "qy", "qz"];
const MOTIONS: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];
const REACTIONS: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

fn groups(model: &Model, sketch: &Sketch, recorded: &Recorded) -> Vec<Group> {
    let group = |title| Group { title, curves: Vec::new() };
    let mut sensors = group("Sensors");
    let mut joints = group("Joint coordinates");
    let mut rates = group("Joint velocities");
    let mut positions = group("Positions of bodies");
    let mut orientations = group("Orientations of bodies");
    let mut velocities = group("Velocities of bodies");
    let mut turning = group("Angular velocities of bodies");
    let mut forces = group("Reaction forces");
    let mut moments = group("Reaction moments");

    let mut of_joints = Vec::new();
    for (k, joint) in model.joints().iter().enumerate() {
        for (word, _) in &joint.coordinates {
            let (metre, second) = match *word {
                "displacement" | "length" | "x" | "y" => ("m", "m/s"),
                _ => ("rad", "rad/s"),
            };
            let name = format!("{}.{word}", joint.name);
            for (name, unit, to) in [
                (name.clone(), metre, &mut joints),
                (format!("{name}_velocity"), second, &mut rates),
            ] {
                let Some(id) = model.find_sensor(&name) else { continue };
                if recorded.joints.contains(&k) {
                    to.curves.push((name.clone(), unit, Reading::Sensor(id)));
                }
                of_joints.push(name);
            }
        }
    }
    for name in model.sensor_names().filter(|name| !of_joints.iter().any(|own| own == name)) {
        let Some(id) = model.find_sensor(name) else { continue };
        sensors.curves.push((name.to_owned(), "", Reading::Sensor(id)));
    }
    for &k in &recorded.bodies {
        let (name, body) = &model.bodies()[k];
        let turns = !matches!(body.kind, NodeKind::Point);
        let named = |part: &str| format!("{name}.{part}");
        for (i, part) in PLACES.iter().enumerate() {
            match i {
                0..3 => positions.curves.push((named(part), "m", Reading::Place(k, i))),
                _ if turns => orientations.curves.push((named(part), "", Reading::Place(k, i))),
                _ => {}
            }
        }
        for (i, part) in MOTIONS.iter().enumerate() {
            match i {
                0..3 => velocities.curves.push((named(part), "m/s", Reading::Motion(k, i))),
                _ if turns => turning.curves.push((named(part), "rad/s", Reading::Motion(k, i))),
                _ => {}
            }
        }
    }
    for &k in &recorded.reactions {
        let Some(joint) = model.joint_id(k) else { continue };
        for (i, part) in REACTIONS.iter().enumerate() {
            let name = format!("{}.{part}", model.joints()[k].name);
            let (to, unit) = if i < 3 { (&mut forces, "N") } else { (&mut moments, "N m") };
            to.curves.push((name, unit, Reading::Reaction(joint, i)));
        }
    }
    let mut stresses = group("Von Mises stress");
    for (k, bent) in sketch.flexible.iter().enumerate() {
        for &node in &bent.watched {
            let label = bent.laid.shapes.surface.labels[node];
            let name = format!("{}.stress{label}", bent.name);
            stresses.curves.push((name, "Pa", Reading::Stress(k, node)));
        }
    }
    let bodies = [positions, orientations, velocities, turning, forces, moments];
    [sensors, joints, rates, stresses].into_iter().chain(bodies).collect()
}

/// States, and variables that are not readings of sensors.
fn unknowns(model: &Model, names: &Names) -> Group {
    let states = names.states.iter().enumerate().map(|(i, n)| (n, Reading::State(i)));
    let variables = names.variables.iter().enumerate().map(|(i, n)| (n, Reading::Variable(i)));
    let own = variables.filter(|(name, _)| model.find_sensor(name).is_none());
    let curves = states.chain(own).map(|(name, reading)| (name.clone(), "", reading)).collect();
    Group { title: "States and variables", curves }
}

fn value(
    reading: &Reading,
    (model, sketch): (&Model, &Sketch),
    assembly: &mut Assembly,
    state: &State,
) -> f64 {
    match *reading {
        Reading::Stress(k, node) => {
            let bent = &sketch.flexible[k];
            let q = bent.amplitudes(&|node| assembly.node_frame(node, &state.q));
            bent.laid.shapes.surface.history(node, &[q])[0]
        }
        Reading::Sensor(sensor) => assembly.read_sensor(sensor, state),
        Reading::State(i) => state.x[i],
        Reading::Variable(i) => state.y[i],
        Reading::Reaction(joint, i) => {
            let (force, moment) = assembly.reaction(joint, state);
            if i < 3 { force[i] } else { moment[i - 3] }
        }
        Reading::Place(node, i) => {
            let frame = assembly.node_frame(node, &state.q);
            // the node is the centre of mass
            let centre = model.bodies()[node].1.mass.centre;
            let origin = frame.position - frame.orientation.rotate(&centre);
            if i < 3 { origin[i] } else { frame.orientation.to_array()[i - 3] }
        }
        Reading::Motion(node, i) => {
            let motion = assembly.motion(node, &state.point());
            let centre = model.bodies()[node].1.mass.centre;
            let local: Vector3<f64> =
                if i < 3 { motion.velocity - motion.omega.cross(&centre) } else { motion.omega };
            (motion.rotation * local)[i % 3]
        }
    }
}
