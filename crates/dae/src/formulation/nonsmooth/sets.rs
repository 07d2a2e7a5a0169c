//! Active sets: once per iteration, and never in circles. [Brüls et al. 2018, eqs. 55–57; §6]

use super::law::Status;
use super::stages::Stages;
use crate::settings::Strategy;
use serde::{Deserialize, Serialize};

/// Order in which differing sets are changed one by one: A, B, S.
const ORDER: [usize; 3] = [1, 2, 0];

/// Sets seen in an attempt.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Sets {
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

    /// Room for the sets of an attempt, so that none is made while marching.
    pub fn reserve(&mut self, contacts: usize, iterations: usize) {
        for next in &mut self.next {
            next.clear();
            next.resize(contacts, Status::Open);
        }
        self.seen.reserve(iterations);
    }

    /// Updates the status of all contacts from rows and total multipliers; those that are held stay open.
    pub fn update(&mut self, stages: &mut Stages, held: &[bool]) {
        self.evaluate(stages, held);
        if self.one_by_one {
            change_first(&self.next, &mut stages.status);
        } else {
            for (status, next) in stages.status.iter_mut().zip(&self.next) {
                status.copy_from_slice(next);
            }
        }
        let code = fingerprint(&stages.status);
        let last = self.seen.last() == Some(&code);
        if !last && self.seen.contains(&code) {
            self.one_by_one = true;
        }
        if !last {
            self.seen.push(code);
        }
    }

    /// Whether contacts wait for their turn to change.
    pub fn pending(&self, stages: &Stages) -> bool {
        let differ = |(now, next): (&Vec<Status>, &Vec<Status>)| {
            now.iter().zip(next).any(|(now, next)| !now.same_kind(*next))
        };
        self.one_by_one && stages.status.iter().zip(&self.next).any(differ)
    }

    /// Exchanges the present sets for those that rows and multipliers ask for, or back.
    pub fn exchange(&mut self, stages: &mut Stages) {
        std::mem::swap(&mut self.next, &mut stages.status);
    }

    fn evaluate(&mut self, stages: &Stages, held: &[bool]) {
        let [smooth, position, velocity] = &mut self.next;
        for i in 0..stages.candidates.len() {
            if held[i] {
                (position[i], velocity[i], smooth[i]) = (Status::Open, Status::Open, Status::Open);
                continue;
            }
            let (a, b, s) = (stages.sight(i, 1), stages.sight(i, 2), stages.sight(i, 0));
            position[i] = closed(a.augmented() >= 0.0);
            velocity[i] = match position[i].closed() && b.augmented() >= 0.0 {
                true => b.friction(),
                false => Status::Open,
            };
            let smooth_closed =
                stages.strategy == Strategy::Pva && velocity[i].closed() && s.augmented() >= 0.0;
            smooth[i] = match (smooth_closed, velocity[i]) {
                (false, _) => Status::Open,
                // What slips goes on slipping in its direction.
                (true, Status::Slip(d)) => Status::Slip(d),
                (true, _) => s.friction(),
            };
        }
    }
}

fn closed(is: bool) -> Status {
    if is { Status::Stick } else { Status::Open }
}

/// Takes over the first difference only; what keeps its kind may turn its direction.
fn change_first(next: &[Vec<Status>; 3], status: &mut [Vec<Status>; 3]) {
    let mut free = true;
    for stage in ORDER {
        for (status, &next) in status[stage].iter_mut().zip(&next[stage]) {
            if status.same_kind(next) {
                *status = next;
            } else if free {
                *status = next;
                free = false;
            }
        }
    }
    nest(status);
}

/// S ⊂ B ⊂ A.
fn nest([smooth, position, velocity]: &mut [Vec<Status>; 3]) {
    for i in 0..position.len() {
        if !position[i].closed() {
            velocity[i] = Status::Open;
        }
        if !velocity[i].closed() {
            smooth[i] = Status::Open;
        }
    }
}

fn fingerprint(status: &[Vec<Status>; 3]) -> u64 {
    // FNV-1a
    let codes = status.iter().flatten().map(|status| status.code());
    codes
        .fold(0xcbf2_9ce4_8422_2325, |hash, code| (hash ^ code).wrapping_mul(0x0000_0100_0000_01b3))
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
