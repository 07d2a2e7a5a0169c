//! `import = "robot.urdf"`: links and joints of a robot, to which the sections add.

use crate::body_words::{BY_AXES, ORIENTATION, TURNED};
use crate::fields::Fields;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::Marker;
use rotula_mechanics::force::Surface;
use rotula_mechanics::import::urdf::{self, Geometry, LinkShape, Options, Purpose, Robot};
use rotula_mechanics::shape::Shape;
use rotula_reading::keys::{Key, Kind, key, needed};
use rotula_reading::{Entry, Item, ModelError, Scope, Value, did_you_mean};
use std::path::Path;

pub(crate) static IMPORT: [Key; 8] = [
    needed("urdf", Kind::Text, "A URDF file, named from the folder of the model."),
    key(
        "base",
        Kind::Word(&["fixed", "free"]),
        "Whether the root link is fixed to the ground or moves freely. Default fixed.",
    ),
    key("at", Kind::Numbers(3), "Where the root link is at the start. Default zero.").unit("m"),
    TURNED,
    ORIENTATION,
    BY_AXES,
    key(
        "positions",
        Kind::Named,
        "Angles and displacements of joints at the start, such as { elbow = 0.5 }. Default zero.",
    ),
    key("weld", Kind::Boolean, "Whether links on fixed joints become one body. Default true."),
];

/// Reads the robot that a file names.
pub(crate) fn import(entry: &Entry, folder: &Path, scope: &mut Scope) -> Result<Robot, ModelError> {
    let Some(fields) = Fields::top(entry) else {
        return read(&entry.item, folder, &Options::default());
    };
    let orientation = fields.orientation(scope)?.unwrap_or_else(Quaternion::identity);
    let mut options = Options {
        fixed_base: fields.text("base") != Some("free"),
        base: Frame::new(fields.vector("at", scope)?.unwrap_or_default(), orientation),
        weld: fields.boolean("weld").unwrap_or(true),
        ..Options::default()
    };
    let positions = match fields.get("positions").map(|item| &item.value) {
        Some(Value::Table(table)) => table.entries.as_slice(),
        _ => &[],
    };
    for entry in positions {
        let path = format!("{}.{}", fields.at("positions"), entry.key);
        options.positions.insert(entry.key.clone(), scope.constant(&entry.item, &path)?);
    }
    let robot = read(fields.get("urdf").unwrap_or(&entry.item), folder, &options)?;
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
