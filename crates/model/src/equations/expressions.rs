//! A model as expressions: what the file says, before any derivative is taken.

use crate::equations::contacts::ContactFormulas;
use crate::equations::function::{Installed, Memory};
use crate::equations::names::Symbols;
use rotula_dae::{Point, Sizes};
use rotula_formula::{Decisions, Expression, Graph, Timetable};

/// An expression and what the user calls it, such as `force.theta`.
#[derive(Clone)]
pub(crate) struct Formula {
    pub path: String,
    pub expression: Expression,
}

pub(crate) struct Coordinate {
    pub name: String,
    pub scale: f64,
}

pub(crate) struct Constraint {
    pub name: String,
    pub formula: Formula,
    /// Whether the multiplier acts along the gradient.
    pub reaction: bool,
}

pub(crate) struct Energies {
    pub kinetic: Formula,
    pub potential: Formula,
    pub power: Option<Formula>,
}

pub(crate) struct Equations {
    pub graph: Graph,
    pub symbols: Symbols,
    pub sizes: Sizes,
    pub coordinates: Vec<Coordinate>,
    /// Row, column and entry; each pair once, row ≤ column.
    pub mass: Vec<(usize, usize, Formula)>,
    pub force: Vec<(usize, Formula)>,
    /// Holonomic, then nonholonomic.
    pub constraints: Vec<Constraint>,
    pub contacts: Vec<ContactFormulas>,
    pub states: Vec<String>,
    pub variables: Vec<String>,
    /// Residuals of the states, then of the variables.
    pub auxiliary: Vec<Formula>,
    /// The rate or variable itself for each residual that gives it.
    pub explicit: Vec<Option<Expression>>,
    /// The last variables: numbers set from outside, with the values they start with.
    pub inputs: Vec<(String, f64)>,
    pub energies: Option<Energies>,
    pub outputs: Vec<(String, Formula)>,
    /// Times at which forces jump, increasing.
    pub events: Vec<f64>,
    /// What else can be known of times.
    pub timetable: Option<Timetable>,
    /// What forces and auxiliary equations decide by other quantities than time.
    pub decisions: Option<Decisions>,
    /// Functions of a program.
    pub functions: Vec<Installed>,
}

impl Equations {
    /// Memory for the functions.
    pub(crate) fn memories(&self) -> Vec<Memory> {
        self.functions.iter().map(|_| Memory::default()).collect()
    }

    /// Puts a point among the inputs of programs, with what functions are there; with their slopes if they are wanted.
    #[inline]
    pub(crate) fn load(
        &self,
        at: &Point,
        inputs: &mut [f64],
        memories: &mut [Memory],
        slopes: bool,
    ) {
        inputs[0] = at.t;
        let mut start = 1;
        for array in [at.q, at.v, at.vdot, at.multipliers, at.x, at.xdot, at.y] {
            inputs[start..start + array.len()].copy_from_slice(array);
            start += array.len();
        }
        for (function, memory) in self.functions.iter().zip(memories) {
            function.refresh(inputs, memory, slopes);
        }
    }

    /// All formulas of the file, in the order in which they are worth blaming.
    pub(crate) fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let energies = self.energies.iter().flat_map(|energies| {
            [Some(&energies.kinetic), Some(&energies.potential), energies.power.as_ref()]
        });
        (self.mass.iter().map(|(_, _, formula)| formula))
            .chain(self.force.iter().map(|(_, formula)| formula))
            .chain(self.constraints.iter().map(|constraint| &constraint.formula))
            .chain(self.contacts.iter().flat_map(|contact| {
                std::iter::once(&contact.gap).chain(contact.slips.iter().map(|(slip, _)| slip))
            }))
            .chain(&self.auxiliary)
            .chain(energies.flatten())
            .chain(self.outputs.iter().map(|(_, formula)| formula))
    }
}
