//! What is read of sections: forces and strains of chosen elements.

use crate::fault::refused;
use crate::fields::{Fields, numbers};
use crate::reading::{Kinds, ModelError, Place, Scope};
use rotula_mechanics::Model;
use rotula_mechanics::element::LaidBeam;
use rotula_mechanics::sensor::{SectionQuantity, SectionSensor};

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
pub(super) fn read_sections(
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
