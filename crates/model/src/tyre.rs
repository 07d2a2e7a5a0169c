//! `[tyre.NAME]`: a tyre of a wheel on a road.

use crate::fault::refused;
use crate::fields::Fields;
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::{Item, Kinds, ModelError, Scope};
use crate::road::Roads;
use crate::table::{Boolean, Direction, File, Name, NotNegative, Numbers, Positive, table, words};
use nalgebra::Vector3;
use rotula_mechanics::Model;
use rotula_mechanics::force::tyre::{Brush, Characteristics, Tyre};
use rotula_mechanics::import::tir;
use std::path::Path;

words! {
    /// On which side of a car a tyre is.
    Hand { Left = "left", Right = "right" }
}

table! {
    /// The brush model.
    BrushWords {
        /// Free radius.
        needed radius: Positive, "m";
        /// Vertical stiffness.
        needed stiffness: Positive, "N/m";
        /// Vertical damping.
        usual damping: NotNegative = 0.0, "N s/m";
        /// Coefficient of friction.
        usual friction: Positive = 1.0;
        /// Slip stiffness over load: slope of the longitudinal force by the slip.
        usual longitudinal: Positive = 20.0;
        /// Cornering stiffness over load: slope of the lateral force by the slip angle.
        usual cornering: Positive = 15.0, "1/rad";
        /// Half the length of the contact patch. Default a quarter of the radius.
        optional half_length: Positive, "m";
        /// Relaxation lengths along and across. Default a half of the radius and the radius.
        optional relaxation: Numbers<2>, "m";
        /// Rolling resistance over load.
        usual rolling_resistance: NotNegative = 0.0;
    }
}

table! {
    /// A tyre.
    TyreWords {
        /// The wheel, a body or frame that turns about its axle.
        needed wheel: Name;
        /// The axle in the axes of the wheel. It points to the left when the wheel rolls forward. Default y.
        optional axle: Direction;
        /// The road, `[road.NAME]`. Default the only one, or the plane z = 0.
        optional road: Name;
        /// A tyre property file (.tir) with the Magic Formula 5.2 or 6.1, in the folder of the model.
        optional file: File;
        /// The brush model, instead of a file.
        optional brush: BrushWords<'static>;
        /// Whether forces follow slips after a way of rolling, the relaxation length. Without, they do at once.
        usual relaxation: Boolean = true;
        /// Friction of the road as a factor.
        usual friction: Positive = 1.0;
        /// Inflation pressure, instead of that of the file.
        optional pressure: Positive, "Pa";
        /// The side of the car, if the file is for one side; on the other one the tyre is mirrored. Default the side of the file.
        optional side: Hand;
    }
}

/// Names of the states of a tyre.
fn states(name: &str) -> [String; 2] {
    ["shear_x", "shear_y"].map(|word| format!("{name}.{word}"))
}

/// Adds the states of a tyre that relaxes, so that formulas may use them.
pub(crate) fn relaxation(
    fields: &Fields,
    name: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    if fields.boolean("relaxation") == Some(false) {
        return Ok(());
    }
    for (state, rate) in states(name).iter().zip(Tyre::RATES) {
        let added = model.state(state, 0.0, &format!("{name}.{rate}"));
        added.map_err(|error| refused(fields.place, error))?;
        scope.declare(state, Kinds::STATE);
    }
    Ok(())
}

/// Reads a tyre.
pub(crate) fn tyre(
    fields: &Fields,
    name: &str,
    folder: &Path,
    (roads, names): (&Roads, &Names),
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    fields.refuse_together(&["file", "brush"])?;
    let given = TyreWords::read(fields.clone(), scope)?;
    let road = roads.find(given.road)?;
    let wheel = names.marker(given.wheel, model)?;
    let own = Placed::in_axes_of(fields.place, given.wheel.text().unwrap_or_default());
    // a spin axis keeps its sense in a mirror
    let axle = own.axial(given.axle.unwrap_or(Vector3::y()));
    let (characteristics, right) = match (given.file, given.brush) {
        (Some(file), _) => {
            let mut tyre = property_file(file, folder)?.with_friction(given.friction);
            if let Some(pressure) = given.pressure {
                tyre = tyre.with_pressure(pressure);
            }
            let right = tyre.right;
            (Characteristics::Magic(Box::new(tyre)), right)
        }
        (None, Some(brush)) => {
            fields.refuse(&["pressure", "side"], "the brush model knows none")?;
            let place = brush.fields.place;
            let radius = brush.radius;
            let made = Brush {
                radius,
                stiffness: brush.stiffness,
                damping: brush.damping,
                friction: brush.friction * given.friction,
                longitudinal: brush.longitudinal,
                cornering: brush.cornering,
                half_length: brush.half_length.unwrap_or(radius / 4.0),
                relaxation: brush.relaxation.unwrap_or([radius / 2.0, radius]),
                rolling_resistance: brush.rolling_resistance,
            };
            let made = made.checked().map_err(|error| refused(place, error))?;
            (Characteristics::Brush(made), false)
        }
        (None, None) => {
            let error =
                ModelError::new(fields.place, format!("{} has no characteristics", fields.path));
            return Err(error.with_help(
                "add `file = \"NAME.tir\"`, or `brush = { radius = 0.3, stiffness = 2e5 }`",
            ));
        }
    };
    let mounted = given.side.map_or(right, |side| side == Hand::Right);
    let mirrored = (mounted != right) != Placed::of(fields.place).mirrored();
    let tyre = Tyre::new(road, wheel, axle, characteristics);
    let mut tyre = tyre.map_err(|error| refused(fields.place, error))?.mirrored(mirrored);
    if given.relaxation {
        let wrong = |error| refused(fields.place, error);
        let [along, across] = states(name);
        tyre = tyre
            .relaxing(model.signal(&along).map_err(wrong)?, model.signal(&across).map_err(wrong)?);
    }
    model.force(name, tyre).map_err(|error| refused(fields.place, error))
}

fn property_file(
    item: &Item,
    folder: &Path,
) -> Result<rotula_mechanics::force::tyre::MagicFormula, ModelError> {
    let name = item.text().unwrap_or_default();
    let path = folder.join(name);
    let text = rotula_files::read_to_string(&path).map_err(|error| {
        ModelError::new(&item.place, format!("{} cannot be read: {error}", path.display()))
            .with_help("name a tyre property file (.tir) from the folder of the model")
    })?;
    tir::read(&text, name).map_err(|error| {
        let help = error.refusal.help.clone().unwrap_or_else(|| "correct the file".into());
        ModelError::new(&item.place, error.message()).with_help(help)
    })
}
