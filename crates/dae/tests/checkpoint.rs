//! A system with a memory of its own resumes to the last bit, because it keeps that memory.

use rotula_dae::checkpoint::{Keeper, Kept, Reader, Snapshot, Unreadable, Writer};
use rotula_dae::{
    Formulation, GglVariant, History, Point, Settings, Sizes, State, StepControl, System, Terms,
    Trajectory, Weights, simulate_kept,
};

/// An oscillator whose damper and whose sampled controller act on what was measured steps ago.
#[derive(Clone, Default)]
struct Delayed {
    /// The last positions, oldest first.
    past: Vec<f64>,
    /// Command of the controller, renewed at every fifth step.
    command: f64,
    steps: usize,
    forgetful: bool,
}

const DELAY: usize = 8;

impl System for Delayed {
    fn sizes(&self) -> Sizes {
        Sizes::vector(1)
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        out[0] = 0.0;
        if terms.inertia {
            out[0] += at.vdot[0];
        }
        if terms.forces {
            let late = self.past.first().copied().unwrap_or(0.0);
            out[0] += 4.0 * at.q[0] + 0.3 * late - self.command;
        }
    }

    fn tangent(&mut self, _at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        values[0] = 0.0;
        if terms.inertia {
            values[0] += weights.mass;
        }
        if terms.forces {
            values[0] += 4.0 * weights.stiffness;
        }
    }

    rotula_dae::hand_out!(History);
}

impl History for Delayed {
    fn accepted(&mut self, at: &Point) {
        self.past.push(at.q[0]);
        if self.past.len() > DELAY {
            self.past.remove(0);
        }
        self.steps += 1;
        if self.steps.is_multiple_of(5) {
            self.command = -0.5 * at.v[0];
        }
    }

    fn save(&mut self, out: &mut Writer) {
        if !self.forgetful {
            out.put(&(&self.past, self.command, self.steps));
        }
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        if !self.forgetful {
            (self.past, self.command, self.steps) = from.get()?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct Memory {
    steps: usize,
    rows: Vec<Vec<u8>>,
    kept: Vec<Kept>,
    resumed: Option<Kept>,
}

impl Keeper for Memory {
    fn resume(&mut self) -> Option<Kept> {
        self.resumed.take()
    }

    fn due(&mut self, _stopping: bool) -> bool {
        self.steps += 1;
        self.steps.is_multiple_of(13)
    }

    fn keep(&mut self, snapshot: Snapshot) {
        self.rows.push(snapshot.rows);
        self.kept.push(Kept { state: snapshot.state, rows: self.rows.clone() });
    }
}

fn settings() -> Settings {
    let formulation = Formulation::Ggl { variant: GglVariant::MassWeighted };
    let control = StepControl::Fixed { h: 0.02 };
    Settings { control, ..Settings::usual(formulation, [0.0, 1.5], None) }
}

fn run(system: &Delayed, keeper: &mut Memory) -> Trajectory {
    let mut start = State::zeros(Sizes::vector(1));
    start.q[0] = 1.0;
    let mut system = system.clone();
    let outcome = simulate_kept(&mut system, &start, &settings(), &mut (), keeper);
    outcome.expect("a run that starts").trajectory
}

fn bits(trajectory: &Trajectory) -> Vec<u8> {
    let mut out = Writer::default();
    out.put(trajectory);
    out.finish()
}

#[test]
fn delays_and_sampled_controllers_resume_to_the_last_bit() {
    let system = Delayed::default();
    let mut first = Memory::default();
    let whole = bits(&run(&system, &mut first));
    assert_eq!(first.kept.len(), 5);
    for kept in first.kept {
        let mut keeper = Memory { resumed: Some(kept), ..Memory::default() };
        assert!(bits(&run(&system, &mut keeper)) == whole);
    }
}

#[test]
fn what_a_system_forgets_is_missed() {
    let system = Delayed { forgetful: true, ..Delayed::default() };
    let mut first = Memory::default();
    let whole = bits(&run(&system, &mut first));
    let mut keeper = Memory { resumed: first.kept.pop(), ..Memory::default() };
    assert!(bits(&run(&system, &mut keeper)) != whole);
}

#[test]
fn a_checkpoint_of_another_system_is_refused() {
    let mut first = Memory::default();
    run(&Delayed::default(), &mut first);
    let mut kept = first.kept.pop().unwrap();
    kept.state.truncate(kept.state.len() / 2);
    let mut keeper = Memory { resumed: Some(kept), ..Memory::default() };
    let mut start = State::zeros(Sizes::vector(1));
    start.q[0] = 1.0;
    let refused = simulate_kept(&mut Delayed::default(), &start, &settings(), &mut (), &mut keeper);
    let message = refused.expect_err("half a checkpoint").message;
    assert!(message.contains("another model"), "{message}");
}
