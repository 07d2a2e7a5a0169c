//! What an assembled model can say about a point or a step at which something went wrong.

use super::{Assembly, elements};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::{Point, Sentence, Subject};

/// Forces that are told beside the one that changes most, by their part of its change.
const ALSO: f64 = 0.3;
/// Changes of acceleration over a step that move a body by less than this part of the model's size
/// do not stand out.
const UNNOTICED: f64 = 1e-9;

/// What a force does within a step.
#[derive(Clone, Debug, Default)]
struct Change {
    /// Largest change of acceleration of a body, over the characteristic length for translations.
    acceleration: f64,
    /// The body.
    node: usize,
    /// Whether it is turned rather than moved.
    turned: bool,
    /// The component that changes, before and after.
    values: [f64; 2],
    /// Angular frequency with which the body would oscillate on this force alone.
    frequency: f64,
}

impl Assembly {
    /// A joint that is beyond what it was made for, such as the end of a curve, in words.
    pub(super) fn first_beyond(&mut self, at: &Point) -> Option<String> {
        self.place(at);
        let world = self.moment.world(at, self.angles(at.q));
        self.groups.iter().find_map(|group| {
            let how = group.constraint.beyond(Scene { world: &world, nodes: &group.nodes })?;
            Some(format!("joint `{}` is {how}", group.owner))
        })
    }

    /// The forces that change most between two points, in words.
    pub(super) fn changed_forces(&mut self, from: &Point, to: &Point) -> Vec<Sentence> {
        let h = to.t - from.t;
        let before = self.wrenches(from);
        let after = self.wrenches(to);
        let mut changes: Vec<(usize, Change)> = (0..self.pushes.len())
            .map(|k| (k, self.change(k, &before[k], &after[k])))
            .filter(|(_, change)| change.acceleration * h * h > UNNOTICED)
            .collect();
        changes.sort_by(|a, b| b.1.acceleration.total_cmp(&a.1.acceleration));
        let Some((_, largest)) = changes.first() else { return Vec::new() };
        let least = ALSO * largest.acceleration;
        changes.retain(|(_, change)| change.acceleration >= least);
        changes.truncate(3);
        for (k, change) in &mut changes {
            change.frequency = self.frequency(*k, from).max(self.frequency(*k, to));
        }
        changes.iter().map(|(k, change)| self.sentence(*k, change, h)).collect()
    }

    fn sentence(&self, push: usize, change: &Change, h: f64) -> Sentence {
        let [before, after] = change.values;
        let unit = if change.turned { "N m" } else { "N" };
        let mut sentence = format!(
            "the force `{}` on body `{}` changes from {} to {} {unit} within {h:.1e} s",
            self.pushes[push].name,
            self.names[change.node],
            number(before),
            number(after),
        );
        if change.frequency * h > 1.0 {
            let period = std::f64::consts::TAU / change.frequency;
            sentence += &format!(
                "; it is so stiff that the body would oscillate on it with a period of {period:.1e} s"
            );
        }
        let things = [&self.pushes[push].name, &self.names[change.node]];
        Sentence::about(sentence, things.map(|name| Subject::Thing(name.clone())))
    }

    /// The wrenches of all forces at a point, one list per force.
    fn wrenches(&mut self, at: &Point) -> Vec<Vec<Vector6<f64>>> {
        self.place(at);
        let angles = self.angles(at.q);
        let world = self.moment.world(at, angles);
        let act = |push: &mut super::Push| {
            let mut wrenches = vec![Vector6::zeros(); push.nodes.len()];
            push.force.wrench(Scene { world: &world, nodes: &push.nodes }, &mut wrenches);
            wrenches
        };
        self.pushes.iter_mut().map(act).collect()
    }

    /// What force `k` changes between two points.
    fn change(&self, k: usize, before: &[Vector6<f64>], after: &[Vector6<f64>]) -> Change {
        let mut largest = Change::default();
        for (slot, &node) in self.pushes[k].nodes.iter().enumerate() {
            for &column in self.nodes[node].kind.columns() {
                let Some(inertia) = self.inertia(node, column) else { continue };
                let values = [before[slot][column], after[slot][column]];
                let turned = column >= 3;
                let scale = if turned { 1.0 } else { self.length };
                let acceleration = (values[1] - values[0]).abs() / inertia / scale;
                if acceleration > largest.acceleration {
                    largest = Change { acceleration, node, turned, values, frequency: 0.0 };
                }
            }
        }
        largest
    }

    /// Mass or moment of inertia of a node in a direction, if it has any.
    fn inertia(&self, node: usize, column: usize) -> Option<f64> {
        let body = self.bodies.iter().find(|body| body.node == node);
        let own = body.map_or(0.0, |body| match column {
            0..3 => body.mass,
            turned => body.moments[(turned - 3, turned - 3)],
        });
        let inertia = own + self.carried_inertia(node, column);
        (inertia > 0.0).then_some(inertia)
    }

    /// Angular frequency of a force against the bodies it acts on, at a point.
    fn frequency(&mut self, k: usize, at: &Point) -> f64 {
        self.place(at);
        let angles = self.angles(at.q);
        let Assembly { pushes, moment, .. } = self;
        let world = moment.world(at, angles);
        let push = &mut pushes[k];
        let count = push.nodes.len();
        let mut stiffness = vec![Matrix6::zeros(); count * count];
        let mut damping = stiffness.clone();
        let scene = Scene { world: &world, nodes: &push.nodes };
        push.force.tangent(scene, &mut stiffness, &mut damping);
        let mut largest = 0.0f64;
        for slot in 0..count {
            let node = self.pushes[k].nodes[slot];
            for &column in self.nodes[node].kind.columns() {
                let own = -stiffness[slot * count + slot][(column, column)];
                if let Some(inertia) = self.inertia(node, column) {
                    largest = largest.max(own / inertia);
                }
            }
        }
        largest.sqrt()
    }

    /// The first thing that is not finite at a point, in words.
    pub(super) fn first_not_finite(&mut self, at: &Point) -> Option<Sentence> {
        if let Some(found) = self.explain_auxiliary(at) {
            return Some(found);
        }
        self.place(at);
        let angles = self.angles(at.q);
        let Assembly { names, pushes, parts, moment, scratch, groups, .. } = self;
        if let Some(k) = moment.values.iter().position(|v| v.iter().any(|x| !x.is_finite())) {
            let function = &moment.functions[k];
            let plain = || format!("the function of time `{function:?}` at t = {}", at.t);
            return Some(function.explain_not_finite(at.t).unwrap_or_else(plain).into());
        }
        let world = moment.world(at, angles);
        for push in pushes.iter_mut() {
            let scene = Scene { world: &world, nodes: &push.nodes };
            let count = push.nodes.len();
            let wrenches = &mut scratch.rows[..count];
            wrenches.fill(Vector6::zeros());
            push.force.wrench(scene, wrenches);
            let mut bad = wrenches.iter().position(|w| w.iter().any(|x| !x.is_finite()));
            if bad.is_none() {
                // a finite force may have an infinite slope, such as that of a root at zero
                let stiffness = &mut scratch.blocks[..count * count];
                let damping = &mut scratch.more_blocks[..count * count];
                stiffness.fill(Matrix6::zeros());
                damping.fill(Matrix6::zeros());
                push.force.tangent(scene, stiffness, damping);
                let blocks = stiffness.iter().zip(damping.iter());
                let wrong = |m: &Matrix6<f64>| m.iter().any(|x| !x.is_finite());
                bad = blocks.into_iter().position(|(k, d)| wrong(k) || wrong(d)).map(|k| k / count);
            }
            if let Some(slot) = bad {
                // of two bodies the one that is not the ground says more
                let slot = if push.nodes[slot] == 0 { (slot + 1) % count } else { slot };
                let body = &names[push.nodes[slot]];
                let why = push.force.explain_not_finite(scene);
                let why = why.map_or(String::new(), |why| format!(", {why}"));
                let text = format!("the force `{}` on body `{body}`{why}", push.name);
                let things = [&push.name, body].map(|name| Subject::Thing(name.clone()));
                return Some(Sentence::about(text, things));
            }
        }
        if let Some(found) = elements::not_finite(parts, &world, &mut scratch.rows) {
            return Some(found);
        }
        groups.iter().find_map(|group| {
            let scene = Scene { world: &world, nodes: group.constraint.nodes() };
            let rows = &mut scratch.rows[..group.constraint.rows() * scene.nodes.len()];
            rows.fill(Vector6::zeros());
            group.constraint.gradient(scene, rows);
            let bad = rows.iter().any(|row| row.iter().any(|x| !x.is_finite()));
            let text = format!("the gradient of constraint `{}`", group.owner);
            bad.then(|| Sentence::about(text, [Subject::Thing(group.owner.clone())]))
        })
    }

    /// The coordinate that stands for the body that turns fastest, and its rate.
    pub(super) fn turning_fastest(&self, v: &[f64]) -> Option<(usize, f64)> {
        let mut fastest: Option<(usize, f64)> = None;
        for node in &self.nodes[1..] {
            let columns = node.kind.columns().iter().enumerate();
            let turns = columns.filter(|(_, column)| **column >= 3).map(|(k, _)| node.v + k);
            let rate = turns.clone().map(|i| v[i] * v[i]).sum::<f64>().sqrt();
            let main = turns.max_by(|a, b| v[*a].abs().total_cmp(&v[*b].abs()));
            if let Some(i) = main
                && fastest.is_none_or(|(_, other)| rate > other)
            {
                fastest = Some((i, rate));
            }
        }
        fastest
    }
}

/// A number with four digits.
fn number(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.3e}") }
}
