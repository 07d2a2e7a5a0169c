//! Cross-sections of beams: by a shape and a material, or by matrices.

use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::reading::keys::{Key, Kind, join, key};
use crate::reading::{ModelError, Scope};
use crate::table::{
    self, File, Keys, NotNegative, Number, Numbers, Square, Value as _, Vector, table,
};
use nalgebra::{Matrix6, Vector6};
use rotula_mechanics::element::Section;
use rotula_mechanics::element::section::{Material, Profile};
use rotula_mechanics::import::{SectionsAlong, beamdyn, hawc2};
use std::path::Path;

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
    besides {
        /// A blade file of BeamDyn with stiffness and mass at stations, in the folder of the model; its x and y axes are our y and z.
        optional beamdyn: File;
        /// A structural file of HAWC2 with Timoshenko numbers or full matrices, in the folder of the model; its y axis is our y, its x axis points against our z.
        optional hawc2: File;
        /// With `hawc2`: numbers of the set and the subset. Default [1, 1].
        optional set: Numbers<2>;
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
    words.extend(["stiffness", "stiffness_matrix", "beamdyn", "hawc2"]);
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

pub(super) fn profile(fields: &Fields, scope: &mut Scope) -> Result<Option<Profile>, ModelError> {
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

/// The sections of a blade file, if one is named.
pub(super) fn blade_file(
    fields: &Fields,
    inner: &Fields,
    folder: &Path,
    scope: &mut Scope,
) -> Result<Option<SectionsAlong>, ModelError> {
    inner.refuse_together(&["beamdyn", "hawc2"])?;
    let Some((word, item)) =
        ["beamdyn", "hawc2"].into_iter().find_map(|word| Some((word, inner.get(word)?)))
    else {
        inner.refuse(&["set"], "only files of `hawc2` have sets")?;
        return Ok(None);
    };
    let why = "the blade file says how stiff and heavy sections are";
    fields.refuse(&["material"], why)?;
    let own: &[&str] = if word == "hawc2" { &["hawc2", "set"] } else { &["beamdyn"] };
    let others = SectionKeys::KEYS.iter().map(|key| key.name).filter(|name| !own.contains(name));
    inner.refuse(&others.collect::<Vec<_>>(), why)?;
    let name = item.text().unwrap_or_default();
    let path = folder.join(name);
    let text = rotula_files::read_to_string(&path).map_err(|error| {
        ModelError::new(&item.place, format!("{} cannot be read: {error}", path.display()))
            .with_help("name a blade file from the folder of the model")
    })?;
    let read = match word {
        "hawc2" => hawc2::read(&text, name, set(inner, scope)?),
        _ => beamdyn::read(&text, name),
    };
    read.map(Some).map_err(|error| {
        ModelError::new(&item.place, error.to_string()).with_help("correct the blade file")
    })
}

/// Which set and subset of a structural file of HAWC2 is meant.
fn set(inner: &Fields, scope: &mut Scope) -> Result<[usize; 2], ModelError> {
    let set = Numbers::<2>::read(inner, "set", scope)?.unwrap_or([1.0, 1.0]);
    if set.iter().any(|number| number.fract() != 0.0 || !(1.0..=1e6).contains(number)) {
        let error = fault_at(inner, "set", format!("{} is {set:?}", inner.at("set")));
        return Err(error.with_help("give two whole numbers, such as [1, 1]"));
    }
    Ok(set.map(|number| number as usize))
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
