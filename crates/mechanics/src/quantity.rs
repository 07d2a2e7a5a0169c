//! Quantities: what a thing that acts offers as signals, under its name.
//!
//! Every force states once which numbers it offers ([`Force::quantities`]):
//! components of its action, its power, and numbers of its own such as a length. Recorded columns,
//! sensors and formulas of controllers all follow from that list. The power is that given to the
//! bodies: negative where energy is taken from them.

use crate::error::{ModelError, refusal};
use crate::force::Force;
use crate::marker::Marker;
use crate::measure::MAX_NODES;
use crate::model::{GROUND, JointId, Model};
use crate::node::Motion;
use crate::scene::Scene;
use crate::sensor::{ActionSensor, Actor, Direction, OwnSensor, PowerSensor, Sensor};
use nalgebra::{Vector3, Vector6};
use rotula_lie::Frame;
use std::collections::HashMap;

/// How a quantity is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A component of the force (0 to 2) or of the moment (3 to 5) on the second body.
    Action(usize),
    /// The power given to the bodies.
    Power,
    /// A number that the force works out itself.
    Own(usize),
}

/// A number that a thing offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Its name, after that of the thing and a dot.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// How it is found.
    pub what: What,
}

impl Quantity {
    /// A quantity that a force works out itself, by its place among those.
    pub const fn own(name: &'static str, unit: &'static str, place: usize) -> Self {
        Quantity { name, unit, what: What::Own(place) }
    }

    const fn action(name: &'static str, component: usize) -> Self {
        let unit = if component < 3 { "N" } else { "N m" };
        Quantity { name, unit, what: What::Action(component) }
    }
}

/// Components of the force.
pub const FX: Quantity = Quantity::action("fx", 0);
/// See [`FX`].
pub const FY: Quantity = Quantity::action("fy", 1);
/// See [`FX`].
pub const FZ: Quantity = Quantity::action("fz", 2);
/// Components of the moment.
pub const MX: Quantity = Quantity::action("mx", 3);
/// See [`MX`].
pub const MY: Quantity = Quantity::action("my", 4);
/// See [`MX`].
pub const MZ: Quantity = Quantity::action("mz", 5);
/// The power given to the bodies.
pub const POWER: Quantity = Quantity { name: "power", unit: "W", what: What::Power };

/// What a force offers that says nothing else of itself.
pub static LOAD: [Quantity; 7] = [FX, FY, FZ, MX, MY, MZ, POWER];

/// What a joint offers besides its coordinates, and what an end of a beam or cable offers.
pub static REACTION: [Quantity; 6] = [FX, FY, FZ, MX, MY, MZ];

/// Most numbers that a force works out itself.
pub(crate) const MOST_OWN: usize = 16;

/// Where a thing acts: on a second body, and reversed on a first, unless it acts on one body alone.
/// Moments are counted about the origins of the markers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// On the first body.
    pub first: Option<Marker>,
    /// On the second.
    pub second: Marker,
    /// In whose axes components are recorded; none for those of the world.
    pub axes: Option<Marker>,
}

impl Ends {
    /// The origins of the first and the last of some nodes, world axes.
    pub fn of_nodes(nodes: &[usize]) -> Self {
        let marker = |node: usize| Marker { node, frame: Frame::identity() };
        let first = (nodes.len() > 1).then(|| marker(nodes[0]));
        let second = marker(nodes.last().copied().unwrap_or(GROUND.node()));
        Ends { first, second, axes: None }
    }

    /// Two markers, world axes.
    pub fn between(first: Marker, second: Marker) -> Self {
        Ends { first: Some(first), second, axes: None }
    }

    /// A wrench on the second node, about it and in its axes, as a force and a moment about the origin
    /// of the second marker, in the axes in which they are recorded.
    pub(crate) fn components(&self, wrench: &Vector6<f64>, motions: &[Motion]) -> Vector6<f64> {
        let force: Vector3<f64> = wrench.fixed_rows::<3>(0).into();
        let moment: Vector3<f64> = wrench.fixed_rows::<3>(3).into();
        let moment = moment - self.second.frame.position.cross(&force);
        let turn = |c: Vector3<f64>| {
            let world = motions[self.second.node].rotation * c;
            match self.axes {
                Some(axes) => {
                    axes.frame.orientation.rotate_back(&motions[axes.node].into_body(&world))
                }
                None => world,
            }
        };
        crate::node::stack(&turn(force), &turn(moment))
    }
}

/// All quantities of a force, which is evaluated once.
pub(crate) fn read_force(force: &mut dyn Force, scene: Scene, out: &mut [f64]) {
    let mut wrenches = [Vector6::zeros(); MAX_NODES];
    force.wrench(scene, &mut wrenches[..scene.nodes.len()]);
    let ends = force.ends();
    let mut second = Vector6::zeros();
    let mut power = 0.0;
    for (slot, (node, wrench)) in scene.nodes.iter().zip(&wrenches).enumerate() {
        if *node == ends.second.node {
            second += wrench;
        }
        power += wrench.dot(&scene.motion(slot).twist());
    }
    let action = ends.components(&second, scene.world.motions);
    let mut own = [0.0; MOST_OWN];
    force.own(scene, &mut own);
    for (out, quantity) in out.iter_mut().zip(force.quantities()) {
        *out = match quantity.what {
            What::Action(k) => action[k],
            What::Power => power,
            What::Own(k) => own[k],
        };
    }
}

/// What kind of thing acts; names are unique within a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Acting {
    /// A joint.
    Joint,
    /// A force.
    Force,
    /// An end of a beam, cable or bar that a body holds.
    Attachment,
    /// A drive or coupling.
    Drive,
}

/// Force or moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The force.
    Force,
    /// The moment about the origin of the marker on the body.
    Moment,
}

/// The body on which an action is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Side {
    /// The first.
    First,
    /// The second.
    #[default]
    Second,
}

/// An end of a beam, cable or bar that a body holds.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Such as `rod.start`.
    pub name: String,
    /// The number of its last element in the model's list.
    pub element: usize,
    /// Where it is held.
    pub marker: Marker,
    /// What it offers: a cable does not turn what holds it.
    pub quantities: &'static [Quantity],
}

/// A drive or coupling, with the bodies whose coordinates it moves.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Its name.
    pub name: String,
    /// Its equation, by its place in the model's list of constraints.
    pub constraint: usize,
    /// Where it acts.
    pub ends: Ends,
    /// What it offers: a prescribed length does not turn anything.
    pub quantities: &'static [Quantity],
}

impl Model {
    /// Says on which bodies the drive or coupling that was added last acts, so that it offers its force and
    /// moment: those on the second, and on the first to sensors.
    pub fn drives(
        &mut self,
        name: &str,
        ends: Ends,
        quantities: &'static [Quantity],
    ) -> Result<(), ModelError> {
        let found = self.constraints().iter().rposition(|entry| entry.owner == name);
        let Some(constraint) = found else {
            let what = "there is no drive or coupling with this name";
            return Err(ModelError::invalid(format!("drive `{name}`"), what));
        };
        quantities.iter().for_each(|quantity| self.offer(Acting::Drive, name, quantity));
        self.drives.push(Drive { name: name.into(), constraint, ends, quantities });
        Ok(())
    }

    /// Says that a force of this name will be added that offers some quantities, so that formulas may
    /// use them before it is there.
    pub fn promise(&mut self, force: &str, quantities: &[Quantity]) {
        quantities.iter().for_each(|quantity| self.offer(Acting::Force, force, quantity));
    }

    /// Says which bodies hold the ends of a beam, or of a cable or bar, whose elements and nodes were
    /// just added.
    pub(crate) fn attach(
        &mut self,
        (name, held): (&str, [bool; 2]),
        nodes: &[Marker],
        elements: usize,
        quantities: &'static [Quantity],
    ) {
        let last = self.elements().len() - 1;
        let ends = [("start", last + 1 - elements, nodes.first()), ("end", last, nodes.last())];
        for ((word, element, marker), held) in ends.into_iter().zip(held) {
            let (Some(marker), true) = (marker, held) else { continue };
            let name = format!("{name}.{word}");
            quantities.iter().for_each(|q| self.offer(Acting::Attachment, &name, q));
            self.attachments.push(Attachment { name, element, marker: *marker, quantities });
        }
    }
}

/// The things of a model that act, by name.
pub(crate) struct Things<'a> {
    model: &'a Model,
    joints: HashMap<&'a str, usize>,
    forces: HashMap<&'a str, usize>,
    attachments: HashMap<&'a str, usize>,
    drives: HashMap<&'a str, usize>,
}

/// A thing that offers quantities, by its place in the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thing {
    pub(crate) acting: Acting,
    pub(crate) place: usize,
}

impl<'a> Things<'a> {
    pub(crate) fn of(model: &'a Model) -> Self {
        fn places<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
            names.enumerate().map(|(k, name)| (name, k)).collect()
        }
        Things {
            model,
            joints: places(model.joints().iter().map(|joint| joint.name.as_str())),
            forces: places(model.forces().iter().map(|(name, _)| name.as_str())),
            attachments: places(model.attachments().iter().map(|end| end.name.as_str())),
            drives: places(model.drives.iter().map(|drive| drive.name.as_str())),
        }
    }

    /// The thing of a name, which must have come by now.
    pub(crate) fn find(&self, acting: Acting, name: &str) -> Result<Thing, ModelError> {
        let places = match acting {
            Acting::Joint => &self.joints,
            Acting::Force => &self.forces,
            Acting::Attachment => &self.attachments,
            Acting::Drive => &self.drives,
        };
        match places.get(name) {
            Some(place) => Ok(Thing { acting, place: *place }),
            None => {
                let what = "it was spoken of, but never added to the model";
                Err(ModelError::invalid(format!("force `{name}`"), what))
            }
        }
    }

    /// The place of a quantity among those of a thing.
    pub(crate) fn quantity(&self, thing: Thing, name: &str) -> Result<usize, ModelError> {
        let all = self.quantities(thing);
        all.iter().position(|quantity| quantity.name == name).ok_or_else(|| {
            let what = format!("a thing with a signal `{name}` was announced, and it has none");
            ModelError::invalid("signals", what)
        })
    }

    fn quantities(&self, thing: Thing) -> &'static [Quantity] {
        match thing.acting {
            Acting::Force => self.model.forces()[thing.place].1.quantities(),
            Acting::Joint => &REACTION,
            Acting::Attachment => self.model.attachments()[thing.place].quantities,
            Acting::Drive => self.model.drives[thing.place].quantities,
        }
    }

    fn ends(&self, thing: Thing) -> Ends {
        match thing.acting {
            Acting::Force => self.model.forces()[thing.place].1.ends(),
            Acting::Joint => {
                let pair = self.model.joints()[thing.place].pair;
                Ends { axes: Some(pair.a), ..Ends::between(pair.a, pair.b) }
            }
            Acting::Attachment => self.model.attachments()[thing.place].ends(),
            Acting::Drive => self.model.drives[thing.place].ends,
        }
    }

    fn actor(&self, thing: Thing) -> Actor {
        let Model { gravity, .. } = self.model;
        match thing.acting {
            Acting::Force => Actor::force(self.model.forces()[thing.place].1.clone()),
            Acting::Joint => Actor::joint(self.model, JointId(thing.place)),
            Acting::Drive => {
                let constraint = self.model.drives[thing.place].constraint;
                Actor::constraints_of(self.model, constraint..constraint + 1)
            }
            Acting::Attachment => {
                let element = self.model.attachments()[thing.place].element;
                Actor::element(self.model.elements()[element].1.clone(), gravity)
            }
        }
    }

    /// A sensor of a quantity, with its derivatives.
    pub(crate) fn sensor(
        &self,
        thing: Thing,
        quantity: usize,
    ) -> Result<Box<dyn Sensor>, ModelError> {
        let force = || self.model.forces()[thing.place].1.clone();
        Ok(match self.quantities(thing)[quantity].what {
            What::Own(place) => Box::new(OwnSensor::new(force(), place)),
            What::Power => Box::new(PowerSensor::new(force())),
            What::Action(k) => {
                let part = if k < 3 { Part::Force } else { Part::Moment };
                let mut axis = Vector3::zeros();
                axis[k % 3] = 1.0;
                let ends = self.ends(thing);
                let direction = match ends.axes {
                    Some(marker) => Direction::of(&marker, axis),
                    None => Direction::world(axis),
                };
                Box::new(ActionSensor::new(self.actor(thing), ends.second, part, direction)?)
            }
        })
    }

    /// A sensor of what a thing does to one of its bodies.
    pub(crate) fn action(
        &self,
        (thing, name): (Thing, &str),
        (side, part): (Side, Part),
        direction: Direction,
    ) -> Result<Box<dyn Sensor>, ModelError> {
        let ends = self.ends(thing);
        let marker = match side {
            Side::Second => ends.second,
            Side::First => ends.first.ok_or_else(|| {
                let what = refusal!("it acts on one body only"; "leave `on` out");
                ModelError::invalid(format!("force `{name}`"), what)
            })?,
        };
        Ok(Box::new(ActionSensor::new(self.actor(thing), marker, part, direction)?))
    }
}

impl Attachment {
    /// Where it acts: on the body that holds it.
    pub(crate) fn ends(&self) -> Ends {
        Ends { first: None, second: self.marker, axes: None }
    }
}
