//! Checkpoints on disk: in the folder `checkpoint` of a directory of results.
//!
//! | file | content |
//! |---|---|
//! | `interval` | how often |
//! | `plan` | what is run, and the files it was read from |
//! | `store` | snapshots as files |
//!
//! On disk there are `run.json` with the plan; `rows`, which grows by what was recorded between two
//! snapshots; and the two newest snapshots, `0.state` and `1.state`, each written under another name
//! and renamed when it is whole. All parts carry checksums: a damaged snapshot is passed over for the
//! one before it.

mod interval;
mod plan;
mod store;

pub use interval::Interval;
pub use plan::{Input, Plan, inputs};
use rotula_dae::checkpoint::{Keeper, Kept, Snapshot};
use rotula_files::Lock;
use rotula_mechanics::error::Refusal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::Store;

/// The folder within a directory of results.
pub fn folder(directory: &Path) -> PathBuf {
    directory.join("checkpoint")
}

/// Keeps the snapshots of a run on disk.
pub struct Checkpoints {
    store: Store,
    /// Keeps other runs out, if whoever runs this does not.
    lock: Option<Lock>,
    interval: Interval,
    /// A snapshot is also taken where the run is stopped on request.
    keeps_last: bool,
    resumed: Option<Kept>,
    /// Seconds of computing before this process.
    earlier: f64,
    started: Instant,
    last: Instant,
    steps: usize,
    /// Time spent on snapshots, and their number.
    spent: (Duration, usize),
    /// The first snapshot that could not be written.
    trouble: Option<Refusal>,
}

impl Checkpoints {
    /// Prepares a run from the beginning. The error says what is wrong and what would be right.
    pub fn begin(directory: &Path, plan: &Plan) -> Result<Checkpoints, Refusal> {
        let folder = folder(directory);
        let store = Store::create(&folder)?;
        plan.write(&folder)?;
        Ok(Checkpoints::new(store, plan.interval))
    }

    /// Prepares to go on with a run. Also says in words where it goes on, and what was damaged.
    pub fn resume(directory: &Path, plan: &Plan) -> Result<(Checkpoints, Vec<String>), Refusal> {
        let (store, found, mut messages) = Store::open(&folder(directory))?;
        let mut checkpoints = Checkpoints::new(store, plan.interval);
        match found {
            Some(found) => {
                messages.push(format!(
                    "goes on from t = {} s, after {:.1} s of computing",
                    found.t, found.elapsed
                ));
                checkpoints.earlier = found.elapsed;
                checkpoints.resumed = Some(found.kept);
            }
            None => messages.push("no checkpoint was reached: starts from the beginning".into()),
        }
        Ok((checkpoints, messages))
    }

    /// Goes on with the unfinished run of a directory if it is the same, or begins it. Where it is
    /// stopped on request nothing is kept: a function of the user may have spoilt that step.
    pub fn begin_or_resume(directory: &Path, plan: &Plan) -> Result<Checkpoints, Refusal> {
        let lock = Lock::take(directory).map_err(|reason| {
            Refusal::new(
                format!("{}: {reason}", directory.display()),
                "wait for its end, or choose another directory",
            )
        })?;
        let mut checkpoints = match Plan::read(directory) {
            Err(_) => Checkpoints::begin(directory, plan)?,
            Ok(found) if found.same_run(plan) => Checkpoints::resume(directory, plan)?.0,
            Ok(_) => {
                return Err(Refusal::new(
                    format!(
                        "{}: this directory holds another run that is not finished",
                        directory.display()
                    ),
                    "choose another directory, or remove it",
                ));
            }
        };
        checkpoints.keeps_last = false;
        checkpoints.lock = Some(lock);
        Ok(checkpoints)
    }

    fn new(store: Store, interval: Interval) -> Self {
        Checkpoints {
            store,
            lock: None,
            interval,
            keeps_last: true,
            resumed: None,
            earlier: 0.0,
            started: Instant::now(),
            last: Instant::now(),
            steps: 0,
            spent: (Duration::ZERO, 0),
            trouble: None,
        }
    }

    /// Seconds of computing, with those of earlier processes.
    pub fn elapsed(&self) -> f64 {
        self.earlier + self.started.elapsed().as_secs_f64()
    }

    /// Seconds spent on snapshots in this process, and how many there were.
    pub fn spent(&self) -> (f64, usize) {
        (self.spent.0.as_secs_f64(), self.spent.1)
    }

    /// Why a snapshot could not be written, if so.
    pub fn trouble(&self) -> Option<&Refusal> {
        self.trouble.as_ref()
    }

    /// The run is over: removes all snapshots.
    pub fn remove(self) -> Result<(), Refusal> {
        let Checkpoints { store, lock, .. } = self;
        let removed = store.remove();
        drop(lock);
        removed
    }
}

impl Keeper for Checkpoints {
    fn resume(&mut self) -> Option<Kept> {
        self.resumed.take()
    }

    fn due(&mut self, stopping: bool) -> bool {
        self.steps += 1;
        if stopping {
            return self.keeps_last;
        }
        match self.interval {
            Interval::Steps(steps) => self.steps >= steps,
            Interval::Seconds(seconds) => self.last.elapsed().as_secs_f64() >= seconds,
        }
    }

    fn keep(&mut self, snapshot: Snapshot) {
        let clock = Instant::now();
        if let Err(refusal) = self.store.add(snapshot, self.elapsed()) {
            self.trouble.get_or_insert(refusal);
        }
        self.steps = 0;
        self.last = Instant::now();
        self.spent = (self.spent.0 + clock.elapsed(), self.spent.1 + 1);
    }
}
