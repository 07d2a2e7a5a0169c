//! `rotula draw`: a picture of a mechanism.

use crate::Ending;
use crate::args;
use crate::files;
use crate::messages::{Fault, say};
use crate::model_file::ModelFile;
use crate::numbers::precise;
use rotula_dae::{State, simulate};
use rotula_mechanics::picture::Part;
use rotula_model::Mechanism;
use rotula_report::picture::View;
use rotula_study::{Model, drawing, start_to_draw};

/// Draws a mechanism at the start, or after running it for a while, with the paths of its points.
pub(crate) fn draw(options: &args::Draw) -> Result<Ending, Fault> {
    let mut file = ModelFile::read(&options.model)?;
    if let Some(time) = options.time {
        if time <= file.settings.start {
            return Err(Fault::new(
                format!("--time {} is not after the start", precise(time)),
                format!("give a time after {} s", precise(file.settings.start)),
            ));
        }
        file.settings.until = time;
    }
    let Model::Mechanism(mechanism) = &file.model else {
        return Err(Fault::new(
            format!("{}: this is a model of equations, which has no shape", file.name),
            "draw a model with bodies and joints".to_owned(),
        ));
    };
    let (state, paths) = match options.time {
        Some(_) => after_running(&file, mechanism)?,
        None => (start_to_draw(mechanism, file.settings.start), Vec::new()),
    };
    let title = match options.time {
        Some(time) => format!("{}, t = {} s", mechanism.title, precise(time)),
        None => mechanism.title.clone(),
    };
    let picture = drawing(mechanism, &state, paths, &title, options.view.map(view));
    files::write_text(&options.output, &picture)?;
    say(&format!("The picture is in {}.", options.output.display()));
    Ok(Ending::Done)
}

/// The last state of a run, and the paths of points until then.
fn after_running(file: &ModelFile, mechanism: &Mechanism) -> Result<(State, Vec<Part>), Fault> {
    let start = mechanism.initial_state();
    let outcome = simulate(&mut mechanism.system(), &start, &file.settings, &mut ())
        .map_err(|diagnosis| file.refused(&diagnosis))?;
    if let Some(diagnosis) = &outcome.failure {
        return Err(file.refused(diagnosis));
    }
    let paths = mechanism.paths(&outcome.trajectory);
    Ok((outcome.state, paths))
}

fn view(choice: args::ViewChoice) -> View {
    match choice {
        args::ViewChoice::Xy => View::along(2, 1),
        args::ViewChoice::Xz => View::along(1, 2),
        args::ViewChoice::Yz => View::along(0, 2),
        args::ViewChoice::Oblique => View::oblique(2),
    }
}
