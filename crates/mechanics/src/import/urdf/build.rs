//! From links and joints to a model.

use super::document::{self, JointElement, Kind, Link};
use super::{Attachment, Buffers, ImportError, Limits, Note, Options, Robot};
use crate::body::{Body, MassProperties};
use crate::error::{ModelError, Refusal, refusal};
use crate::force::{Amplitude, Friction, Linear, SoftStop, Spring, Stribeck};
use crate::function::TimeFunction;
use crate::joint::{Fixed, Joint, Planar, Prismatic, Revolute};
use crate::marker::frame_along;
use crate::model::GROUND;
use crate::stop::Stop;
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};

/// Links that move as one, the first of which gives the frame.
struct Group {
    line: usize,
    name: String,
    world: Frame,
    mass: MassProperties,
    ground: bool,
}

/// Where a link belongs: its group and its place there.
#[derive(Clone, Copy)]
struct Place {
    group: usize,
    frame: Frame,
}

struct Builder<'a> {
    file: &'a str,
    options: &'a Options,
    source: &'a document::Robot,
    groups: Vec<Group>,
    places: Vec<Option<Place>>,
    robot: Robot,
}

pub(super) fn robot(
    source: document::Robot,
    file: &str,
    options: &Options,
) -> Result<Robot, ImportError> {
    let places = source.links.iter().map(|_| None).collect();
    let mut builder = Builder {
        file,
        options,
        source: &source,
        groups: Vec::new(),
        places,
        robot: Robot::default(),
    };
    builder.place_links()?;
    builder.bodies()?;
    source.joints.iter().try_for_each(|joint| builder.joint(joint))?;
    source.joints.iter().try_for_each(|joint| builder.mimic(joint))?;
    Ok(builder.robot)
}

impl<'a> Builder<'a> {
    fn fail<T>(&self, line: usize, refusal: impl Into<Refusal>) -> Result<T, ImportError> {
        Err(ImportError { file: self.file.into(), line, refusal: refusal.into() })
    }

    /// A mistake in the model, at a line.
    fn at<T>(&self, line: usize, result: Result<T, ModelError>) -> Result<T, ImportError> {
        result.or_else(|error| self.fail(line, error))
    }

    fn link(&self, name: &str, joint: &JointElement) -> Result<usize, ImportError> {
        match self.source.links.iter().position(|link| link.name == name) {
            Some(index) => Ok(index),
            None => {
                let what = format!("joint `{}`: there is no link `{name}`", joint.name);
                self.fail(joint.line, what)
            }
        }
    }

    /// Walks the tree from its root and puts every link in a group.
    fn place_links(&mut self) -> Result<(), ImportError> {
        let mut parents: Vec<Option<&JointElement>> = vec![None; self.source.links.len()];
        for joint in &self.source.joints {
            self.link(&joint.parent, joint)?;
            let child = self.link(&joint.child, joint)?;
            if let Some(other) = parents[child].replace(joint) {
                let what = refusal!(
                    "link `{}` is the child of both `{}` and `{}`", joint.child, other.name, joint.name;
                    "URDF describes a tree, close loops afterwards"
                );
                return self.fail(joint.line, what);
            }
        }
        let roots: Vec<usize> = (0..parents.len()).filter(|&i| parents[i].is_none()).collect();
        let root = match roots[..] {
            [root] => root,
            [] => {
                return self
                    .fail(1, refusal!("every link is the child of another"; "there is no root"));
            }
            [first, second, ..] => {
                let (a, b) = (&self.source.links[first].name, &self.source.links[second]);
                let what = refusal!("there are two roots, `{a}` and `{}`", b.name; "connect them");
                return self.fail(b.line, what);
            }
        };
        let base = self.options.base;
        self.places[root] = Some(self.new_group(root, base, self.options.fixed_base));
        let mut waiting = vec![root];
        while let Some(parent) = waiting.pop() {
            let name = &self.source.links[parent].name;
            for joint in self.source.joints.iter().filter(|joint| joint.parent == *name) {
                let child = self.link(&joint.child, joint)?;
                self.places[child] =
                    self.places[parent].map(|place| self.below(place, joint, child));
                waiting.push(child);
            }
        }
        match self.places.iter().position(Option::is_none) {
            Some(lost) => {
                let link = &self.source.links[lost];
                let what = format!("link `{}` hangs on a ring of joints without a root", link.name);
                self.fail(link.line, what)
            }
            None => Ok(()),
        }
    }

    /// The angle or displacement of a joint at the start: given, that of the joint it mimics, or zero.
    fn start(&self, joint: &JointElement) -> f64 {
        let (mut joint, mut factor, mut offset) = (joint, 1.0, 0.0);
        // joints that mimic each other in a ring must not keep us here
        for _ in &self.source.joints {
            if let Some(value) = self.options.positions.get(&joint.name) {
                return factor * value + offset;
            }
            let Some(mimic) = &joint.mimic else { break };
            (offset, factor) = (offset + factor * mimic.offset, factor * mimic.multiplier);
            match self.source.joints.iter().find(|other| other.name == mimic.joint) {
                Some(other) => joint = other,
                None => break,
            }
        }
        offset
    }

    /// The place of a link below another one.
    fn below(&mut self, parent: Place, joint: &JointElement, child: usize) -> Place {
        let axis = joint.axis.normalize() * self.start(joint);
        let moved = match joint.kind {
            Kind::Revolute | Kind::Continuous => {
                Frame::new(Vector3::zeros(), Quaternion::exp(&axis))
            }
            Kind::Prismatic => Frame::new(axis, Quaternion::identity()),
            Kind::Fixed | Kind::Floating | Kind::Planar => Frame::identity(),
        };
        let frame = parent.frame * joint.origin * moved;
        if joint.kind != Kind::Fixed || !self.options.weld {
            let world = self.groups[parent.group].world * frame;
            return self.new_group(child, world, false);
        }
        let group = &mut self.groups[parent.group];
        if let Some(mass) = self.source.links[child].mass {
            group.mass = group.mass.plus(&mass.moved(&frame));
        }
        Place { group: parent.group, frame }
    }

    fn new_group(&mut self, link: usize, world: Frame, ground: bool) -> Place {
        let Link { line, name, mass, .. } = &self.source.links[link];
        let mass = mass.unwrap_or(MassProperties::principal(0.0, Vector3::zeros()));
        self.groups.push(Group { line: *line, name: name.clone(), world, mass, ground });
        Place { group: self.groups.len() - 1, frame: Frame::identity() }
    }

    fn bodies(&mut self) -> Result<(), ImportError> {
        let mut ids = Vec::new();
        for group in &self.groups {
            if group.ground {
                ids.push(GROUND);
                continue;
            }
            if group.mass.mass <= 0.0 {
                let what = refusal!(
                    "link `{}` moves but has no mass", group.name;
                    "give it an <inertial> or a fixed joint"
                );
                return self.fail(group.line, what);
            }
            let body = Body::rigid(group.mass).at_frame(group.world);
            let body = self.robot.model.body(&group.name, body);
            ids.push(self.at(group.line, body)?);
        }
        for (link, place) in self.source.links.iter().zip(&self.places) {
            let Some(Place { group, frame }) = *place else { continue };
            // the ground's own frame is the world
            let frame = match self.groups[group].ground {
                true => self.groups[group].world * frame,
                false => frame,
            };
            let attachment = Attachment { body: ids[group], frame };
            if self.robot.links.insert(link.name.clone(), attachment).is_some() {
                return self.fail(link.line, format!("there are two links `{}`", link.name));
            }
            self.robot.shapes.extend(link.shapes.iter().cloned());
        }
        Ok(())
    }

    fn joint(&mut self, joint: &JointElement) -> Result<(), ImportError> {
        let JointElement { line, name, .. } = joint;
        let (kind, word): (&dyn Joint, _) = match joint.kind {
            Kind::Revolute | Kind::Continuous => (&Revolute, Some("angle")),
            Kind::Prismatic => (&Prismatic, Some("displacement")),
            Kind::Planar => (&Planar, None),
            Kind::Fixed if !self.options.weld => (&Fixed, None),
            Kind::Fixed | Kind::Floating => return Ok(()),
        };
        // both markers have their z axis along the joint's
        let along = frame_along(Vector3::zeros(), joint.axis);
        let (parent, child) = (&joint.parent, &joint.child);
        let a = self.at(*line, self.robot.marker(parent, joint.origin * along))?;
        let b = self.at(*line, self.robot.marker(child, along))?;
        let id = self.robot.model.joint(name, kind, a, b);
        let id = self.at(*line, id)?;
        self.robot.joints.insert(name.clone(), id);
        let Some(word) = word else {
            if joint.damping != 0.0 || joint.friction != 0.0 {
                let what =
                    format!("the <dynamics> of joint `{name}`, which has no single coordinate");
                self.robot.notes.push(Note { line: *line, what });
            }
            return Ok(());
        };
        let coordinate = self.at(*line, self.robot.model.coordinate(id, word))?;
        if joint.damping != 0.0 {
            let law = Linear { damping: joint.damping, ..Linear::default() };
            let damper = Spring::new(coordinate.clone(), law);
            let added = self.robot.model.force(&format!("{name} damping"), damper);
            self.at(*line, added)?;
        }
        if joint.friction != 0.0 {
            // the file gives the force or moment itself: a coefficient of one under it
            let law = Stribeck::coulomb(1.0, self.options.creep);
            let law =
                self.at(*line, Friction::new(law, Amplitude::Constant(joint.friction), 1.0))?;
            let friction = Spring::new(coordinate.clone(), law);
            let added = self.robot.model.force(&format!("{name} friction"), friction);
            self.at(*line, added)?;
        }
        let Some(limits) = joint.limits else { return Ok(()) };
        self.robot.limits.insert(name.clone(), limits);
        let Limits { lower, upper, .. } = limits;
        if let Some(Buffers { stiffness, damping }) = self.options.buffers
            && joint.kind != Kind::Continuous
        {
            let law = SoftStop::new(lower, upper, stiffness).and_then(|stop| stop.damped(damping));
            let stop = Spring::new(coordinate.clone(), self.at(*line, law)?);
            let added = self.robot.model.force(&format!("{name} stop"), stop);
            self.at(*line, added)?;
        }
        if self.options.stops && joint.kind != Kind::Continuous {
            let stop = Stop { name: name.clone(), coordinate, lower, upper, restitution: 0.0 };
            let added = self.robot.model.stop(stop);
            self.at(*line, added)?;
        }
        Ok(())
    }

    /// `value − multiplier · other = offset`.
    fn mimic(&mut self, joint: &JointElement) -> Result<(), ImportError> {
        let Some(mimic) = &joint.mimic else { return Ok(()) };
        let (line, name) = (joint.line, &joint.name);
        let coordinate = |of: &str| {
            let entry = self.robot.joints.get(of);
            let Some(id) = entry else {
                return self
                    .fail(line, format!("joint `{name}` mimics `{of}`, which does not move"));
            };
            let words = &self.robot.model.joints()[id.0].coordinates;
            match &words[..] {
                [(_, coordinate)] => Ok(coordinate.clone()),
                _ => self.fail(line, format!("joint `{of}` has no single coordinate to mimic")),
            }
        };
        let (own, other) = (coordinate(name)?, coordinate(&mimic.joint)?);
        let sum = self.at(line, own.plus(&other.scaled(-mimic.multiplier)))?;
        let target = TimeFunction::Constant(mimic.offset);
        let added = self.robot.model.couple(&format!("{name} mimic"), sum, target);
        self.at(line, added)
    }
}
