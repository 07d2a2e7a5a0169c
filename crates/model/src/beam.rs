//! `[beam.NAME]`: a geometrically exact beam; its ends are bodies `NAME.start` and `NAME.end`.

use crate::fault::{fault_at, refused};
use crate::fields::{Fields, numbers};
use crate::places::Names;
use crate::table::{self, Number, Numbers, Value as _, table};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_lie::Frame;
use rotula_mechanics::Model;
use rotula_mechanics::element::section::{Material, Profile};
use rotula_mechanics::element::{BeamLine, Distributed, LaidBeam, MassKind, Section};
use rotula_mechanics::force::{Amplitude, Axes};
use rotula_mechanics::sensor::{SectionQuantity, SectionSensor};
use rotula_reading::keys::{Key, Kind, key};
use rotula_reading::{Item, Kinds, ModelError, Place, Scope, Value};

/// Reads a beam and lays it.
pub(crate) fn beam(
    fields: &Fields,
    name: &str,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<LaidBeam, ModelError> {
    let each = fields.count("nodes", scope)?.unwrap_or(2);
    if !(2..=4).contains(&each) {
        let error = fault_at(fields, "nodes", format!("{} is {each}", fields.at("nodes")));
        return Err(error.with_help("an element has 2, 3 or 4 nodes"));
    }
    let elements = fields.count("elements", scope)?.unwrap_or(8);
    let mut line = line(fields, elements * (each - 1) + 1, scope)?;
    line.planar = planar(fields);
    line = line.with_section(section(fields, scope)?).with_nodes_per_element(each);
    if fields.text("mass") == Some("lumped") {
        line.mass = MassKind::Lumped;
    }
    let end = |key: &str| fields.get(key).map(|item| names.body(item)).transpose();
    line.ends = [end("start")?, end("end")?];
    line.loads = loads(fields, model, scope)?;
    line.moving = [
        fields.vector("velocity", scope)?.unwrap_or_default(),
        fields.vector("angular_velocity", scope)?.unwrap_or_default(),
    ];
    let laid = model.beam(name, &line).map_err(|error| refused(fields.place, error))?;
    names.add_line(name, &laid.nodes, line.ends.map(|end| end.is_some()), model);
    names.add_beam(name, &laid.nodes);
    read_sections(fields, name, &laid, model, scope)?;
    Ok(laid)
}

/// Whether it moves in a plane only.
fn planar(fields: &Fields) -> bool {
    fields.text("kind") == Some("planar")
}

/// Where it lies.
fn line(fields: &Fields, nodes: usize, scope: &mut Scope) -> Result<BeamLine, ModelError> {
    fields.refuse_together(&["to", "length"])?;
    fields.refuse_together(&["to", "along"])?;
    fields.refuse_together(&["to", "curvature"])?;
    let from = fields.vector("from", scope)?.unwrap_or_default();
    let (along, length) = match fields.vector("to", scope)? {
        Some(to) => (to - from, (to - from).norm()),
        None => {
            let along = fields.direction("along", scope)?;
            let (Some(along), Some(length)) = (along, fields.number("length", scope)?) else {
                let error = ModelError::new(fields.place, format!("{} has no end", fields.path));
                return Err(error.with_help("add `to = [x, y, z]`, or `along` and `length`"));
            };
            if length <= 0.0 {
                let message = format!("{} is {length} m", fields.at("length"));
                let error = fault_at(fields, "length", message);
                return Err(error.with_help("a length must be positive"));
            }
            (along * length, length)
        }
    };
    let upright = along.cross(&Vector3::z()).norm() > 1e-6 * along.norm();
    let default = if upright { Vector3::z() } else { Vector3::x() };
    fields.refuse_together(&["up", "normal"])?;
    if !planar(fields) {
        fields.refuse(&["normal"], "only planar beams have a plane")?;
    }
    let up = fields.direction("up", scope)?.or(fields.direction("normal", scope)?);
    let up = up.unwrap_or(default);
    if planar(fields) && up.dot(&along).abs() > 1e-9 * up.norm() * along.norm() {
        let key = if fields.get("up").is_some() { "up" } else { "normal" };
        let message = format!("{}: a planar beam does not lie in its plane", fields.path);
        let error = fault_at(fields, key, message);
        return Err(error.with_help("the normal must be at right angles to the beam"));
    }
    let straight = BeamLine::straight(from, from + along, up, nodes)
        .map_err(|error| refused(fields.place, error))?;
    let Some(k) = fields.vector("curvature", scope)? else { return Ok(straight) };
    let strain = Vector6::new(1.0, 0.0, 0.0, k.x, k.y, k.z);
    let start: Frame = straight.frames[0];
    Ok(BeamLine::along(start, &strain, length, nodes))
}

pub(crate) fn section(fields: &Fields, scope: &mut Scope) -> Result<Section, ModelError> {
    let Some(inner) = fields.inner("section") else {
        let error = ModelError::new(fields.place, format!("{} misses `section`", fields.path));
        return Err(error.with_help("add `section = { rectangle = [0.02, 0.03] }`"));
    };
    let mut words: Vec<&str> = PROFILES.iter().map(|profile| profile.key.name).collect();
    words.extend(["stiffness", "stiffness_matrix"]);
    inner.refuse_together(&words)?;
    let wrong = |error| refused(inner.place, error);
    let section = match profile(&inner, scope)? {
        Some(profile) => {
            let why = "mass follows from shape and density";
            inner.refuse(&["mass", "inertia", "mass_matrix"], why)?;
            Section::of(&profile, &material(fields, scope)?).map_err(wrong)?
        }
        None => {
            fields.refuse(&["material"], "the section says how stiff and heavy it is")?;
            general(&inner, scope)?
        }
    };
    let beta = fields.not_negative("damping", scope)?.unwrap_or(0.0);
    Ok(section.damped(beta))
}

table! {
    /// A profile of thin walls.
    Thin {
        /// Outer width, along y.
        needed width: Number, "m";
        /// Outer height, along z.
        needed height: Number, "m";
        /// Thickness of the walls along y.
        needed flange: Number, "m";
        /// Thickness of the walls along z.
        needed web: Number, "m";
    }
}

/// A word for the shape of a section: what it means, and how it is made.
pub(crate) struct ProfileWord {
    pub key: Key,
    make: fn(&Fields, &str, &mut Scope) -> Result<Option<Profile>, ModelError>,
}

/// Shapes of sections, of which one is given.
pub(crate) const PROFILES: &[ProfileWord] = &[
    ProfileWord {
        key: key("rectangle", Kind::Numbers(2), "A full rectangle: width along y, height along z.")
            .unit("m"),
        make: |fields, word, scope| {
            let size = Numbers::<2>::read(fields, word, scope)?;
            Ok(size.map(|[width, height]| Profile::Rectangle { width, height }))
        },
    },
    ProfileWord {
        key: key("circle", Kind::Number, "A full circle: its radius.").unit("m"),
        make: |fields, word, scope| {
            Ok(fields.number(word, scope)?.map(|radius| Profile::Circle { radius }))
        },
    },
    ProfileWord {
        key: key("tube", Kind::Numbers(2), "A circular tube: outer and inner radius.").unit("m"),
        make: |fields, word, scope| {
            let radii = Numbers::<2>::read(fields, word, scope)?;
            Ok(radii.map(|[outer, inner]| Profile::Tube { outer, inner }))
        },
    },
    ProfileWord {
        key: key("i", Thin::KIND, "Two flanges and a web."),
        make: |fields, word, scope| {
            let thin = <Thin as table::Value>::read(fields, word, scope)?;
            Ok(thin.map(|Thin { width, height, flange, web, .. }| Profile::I {
                width,
                height,
                flange,
                web,
            }))
        },
    },
    ProfileWord {
        key: key("box", Thin::KIND, "A hollow rectangle."),
        make: |fields, word, scope| {
            let thin = <Thin as table::Value>::read(fields, word, scope)?;
            Ok(thin.map(|Thin { width, height, flange, web, .. }| Profile::Box {
                width,
                height,
                flange,
                web,
            }))
        },
    },
];

fn profile(fields: &Fields, scope: &mut Scope) -> Result<Option<Profile>, ModelError> {
    match PROFILES.iter().find(|profile| fields.get(profile.key.name).is_some()) {
        Some(profile) => (profile.make)(fields, profile.key.name, scope),
        None => Ok(None),
    }
}

fn material(fields: &Fields, scope: &mut Scope) -> Result<Material, ModelError> {
    let Some(inner) = fields.inner("material") else {
        let error = ModelError::new(fields.place, format!("{} misses `material`", fields.path));
        let help = "add `material = { young = 210e9, poisson = 0.3, density = 7850 }`";
        return Err(error.with_help(help));
    };
    inner.refuse_together(&["poisson", "shear"])?;
    let young = inner.number("young", scope)?.unwrap_or_default();
    let density = inner.number("density", scope)?.unwrap_or_default();
    let material = match (inner.number("shear", scope)?, inner.number("poisson", scope)?) {
        (Some(shear), _) => Material::new(young, shear, density),
        (None, Some(poisson)) => Material::isotropic(young, poisson, density),
        (None, None) => {
            let message = format!("{} has neither `poisson` nor `shear`", inner.path);
            return Err(ModelError::new(inner.place, message).with_help("add `poisson = 0.3`"));
        }
    };
    material.map_err(|error| refused(inner.place, error))
}

/// A section by its matrices.
fn general(fields: &Fields, scope: &mut Scope) -> Result<Section, ModelError> {
    let matrix = |item: &Item, key: &str, scope: &mut Scope| -> Result<Matrix6<f64>, ModelError> {
        let Value::List(rows) = &item.value else { return Ok(Matrix6::zeros()) };
        if rows.len() != 6 {
            let message = format!("{} has {} rows", fields.at(key), rows.len());
            return Err(ModelError::new(&item.place, message).with_help("give six rows of six"));
        }
        let mut matrix = Matrix6::zeros();
        for (i, row) in rows.iter().enumerate() {
            for (j, value) in numbers(row, &fields.at(key), scope)?.into_iter().enumerate() {
                matrix[(i, j)] = value;
            }
        }
        Ok(matrix)
    };
    let stiffness = if let Some(item) = fields.get("stiffness") {
        let values = numbers(item, &fields.at("stiffness"), scope)?;
        Matrix6::from_diagonal(&Vector6::from_iterator(values))
    } else if let Some(item) = fields.get("stiffness_matrix") {
        matrix(item, "stiffness_matrix", scope)?
    } else {
        let error = ModelError::new(fields.place, format!("{} has no shape", fields.path));
        return Err(error.with_help(
            "add `rectangle = [0.02, 0.03]`, or `stiffness = [EA, GA_y, GA_z, GJ, EI_y, EI_z]`",
        ));
    };
    fields.refuse_together(&["mass", "mass_matrix"])?;
    fields.refuse_together(&["inertia", "mass_matrix"])?;
    if let Some(item) = fields.get("mass_matrix") {
        return Ok(Section::new(stiffness, matrix(item, "mass_matrix", scope)?));
    }
    let (Some(mass), Some(moments)) =
        (fields.not_negative("mass", scope)?, fields.vector("inertia", scope)?)
    else {
        let error = ModelError::new(fields.place, format!("{} has no mass", fields.path));
        return Err(error.with_help("add `mass` and `inertia` per length, or `mass_matrix`"));
    };
    let plain = Section::diagonal([1.0; 6], mass, moments);
    Ok(Section::new(stiffness, plain.mass))
}

fn loads(
    fields: &Fields,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Vec<Distributed>, ModelError> {
    let factor = match fields.function("load_factor", scope)? {
        Some(function) => Amplitude::Function(model.function(function).index()),
        None => Amplitude::Constant(1.0),
    };
    let mut loads = Vec::new();
    for (key, axes) in [("load", Axes::World), ("follower", Axes::Marker)] {
        if let Some(f) = fields.vector(key, scope)? {
            let per_length = Vector6::new(f.x, f.y, f.z, 0.0, 0.0, 0.0);
            loads.push(Distributed { per_length, axes, factor });
        }
    }
    if loads.is_empty() {
        fields.refuse(&["load_factor"], "it has no load")?;
    }
    Ok(loads)
}

const FORCES: [&str; 6] = ["n", "qy", "qz", "mx", "my", "mz"];
const STRAINS: [&str; 6] = ["stretch", "shear_y", "shear_z", "twist", "bend_y", "bend_z"];

/// The numbers of elements that a key lists, if it is given, and where it does.
pub(crate) fn element_numbers<'a>(
    fields: &Fields<'a>,
    key: &str,
    count: usize,
    scope: &mut Scope,
) -> Result<(&'a Place, Vec<usize>), ModelError> {
    let Some(item) = fields.get(key) else { return Ok((fields.place, Vec::new())) };
    let values = numbers(item, &fields.at(key), scope)?;
    if let Some(value) =
        values.iter().find(|value| value.fract() != 0.0 || !(1.0..=count as f64).contains(*value))
    {
        let message = format!("{}: there is no element {value}", fields.at(key));
        let help = format!("elements are numbered from 1 to {count}");
        return Err(ModelError::new(&item.place, message).with_help(help));
    }
    Ok((&item.place, values.iter().map(|value| *value as usize).collect()))
}

/// Sensors `NAME.n1`, `NAME.my1` and so on, with the number of the element.
fn read_sections(
    fields: &Fields,
    name: &str,
    laid: &LaidBeam,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let (place, numbers) = element_numbers(fields, "sections", laid.elements.len(), scope)?;
    for value in numbers {
        let beam = &laid.elements[value - 1];
        for k in 0..6 {
            let kinds =
                [(FORCES[k], SectionQuantity::Force(k)), (STRAINS[k], SectionQuantity::Strain(k))];
            for (word, quantity) in kinds {
                let sensor = format!("{name}.{word}{value}");
                let reading = SectionSensor::new(beam.clone(), quantity);
                model.sensor(&sensor, reading).map_err(|error| refused(place, error))?;
                scope.declare(&sensor, Kinds::VARIABLE);
            }
        }
    }
    Ok(())
}
