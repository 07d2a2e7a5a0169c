//! Lists of contacts that change on the way.

use super::Unilateral;
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

    /// A contact of the list.
    fn contact(&self, contact: usize) -> Unilateral;

    /// Puts the present list into a checkpoint.
    fn save(&self, out: &mut Writer);

    /// Takes the list of a checkpoint.
    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable>;
}

dyn_clone::clone_trait_object!(CandidateList);
