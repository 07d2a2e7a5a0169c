//! What an element sees when it is evaluated.

use crate::node::Motion;

/// The whole model at one point.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// Time.
    pub t: f64,
    /// Motions of all nodes.
    pub motions: &'a [Motion],
    /// Angles that count their turns.
    pub angles: &'a [f64],
    /// Values and first two derivatives of all functions of time.
    pub functions: &'a [[f64; 3]],
    /// First-order states.
    pub states: &'a [f64],
    /// Algebraic variables.
    pub variables: &'a [f64],
}

/// The world as one element sees it: through its own nodes.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Everything.
    pub world: &'a World<'a>,
    /// The element's nodes, by slot.
    pub nodes: &'a [usize],
}

impl<'a> Scene<'a> {
    /// The motion of the node at a slot.
    #[inline]
    pub fn motion(&self, slot: usize) -> &'a Motion {
        &self.world.motions[self.nodes[slot]]
    }
}
