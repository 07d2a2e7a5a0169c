//! `[body.NAME]`: mass, inertia, where it starts.

use crate::fault::fault_at;
use crate::fields::{Fields, numbers};
use crate::orientation::{ORIENTATION, orientation};
use crate::placed::Placed;
use crate::reading::keys::{Key, join};
use crate::reading::{Item, MOMENTS, ModelError, Scope, Value};
use crate::solid::{ShapeKeys, SolidKeys, look, solid};
use crate::table::{Direction, Inertia, Inner, Number, Text, Vector, table, words};
use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::node::NodeKind;
use rotula_mechanics::{Body, MassProperties, marker::frame_along};
use std::path::Path;

words! {
    /// How a body moves.
    BodyKind { Rigid = "rigid", Planar = "planar", Point = "point", Massless = "massless" }
}

words! {
    /// The point that an inertia is given about.
    InertiaAbout { Centre = "centre", Origin = "origin" }
}

table! {
    /// A body.
    BodyWords {
        /// How it moves: freely, in a plane, without turning, or freely without mass. Default rigid.
        optional kind: BodyKind;
        /// Mass.
        optional mass: Number, "kg";
        /// Mass, centre and inertia of a solid.
        optional solid: Inner<SolidKeys>;
        /// Moments of inertia: three principal ones, { xx, yy, zz, xy, xz, yz } or a 3×3 matrix, body axes; of a planar body one number.
        optional inertia: Inertia, "kg m²";
        /// The point the inertia is given about: the centre of mass (default) or the origin of the body.
        optional inertia_about: InertiaAbout;
        /// Centre of mass, body axes. Default the origin of the body.
        optional centre: Vector, "m";
        /// Where the origin of the body is at the start. Default zero.
        optional at: Vector, "m";
        /// Planar only: normal of the plane. Default "z".
        optional normal: Direction;
        /// Velocity of the origin at the start, world axes.
        optional velocity: Vector, "m/s";
        /// Angular velocity at the start, world axes.
        optional angular_velocity: Vector, "rad/s";
        /// What it looks like in pictures; mass and inertia do not follow from it.
        optional shape: Inner<ShapeKeys>;
    }
    besides {
        /// Colour in pictures, such as "#3465a4" or "orange"; with two more digits also how opaque it is.
        optional colour: Text;
        /// How opaque it is in pictures, from 0, not seen, to 1. Default 1.
        optional opacity: Number;
        /// What it is.
        optional description: Text;
    }
}

/// All keys of a body.
pub(crate) const BODY: &[Key] =
    &join::<{ BodyWords::KEYS.len() + ORIENTATION.len() }>(BodyWords::KEYS, &ORIENTATION);

/// Reads a body.
pub(crate) fn body(fields: &Fields, folder: &Path, scope: &mut Scope) -> Result<Body, ModelError> {
    let given = BodyWords::read(fields.clone(), scope)?;
    let kind = given.kind.unwrap_or(BodyKind::Rigid);
    let planar = kind == BodyKind::Planar;
    match kind {
        BodyKind::Point => fields.refuse(
            &[
                "inertia",
                "inertia_about",
                "centre",
                "turned",
                "orientation",
                "axes",
                "angular_velocity",
                "solid",
            ],
            "a point does not turn",
        )?,
        BodyKind::Massless => fields.refuse(
            &["mass", "inertia", "inertia_about", "centre", "solid"],
            "a massless body has no mass",
        )?,
        BodyKind::Rigid | BodyKind::Planar => {}
    }
    if !planar {
        fields.refuse(&["normal"], "only planar bodies have a plane")?;
    }
    let placed = Placed::of(fields.place);
    let frame = placed.frame(frame(fields, given.at, scope)?);
    let mut body = match (kind, &given.solid) {
        (BodyKind::Massless, _) => Body::massless(),
        (BodyKind::Point, _) => Body::point(mass(&given)?),
        (BodyKind::Rigid | BodyKind::Planar, Some(inner)) => {
            let why = "a solid says what mass it has";
            fields.refuse(&["mass", "inertia", "inertia_about", "centre"], why)?;
            let (place, shape, properties) = solid(inner, folder, scope)?;
            Body::rigid(properties).drawn(place, shape)
        }
        (BodyKind::Rigid | BodyKind::Planar, None) => {
            Body::rigid(mass_properties(&given, planar, scope)?)
        }
    };
    let moving = [given.velocity, given.angular_velocity].map(Option::unwrap_or_default);
    body = body.at_frame(frame).moving(placed.vector(moving[0]), placed.axial(moving[1]));
    if let Some(inner) = &given.shape {
        fields.refuse_together(&["solid", "shape"])?;
        let (place, shape) = look(inner, folder, scope)?;
        body = body.drawn(place, shape);
    }
    if planar {
        body.kind = NodeKind::Planar(plane(&given, &body)?);
    }
    Ok(body)
}

/// Where a body's own frame is at the start, in the axes of its part.
pub(crate) fn frame(
    fields: &Fields,
    at: Option<Vector3<f64>>,
    scope: &mut Scope,
) -> Result<Frame, ModelError> {
    let orientation = orientation(fields, scope)?.unwrap_or_else(Quaternion::identity);
    Ok(Frame::new(at.unwrap_or_default(), orientation))
}

fn mass(given: &BodyWords) -> Result<f64, ModelError> {
    let fields = &given.fields;
    let Some(mass) = given.mass else {
        let error = ModelError::new(fields.place, format!("{} misses `mass`", fields.path));
        return Err(error.with_help("add `mass = …`, or `kind = \"massless\"`"));
    };
    if mass <= 0.0 {
        let error = fault_at(fields, "mass", format!("{} is {mass} kg", fields.at("mass")));
        return Err(error
            .with_help("a mass must be positive; a frame without mass is `kind = \"massless\"`"));
    }
    Ok(mass)
}

fn mass_properties(
    given: &BodyWords,
    planar: bool,
    scope: &mut Scope,
) -> Result<MassProperties, ModelError> {
    let fields = &given.fields;
    let mass = mass(given)?;
    let placed = Placed::of(fields.place);
    let centre = placed.own_axes().point(given.centre.unwrap_or_default());
    let Some(item) = given.inertia else {
        let error = ModelError::new(fields.place, format!("{} misses `inertia`", fields.path));
        return Err(error.with_help(
            "add `inertia = [xx, yy, zz]`, or `kind = \"point\"` for a mass that does not turn",
        ));
    };
    let inertia = placed.inertia(inertia(item, &fields.at("inertia"), scope, planar)?);
    let about = given.inertia_about.unwrap_or(InertiaAbout::Centre);
    let properties = match about {
        InertiaAbout::Origin => MassProperties::about(mass, centre, inertia, &Frame::identity()),
        InertiaAbout::Centre => MassProperties::new(mass, centre, inertia),
    };
    refuse_impossible(fields, (item, about), &properties.inertia, planar)?;
    Ok(properties)
}

fn inertia(
    item: &Item,
    path: &str,
    scope: &mut Scope,
    planar: bool,
) -> Result<Matrix3<f64>, ModelError> {
    match &item.value {
        Value::List(rows) if rows.iter().any(|row| matches!(row.value, Value::List(_))) => {
            let mut matrix = Matrix3::zeros();
            for (i, row) in rows.iter().enumerate() {
                for (j, value) in numbers(row, path, scope)?.into_iter().enumerate() {
                    matrix[(i, j)] = value;
                }
            }
            Ok(matrix)
        }
        Value::List(_) => {
            let moments = numbers(item, path, scope)?;
            Ok(Matrix3::from_diagonal(&Vector3::new(moments[0], moments[1], moments[2])))
        }
        Value::Table(table) => {
            let mut value = |key: &str| match table.get(key) {
                Some(item) => scope.constant(item, &format!("{path}.{key}")),
                None => Ok(0.0),
            };
            let [xx, yy, zz, xy, xz, yz] = MOMENTS.map(&mut value);
            let (xx, yy, zz, xy, xz, yz) = (xx?, yy?, zz?, xy?, xz?, yz?);
            Ok(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
        }
        _ if planar => {
            Ok(Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, scope.constant(item, path)?)))
        }
        _ => {
            let error = ModelError::new(&item.place, format!("{path} is one number"));
            Err(error
                .with_help("give three principal moments [xx, yy, zz], or set `kind = \"planar\"`"))
        }
    }
}

/// What no body can have: an asymmetric matrix, a moment that is not positive.
fn refuse_impossible(
    fields: &Fields,
    (item, about): (&Item, InertiaAbout),
    inertia: &Matrix3<f64>,
    planar: bool,
) -> Result<(), ModelError> {
    let fault = |message: String, help: &str| {
        let message = format!("{}: {message}", fields.at("inertia"));
        Err(ModelError::new(&item.place, message).with_help(help))
    };
    if (inertia - inertia.transpose()).amax() > 1e-9 * inertia.amax() {
        return fault(
            "the matrix is not symmetric".into(),
            "write the same number on both sides of the diagonal",
        );
    }
    let about = match about {
        InertiaAbout::Origin => "is it really given about the origin of the body?",
        InertiaAbout::Centre => {
            "moments about the centre of mass are positive; is it given about the origin? Then write `inertia_about = \"origin\"`"
        }
    };
    if planar {
        return match inertia[(2, 2)] > 0.0 {
            true => Ok(()),
            false => fault(format!("the moment about z is {}", inertia[(2, 2)]), about),
        };
    }
    let principal = inertia.symmetric_eigenvalues();
    if principal.min() <= 0.0 {
        return fault(format!("the least principal moment is {:.4e}", principal.min()), about);
    }
    // ∫(x² + y²) ≤ ∫(x² + z²) + ∫(y² + z²)
    if 2.0 * principal.max() > principal.sum() * (1.0 + 1e-6) {
        return fault(
            format!(
                "the largest principal moment, {:.4e}, exceeds the sum of the others",
                principal.max()
            ),
            "no distribution of mass has such moments; check the numbers",
        );
    }
    Ok(())
}

/// The plane in which a planar body moves, through its centre of mass.
fn plane(given: &BodyWords, body: &Body) -> Result<Frame, ModelError> {
    let fields = &given.fields;
    let normal = Placed::of(fields.place).vector(given.normal.unwrap_or_else(Vector3::z));
    if body.frame.orientation.rotate(&Vector3::z()).cross(&normal).norm() > 1e-9 {
        let key = ORIENTATION.iter().map(|key| key.name).find(|key| fields.get(key).is_some());
        let message =
            format!("{}: the z axis of a planar body must be the normal of its plane", fields.path);
        let error = fault_at(fields, key.unwrap_or("normal"), message);
        return Err(error.with_help("turn it about the normal, or give another `normal`"));
    }
    let centre = body.node_frame().position;
    let origin = normal * normal.dot(&centre);
    Ok(match normal == Vector3::z() {
        true => Frame::new(origin, Quaternion::identity()),
        false => frame_along(origin, normal),
    })
}
