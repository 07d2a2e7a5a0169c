//! The recorded curves.

use crate::offers::Source;
use crate::recorded::Recorded;
use rotula_dae::{Names, State, Table as Numbers, Trajectory};
use rotula_mechanics::assembly::Look;
use rotula_mechanics::control::SensorId;
use rotula_mechanics::node::NodeKind;
use rotula_mechanics::picture::Sketch;
use rotula_mechanics::quantity::REACTION;
use rotula_mechanics::{Assembly, JointId, Model};
use std::collections::HashSet;

/// Curves that belong together, at the recorded times.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// What they are.
    pub title: &'static str,
    /// Their place on the page: least first.
    pub place: usize,
    /// Their names, such as `crank.x`.
    pub names: Vec<String>,
    /// Their units; empty where there is none or it is not known.
    pub units: Vec<&'static str>,
    /// One row per recorded time.
    pub table: Numbers,
}

/// What is looked at once for a row, and gives one number or several.
enum Reading {
    /// Position (0 to 2) and orientation (3 to 6) of a body, its velocity (7 to 9) and angular velocity
    /// (10 to 12); world axes.
    Body(usize),
    Sensor(SensorId),
    /// Force (0 to 2) and moment (3 to 5) of a joint.
    Reaction(JointId),
    /// All quantities of a force.
    Force(usize),
    /// Force and moment of a beam or cable on what holds it.
    Attachment(usize),
    State(usize),
    Variable(usize),
    /// Von Mises stress of a flexible body at nodes of its mesh, all by their places.
    Stress(usize, Vec<usize>),
}

/// A group of curves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Sensors,
    Unknowns,
    Joints,
    JointRates,
    Stresses,
    Positions,
    Orientations,
    Velocities,
    Turning,
    ReactionForces,
    ReactionMoments,
    Deformations,
    DeformationRates,
    Forces,
    Moments,
    Powers,
}

impl Group {
    /// In the order in which they are written, with their places on the page: what was asked for and loads first, then
    /// motions that are recorded without being asked for.
    const ALL: [(Group, &'static str, usize); 16] = [
        (Group::Sensors, "Sensors", 0),
        (Group::Unknowns, "States and variables", 1),
        (Group::Joints, "Joint coordinates", 8),
        (Group::JointRates, "Joint velocities", 9),
        (Group::Stresses, "Von Mises stress", 2),
        (Group::Positions, "Positions of bodies", 10),
        (Group::Orientations, "Orientations of bodies", 12),
        (Group::Velocities, "Velocities of bodies", 11),
        (Group::Turning, "Angular velocities of bodies", 13),
        (Group::ReactionForces, "Reaction forces", 5),
        (Group::ReactionMoments, "Reaction moments", 6),
        (Group::Deformations, "Lengths and deformations", 7),
        (Group::DeformationRates, "Rates of lengths and deformations", 14),
        (Group::Forces, "Forces", 3),
        (Group::Moments, "Moments", 4),
        (Group::Powers, "Powers", 7),
    ];

    /// The group of a quantity that something that acts offers.
    fn of_unit(unit: &str) -> Group {
        match unit {
            "m" | "rad" => Group::Deformations,
            "m/s" | "rad/s" => Group::DeformationRates,
            "N m" => Group::Moments,
            "W" => Group::Powers,
            _ => Group::Forces,
        }
    }
}

/// A recorded curve: where it is found, and under what it is written.
struct Curve {
    group: Group,
    name: String,
    unit: &'static str,
    /// Which reading, and which number of it.
    reading: usize,
    part: usize,
}

/// All that is recorded.
#[derive(Default)]
struct Plan {
    readings: Vec<Reading>,
    curves: Vec<Curve>,
    /// The largest number of values of a reading.
    most: usize,
}

const PLACES: [&str; 7] = ["x", "y", "z", "qw", "qx", "qy", "qz"];
const MOTIONS: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

impl Plan {
    fn new((model, sketch): (&Model, &Sketch), recorded: &Recorded, names: &Names) -> Self {
        let mut plan = Plan::default();
        plan.add_sensors(model, recorded);
        plan.add_unknowns(model, recorded, names);
        let known: HashSet<String> = plan.curves.iter().map(|curve| curve.name.clone()).collect();
        for &k in &recorded.bodies {
            let (name, body) = &model.bodies()[k];
            // where a sensor or joint has the name and such a column, those of the body say what they are
            let mut columns = PLACES.iter().chain(&MOTIONS).map(|part| format!("{name}.{part}"));
            let owner = if columns.any(|column| known.contains(&column)) { "body." } else { "" };
            let turns = !matches!(body.kind, NodeKind::Point);
            let parts = PLACES.iter().chain(&MOTIONS).enumerate();
            let parts = parts.filter_map(|(i, part)| {
                let (group, unit) = match i {
                    0..3 => (Group::Positions, "m"),
                    7..10 => (Group::Velocities, "m/s"),
                    _ if !turns => return None,
                    3..7 => (Group::Orientations, ""),
                    _ => (Group::Turning, "rad/s"),
                };
                Some((i, group, format!("{owner}{name}.{part}"), unit))
            });
            plan.add(Reading::Body(k), parts);
        }
        for &k in &recorded.reactions {
            let Some(joint) = model.joint_id(k) else { continue };
            let parts = REACTION.iter().enumerate().map(|(i, quantity)| {
                let group = if i < 3 { Group::ReactionForces } else { Group::ReactionMoments };
                let name = format!("{}.{}", model.joints()[k].name, quantity.name);
                (i, group, name, quantity.unit)
            });
            plan.add(Reading::Reaction(joint), parts);
        }
        for (k, bent) in sketch.flexible.iter().enumerate() {
            let label = |node: &usize| bent.laid.shapes.surface.labels[*node];
            let parts = bent.watched.iter().enumerate().map(|(i, node)| {
                (i, Group::Stresses, format!("{}.stress{}", bent.name, label(node)), "Pa")
            });
            plan.add(Reading::Stress(k, bent.watched.clone()), parts);
        }
        plan.add_forces(model, recorded);
        plan
    }

    fn add(
        &mut self,
        reading: Reading,
        parts: impl IntoIterator<Item = (usize, Group, String, &'static str)>,
    ) {
        let place = self.readings.len();
        self.readings.push(reading);
        for (part, group, name, unit) in parts {
            self.most = self.most.max(part + 1);
            self.curves.push(Curve { group, name, unit, reading: place, part });
        }
    }

    /// Sensors, and coordinates of joints with their rates.
    fn add_sensors(&mut self, model: &Model, recorded: &Recorded) {
        let chosen: HashSet<usize> = recorded.joints.iter().copied().collect();
        let mut elsewhere = HashSet::new();
        for (k, joint) in model.joints().iter().enumerate() {
            for (word, _) in &joint.coordinates {
                let (metre, second) = match *word {
                    "displacement" | "length" | "x" | "y" => ("m", "m/s"),
                    _ => ("rad", "rad/s"),
                };
                let name = format!("{}.{word}", joint.name);
                for (name, unit, group) in [
                    (name.clone(), metre, Group::Joints),
                    (format!("{name}_velocity"), second, Group::JointRates),
                ] {
                    let Some(id) = model.find_sensor(&name) else { continue };
                    if chosen.contains(&k) {
                        self.add(Reading::Sensor(id), [(0, group, name, unit)]);
                    }
                    elsewhere.insert(id);
                }
            }
        }
        elsewhere.extend(recorded.efforts.iter().copied());
        for name in model.sensor_names() {
            let Some(id) = model.find_sensor(name) else { continue };
            if !elsewhere.contains(&id) {
                let unit = recorded.units.get(name).copied().unwrap_or_default();
                self.add(Reading::Sensor(id), [(0, Group::Sensors, name.to_owned(), unit)]);
            }
        }
    }

    /// States, and variables that are not readings of sensors.
    fn add_unknowns(&mut self, model: &Model, recorded: &Recorded, names: &Names) {
        let unit = |name: &String| recorded.units.get(name).copied().unwrap_or_default();
        for (i, name) in names.states.iter().enumerate() {
            self.add(Reading::State(i), [(0, Group::Unknowns, name.clone(), unit(name))]);
        }
        for (i, name) in names.variables.iter().enumerate() {
            if model.find_sensor(name).is_none() {
                let curve = (0, Group::Unknowns, name.clone(), unit(name));
                self.add(Reading::Variable(i), [curve]);
            }
        }
    }

    /// What acts, besides reactions.
    fn add_forces(&mut self, model: &Model, recorded: &Recorded) {
        for offer in &recorded.forces {
            let quantities = offer.quantities(model);
            let parts = quantities.iter().enumerate().map(|(i, (word, unit))| {
                (i, Group::of_unit(unit), format!("{}.{word}", offer.name), *unit)
            });
            match &offer.source {
                Source::Force(k) => self.add(Reading::Force(*k), parts),
                Source::Attachment(k) => self.add(Reading::Attachment(*k), parts),
                Source::Sensors(list) => {
                    for ((_, group, name, unit), (.., id)) in parts.zip(list) {
                        self.add(Reading::Sensor(*id), [(0, group, name, unit)]);
                    }
                }
            }
        }
    }
}

/// Reads the recorded curves at single states, by name.
pub struct Probe {
    model: Model,
    sketch: Sketch,
    assembly: Assembly,
    plan: Plan,
    values: Vec<f64>,
}

impl Probe {
    pub(crate) fn new(
        (model, sketch): (&Model, &Sketch),
        recorded: &Recorded,
        assembly: Assembly,
    ) -> Self {
        let plan = Plan::new((model, sketch), recorded, &Names::of(&assembly));
        let values = vec![0.0; plan.most];
        Probe { model: model.clone(), sketch: sketch.clone(), assembly, plan, values }
    }

    /// The names of all curves.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.plan.curves.iter().map(|curve| curve.name.as_str())
    }

    /// The value of a curve at a state, by its place among the names.
    pub fn read(&mut self, curve: usize, state: &State) -> f64 {
        let Curve { reading, part, .. } = &self.plan.curves[curve];
        let mut look = self.assembly.look(state);
        let things = (&self.model, &self.sketch);
        read(&self.plan.readings[*reading], things, &mut look, state, &mut self.values);
        self.values[*part]
    }
}

/// All recorded curves along a trajectory, by group.
pub(crate) fn curves(
    (model, sketch): (&Model, &Sketch),
    recorded: &Recorded,
    assembly: &mut Assembly,
    trajectory: &Trajectory,
) -> Vec<Curves> {
    let plan = Plan::new((model, sketch), recorded, &trajectory.names);
    // for each group its curves, by their places in the plan
    let groups: Vec<((&'static str, usize), Vec<usize>)> = Group::ALL
        .iter()
        .map(|(group, title, place)| {
            let own = |k: &usize| plan.curves[*k].group == *group;
            ((*title, *place), (0..plan.curves.len()).filter(own).collect())
        })
        .collect();
    let mut curves: Vec<Curves> = groups
        .iter()
        .map(|((title, place), own)| Curves {
            title,
            place: *place,
            names: own.iter().map(|k| plan.curves[*k].name.clone()).collect(),
            units: own.iter().map(|k| plan.curves[*k].unit).collect(),
            table: Numbers::new(own.len()),
        })
        .collect();
    let mut state = State::zeros(trajectory.sizes);
    let mut values = vec![0.0; plan.most];
    let mut row_values = vec![0.0; plan.curves.len()];
    let mut group_values = Vec::new();
    for row in 0..trajectory.len() {
        load(trajectory, row, &mut state);
        let mut look = assembly.look(&state);
        let mut next = plan.curves.iter().zip(&mut row_values).peekable();
        for (k, reading) in plan.readings.iter().enumerate() {
            read(reading, (model, sketch), &mut look, &state, &mut values);
            while let Some((curve, value)) = next.next_if(|(curve, _)| curve.reading == k) {
                *value = values[curve.part];
            }
        }
        for ((_, own), curves) in groups.iter().zip(&mut curves) {
            group_values.clear();
            group_values.extend(own.iter().map(|k| row_values[*k]));
            curves.table.push(&group_values);
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

/// All numbers of a reading at a state.
fn read(
    reading: &Reading,
    (model, sketch): (&Model, &Sketch),
    look: &mut Look,
    state: &State,
    out: &mut [f64],
) {
    match reading {
        Reading::Stress(k, nodes) => {
            let bent = &sketch.flexible[*k];
            let q = [bent.amplitudes(&|node| look.frame(node))];
            for (out, node) in out.iter_mut().zip(nodes) {
                *out = bent.laid.shapes.surface.history(*node, &q)[0];
            }
        }
        Reading::Sensor(sensor) => out[0] = look.sensor(*sensor),
        Reading::State(i) => out[0] = state.x[*i],
        Reading::Variable(i) => out[0] = state.y[*i],
        Reading::Reaction(joint) => {
            let (force, moment) = look.reaction(*joint);
            out[..3].copy_from_slice(force.as_slice());
            out[3..6].copy_from_slice(moment.as_slice());
        }
        Reading::Force(k) => look.force(*k, out),
        Reading::Attachment(k) => {
            // a cable has three components
            let action = look.attachment(*k);
            out.iter_mut().zip(action.iter()).for_each(|(out, value)| *out = *value);
        }
        Reading::Body(node) => {
            // the node is the centre of mass
            let centre = model.bodies()[*node].1.mass.centre;
            let frame = look.frame(*node);
            let origin = frame.position - frame.orientation.rotate(&centre);
            let motion = look.motion(*node);
            let velocity = motion.rotation * (motion.velocity - motion.omega.cross(&centre));
            let omega = motion.rotation * motion.omega;
            let quaternion = frame.orientation.to_array();
            let place = origin.iter().chain(&quaternion);
            let all = place.chain(velocity.iter()).chain(omega.iter());
            out.iter_mut().zip(all).for_each(|(out, value)| *out = *value);
        }
    }
}
