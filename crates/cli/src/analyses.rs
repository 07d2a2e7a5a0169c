//! `rotula assemble | modes | floquet | kinematics`: a model at rest, about a state, or driven.

use crate::Ending;
use crate::args;
use crate::files;
use crate::messages::{Fault, complain, say};
use crate::model_file::ModelFile;
use crate::numbers::short;
use crate::run::PROGRAM;
use rotula_dae::analysis::{self, FloquetSettings, Relaxation, Weighting};
use rotula_dae::{Diagnosis, InitialPolicy, Trajectory, make_consistent};
use rotula_report::{ModePage, Run, write_modes};
use rotula_study::{Model, SHOWN, driven_times, film, mode_film};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Closes the joints from where the bodies were put.
pub(crate) fn assemble(options: &args::Analysis) -> Result<Ending, Fault> {
    let file = ModelFile::read(&options.model)?;
    let mut system = file.model.system();
    let mut state = file.model.initial_state();
    state.t = file.settings.start;
    say(&format!("{}: {}", file.name, file.model.title()));
    match analysis::assemble_position(system.as_mut(), &mut state, Weighting::Unit) {
        Ok(report) => {
            say(&report.to_string());
            write_json(options.json.as_deref(), &report)
        }
        Err(diagnosis) => failed(&file, &diagnosis),
    }
}

/// Finds the modes about an equilibrium or about the start.
pub(crate) fn modes(options: &args::Modes) -> Result<Ending, Fault> {
    let file = ModelFile::read(&options.analysis.model)?;
    let mut system = file.model.system();
    let mut state = file.model.initial_state();
    state.t = file.settings.start;
    say(&format!("{}: {}", file.name, file.model.title()));
    let mut words = String::new();
    let about = match options.about {
        args::About::Start => {
            make_consistent(system.as_mut(), &mut state, InitialPolicy::Project).map(|_| state)
        }
        args::About::Turn => analysis::steady_turn(system.as_mut(), &state).map(|found| {
            words = found.to_string();
            say(&words);
            found.state
        }),
        args::About::Equilibrium => {
            analysis::statics(system.as_mut(), &state, Relaxation::IfNeeded).map(|found| {
                say(&found.to_string());
                found.state
            })
        }
    };
    let found = about.and_then(|state| {
        let modes = match options.all {
            true => analysis::modes(system.as_mut(), &state),
            false => analysis::lowest_modes(system.as_mut(), &state, options.count),
        };
        Ok((state, modes?))
    });
    let (state, modes) = match found {
        Ok(found) => found,
        Err(diagnosis) => return failed(&file, &diagnosis),
    };
    say(&modes.to_string());
    if let Model::Mechanism(mechanism) = &file.model
        && !modes.modes.is_empty()
    {
        let directory = match &options.output {
            Some(directory) => directory.clone(),
            None => PathBuf::from("results").join(format!("{}-modes", file.stem)),
        };
        let path = directory.join("modes.html");
        let page = ModePage {
            title: file.model.title(),
            model_file: &file.name,
            program: PROGRAM,
            about: &words,
            modes: &modes,
            film: &mode_film(mechanism, &state, &modes.modes),
            shown: SHOWN,
        };
        write_modes(&path, &page)?;
        say(&format!("They move in {}.", path.display()));
    }
    write_json(options.analysis.json.as_deref(), &modes)
}

/// Finds the motion that repeats and what becomes of its disturbances.
pub(crate) fn floquet(options: &args::Floquet) -> Result<Ending, Fault> {
    let file = ModelFile::read(&options.analysis.model)?;
    let mut system = file.model.system();
    let mut start = file.model.initial_state();
    start.t = file.settings.start;
    say(&format!("{}: {}", file.name, file.model.title()));
    let turn = || analysis::turning_period(file.model.system().as_mut(), &start);
    let Some(period) = options.period.or_else(turn) else {
        return Err(Fault::new(
            format!("{}: nothing turns at the start, so that the period is not known", file.name),
            "say after which time everything repeats with `--period`",
        ));
    };
    let wanted = FloquetSettings { period, steps: options.steps };
    match analysis::floquet(system.as_mut(), &start, &file.settings, &wanted) {
        Ok(found) => {
            say(&found.to_string());
            write_json(options.analysis.json.as_deref(), &found)
        }
        Err(diagnosis) => failed(&file, &diagnosis),
    }
}

/// Follows a driven mechanism without freedom, with the forces that its drives need.
pub(crate) fn kinematics(options: &args::Kinematics) -> Result<Ending, Fault> {
    let file = ModelFile::to_run(&options.model)?;
    let directory = match &options.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from("results").join(&file.stem),
    };
    files::refuse_unwritable(&directory)?;
    let _lock = files::lock(&directory)?;
    let mut system = file.model.system();
    let mut start = file.model.initial_state();
    start.t = file.settings.start;
    let clock = Instant::now();
    let times = driven_times(&file.settings);
    let motion = match analysis::kinematics(system.as_mut(), &start, &times) {
        Ok(motion) => motion,
        Err(diagnosis) => return failed(&file, &diagnosis),
    };
    let trajectory = Trajectory::of_states(system.as_mut(), &motion.states);
    let results = file.model.results(&trajectory);
    let film = film(&file.model, &trajectory);
    let run = Run {
        film: film.as_ref(),
        model_file: Some(file.name.clone()),
        extra: results.extra,
        curves: results.curves,
        coordinates: results.coordinates,
        units: results.units,
        degrees_of_freedom: Some(0),
        wall_seconds: clock.elapsed().as_secs_f64(),
        program: PROGRAM.into(),
        ..Run::new(file.model.title(), &trajectory, &file.settings)
    };
    files::write(&directory, &run, options.format, None)?;
    let worst = motion.regularity.iter().copied().fold(f64::INFINITY, f64::min);
    say(&format!(
        "{}: {} positions of a driven motion; constraints met to {}; nearest to a dead point: {} \
         (0 is one). Results are in {}.",
        file.name,
        motion.states.len(),
        short(trajectory.audit.position_residual),
        short(worst),
        directory.display()
    ));
    Ok(Ending::Done)
}

pub(crate) fn failed(file: &ModelFile, diagnosis: &Diagnosis) -> Result<Ending, Fault> {
    complain(&format!("{}: {diagnosis}", file.name));
    Ok(Ending::Failed)
}

pub(crate) fn write_json(path: Option<&Path>, report: &impl Serialize) -> Result<Ending, Fault> {
    if let Some(path) = path {
        let text =
            serde_json::to_string_pretty(report).map_err(|error| Fault::unwritable(path, error))?;
        files::write_text(path, &(text + "\n"))?;
    }
    Ok(Ending::Done)
}
