//! `[road.NAME]`: what tyres roll on.

use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::places::Names;
use crate::reading::{Item, Kinds, ModelError, Scope, Table, did_you_mean};
use crate::table::{File, Formula, Name, Positive, table};
use rotula_formula::{Graph, names_in};
use rotula_lie::Frame;
use rotula_mechanics::force::tyre::Road;
use rotula_mechanics::shape::Mesh;
use rotula_mechanics::{GROUND, Marker, Model};
use std::path::{Path, PathBuf};

table! {
    /// A road.
    RoadWords {
        /// The body or frame that carries it; its plane is x y of the frame, z is up. Default the ground.
        optional on: Name;
        /// Height over the plane, a formula of `x` and `y` that may call tables, as in "bumps(x)". Default none: a plane.
        optional height: Formula, "m";
        /// A surface instead of a height: an STL or OBJ file, named from the folder of the model, in the axes of its plane. Where it lies above itself, its top.
        optional mesh: File;
        /// Metres per unit of the mesh. Default 1.
        optional scale: Positive;
        /// Distance of the points at which the mesh is measured, between which a spline leads. Default a hundredth of its longer side.
        optional grid: Positive, "m";
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
    near: &dyn Fn(&Fields) -> PathBuf,
    (names, model): (&Names, &Model),
    scope: &mut Scope,
) -> Result<Roads, ModelError> {
    let mut roads = Vec::new();
    for entry in document.section("road") {
        let Some(fields) = Fields::of("road", entry) else { continue };
        fields.refuse_together(&["height", "mesh"])?;
        let RoadWords { on, height, mesh, scale, grid, .. } =
            RoadWords::read(fields.clone(), scope)?;
        if mesh.is_none() {
            fields.refuse(&["scale", "grid"], "only a mesh has them")?;
        }
        let marker = match on {
            Some(on) => names.marker(on, model)?,
            None => Marker { node: GROUND.node(), frame: Frame::identity() },
        };
        let road = match (height, mesh) {
            (None, None) => Road::plane(marker),
            (None, Some(item)) => {
                surface(&fields, item, (marker, &near(&fields)), (scale.unwrap_or(1.0), grid))?
            }
            (Some(item), _) => {
                let text = formula(item, &fields.at("height"), &["x", "y"], scope)?;
                Road::formula(marker, &text, scope.graph.tables())
                    .map_err(|error| refused(&item.place, error))?
            }
        };
        roads.push((entry.key.clone(), road));
    }
    Ok(Roads(roads))
}

/// A road along the top of a mesh.
fn surface(
    fields: &Fields,
    item: &Item,
    (marker, folder): (Marker, &Path),
    (scale, grid): (f64, Option<f64>),
) -> Result<Road, ModelError> {
    let mesh = Mesh::read(folder.join(item.text().unwrap_or_default()), scale)
        .map_err(|error| refused(&item.place, error))?;
    let table = mesh.heights_over_a_grid(grid).map_err(|what| {
        let key = if grid.is_some() { "grid" } else { "mesh" };
        fault_at(fields, key, format!("{}: {what}", fields.path))
            .with_help("give a surface that covers a rectangle, and a `grid` that is neither too fine nor wider than it")
    })?;
    let mut graph = Graph::new();
    graph.add_table("surface", table);
    Road::formula(marker, "surface(x, y)", graph.tables())
        .map_err(|error| refused(&item.place, error))
}

/// A formula of parameters and the places `own` of a surface, with the parameters replaced by their values.
pub(crate) fn formula(
    item: &Item,
    path: &str,
    own: &[&str],
    scope: &mut Scope,
) -> Result<String, ModelError> {
    let own: Vec<_> = own.iter().map(|name| (*name, Kinds::TIME)).collect();
    let (expression, _) = scope.with_symbols(&own, |scope| scope.parse(item, path, Kinds::TIME))?;
    let text = scope.graph.display(expression);
    if names_in(&text).unwrap_or_default().iter().any(|(name, _)| name == "t") {
        let error = ModelError::new(&item.place, format!("{path} depends on the time `t`"));
        return Err(error.with_help("a surface is fixed to its body: let the body move"));
    }
    Ok(text)
}
