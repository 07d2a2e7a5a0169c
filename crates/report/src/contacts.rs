//! The long table of contacts that touch, and the table of impacts.

use crate::atomic;
use crate::csv::quoted;
use crate::error::Error;
use crate::export::{Column, Values, write_table};
use crate::run::Run;
use rotula_dae::{Impact, Touch, TouchingContact};
use std::io::Write;
use std::path::Path;

/// A table with its number of rows.
pub struct LongTable<'a> {
    /// Its columns.
    pub columns: Vec<Column<'a>>,
    /// Its rows.
    pub rows: usize,
}

/// The contacts that touch, one row for each at each recorded time; nothing if the system has no contacts or
/// the table is not wanted.
///
/// Columns: `t`; `contact`, and `first` and `second`, the bodies; `x`, `y`, `z`, where they touch; `gap`;
/// `normal_force`; `tangential_force`, its size, and its components `tangential_force_1` and `_2` along the
/// tangents of the contact; `fx`, `fy`, `fz`, the whole force on the second body in the world; `slip`, the
/// sliding speed, and its components `slip_1` and `slip_2`. Models of equations have no bodies and places.
pub fn contact_table<'a>(run: &'a Run) -> Option<LongTable<'a>> {
    let contacts = &run.trajectory.contacts;
    let table = &contacts.touching;
    if table.times() == 0 || table.most == 0 {
        return None;
    }
    let rows = table.rows();
    let times: Vec<f64> = table.time_of_rows().map(|time| run.trajectory.times[time]).collect();
    let number = |name: &str, unit, value: fn(&Touch) -> f64| {
        numbers(name, unit, Box::new(move |row| value(&rows[row])))
    };
    let mut columns = vec![numbers("t", "s", Box::new(move |row| times[row]))];
    let placed = names(&mut columns, &table.contacts, Box::new(move |row| rows[row].contact));
    if placed {
        columns.extend([
            number("x", "m", |touch| touch.place[0]),
            number("y", "m", |touch| touch.place[1]),
            number("z", "m", |touch| touch.place[2]),
        ]);
    }
    columns.extend([
        number("gap", "m", |touch| touch.gap),
        number("normal_force", "N", |touch| touch.normal),
        number("tangential_force", "N", Touch::friction),
        number("tangential_force_1", "N", |touch| touch.tangential[0]),
        number("tangential_force_2", "N", |touch| touch.tangential[1]),
    ]);
    if placed {
        columns.extend([
            number("fx", "N", |touch| touch.force[0]),
            number("fy", "N", |touch| touch.force[1]),
            number("fz", "N", |touch| touch.force[2]),
        ]);
    }
    columns.extend([
        number("slip", "m/s", Touch::sliding),
        number("slip_1", "m/s", |touch| touch.slip[0]),
        number("slip_2", "m/s", |touch| touch.slip[1]),
    ]);
    Some(LongTable { columns, rows: rows.len() })
}

/// The impacts of a run; nothing if the system has no rigid contacts.
///
/// Columns: `t`, `contact`, `first` and `second`; `impulse`, normal; `velocity_before` and `velocity_after`, the
/// rate of the gap; `energy_lost`.
pub fn event_table<'a>(run: &'a Run) -> Option<LongTable<'a>> {
    let contacts = &run.trajectory.contacts;
    if contacts.is_empty() {
        return None;
    }
    let impacts = &contacts.impacts;
    let number = |name: &str, unit, value: fn(&Impact) -> f64| {
        numbers(name, unit, Box::new(move |row| value(&impacts[row])))
    };
    let mut columns = vec![number("t", "s", |impact| impact.t)];
    let list = &contacts.touching.contacts;
    names(&mut columns, list, Box::new(move |row| impacts[row].contact));
    columns.extend([
        number("impulse", "N s", |impact| impact.impulse),
        number("velocity_before", "m/s", |impact| impact.before),
        number("velocity_after", "m/s", |impact| impact.after),
        number("energy_lost", "J", |impact| impact.energy),
    ]);
    Some(LongTable { columns, rows: impacts.len() })
}

/// Adds the columns that name a contact; false if contacts have no bodies.
fn names<'a>(
    columns: &mut Vec<Column<'a>>,
    contacts: &'a [TouchingContact],
    contact: Box<dyn Fn(usize) -> usize + 'a>,
) -> bool {
    let contact = std::rc::Rc::new(contact);
    let mut text = |name: &str, value: fn(&TouchingContact) -> &str| {
        let contact = contact.clone();
        let values = Values::Texts(Box::new(move |row| value(&contacts[contact(row)])));
        columns.push(Column { name: name.into(), unit: "", values });
    };
    text("contact", |contact| &contact.name);
    let placed = contacts.iter().any(|contact| !contact.bodies[1].is_empty());
    if placed {
        text("first", |contact| &contact.bodies[0]);
        text("second", |contact| &contact.bodies[1]);
    }
    placed
}

fn numbers<'a>(name: &str, unit: &'a str, value: Box<dyn Fn(usize) -> f64 + 'a>) -> Column<'a> {
    Column { name: name.into(), unit, values: Values::Numbers(value) }
}

impl LongTable<'_> {
    /// Writes it as comma-separated values.
    pub fn write_csv(&self, path: &Path) -> Result<(), Error> {
        atomic::write(path, |file| {
            let headings: Vec<_> = self.columns.iter().map(|column| quoted(&column.name)).collect();
            writeln!(file, "{}", headings.join(","))?;
            for row in 0..self.rows {
                for (k, column) in self.columns.iter().enumerate() {
                    if k > 0 {
                        write!(file, ",")?;
                    }
                    match &column.values {
                        Values::Numbers(value) => write!(file, "{:?}", value(row))?,
                        Values::Integers(value) => write!(file, "{}", value(row))?,
                        Values::Texts(value) => write!(file, "{}", quoted(value(row)))?,
                    }
                }
                writeln!(file)?;
            }
            Ok(())
        })
    }

    /// Writes it as Parquet.
    pub fn write_parquet(&self, path: &Path, program: &str) -> Result<(), Error> {
        write_table(path, &self.columns, self.rows, program)
    }
}
