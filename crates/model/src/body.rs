//! `[body.NAME]`: mass, inertia, where it starts.

use crate::fault::fault_at;
use crate::fields::{Fields, numbers};
use crate::solid::{look, solid};
use crate::table::{Value as _, words};
use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::node::NodeKind;
use rotula_mechanics::{Body, MassProperties, marker::frame_along};
use rotula_reading::{Item, MOMENTS, ModelError, Scope, Value};
use std::path::Path;

words! {
    /// How a body moves.
    BodyKind {
        /// Freely.
        Rigid = "rigid",
        /// In a plane.
        Planar = "planar",
        /// Without turning.
        Point = "point",
        /// Freely, without mass.
        Massless = "massless",
    }
}

words! {
    /// The point that an inertia is given about.
    InertiaAbout {
        /// The centre of mass.
        Centre = "centre",
        /// The origin of the body.
        Origin = "origin",
    }
}

/// Reads a body.
pub(crate) fn body(fields: &Fields, folder: &Path, scope: &mut Scope) -> Result<Body, ModelError> {
    let kind = BodyKind::read(fields, "kind", scope)?.unwrap_or(BodyKind::Rigid);
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
    let frame = frame(fields, scope)?;
    let mut body = match kind {
        BodyKind::Massless => Body::massless(),
        BodyKind::Point => Body::point(mass(fields, scope)?),
        BodyKind::Rigid | BodyKind::Planar => match fields.inner("solid") {
            Some(inner) => {
                let why = "a solid says what mass it has";
                fields.refuse(&["mass", "inertia", "inertia_about", "centre"], why)?;
                let (place, shape, properties) = solid(&inner, folder, scope)?;
                Body::rigid(properties).drawn(place, shape)
            }
            None => Body::rigid(mass_properties(fields, scope, planar)?),
        },
    };
    body = body.at_frame(frame).moving(
        fields.vector("velocity", scope)?.unwrap_or_default(),
        fields.vector("angular_velocity", scope)?.unwrap_or_default(),
    );
    if let Some(inner) = fields.inner("shape") {
        fields.refuse_together(&["solid", "shape"])?;
        let (place, shape) = look(&inner, folder, scope)?;
        body = body.drawn(place, shape);
    }
    if planar {
        body.kind = NodeKind::Planar(plane(fields, scope, &body)?);
    }
    Ok(body)
}

/// Where the body's own frame is at the start.
pub(crate) fn frame(fields: &Fields, scope: &mut Scope) -> Result<Frame, ModelError> {
    let position = fields.vector("at", scope)?.unwrap_or_default();
    let orientation = fields.orientation(scope)?.unwrap_or_else(Quaternion::identity);
    Ok(Frame::new(position, orientation))
}

fn mass(fields: &Fields, scope: &mut Scope) -> Result<f64, ModelError> {
    let Some(mass) = fields.number("mass", scope)? else {
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
    fields: &Fields,
    scope: &mut Scope,
    planar: bool,
) -> Result<MassProperties, ModelError> {
    let mass = mass(fields, scope)?;
    let centre = fields.vector("centre", scope)?.unwrap_or_default();
    let Some(item) = fields.get("inertia") else {
        let error = ModelError::new(fields.place, format!("{} misses `inertia`", fields.path));
        return Err(error.with_help(
            "add `inertia = [xx, yy, zz]`, or `kind = \"point\"` for a mass that does not turn",
        ));
    };
    let inertia = inertia(item, &fields.at("inertia"), scope, planar)?;
    let about = InertiaAbout::read(fields, "inertia_about", scope)?;
    let about = about.unwrap_or(InertiaAbout::Centre);
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
fn plane(fields: &Fields, scope: &mut Scope, body: &Body) -> Result<Frame, ModelError> {
    let normal = fields.direction("normal", scope)?.unwrap_or_else(Vector3::z);
    if body.frame.orientation.rotate(&Vector3::z()).cross(&normal).norm() > 1e-9 {
        let key =
            ["turned", "orientation", "axes"].into_iter().find(|key| fields.get(key).is_some());
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
