//! Active sets, once per iteration: A of positions, B of velocities, S of the smooth motion, each within the one
//! before. [002 eqs. 55–57; sheet §6]

use super::stages::Stages;
use crate::contact_problem::law::Status;

impl Stages {
    /// Updates the status of all contacts from rows and total multipliers.
    pub fn update_sets(&mut self) {
        for i in 0..self.candidates.len() {
            let [s, a, b] = [0, 1, 2].map(|stage| self.local(i, stage));
            let position = if a.augmented() >= 0.0 { Status::Stick } else { Status::Open };
            let velocity = if position.closed() { b.status() } else { Status::Open };
            let smooth = match velocity {
                _ if !self.smooth_contacts || s.augmented() < 0.0 => Status::Open,
                // What slips goes on slipping in its direction.
                Status::Open | Status::Slip(_) => velocity,
                Status::Stick => s.friction(),
            };
            for (status, now) in self.status.iter_mut().zip([smooth, position, velocity]) {
                status[i] = now;
            }
        }
    }
}
