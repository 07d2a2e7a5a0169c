//! Unilateral contacts of `[gap]`: their rows at three levels with exact derivatives.

use crate::equations::block::{Block, Context, Lazy, MotionBlock, Scratch};
use crate::equations::derive::{Entry, jacobian};
use crate::equations::expressions::{Equations, Formula};
use crate::reading::{Item, Kinds, ModelError, Scope, Table};
use rotula_dae::{Contact, ContactPatterns, Level, Point, Weights};
use rotula_formula::{Expression, Graph};
use rotula_linear::Pattern;

/// A gap with its laws and tangential rows.
pub(crate) struct ContactFormulas {
    pub name: String,
    pub law: Contact,
    pub gap: Formula,
    /// Each with whether it is a velocity already, rather than a position whose rate is meant.
    pub slips: Vec<(Formula, bool)>,
}

/// Reads the section `gap`.
pub(crate) fn contacts(
    document: &Table,
    scope: &mut Scope,
) -> Result<Vec<ContactFormulas>, ModelError> {
    let mut contacts = Vec::new();
    for entry in document.section("gap") {
        let path = format!("gap.{}", entry.key);
        let Some(item) = entry.item.field("gap", Some("gap")) else {
            continue;
        };
        let (expression, used) = scope.parse(item, &path, Kinds::CONFIGURATION)?;
        if used.within(Kinds::TIME) {
            let error = ModelError::new(&item.place, format!("{path} depends on no coordinate"));
            return Err(error.with_help("correct its formula"));
        }
        let mut number = |key: &str, range: std::ops::RangeInclusive<f64>, words: &str| {
            let Some(item) = entry.item.field(key, None) else {
                return Ok(0.0);
            };
            let path = format!("{path}.{key}");
            let value = scope.constant(item, &path)?;
            if range.contains(&value) {
                return Ok(value);
            }
            let error = ModelError::new(&item.place, format!("{path} is {value}"));
            Err(error.with_help(format!("it must be {words}")))
        };
        let restitution = number("restitution", 0.0..=1.0, "from 0 to 1")?;
        let friction = number("friction", 0.0..=f64::MAX, "0 or more")?;
        let tangential_restitution = number("tangential_restitution", -1.0..=1.0, "from -1 to 1")?;
        let slips =
            slips(entry.item.field("slip", None), entry.item.field("slip2", None), &path, scope)?;
        if friction > 0.0 && slips.is_empty() {
            let place = entry.item.field("friction", None).map_or(&item.place, |item| &item.place);
            let error = ModelError::new(place, format!("{path} has friction but no direction"));
            return Err(error.with_help(
                "add `slip = \"…\"`: a length along the surface, or the sliding velocity itself",
            ));
        }
        contacts.push(ContactFormulas {
            name: entry.key.clone(),
            law: Contact { restitution, friction, tangential_restitution, directions: slips.len() },
            gap: Formula { path, expression },
            slips,
        });
    }
    Ok(contacts)
}

fn slips(
    first: Option<&Item>,
    second: Option<&Item>,
    path: &str,
    scope: &mut Scope,
) -> Result<Vec<(Formula, bool)>, ModelError> {
    if let (None, Some(item)) = (first, second) {
        let error = ModelError::new(&item.place, format!("{path}.slip2 stands alone"));
        return Err(error.with_help("call a single direction `slip`"));
    }
    let mut slips = Vec::new();
    for (item, key) in [(first, "slip"), (second, "slip2")] {
        let Some(item) = item else { continue };
        let path = format!("{path}.{key}");
        let (expression, used) = scope.parse(item, &path, Kinds::MOTION)?;
        if used.within(Kinds::TIME) {
            let error = ModelError::new(&item.place, format!("{path} depends on no coordinate"));
            return Err(error.with_help("correct its formula"));
        }
        let velocity = !used.within(Kinds::CONFIGURATION);
        slips.push((Formula { path, expression }, velocity));
    }
    Ok(slips)
}

/// Programs of all contacts, made once per model.
pub(crate) struct CompiledContacts {
    context: Context,
    /// Inputs that are not contact forces.
    common: usize,
    levels: [Lazy; 3],
    tangents: [MotionBlock; 3],
    curvature: Block,
    pub patterns: ContactPatterns,
    pub laws: Vec<Contact>,
}

impl CompiledContacts {
    pub(crate) fn new(equations: &Equations) -> Self {
        let mut graph = equations.graph.clone();
        let symbols = &equations.symbols;
        let n = equations.sizes.motion;
        let laws: Vec<Contact> = equations.contacts.iter().map(|contact| contact.law).collect();
        let rows: usize = laws.iter().map(Contact::rows).sum();
        let levels = level_rows(&mut graph, equations);
        let motion = [(0, &symbols.vdot), (1, &symbols.v), (2, &symbols.q)];
        let tangents = levels.each_ref().map(|rows| jacobian(&mut graph, rows, &motion));
        let forces: Vec<Expression> =
            (0..rows).map(|row| graph.symbol(&format!("contact force {row}"))).collect();
        let zero = graph.constant(0.0);
        let mut reactions = vec![zero; n];
        for entry in jacobian(&mut graph, &levels[1], &[(0, &symbols.v)]) {
            let force = graph.mul(entry.value, forces[entry.row]);
            reactions[entry.column] = graph.sub(reactions[entry.column], force);
        }
        let curvature = jacobian(&mut graph, &reactions, &[(0, &symbols.q)]);
        let places = |entries: &[Entry]| -> Vec<(usize, usize)> {
            entries.iter().map(|entry| (entry.row, entry.column)).collect()
        };
        let patterns = ContactPatterns {
            rows: row_pattern(&laws, n, tangents.iter().flatten()),
            curvature: Pattern::from_entries(n, n, &places(&curvature)),
        };
        let mut inputs = symbols.inputs();
        let common = inputs.len();
        inputs.extend(forces);
        CompiledContacts {
            context: Context { graph, inputs },
            common,
            levels: levels.each_ref().map(|rows| Lazy::new(rows)),
            tangents: tangents.each_ref().map(|t| MotionBlock::new(t, &patterns.rows)),
            curvature: Block::new(&curvature, &patterns.curvature),
            patterns,
            laws,
        }
    }

    /// Memory for evaluation.
    pub(crate) fn scratch(&self) -> Scratch {
        Scratch::new(self.context.inputs.len())
    }

    fn load(&self, at: &Point, scratch: &mut Scratch) {
        scratch.inputs[0] = at.t;
        let mut start = 1;
        for array in [at.q, at.v, at.vdot, at.multipliers, at.x, at.xdot, at.y] {
            scratch.inputs[start..start + array.len()].copy_from_slice(array);
            start += array.len();
        }
    }

    pub(crate) fn rows(&self, level: Level, at: &Point, scratch: &mut Scratch, out: &mut [f64]) {
        self.load(at, scratch);
        scratch.run(&self.context, &self.levels[index(level)], out);
    }

    pub(crate) fn tangent(
        &self,
        level: Level,
        at: &Point,
        weights: Weights,
        scratch: &mut Scratch,
        values: &mut [f64],
    ) {
        self.load(at, scratch);
        let weights = [weights.mass, weights.damping, weights.stiffness];
        self.tangents[index(level)].evaluate(&self.context, scratch, weights, values);
    }

    pub(crate) fn curvature(
        &self,
        at: &Point,
        forces: &[f64],
        scratch: &mut Scratch,
        values: &mut [f64],
    ) {
        self.load(at, scratch);
        scratch.inputs[self.common..].copy_from_slice(forces);
        self.curvature.evaluate(&self.context, scratch, &[1.0], values);
    }
}

fn index(level: Level) -> usize {
    match level {
        Level::Position => 0,
        Level::Velocity => 1,
        Level::Acceleration => 2,
    }
}

/// Rows of all contacts at position, velocity and acceleration level.
fn level_rows(graph: &mut Graph, equations: &Equations) -> [Vec<Expression>; 3] {
    let symbols = &equations.symbols;
    let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
    let mut along: Vec<_> = vec![(symbols.t, one)];
    along.extend(symbols.q.iter().copied().zip(symbols.v.iter().copied()));
    let (mut position, mut velocity) = (Vec::new(), Vec::new());
    for contact in &equations.contacts {
        position.push(contact.gap.expression);
        velocity.push(graph.directional(contact.gap.expression, &along));
        for (slip, is_velocity) in &contact.slips {
            position.push(zero);
            velocity.push(match is_velocity {
                true => slip.expression,
                false => graph.directional(slip.expression, &along),
            });
        }
    }
    along.extend(symbols.v.iter().copied().zip(symbols.vdot.iter().copied()));
    let acceleration = velocity.iter().map(|&row| graph.directional(row, &along)).collect();
    [position, velocity, acceleration]
}

/// All rows of one contact have the same columns.
fn row_pattern<'a>(
    laws: &[Contact],
    columns: usize,
    entries: impl Iterator<Item = &'a Entry>,
) -> Pattern {
    let mut owner = Vec::new();
    for law in laws {
        let first = owner.len();
        owner.extend((0..law.rows()).map(|_| (first, law.rows())));
    }
    let mut places = Vec::new();
    for entry in entries {
        let (first, rows) = owner[entry.row];
        places.extend((first..first + rows).map(|row| (row, entry.column)));
    }
    Pattern::from_entries(owner.len(), columns, &places)
}
