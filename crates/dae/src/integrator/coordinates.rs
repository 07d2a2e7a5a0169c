//! Runs in joint coordinates: the start is made consistent as all joints demand, the run is marched in the coordinates
//! that they leave free, and whatever is seen of it is lifted to the coordinates of all bodies.

use super::Integrator;
use crate::consistency::{InitialReport, make_motion_consistent};
use crate::diagnosis::{Diagnosis, Failure, Sentence, Subject};
use crate::redundancy::{Marched, lessen, spread};
use crate::settings::{Coordinates, Formulation, InitialPolicy, Settings};
use crate::state::State;
use crate::system::{Handle, Reduced, Reduction, System, Unreducible};
use crate::trajectory::Trajectory;

/// What is known of a run in joint coordinates.
pub(super) struct Lifted {
    /// The present state of the whole system, lifted if `is_present`.
    pub whole: State,
    pub is_present: bool,
    /// Whether every accepted state is lifted at once.
    pub eager: bool,
    /// Whether constraints of the whole system repeat each other, so that the least multipliers are recorded.
    pub repeats: bool,
}

/// The coordinates of a run and why they were chosen.
pub(super) struct Choice {
    pub reduction: Option<Reduction>,
    /// In a sentence; none where nothing was to be chosen.
    pub said: Option<String>,
}

/// Chooses as the settings say.
pub(super) fn choose(
    system: &dyn System,
    start: &State,
    settings: &Settings,
) -> Result<Choice, Diagnosis> {
    let redundant = |why: &str| Choice {
        reduction: None,
        said: Some(format!("Coordinates of all bodies were chosen: {why}.")),
    };
    if settings.coordinates == Coordinates::Redundant {
        return Ok(Choice { reduction: None, said: None });
    }
    let found = match system.as_reducible() {
        Some(facet) => facet.reduction(start),
        None => Err(Unreducible {
            what: "only mechanisms have joint coordinates".into(),
            remedy: "leave `coordinates` out".into(),
        }),
    };
    let impacts = settings.formulation.has_impacts();
    match (settings.coordinates, found) {
        (Coordinates::Joint, Err(Unreducible { what, remedy })) => Err(Diagnosis::new(
            Failure::Unsupported,
            start.t,
            Sentence::about(
                format!("the model cannot be run in joint coordinates: {what}"),
                [Subject::Setting("coordinates".into())],
            ),
        )
        .remedied_by(vec![remedy, "or write `coordinates = \"auto\"` under `[solve]`".into()])),
        (Coordinates::Joint, Ok(reduction)) => {
            let said = Some(format!("Joint coordinates, as asked for: {}.", reduction.about));
            Ok(Choice { reduction: Some(reduction), said })
        }
        (_, Err(Unreducible { what, .. })) => Ok(redundant(&what)),
        (_, Ok(_)) if impacts => Ok(redundant("the formulation is made for impacts")),
        (_, Ok(Reduction { drawback: Some(why), .. })) => Ok(redundant(&why)),
        (_, Ok(Reduction { drawback_of_matrices: Some(why), .. }))
            if settings.formulation != Formulation::Explicit =>
        {
            Ok(redundant(&why))
        }
        (_, Ok(reduction)) => {
            let said = Some(format!("Joint coordinates were chosen: {}.", reduction.about));
            Ok(Choice { reduction: Some(reduction), said })
        }
    }
}

/// Makes positions and velocities of a start of the whole system consistent; accelerations and reactions follow in joint coordinates.
pub(super) fn lower(
    whole: &mut Marched,
    start: &mut State,
    settings: &Settings,
) -> Result<InitialReport, Diagnosis> {
    let Marched::Reduced(independent) = whole else {
        return make_motion_consistent(&mut **whole, start, settings.initial);
    };
    let kept = independent.kept().to_vec();
    let multipliers = kept.iter().map(|&row| start.multipliers[row]).collect();
    let mut own = State { multipliers, ..start.clone() };
    let report = make_motion_consistent(&mut **whole, &mut own, settings.initial)?;
    let mut multipliers = std::mem::take(&mut start.multipliers);
    spread(&kept, &own.multipliers, &mut multipliers);
    *start = State { multipliers, ..own };
    Ok(report)
}

/// The settings of the march: what was made consistent needs no more than polish.
pub(super) fn marching(settings: &Settings) -> Settings {
    let initial = match settings.initial {
        InitialPolicy::Trust => InitialPolicy::Trust,
        _ => InitialPolicy::Project,
    };
    Settings { initial, ..settings.clone() }
}

/// A system in joint coordinates, begun at a state of the whole one.
pub(super) fn begin<'a>(reduction: Reduction, start: &State) -> (Handle<'a>, State) {
    let mut system = reduction.system;
    let lowered = reduced(system.as_mut()).begin_at(start);
    (Handle::Owned(system), lowered)
}

/// The facet of a system that was made by reduction.
pub(crate) fn reduced(system: &mut dyn System) -> &mut dyn Reduced {
    system.as_reduced().expect("what a reduction gives is reduced")
}

/// A trajectory in joint coordinates as that of the whole system.
pub(super) fn lifted_trajectory(
    system: &mut dyn System,
    part: Trajectory,
    repeats: bool,
) -> Trajectory {
    let reduced = reduced(system);
    let mut own = State::zeros(part.sizes);
    let mut rows = Vec::with_capacity(part.len());
    let mut whole = State::zeros(reduced.whole().sizes());
    for i in 0..part.len() {
        part.read_row(i, &mut own);
        reduced.lift(&own, &mut whole);
        if repeats {
            let mut multipliers = whole.multipliers.clone();
            lessen(reduced.whole(), &whole, &mut multipliers);
            whole.multipliers = multipliers;
        }
        rows.push(whole.clone());
    }
    part.with_states(reduced.whole(), rows)
}

impl Integrator<'_> {
    /// A state of the march, with multipliers of all its rows, as that of the whole system.
    pub(super) fn lifted(&mut self, own: &State) -> State {
        let reduced = reduced(self.system.whole());
        let mut whole = State::zeros(reduced.whole().sizes());
        reduced.lift(own, &mut whole);
        whole
    }

    /// Lifts the present state, if the run is in joint coordinates.
    pub(super) fn lift_state(&mut self) {
        if self.lifted.is_none() {
            return;
        }
        let own = self.marched_state().clone();
        let whole = self.lifted(&own);
        if let Some(lifted) = &mut self.lifted {
            (lifted.whole, lifted.is_present) = (whole, true);
        }
    }
}
