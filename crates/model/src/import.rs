//! `import = "robot.urdf"`: links and joints of a robot, to which the sections add.

use crate::body::frame;
use crate::fields::Fields;
use crate::orientation::ORIENTATION;
use crate::table::{Boolean, File, Named, Vector, table, words};
use rotula_mechanics::Marker;
use rotula_mechanics::force::Surface;
use rotula_mechanics::import::urdf::{self, Geometry, LinkShape, Options, Purpose, Robot};
use rotula_mechanics::shape::Shape;
use rotula_reading::keys::{Key, join};
use rotula_reading::{Entry, Item, ModelError, Scope, did_you_mean};
use std::path::Path;

words! {
    /// What the root link does.
    Base { Fixed = "fixed", Free = "free" }
}

table! {
    /// A robot of another file.
    ImportWords {
        /// A URDF file, named from the folder of the model.
        needed urdf: File;
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

/// Reads the robot that a file names.
pub(crate) fn import(entry: &Entry, folder: &Path, scope: &mut Scope) -> Result<Robot, ModelError> {
    let Some(fields) = Fields::top(entry) else {
        return read(&entry.item, folder, &Options::default());
    };
    let given = ImportWords::read(fields.clone(), scope)?;
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
    let robot = read(given.urdf, folder, &options)?;
    match positions.iter().find(|entry| !robot.joints.contains_key(&entry.key)) {
        Some(entry) => {
            let message = format!("the robot has no moving joint `{}`", entry.key);
            let known = robot.joints.keys().map(String::as_str).collect();
            let error = ModelError::new(&entry.place, message);
            Err(error.with_help(did_you_mean(&entry.key, known)))
        }
        None => Ok(robot),
    }
}

/// What the links look like, as far as their shapes need no further files.
pub(crate) fn looks(robot: &Robot) -> Vec<(Marker, Surface)> {
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

fn read(item: &Item, folder: &Path, options: &Options) -> Result<Robot, ModelError> {
    let file = item.text().unwrap_or_default();
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        ModelError::new(&item.place, format!("{} cannot be read: {error}", path.display()))
            .with_help("name a URDF file from the folder of the model")
    })?;
    urdf::read(&text, file, options).map_err(|error| {
        let text = error.to_string();
        match text.split_once("; ") {
            Some((message, help)) => ModelError::new(&item.place, message).with_help(help),
            None => ModelError::new(&item.place, text).with_help("correct the URDF file"),
        }
    })
}
