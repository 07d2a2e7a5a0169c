//! Lists of contacts that change on the way.

use super::Unilateral;
use crate::node::Motion;
use crate::scene::World;
use dyn_clone::DynClone;
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use std::fmt::Debug;

/// Contacts of which only those are listed that may close soon.
pub trait CandidateList: Debug + DynClone + Send + Sync {
    /// Makes the list hold every contact that may close within `horizon`; true if it changed. The
    /// list is never empty, so that no formulation without impacts takes the model by mistake.
    fn renew(&mut self, world: &World, horizon: f64) -> bool;

    /// How many contacts are listed.
    fn count(&self) -> usize;

    /// What identifies a contact when the list changes: a number below 2⁴⁸.
    fn key(&self, contact: usize) -> u64;

    /// What touches, in words; nothing if it is the only contact that may ever be listed.
    fn describe(&self, contact: usize) -> String;

    /// Whether the list always holds one contact, and always the same.
    fn stays(&self) -> bool {
        false
    }

    /// The nodes whose motion says whether solids pass through each other.
    fn watched(&self) -> Vec<usize> {
        Vec::new()
    }

    /// The time after its start at which a step must end so that solids that are apart at both of its ends, but meet in it, are
    /// seen to do so; `motions` are those of all nodes that are watched, at both ends.
    fn met(&self, _motions: [&[Motion]; 2], _h: f64) -> Option<f64> {
        None
    }

    /// How long a step of size `h` may be in which solids that touch hit each other fast.
    fn struck(&self, _motions: &[Motion], _h: f64) -> Option<f64> {
        None
    }

    /// A contact of the list.
    fn contact(&self, contact: usize) -> Unilateral;

    /// Puts the present list into a checkpoint.
    fn save(&self, out: &mut Writer);

    /// Takes the list of a checkpoint.
    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable>;
}

dyn_clone::clone_trait_object!(CandidateList);
