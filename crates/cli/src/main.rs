//! The program `rotula`: simulate a model file, check it, reproduce published results.
//!
//! | file | concept |
//! |---|---|
//! | `args`, `help` | the command line, and examples of it |
//! | `new`, `doctor` | the commands to begin with |
//! | `model_file` | a model file with its text, ready to be simulated |
//! | `run`, `check`, `gallery` | one command each |
//! | `resume` | the command `resume`, and checkpoints of `run` |
//! | `analyses` | the commands `assemble`, `modes`, `floquet`, `kinematics` |
//! | `statics` | the command `statics` |
//! | `path`, `campbell` | equilibria along their loads, frequencies along a value |
//! | `live` | reports with the engine within, and the command `playground` |
//! | `draw` | the command `draw` |
//! | `reduce` | the command `reduce` |
//! | `sweep`, `sweep_table`, `sweep_report` | the command `sweep`, its table, its page |
//! | `processor` | what the processor can do, and the program built for it |
//! | `progress` | the bar |
//! | `ending` | signals and limits, which end a run before its time |
//! | `limits` | memory and time that a run may use |
//! | `files` | where results go |
//! | `exports` | results for other programs |
//! | `words`, `numbers` | the summary of a run in sentences |
//! | `pages`, `chapter` | the gallery as Markdown |
//! | `schema` | the command `schema` |
//! | `messages` | faults with the line of the model file they belong to |
//!
//! Exit status: 0 done, 1 a simulation or a gallery entry failed, 2 bad input.

#![forbid(unsafe_code)]

mod analyses;
mod args;
mod campbell;
mod chapter;
mod check;
mod compare;
mod doctor;
mod draw;
mod ending;
mod exports;
mod files;
mod gallery;
mod help;
mod limits;
mod live;
mod messages;
mod model_file;
mod new;
mod numbers;
mod pages;
mod path;
mod processor;
mod progress;
mod reduce;
mod resume;
mod run;
mod schema;
mod statics;
mod sweep;
mod sweep_report;
mod sweep_table;
mod words;

use args::{Args, Command, GalleryCommand};
use clap::{CommandFactory, Parser};
use messages::{Fault, say};
use std::process::ExitCode;

/// How a command that understood its input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Done,
    Failed,
}

fn main() -> ExitCode {
    processor::hand_over();
    let args = Args::parse();
    match obey(&args.command) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Failed) => ExitCode::from(1),
        Err(fault) => {
            fault.print();
            ExitCode::from(2)
        }
    }
}

fn obey(command: &Command) -> Result<Ending, Fault> {
    match command {
        Command::New(options) => new::new(options),
        Command::Run(options) => run::run(options),
        Command::Resume(options) => resume::resume(options),
        Command::Check(options) => check::check(options),
        Command::Assemble(options) => analyses::assemble(options),
        Command::Statics(options) if options.path => path::path(options),
        Command::Statics(options) => statics::statics(options),
        Command::Modes(options) => analyses::modes(options),
        Command::Campbell(options) => campbell::campbell(options),
        Command::Floquet(options) => analyses::floquet(options),
        Command::Kinematics(options) => analyses::kinematics(options),
        Command::Compare(options) => compare::compare(options),
        Command::Playground(options) => live::playground(options),
        Command::Draw(options) => draw::draw(options),
        Command::Reduce(options) => reduce::reduce(options),
        Command::Sweep(options) => sweep::sweep(options),
        Command::Gallery(GalleryCommand::List) => gallery::list(),
        Command::Gallery(GalleryCommand::Run(options)) => gallery::run(options),
        Command::Gallery(GalleryCommand::WorkPrecision(options)) => {
            gallery::work_precision(options)
        }
        Command::Gallery(GalleryCommand::Pictures(options)) => gallery::pictures(options),
        Command::Schema(options) => {
            say(schema::text(options).trim_end());
            Ok(Ending::Done)
        }
        Command::Doctor => doctor::doctor(),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "rotula", &mut script);
            say(String::from_utf8_lossy(&script).trim_end());
            Ok(Ending::Done)
        }
    }
}
