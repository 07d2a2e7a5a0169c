//! Active sets, once per iteration and never in circles: A of positions, B of velocities, S of the smooth motion, each
//! within the one before. [002 eqs. 55–57; sheet §6]

use super::stages::Stages;
use crate::contact_problem::law::Status;
use serde::{Deserialize, Serialize};

/// Order in which differing sets are changed one by one: A, B, S.
const ORDER: [usize; 3] = [1, 2, 0];

/// Sets seen in an attempt.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Sets {
    /// What rows and multipliers ask for.
    next: [Vec<Status>; 3],
    seen: Vec<u64>,
    /// A set has come back: from now on only the first differing contact changes.
    one_by_one: bool,
}

impl Sets {
    /// A new attempt begins.
    pub fn begin(&mut self) {
        self.seen.clear();
        self.one_by_one = false;
    }

    /// Updates the status of all contacts from rows and total multipliers.
    pub fn update(&mut self, stages: &mut Stages) {
        self.evaluate(stages);
        if self.one_by_one {
            change_first(&self.next, &mut stages.status);
        } else {
            stages.status.clone_from(&self.next);
        }
        let code = fingerprint(&stages.status);
        if self.seen.last() != Some(&code) {
            self.one_by_one |= self.seen.contains(&code);
            self.seen.push(code);
        }
    }

    /// Whether contacts wait for their turn to change.
    pub fn pending(&self, stages: &Stages) -> bool {
        let mut pairs = stages.status.iter().flatten().zip(self.next.iter().flatten());
        self.one_by_one && pairs.any(|(now, next)| !now.same_kind(*next))
    }

    /// Exchanges the present sets for those that rows and multipliers ask for, or back.
    pub fn exchange(&mut self, stages: &mut Stages) {
        std::mem::swap(&mut self.next, &mut stages.status);
    }

    fn evaluate(&mut self, stages: &Stages) {
        let count = stages.candidates.len();
        self.next.iter_mut().for_each(|next| next.resize(count, Status::Open));
        for i in 0..count {
            let [s, a, b] = [0, 1, 2].map(|stage| stages.local(i, stage));
            let position = if a.augmented() >= 0.0 { Status::Stick } else { Status::Open };
            let velocity = if position.closed() { b.status() } else { Status::Open };
            let smooth = match velocity {
                _ if !stages.smooth_contacts || s.augmented() < 0.0 => Status::Open,
                // What slips goes on slipping in its direction.
                Status::Open | Status::Slip(_) => velocity,
                Status::Stick => s.friction(),
            };
            for (next, now) in self.next.iter_mut().zip([smooth, position, velocity]) {
                next[i] = now;
            }
        }
    }
}

/// Takes over the first difference only; what keeps its kind may turn its direction.
fn change_first(next: &[Vec<Status>; 3], status: &mut [Vec<Status>; 3]) {
    let mut free = true;
    for stage in ORDER {
        for (status, &next) in status[stage].iter_mut().zip(&next[stage]) {
            let same = status.same_kind(next);
            if same || free {
                *status = next;
                free &= same;
            }
        }
    }
    // S ⊂ B ⊂ A
    let [smooth, position, velocity] = status;
    for i in 0..position.len() {
        if !position[i].closed() {
            velocity[i] = Status::Open;
        }
        if !velocity[i].closed() {
            smooth[i] = Status::Open;
        }
    }
}

/// FNV-1a of what all contacts do; slip directions count by their sign.
fn fingerprint(status: &[Vec<Status>; 3]) -> u64 {
    let code = |status: &Status| match status {
        Status::Open => 0,
        Status::Stick => 1,
        Status::Slip(d) => 2 + u64::from(d[0] < 0.0),
    };
    status.iter().flatten().map(code).fold(0xcbf2_9ce4_8422_2325, |hash: u64, code| {
        (hash ^ code).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_difference_is_taken_over() {
        let all = |s: Status| [vec![s; 2], vec![s; 2], vec![s; 2]];
        let mut status = all(Status::Open);
        change_first(&all(Status::Stick), &mut status);
        assert_eq!(status[1], [Status::Stick, Status::Open]);
        assert_eq!(status[2], [Status::Open, Status::Open]);
        let mut status = all(Status::Stick);
        change_first(&all(Status::Open), &mut status);
        // Opening at position level opens the levels above as well.
        assert_eq!(status[1], [Status::Open, Status::Stick]);
        assert_eq!(status[2], [Status::Open, Status::Stick]);
        assert_eq!(status[0], [Status::Open, Status::Stick]);
    }
}
