//! The largest loads, reactions, stresses and displacements of a run, and when they occur.

use super::figures::Figure;
use crate::floors::Floors;
use crate::numbers::measured;
use crate::run::{Curves, Run};
use rotula_dae::Table;

/// Most sensors or outputs among the figures.
const SENSORS: usize = 8;
/// The group of which the ways from the start are told.
const PLACES: &str = "Positions of bodies";

/// A column, or three that are a vector.
struct Reading {
    name: String,
    first: usize,
    width: usize,
}

/// Largest values with their names and times: what was asked for first, then of every kind of load the largest.
pub(super) fn peaks(run: &Run, floors: &Floors) -> Vec<Figure> {
    let mut figures = own(run, floors, &run.extra.names, &run.extra.table);
    let mut groups: Vec<&Curves> = run.curves.iter().collect();
    groups.sort_by_key(|group| group.place);
    for group in groups {
        let Some(first) = group.names.first() else { continue };
        let unit = run.units.columns.get(first).map_or("", String::as_str);
        let way = group.title == PLACES;
        if group.place == 0 {
            figures.extend(own(run, floors, &group.names, &group.table));
        } else if way || matches!(unit, "N" | "N m" | "Pa") {
            let Some((reading, value, t)) = largest(run, group, way) else { continue };
            let label = match way {
                true => "Farthest from the start".to_owned(),
                false => format!("{}, largest", group.title),
            };
            let at = format!("{} at t = {}", reading.name, measured(t, &run.units.time));
            figures.push(figure(floors, label, (value, unit), at));
        }
    }
    figures
}

/// A value and what is said of it, unless it is zero but for rounding.
fn figure(floors: &Floors, label: String, (value, unit): (f64, &str), remark: String) -> Figure {
    match value.abs() < floors.get(unit) {
        true => Figure { label, value: measured(0.0, unit), remark: "but for rounding".into() },
        false => Figure { label, value: measured(value, unit), remark },
    }
}

/// The largest values of sensors or outputs, by name.
fn own(run: &Run, floors: &Floors, names: &[String], table: &Table) -> Vec<Figure> {
    let of_column = |(column, name): (usize, &String)| {
        let values = table.column(column).zip(&run.trajectory.times);
        let finite = values.filter(|(value, _)| value.is_finite());
        let (value, t) = finite.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))?;
        let unit = run.units.columns.get(name).map_or("", String::as_str);
        let remark = format!("largest, at t = {}", measured(*t, &run.units.time));
        Some(figure(floors, name.clone(), (value, unit), remark))
    };
    names.iter().enumerate().take(SENSORS).filter_map(of_column).collect()
}

/// The reading of a group that becomes largest, in magnitude or as the way from its start: its value and time.
fn largest(run: &Run, group: &Curves, way: bool) -> Option<(Reading, f64, f64)> {
    let mut best: Option<(Reading, f64, f64)> = None;
    let unit = |column: usize| run.units.columns.get(&group.names[column]);
    // a group may hold coordinates of several kinds
    let alike = |reading: &Reading| unit(reading.first) == unit(0);
    for reading in readings(&group.names).into_iter().filter(alike) {
        let part = |row: &[f64], k: usize| row[reading.first + k];
        let rows = run.trajectory.len();
        let start: Vec<f64> = match (way, rows) {
            (true, 1..) => group.table.row(0).to_vec(),
            _ => vec![0.0; group.names.len()],
        };
        let size = |row: usize| {
            let row = group.table.row(row);
            let square = |k: usize| (part(row, k) - part(&start, k)).powi(2);
            (0..reading.width).map(square).sum::<f64>().sqrt()
        };
        let sizes = (0..rows).map(size).zip(&run.trajectory.times);
        let most = sizes.filter(|(size, _)| size.is_finite());
        let Some((value, t)) = most.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
        if value > best.as_ref().map_or(0.0, |(_, known, _)| *known) {
            best = Some((reading, value, *t));
        }
    }
    best
}

/// Columns `a.fx`, `a.fy`, `a.fz` are one vector; others stand alone.
fn readings(names: &[String]) -> Vec<Reading> {
    let mut readings = Vec::new();
    let mut k = 0;
    while k < names.len() {
        let stem = names[k].strip_suffix('x').filter(|stem| {
            let is = |at: usize, axis: &str| names.get(at) == Some(&format!("{stem}{axis}"));
            is(k + 1, "y") && is(k + 2, "z")
        });
        let (name, width) = match stem {
            Some(stem) => (stem.trim_end_matches(['f', 'm']).trim_end_matches('.'), 3),
            None => (names[k].as_str(), 1),
        };
        readings.push(Reading { name: name.to_owned(), first: k, width });
        k += width;
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::readings;

    #[test]
    fn three_components_are_one_vector() {
        let names = ["pin.fx", "pin.fy", "pin.fz", "spring.force", "arm.x", "arm.y", "arm.z"];
        let names: Vec<String> = names.map(String::from).to_vec();
        let found = readings(&names);
        let found: Vec<_> = found.iter().map(|r| (r.name.as_str(), r.first, r.width)).collect();
        assert_eq!(found, [("pin", 0, 3), ("spring.force", 3, 1), ("arm", 4, 3)]);
    }
}
