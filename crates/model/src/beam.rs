//! `[beam.NAME]`: a geometrically exact beam; its ends are bodies `NAME.start` and `NAME.end`.

use crate::fault::{fault_at, refused};
use crate::fields::{Fields, numbers};
use crate::placed::Placed;
use crate::places::Names;
use crate::table::{
    self, Count, Direction, Function, Inner, Keys, List, Name, NotNegative, Number, Numbers,
    Square, Text, Value as _, Vector, table, words,
};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_lie::Frame;
use rotula_mechanics::Model;
use rotula_mechanics::element::section::{Material, Profile};
use rotula_mechanics::element::{BeamLine, Distributed, LaidBeam, MassKind, Section};
use rotula_mechanics::force::{Amplitude, Axes};
use rotula_mechanics::picture::{Cut, Outline};
use rotula_mechanics::sensor::{SectionQuantity, SectionSensor};
use rotula_reading::keys::{Key, Kind, join, key};
use rotula_reading::{Item, Kinds, ModelError, Place, Scope};

words! {
    /// Where a beam or the frame of a flexible body moves.
    Moves { Spatial = "spatial", Planar = "planar" }
}

words! {
    /// Where the mass of a beam is.
    MassWord { Consistent = "consistent", Lumped = "lumped" }
}

table! {
    /// A beam.
    BeamWords {
        /// Where it begins at the start. Default zero.
        optional from: Vector, "m";
        /// Where it ends; or give `along` and `length`.
        optional to: Vector, "m";
        /// Where it points at its beginning, with `length`.
        optional along: Direction;
        /// Its length along `along`, or along its curve.
        optional length: Number, "m";
        /// Twist and curvatures about y and z per length, free of stress; with `length`.
        optional curvature: Vector, "1/m";
        /// Where the z axis of the sections points. Default "z", or "x".
        optional up: Direction;
        /// Moves in space (default), or in a plane only, which is much faster.
        optional kind: Moves;
        /// Planar only: normal of the plane, the z axis of the sections. Default "z".
        optional normal: Direction;
        /// Number of elements.
        usual elements: Count = 8;
        /// Nodes of each element: 2, 3 or 4.
        usual nodes: Count = 2;
        /// The cross-section.
        needed section: Inner<SectionKeys>;
        /// What it is made of, for sections with a shape.
        optional material: MaterialWords<'static>;
        /// Damping over stiffness of the sections.
        usual damping: NotNegative = 0.0, "s";
        /// Mass of every section, or put into the nodes. Default consistent.
        optional mass: MassWord;
        /// A body that its beginning is fixed to; default none.
        optional start: Name;
        /// A body that its end is fixed to; default none.
        optional end: Name;
        /// Force per length that keeps its direction, world axes.
        optional load: Vector, "N/m";
        /// A function of time by which the loads are multiplied.
        optional load_factor: Function;
        /// Force per length that follows the sections, section axes.
        optional follower: Vector, "N/m";
        /// Velocity of its beginning at the start, world axes.
        optional velocity: Vector, "m/s";
        /// Angular velocity at the start, world axes.
        optional angular_velocity: Vector, "rad/s";
    }
    besides {
        /// Numbers of elements whose section forces and strains are read, such as [1, 8].
        optional sections: List;
        /// Colour in pictures, such as "#3465a4" or "orange"; with two more digits also how opaque it is.
        optional colour: Text;
        /// How opaque it is in pictures, from 0, not seen, to 1. Default 1.
        optional opacity: Number;
        /// What it is.
        optional description: Text;
    }
}

/// Reads a beam and lays it.
pub(crate) fn beam(
    fields: &Fields,
    name: &str,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(LaidBeam, Cut), ModelError> {
    let given = BeamWords::read(fields.clone(), scope)?;
    let BeamWords { nodes: each, elements, .. } = given;
    if !(2..=4).contains(&each) {
        let error = fault_at(fields, "nodes", format!("{} is {each}", fields.at("nodes")));
        return Err(error.with_help("an element has 2, 3 or 4 nodes"));
    }
    let section = section(fields, &given.section, given.material.as_ref(), scope)?;
    let outline = profile(&given.section, scope)?.map(|profile| Outline::of(&profile));
    let cut = Cut {
        outline: outline.or_else(|| Outline::equivalent(&section.stiffness)),
        stiffness: section.stiffness,
        young: given.material.as_ref().map(|material| material.young),
        slack: false,
    };
    let mut line = line(&given, elements * (each - 1) + 1)?;
    line.planar = given.kind == Some(Moves::Planar);
    line = line.with_section(section.damped(given.damping)).with_nodes_per_element(each);
    line.mass = match given.mass {
        Some(MassWord::Lumped) => MassKind::Lumped,
        Some(MassWord::Consistent) | None => line.mass,
    };
    let end = |item: Option<&Item>| item.map(|item| names.body(item)).transpose();
    line.ends = [end(given.start)?, end(given.end)?];
    let placed = Placed::of(fields.place);
    line.moving = [
        placed.vector(given.velocity.unwrap_or_default()),
        placed.axial(given.angular_velocity.unwrap_or_default()),
    ];
    line.loads = loads(given, model)?;
    let laid = model.beam(name, &line).map_err(|error| refused(fields.place, error))?;
    names.add_line(name, &laid.nodes, line.ends.map(|end| end.is_some()), model);
    names.add_beam(name, &laid.nodes);
    read_sections(fields, name, &laid, model, scope)?;
    Ok((laid, cut))
}

/// Where it lies.
fn line(given: &BeamWords, nodes: usize) -> Result<BeamLine, ModelError> {
    let fields = &given.fields;
    fields.refuse_together(&["to", "length"])?;
    fields.refuse_together(&["to", "along"])?;
    fields.refuse_together(&["to", "curvature"])?;
    let from = given.from.unwrap_or_default();
    let (along, length) = match (given.to, given.along, given.length) {
        (Some(to), ..) => (to - from, (to - from).norm()),
        (None, Some(along), Some(length)) if length > 0.0 => (along * length, length),
        (None, Some(_), Some(length)) => {
            let message = format!("{} is {length} m", fields.at("length"));
            let error = fault_at(fields, "length", message);
            return Err(error.with_help("a length must be positive"));
        }
        (None, ..) => {
            let error = ModelError::new(fields.place, format!("{} has no end", fields.path));
            return Err(error.with_help("add `to = [x, y, z]`, or `along` and `length`"));
        }
    };
    let upright = along.cross(&Vector3::z()).norm() > 1e-6 * along.norm();
    let default = if upright { Vector3::z() } else { Vector3::x() };
    let planar = given.kind == Some(Moves::Planar);
    fields.refuse_together(&["up", "normal"])?;
    if !planar {
        fields.refuse(&["normal"], "only planar beams have a plane")?;
    }
    let up = given.up.or(given.normal).unwrap_or(default);
    if planar && up.dot(&along).abs() > 1e-9 * up.norm() * along.norm() {
        let key = if given.up.is_some() { "up" } else { "normal" };
        let message = format!("{}: a planar beam does not lie in its plane", fields.path);
        let error = fault_at(fields, key, message);
        return Err(error.with_help("the normal must be at right angles to the beam"));
    }
    let placed = Placed::of(fields.place);
    if placed.mirrored() {
        fields.refuse(
            &["curvature", "follower"],
            "section axes of a mirror image have another hand",
        )?;
    }
    let (from, along, up) = (placed.point(from), placed.vector(along), placed.vector(up));
    let straight = BeamLine::straight(from, from + along, up, nodes)
        .map_err(|error| refused(fields.place, error))?;
    let Some(k) = given.curvature else { return Ok(straight) };
    let strain = Vector6::new(1.0, 0.0, 0.0, k.x, k.y, k.z);
    let start: Frame = straight.frames[0];
    Ok(BeamLine::along(start, &strain, length, nodes))
}

/// A section by a shape, or by its matrices.
pub(crate) enum SectionKeys {}

impl Keys for SectionKeys {
    const KEYS: &'static [Key] =
        &join::<{ PROFILES.len() + Matrices::KEYS.len() }>(&PROFILE_KEYS, Matrices::KEYS);
}

table! {
    /// A section by its matrices.
    Matrices {
        /// Instead of a shape: EA, GA_y, GA_z, GJ, EI_y, EI_z, shear factors included.
        optional stiffness: Numbers<6>, "N, N m²";
        /// Instead of a shape: six rows of six numbers.
        optional stiffness_matrix: Square, "N, N m, N m²";
        /// With a stiffness: mass per length.
        optional mass: NotNegative, "kg/m";
        /// With a stiffness: moments of inertia per length, x, y, z.
        optional inertia: Vector, "kg m";
        /// With a stiffness: six rows of six numbers, per length.
        optional mass_matrix: Square, "kg/m, kg, kg m";
    }
}

table! {
    /// What a section is made of.
    MaterialWords {
        /// Young's modulus.
        needed young: Number, "Pa";
        /// Poisson's ratio; or give `shear`.
        optional poisson: Number;
        /// Shear modulus; or give `poisson`.
        optional shear: Number, "Pa";
        /// Mass per volume.
        needed density: Number, "kg/m³";
    }
}

/// The section of a beam, without damping.
pub(crate) fn section(
    fields: &Fields,
    inner: &Fields,
    made_of: Option<&MaterialWords>,
    scope: &mut Scope,
) -> Result<Section, ModelError> {
    let mut words: Vec<&str> = PROFILES.iter().map(|profile| profile.key.name).collect();
    words.extend(["stiffness", "stiffness_matrix"]);
    inner.refuse_together(&words)?;
    match profile(inner, scope)? {
        Some(profile) => {
            let why = "mass follows from shape and density";
            inner.refuse(&["mass", "inertia", "mass_matrix"], why)?;
            let material = material(fields, made_of)?;
            Section::of(&profile, &material).map_err(|error| refused(inner.place, error))
        }
        None => {
            fields.refuse(&["material"], "the section says how stiff and heavy it is")?;
            general(&Matrices::read(inner.clone(), scope)?)
        }
    }
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

/// The keys of the shapes.
const PROFILE_KEYS: [Key; PROFILES.len()] = {
    let mut keys = [key("", Kind::Text, ""); PROFILES.len()];
    let mut k = 0;
    while k < PROFILES.len() {
        keys[k] = PROFILES[k].key;
        k += 1;
    }
    keys
};

fn material(fields: &Fields, given: Option<&MaterialWords>) -> Result<Material, ModelError> {
    let Some(&MaterialWords { fields: ref inner, young, poisson, shear, density }) = given else {
        let error = ModelError::new(fields.place, format!("{} misses `material`", fields.path));
        let help = "add `material = { young = 210e9, poisson = 0.3, density = 7850 }`";
        return Err(error.with_help(help));
    };
    inner.refuse_together(&["poisson", "shear"])?;
    let material = match (shear, poisson) {
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
fn general(given: &Matrices) -> Result<Section, ModelError> {
    let fields = &given.fields;
    let diagonal = given.stiffness.map(|six| Matrix6::from_diagonal(&Vector6::from(six)));
    let Some(stiffness) = diagonal.or(given.stiffness_matrix) else {
        let error = ModelError::new(fields.place, format!("{} has no shape", fields.path));
        return Err(error.with_help(
            "add `rectangle = [0.02, 0.03]`, or `stiffness = [EA, GA_y, GA_z, GJ, EI_y, EI_z]`",
        ));
    };
    fields.refuse_together(&["mass", "mass_matrix"])?;
    fields.refuse_together(&["inertia", "mass_matrix"])?;
    match (given.mass_matrix, given.mass, given.inertia) {
        (Some(mass), ..) => Ok(Section::new(stiffness, mass)),
        (None, Some(mass), Some(moments)) => {
            let plain = Section::diagonal([1.0; 6], mass, moments);
            Ok(Section::new(stiffness, plain.mass))
        }
        (None, ..) => {
            let error = ModelError::new(fields.place, format!("{} has no mass", fields.path));
            Err(error.with_help("add `mass` and `inertia` per length, or `mass_matrix`"))
        }
    }
}

fn loads(given: BeamWords, model: &mut Model) -> Result<Vec<Distributed>, ModelError> {
    let factor = match given.load_factor {
        Some(function) => Amplitude::Function(model.function(function).index()),
        None => Amplitude::Constant(1.0),
    };
    let placed = Placed::of(given.fields.place);
    let loads =
        [(given.load.map(|load| placed.vector(load)), Axes::World), (given.follower, Axes::Marker)];
    let loads = loads.into_iter().filter_map(|(force, axes)| {
        let f = force?;
        let per_length = Vector6::new(f.x, f.y, f.z, 0.0, 0.0, 0.0);
        Some(Distributed { per_length, axes, factor })
    });
    let loads: Vec<_> = loads.collect();
    if loads.is_empty() {
        given.fields.refuse(&["load_factor"], "it has no load")?;
    }
    Ok(loads)
}

const FORCES: [(&str, &str); 6] =
    [("n", "N"), ("qy", "N"), ("qz", "N"), ("mx", "N m"), ("my", "N m"), ("mz", "N m")];
const STRAINS: [(&str, &str); 6] = [
    ("stretch", ""),
    ("shear_y", ""),
    ("shear_z", ""),
    ("twist", "rad/m"),
    ("bend_y", "rad/m"),
    ("bend_z", "rad/m"),
];

/// What is read of a section: words and units.
pub(crate) fn readings() -> impl Iterator<Item = (&'static str, &'static str)> {
    FORCES.into_iter().chain(STRAINS)
}

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
            for ((word, _), quantity) in kinds {
                let sensor = format!("{name}.{word}{value}");
                let reading = SectionSensor::new(beam.clone(), quantity);
                model.sensor(&sensor, reading).map_err(|error| refused(place, error))?;
                scope.declare(&sensor, Kinds::VARIABLE);
            }
        }
    }
    Ok(())
}
