//! `import = "robot.urdf"` or `import = "deck.adm"`: bodies and joints of another file, to which the sections add.

use crate::body::frame;
use crate::fields::Fields;
use crate::offers::ActionKind;
use crate::orientation::ORIENTATION;
use crate::reading::keys::{Key, join};
use crate::reading::{Entry, Item, ModelError, Scope, did_you_mean};
use crate::table::{Boolean, File, Named, Vector, table, words};
use rotula_mechanics::force::Surface;
use rotula_mechanics::import::adams::{self, Deck};
use rotula_mechanics::import::urdf::{self, Geometry, LinkShape, Options, Purpose, Robot};
use rotula_mechanics::import::{ImportError, Note};
use rotula_mechanics::shape::Shape;
use rotula_mechanics::{BodyId, GROUND, JointId, Marker, Model};
use std::path::Path;

words! {
    /// What the root link does.
    Base { Fixed = "fixed", Free = "free" }
}

table! {
    /// A robot or a model of Adams in another file.
    ImportWords {
        /// A solver deck of Adams (`.adm`), named from the folder of the model, in SI units afterwards. Bodies are called `PART_1`,
        /// frames `MARKER_1`, joints `JOINT_1` and `GCON_1`, forces `SFORCE_1`.
        optional adams: File;
        /// A URDF file, named from the folder of the model. The keys below are for robots.
        optional urdf: File;
        /// Whether the root link is fixed to the ground or moves freely. Default fixed.
        optional base: Base;
        /// Where the root link is at the start. Default zero.
        optional at: Vector, "m";
        /// Angles and displacements of joints at the start, such as { elbow = 0.5 }. Default zero.
        optional positions: Named;
        /// Whether links on fixed joints become one body.
        usual weld: Boolean = true;
    }
}

/// All keys of an import.
pub(crate) const IMPORT: &[Key] =
    &join::<{ ImportWords::KEYS.len() + ORIENTATION.len() }>(ImportWords::KEYS, &ORIENTATION);

/// What another file brings.
pub(crate) struct Imported {
    pub model: Model,
    /// Bodies by name, and frames on them.
    pub places: Vec<(String, BodyId, Option<Marker>)>,
    pub joints: Vec<(String, JointId)>,
    /// What its forces are.
    pub forces: ActionKind,
    pub looks: Vec<(Marker, Surface)>,
    pub notes: Vec<Note>,
}

impl From<Robot> for Imported {
    /// Links that are no bodies of their own are frames.
    fn from(robot: Robot) -> Self {
        let place = |(link, place): (&String, &urdf::Attachment)| {
            let own = robot.model.bodies()[place.body.node()].0 == *link;
            let frame = (!own).then(|| robot.model.marker(place.body, place.frame));
            (link.clone(), place.body, frame)
        };
        Imported {
            places: robot.links.iter().map(place).collect(),
            looks: looks(&robot),
            forces: ActionKind::JointForce,
            joints: robot.joints.into_iter().collect(),
            notes: robot.notes,
            model: robot.model,
        }
    }
}

impl From<Deck> for Imported {
    fn from(deck: Deck) -> Self {
        let parts = deck.parts.iter().filter(|(_, body)| **body != GROUND);
        let bodies = parts.map(|(number, body)| (format!("PART_{number}"), *body, None));
        let frames = deck.markers.iter().map(|(number, marker)| {
            (format!("MARKER_{number}"), deck.model.body_id(marker.node), Some(*marker))
        });
        let joints = deck.joints.iter().map(|(number, id)| (format!("JOINT_{number}"), *id));
        let held = deck.distances.iter().map(|(number, id)| (format!("GCON_{number}"), *id));
        Imported {
            places: bodies.chain(frames).collect(),
            joints: joints.chain(held).collect(),
            looks: Vec::new(),
            forces: ActionKind::Spring,
            notes: deck.notes,
            model: deck.model,
        }
    }
}

/// Reads the robot or deck that a file names.
pub(crate) fn import(
    entry: &Entry,
    folder: &Path,
    scope: &mut Scope,
) -> Result<Imported, ModelError> {
    let Some(fields) = Fields::top(entry) else {
        let deck = entry.item.text().is_some_and(|name| name.to_lowercase().ends_with(".adm"));
        return match deck {
            true => read_deck(&entry.item, folder),
            false => Ok(read_robot(&entry.item, folder, &Options::default())?.into()),
        };
    };
    let given = ImportWords::read(fields.clone(), scope)?;
    let urdf = match (given.urdf, given.adams) {
        (Some(urdf), None) => urdf,
        (None, Some(adams)) => {
            let own = IMPORT.iter().map(|key| key.name).filter(|name| *name != "adams");
            fields.refuse(&own.collect::<Vec<_>>(), "a deck says this itself")?;
            return read_deck(adams, folder);
        }
        _ => {
            let message = "an import names one file, of a robot or of Adams";
            return Err(ModelError::new(fields.place, message)
                .with_help("write urdf = \"robot.urdf\" or adams = \"deck.adm\""));
        }
    };
    let mut options = Options {
        fixed_base: given.base != Some(Base::Free),
        base: frame(&fields, given.at, scope)?,
        weld: given.weld,
        ..Options::default()
    };
    let positions = given.positions.unwrap_or_default();
    for entry in positions {
        let path = format!("{}.{}", fields.at("positions"), entry.key);
        options.positions.insert(entry.key.clone(), scope.constant(&entry.item, &path)?);
    }
    let robot = read_robot(urdf, folder, &options)?;
    match positions.iter().find(|entry| !robot.joints.contains_key(&entry.key)) {
        Some(entry) => {
            let message = format!("the robot has no moving joint `{}`", entry.key);
            let known = robot.joints.keys().map(String::as_str).collect();
            let error = ModelError::new(&entry.place, message);
            Err(error.with_help(did_you_mean(&entry.key, known)))
        }
        None => Ok(robot.into()),
    }
}

/// What the links look like, as far as their shapes need no further files.
fn looks(robot: &Robot) -> Vec<(Marker, Surface)> {
    let visual = robot.shapes.iter().filter(|shape| shape.purpose == Purpose::Visual);
    let shape = |geometry: &Geometry| match geometry {
        Geometry::Box(size) => Some(Shape::Box { size: *size }),
        Geometry::Cylinder(radius, length) => {
            Some(Shape::Cylinder { radius: *radius, length: *length })
        }
        Geometry::Sphere(radius) => Some(Shape::Sphere { radius: *radius }),
        Geometry::Mesh(..) => None,
    };
    let look = |on: &LinkShape| {
        Some((robot.marker(&on.link, on.frame).ok()?, shape(&on.geometry)?.into()))
    };
    visual.filter_map(look).collect()
}

fn read_robot(item: &Item, folder: &Path, options: &Options) -> Result<Robot, ModelError> {
    let text = text_of(item, folder)?;
    let name = item.text().unwrap_or_default();
    urdf::read(&text, name, options).map_err(|error| refused(item, &error, "correct the URDF file"))
}

fn read_deck(item: &Item, folder: &Path) -> Result<Imported, ModelError> {
    let text = text_of(item, folder)?;
    let name = item.text().unwrap_or_default();
    let deck = adams::read(&text, name).map_err(|error| refused(item, &error, "correct the deck"));
    Ok(deck?.into())
}

fn text_of(item: &Item, folder: &Path) -> Result<String, ModelError> {
    let path = folder.join(item.text().unwrap_or_default());
    rotula_files::read_to_string(&path).map_err(|error| {
        ModelError::new(&item.place, format!("{} cannot be read: {error}", path.display()))
            .with_help(
                "name a URDF file or a solver deck of Adams (.adm) from the folder of the model",
            )
    })
}

fn refused(item: &Item, error: &ImportError, otherwise: &str) -> ModelError {
    let help = error.refusal.help.as_deref().unwrap_or(otherwise);
    ModelError::new(&item.place, error.message()).with_help(help)
}
