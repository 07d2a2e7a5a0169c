//! Robots in the Unified Robot Description Format (URDF).
//!
//! | element | becomes |
//! |---|---|
//! | `link` | a body, or a part of one: links on fixed joints are welded together, see [`Options::weld`] |
//! | `visual`, `collision` | a [`LinkShape`] |
//! | `joint` | a joint of the same name: `revolute` and `continuous` turn about, `prismatic` slides along the axis, `planar` is normal to it, `floating` holds nothing |
//! | `limit` | [`Limits`], and a soft stop `… stop` or a hard one if asked for |
//! | `dynamics damping` | a damper `… damping` on the joint |
//! | `dynamics friction` | dry friction `… friction` of this force or moment, made smooth by [`Options::creep`] |
//! | `mimic` | a coupling `… mimic` |
//!
//! The file describes a tree. Loops are closed afterwards with [`Robot::close_loop`]; start the
//! joints where the loop closes with [`Options::positions`].

mod build;
mod document;
mod shape;

use crate::error::ModelError;
pub use document::Limits;
pub use shape::{Geometry, LinkShape, Purpose};

use super::{ImportError, Note};
use crate::joint::Joint;
use crate::marker::Marker;
use crate::model::{BodyId, JointId, Model};
use rotula_formula::nearest;
use rotula_lie::Frame;
use std::collections::BTreeMap;

/// Choices of the user.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether the root link is the ground; otherwise it floats.
    pub fixed_base: bool,
    /// Where the root link is.
    pub base: Frame,
    /// Whether links on fixed joints become one body; otherwise the joints are kept.
    pub weld: bool,
    /// Whether limits become hard stops, without restitution.
    pub stops: bool,
    /// Whether limits become soft stops, and of what kind.
    pub buffers: Option<Buffers>,
    /// Regularisation velocity of joint friction, in m/s or rad/s, much below the speeds of interest.
    pub creep: f64,
    /// Angles and displacements at the start, by joint. Joints that are not given start at zero, or
    /// where the joint they mimic takes them.
    pub positions: BTreeMap<String, f64>,
}

impl Default for Options {
    fn default() -> Self {
        let positions = BTreeMap::new();
        Options {
            fixed_base: true,
            base: Frame::identity(),
            weld: true,
            stops: false,
            buffers: None,
            creep: 1e-3,
            positions,
        }
    }
}

/// What soft stops are made of: a force `k dⁿ (1 + c ḋ)` at the depth `d`, with n = 3/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Buffers {
    /// Stiffness k.
    pub stiffness: f64,
    /// Damping c.
    pub damping: f64,
}

/// Where a link is: on which body, and how it sits in the body's own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The body.
    pub body: BodyId,
    /// The link's frame in the body's.
    pub frame: Frame,
}

/// A robot that was read.
#[derive(Clone, Debug, Default)]
pub struct Robot {
    /// The model, without gravity: a URDF file gives none.
    pub model: Model,
    /// Links by name.
    pub links: BTreeMap<String, Attachment>,
    /// Joints by name; welded and floating ones are not among them.
    pub joints: BTreeMap<String, JointId>,
    /// Limits by joint.
    pub limits: BTreeMap<String, Limits>,
    /// Shapes.
    pub shapes: Vec<LinkShape>,
    /// What was left out.
    pub notes: Vec<Note>,
}

/// Reads a robot. The name of the file is for messages only.
pub fn read(text: &str, file_name: &str, options: &Options) -> Result<Robot, ImportError> {
    build::robot(document::robot(text, file_name)?, file_name, options)
}

impl Robot {
    /// A marker on a link, given by its place on the link.
    pub fn marker(&self, link: &str, local: Frame) -> Result<Marker, ModelError> {
        match self.links.get(link) {
            Some(place) => Ok(self.model.marker(place.body, place.frame * local)),
            None => {
                let near = nearest(link, self.links.keys().map(String::as_str));
                let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                let what = format!("the robot has no such link{hint}");
                Err(ModelError::invalid(format!("link `{link}`"), what))
            }
        }
    }

    /// Closes a loop: connects two links of the tree with another joint. The frames are places on
    /// the links; the joint's axis is their z axis.
    pub fn close_loop(
        &mut self,
        name: &str,
        joint: &dyn Joint,
        (first, first_frame): (&str, Frame),
        (second, second_frame): (&str, Frame),
    ) -> Result<JointId, ModelError> {
        let (a, b) = (self.marker(first, first_frame)?, self.marker(second, second_frame)?);
        let id = self.model.joint(name, joint, a, b)?;
        self.joints.insert(name.into(), id);
        Ok(id)
    }
}
