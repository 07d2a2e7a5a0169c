//! The options of `assemble`, `statics`, `modes`, `campbell` and `kinematics`.

use super::{Format, ModelChoice};
use crate::help;
use clap::{Args as Options, ValueEnum};
use std::path::PathBuf;

#[derive(Options)]
pub(crate) struct Analysis {
    #[command(flatten)]
    pub model: ModelChoice,
    /// Also write the result to a file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Options)]
#[command(after_help = help::STATICS)]
pub(crate) struct Statics {
    #[command(flatten)]
    pub analysis: Analysis,
    /// Follow the equilibria from the first time of `[solve]` to its last, past limit points: loads are
    /// functions of time.
    #[arg(long)]
    pub path: bool,
    /// First step along the path, as part of the time.
    #[arg(long, value_name = "PART", default_value_t = 0.05, requires = "path")]
    pub first_step: f64,
    /// Most points of the path.
    #[arg(long, value_name = "COUNT", default_value_t = 400, requires = "path")]
    pub points: usize,
    /// The time whose loads act and whose motions hold [default: the start of `[solve]`].
    #[arg(long, value_name = "TIME", conflicts_with = "path", allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// Directory for the results [default: results/NAME-statics, or results/NAME-path with --path].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

#[derive(Options)]
pub(crate) struct Campbell {
    #[command(flatten)]
    pub model: ModelChoice,
    /// What changes, such as parameters.speed=0:12:25.
    #[arg(long, value_name = "KEY=VALUES")]
    pub over: String,
    /// Number of frequencies.
    #[arg(long, value_name = "COUNT", default_value_t = 6)]
    pub modes: usize,
    /// Directory for table and picture [default: results/NAME-campbell for NAME.toml].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

#[derive(Options)]
#[command(after_help = help::FLOQUET)]
pub(crate) struct Floquet {
    #[command(flatten)]
    pub analysis: Analysis,
    /// The time after which everything repeats [default: a turn of what turns fastest at the start].
    #[arg(long, value_name = "TIME")]
    pub period: Option<f64>,
    /// Steps of a period for the coarser of two looks.
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    pub steps: usize,
}

#[derive(Options)]
pub(crate) struct Modes {
    #[command(flatten)]
    pub analysis: Analysis,
    /// The state about which the model is linearised.
    #[arg(long, value_enum, default_value_t = About::Equilibrium)]
    pub about: About,
    /// Number of modes, the lowest first, beside rigid-body motions.
    #[arg(long, value_name = "COUNT", default_value_t = 20, conflicts_with = "all")]
    pub count: usize,
    /// All modes.
    #[arg(long)]
    pub all: bool,
    /// Directory for the page of a mechanism [default: results/NAME-modes].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum About {
    /// An equilibrium near the start.
    Equilibrium,
    /// The start itself, with its velocities: for steady motions.
    Start,
    /// A steady turn with the speed of the start, and deformed by it: for rotors and blades.
    Turn,
}

#[derive(Options)]
pub(crate) struct Kinematics {
    #[command(flatten)]
    pub model: ModelChoice,
    /// Directory for the results [default: results/NAME for NAME.toml].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Form of the trajectory.
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    pub format: Format,
}
