//! Conditions in the formulas of forces and controllers, as modes that a run holds.

use super::Assembly;
use super::auxiliary::given;
use super::control::Content;
use crate::model::Model;
use crate::scene::Scene;
use rotula_dae::checkpoint::Unreadable;
use rotula_dae::{Point, Switching};
use rotula_formula::{Instants, Modes};

/// What makes forces switch.
#[derive(Clone, Debug, Default)]
pub(super) struct Switches {
    /// Because of time alone.
    instants: Instants,
    /// Formulas with conditions on the motion, and the first room of each.
    owners: Vec<(Owner, usize)>,
    rooms: usize,
    /// The modes that are held, formula by formula; nothing while they are free.
    held: Vec<Vec<f64>>,
}

/// Whose formula it is, by its place in the lists of the assembly.
#[derive(Clone, Copy, Debug)]
enum Owner {
    Equation(usize),
    Force(usize),
}

impl Assembly {
    /// Collects everything that may switch.
    pub(super) fn find_switches(&mut self, model: &Model) {
        let mut found = Switches { instants: model.instants().clone(), ..Switches::default() };
        for (k, equation) in self.control.equations.iter_mut().enumerate() {
            if let Content::Formula { expression, .. } = &mut equation.content {
                found.instants.add(expression.instants());
                found.note(Owner::Equation(k), expression.modes());
            }
        }
        for (k, push) in self.pushes.iter_mut().enumerate() {
            found.instants.add(push.force.instants());
            found.note(Owner::Force(k), push.force.modes());
        }
        self.switches = found;
    }

    pub(super) fn nothing_switches(&self) -> bool {
        self.switches.rooms == 0 && self.switches.instants.is_empty()
    }

    fn modes_of(&mut self, owner: Owner) -> Option<&mut Modes> {
        match owner {
            Owner::Equation(k) => match &mut self.control.equations[k].content {
                Content::Formula { expression, .. } => expression.modes(),
                Content::Sensor { .. } | Content::Input(_) => None,
            },
            Owner::Force(k) => self.pushes[k].force.modes(),
        }
    }

    /// Calls `act` with the modes of some formulas and the numbers that they are taken of at a point.
    fn modes_at(
        &mut self,
        at: &Point,
        owners: &[(Owner, usize)],
        mut act: impl FnMut(usize, &mut Modes, &mut [f64]),
    ) {
        self.place(at);
        let angles = self.angles(at.q);
        let Assembly { moment, control, pushes, .. } = self;
        let world = moment.world(at, angles);
        for &(owner, first) in owners {
            let found = match owner {
                Owner::Equation(k) => match &mut control.equations[k].content {
                    Content::Formula { expression, .. } => expression.modes_at(&given(at)),
                    Content::Sensor { .. } | Content::Input(_) => None,
                },
                Owner::Force(k) => {
                    let push = &mut pushes[k];
                    push.force.modes_at(Scene { world: &world, nodes: &push.nodes })
                }
            };
            if let Some((modes, numbers)) = found {
                act(first, modes, numbers);
            }
        }
    }

    /// The formula that a room belongs to.
    fn owner(&self, room: usize) -> Option<(Owner, usize)> {
        self.switches.owners.iter().rev().find(|(_, first)| *first <= room).copied()
    }

    /// The modes that are held, for a checkpoint.
    pub(super) fn held_modes(&self) -> &[Vec<f64>] {
        &self.switches.held
    }

    /// Takes them back.
    pub(super) fn hold_modes_as(&mut self, held: Vec<Vec<f64>>) -> Result<(), Unreadable> {
        for (k, values) in held.iter().enumerate() {
            let Some(&(owner, _)) = self.switches.owners.get(k) else { return Err(Unreadable) };
            match self.modes_of(owner).filter(|modes| modes.held().len() == values.len()) {
                Some(modes) => modes.hold_as(values),
                None => return Err(Unreadable),
            }
        }
        self.switches.held = held;
        Ok(())
    }
}

impl Switches {
    fn note(&mut self, owner: Owner, modes: Option<&mut Modes>) {
        if let Some(modes) = modes {
            self.owners.push((owner, self.rooms));
            self.rooms += modes.rooms();
        }
    }
}

impl Switching for Assembly {
    fn next_instant(&mut self, after: f64, until: f64) -> Option<f64> {
        self.switches.instants.next(after, until)
    }

    fn resolved(&mut self, from: f64, to: f64) -> f64 {
        self.switches.instants.resolved(from, to)
    }

    fn rooms(&mut self) -> usize {
        self.switches.rooms
    }

    fn name(&mut self, room: usize) -> String {
        let Some((owner, first)) = self.owner(room) else { return String::new() };
        let text = self.modes_of(owner).map(|modes| modes.name(room - first).to_owned());
        text.unwrap_or_default()
    }

    fn jumps(&mut self, room: usize) -> bool {
        let Some((owner, first)) = self.owner(room) else { return false };
        self.modes_of(owner).is_some_and(|modes| modes.jumps(room - first))
    }

    fn hold(&mut self, at: &Point) {
        let owners = std::mem::take(&mut self.switches.owners);
        let mut held = Vec::with_capacity(owners.len());
        self.modes_at(at, &owners, |_, modes, numbers| {
            modes.hold(numbers);
            held.push(modes.held().to_vec());
        });
        self.switches.owners = owners;
        self.switches.held = held;
    }

    fn release(&mut self) {
        self.switches.held.clear();
        for k in 0..self.switches.owners.len() {
            if let Some(modes) = self.modes_of(self.switches.owners[k].0) {
                modes.release();
            }
        }
    }

    fn room(&mut self, at: &Point, out: &mut [f64]) {
        let owners = std::mem::take(&mut self.switches.owners);
        self.modes_at(at, &owners, |first, modes, numbers| {
            modes.room(numbers, &mut out[first..first + modes.rooms()]);
        });
        self.switches.owners = owners;
    }

    fn cross(&mut self, room: usize, beyond: &Point) {
        let Some(owner) = self.owner(room) else { return };
        let mut held = Vec::new();
        self.modes_at(beyond, &[owner], |first, modes, numbers| {
            modes.cross(room - first, numbers);
            held = modes.held().to_vec();
        });
        let place = self.switches.owners.iter().position(|(_, first)| *first == owner.1);
        if let Some(kept) = place.and_then(|place| self.switches.held.get_mut(place)) {
            *kept = held;
        }
    }
}
