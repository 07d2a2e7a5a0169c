//! Knife edge: a blade or a wheel that does not slip sideways.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::{Constraint, RateRow, RateRows, RateTerm};
use crate::error::ModelError;
use nalgebra::Vector3;

/// The origin of `b` does not move along the y axis of `b` as seen from `a`; x of `b` is the blade.
///
/// One nonholonomic equation: no position is held. Where the blade stays on a plane, a planar or
/// point-on-plane joint, or a planar body, does that. Between planar bodies y must lie in their plane.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnifeEdge;

pub(super) const KIND: Kind = Kind {
    word: "knife-edge",
    about: "The second frame does not slip along its y axis; its x axis is the blade.",
    place: Place::Frames,
    look: Look::still(Symbol::Unseen),
    needs: &[],
    make: |_| Some(Box::new(KnifeEdge)),
};

impl Joint for KnifeEdge {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        pair.refuse_normal_of_b(self.word(), Vector3::y(), "its y axis must lie in their plane")?;
        // seen from a, velocity components are the rates of the offsets along its axes
        let terms = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| RateTerm {
            weight: 1.0,
            factor: Some(pair.cosine(axis, Vector3::y())),
            along: pair.along(axis),
        });
        let row = RateRow::zero("slip across the blade", terms.to_vec());
        Ok(vec![Box::new(RateRows::new(pair.nodes(), vec![row]))])
    }
}
