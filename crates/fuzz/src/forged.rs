//! Forged checkpoints: whatever one holds, a run that goes on from it ends in results or in words.

use crate::early::{Early, STEPS};
use crate::random::Random;
use crate::target::read;
use crate::text;
use rotula_dae::checkpoint::{Keeper, Kept, Snapshot};
use rotula_dae::{State, simulate_kept};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What models leave half-way, so that each runs once only.
#[derive(Default)]
pub(crate) struct Snapshots(HashMap<String, Option<Snapshot>>);

/// Keeps one snapshot, or goes on from one.
struct Forger {
    from: Option<Kept>,
    kept: Option<Snapshot>,
    steps: usize,
}

impl Keeper for Forger {
    fn resume(&mut self) -> Option<Kept> {
        self.from.take()
    }

    fn due(&mut self, _stopping: bool) -> bool {
        self.steps += 1;
        self.steps == STEPS / 2
    }

    fn keep(&mut self, snapshot: Snapshot) {
        self.kept = Some(snapshot);
    }
}

/// The first line has seed and number, the rest is the model. Places outside of tables are caught, as `rotula resume`
/// does: an unwinding program is a safe one, an abort or an endless loop is not.
pub(crate) fn try_out(text: &str, snapshots: &mut Snapshots) -> Result<(), String> {
    let (head, model_text) = text.split_once('\n').unwrap_or((text, ""));
    let Some((model, settings, _)) = read(model_text)? else { return Ok(()) };
    let mut numbers = head.split(' ').filter_map(|word| word.parse().ok());
    let mut random = Random::new(numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let start = State { t: settings.start, ..model.initial_state() };
    let run = |keeper: &mut Forger| {
        simulate_kept(model.system().as_mut(), &start, &settings, &mut Early::default(), keeper)
    };
    let snapshot = snapshots.0.entry(model_text.to_owned()).or_insert_with(|| {
        let mut keeper = Forger { from: None, kept: None, steps: 0 };
        let _ = run(&mut keeper);
        keeper.kept
    });
    let Some(snapshot) = snapshot else { return Ok(()) };
    let (mut state, mut rows) = (snapshot.state.clone(), snapshot.rows.clone());
    // mostly the state, on which everything depends
    let forged = if random.once_in(5) { &mut rows } else { &mut state };
    *forged = text::mutate(&[std::mem::take(forged)], &mut random, true);
    let mut keeper =
        Forger { from: Some(Kept { state, rows: vec![rows] }), kept: None, steps: STEPS };
    // for who looks at a single case
    std::panic::set_hook(Box::new(|caught| eprintln!("caught {caught}")));
    let _ = catch_unwind(AssertUnwindSafe(|| run(&mut keeper).is_ok()));
    let _ = std::panic::take_hook();
    Ok(())
}
