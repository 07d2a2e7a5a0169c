//! A picture of a mechanism at an instant.

use rotula_dae::{InitialPolicy, State, make_consistent};
use rotula_mechanics::picture::Part;
use rotula_model::Mechanism;
use rotula_report::picture::{Picture, View, svg};

/// The start, with its joints closed where that is possible.
pub fn start_to_draw(mechanism: &Mechanism, time: f64) -> State {
    let mut state = State { t: time, ..mechanism.initial_state() };
    let mut closed = state.clone();
    if make_consistent(&mut mechanism.system(), &mut closed, InitialPolicy::Project).is_ok() {
        state = closed;
    }
    state
}

/// The mechanism at a state as SVG, with the paths of points; from where most is seen unless a view is given.
pub fn drawing(
    mechanism: &Mechanism,
    state: &State,
    paths: Vec<Part>,
    title: &str,
    view: Option<View>,
) -> String {
    let mut parts = mechanism.parts(state);
    parts.extend(paths);
    let colour = |name: &String| {
        let given = mechanism.sketch.colours.iter().find(|(body, _)| body == name);
        given.map(|(_, colour)| colour.clone())
    };
    svg(&Picture {
        parts: &parts,
        title,
        colours: mechanism.model.bodies().iter().map(|(name, _)| colour(name)).collect(),
        view,
        gravity: mechanism.model.gravity,
    })
}
