//! Reads what a force offers besides its action: its power, and the numbers of its own.

use super::actor::Actor;
use super::{Sensor, Slopes, View};
use crate::force::{Auxiliary, Force};
use crate::measure::Measure;
use crate::quantity::MOST_OWN;

/// The power of a force: its wrenches times the velocities of their nodes.
#[derive(Clone, Debug)]
pub(crate) struct PowerSensor {
    actor: Actor,
}

impl PowerSensor {
    pub(crate) fn new(force: Box<dyn Force>) -> Self {
        PowerSensor { actor: Actor::force(force) }
    }
}

impl Sensor for PowerSensor {
    fn nodes(&self) -> &[usize] {
        self.actor.nodes()
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.actor.auxiliary()
    }

    fn value(&mut self, view: View) -> f64 {
        let motions = view.scene.world.motions;
        let mut sum = 0.0;
        self.actor.each_wrench(view, |node, wrench| sum += wrench.dot(&motions[node].twist()));
        sum
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let motions = view.scene.world.motions;
        let mut slot = 0;
        self.actor.each_wrench(view, |_, wrench| {
            slopes.velocity[slot] += wrench;
            slot += 1;
        });
        self.actor.slopes(view, &|node, _| motions[node].twist(), slopes);
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        self.actor.measures_mut()
    }
}

/// A number that a force works out itself.
#[derive(Clone, Debug)]
pub(crate) struct OwnSensor {
    force: Box<dyn Force>,
    place: usize,
}

impl OwnSensor {
    pub(crate) fn new(force: Box<dyn Force>, place: usize) -> Self {
        OwnSensor { force, place }
    }
}

impl Sensor for OwnSensor {
    fn nodes(&self) -> &[usize] {
        self.force.nodes()
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.force.auxiliary()
    }

    fn value(&mut self, view: View) -> f64 {
        let mut own = [0.0; MOST_OWN];
        self.force.own(view.scene, &mut own);
        own[self.place]
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        self.force.own_slopes(self.place, view.scene, slopes);
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        self.force.measures_mut()
    }
}
