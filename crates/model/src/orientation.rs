//! How a body or frame is turned: by an axis and an angle, a quaternion, or two axes.

use crate::fields::{Fields, direction};
use crate::reading::keys::{Key, Kind, key};
use crate::reading::{Entry, ModelError, Scope};
use crate::table::{Direction, Number, Numbers, Value as _, table};
use nalgebra::Matrix3;
use rotula_lie::Quaternion;

table! {
    /// A rotation.
    Turn {
        /// Axis of the rotation.
        needed about: Direction;
        /// Angle of the rotation, rad; `deg` is a factor: "30*deg".
        needed by: Number, "rad";
    }
}

const AXES: [Key; 3] = [
    key("x", Kind::Direction, "Where the x axis points."),
    key("y", Kind::Direction, "Where the y axis points."),
    key("z", Kind::Direction, "Where the z axis points."),
];

/// The keys, of which at most one is given.
pub(crate) const ORIENTATION: [Key; 3] = [
    key("turned", Turn::KIND, "Orientation by an axis and an angle."),
    key("orientation", Kind::Numbers(4), "Orientation by a quaternion w, x, y, z."),
    key(
        "axes",
        Kind::Table(&AXES),
        "Orientation by two axes: the first written is kept, the other made normal to it.",
    ),
];

/// The orientation given by one of the keys; none if there is none of them.
pub(crate) fn orientation(
    fields: &Fields,
    scope: &mut Scope,
) -> Result<Option<Quaternion>, ModelError> {
    fields.refuse_together(&["turned", "orientation", "axes", "along"])?;
    if let Some(turned) = fields.inner("turned") {
        let Turn { about, by, .. } = Turn::read(turned, scope)?;
        return Ok(Some(Quaternion::exp(&(about * by))));
    }
    if let Some(numbers) = Numbers::<4>::read(fields, "orientation", scope)? {
        let size = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size < 1e-6 {
            let message = format!("{} is zero", fields.at("orientation"));
            let error = crate::fault::fault_at(fields, "orientation", message);
            return Err(error.with_help("without rotation it is [1, 0, 0, 0]"));
        }
        let [w, x, y, z] = numbers.map(|number| number / size);
        return Ok(Some(Quaternion::new(w, x, y, z)));
    }
    fields.inner("axes").map(|axes| two_axes(&axes, scope)).transpose()
}

/// The orientation whose axes are given by two of them.
fn two_axes(fields: &Fields, scope: &mut Scope) -> Result<Quaternion, ModelError> {
    let fault = |message: &str, help: &str| {
        Err(ModelError::new(fields.place, format!("{} {message}", fields.path)).with_help(help))
    };
    let [first, second] = fields.entries() else {
        let help = "give two of x, y and z; the third follows";
        return fault(&format!("must have two axes, but has {}", fields.entries().len()), help);
    };
    let index = |entry: &Entry| ["x", "y", "z"].iter().position(|axis| *axis == entry.key);
    let (Some(i), Some(j)) = (index(first), index(second)) else {
        return fault("has strange axes", "give two of x, y and z");
    };
    let kept = direction(&first.item, &fields.at(&first.key), scope)?;
    let other = direction(&second.item, &fields.at(&second.key), scope)?;
    let normal = other - kept * kept.dot(&other);
    if normal.norm() < 1e-9 {
        return fault("has two parallel axes", "give two different directions");
    }
    let normal = normal.normalize();
    let mut rotation = Matrix3::zeros();
    rotation.set_column(i, &kept);
    rotation.set_column(j, &normal);
    // x × y = z, y × z = x, z × x = y
    let third = if (i + 1) % 3 == j { kept.cross(&normal) } else { normal.cross(&kept) };
    rotation.set_column(3 - i - j, &third);
    Ok(Quaternion::from_matrix(&rotation))
}
