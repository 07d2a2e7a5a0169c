//! Solver decks (`.adm`) of MSC Adams.
//!
//! | statement | becomes |
//! |---|---|
//! | `PART` | a body `PART_n`; `GROUND` is the ground. `MASS`, `CM`, `IM`, `IP`, `QG`, `REULER`, `VX` … `WZ` |
//! | `MARKER` | a marker; `QP` with `REULER` (about z, x, z of the body) or `ZP`, `XP` |
//! | `JOINT` | a joint `JOINT_n`: `REVOLUTE`, `TRANSLATIONAL`, `CYLINDRICAL`, `SPHERICAL`, `HOOKE`, `UNIVERSAL`, `PLANAR`, `FIXED` |
//! | `GCON` | a joint `GCON_n` that holds a distance: `FUNCTION = DM(i, j) - length` |
//! | `SFORCE` | a force `SFORCE_n` on a distance or an angle: a function of `DM`, `VR` or `AZ`, `WZ` and `TIME` with `STEP`, `IMPACT`, `BISTOP`, `POLY`, `IF`, … |
//! | `ACCGRAV`, `UNITS` | gravity; everything is turned into SI units |
//! | `GRAPHICS`, `REQUEST`, `OUTPUT`, `RESULTS`, `VARIABLE` | left out, with a [`Note`] |
//!
//! Conventions. In Adams, marker `I` moves as seen from marker `J`, a reaction is the force and
//! torque **on `I`** at its origin, a positive translational `SFORCE` drives `I` and `J` apart and a
//! positive rotational one turns `I` about z of `J`. Here a joint's second marker moves as seen from
//! its first and the reaction is the one on the second body: so `J` becomes the first marker, `I` the
//! second. `JOINT(n, 0, …, 0)` of a request thus is
//! [`Assembly::reaction`](crate::Assembly::reaction), turned from the axes of `J` into those of the
//! world. Products of inertia in `IP` are positive integrals `∫xy dm`, so they enter the inertia
//! matrix with a minus sign.

mod build;
mod expression;
mod function;
mod statement;
#[cfg(test)]
mod tests;
mod units;

use super::{ImportError, Note};
use crate::error::Refusal;
use crate::marker::Marker;
use crate::model::{BodyId, JointId, Model};
use std::collections::BTreeMap;

/// A deck that was read.
#[derive(Clone, Debug, Default)]
pub struct Deck {
    /// The model.
    pub model: Model,
    /// Bodies by the number of their `PART`.
    pub parts: BTreeMap<usize, BodyId>,
    /// Markers by number.
    pub markers: BTreeMap<usize, Marker>,
    /// Joints by the number of their `JOINT`.
    pub joints: BTreeMap<usize, JointId>,
    /// Held distances by the number of their `GCON`.
    pub distances: BTreeMap<usize, JointId>,
    /// What was left out.
    pub notes: Vec<Note>,
}

/// Reads a deck. The name of the file is for messages only.
pub fn read(text: &str, file_name: &str) -> Result<Deck, ImportError> {
    let deck = statement::statements(text).and_then(|statements| build::deck(&statements));
    deck.map_err(|Reason { line, what }| ImportError {
        file: file_name.into(),
        line,
        refusal: what,
    })
}

/// What is wrong and where.
#[derive(Clone, Debug, PartialEq)]
struct Reason {
    line: usize,
    what: Refusal,
}

fn fail<T>(line: usize, what: impl Into<Refusal>) -> Result<T, Reason> {
    Err(Reason { line, what: what.into() })
}
