//! Signals of a model as auxiliary equations: who depends on whom, and where derivatives go.

use super::held::{Latch, Sampler};
use super::places::{Strip, strip_entries};
use crate::control::{Expression, Input};
use crate::error::{ModelError, refusal};
use crate::force::Auxiliary;
use crate::measure::Measure;
use crate::node::Node;
use crate::quantity::Thing;
use crate::scene::{Scene, World};
use crate::sensor::{EnergySensor, Sensor, View};
use nalgebra::Vector6;
use rotula_dae::{Patterns, Point, Sizes};
use rotula_linear::Pattern;
use std::ops::Range;

/// What the formula or reading is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    /// `ẋ − F`.
    Rate,
    /// `F` itself.
    Residual,
    /// `y − F`.
    Value,
}

/// What an equation is made of, and where its derivatives are in the values of the patterns.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// A formula; the places of its inputs, none for the time.
    Formula { expression: Box<Expression>, places: Vec<Option<usize>> },
    /// A sensor; the places of its nodes and multipliers.
    Sensor {
        instrument: usize,
        strips: Vec<Strip>,
        multipliers: Vec<usize>,
        /// Of the states and variables it depends on.
        auxiliary: Vec<usize>,
    },
    /// A number set from outside.
    Input(f64),
    /// A number that changes at instants.
    Held(f64),
}

/// One auxiliary equation.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    pub(super) lead: Lead,
    pub(super) content: Content,
    pub(super) diagonal: usize,
}

/// A sensor with its constraints found.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub(super) sensor: Box<dyn Sensor>,
    pub(super) nodes: Vec<usize>,
    /// Where the multipliers of its constraints are.
    pub(super) rows: Vec<Range<usize>>,
}

impl Reader {
    pub(super) fn new(sensor: Box<dyn Sensor>) -> Self {
        Reader { nodes: sensor.nodes().to_vec(), rows: Vec::new(), sensor }
    }

    /// What the sensor sees.
    pub(super) fn view<'a>(
        nodes: &'a [usize],
        rows: &'a [Range<usize>],
        world: &'a World<'a>,
        at: &Point<'a>,
    ) -> View<'a> {
        View { scene: Scene { world, nodes }, multipliers: at.multipliers, rows }
    }

    /// The present reading.
    pub(super) fn read(&mut self, world: &World, at: &Point) -> f64 {
        self.sensor.value(Reader::view(&self.nodes, &self.rows, world, at))
    }
}

/// What can be read, by the number of the sensor.
#[derive(Clone, Debug)]
pub(super) enum Instrument {
    Sensor(Reader),
    Energy(EnergySensor),
    Formula(Box<Expression>),
    /// A quantity of a thing, by its place among those.
    Quantity(Thing, usize),
}

/// A force that depends on auxiliary unknowns.
#[derive(Clone, Debug)]
pub(super) struct Command {
    pub(super) push: usize,
    pub(super) unknowns: Vec<Auxiliary>,
    /// For each unknown and slot, where the first row of the node is.
    pub(super) starts: Vec<usize>,
}

/// All auxiliary equations and instruments of a model.
#[derive(Clone, Debug)]
pub(super) struct Control {
    pub(super) states: Vec<String>,
    pub(super) variables: Vec<String>,
    pub(super) initial: Vec<f64>,
    pub(super) guesses: Vec<Option<f64>>,
    /// Those of the states, then those of the variables.
    pub(super) equations: Vec<Equation>,
    /// In the order in which they were declared.
    pub(super) samplers: Vec<Sampler>,
    pub(super) latches: Vec<Latch>,
    pub(super) instruments: Vec<Instrument>,
    pub(super) commands: Vec<Command>,
    /// By increment, velocity and acceleration.
    pub(super) rows: [Vec<Vector6<f64>>; 3],
    pub(super) multipliers: Vec<f64>,
    pub(super) auxiliary: Vec<f64>,
    pub(super) wrenches: Vec<Vector6<f64>>,
}

impl Control {
    /// Calls `f` with the nodes of every sensor and each measure in it.
    pub(super) fn measures(&mut self, f: &mut dyn FnMut(&[usize], &mut Measure)) {
        for instrument in &mut self.instruments {
            if let Instrument::Sensor(reader) = instrument {
                reader.sensor.measures_mut().for_each(|measure| f(&reader.nodes, measure));
            }
        }
    }

    /// The column of an unknown among states and variables.
    fn column(&self, unknown: Auxiliary) -> usize {
        match unknown {
            Auxiliary::State(i) => i,
            Auxiliary::Variable(i) => self.states.len() + i,
        }
    }

    /// Finds the rows of constraints and all places; sets the patterns.
    ///
    /// `constraints` are the rows of the model's constraints; `forces` the names, nodes and auxiliary
    /// unknowns of all forces.
    pub(super) fn place(
        &mut self,
        nodes: &[Node],
        constraints: &[Range<usize>],
        forces: &[(&str, &[usize], &[Auxiliary])],
        sizes: Sizes,
        patterns: &mut Patterns,
    ) -> Result<(), ModelError> {
        self.find_rows(constraints);
        let count = self.equations.len();
        let (mut own, mut motion, mut multipliers) = (Vec::new(), Vec::new(), Vec::new());
        for (row, equation) in self.equations.iter().enumerate() {
            own.push((row, row));
            match &equation.content {
                Content::Formula { expression, .. } => {
                    let inputs = expression.inputs().iter();
                    own.extend(inputs.filter_map(|input| Some((row, self.input_column(*input)?))));
                }
                Content::Sensor { instrument, .. } => {
                    let reader = self.reader(*instrument);
                    for node in &reader.nodes {
                        strip_entries(row, 1, &nodes[*node], &mut motion);
                    }
                    multipliers.extend(reader.rows.iter().cloned().flatten().map(|m| (row, m)));
                    let unknowns = reader.sensor.auxiliary().iter();
                    own.extend(unknowns.map(|unknown| (row, self.column(*unknown))));
                }
                Content::Input(_) | Content::Held(_) => {}
            }
        }
        let mut dynamics = Vec::new();
        for (name, list, unknowns) in forces {
            for unknown in *unknowns {
                self.check(name, *unknown)?;
                for node in list.iter().map(|node| &nodes[*node]) {
                    let rows = node.v..node.v + node.kind.columns().len();
                    dynamics.extend(rows.map(|row| (row, self.column(*unknown))));
                }
            }
        }
        patterns.auxiliary = Pattern::from_entries(count, count, &own);
        patterns.auxiliary_motion = Pattern::from_entries(count, sizes.motion, &motion);
        patterns.auxiliary_multipliers =
            Pattern::from_entries(count, sizes.multipliers(), &multipliers);
        patterns.dynamics_auxiliary = Pattern::from_entries(sizes.motion, count, &dynamics);
        self.find_places(nodes, forces, patterns);
        Ok(())
    }

    fn find_rows(&mut self, constraints: &[Range<usize>]) {
        let (mut most, mut unknowns) = (0, 0);
        for instrument in &mut self.instruments {
            if let Instrument::Sensor(reader) = instrument {
                let own = reader.sensor.constraints().iter();
                reader.rows = own.map(|k| constraints[*k].clone()).collect();
                most = most.max(reader.rows.iter().map(|range| range.len()).sum());
                unknowns = unknowns.max(reader.sensor.auxiliary().len());
            }
        }
        self.multipliers = vec![0.0; most];
        self.auxiliary = vec![0.0; unknowns];
    }

    /// Looks up where everything is in the patterns.
    fn find_places(
        &mut self,
        nodes: &[Node],
        forces: &[(&str, &[usize], &[Auxiliary])],
        patterns: &Patterns,
    ) {
        let mut equations = std::mem::take(&mut self.equations);
        let inside = "the pattern was made of these entries";
        for (row, equation) in equations.iter_mut().enumerate() {
            equation.diagonal = patterns.auxiliary.position(row, row).expect(inside);
            match &mut equation.content {
                Content::Formula { expression, places } => {
                    let inputs = expression.inputs().iter();
                    let place = |input: &Input| {
                        self.input_column(*input).and_then(|c| patterns.auxiliary.position(row, c))
                    };
                    *places = inputs.map(place).collect();
                }
                Content::Sensor { instrument, strips, multipliers, auxiliary } => {
                    let reader = self.reader(*instrument);
                    let strip =
                        |node: &usize| Strip::find(&patterns.auxiliary_motion, row, &nodes[*node]);
                    *strips = reader.nodes.iter().map(strip).collect();
                    let place = |m| patterns.auxiliary_multipliers.position(row, m).expect(inside);
                    *multipliers = reader.rows.iter().cloned().flatten().map(place).collect();
                    let unknowns = reader.sensor.auxiliary().iter();
                    let column = |unknown: &Auxiliary| self.column(*unknown);
                    let place = |c| patterns.auxiliary.position(row, c).expect(inside);
                    *auxiliary = unknowns.map(column).map(place).collect();
                }
                Content::Input(_) | Content::Held(_) => {}
            }
        }
        self.equations = equations;
        let pattern = &patterns.dynamics_auxiliary;
        let mut most = 0;
        for (push, (_, list, unknowns)) in forces.iter().enumerate() {
            if unknowns.is_empty() {
                continue;
            }
            most = most.max(unknowns.len() * list.len());
            let columns = unknowns.iter().map(|unknown| self.column(*unknown));
            let starts = columns.flat_map(|column| {
                // the ground has no rows, and no place
                list.iter().map(move |n| pattern.position(nodes[*n].v, column).unwrap_or(0))
            });
            let starts = starts.collect();
            self.commands.push(Command { push, unknowns: unknowns.to_vec(), starts });
        }
        self.wrenches = vec![Vector6::zeros(); most];
    }

    /// The column of an input; none for the time.
    fn input_column(&self, input: Input) -> Option<usize> {
        match input {
            Input::State(i) | Input::Rate(i) => Some(i),
            Input::Variable(i) => Some(self.states.len() + i),
            Input::Time | Input::Local(_) | Input::Sensor(_) => None,
        }
    }

    fn reader(&self, instrument: usize) -> &Reader {
        match &self.instruments[instrument] {
            Instrument::Sensor(reader) => reader,
            _ => unreachable!("only sensors become variables"),
        }
    }

    /// Refuses a force that depends on an unknown of another model.
    fn check(&self, force: &str, unknown: Auxiliary) -> Result<(), ModelError> {
        let (what, index, count) = match unknown {
            Auxiliary::State(i) => ("state", i, self.states.len()),
            Auxiliary::Variable(i) => ("variable", i, self.variables.len()),
        };
        if index < count {
            return Ok(());
        }
        Err(ModelError::invalid(
            format!("force `{force}`"),
            refusal!(
                "it depends on {what} {}, but the model has {count}", index + 1;
                "declare it with this model before the force"
            ),
        ))
    }
}
