//! The public face of a model file of a mechanism.

use crate::additions::Additions;
use crate::copies::expand;
use crate::displacement::{Displacement, displacements};
use crate::fault::refused;
use crate::fields::Fields;
use crate::film;
use crate::output::{self, Curves, Probe};
use crate::path::{self, paths};
use crate::plausible::{self, size};
use crate::reading::{
    Document, Kinds, ModelError, ModelFile, Scope, Solve, Table, Usual, parameters, read_solve,
    tables,
};
use crate::recorded::Recorded;
use crate::sections::FORMAT;
use crate::signals;
use crate::things::{Things, things};
use rotula_dae::analysis::fastest_vibration;
use rotula_dae::{InitialPolicy, RedundantPolicy, Settings, SettingsError, State, Trajectory};
use rotula_elastic::HotSpot;
use rotula_mechanics::picture::{Film, Form, Part, Sketch};
use rotula_mechanics::{Assembly, Marker, Model};
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
    /// Lengths and phases of paths, by the names under which formulas know them.
    pub path_numbers: Vec<(String, f64)>,
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
        // files that the model names lie beside it
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        tables(&document, folder, &mut scope)?;
        let paths = paths(&document, &mut scope)?;
        let mut document = expand(document, &paths, &mut scope)?;
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
            path_numbers: path::numbers(&paths),
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
    /// body, highest first, by the name of the body. [Negrut et al. 2005, Table 1]
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
