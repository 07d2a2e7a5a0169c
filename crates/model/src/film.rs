//! A mechanism in motion, for animations.

use crate::output::load;
use nalgebra::Vector3;
use rotula_dae::{ContactForce, ContactTable, State, Touch, Trajectory};
use rotula_mechanics::assembly::Look;
use rotula_mechanics::picture::{
    Actor, Arrow, ArrowKind, Covering, Film, Held, Piece, Sketch, Skin, Tube,
};
use rotula_mechanics::{Assembly, JointId, Marker, Model};

/// Numbers of a frame, of a force, and of a point of a beam with its section and values.
const FRAME: usize = 7;
const FORCE: usize = 6;
const POINT: usize = 6;
/// Numbers of a force of a contact that comes and goes.
const PASSING: usize = 7;
/// Fewest times of a film, however many bodies there are.
const FEWEST: usize = 100;

/// Where the force of an arrow is found.
enum Source {
    /// The joint, and where its symbol is: what slides is not pushed at a fixed place.
    Joint(JointId, Marker),
    Soft(usize),
    /// The number of the contact and its rows in the record.
    Rigid(usize, std::ops::Range<usize>),
}

/// A flexible body with what of it is in the film.
struct Cover<'a> {
    covering: Covering<'a>,
    tubes: Vec<Tube>,
    skin: Option<Skin>,
}

impl<'a> Cover<'a> {
    fn new(covering: Covering<'a>) -> Self {
        Cover { skin: covering.skin(), tubes: Vec::new(), covering }
    }
}

/// The film of a trajectory, with no more than about so many numbers: of a longer one every second,
/// third, … recorded time is taken, and the last.
pub(crate) fn film(
    model: &Model,
    sketch: &Sketch,
    assembly: &mut Assembly,
    trajectory: &Trajectory,
    most: usize,
) -> Film {
    let bodies: Vec<Actor> =
        (0..model.bodies().len()).map(|node| actor(model, sketch, node)).collect();
    let pieces = sketch.pieces(model);
    let (mut arrows, sources): (Vec<Arrow>, Vec<Source>) =
        arrows(model, &pieces, assembly, trajectory).into_iter().unzip();
    let mut film =
        Film { pieces, gravity: model.gravity, traced: sketch.traced.clone(), ..Film::default() };
    let mut state = State::zeros(trajectory.sizes);
    if !trajectory.is_empty() {
        load(trajectory, 0, &mut state);
    }
    film.tubes = sketch.tubes(&|node| assembly.node_frame(node, &state.q));
    let mut covers: Vec<Cover> =
        sketch.flexible.iter().map(|bent| Cover::new(bent.covering())).collect();
    for cover in &mut covers {
        cover.tubes = cover.covering.tubes(&|node| assembly.node_frame(node, &state.q));
    }
    let tubes = film.tubes.iter().chain(covers.iter().flat_map(|cover| &cover.tubes));
    let skins = covers.iter().filter_map(|cover| cover.skin.as_ref());
    let points: usize = tubes.map(|tube| tube.count).chain(skins.map(|skin| skin.count)).sum();
    let passing = &trajectory.contacts.touching;
    let any_passing = assembly.contacts_may_change() && !passing.is_empty();
    // they may double what a film with the fewest times holds, and the weakest are left out
    let most_passing = most / FEWEST / PASSING;
    let mean = match any_passing {
        true => passing.rows().len().div_ceil(passing.times().max(1)).min(most_passing),
        false => 0,
    };
    let width = FRAME * bodies.len() + FORCE * arrows.len() + POINT * points + PASSING * mean;
    let limit = (most / width).max(FEWEST);
    let rows = trajectory.len();
    let stride = rows.div_ceil(limit).max(1);
    let last = rows.checked_sub(1).filter(|last| last % stride != 0);
    for row in (0..rows).step_by(stride).chain(last) {
        load(trajectory, row, &mut state);
        film.times.push(state.t);
        film.frames.extend((0..bodies.len()).map(|node| assembly.node_frame(node, &state.q)));
        let frame = |node: usize| assembly.node_frame(node, &state.q);
        sketch.bend_tubes(&frame, &mut film.tubes);
        for Cover { covering, tubes, skin } in &mut covers {
            covering.bend(&frame, tubes, skin.as_mut());
        }
        let mut look = assembly.look(&state);
        for (arrow, source) in arrows.iter_mut().zip(&sources) {
            let (place, force) = find(source, &mut look, trajectory, row);
            arrow.places.push(place);
            arrow.forces.push(force);
        }
        if any_passing {
            film.contacts.push(&strongest(passing, row, most_passing));
        }
    }
    for cover in covers {
        film.tubes.extend(cover.tubes);
        film.skins.extend(cover.skin);
    }
    // forces that never act would only fill the lists
    arrows.retain(|arrow| arrow.forces.iter().any(|force| force.norm() > 0.0));
    Film { bodies, arrows, ..film }
}

/// The strongest contact forces of a recorded time, strongest first: more of them cannot be told apart.
fn strongest(contacts: &ContactTable, row: usize, most: usize) -> Vec<ContactForce> {
    const MOST: usize = 500;
    // soft contacts have arrows of their own
    let rigid = |touch: &&Touch| !contacts.contacts[touch.contact].soft;
    let pushing = contacts.at(row).iter().filter(rigid).filter(|touch| touch.size() > 0.0);
    let mut forces: Vec<ContactForce> = pushing
        .map(|touch| ContactForce {
            body: contacts.contacts[touch.contact].body,
            place: touch.place,
            force: touch.force,
        })
        .collect();
    forces.sort_by(|a, b| b.size().total_cmp(&a.size()));
    forces.truncate(most.min(MOST));
    forces
}

fn actor(model: &Model, sketch: &Sketch, node: usize) -> Actor {
    let (name, body) = &model.bodies()[node];
    let given = sketch.colours.iter().find(|(body, _)| body == name);
    let of_beam = || {
        let lain = sketch.beam_of_node(node, body)?;
        Some((Sketch::body_of_beam(&lain.nodes), lain.name.clone()))
    };
    let of_flexible = || {
        let leader = sketch.flexible_of_node(node)?;
        Some((leader, model.bodies()[leader].0.clone()))
    };
    Actor {
        name: name.clone(),
        colour: given.map(|(_, colour)| colour.clone()),
        opacity: sketch.opacities.iter().find(|(body, _)| body == name).map_or(1.0, |(_, o)| *o),
        part_of: of_beam().or_else(of_flexible),
    }
}

fn arrows(
    model: &Model,
    pieces: &[Piece],
    assembly: &Assembly,
    trajectory: &Trajectory,
) -> Vec<(Arrow, Source)> {
    let arrow = |name: &str, kind, body| Arrow {
        name: name.to_owned(),
        kind,
        body,
        places: Vec::new(),
        forces: Vec::new(),
    };
    let symbols = pieces.iter().filter_map(|piece| match &piece.held {
        Held::Joint { name, at, .. } => Some((name, *at, piece.body)),
        _ => None,
    });
    let mut arrows: Vec<_> = symbols
        .enumerate()
        .filter_map(|(k, (name, at, body))| {
            let source = Source::Joint(model.joint_id(k)?, at);
            Some((arrow(name, ArrowKind::Reaction, body), source))
        })
        .collect();
    arrows.extend(
        assembly
            .soft_contacts()
            .map(|(k, name, body)| (arrow(name, ArrowKind::Contact, body), Source::Soft(k))),
    );
    let contacts = &trajectory.contacts;
    // contacts that come and go are no arrows
    if !assembly.contacts_may_change() {
        let mut first = 0;
        for (k, (body, rows)) in assembly.rigid_contacts().enumerate() {
            let Some(name) = contacts.names.get(k) else { break };
            let range = first..first + rows;
            first = range.end;
            arrows.push((arrow(name, ArrowKind::Contact, body), Source::Rigid(k, range)));
        }
    }
    arrows
}

/// Where a force acts, and the force.
fn find(
    source: &Source,
    look: &mut Look,
    trajectory: &Trajectory,
    row: usize,
) -> (Vector3<f64>, Vector3<f64>) {
    let pressing = match source {
        Source::Joint(joint, marker) => {
            let (force, _) = look.reaction(*joint);
            let axes = look.first_marker_frame(*joint).orientation;
            let place = (look.frame(marker.node) * marker.frame).position;
            return (place, axes.rotate(&force));
        }
        Source::Soft(k) => look.soft_contact(*k),
        Source::Rigid(k, rows) => {
            let forces = &trajectory.contacts.force.row(row)[rows.clone()];
            look.rigid_contact(*k, forces)
        }
    };
    pressing.map_or((Vector3::zeros(), Vector3::zeros()), |found| (found.place, found.force))
}
