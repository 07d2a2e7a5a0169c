//! The command line.

mod analyses;
mod gallery;
mod reduce;

pub(crate) use analyses::{About, Analysis, Campbell, Floquet, Kinematics, Modes, Statics};
pub(crate) use gallery::{GalleryCommand, GalleryRun, Pictures, WorkPrecision};
pub(crate) use reduce::{MethodChoice, Reduce, UnitsChoice};

use crate::help;
use crate::limits::Limits;
use crate::run::Wanted;
use clap::{Args as Options, Parser, Subcommand, ValueEnum};
use rotula_study::checkpoint::Interval;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Simulates mechanisms of bodies and joints, or equations, written in a model file.
#[derive(Parser)]
#[command(name = "rotula", version, after_help = help::PROGRAM, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make a folder with a model to begin with.
    New(New),
    /// Simulate a model and write tables, a summary and a report.
    Run(Run),
    /// Go on with a run that was stopped or cut off.
    Resume(Resume),
    /// Say what a model is made of and whether it can be run.
    Check(Check),
    /// Close the joints of a mechanism from rough positions, and say what moved.
    #[command(after_help = help::ASSEMBLE)]
    Assemble(Analysis),
    /// Find an equilibrium near the start, and whether it is stable.
    Statics(Statics),
    /// Find frequencies, damping and shapes of vibration.
    #[command(after_help = help::MODES)]
    Modes(Modes),
    /// Find the frequencies of a rotor or of any model while a value changes.
    #[command(after_help = help::CAMPBELL)]
    Campbell(Campbell),
    /// Find out whether disturbances of a motion that repeats grow: rotors on elastic supports, shaken things.
    Floquet(Floquet),
    /// Follow a driven mechanism that has no freedom left, with the forces its drives need.
    #[command(after_help = help::KINEMATICS)]
    Kinematics(Kinematics),
    /// Show two runs over each other.
    Compare(Compare),
    /// Make a page in which models are changed and run, without this program.
    Playground(Playground),
    /// Draw a picture of a mechanism.
    Draw(Draw),
    /// Reduce a finite element mesh to a flexible body of a few shapes.
    Reduce(Reduce),
    /// Run a model many times with different values, and make one table of it.
    Sweep(Sweep),
    /// Reproduce published results.
    #[command(subcommand, after_help = help::GALLERY)]
    Gallery(GalleryCommand),
    /// Print the JSON Schema of model files, for editors, or describe every key in Markdown.
    Schema(Schema),
    /// Say what is installed, what is missing, and what to do about it.
    #[command(after_help = help::DOCTOR)]
    Doctor,
    /// Print a script with which a shell completes the words of this program.
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

#[derive(Options)]
#[command(after_help = help::COMPARE)]
pub(crate) struct Compare {
    /// The folder of a run, or its report.
    #[arg(value_name = "FIRST")]
    pub first: PathBuf,
    /// The folder of another run, or its report; its curves are dashed.
    #[arg(value_name = "SECOND")]
    pub second: PathBuf,
    /// The page to be written.
    #[arg(short, long, default_value = "compare.html")]
    pub output: PathBuf,
}

#[derive(Options)]
#[command(after_help = help::PLAYGROUND)]
pub(crate) struct Playground {
    /// Model files; the first is opened.
    #[arg(value_name = "MODEL", required = true)]
    pub models: Vec<PathBuf>,
    /// The page to be written.
    #[arg(short, long, default_value = "playground.html")]
    pub output: PathBuf,
}

#[derive(Options)]
#[command(after_help = help::SCHEMA)]
pub(crate) struct Schema {
    /// Which kind of model file, or the section that all have.
    #[arg(value_enum, default_value_t = Kind::Both)]
    pub kind: Kind,
    /// Every section and key as a page of text instead, with units and defaults.
    #[arg(long)]
    pub markdown: bool,
}

#[derive(Options)]
#[command(after_help = help::NEW)]
pub(crate) struct New {
    /// The folder to be made; its name becomes that of the model.
    #[arg(value_name = "NAME")]
    pub folder: PathBuf,
    /// What to begin with.
    #[arg(short, long, value_enum, default_value_t = Template::SliderCrank)]
    pub template: Template,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Template {
    /// A rod on a hinge.
    Pendulum,
    /// Crank, rod and slider.
    SliderCrank,
    /// A ball that bounces and rolls.
    Contact,
    /// A rod that bends.
    Beam,
    /// Coordinates, masses and constraints as formulas.
    Equations,
    /// An arm from a URDF file with controllers.
    Robot,
    /// A script that builds, runs and plots a model.
    Python,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Bodies, joints and forces.
    Mechanism,
    /// Coordinates, masses and constraints as formulas.
    Equations,
    /// One schema for both.
    Both,
    /// The section `[solve]`, which says how a model is integrated.
    Solve,
}

#[derive(Options)]
#[command(after_help = help::RUN)]
pub(crate) struct Run {
    #[command(flatten)]
    pub model: ModelChoice,
    /// Directory for the results [default: results/NAME for NAME.toml].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Form of the trajectory.
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    pub format: Format,
    /// Also write for other programs; several words are separated by commas.
    #[arg(long, value_enum, value_name = "FORM", value_delimiter = ',')]
    pub export: Vec<Export>,
    /// Run again with a tenth of the tolerance, or half the step, and say what digits hold.
    #[arg(long)]
    pub verify: bool,
    /// Put the engine into the report, so that the model can be changed and run anew in the browser.
    #[arg(long)]
    pub live: bool,
    /// Write checkpoints: every=10s, every=5min, every=1h or every=1000steps.
    #[arg(long, value_name = "every=INTERVAL")]
    pub checkpoint: Option<Interval>,
    #[command(flatten)]
    pub limits: Limits,
    /// Print nothing unless something is wrong.
    #[arg(short, long)]
    pub quiet: bool,
}

impl Run {
    /// What is wanted besides numbers.
    pub(crate) fn wanted(&self) -> Wanted {
        let Run { format, export, verify, live, .. } = self;
        Wanted { format: *format, export: export.clone(), verify: *verify, live: *live }
    }
}

#[derive(Options)]
#[command(after_help = help::RESUME)]
pub(crate) struct Resume {
    /// The directory of results of the run.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    #[command(flatten)]
    pub limits: Limits,
    /// Print nothing unless something is wrong.
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub(crate) enum Export {
    /// trajectory.parquet: the trajectory for data tools.
    Parquet,
    /// animation.glb: the mechanism in motion, with forces, beams and flexible bodies, as animated glTF.
    Glb,
    /// animation.pvd: the same for ParaView, with forces.
    Vtk,
    /// plots/*.png: every plot of the report as a picture.
    Png,
}

#[derive(Options)]
#[command(after_help = help::CHECK)]
pub(crate) struct Check {
    #[command(flatten)]
    pub model: ModelChoice,
}

#[derive(Options)]
#[command(after_help = help::DRAW)]
pub(crate) struct Draw {
    #[command(flatten)]
    pub model: ModelChoice,
    /// The picture, an SVG file.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Run until this time first, and show the paths of points that position sensors read.
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// Where it is seen from [default: what suits the mechanism].
    #[arg(long, value_enum)]
    pub view: Option<ViewChoice>,
}

#[derive(Options)]
#[command(after_help = help::SWEEP)]
pub(crate) struct Sweep {
    #[command(flatten)]
    pub model: ModelChoice,
    /// What a key runs over, such as parameters.L=1:2:5; may be repeated.
    #[arg(long, value_name = "KEY=VALUES", required_unless_present = "cases")]
    pub over: Vec<String>,
    /// Draw this many cases from the ranges as a Latin hypercube.
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "cases")]
    pub latin: Option<u64>,
    /// Where the hypercube's random numbers start.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,
    /// A table in CSV whose first line names keys: a run per line.
    #[arg(long, value_name = "FILE", conflicts_with = "over")]
    pub cases: Option<PathBuf>,
    /// Keep the last, least and greatest value of this curve; may be repeated [default: sensors or outputs].
    #[arg(long, value_name = "CURVE")]
    pub read: Vec<String>,
    /// Directory for the table and the report [default: results/NAME-sweep for NAME.toml].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Runs at a time [default: as many as there are cores].
    #[arg(long, value_name = "COUNT")]
    pub jobs: Option<usize>,
    /// Print nothing unless something is wrong.
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewChoice {
    /// x to the right, y upwards.
    Xy,
    /// x to the right, z upwards.
    Xz,
    /// y to the right, z upwards.
    Yz,
    /// From the side and from above.
    Oblique,
}

#[derive(Options)]
pub(crate) struct ModelChoice {
    /// The model file.
    #[arg(value_name = "MODEL")]
    pub file: PathBuf,
    /// Replace a value of the model, such as parameters.m=2.5 or solve.until=20; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub overrides: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub(crate) enum Format {
    /// trajectory.csv: comma-separated values.
    Csv,
    /// trajectory.npz: NumPy arrays.
    Npz,
    /// Both files.
    Both,
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
        None => Err("write KEY=VALUE, for example parameters.m=2.5".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Args, key_and_value};
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        fn look(command: &clap::Command) {
            for command in command.get_subcommands() {
                let help = command.get_after_help().map(|text| text.to_string());
                let shown = help.is_some_and(|text| text.starts_with("Example"));
                assert!(shown, "`{}` has no examples", command.get_name());
                look(command);
            }
        }
        look(&Args::command());
    }

    #[test]
    fn only_the_first_equals_sign_divides() {
        let pair = key_and_value("define.s=a==b").unwrap();
        assert_eq!(pair, ("define.s".to_owned(), "a==b".to_owned()));
        assert!(key_and_value("parameters.m").is_err());
    }
}
