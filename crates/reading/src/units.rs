//! Units of the keys of mechanisms, for the book. All are SI; this table only says which.

use crate::keys::Kind;

/// Units of `section.key`, where they differ from those of the key elsewhere.
const IN_SECTION: &[(&str, &str)] = &[
    ("beam.damping", "s"),
    ("beam.from", "m"),
    ("beam.to", "m"),
    ("beam.stiffness", "N, N m²"),
    ("beam.stiffness_matrix", "N, N m, N m²"),
    ("beam.mass_matrix", "kg/m, kg, kg m"),
    ("beam.inertia", "kg m"),
    ("beam.mass", "kg/m"),
    ("bushing.stiffness", "N/m, N m/rad"),
    ("bushing.damping", "N s/m, N m s/rad"),
    ("bushing.preload", "N, N m"),
    ("contact.stiffness", "N/mⁿ"),
    ("contact.dissipation", "s/m"),
    ("coupling.radius", "m/rad"),
    ("joint.damping", "N s/m, N m s/rad"),
    ("joint.from", "m, rad"),
    ("joint.to", "m, rad"),
    ("joint.pitch", "m"),
    ("spring.table", "m, N"),
];

/// Units of keys that mean the same everywhere.
const EVERYWHERE: &[(&str, &str)] = &[
    ("angle", "rad"),
    ("angle_acceleration", "rad/s²"),
    ("angle_velocity", "rad/s"),
    ("angular_velocity", "rad/s"),
    ("at", "m"),
    ("ball", "m"),
    ("by", "rad"),
    ("centre", "m"),
    ("circle", "m"),
    ("creep", "m/s, rad/s"),
    ("curvature", "1/m"),
    ("curve", "m"),
    ("damping", "N s/m, N m s/rad"),
    ("density", "kg/m³"),
    ("displacement", "m"),
    ("displacement_acceleration", "m/s²"),
    ("displacement_velocity", "m/s"),
    ("filling", "m"),
    ("first", "rad"),
    ("first_acceleration", "rad/s²"),
    ("first_velocity", "rad/s"),
    ("flange", "m"),
    ("follower", "N/m"),
    ("force", "N"),
    ("free", "m, rad"),
    ("free_length", "m, rad"),
    ("gravity", "m/s²"),
    ("height", "m"),
    ("inertia", "kg m²"),
    ("law", "N, N m"),
    ("length", "m"),
    ("length_acceleration", "m/s²"),
    ("length_velocity", "m/s"),
    ("load", "N/m"),
    ("mass", "kg"),
    ("moment", "N m"),
    ("normal", "N"),
    ("points", "m"),
    ("preload", "N, N m"),
    ("radius", "m"),
    ("rectangle", "m"),
    ("second", "rad"),
    ("second_acceleration", "rad/s²"),
    ("second_velocity", "rad/s"),
    ("shear", "Pa"),
    ("size", "m"),
    ("stiffness", "N/m, N m/rad"),
    ("stribeck_velocity", "m/s, rad/s"),
    ("torque", "N m"),
    ("tube", "m"),
    ("velocity", "m/s"),
    ("viscous", "N s/m, N m s/rad"),
    ("web", "m"),
    ("width", "m"),
    ("world", "m"),
    ("x", "m"),
    ("x_acceleration", "m/s²"),
    ("x_velocity", "m/s"),
    ("y", "m"),
    ("y_acceleration", "m/s²"),
    ("y_velocity", "m/s"),
    ("young", "Pa"),
];

/// The unit of a key, empty if it has none: numbers and formulas only, not names and directions.
pub(crate) fn unit(section: &str, key: &str, kind: Kind) -> &'static str {
    let measured = matches!(
        kind,
        Kind::Number | Kind::Numbers(_) | Kind::Formula | Kind::Formulas | Kind::Points(_)
    ) || matches!(kind, Kind::Inertia | Kind::NumberOrTable(_));
    if !measured || matches!((section, key), ("sensor" | "state" | "controller", _)) {
        return "";
    }
    let path = format!("{section}.{key}");
    let found = IN_SECTION.iter().find(|(name, _)| *name == path);
    found.or_else(|| EVERYWHERE.iter().find(|(name, _)| *name == key)).map_or("", |(_, unit)| unit)
}

#[cfg(test)]
mod tests {
    use super::unit;
    use crate::keys::Kind;

    #[test]
    fn sections_go_before_names() {
        assert_eq!(unit("beam", "damping", Kind::Number), "s");
        assert_eq!(unit("spring", "damping", Kind::Number), "N s/m, N m s/rad");
        assert_eq!(unit("joint", "normal", Kind::Direction), "");
        assert_eq!(unit("joint", "normal", Kind::Number), "N");
    }
}
