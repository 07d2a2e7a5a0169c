//! Why a step with contacts could not be solved, in words.

use super::NonsmoothScheme;
use super::law::Status;
use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::settings::NonsmoothVariant;
use crate::system::{Component, System};

impl NonsmoothScheme {
    pub(super) fn explain_failure(&self, system: &mut dyn System, h: f64) -> Diagnosis {
        let t = self.core.base.t;
        let stages = &self.stages;
        let last = self.memory.last;
        let stage = (0..3).max_by(|&a, &b| last[a].total_cmp(&last[b])).unwrap_or(0);
        let part = ["the smooth motion", "the correction of positions", "the jump of velocities"];
        let worst = format!(
            "the worst residual belongs to {}: {:.2e} times its bound",
            part[stage], last[stage]
        );
        let mut evidence: Vec<Sentence> = vec![worst.into()];
        let history = &self.memory.history;
        let tail: Vec<String> =
            history.iter().rev().take(6).rev().map(|size| format!("{size:.1e}")).collect();
        let tail = format!("last iterations, residual over bound: {}", tail.join(", "));
        evidence.push(tail.into());
        evidence.extend(self.worst_coordinate(system, stage));
        evidence.extend(self.worst_contacts(system, stage));
        let closed = stages.status[2].iter().filter(|status| status.closed()).count();
        let contacts = stages.candidates.len();
        let mut remedies = vec!["take a smaller `step`, or loosen `newton.tolerance`".to_owned()];
        if closed > 0 {
            remedies.push("lower the friction of the named contacts".into());
        }
        if stages.variant == NonsmoothVariant::Printed {
            remedies.push("set `variant = \"star\"`: the printed one may have no solution".into());
        }
        let with = match contacts {
            0 => String::new(),
            _ => format!(" with contacts ({closed} of {contacts} closed)"),
        };
        let message =
            format!("after t = {t} the step{with} could not be solved, down to a step of {h:.3e}");
        Diagnosis::new(Failure::NotConverged, t, message).because(evidence).remedied_by(remedies)
    }

    /// The coordinate whose equation is farthest from being met.
    fn worst_coordinate(&self, system: &dyn System, stage: usize) -> Option<Sentence> {
        let residual = self.memory.residual(stage);
        let size = |i: usize| (residual[i] * self.accuracy.inverse_mass()[i]).abs();
        let worst = (0..self.core.sizes.motion).max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
        let coordinate = system.subject(Component::Coordinate(worst));
        let text = format!("the motion of `{coordinate}` was corrected most");
        (size(worst) > 0.0).then(|| Sentence::about(text, [coordinate]))
    }

    /// One sentence for each of the contacts with the largest residuals.
    fn worst_contacts(&self, system: &dyn System, stage: usize) -> Vec<Sentence> {
        let candidates = &self.stages.candidates;
        let residual = &self.memory.residual(stage)[self.stages.contact_offset()..];
        let size = |i: usize| {
            let range = candidates.first[i]..candidates.first[i + 1];
            residual[range].iter().fold(0.0f64, |a, b| a.max(b.abs()))
        };
        let mut order: Vec<usize> = (0..candidates.len()).filter(|&i| size(i) > 0.0).collect();
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        let sentence = |&i: &usize| {
            let contact = system.subject(Component::Contact(i));
            let what = match self.stages.status[stage][i] {
                Status::Open => "open",
                Status::Stick => "closed",
                Status::Slip(_) => "slipping",
            };
            let gap = self.stages.rows[1][candidates.first[i]] * self.alpha.c.c8;
            let text = format!("contact `{contact}` is taken as {what}, with a gap of {gap:.3e}");
            Sentence::about(text, [contact])
        };
        order.iter().take(5).map(sentence).collect()
    }
}
