//! How far bodies and nodes moved between two states: ways of points and rotations, as a drawing shows them.

use rotula_dae::State;
use rotula_mechanics::node::NodeKind;
use rotula_mechanics::{Assembly, Model};
use serde::Serialize;

/// What happened to a body or node between two states, in the axes of the world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Displacement {
    /// Which body or node.
    pub name: String,
    /// Where its origin was.
    pub from: [f64; 3],
    /// Where its origin is.
    pub to: [f64; 3],
    /// The way between them.
    pub moved: [f64; 3],
    /// The rotation; none for points, which do not turn.
    pub turned: Option<Rotation>,
    /// Part of a beam or of a flexible body, of which there are many.
    pub inner: bool,
}

/// A rotation about an axis, whole turns left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rotation {
    /// In rad, from 0 to π.
    pub angle: f64,
    /// Of length one, in the axes of the world; zero without a rotation.
    pub axis: [f64; 3],
}

/// The displacements of everything that moves, but for amplitudes of shapes, which have no place.
pub(crate) fn displacements(
    model: &Model,
    assembly: &Assembly,
    inner: &[usize],
    [from, to]: [&State; 2],
) -> Vec<Displacement> {
    let bodies = model.bodies().iter().enumerate().skip(1);
    let placed = bodies.filter(|(_, (_, body))| !matches!(body.kind, NodeKind::Amplitudes { .. }));
    placed
        .map(|(node, (name, body))| {
            let [before, after] = [from, to].map(|state| assembly.node_frame(node, &state.q));
            // the node is the centre of mass
            let centre = body.mass.centre;
            let [old, new] = [before, after].map(|at| at.position - at.orientation.rotate(&centre));
            let turn = (after.orientation * before.orientation.conjugate()).shortest().log();
            let angle = turn.norm();
            let axis = if angle > 0.0 { turn / angle } else { turn };
            let turns = !matches!(body.kind, NodeKind::Point);
            Displacement {
                name: name.clone(),
                from: old.into(),
                to: new.into(),
                moved: (new - old).into(),
                turned: turns.then(|| Rotation { angle, axis: axis.into() }),
                inner: inner.contains(&node),
            }
        })
        .collect()
}
