//! `[table.NAME]`: functions through points, which formulas call by name.

use crate::reading::columns::Column;
use crate::reading::document::{Entry, Item, Table, Value};
use crate::reading::error::ModelError;
use crate::reading::keys::{Key, Kind, key};
use crate::reading::scope::Scope;
use crate::reading::sheet::Sheet;
use crate::reading::source::Place;
use rotula_formula::{Axis, Beyond, FormulaError, Interpolation, Tabulated, function_names};
use std::path::Path;

/// What a table may have.
pub const TABLE: [Key; 10] = [
    key("x", Kind::List, "Where its points are, in increasing order."),
    key(
        "y",
        Kind::List,
        "Its values, one for each x; beside `z` where its points are along the second argument.",
    ),
    key(
        "z",
        Kind::Rows,
        "Values of a table of two arguments: a row for every x, with a number for every y.",
    ),
    key("points", Kind::Points(2), "Its points [x, y], instead of `x` and `y`."),
    key(
        "file",
        Kind::Text,
        "A file of columns, a text (CSV) or Parquet, named from the folder of the model, instead of points.",
    ),
    key(
        "columns",
        Kind::Names,
        "Which columns of the file are x and y, and z of a table of two arguments: their names, or their numbers from 1 if the file gives no names. Default the first two.",
    ),
    Key {
        default: "linear",
        ..key(
            "interpolation",
            Kind::Word(&["linear", "monotone", "spline"]),
            "How points are joined: by lines; by cubics with a continuous slope that never overshoot; by cubics with continuous slope and curvature, which motions need.",
        )
    },
    Key {
        default: "false",
        ..key(
            "periodic",
            Kind::Boolean,
            "Whether it repeats itself; its last point is then the first one a period later. Of a table of two arguments the first.",
        )
    },
    Key {
        default: "refuse",
        ..key(
            "beyond",
            Kind::Word(&["hold", "extend", "refuse"]),
            "What it is beyond its ends: the value there, a line with the slope there, or nothing, which stops a run that goes there.",
        )
    },
    key("description", Kind::Text, "What it is."),
];

/// Reads all tables into the scope; files lie in the folder.
pub fn tables(document: &Table, folder: &Path, scope: &mut Scope) -> Result<(), ModelError> {
    for entry in document.section("table") {
        if function_names().any(|name| name == entry.key) {
            let message = format!("`{}` is a function of the formula language", entry.key);
            return Err(ModelError::new(&entry.place, message).with_help("choose another name"));
        }
        if let Value::Table(fields) = &entry.item.value {
            let table = Reader { entry, fields, folder }.read(scope)?;
            scope.graph.add_table(&entry.key, table);
        }
    }
    Ok(())
}

struct Reader<'a> {
    entry: &'a Entry,
    fields: &'a Table,
    folder: &'a Path,
}

impl Reader<'_> {
    fn read(&self, scope: &mut Scope) -> Result<Tabulated, ModelError> {
        let word = |key: &str| self.fields.get(key).and_then(Item::text);
        let periodic = matches!(
            self.fields.get("periodic").map(|item| &item.value),
            Some(Value::Boolean(true))
        );
        if periodic && let Some(entry) = self.fields.entry("beyond") {
            let message = format!("{}: a periodic table has no ends", self.path());
            return Err(ModelError::new(&entry.place, message)
                .with_help("leave `beyond` or `periodic` out"));
        }
        let beyond = match word("beyond") {
            Some("hold") => Beyond::Hold,
            Some("extend") => Beyond::Extend,
            _ => Beyond::Refuse,
        };
        let first = if periodic { Beyond::Repeat } else { beyond };
        let interpolation = match word("interpolation") {
            Some("monotone") => Interpolation::Monotone,
            Some("spline") => Interpolation::Spline,
            _ => Interpolation::Linear,
        };
        match self.points(scope)? {
            Points::Curve(x, y) => {
                let axis = self.axis(&x, first)?;
                self.same_length(&x, &y)?;
                let made = Tabulated::curve(axis, &y.values, interpolation);
                made.map_err(|error| self.refused(error, &y.places))
            }
            Points::Grid(x, y, rows, places) => {
                if let (Interpolation::Monotone, Some(item)) =
                    (interpolation, self.fields.get("interpolation"))
                {
                    let message =
                        format!("{}: a table of two arguments cannot be monotone", self.path());
                    return Err(ModelError::new(&item.place, message)
                        .with_help("write \"linear\" or \"spline\""));
                }
                let (along, across) = (self.axis(&x, first)?, self.axis(&y, beyond)?);
                let made = Tabulated::grid(along, across, &rows, interpolation);
                made.map_err(|error| self.refused(error, &places))
            }
        }
    }

    fn path(&self) -> String {
        format!("table.{}", self.entry.key)
    }

    /// The points, wherever they are given.
    fn points(&self, scope: &mut Scope) -> Result<Points, ModelError> {
        let sources = ["file", "points", "x"];
        let mut given =
            self.fields.entries.iter().filter(|entry| sources.contains(&entry.key.as_str()));
        let (first, second) = (given.next(), given.next());
        if let (Some(first), Some(second)) = (first, second) {
            let message =
                format!("{}: `{}` and `{}` exclude each other", self.path(), first.key, second.key);
            return Err(ModelError::new(&second.place, message).with_help("keep one of them"));
        }
        if let Some(file) = self.fields.get("file") {
            self.refuse(&["y", "z"], "the file has the numbers")?;
            return self.read_file(file);
        }
        self.refuse(&["columns"], "only files have columns")?;
        if let Some(Item { value: Value::List(points), .. }) = self.fields.get("points") {
            self.refuse(&["y", "z"], "the points have two numbers each")?;
            let mut columns = [0, 1].map(|_| Column { values: Vec::new(), places: Vec::new() });
            for point in points {
                let Value::List(pair) = &point.value else { continue };
                for (item, column) in pair.iter().zip(&mut columns) {
                    column.values.push(scope.constant(item, &format!("{}.points", self.path()))?);
                    column.places.push(item.place.clone());
                }
            }
            let [x, y] = columns;
            return Ok(Points::Curve(x, y));
        }
        let (x, y) = (self.list("x", scope)?, self.list("y", scope)?);
        let Some(Item { value: Value::List(items), place }) = self.fields.get("z") else {
            return Ok(Points::Curve(x, y));
        };
        if items.len() != x.values.len() {
            let message =
                format!("{}.z has {} rows for {} x", self.path(), items.len(), x.values.len());
            return Err(ModelError::new(place, message).with_help("give a row for every x"));
        }
        let (mut rows, mut places) = (Vec::new(), Vec::new());
        for item in items {
            let row = column(item, &format!("{}.z", self.path()), scope)?;
            if row.values.len() != y.values.len() {
                let message = format!(
                    "a row of {}.z has {} numbers for {} y",
                    self.path(),
                    row.values.len(),
                    y.values.len()
                );
                return Err(ModelError::new(&item.place, message)
                    .with_help("give every row a number for every y"));
            }
            rows.push(row.values);
            places.extend(row.places);
        }
        Ok(Points::Grid(x, y, rows, places))
    }

    fn list(&self, name: &str, scope: &mut Scope) -> Result<Column, ModelError> {
        let Some(item) = self.fields.get(name) else {
            let message = format!("table `{}` misses `{name}`", self.entry.key);
            let help = match name {
                "x" => "add `x = […]` and `y = […]`, `points = [[x, y], …]`, or `file = \"….csv\"`",
                _ => "add `y = […]`, a value for each x",
            };
            return Err(ModelError::new(&self.entry.place, message).with_help(help));
        };
        column(item, &format!("{}.{name}", self.path()), scope)
    }

    fn refuse(&self, keys: &[&str], why: &str) -> Result<(), ModelError> {
        match self.fields.entries.iter().find(|entry| keys.contains(&entry.key.as_str())) {
            Some(entry) => {
                let message = format!("{}: {why}, so `{}` means nothing", self.path(), entry.key);
                Err(ModelError::new(&entry.place, message).with_help("remove it"))
            }
            None => Ok(()),
        }
    }

    fn read_file(&self, file: &Item) -> Result<Points, ModelError> {
        let path = self.folder.join(file.text().unwrap_or_default());
        let columns = Sheet::read(&path, file)?;
        let mut chosen = Vec::new();
        match self.fields.get("columns") {
            Some(item @ Item { value: Value::List(names), .. }) => {
                if !(2..=3).contains(&names.len()) {
                    let message = format!(
                        "{}.columns must have two or three names, but has {}",
                        self.path(),
                        names.len()
                    );
                    return Err(ModelError::new(&item.place, message)
                        .with_help("name the columns of x and y, and z for two arguments"));
                }
                for name in names {
                    let found = columns.find(name.text().unwrap_or_default());
                    chosen.push(found.map_err(|(message, help)| {
                        ModelError::new(&name.place, message).with_help(help)
                    })?);
                }
            }
            _ if columns.width() < 2 => {
                let message = format!("{} has one column only", path.display());
                return Err(ModelError::new(&file.place, message)
                    .with_help("a table needs a column of x and one of y"));
            }
            _ => chosen.extend([0, 1]),
        }
        let mut read = chosen.into_iter().map(|index| columns.column(index));
        let mut next =
            || read.next().unwrap_or(Ok(Column { values: Vec::new(), places: Vec::new() }));
        let (x, y, z) = (next()?, next()?, next()?);
        if z.values.is_empty() { Ok(Points::Curve(x, y)) } else { self.gridded(file, x, y, z) }
    }

    /// Rows x, y, z in any order, one for every pair of an x and a y.
    fn gridded(&self, file: &Item, x: Column, y: Column, z: Column) -> Result<Points, ModelError> {
        let distinct = |column: &Column| {
            let mut sorted = column.values.clone();
            sorted.sort_by(f64::total_cmp);
            sorted.dedup();
            sorted
        };
        let (along, across) = (distinct(&x), distinct(&y));
        let mut rows = vec![vec![f64::NAN; across.len()]; along.len()];
        let mut places = vec![file.place.clone(); along.len() * across.len()];
        for (k, value) in z.values.iter().enumerate() {
            let i = along.partition_point(|other| *other < x.values[k]);
            let j = across.partition_point(|other| *other < y.values[k]);
            if !rows[i][j].is_nan() {
                let message = format!("x = {} and y = {} come twice", x.values[k], y.values[k]);
                return Err(ModelError::new(&x.places[k], message)
                    .with_help("give a row for every pair of an x and a y, once"));
            }
            rows[i][j] = *value;
            places[i * across.len() + j] = z.places[k].clone();
        }
        for (i, row) in rows.iter().enumerate() {
            if let Some(j) = row.iter().position(|value| value.is_nan()) {
                let message = format!(
                    "{}: the file has no row for x = {} and y = {}",
                    self.path(),
                    along[i],
                    across[j]
                );
                return Err(ModelError::new(&file.place, message)
                    .with_help("give a row for every pair of an x and a y"));
            }
        }
        let whole =
            |values: Vec<f64>| Column { places: vec![file.place.clone(); values.len()], values };
        Ok(Points::Grid(whole(along), whole(across), rows, places))
    }

    fn axis(&self, column: &Column, beyond: Beyond) -> Result<Axis, ModelError> {
        let axis = Axis::new(column.values.clone(), beyond);
        axis.map_err(|error| self.refused(error, &column.places))
    }

    fn same_length(&self, x: &Column, y: &Column) -> Result<(), ModelError> {
        let (given, wanted) = (y.values.len(), x.values.len());
        if given == wanted {
            return Ok(());
        }
        let place = self.fields.get("y").map_or(&self.entry.place, |item| &item.place);
        let message = format!("{}.y has {given} numbers for {wanted} x", self.path());
        Err(ModelError::new(place, message).with_help("give a value for each x"))
    }

    /// What is wrong with points, at the point.
    fn refused(&self, error: FormulaError, places: &[Place]) -> ModelError {
        let point = match &error {
            FormulaError::Table { point, .. } => *point,
            _ => 0,
        };
        let place = places.get(point).unwrap_or(&self.entry.place);
        let fault = ModelError::new(place, format!("{}: {error}", self.path()));
        match error.help() {
            Some(help) => fault.with_help(help),
            None => fault,
        }
    }
}

enum Points {
    Curve(Column, Column),
    /// Both axes, the rows, and where each of their numbers stands.
    Grid(Column, Column, Vec<Vec<f64>>, Vec<Place>),
}

/// A list of numbers or formulas of parameters.
fn column(item: &Item, path: &str, scope: &mut Scope) -> Result<Column, ModelError> {
    let mut column = Column { values: Vec::new(), places: Vec::new() };
    if let Value::List(items) = &item.value {
        for item in items {
            column.values.push(scope.constant(item, path)?);
            column.places.push(item.place.clone());
        }
    }
    Ok(column)
}

/// Why accelerations that follow from a table mean little, if they do: `order` derivatives of it are taken.
pub fn doubtful_derivatives(name: &str, table: &Tabulated, order: usize) -> Option<String> {
    /// Second differences that change sign more often than this are noise: white noise does at 73 % of its points.
    const ROUGH: f64 = 0.5;
    /// Fewer points than this tell nothing.
    const FEW: usize = 12;
    let smooth = match table.interpolation() {
        Interpolation::Linear => 0,
        Interpolation::Monotone => 1,
        Interpolation::Spline => 2,
    };
    if smooth == 0 && order == 2 {
        return Some(format!(
            "`{name}` is joined by lines, so that velocities jump at each of its points and accelerations there are \
             undefined; give the table interpolation = \"spline\""
        ));
    }
    if smooth < order {
        return Some(format!(
            "`{name}` is not smooth enough, so that accelerations jump at each of its points; give the table \
             interpolation = \"spline\""
        ));
    }
    if table.arguments() == 1 && table.x().points().len() >= FEW && table.roughness() > ROUGH {
        return Some(format!(
            "the second differences of `{name}` change their sign at {:.0} % of its points, as those of noise do, so that \
             accelerations that follow from it mean nothing; smooth its data before",
            100.0 * table.roughness()
        ));
    }
    None
}
