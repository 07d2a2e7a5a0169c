//! What acts in a model: under which names its forces are signals and columns.
//!
//! | key of `[output]` | things | their names |
//! |---|---|---|
//! | `springs`, `bushings`, `forces`, `tyres`, `contacts` | entries of the section; of contacts the soft ones; with the forces, loads on flexible bodies | that of the entry; `spring.NAME` and so on where a body, joint, motion, coupling or sensor has the same name |
//! | `joint_forces` | what acts on coordinates of joints | `JOINT.spring`, `JOINT.friction`, `JOINT.stop`, `JOINT.motor` |
//! | `motions`, `couplings` | entries of the section | that of the entry |
//! | `cables` | cables and bars | that of the entry |
//! | `ends` | ends of beams, cables and bars that bodies hold | `BEAM.start`, `BEAM.end` |
//!
//! Forces are made when all signals are there, because their formulas may use signals; signals may use
//! forces too. So the names are promised to both before either is read.

use crate::fault::refused;
use crate::fields::Fields;
use crate::joint_options::{OPTIONS, coordinate_word};
use crate::places::Names;
use crate::reading::{Kinds, ModelError, Place, Scope, Table, Value};
use rotula_mechanics::control::SensorId;
use rotula_mechanics::force::tyre::Tyre;
use rotula_mechanics::force::{Bushing, Contact, Spring, Teeth};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::quantity::{Acting, Ends, LOAD, Quantity};
use rotula_mechanics::sensor::{EffortSensor, Sensor};
use rotula_mechanics::{JointId, Model};
use std::collections::HashSet;

/// What kind of thing acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// A spring or damper.
    Spring,
    /// A bushing.
    Bushing,
    /// A load on a body.
    Force,
    /// A tyre on a road.
    Tyre,
    /// A soft contact.
    Contact,
    /// What acts on a coordinate of a joint: a spring, friction, a stop, a motor.
    JointForce,
    /// A prescribed motion.
    Motion,
    /// A gear, a rack or another coupling.
    Coupling,
    /// A cable or bar as a whole.
    Strand,
    /// A held end of a beam, cable or bar.
    End,
}

impl ActionKind {
    /// All kinds, in the order in which they are recorded.
    pub(crate) const ALL: [ActionKind; 10] = [
        ActionKind::Spring,
        ActionKind::Bushing,
        ActionKind::Force,
        ActionKind::Tyre,
        ActionKind::Contact,
        ActionKind::JointForce,
        ActionKind::Motion,
        ActionKind::Coupling,
        ActionKind::Strand,
        ActionKind::End,
    ];

    /// The key of `[output]`, and one thing in words.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            ActionKind::Spring => ("springs", "spring"),
            ActionKind::Bushing => ("bushings", "bushing"),
            ActionKind::Force => ("forces", "force"),
            ActionKind::Tyre => ("tyres", "tyre"),
            ActionKind::Contact => ("contacts", "soft contact"),
            ActionKind::JointForce => ("joint_forces", "force on a joint"),
            ActionKind::Motion => ("motions", "motion"),
            ActionKind::Coupling => ("couplings", "coupling"),
            ActionKind::Strand => ("cables", "cable or bar"),
            ActionKind::End => ("ends", "held end"),
        }
    }
}

/// Where the numbers of a thing are found.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A force, by its place in the model's list.
    Force(usize),
    /// A held end, by its place in the model's list.
    Attachment(usize),
    /// Sensors, with their names and units.
    Sensors(Vec<(String, &'static str, SensorId)>),
}

/// A thing that acts.
#[derive(Clone, Debug)]
pub struct Offer {
    /// What it is.
    pub kind: ActionKind,
    /// Its name; those of its quantities follow after a dot.
    pub name: String,
    pub(crate) source: Source,
}

impl Offer {
    /// The names of its quantities without its own, and their units.
    pub(crate) fn quantities<'a>(&'a self, model: &'a Model) -> Vec<(&'a str, &'static str)> {
        let of = |all: &[Quantity]| all.iter().map(|q| (q.name, q.unit)).collect();
        match &self.source {
            Source::Force(k) => of(model.forces()[*k].1.quantities()),
            Source::Attachment(k) => of(model.attachments()[*k].quantities),
            Source::Sensors(list) => {
                list.iter().map(|(name, unit, _)| (name.as_str(), *unit)).collect()
            }
        }
    }
}

/// The names of forces, whose signals must not be mistaken for those of bodies, joints, motions, couplings
/// and sensors.
pub(crate) struct ForceNames {
    taken: HashSet<String>,
}

impl ForceNames {
    pub(crate) fn new(document: &Table, model: &Model) -> Self {
        let sections = ["body", "joint", "motion", "coupling", "sensor"].into_iter();
        let entries = sections.flat_map(|section| document.section(section));
        let mut taken: HashSet<String> = entries.map(|entry| entry.key.clone()).collect();
        // those of an imported robot
        taken.extend(model.joints().iter().map(|joint| joint.name.clone()));
        taken.extend(model.bodies().iter().map(|(name, _)| name.clone()));
        ForceNames { taken }
    }

    /// The name of a force of a section.
    pub(crate) fn of(&self, section: &str, name: &str) -> String {
        match self.taken.contains(name) {
            true => format!("{section}.{name}"),
            false => name.to_owned(),
        }
    }
}

/// Makes the quantities of all forces known that a file describes.
pub(crate) fn promise(
    document: &Table,
    forces: &ForceNames,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let mut all: Vec<(String, &'static [Quantity], bool)> = Vec::new();
    for section in ["coupling", "joint", "spring", "bushing", "force", "tyre", "contact"] {
        for entry in document.section(section) {
            let Some(fields) = Fields::of(section, entry) else { continue };
            let name = forces.of(section, &entry.key);
            match section {
                "coupling" if fields.get("mesh").is_some() => {
                    all.push((entry.key.clone(), Teeth::all_quantities(), true));
                }
                "coupling" => {}
                "joint" => {
                    let joint = names.joint_named(&entry.key);
                    for (option, word) in options(&fields, joint, model)? {
                        all.push((
                            format!("{}.{option}", entry.key),
                            Spring::actions_on(word),
                            true,
                        ));
                    }
                }
                "spring" => {
                    let quantities = match fields.get("joint") {
                        Some(joint) => {
                            let word = coordinate_word(&fields, names.joint(joint)?, model)?;
                            Spring::quantities_on(word)
                        }
                        None => Spring::quantities_between(),
                    };
                    all.push((name, quantities, true));
                }
                "bushing" => all.push((name, Bushing::all_quantities(), true)),
                "force" => all.push((name, &LOAD, false)),
                "tyre" => all.push((name, Tyre::all_quantities(), true)),
                // rigid contacts have records of their own, and pieces of whole beams are in the table of contacts alone
                _ if fields.get("restitution").is_some() || of_whole_beam(document, &fields) => {}
                _ => all.push((name, Contact::all_quantities(), true)),
            }
        }
    }
    for (name, quantities, two) in all {
        model.promise(&name, quantities);
        names.add_acting(&name, Acting::Force, two);
        for quantity in quantities {
            scope.declare(&format!("{name}.{}", quantity.name), Kinds::VARIABLE);
        }
    }
    Ok(())
}

/// Whether a contact is that of a whole beam.
fn of_whole_beam(document: &Table, fields: &Fields) -> bool {
    let Some(Value::List(ends)) = fields.get("between").map(|item| &item.value) else {
        return false;
    };
    let beams = document.section("beam");
    ends.iter().any(|end| beams.iter().any(|beam| Some(beam.key.as_str()) == end.text()))
}

/// What acts on a coordinate of a joint by an option of the joint, and on which.
fn options(
    fields: &Fields,
    joint: Option<JointId>,
    model: &Model,
) -> Result<Vec<(&'static str, &'static str)>, ModelError> {
    let mut found = Vec::new();
    let Some(joint) = joint else { return Ok(found) };
    for option in OPTIONS {
        if let Some(inner) = fields.inner(option) {
            // hard stops are rigid contacts
            if inner.get("restitution").is_none() {
                found.push((option, coordinate_word(&inner, joint, model)?));
            }
        }
    }
    let motors = [("torque", "angle"), ("force", "displacement")];
    found
        .extend(motors.iter().filter(|(key, _)| fields.get(key).is_some()).map(|m| ("motor", m.1)));
    Ok(found)
}

/// Makes the forces of joints and of held ends known to formulas.
pub(crate) fn announce(names: &mut Names, model: &Model, scope: &mut Scope) {
    for end in model.attachments() {
        names.add_acting(&end.name, Acting::Attachment, false);
        for quantity in end.quantities {
            scope.declare(&format!("{}.{}", end.name, quantity.name), Kinds::VARIABLE);
        }
    }
}

/// Makes forces known that stand in no file.
pub(crate) fn promise_added(
    added: &[String],
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) {
    for name in added {
        model.promise(name, &LOAD);
        names.add_acting(name, Acting::Force, false);
        for quantity in &LOAD {
            scope.declare(&format!("{name}.{}", quantity.name), Kinds::VARIABLE);
        }
    }
}

/// Adds the forces that came to the model since the last call.
pub(crate) fn add_forces(kind: ActionKind, model: &Model, offers: &mut Vec<Offer>) {
    let known = |offer: &&Offer| matches!(offer.source, Source::Force(_));
    let first = offers.iter().filter(known).count();
    for (k, (name, _)) in model.forces().iter().enumerate().skip(first) {
        offers.push(Offer { kind, name: name.clone(), source: Source::Force(k) });
    }
}

/// Adds the held ends.
pub(crate) fn add_ends(model: &Model, offers: &mut Vec<Offer>) {
    for (k, end) in model.attachments().iter().enumerate() {
        let (kind, name) = (ActionKind::End, end.name.clone());
        offers.push(Offer { kind, name, source: Source::Attachment(k) });
    }
}

/// What something offers by sensors of its own: adds them to a model and to what formulas may use.
pub(crate) struct Readings<'a> {
    name: &'a str,
    place: &'a Place,
    offer: Offer,
}

impl<'a> Readings<'a> {
    pub(crate) fn new(kind: ActionKind, name: &'a str, place: &'a Place) -> Self {
        let offer = Offer { kind, name: name.to_owned(), source: Source::Sensors(Vec::new()) };
        Readings { name, place, offer }
    }

    /// Adds a number by its word and unit.
    pub(crate) fn add(
        &mut self,
        (word, unit): (&str, &'static str),
        sensor: impl Sensor + 'static,
        model: &mut Model,
        scope: &mut Scope,
    ) -> Result<(), ModelError> {
        let full = format!("{}.{word}", self.name);
        let id = model.sensor(&full, sensor).map_err(|error| refused(self.place, error))?;
        self.list(&full, (word, unit), id, scope);
        Ok(())
    }

    /// Adds the force and moment of a drive or coupling, unless a joint of the same name has them.
    pub(crate) fn add_action(
        &mut self,
        ends: Ends,
        quantities: &'static [Quantity],
        names: &mut Names,
        model: &mut Model,
        scope: &mut Scope,
    ) -> Result<(), ModelError> {
        if names.joint_named(self.name).is_some() {
            return Ok(());
        }
        model.drives(self.name, ends, quantities).map_err(|error| refused(self.place, error))?;
        names.add_acting(self.name, Acting::Drive, true);
        for Quantity { name, unit, .. } in quantities {
            let full = format!("{}.{name}", self.name);
            if let Some(id) = model.find_sensor(&full) {
                self.list(&full, (name, unit), id, scope);
            }
        }
        Ok(())
    }

    fn list(
        &mut self,
        full: &str,
        (word, unit): (&str, &'static str),
        id: SensorId,
        scope: &mut Scope,
    ) {
        scope.declare(full, Kinds::VARIABLE);
        if let Source::Sensors(list) = &mut self.offer.source {
            list.push((word.to_owned(), unit, id));
        }
    }

    pub(crate) fn finish(self) -> Offer {
        self.offer
    }
}

/// Adds the effort of a drive or coupling, by its word, on a coordinate that its equation holds with a weight.
pub(crate) fn effort(
    readings: &mut Readings,
    (word, unit): (&str, &'static str),
    weight: f64,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let sensor = EffortSensor::new(model, readings.name, weight)
        .map_err(|error| refused(readings.place, error))?;
    readings.add((word, unit), sensor, model, scope)
}

/// Adds the power of that effort.
pub(crate) fn power(
    readings: &mut Readings,
    coordinate: &Coordinate,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let sensor = EffortSensor::power(model, readings.name, 1.0, coordinate)
        .map_err(|error| refused(readings.place, error))?;
    readings.add(("power", "W"), sensor, model, scope)
}

/// Where something acts that moves a joint: as the joint itself, in the axes of its first frame.
pub(crate) fn on_joint(joint: JointId, model: &Model) -> Ends {
    let pair = model.joints()[joint.index()].pair;
    Ends { axes: Some(pair.a), ..Ends::between(pair.a, pair.b) }
}

/// The unit of a force on a coordinate of a joint.
pub(crate) fn effort_unit(coordinate: &str) -> &'static str {
    let quantities = Spring::actions_on(coordinate);
    quantities[0].unit
}
