//! The equations of an assembled model, as the integrators ask for them.

use super::{Assembly, Moment, equations};
use crate::node::{Node, NodeKind};
use crate::scene::World;
use nalgebra::Matrix3;
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_dae::{
    AuxiliaryRows, Component, Contact, ContactForce, ContactPatterns, Contacts, Description,
    Energetics, Energy, Events, Explanation, History, Level, Manifold, Part, Patterns, Point,
    RigidMotion, Sentence, Sizes, StateWeights, Switching, System, Terms, Touch, TouchingContact,
    Weights,
};
use rotula_lie::Retraction;
use rotula_linear::Pattern;

impl Moment {
    /// The world at a point.
    pub(super) fn world<'a>(&'a self, at: &Point<'a>, angles: &'a [f64]) -> World<'a> {
        World {
            t: at.t,
            motions: &self.motions,
            angles,
            functions: &self.values,
            states: at.x,
            variables: at.y,
        }
    }

    /// The tangent of the retraction of a planar node.
    pub(super) fn flat_tangent(&self, node: usize) -> Matrix3<f64> {
        if !self.moved {
            return Matrix3::identity();
        }
        let columns = [0, 1, 5];
        Matrix3::from_fn(|i, j| self.tangents[node][(columns[i], columns[j])])
    }
}

impl System for Assembly {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn patterns(&self) -> Patterns {
        self.patterns.clone()
    }

    fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        if self.map == Retraction::Exponential {
            self.flat.retract(q, increment, out);
            for &node in self.flat.rest() {
                self.nodes[node].retract(self.map, q, increment, out);
            }
        } else {
            for node in &self.nodes[1..] {
                node.retract(self.map, q, increment, out);
            }
        }
        self.carry_turns(q, out);
    }

    fn local(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        for node in &self.nodes[1..] {
            node.local(self.map, q, other, out);
        }
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.place_seen(at, terms);
        self.placed_dynamics(at, terms, out);
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        self.fill_tangent(at, weights, terms, values);
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.place(at);
        self.placed_constraint(level, at, out);
    }

    fn balance(&mut self, level: Level, at: &Point, dynamics: &mut [f64], rows: &mut [f64]) {
        self.place_seen(at, Terms::ALL);
        if level == Level::Position {
            return self.placed_balance(at, dynamics, rows);
        }
        self.placed_constraint(level, at, rows);
        self.placed_dynamics(at, Terms::ALL, dynamics);
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.place(at);
        self.placed_gradient(at, false, values);
    }

    fn constraint_tangent(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        self.place(at);
        self.place_tangents(at);
        let angles = self.angles(at.q);
        let Assembly { groups, moment, scratch, .. } = self;
        let groups = groups.iter().filter(|group| !group.holds);
        equations::tangents(groups, level, weights, (&*moment, at, angles), scratch, values);
    }

    fn auxiliary(&mut self, at: &Point, out: &mut [f64]) {
        let count = self.control.equations.len();
        self.auxiliary_residual(at, 0..count, out);
    }

    fn auxiliary_tangent(
        &mut self,
        at: &Point,
        weights: Weights,
        states: StateWeights,
        motion: &mut [f64],
        multipliers: &mut [f64],
        auxiliary: &mut [f64],
    ) {
        self.auxiliary_slopes(at, weights, states, [motion, multipliers, auxiliary]);
    }

    fn dynamics_auxiliary(&mut self, at: &Point, states: StateWeights, values: &mut [f64]) {
        self.command_slopes(at, states, values);
    }

    rotula_dae::hand_out!(
        Manifold,
        Inputs,
        Description,
        Explanation,
        Contacts,
        Energetics,
        RigidMotion,
        History,
        Reducible,
        AuxiliaryRows,
        Switching
    );

    fn as_events(&mut self) -> Option<&mut dyn Events> {
        self.holds_signals().then_some(self)
    }
}

impl Manifold for Assembly {
    fn increment_rate(&self, increment: &[f64], v: &[f64], out: &mut [f64]) {
        for node in &self.nodes[1..] {
            node.increment_rate(self.map, increment, v, out);
        }
    }
}

impl Description for Assembly {
    fn name(&self, component: Component) -> String {
        match component {
            Component::Coordinate(i) => self.coordinate_name(i),
            Component::Constraint(i) => {
                let group = &self.groups[self.owners[i] as usize];
                format!("{}: {}", group.owner, group.constraint.describe(i - group.row))
            }
            Component::State(i) => self.control.states[i].clone(),
            Component::Variable(i) => self.control.variables[i].clone(),
            Component::Contact(i) => self.touching.name(i),
        }
    }

    fn scale(&self, coordinate: usize) -> f64 {
        let node = &self.nodes[self.node_of(coordinate)];
        if let NodeKind::Amplitudes { scale, .. } = node.kind {
            return self.length * scale;
        }
        let linear = node.kind.columns()[coordinate - node.v] < 3;
        if linear { self.length } else { 1.0 }
    }

    fn parts(&self) -> Option<Vec<Part>> {
        let part = |(node, name): (&Node, &String)| Part {
            name: name.clone(),
            coordinates: node.v..node.v + node.kind.columns().len(),
        };
        Some(self.nodes.iter().zip(&self.names).skip(1).map(part).collect())
    }

    fn displacement(&self, q: &[f64], other: &[f64], out: &mut [f64]) -> bool {
        for node in &self.nodes[1..] {
            node.displacement(q, other, out);
        }
        true
    }

    fn fastest_turn(&self, v: &[f64]) -> Option<(usize, f64)> {
        self.turning_fastest(v)
    }
}

impl Explanation for Assembly {
    fn explain_change(&mut self, from: &Point, to: &Point) -> Vec<Sentence> {
        self.changed_forces(from, to)
    }

    fn explain_beyond(&mut self, at: &Point) -> Option<String> {
        self.first_beyond(at)
    }

    fn explain_not_finite(&mut self, at: &Point) -> Option<Sentence> {
        self.first_not_finite(at)
    }
}

impl Contacts for Assembly {
    fn contacts(&self) -> &[Contact] {
        self.touching.laws()
    }

    fn contact_key(&self, contact: usize) -> u64 {
        self.touching.key(contact)
    }

    fn renew_contacts(&mut self, at: &Point, horizon: f64) -> bool {
        self.renew_candidates(at, horizon)
    }

    fn contact_patterns(&self) -> ContactPatterns {
        self.touching.patterns(&self.nodes, self.sizes.motion)
    }

    fn contact_row_pattern(&self) -> Pattern {
        self.touching.row_pattern()
    }

    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.place(at);
        let world = self.moment.world(at, self.angles(at.q));
        equations::residuals(self.touching.groups(), level, &world, out);
    }

    fn contact_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.place(at);
        let angles = self.angles(at.q);
        let here = (&self.moment, at, angles);
        equations::gradients(self.touching.groups().iter(), here, &mut self.scratch, values);
    }

    fn contact_tangent(&mut self, level: Level, at: &Point, weights: Weights, values: &mut [f64]) {
        self.place(at);
        self.place_tangents(at);
        let angles = self.angles(at.q);
        let Assembly { touching, moment, scratch, .. } = self;
        let here = (&*moment, at, angles);
        equations::tangents(touching.groups().iter(), level, weights, here, scratch, values);
    }

    fn contact_tangent_of(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        wanted: &[bool],
        values: &mut [f64],
    ) {
        self.place(at);
        self.place_tangents(at);
        let angles = self.angles(at.q);
        let Assembly { touching, moment, scratch, .. } = self;
        let here = (&*moment, at, angles);
        let groups = touching.groups().iter().zip(wanted).filter(|(_, wanted)| **wanted);
        let groups = groups.map(|(group, _)| group);
        equations::tangents(groups, level, weights, here, scratch, values);
    }

    fn contact_curvature(&mut self, at: &Point, forces: &[f64], values: &mut [f64]) {
        values.fill(0.0);
        self.touching.place_curvature(&self.nodes, self.sizes.motion);
        self.place(at);
        self.place_tangents(at);
        let angles = self.angles(at.q);
        let Assembly { touching, moment, scratch, .. } = self;
        let here = (&*moment, at, angles);
        equations::curvatures(touching.groups(), forces, -1.0, here, scratch, values);
    }

    fn contact_stays(&self, contact: usize) -> bool {
        self.touching.stays(contact)
    }

    fn contact_bodies(&self, contact: usize) -> Option<([String; 2], usize)> {
        self.bodies_of_contact(contact)
    }

    fn contact_forces(
        &mut self,
        at: &Point,
        contacts: &[usize],
        rows: &[f64],
        out: &mut Vec<ContactForce>,
    ) {
        self.add_contact_forces(at, contacts, rows, out);
    }

    fn soft_contact_count(&self) -> usize {
        self.soft.len()
    }

    fn describe_soft_contact(&self, contact: usize) -> TouchingContact {
        self.soft_contact_in_words(contact)
    }

    fn soft_touches(&mut self, at: &Point, out: &mut Vec<Touch>) {
        self.add_soft_touches(at, out);
    }

    fn longest_step_from(&mut self, at: &Point, h: f64, part: f64) -> f64 {
        self.longest_from(at, h, part)
    }

    fn longest_step_to(&mut self, from: &Point, to: &Point, part: f64) -> f64 {
        self.longest_to(from, to, part)
    }
}

impl Energetics for Assembly {
    fn loads(&mut self, at: &Point, _scratch: &mut [f64], out: &mut [f64]) {
        self.place(at);
        self.placed_loads(at, out);
    }

    fn energy(&mut self, at: &Point) -> Option<Energy> {
        Some(self.energies(at))
    }

    fn power(&mut self, at: &Point) -> Option<f64> {
        Some(self.powers(at))
    }

    fn is_conservative(&mut self) -> bool {
        self.nothing_works()
    }
}

impl RigidMotion for Assembly {
    fn carried(&self, at: &Point, reference: usize, out: &mut [f64]) -> bool {
        let Some(twist) = self.twist_of(at, reference) else { return false };
        self.sweep(at.q, &twist, |k, velocity, _| out[k] = velocity);
        true
    }

    fn twist_of(&self, at: &Point, reference: usize) -> Option<[f64; 6]> {
        let base = self.nodes.get(reference + 1)?.motion(at);
        let spin = base.rotation * base.omega;
        let v = base.rotation * base.velocity - spin.cross(&base.position);
        Some([v.x, v.y, v.z, spin.x, spin.y, spin.z])
    }

    fn swept(&self, q: &[f64], twist: &[f64; 6], v: &mut [f64], vdot: &mut [f64]) {
        self.sweep(q, twist, |k, velocity, rate| (v[k], vdot[k]) = (velocity, rate));
    }

    fn swept_tangent(
        &self,
        q: &[f64],
        twist: &[f64; 6],
        entry: &mut dyn FnMut(usize, usize, [f64; 2]),
    ) {
        self.sweep_tangent(q, twist, entry);
    }

    fn swept_on(&self, q: &[f64], twist: &[f64; 6], duration: f64, out: &mut [f64]) {
        self.sweep_on(q, twist, duration, out);
    }
}

impl History for Assembly {
    fn save(&mut self, out: &mut Writer) {
        out.put(&self.kinds_of_rates());
        self.moment.save(out);
        self.touching.save(out);
        out.put(&self.input_values());
        self.save_held(out);
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        // velocities would mean something else
        if from.get::<Vec<u8>>()? != self.kinds_of_rates() {
            return Err(Unreadable);
        }
        self.moment.load(from)?;
        self.touching.load(from, &self.nodes, self.sizes.motion)?;
        self.set_input_values(from.get()?)?;
        self.load_held(from)
    }
}

impl AuxiliaryRows for Assembly {
    fn auxiliary_rows(&mut self, at: &Point, rows: &[usize], out: &mut [f64]) {
        self.auxiliary_residual(at, rows.iter().copied(), out);
    }
}

impl Switching for Assembly {
    fn discontinuities(&self) -> &[f64] {
        &self.jumps
    }

    fn jumps_between(&self, span: [f64; 2]) -> Vec<[f64; 2]> {
        self.timetables.iter().flat_map(|table| table.jumps(span)).collect()
    }

    fn features_between(&self, span: [f64; 2]) -> Vec<[f64; 2]> {
        let features = self.timetables.iter().flat_map(|table| table.features(span));
        features.map(|feature| [feature.at, feature.within]).collect()
    }
}

impl Assembly {
    /// A component of a body's motion in words.
    fn coordinate_name(&self, i: usize) -> String {
        const SPATIAL: [&str; 6] =
            ["x", "y", "z", "rotation about x", "rotation about y", "rotation about z"];
        let k = self.node_of(i);
        let node = &self.nodes[k];
        if let NodeKind::Amplitudes { first, .. } = node.kind {
            return format!("{}: amplitude {}", self.names[k], first + i - node.v);
        }
        format!("{}: {}", self.names[k], SPATIAL[node.kind.columns()[i - node.v]])
    }

    /// In which axes nodes keep their velocities, for checkpoints.
    fn kinds_of_rates(&self) -> Vec<u8> {
        self.nodes.iter().map(|node| node.rates as u8).collect()
    }

    /// The node that has a coordinate.
    fn node_of(&self, coordinate: usize) -> usize {
        self.nodes.partition_point(|node| node.v <= coordinate) - 1
    }
}
