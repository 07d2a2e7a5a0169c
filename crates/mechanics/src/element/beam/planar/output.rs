//! Strain and section forces in the middle of a planar element, with their derivatives.

use super::state::quarter;
use super::{KEPT, PlanarBeam, embed};
use crate::element::beam::{MOST_NODES, SectionState};
use crate::scene::Scene;
use nalgebra::{Matrix3, Matrix6, Vector2, Vector3, Vector6};
use rotula_dae::Terms;

impl PlanarBeam {
    /// Strain and section forces in the middle of the element. What holds it in its plane is not known.
    pub fn section_state(&self, scene: Scene) -> SectionState {
        let places = self.places(scene, Terms::ALL);
        let bent = self.middle.bend(places.knots());
        let rates = self.middle.rates(places.knots(), &bent);
        let section = self.section();
        let (strain, rate): (Vector6<f64>, Vector6<f64>) =
            (embed(&bent.strain), embed(&rates.strain));
        SectionState { strain, force: section.stiffness * strain + section.damping * rate }
    }

    /// The derivatives of `A ε + B ε̇` in the middle, along body variations and with respect to the
    /// velocities, by slot.
    pub(crate) fn section_slopes(
        &self,
        scene: Scene,
        by_strain: &Matrix6<f64>,
        by_rate: &Matrix6<f64>,
    ) -> [[Matrix6<f64>; 2]; MOST_NODES] {
        let places = self.places(scene, Terms::ALL);
        let knots = places.knots();
        let bent = self.middle.bend(knots);
        let rates = self.middle.rates(knots, &bent);
        let mut out = [[Matrix6::zeros(); 2]; MOST_NODES];
        for (slot, out) in out.iter_mut().enumerate().take(self.count()) {
            let (n, m) = (self.middle.shape[slot], self.middle.slope[slot]);
            let turn = knots[slot].turn;
            let mut strain = Matrix3::zeros();
            let mut rate = Matrix3::zeros();
            for (c, axis) in [Vector2::x(), Vector2::y()].iter().enumerate() {
                let seen = bent.turn.back(&turn.of(axis)) * m;
                let turned = quarter(&seen) * -rates.omega;
                strain.set_column(c, &Vector3::new(seen.x, seen.y, 0.0));
                rate.set_column(c, &Vector3::new(turned.x, turned.y, 0.0));
            }
            let tilt = quarter(&bent.slope) * -n;
            strain.set_column(2, &Vector3::new(tilt.x, tilt.y, m));
            // the velocity of the node turns with it
            let own = bent.turn.back(&quarter(&knots[slot].velocity)) * m;
            let turning = (quarter(&rates.slope) + bent.slope * rates.omega) * -n + own;
            rate.set_column(2, &Vector3::new(turning.x, turning.y, 0.0));
            let (mut along, mut plain) = (Matrix6::zeros(), Matrix6::zeros());
            for (j, &column) in KEPT.iter().enumerate() {
                let strain: Vector6<f64> = embed(&strain.column(j).into());
                let rate: Vector6<f64> = embed(&rate.column(j).into());
                along.set_column(column, &(by_strain * strain + by_rate * rate));
                plain.set_column(column, &(by_rate * strain));
            }
            if let Some(adjoint) = self.ends()[slot].adjoint() {
                (along, plain) = (along * adjoint, plain * adjoint);
            }
            *out = [along, plain];
        }
        out
    }
}
