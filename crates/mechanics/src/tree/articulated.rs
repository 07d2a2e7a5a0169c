//! Accelerations by the recursion: what acts is weight, and the forces that the assembly knows.

use super::TreeSystem;
use rotula_dae::{ForwardDynamics, Point};

impl TreeSystem {
    /// Adds the forces of the assembly at the links of the bodies on which they act.
    fn push(&mut self, at: &Point) {
        let zeros = std::mem::take(&mut self.zeros);
        self.place_links(&Point { vdot: &zeros, ..*at });
        self.zeros = zeros;
        let TreeSystem { recursion, layout, stations, inner, residual, state, pushed, .. } = self;
        for &k in pushed.iter() {
            let rider = &layout.riders[k];
            inner.hand_over(rider.node, stations.motion(rider));
        }
        inner.handed_pushes(&state.point(), residual);
        for &k in pushed.iter() {
            let rider = &layout.riders[k];
            let rotation = &stations.links[rider.link].rotation;
            let missed = inner.nodes()[rider.node].embed(residual);
            let force = -(rotation * missed.fixed_rows::<3>(0));
            let moment = (rotation * rider.arm).cross(&force);
            let moment = moment - rotation * missed.fixed_rows::<3>(3);
            recursion.push(rider.link, &force, &moment);
        }
    }
}

impl ForwardDynamics for TreeSystem {
    fn accelerations(&mut self, at: &Point, out: &mut [f64]) -> bool {
        self.recursion.place(at.q, at.v);
        if !self.pushed.is_empty() {
            self.push(at);
        }
        self.recursion.give_way() && self.recursion.accelerate(out)
    }
}
