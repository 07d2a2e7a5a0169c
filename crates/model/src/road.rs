//! `[road.NAME]`: what tyres roll on.

use crate::fault::refused;
use crate::fields::Fields;
use crate::places::Names;
use crate::table::{Formula, Name, table};
use rotula_formula::names_in;
use rotula_lie::Frame;
use rotula_mechanics::force::tyre::Road;
use rotula_mechanics::{GROUND, Marker, Model};
use rotula_reading::{Item, Kinds, ModelError, Scope, Table, did_you_mean};

table! {
    /// A road.
    RoadWords {
        /// The body or frame that carries it; its plane is x y of the frame, z is up. Default the ground.
        optional on: Name;
        /// Height over the plane, a formula of `x` and `y` that may call tables, as in "bumps(x)". Default none: a plane.
        optional height: Formula, "m";
    }
}

/// The roads of a file by name.
pub(crate) struct Roads(Vec<(String, Road)>);

impl Roads {
    /// The road of a name; without one the only road, or the plane z = 0 of the ground.
    pub(crate) fn find(&self, item: Option<&Item>) -> Result<Road, ModelError> {
        let Some(item) = item else {
            return Ok(match self.0.as_slice() {
                [(_, only)] => only.clone(),
                _ => Road::plane(Marker { node: GROUND.node(), frame: Frame::identity() }),
            });
        };
        let name = item.text().unwrap_or_default();
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, road)| road.clone()).ok_or_else(|| {
            let known: Vec<&str> = self.0.iter().map(|(known, _)| known.as_str()).collect();
            let error = ModelError::new(&item.place, format!("there is no road `{name}`"));
            error.with_help(match known.is_empty() {
                true => "add `[road.NAME]`, or leave `road` out: the road is then the plane z = 0"
                    .into(),
                false => did_you_mean(name, known),
            })
        })
    }
}

/// Reads all roads.
pub(crate) fn roads(
    document: &Table,
    names: &Names,
    model: &Model,
    scope: &mut Scope,
) -> Result<Roads, ModelError> {
    let mut roads = Vec::new();
    for entry in document.section("road") {
        let Some(fields) = Fields::of("road", entry) else { continue };
        let RoadWords { on, height, .. } = RoadWords::read(fields.clone(), scope)?;
        let marker = match on {
            Some(on) => names.marker(on, model)?,
            None => Marker { node: GROUND.node(), frame: Frame::identity() },
        };
        let road = match height {
            None => Road::plane(marker),
            Some(item) => {
                let text = formula(item, &fields.at("height"), scope)?;
                Road::formula(marker, &text, scope.graph.tables())
                    .map_err(|error| refused(&item.place, error))?
            }
        };
        roads.push((entry.key.clone(), road));
    }
    Ok(Roads(roads))
}

/// A formula of parameters, `x` and `y`, with the parameters replaced by their values.
fn formula(item: &Item, path: &str, scope: &mut Scope) -> Result<String, ModelError> {
    let own = [("x", Kinds::TIME), ("y", Kinds::TIME)];
    let (expression, _) = scope.with_symbols(&own, |scope| scope.parse(item, path, Kinds::TIME))?;
    let text = scope.graph.display(expression);
    if names_in(&text).unwrap_or_default().iter().any(|(name, _)| name == "t") {
        let error = ModelError::new(&item.place, format!("{path} depends on the time `t`"));
        return Err(error.with_help("a road is fixed to its body: let the body move"));
    }
    Ok(text)
}
