//! What is done with a mutated input, and what must hold.

use crate::corpus::root;
use crate::early::Early;
use crate::forged::{self, Snapshots};
use crate::random::Random;
use crate::{grammar, program, text};
use clap::ValueEnum;
use rotula_dae::analysis::{self, Relaxation};
use rotula_dae::{Settings, State, Trajectory, simulate};
use rotula_elastic::read::{Format, read_mesh_text};
use rotula_formula::{Graph, Program};
use rotula_mechanics::import::{ImportError, SectionsAlong, adams, beamdyn, hawc2, urdf};
use rotula_study::{Document, Model, places, sweep};
use std::time::Duration;

/// Motions and constraints above which analyses are left out, and runs too: they take their time.
const LARGE: usize = 40;
const HUGE: usize = 150;
/// Copies beyond which a model is not tiny: reading a hundred thousand takes half a minute, as it may.
const MANY: f64 = 10_000.0;

/// Everything that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// Formulas: parser, simplifier, derivatives, programs.
    Formula,
    /// Model files: checked, run for some steps, equilibrium and modes.
    Model,
    /// Model files through the program, by `check`, `run`, `statics` and `modes`.
    Program,
    /// Checkpoints.
    Checkpoint,
    /// Meshes of Gmsh.
    Gmsh,
    /// Meshes of Abaqus.
    Abaqus,
    /// Meshes of Nastran.
    Nastran,
    /// Flexible bodies.
    Flex,
    /// Robots.
    Urdf,
    /// Decks of Adams.
    Adams,
    /// Tables of cases.
    Table,
    /// Blade files of BeamDyn and structural files of HAWC2.
    Blade,
}

impl Target {
    pub(crate) const ALL: [Target; 12] = [
        Target::Formula,
        Target::Model,
        Target::Program,
        Target::Checkpoint,
        Target::Gmsh,
        Target::Abaqus,
        Target::Nastran,
        Target::Flex,
        Target::Urdf,
        Target::Adams,
        Target::Table,
        Target::Blade,
    ];

    /// How its files end.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Target::Formula => "txt",
            Target::Model | Target::Program | Target::Checkpoint => "toml",
            Target::Gmsh => "msh",
            Target::Abaqus => "inp",
            Target::Nastran => "bdf",
            Target::Flex => "flex",
            Target::Urdf => "urdf",
            Target::Adams => "adm",
            Target::Table => "csv",
            Target::Blade => "dat",
        }
    }

    /// Its part of the time, for one that readers get: models hold most of what can break.
    pub(crate) fn weight(self) -> f64 {
        match self {
            Target::Model => 6.0,
            Target::Program => 4.0,
            Target::Formula | Target::Checkpoint => 2.0,
            _ => 1.0,
        }
    }

    /// How long a case may compute.
    pub(crate) fn patience(self) -> Duration {
        match self {
            // who waits for four commands, each of which has its own limit
            Target::Program => 6 * program::PATIENCE,
            _ => Duration::from_secs(10),
        }
    }

    /// The input of a case.
    pub(crate) fn input(self, corpus: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
        let mut random = Random::new(seed, number);
        match self {
            Target::Model | Target::Program => grammar::mutate(corpus, &mut random),
            // the model is as it was, what it leaves is changed
            Target::Checkpoint => {
                let mut input = format!("# {seed} {number}\n").into_bytes();
                input.extend(random.of(corpus));
                input
            }
            Target::Flex => text::mutate(corpus, &mut random, true),
            _ => text::mutate(corpus, &mut random, false),
        }
    }

    /// Tries an input; the error says what does not hold.
    pub(crate) fn try_out(self, input: &[u8], snapshots: &mut Snapshots) -> Result<(), String> {
        let text = String::from_utf8_lossy(input);
        match self {
            Target::Formula => formula(&text),
            Target::Model => model(&text),
            Target::Program => program::try_out(input),
            Target::Checkpoint => forged::try_out(&text, snapshots),
            Target::Gmsh => mesh(&text, Format::Gmsh),
            Target::Abaqus => mesh(&text, Format::Abaqus),
            Target::Nastran => mesh(&text, Format::Nastran),
            Target::Flex => flex(input),
            Target::Urdf => {
                let read = urdf::read(&text, "robot.urdf", &urdf::Options::default());
                read.err().map_or(Ok(()), |error| has_line(error.line))
            }
            Target::Adams => {
                let read = adams::read(&text, "deck.adm");
                read.err().map_or(Ok(()), |error| has_line(error.line))
            }
            Target::Table => {
                let _ = sweep::of_table(&text);
                Ok(())
            }
            Target::Blade => {
                let refused = |read: Result<SectionsAlong, ImportError>| {
                    read.err().map_or(Ok(()), |error| has_line(error.line))
                };
                refused(beamdyn::read(&text, "blade.dat"))?;
                refused(hawc2::read(&text, "st.dat", [1, 1]))
            }
        }
    }
}

fn has_line(line: usize) -> Result<(), String> {
    if line > 0 { Ok(()) } else { Err("a refusal without a line".into()) }
}

/// What is read is simplified, derived and compiled; the program must agree with the graph.
fn formula(text: &str) -> Result<(), String> {
    let mut graph = Graph::new();
    let Ok(formula) = graph.parse_free(text) else { return Ok(()) };
    let symbols = graph.symbols_of(formula);
    let mut outputs = vec![formula];
    for &symbol in &symbols {
        outputs.push(graph.derivative(formula, symbol));
    }
    let _ = graph.display_up_to(formula, 1000);
    let program =
        Program::compile(&graph, &symbols, &outputs).map_err(|error| error.to_string())?;
    let mut registers = vec![0.0; program.registers()];
    let mut values = vec![0.0; outputs.len()];
    for k in 0..3 {
        let inputs: Vec<f64> =
            (0..symbols.len()).map(|i| [0.37, -1.0, 0.0][k] * (1.0 + i as f64)).collect();
        program.evaluate(&inputs, &mut registers, &mut values);
        let at: Vec<_> = symbols.iter().copied().zip(inputs).collect();
        for (&output, &value) in outputs.iter().zip(&values) {
            let expected = graph.evaluate(output, &at);
            let same = value.to_bits() == expected.to_bits()
                || (value.is_nan() && expected.is_nan())
                || (value - expected).abs() <= 1e-9 * value.abs().max(expected.abs());
            if !same {
                return Err(format!("the program gives {value}, the formula {expected}"));
            }
        }
    }
    Ok(())
}

pub(crate) fn read(text: &str) -> Result<Option<(Model, Settings, Document)>, String> {
    // files that models name are beside the examples
    let name = root().join("examples/models/mutated.toml");
    let document = Document::parse(text, &name.to_string_lossy());
    let made = document.and_then(|document| Ok((Model::of(&document, &[], None)?, document)));
    let (model, document) = match made {
        Ok(made) => made,
        Err(error) if error.line_and_column().is_none() => {
            return Err(format!("a refusal without a place: {error}"));
        }
        Err(_) => return Ok(None),
    };
    Ok(model.analysis_settings().ok().map(|settings| (model, settings, document)))
}

fn model(text: &str) -> Result<(), String> {
    if copies(text) > MANY {
        return Ok(());
    }
    let Some((model, settings, document)) = read(text)? else { return Ok(()) };
    let start = State { t: settings.start, ..model.initial_state() };
    let mut system = model.system();
    let sizes = system.sizes();
    let size = sizes.motion + sizes.multipliers();
    if size > HUGE {
        return Ok(());
    }
    match simulate(system.as_mut(), &start, &settings, &mut Early::default()) {
        Ok(outcome) => {
            finite(&outcome.trajectory)?;
            let _ = model.results(&outcome.trajectory);
        }
        Err(diagnosis) if places::locate(&document, &diagnosis).is_none() => {
            return Err(format!("a refusal without a place: {diagnosis}"));
        }
        Err(_) => {}
    }
    if size > LARGE {
        return Ok(());
    }
    let _ = analysis::check(model.system().as_mut(), &start);
    let mut system = model.system();
    if let Ok(found) = analysis::statics(system.as_mut(), &start, Relaxation::IfNeeded) {
        if !found.state.q.iter().all(|q| q.is_finite()) {
            return Err("an equilibrium that is nowhere".into());
        }
        let _ = analysis::modes(system.as_mut(), &found.state);
    }
    Ok(())
}

/// The most copies of a part that a text asks for.
fn copies(text: &str) -> f64 {
    let count = |line: &str| line.strip_prefix("count = ")?.trim().parse().ok();
    text.lines().filter_map(count).fold(0.0, f64::max)
}

/// What was accepted must be numbers.
fn finite(trajectory: &Trajectory) -> Result<(), String> {
    let Trajectory { q, v, vdot, multipliers, x, y, .. } = trajectory;
    for (what, table) in [
        ("positions", q),
        ("velocities", v),
        ("accelerations", vdot),
        ("multipliers", multipliers),
        ("states", x),
        ("variables", y),
    ] {
        if !table.values().iter().all(|value| value.is_finite()) {
            return Err(format!("recorded {what} are not finite"));
        }
    }
    Ok(())
}

/// A mesh that is read is checked and put into matrices.
fn mesh(text: &str, format: Format) -> Result<(), String> {
    let Ok(mesh) = read_mesh_text("mesh", text, format) else { return Ok(()) };
    let _ = rotula_elastic::check_units(&mesh);
    if mesh.nodes.len() < 300 {
        let _ = rotula_elastic::Body::new(mesh, &[]);
    }
    Ok(())
}

fn flex(input: &[u8]) -> Result<(), String> {
    let path = std::env::temp_dir().join(format!("rotula-fuzz-{}.flex", std::process::id()));
    std::fs::write(&path, input).map_err(|error| error.to_string())?;
    let _ = rotula_elastic::read_flex(&path);
    let _ = std::fs::remove_file(&path);
    Ok(())
}
