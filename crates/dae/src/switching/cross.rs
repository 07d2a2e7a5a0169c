//! What happens at a switch: the mode beyond, and a fresh start where accelerations jump.

use crate::consistency::solve_accelerations;
use crate::control::Control;
use crate::diagnosis::Diagnosis;
use crate::march::March;
use crate::newton::Trouble;
use crate::settings::InitialPolicy;
use crate::system::System;
use crate::vector::rms_weighted;
use rotula_linear::FactorError;

/// Accelerations that change by less than this part do not jump.
const JUMP: f64 = 1e-9;

impl March {
    /// Crosses into the modes that are due at the present state.
    pub(crate) fn cross_switches(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        if self.switches.due.is_empty() {
            return Ok(());
        }
        let due = std::mem::take(&mut self.switches.due);
        for &room in &due {
            if let Some(switching) = system.switching() {
                // the step that was attempted last leads to the switch or beyond
                switching.cross(room, &self.next.point());
            }
        }
        self.statistics.switches += due.len();
        let jump = self.take_new_forces(system)?;
        for room in due {
            self.see_sliding(system, room, jump);
        }
        Ok(())
    }

    /// Takes the modes of the present state, after a step in which they were free or slid along.
    pub(crate) fn renew_modes(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        let free = std::mem::take(&mut self.switches.free);
        if !free && self.switches.sliding.is_empty() {
            return Ok(());
        }
        self.see_rest(system);
        self.hold_modes(system);
        self.take_new_forces(system).map(|_| ())
    }

    /// Lets modes follow the motion in this step if what they lead to when they are held is undefined, such as the root of a
    /// number that has become negative. True if that is worth another attempt.
    pub(crate) fn free_modes(&mut self, system: &mut dyn System, trouble: &Trouble) -> bool {
        let undefined = matches!(
            trouble,
            Trouble::NotFinite { .. } | Trouble::Matrix(FactorError::NotFinite { .. })
        );
        if !undefined || self.switches.free || !self.switches.watched {
            return false;
        }
        let Some(switching) = system.switching() else { return false };
        self.switches.free = switching.rooms() > 0;
        if self.switches.free {
            switching.release();
        }
        self.switches.free
    }

    /// Accelerations under the present modes; where they jump, the method starts afresh. Returns the size of the jump.
    fn take_new_forces(&mut self, system: &mut dyn System) -> Result<f64, Diagnosis> {
        if self.settings.initial == InitialPolicy::Trust {
            self.restart(system)?;
            return Ok(0.0);
        }
        let before = self.state.clone();
        solve_accelerations(system, &mut self.state, &mut self.recorder.underlying)?;
        let [old, new] = [&before.vdot, &self.state.vdot];
        let change = |[a, b]: [f64; 2]| a - b;
        let jump = rms_weighted([new, old], change, &self.weights);
        let nothing = vec![0.0; new.len()];
        let size = rms_weighted([new, &nothing], change, &self.weights);
        let rates = before.xdot.iter().zip(&self.state.xdot);
        let rates_jump = rates.clone().any(|(a, b)| (a - b).abs() > JUMP * a.abs().max(b.abs()));
        if jump > JUMP * size || rates_jump {
            self.restart(system)?;
        } else {
            self.state = before;
            self.newton.drop_matrix();
        }
        Ok(jump)
    }

    /// Whether the step that ends now leaves no row of its own in a record of equal steps.
    pub(crate) fn ends_between(&self) -> bool {
        let cut = self.located.due || self.switches.cut;
        cut && matches!(self.control, Control::Grid(_))
    }
}
