//! From the sections to the model: everything that moves, holds and pushes, in the order in which it can be read.

use crate::additions::{Additions, Places};
use crate::beam::beam;
use crate::body::body;
use crate::bushing::bushing;
use crate::clearance::clearance;
use crate::colour::look;
use crate::contact::contact;
use crate::coupling::{Coupled, coupling};
use crate::fault::refused;
use crate::fields::{Fields, vector};
use crate::flexible::flexible;
use crate::force::force;
use crate::import::import;
use crate::joint::joint;
use crate::joint_options::options;
use crate::line_load::{LoadedLine, line_load};
use crate::load;
use crate::motion::motion;
use crate::offers::{self, ActionKind, ForceNames, Offer};
use crate::places::Names;
use crate::reading::{ModelError, Place, Scope, Table, folder_of};
use crate::road::roads;
use crate::signals;
use crate::spring::spring;
use crate::strand::strand;
use crate::swarm::swarm;
use crate::tyre::{relaxation, tyre};
use rotula_lie::Retraction;
use rotula_mechanics::picture::{Lain, Line, Mark, Sketch, Sprung};
use rotula_mechanics::{GROUND, Model};
use std::collections::HashMap;
use std::path::Path;

/// Symbols of more bushings, or of more springs on joints, are not drawn.
const MOST_ON_JOINTS_DRAWN: usize = 40;

/// What the sections describe.
pub(crate) struct Things {
    /// Bodies, joints, motions and forces.
    pub model: Model,
    /// What pictures show besides.
    pub sketch: Sketch,
    /// What was left out of an imported file.
    pub notes: Vec<String>,
    /// What can be computed but hardly be meant.
    pub cautions: Vec<String>,
    /// What acts, for output.
    pub offers: Vec<Offer>,
}

/// Everything that moves, holds and pushes.
pub(crate) fn things(
    document: &Table,
    folder: &Path,
    file: &Place,
    additions: &dyn Additions,
    scope: &mut Scope,
) -> Result<Things, ModelError> {
    let mut model = Model::new();
    let mut names = Names::default();
    let mut offers = Vec::new();
    let (mut sketch, mut notes, mut cautions) = (Sketch::default(), Vec::new(), Vec::new());
    names.add_body("ground", GROUND);
    if let Some(entry) = document.entry("import") {
        let imported = import(entry, folder, scope)?;
        names.add_imported(&imported);
        sketch.surfaces.extend(imported.looks);
        let left_out = imported.notes.iter();
        notes.extend(left_out.map(|note| format!("line {}: {}", note.line, note.what)));
        model = imported.model;
        offers::add_forces(imported.forces, &model, &mut offers);
        for (_, id) in imported.joints {
            signals::joint_coordinates(id, &entry.place, &mut model, scope)?;
        }
    }
    model.add_tables(scope.graph.tables());
    if let Some(item) = document.get("gravity") {
        model.gravity = vector(item, "gravity", scope)?;
    }
    if document.get("retraction").and_then(|item| item.text()) == Some("cayley") {
        model.retraction = Retraction::Cayley;
    }
    // files that a part names lie beside its own file
    let near = |fields: &Fields| match fields.place.copy {
        Some(_) => folder_of(fields.place),
        None => folder.to_owned(),
    };
    let tables = |section: &'static str| {
        let entries = document.section(section).iter();
        entries.filter_map(move |entry| Some((entry, Fields::of(section, entry)?)))
    };
    for (entry, fields) in tables("body") {
        let read = body(&fields, &near(&fields), scope)?;
        let id = model.body(&entry.key, read).map_err(|error| refused(&entry.place, error))?;
        names.add_body(&entry.key, id);
    }
    let mut lines = Vec::new();
    for (entry, fields) in tables("beam") {
        let (laid, stations, cuts) =
            beam(&fields, (&entry.key, &near(&fields)), &mut names, &mut model, scope)?;
        let each = laid.rest.len() / laid.elements.len() + 1;
        lines.push(LoadedLine::of(&entry.key, &laid, stations, each));
        let owner = model.bodies()[Sketch::body_of_beam(&laid.nodes)].0.clone();
        paint(&mut sketch, owner, &fields, scope)?;
        let (name, nodes, rest) = (entry.key.clone(), laid.nodes, laid.rest);
        sketch.beams.push(Lain { name, nodes, piece: None, rest, cuts });
    }
    let mut loads: Vec<_> = tables("load").map(|(_, fields)| fields).collect();
    let mut loaded = Vec::new();
    for (entry, fields) in tables("flexible") {
        let on = |load: &mut Fields| load.text("on") == Some(entry.key.as_str());
        let own: Vec<_> = loads.extract_if(.., on).collect();
        let beside = near(&fields);
        let from = (beside.as_path(), &own[..]);
        let (laid, read) = flexible(&fields, &entry.key, from, &mut names, &mut model, scope)?;
        loaded
            .extend(own.into_iter().zip(read).map(|(load, read)| (load, read, laid.laid.clone())));
        paint(&mut sketch, entry.key.clone(), &fields, scope)?;
        sketch.flexible.push(laid);
    }
    let mut along = Vec::new();
    for fields in loads {
        let Some(line) = lines.iter().find(|line| Some(line.name.as_str()) == fields.text("on"))
        else {
            let bodies = sketch.flexible.iter().map(|body| body.name.as_str());
            let known = bodies.chain(lines.iter().map(|line| line.name.as_str())).collect();
            return Err(load::nowhere(&fields, known));
        };
        load::refuse_on_beams(&fields)?;
        along.push((fields, line));
    }
    for (entry, fields) in tables("swarm") {
        if let Some((floor, corners)) = swarm(&fields, &entry.key, &mut names, &mut model, scope)? {
            sketch.surfaces.push(floor);
            sketch.containers.push(corners);
        }
    }
    for (entry, fields) in tables("frame") {
        names.add_frame(&fields, &entry.key, &model, scope)?;
    }
    for (section, slack) in [("cable", true), ("bar", false)] {
        for (entry, fields) in tables(section) {
            let (laid, cut, offer) =
                strand(&fields, &entry.key, slack, &mut names, &mut model, scope)?;
            offers.push(offer);
            let owner = model.bodies()[Sketch::body_of_beam(&laid.nodes)].0.clone();
            paint(&mut sketch, owner, &fields, scope)?;
            let piece = laid.elements.first().map(|bar| bar.length());
            let (name, nodes, rest) = (entry.key.clone(), laid.nodes, Vec::new());
            sketch.beams.push(Lain { name, nodes, piece, rest, cuts: vec![cut] });
        }
    }
    let mut joints = Vec::new();
    for (entry, fields) in tables("joint") {
        let id = joint(&fields, &entry.key, &names, &mut model, scope)?;
        names.add_joint(&entry.key, id);
        signals::joint_coordinates(id, &entry.place, &mut model, scope)?;
        joints.push((entry, fields, id));
    }
    signals::announce(document, scope);
    signals::computed(&additions.variables(), document, scope)?;
    offers::announce(&mut names, &model, scope);
    let forces = ForceNames::new(document, &model);
    offers::promise(document, &forces, &mut names, &mut model, scope)?;
    for (entry, fields) in tables("tyre") {
        relaxation(&fields, &forces.of("tyre", &entry.key), &mut model, scope)?;
    }
    for (fields, load, laid) in &loaded {
        let (_, key) = fields.path.split_once('.').unwrap_or_default();
        let name = forces.of("load", key);
        offers.push(load::load_offer(fields, &name, (load, laid), &mut model, scope)?);
    }
    let mut added = additions.forces();
    for (fields, line) in &along {
        let (_, key) = fields.path.split_once('.').unwrap_or_default();
        added.extend(line.names(&forces.of("load", key)));
    }
    offers::promise_added(&added, &mut names, &mut model, scope);
    signals::definitions(document, scope, false)?;
    signals::functions_of_time(document, scope);
    signals::inputs(document, &mut names, scope)?;
    for (entry, fields) in tables("coupling") {
        let Coupled { offer, marks } =
            coupling(&fields, &entry.key, &mut names, &mut model, scope)?;
        offers.extend(offer);
        offers::add_forces(ActionKind::Coupling, &model, &mut offers);
        sketch.marks.extend(marks);
    }
    for (entry, fields) in tables("motion") {
        for read in motion(&fields, &entry.key, &mut names, &mut model, scope)? {
            offers.push(read.offer);
            sketch.actuators.extend(read.ends);
            sketch.marks.extend(read.mark);
            cautions.extend(read.caution);
        }
    }
    signals::definitions(document, scope, true)?;
    signals::signals(document, &names, &mut model, scope)?;
    additions.add_signals(&mut model).map_err(|error| refused(file, error))?;
    let mut springs = Vec::new();
    for (entry, fields, id) in joints {
        let drawn = options(&fields, &entry.key, id, &mut model, scope)?;
        sketch.marks.extend(drawn.mark);
        springs.extend(drawn.spring);
    }
    offers::add_forces(ActionKind::JointForce, &model, &mut offers);
    for (entry, fields) in tables("spring") {
        let name = forces.of("spring", &entry.key);
        springs.push(spring(&fields, &name, &names, &mut model, scope)?);
    }
    // very many, as those of a belt's segments, would cover what they join
    let on_joint = |(sprung, _): &(Sprung, Line)| matches!(sprung, Sprung::Joint(_));
    if springs.iter().filter(|spring| on_joint(spring)).count() > MOST_ON_JOINTS_DRAWN {
        springs.retain(|spring| !on_joint(spring));
    }
    sketch.springs = springs;
    offers::add_forces(ActionKind::Spring, &model, &mut offers);
    let mut bushings = Vec::new();
    for (entry, fields) in tables("bushing") {
        let name = forces.of("bushing", &entry.key);
        bushings.push((bushing(&fields, &name, &names, &mut model, scope)?, Mark::Bushing));
    }
    if bushings.len() <= MOST_ON_JOINTS_DRAWN {
        sketch.marks.extend(bushings);
    }
    offers::add_forces(ActionKind::Bushing, &model, &mut offers);
    for (entry, fields) in tables("force") {
        force(&fields, &forces.of("force", &entry.key), &names, &mut model, scope)?;
    }
    for (fields, line) in &along {
        let (_, key) = fields.path.split_once('.').unwrap_or_default();
        line_load(fields, &forces.of("load", key), line, &mut model, scope)?;
    }
    offers::add_forces(ActionKind::Force, &model, &mut offers);
    let roads = roads(document, &near, (&names, &model), scope)?;
    for (entry, fields) in tables("tyre") {
        let name = forces.of("tyre", &entry.key);
        tyre(&fields, &name, &near(&fields), (&roads, &names), &mut model, scope)?;
    }
    offers::add_forces(ActionKind::Tyre, &model, &mut offers);
    let mut drawn: HashMap<usize, Vec<usize>> = HashMap::new();
    for (entry, fields) in tables("contact") {
        let name = match fields.get("restitution") {
            Some(_) => entry.key.clone(),
            None => forces.of("contact", &entry.key),
        };
        let sides = contact(&fields, &name, &near(&fields), &names, &mut model, scope)?;
        // a wheel that many links touch is drawn once
        for (marker, surface) in sides {
            let known = drawn.entry(marker.node).or_default();
            let same =
                |k: &usize| (sketch.surfaces[*k].0, &sketch.surfaces[*k].1) == (marker, &surface);
            if !known.iter().any(same) {
                known.push(sketch.surfaces.len());
                sketch.surfaces.push((marker, surface));
            }
        }
    }
    offers::add_forces(ActionKind::Contact, &model, &mut offers);
    for (entry, fields) in tables("clearance") {
        clearance(&fields, &entry.key, &names, &mut model, scope)?;
    }
    sketch.points = names.frames().collect();
    for (entry, fields) in tables("sensor") {
        if let Some(item) = fields.get("position") {
            sketch.traced.push((entry.key.clone(), names.marker(item, &model)?));
        }
    }
    for (entry, fields) in tables("body") {
        paint(&mut sketch, entry.key.clone(), &fields, scope)?;
    }
    additions.add_elements(&mut model, &Places(&names)).map_err(|error| refused(file, error))?;
    offers::add_forces(ActionKind::Force, &model, &mut offers);
    offers::add_ends(&model, &mut offers);
    Ok(Things { model, sketch, notes, cautions, offers })
}

/// Notes how a body looks, by its name.
fn paint(
    sketch: &mut Sketch,
    name: String,
    fields: &Fields,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let look = look(fields, scope)?;
    sketch.opacities.extend(look.opacity.map(|opacity| (name.clone(), opacity)));
    sketch.colours.extend(look.colour.map(|colour| (name, colour)));
    Ok(())
}
