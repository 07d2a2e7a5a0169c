//! The tables of a trajectory with the names of their columns, checked to belong together.

use crate::error::Error;
use crate::run::Run;
use rotula_dae::Table;
use std::borrow::Cow;
use std::path::Path;

/// Names of the energy columns.
pub(crate) const ENERGY: [&str; 3] = ["kinetic", "potential", "work"];
/// Names of the residual columns.
pub(crate) const RESIDUALS: [&str; 3] = ["position", "velocity", "acceleration"];

/// Names of the columns that sum the contacts up.
pub(crate) const CONTACTS: [&str; 3] = ["closed", "force", "smallest_gap"];

/// A table over the recorded times and the plain names of its columns.
pub struct Block<'a> {
    /// Key of the block, also the name of its array.
    pub key: Cow<'static, str>,
    /// Names of the columns.
    pub names: Vec<&'a str>,
    /// Values.
    pub table: &'a Table,
}

impl Block<'_> {
    /// The headings of the columns: `x'` for the velocity of `x`, `lambda.rod` for a multiplier.
    pub fn headings(&self) -> impl Iterator<Item = String> + '_ {
        self.names.iter().map(|name| match self.key.as_ref() {
            "v" | "xdot" => format!("{name}'"),
            "vdot" => format!("{name}''"),
            "multipliers" => format!("lambda.{name}"),
            "residuals" => format!("residual.{name}"),
            "gap" => format!("gap.{name}"),
            "contact_force" => format!("force.{name}"),
            "contact_impulse" => format!("impulse.{name}"),
            "contacts" => format!("contacts.{name}"),
            _ => (*name).to_owned(),
        })
    }
}

/// All tables of a run, checked to belong together.
pub fn tables<'a>(run: &'a Run) -> Result<Vec<Block<'a>>, Error> {
    blocks(Path::new("results"), run)
}

/// All tables over the recorded times, in the order in which they are written.
pub(crate) fn blocks<'a>(path: &Path, run: &'a Run) -> Result<Vec<Block<'a>>, Error> {
    fn list(names: &[String]) -> Vec<&str> {
        names.iter().map(String::as_str).collect()
    }
    let (trajectory, names) = (run.trajectory, &run.trajectory.names);
    let block = |key: &'static str, names, table| Block { key: key.into(), names, table };
    let mut blocks = Vec::new();
    if run.coordinates {
        blocks.extend([
            block("q", list(&names.configuration), &trajectory.q),
            block("v", list(&names.motion), &trajectory.v),
            block("vdot", list(&names.motion), &trajectory.vdot),
            block("multipliers", list(&names.constraints), &trajectory.multipliers),
        ]);
    }
    for curves in &run.curves {
        let key = curves.title.to_lowercase().replace(' ', "_").into();
        blocks.push(Block { key, names: list(&curves.names), table: &curves.table });
    }
    if run.coordinates {
        blocks.extend([
            block("x", list(&names.states), &trajectory.x),
            block("xdot", list(&names.states), &trajectory.xdot),
            block("y", list(&names.variables), &trajectory.y),
        ]);
    }
    blocks.extend([
        block("extra", list(&run.extra.names), &run.extra.table),
        block("energy", ENERGY[..trajectory.energy.width().min(3)].to_vec(), &trajectory.energy),
        block("residuals", RESIDUALS.to_vec(), &trajectory.residuals),
    ]);
    let contacts = &trajectory.contacts;
    if !contacts.is_empty() {
        blocks.extend([
            block("gap", list(&contacts.names), &contacts.gap),
            block("contact_force", list(&contacts.rows), &contacts.force),
            block("contact_impulse", list(&contacts.rows), &contacts.impulse),
        ]);
        blocks.push(block("contacts", CONTACTS.to_vec(), &contacts.summary));
    }
    let rows = trajectory.len();
    for Block { key, names, table } in &blocks {
        let wrong = |unit, found, expected| Error::Shape {
            path: path.to_owned(),
            what: key.to_string(),
            unit,
            found,
            expected,
        };
        if table.width() != names.len() {
            return Err(wrong("columns", table.width(), names.len()));
        }
        if table.values().len() != rows * table.width() {
            return Err(wrong("rows", table.values().len() / table.width().max(1), rows));
        }
    }
    Ok(blocks)
}
