//! `[load.NAME]` on a beam: force and moment per length, as formulas of how its sections lie and move.

use crate::fault::{fault_at, refused};
use crate::fields::{Fields, signal_text};
use crate::placed::Placed;
use crate::reading::keys::Key;
use crate::reading::{Item, Kinds, ModelError, Scope};
use crate::table::{Formulas, table, words};
use rotula_mechanics::control::Expression;
use rotula_mechanics::element::LaidBeam;
use rotula_mechanics::force::{Axes, LINE_NAMES, LineLoad, Share};
use rotula_mechanics::{Marker, Model};

words! {
    /// Whose axes the components of a load along a beam are in.
    LineAxes { World = "world", Section = "section" }
}

table! {
    /// What a load along a beam says.
    LineWords {
        /// On a beam: force per length. The three formulas may use time, signals, `station` (0 to 1), and of the section its place `x` `y` `z`, its velocity `vx` `vy` `vz`, both in the world, its velocity `ux` `uy` `uz` and angular velocity `wx` `wy` `wz` in its own axes, and its axes in the world: `e1x` `e1y` `e1z` along the beam, `e2x` … its y axis, `e3x` … its z axis.
        optional per_length: Formulas, "N/m";
        /// On a beam: moment per length, by the same names.
        optional moment_per_length: Formulas, "N";
        /// On a beam: whose axes the components are in. Default world.
        optional axes: LineAxes;
    }
}

/// The keys of loads along beams; those of loads on flexible bodies mean nothing there, and the other way round.
pub(crate) fn line_keys() -> impl Iterator<Item = &'static str> {
    LineWords::KEYS.iter().map(|key: &Key| key.name)
}

/// A beam as far as loads along it need it.
pub(crate) struct LoadedLine {
    /// Its name.
    pub name: String,
    /// Its nodes, in the axes of the sections.
    nodes: Vec<Marker>,
    /// What of it belongs to each.
    shares: Vec<Share>,
}

impl LoadedLine {
    /// Shares the length among the nodes as shape functions do, `∫ Nᵢ ds`. A line bends with the rotations of its nodes, which gives them
    /// moments of `½ ∫ Nᵢ (s − sᵢ) ds` times the load; those of neighbours cancel.
    pub(crate) fn of(
        name: &str,
        laid: &LaidBeam,
        stations: Vec<f64>,
        nodes_per_element: usize,
    ) -> Self {
        // of the length of an element, and of its square
        let (parts, turns): (&[f64], &[f64]) = match nodes_per_element {
            2 => (&[0.5, 0.5], &[1.0 / 12.0, -1.0 / 12.0]),
            3 => (&[1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0], &[0.0; 3]),
            _ => (&[0.125, 0.375, 0.375, 0.125], &[1.0 / 120.0, -0.025, 0.025, -1.0 / 120.0]),
        };
        let count = laid.nodes.len();
        let (mut lengths, mut moments) = (vec![0.0; count], vec![0.0; count]);
        let pieces = laid.rest.iter().map(|twist| twist.fixed_rows::<3>(0).norm());
        let pieces: Vec<f64> = pieces.collect();
        for (element, pieces) in pieces.chunks(parts.len() - 1).enumerate() {
            let (first, whole) = (element * (parts.len() - 1), pieces.iter().sum::<f64>());
            for (k, (part, turn)) in parts.iter().zip(turns).enumerate() {
                lengths[first + k] += part * whole;
                moments[first + k] += turn * whole * whole;
            }
        }
        let share = |k: usize| Share {
            station: stations[k],
            length: lengths[k],
            ahead: moments[k] / lengths[k],
        };
        let shares = (0..count).map(share).collect();
        LoadedLine { name: name.to_owned(), nodes: laid.nodes.clone(), shares }
    }

    /// What the parts of a load at the nodes are called: as the nodes.
    pub(crate) fn names(&self, load: &str) -> Vec<String> {
        let last = self.nodes.len() - 1;
        let name = |k: usize| match k {
            0 => format!("{load}.start"),
            k if k == last => format!("{load}.end"),
            k => format!("{load}.{k}"),
        };
        (0..=last).map(name).collect()
    }
}

/// Reads a load along a beam.
pub(crate) fn line_load(
    fields: &Fields,
    name: &str,
    line: &LoadedLine,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let given = LineWords::read(fields.clone(), scope)?;
    if given.per_length.is_none() && given.moment_per_length.is_none() {
        let error = ModelError::new(fields.place, format!("{} has no load", fields.path));
        return Err(
            error.with_help("on a beam, add `per_length = [fx, fy, fz]` or `moment_per_length`")
        );
    }
    let axes = match given.axes {
        Some(LineAxes::Section) => Axes::Marker,
        Some(LineAxes::World) | None => Axes::World,
    };
    if axes == Axes::World && !Placed::of(fields.place).stays() {
        let key = if given.per_length.is_some() { "per_length" } else { "moment_per_length" };
        let message = format!("{}: the axes of the world do not turn with a copy", fields.path);
        let error = fault_at(fields, key, message);
        return Err(error.with_help("write `axes = \"section\"`"));
    }
    let mut components = Vec::new();
    for (key, items) in
        [("per_length", given.per_length), ("moment_per_length", given.moment_per_length)]
    {
        for k in 0..3 {
            components.push(component(
                items.map(|items| &items[k]),
                &fields.at(key),
                model,
                scope,
            )?);
        }
    }
    let components: [Expression; 6] =
        components.try_into().unwrap_or_else(|_| unreachable!("two vectors"));
    for (k, part) in line.names(name).into_iter().enumerate() {
        let load = LineLoad::new(line.nodes[k], axes, line.shares[k], components.clone());
        model.force(&part, load).map_err(|error| refused(fields.place, error))?;
    }
    Ok(())
}

/// One component as a formula of the section, time and signals; zero if it is not given.
fn component(
    item: Option<&Item>,
    path: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Expression, ModelError> {
    let own = LINE_NAMES.map(|name| (name, Kinds::TIME));
    let text = match item {
        Some(item) => scope.with_symbols(&own, |scope| signal_text(item, path, scope))?,
        None => "0".to_owned(),
    };
    model.expression(path, &text, &LINE_NAMES).map_err(|error| match item {
        Some(item) => refused(&item.place, error),
        None => unreachable!("zero is a formula: {error}"),
    })
}
