//! `mesh` of a coupling: two wheels whose teeth give way and have play.

use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::places::Names;
use crate::reading::ModelError;
use crate::table::{Count, List, NotNegative, Numbers, Pair, Positive, table};
use nalgebra::Vector3;
use rotula_mechanics::force::{Flank, Mesh, Teeth, Variation, Wheels};
use rotula_mechanics::quantity::Ends;
use rotula_mechanics::{JointId, Model};

/// Damping is full at this part of the play.
const DAMPING_DEPTH: f64 = 0.01;
/// Axes are parallel, and distances equal, as far as digits of a file say so.
const PARALLEL: f64 = 1e-6;

table! {
    /// Two wheels with elastic teeth.
    MeshWords {
        /// The joints of the first and the second wheel.
        needed joints: Pair;
        /// Base radii of both; that of a ring with teeth inside is negative. With the distance of the axes they make the pressure angle, cos α = |r₁ + r₂| / distance, under which teeth load the bearings.
        needed radii: Numbers<2>, "m";
        /// Stiffness along the line of action, its mean if it varies.
        needed stiffness: Positive, "N/m";
        /// Damping along the line of action, where teeth touch.
        usual damping: NotNegative = 0.0, "N s/m";
        /// Play from flank to flank along the line of action; wheels start in its middle.
        usual backlash: NotNegative = 0.0, "m";
        /// Depth at which damping is full. Default a hundredth of the play.
        optional damping_depth: Positive, "m";
        /// Teeth of the first wheel; needed with `harmonics`.
        optional teeth: Count;
        /// How the stiffness varies as teeth come and go: amplitudes at the mesh frequency and its multiples, relative to the mean.
        optional harmonics: List;
        /// Phases of the harmonics: that with a is a*cos(j*teeth*angle - phase). Default zero.
        optional phases: List, "rad";
    }
}

/// Reads the teeth of two wheels, a force on both joints; returns the joints and the ratio of their angles.
pub(crate) fn mesh(
    given: MeshWords,
    name: &str,
    names: &Names,
    model: &mut Model,
) -> Result<([JointId; 2], f64), ModelError> {
    let fields = &given.fields;
    if given.radii.contains(&0.0) {
        let error = fault_at(fields, "radii", format!("{} has a zero", fields.at("radii")));
        return Err(error.with_help("give the base radius of each wheel"));
    }
    let way = |k: usize| {
        let (item, radius) = (given.joints[k], given.radii[k]);
        let joint = names.joint(item)?;
        let angle = model.coordinate(joint, "angle").map_err(|e| refused(&item.place, e))?;
        Ok((joint, angle.scaled(radius)))
    };
    let ((first, way_first), (second, way_second)) = (way(0)?, way(1)?);
    let joints = [first, second];
    let approach = way_first.plus(&way_second).map_err(|error| refused(fields.place, error))?;
    let law = Mesh {
        stiffness: given.stiffness,
        damping: given.damping,
        backlash: given.backlash,
        damping_depth: given.damping_depth.unwrap_or(DAMPING_DEPTH * given.backlash),
        middle: model.at_start(&approach)[0],
        variation: variation(&given, joints[0], model)?,
        flank: Flank::Both,
    };
    law.validate().map_err(|error| refused(fields.place, error))?;
    let teeth = match wheels(&given, joints, model)? {
        Some(wheels) => {
            Teeth::along_lines(&approach, &wheels, &law, |flank| model.at_start(flank)[0])
                .map_err(|error| refused(fields.place, error))?
        }
        None => {
            let [first, second] = joints.map(|joint| model.joints()[joint.index()].pair.b);
            Teeth::on_angles(approach, law, Ends::between(first, second))
        }
    };
    model.force(name, teeth).map_err(|error| refused(fields.place, error))?;
    Ok((joints, -given.radii[0] / given.radii[1]))
}

/// The lines of action of wheels that turn about parallel axes on one body. Others, such as bevel wheels or wheels on one axis, have none: their
/// teeth act on angles alone.
fn wheels(
    given: &MeshWords,
    joints: [JointId; 2],
    model: &Model,
) -> Result<Option<Wheels>, ModelError> {
    let fields = &given.fields;
    let [first, second] = joints.map(|joint| model.joints()[joint.index()].pair);
    if first.a.node != second.a.node {
        return Ok(None);
    }
    let seen = second.a.frame.seen_from(&first.a.frame);
    let axis = seen.orientation.rotate(&Vector3::z());
    let apart = Vector3::new(seen.position.x, seen.position.y, 0.0);
    let distance = apart.norm();
    let radii = given.radii;
    let largest = radii[0].abs().max(radii[1].abs());
    if axis.xy().norm() > PARALLEL || distance < PARALLEL * largest {
        return Ok(None);
    }
    // an axis that points the other way counts the second angle the other way
    let radii = [radii[0], radii[1] * axis.z.signum()];
    let reach = (radii[0] + radii[1]).abs();
    if reach > distance * (1.0 + PARALLEL) {
        let message = format!(
            "{}: base radii that make {reach:.6} m do not mesh at a distance of {distance:.6} m",
            fields.at("radii")
        );
        let error = fault_at(fields, "radii", message);
        return Err(error.with_help(
            "a base radius is the pitch radius times the cosine of the pressure angle; that of a ring with teeth inside is negative",
        ));
    }
    let cosine = (reach / distance).min(1.0);
    let sine = (1.0 - cosine * cosine).sqrt();
    // from the centre of the first wheel to the point of mesh: beyond a small wheel in a ring, else towards the other centre
    let outward = if radii[1] < 0.0 { -apart / distance } else { apart / distance };
    let way = Vector3::z().cross(&outward) * radii[0].signum();
    let aside = outward * radii[0].signum();
    Ok(Some(Wheels {
        carrier: first.a,
        centres: [first.b, second.b],
        lines: [1.0, -1.0].map(|flank| way * cosine + aside * (flank * sine)),
    }))
}

/// How the stiffness varies, if it does.
fn variation(
    given: &MeshWords,
    first: JointId,
    model: &mut Model,
) -> Result<Option<Variation>, ModelError> {
    let fields: &Fields = &given.fields;
    let Some(amplitudes) = &given.harmonics else {
        fields.refuse(&["teeth", "phases"], "they belong to `harmonics`, which are not given")?;
        return Ok(None);
    };
    let Some(teeth) = given.teeth else {
        let error = fault_at(fields, "harmonics", format!("{} misses `teeth`", fields.path));
        return Err(error.with_help("add `teeth = …`, the number on the first wheel"));
    };
    let none = vec![0.0; amplitudes.len()];
    let phases = given.phases.as_ref().unwrap_or(&none);
    if phases.len() != amplitudes.len() {
        let message = format!(
            "{} has {} numbers, but there are {} harmonics",
            fields.at("phases"),
            phases.len(),
            amplitudes.len()
        );
        return Err(fault_at(fields, "phases", message).with_help("give one phase for each"));
    }
    let angle = format!("{}.angle", model.joints()[first.index()].name);
    let angle = model.signal(&angle).map_err(|error| refused(fields.place, error))?;
    let harmonics = amplitudes.iter().zip(phases).map(|(a, p)| [*a, *p]).collect();
    Ok(Some(Variation { angle, teeth: teeth as f64, harmonics }))
}
