//! `rotula-fuzz`: mutated inputs for everything that Rotula reads. Nothing may crash, hang or take all memory,
//! refusals name a line, and what is accepted gives numbers.
//!
//! | file | concept |
//! |---|---|
//! | `random` | random numbers that are the same everywhere |
//! | `corpus` | what mutation begins with: the examples and test files of this repository |
//! | `text`, `grammar` | mutated texts, mutated model files |
//! | `target` | what is done with a mutated input, and what must hold |
//! | `early` | runs that are stopped, also within a step |
//! | `forged` | checkpoints that no run has left |
//! | `program` | the same through the program, as a user gets it |
//! | `worker`, `watch`, `clock` | cases in a process of their own, who looks after it, and how long it takes |
//!
//! A case is a target, a seed and a number; the same three give the same input on every machine. `show`
//! prints it.
//!
//! ```text
//! cargo run --release -p rotula-fuzz -- --seconds 100             all targets, bounded: what CI runs
//! cargo run --release -p rotula-fuzz -- --cases 1000000 --seed 7  the long way
//! cargo run --release -p rotula-fuzz -- --target model --seed 7 --first 4700 --cases 100
//! cargo run --release -p rotula-fuzz -- show model 7 4711 > m.toml
//! ```

#![forbid(unsafe_code)]

mod clock;
mod corpus;
mod early;
mod forged;
mod grammar;
mod program;
mod random;
mod target;
mod text;
mod watch;
mod worker;

use clap::{Parser, Subcommand};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use target::Target;

/// Mutates inputs and looks whether anything breaks.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// What is tried; may be repeated [default: everything].
    #[arg(long, value_enum)]
    target: Vec<Target>,
    /// Where random numbers start.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first case.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Cases of each target.
    #[arg(long, default_value_t = u64::MAX)]
    cases: u64,
    /// Seconds in all, shared by the targets.
    #[arg(long, default_value_t = 1e9)]
    seconds: f64,
    /// Where inputs that broke something are kept.
    #[arg(long, default_value = "target/fuzz")]
    findings: PathBuf,
}

#[derive(Subcommand)]
enum Command {
    /// Print the input of a case.
    Show {
        /// The target.
        target: Target,
        /// The seed.
        seed: u64,
        /// The number.
        number: u64,
    },
    /// Run cases one after the other; used by the program itself.
    #[command(hide = true)]
    Work {
        /// The target.
        target: Target,
        /// The seed.
        seed: u64,
        /// The first number.
        first: u64,
        /// The number after the last.
        end: u64,
    },
}

fn main() -> ExitCode {
    let args = Args::parse();
    match args.command {
        Some(Command::Show { target, seed, number }) => {
            let input = target.input(&corpus::read(target), seed, number);
            let _ = std::io::stdout().write_all(&input);
            ExitCode::SUCCESS
        }
        Some(Command::Work { target, seed, first, end }) => {
            worker::work(target, seed, first..end);
            ExitCode::SUCCESS
        }
        None => {
            let targets = match args.target.is_empty() {
                true => Target::ALL.to_vec(),
                false => args.target,
            };
            let weights: f64 = targets.iter().map(|target| target.weight()).sum();
            let share = |target: Target| args.seconds * target.weight() / weights;
            let mut broken = 0;
            for target in targets {
                let numbers = args.first..args.first.saturating_add(args.cases);
                broken += watch::watch(target, args.seed, numbers, share(target), &args.findings);
            }
            match broken {
                0 => ExitCode::SUCCESS,
                _ => ExitCode::from(1),
            }
        }
    }
}
