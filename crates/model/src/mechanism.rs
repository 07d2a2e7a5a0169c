//! The public face of a model file of a mechanism.

use crate::additions::{Additions, Places};
use crate::beam::beam;
use crate::body::body;
use crate::bushing::bushing;
use crate::clearance::clearance;
use crate::colour::colour;
use crate::contact::contact;
use crate::copies::expand;
use crate::coupling::coupling;
use crate::displacement::{Displacement, displacements};
use crate::fault::refused;
use crate::fields::{Fields, vector};
use crate::film;
use crate::flexible::flexible;
use crate::force::force;
use crate::import::import;
use crate::joint::joint;
use crate::joint_options::options;
use crate::load;
use crate::motion::motion;
use crate::offers::{self, ActionKind, ForceNames, Offer};
use crate::output::{self, Curves, Probe};
use crate::places::Names;
use crate::plausible::{self, size};
use crate::recorded::Recorded;
use crate::sections::FORMAT;
use crate::signals;
use crate::spring::spring;
use crate::strand::strand;
use crate::swarm::swarm;
use rotula_dae::analysis::fastest_vibration;
use rotula_dae::{InitialPolicy, RedundantPolicy, Settings, SettingsError, State, Trajectory};
use rotula_elastic::HotSpot;
use rotula_lie::Retraction;
use rotula_mechanics::picture::{Film, Form, Lain, Part, Sketch};
use rotula_mechanics::{Assembly, GROUND, Marker, Model};
use rotula_reading::{
    Document, Kinds, ModelError, ModelFile, Place, Scope, Solve, Table, Usual, folder_of,
    parameters, read_solve, tables,
};
use std::collections::HashMap;
use std::path::Path;

/// A mechanism given by its bodies, joints, motions and forces.
#[derive(Clone, Debug)]
pub struct Mechanism {
    /// Name for reports; that of the file if it gives none.
    pub title: String,
    /// What the model shows.
    pub description: Option<String>,
    /// How it is to be integrated, with the defaults of mechanisms filled in.
    pub solve: Solve,
    /// The parameters with their values, in the order of the file.
    pub parameters: Vec<(String, f64)>,
    /// Bodies, joints, motions and forces.
    pub model: Model,
    /// Names of the prescribed motions.
    pub motions: Vec<String>,
    /// What is recorded.
    pub recorded: Recorded,
    /// What pictures show besides bodies and joints.
    pub sketch: Sketch,
    /// What was left out of an imported file.
    pub notes: Vec<String>,
    /// What of it can be computed but hardly be meant.
    pub cautions: Vec<String>,
    assembly: Assembly,
}

impl Mechanism {
    /// Whether a document is that of a mechanism: one with bodies, beams, flexible bodies, frames, joints, swarms, copies of
    /// parts or an import.
    pub fn recognises(document: &Document) -> bool {
        let sections = [
            "body", "beam", "cable", "bar", "flexible", "frame", "joint", "swarm", "import", "use",
            "part",
        ];
        sections.iter().any(|section| document.table.entry(section).is_some())
    }

    /// Reads a model file. Each override is a dotted key such as `body.crank.mass` and the value that
    /// takes the place of the one in the file.
    pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<Mechanism, ModelError> {
        Mechanism::of(&Document::read(path)?, overrides, &())
    }

    /// Reads a mechanism from a text; `name` is what errors call it.
    pub fn parse(
        text: &str,
        name: &str,
        overrides: &[(String, String)],
    ) -> Result<Mechanism, ModelError> {
        Mechanism::of(&Document::parse(text, name)?, overrides, &())
    }

    /// Makes a mechanism of a document and adds things that stand in no file.
    pub fn of(
        document: &Document,
        overrides: &[(String, String)],
        additions: &dyn Additions,
    ) -> Result<Mechanism, ModelError> {
        let name = &document.source.name;
        let file = ModelFile::new(document, overrides, &FORMAT)?;
        let ModelFile { document, place: file, title, description, later } = file;
        signals::check_names(&document)?;
        let mut scope = Scope::default();
        scope.declare("t", Kinds::TIME);
        let degree = scope.graph.constant(std::f64::consts::PI / 180.0);
        scope.define("deg", (degree, Kinds::CONSTANT));
        scope.announce(document.section("table"));
        let parameters = parameters(&document, &mut scope)?;
        let mut document = expand(document, &mut scope)?;
        ModelFile::override_copies(&later, &mut document, &FORMAT)?;
        signals::check_names(&document)?;
        let none = |section: &str| document.section(section).is_empty();
        let import = document.entry("import").is_some();
        let elastic = ["beam", "cable", "bar", "flexible"].iter().all(|section| none(section));
        if none("body") && elastic && none("swarm") && !import {
            let place = document.entry("body").map_or(&file, |entry| &entry.place);
            let error = ModelError::new(place, "the model has no bodies");
            return Err(error.with_help("add `[body.NAME]` with mass and inertia"));
        }

        // files that the model names lie beside it
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        tables(&document, folder, &mut scope)?;
        signals::definitions(&document, &mut scope, false)?;
        let Things { model, sketch, notes, cautions, offers } =
            things(&document, folder, &file, additions, &mut scope)?;
        let recorded =
            Recorded::read(&document, &model, &sketch.inner_nodes(), offers, &mut scope)?;
        let assembly = model.assemble().map_err(|error| refused(&file, error))?;
        let solve = read_solve(&document, usual(&document, &assembly))?;
        Ok(Mechanism {
            title,
            description,
            solve,
            parameters,
            model,
            motions: document.section("motion").iter().map(|entry| entry.key.clone()).collect(),
            recorded,
            sketch,
            notes,
            cautions,
            assembly,
        })
    }

    /// The system of equations.
    pub fn system(&self) -> Assembly {
        self.assembly.clone()
    }

    /// The state in which the file puts the bodies, at the start time.
    pub fn initial_state(&self) -> State {
        State { t: self.solve.start(), ..self.assembly.start() }
    }

    /// The recorded curves along a trajectory: motions of bodies, coordinates and reactions of joints,
    /// forces, sensors. Positions and velocities of a body are those of its origin, in the world;
    /// reactions act on the second body at its marker, in the axes of the first marker.
    pub fn curves(&self, trajectory: &Trajectory) -> Vec<Curves> {
        output::curves((&self.model, &self.sketch), &self.recorded, &mut self.system(), trajectory)
    }

    /// How far every body and node moved from one state to another.
    pub fn displacements(&self, from: &State, to: &State) -> Vec<Displacement> {
        displacements(&self.model, &self.assembly, &self.sketch.inner_nodes(), [from, to])
    }

    /// Reads what is recorded at single states.
    pub fn probe(&self) -> Probe {
        Probe::new((&self.model, &self.sketch), &self.recorded, self.system())
    }

    /// Everything to be drawn at a state.
    pub fn parts(&self, state: &State) -> Vec<Part> {
        self.sketch.parts(&self.model, &self.assembly, &state.q)
    }

    /// The paths of the points that position sensors read, along a trajectory.
    pub fn paths(&self, trajectory: &Trajectory) -> Vec<Part> {
        const MOST: usize = 300;
        let rows = trajectory.len();
        let stride = rows / MOST + 1;
        let path = |marker: &Marker| {
            let place = |row: usize| {
                let node = self.assembly.node_frame(marker.node, trajectory.q.row(row));
                (node * marker.frame).position
            };
            let form = Form::Path((0..rows).step_by(stride).map(place).collect());
            Part { body: marker.node, form }
        };
        self.sketch.traced.iter().map(|(_, marker)| path(marker)).collect()
    }

    /// Everything that an animation of a trajectory needs, in no more than about so many numbers.
    pub fn film(&self, trajectory: &Trajectory, most: usize) -> Film {
        film::film(&self.model, &self.sketch, &mut self.system(), trajectory, most)
    }

    /// The nodes of flexible bodies where von Mises stress was highest along a trajectory, ten of each
    /// body, highest first, by the name of the body. [003 Table 1]
    pub fn hot_spots(&self, trajectory: &Trajectory) -> Vec<(String, HotSpot)> {
        const MOST: usize = 10;
        // neighbours of a hot spot say nothing new
        const APART: f64 = 0.02;
        // of longer runs with larger meshes every second, third, … record is looked at
        const WORK: usize = 2_000_000_000;
        let mut all = Vec::new();
        for bent in &self.sketch.flexible {
            let surface = &bent.laid.shapes.surface;
            let stride = 1 + trajectory.len() * surface.stress.len() / WORK;
            let states: Vec<Vec<f64>> = (0..trajectory.len())
                .step_by(stride)
                .map(|row| {
                    let q = trajectory.q.row(row);
                    bent.amplitudes(&|node| self.assembly.node_frame(node, q))
                })
                .collect();
            for spot in surface.hot_spots(&states, MOST, APART * size(surface)) {
                let state = spot.state * stride;
                all.push((bent.name.clone(), HotSpot { state, ..spot }));
            }
        }
        all
    }

    /// Numbers so odd that units are probably mixed, and what can hardly be meant.
    pub fn hints(&self) -> Vec<String> {
        let odd = plausible::hints(&self.model, &self.sketch);
        odd.into_iter().chain(self.cautions.iter().cloned()).collect()
    }

    /// The settings that `[solve]` and `[output]` mean.
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        Ok(self.recording(self.solve.settings()?))
    }

    /// The same for analyses, which need no end time.
    pub fn analysis_settings(&self) -> Result<Settings, SettingsError> {
        Ok(self.recording(self.solve.analysis_settings()?))
    }

    /// Settings with what `[output]` says.
    fn recording(&self, settings: Settings) -> Settings {
        let contact_rows = self.recorded.contact_rows.unwrap_or(settings.contact_rows);
        Settings { contact_rows, ..settings }
    }
}

/// Redundant constraints are solved. Positions must fit; velocities too, unless the file gives none at
/// all: then they follow from the constraints.
fn usual(document: &Table, assembly: &Assembly) -> Usual {
    let elastic = ["beam", "cable", "flexible"];
    let velocity = |key: &str| {
        ["body", "beam", "flexible"].into_iter().any(|section| {
            let entries = document.section(section).iter();
            let mut tables = entries.filter_map(|entry| Fields::of(section, entry));
            tables.any(|table| table.get(key).is_some())
        })
    };
    let is_elastic = elastic.into_iter().any(|section| !document.section(section).is_empty());
    let vibration = match is_elastic {
        true => fastest_vibration(&mut assembly.clone(), &assembly.start()),
        false => 0.0,
    };
    Usual {
        vibration,
        redundant: RedundantPolicy::Solve,
        initial: match velocity("velocity") || velocity("angular_velocity") {
            true => InitialPolicy::Refuse,
            false => InitialPolicy::ProjectVelocities,
        },
    }
}

/// What the sections describe.
struct Things {
    model: Model,
    sketch: Sketch,
    notes: Vec<String>,
    cautions: Vec<String>,
    offers: Vec<Offer>,
}

/// Everything that moves, holds and pushes.
fn things(
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
    for (entry, fields) in tables("beam") {
        let laid = beam(&fields, &entry.key, &mut names, &mut model, scope)?;
        let owner = model.bodies()[Sketch::body_of_beam(&laid.nodes)].0.clone();
        sketch.colours.extend(colour(&fields)?.map(|colour| (owner, colour)));
        sketch.beams.push(Lain { name: entry.key.clone(), nodes: laid.nodes, piece: None });
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
        sketch.colours.extend(colour(&fields)?.map(|colour| (entry.key.clone(), colour)));
        sketch.flexible.push(laid);
    }
    if let Some(load) = loads.first() {
        let known = sketch.flexible.iter().map(|body| body.name.as_str()).collect();
        return Err(load::nowhere(load, known));
    }
    for (entry, fields) in tables("swarm") {
        sketch.surfaces.extend(swarm(&fields, &entry.key, &mut names, &mut model, scope)?);
    }
    for (entry, fields) in tables("frame") {
        names.add_frame(&fields, &entry.key, &model, scope)?;
    }
    for (section, slack) in [("cable", true), ("bar", false)] {
        for (entry, fields) in tables(section) {
            let (laid, offer) = strand(&fields, &entry.key, slack, &mut names, &mut model, scope)?;
            offers.push(offer);
            let owner = model.bodies()[Sketch::body_of_beam(&laid.nodes)].0.clone();
            sketch.colours.extend(colour(&fields)?.map(|colour| (owner, colour)));
            let piece = laid.elements.first().map(|bar| bar.length());
            sketch.beams.push(Lain { name: entry.key.clone(), nodes: laid.nodes, piece });
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
    for (fields, load, laid) in &loaded {
        let (_, key) = fields.path.split_once('.').unwrap_or_default();
        let name = forces.of("load", key);
        offers.push(load::load_offer(fields, &name, (load, laid), &mut model, scope)?);
    }
    offers::promise_added(&additions.forces(), &mut names, &mut model, scope);
    signals::definitions(document, scope, false)?;
    for (entry, fields) in tables("coupling") {
        offers.push(coupling(&fields, &entry.key, &mut names, &mut model, scope)?);
    }
    for (entry, fields) in tables("motion") {
        let read = motion(&fields, &entry.key, &mut names, &mut model, scope)?;
        offers.push(read.offer);
        sketch.actuators.extend(read.ends);
        cautions.extend(read.caution);
    }
    signals::definitions(document, scope, true)?;
    signals::signals(document, &names, &mut model, scope)?;
    additions.add_signals(&mut model).map_err(|error| refused(file, error))?;
    for (entry, fields, id) in joints {
        options(&fields, &entry.key, id, &mut model, scope)?;
    }
    offers::add_forces(ActionKind::JointForce, &model, &mut offers);
    for (entry, fields) in tables("spring") {
        let name = forces.of("spring", &entry.key);
        sketch.springs.extend(spring(&fields, &name, &names, &mut model, scope)?);
    }
    offers::add_forces(ActionKind::Spring, &model, &mut offers);
    for (entry, fields) in tables("bushing") {
        bushing(&fields, &forces.of("bushing", &entry.key), &names, &mut model, scope)?;
    }
    offers::add_forces(ActionKind::Bushing, &model, &mut offers);
    for (entry, fields) in tables("force") {
        force(&fields, &forces.of("force", &entry.key), &names, &mut model, scope)?;
    }
    offers::add_forces(ActionKind::Force, &model, &mut offers);
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
        sketch.colours.extend(colour(&fields)?.map(|colour| (entry.key.clone(), colour)));
    }
    additions.add_elements(&mut model, &Places(&names)).map_err(|error| refused(file, error))?;
    offers::add_forces(ActionKind::Force, &model, &mut offers);
    offers::add_ends(&model, &mut offers);
    Ok(Things { model, sketch, notes, cautions, offers })
}
