//! The auxiliary equations of an assembled model, and how sensors are read.

use super::Assembly;
use super::control::{Command, Content, Instrument, Lead, Reader};
use super::held::Latch;
use crate::control::{Given, Input, SensorId};
use crate::force::Auxiliary;
use crate::model::Model;
use crate::scene::Scene;
use crate::sensor::{EnergySensor, Slopes};
use nalgebra::Vector6;
use rotula_dae::{Point, Sentence, State, StateWeights, Subject, Weights, settle_variables};
use rotula_formula::Timetable;

/// What formulas may depend on at a point.
pub(super) fn given<'a>(at: &Point<'a>) -> Given<'a> {
    Given { t: at.t, locals: &[], states: at.x, rates: at.xdot, variables: at.y }
}

impl Assembly {
    /// Residuals of some rows; those of states come first, then those of variables.
    pub(super) fn auxiliary_residual(
        &mut self,
        at: &Point,
        rows: impl Iterator<Item = usize>,
        out: &mut [f64],
    ) {
        self.place(at);
        let angles = self.angles(at.q);
        let Assembly { moment, control, .. } = self;
        let world = moment.world(at, angles);
        let states = control.states.len();
        for (row, out) in rows.zip(out) {
            let equation = &mut control.equations[row];
            let value = match &mut equation.content {
                Content::Formula { expression, .. } => expression.evaluate(&given(at)),
                Content::Sensor { instrument, .. } => match &mut control.instruments[*instrument] {
                    Instrument::Sensor(reader) => reader.read(&world, at),
                    _ => unreachable!("only sensors become variables"),
                },
                Content::Input(value) | Content::Held(value) => *value,
            };
            *out = match equation.lead {
                Lead::Rate => at.xdot[row] - value,
                Lead::Residual => value,
                Lead::Value => at.y[row - states] - value,
            };
        }
    }

    /// Derivatives of the residuals with respect to motion, multipliers and auxiliary unknowns.
    pub(super) fn auxiliary_slopes(
        &mut self,
        at: &Point,
        weights: Weights,
        states: StateWeights,
        [motion, multipliers, auxiliary]: [&mut [f64]; 3],
    ) {
        motion.fill(0.0);
        multipliers.fill(0.0);
        auxiliary.fill(0.0);
        if self.control.equations.is_empty() {
            return;
        }
        self.place(at);
        self.place_tangents(at);
        let angles = self.angles(at.q);
        let Assembly { moment, control, .. } = self;
        let world = moment.world(at, angles);
        for equation in control.equations.iter_mut() {
            let sign = if equation.lead == Lead::Residual { 1.0 } else { -1.0 };
            auxiliary[equation.diagonal] += match equation.lead {
                Lead::Rate => states.rate,
                Lead::Residual => 0.0,
                Lead::Value => 1.0,
            };
            match &mut equation.content {
                Content::Formula { expression, places } => {
                    expression.differentiate(&given(at));
                    for (k, place) in places.iter().enumerate() {
                        let Some(place) = place else { continue };
                        let weight = match expression.inputs()[k] {
                            Input::State(_) => states.state,
                            Input::Rate(_) => states.rate,
                            _ => 1.0,
                        };
                        auxiliary[*place] += sign * weight * expression.slopes()[k];
                    }
                }
                Content::Input(_) | Content::Held(_) => {}
                Content::Sensor {
                    instrument,
                    strips,
                    multipliers: places,
                    auxiliary: unknowns,
                } => {
                    let Instrument::Sensor(Reader { sensor, nodes, rows }) =
                        &mut control.instruments[*instrument]
                    else {
                        unreachable!("only sensors become variables")
                    };
                    control.rows.iter_mut().for_each(|rows| rows.fill(Vector6::zeros()));
                    control.multipliers.fill(0.0);
                    control.auxiliary.fill(0.0);
                    let [increment, velocity, acceleration] = &mut control.rows;
                    let mut slopes = Slopes {
                        increment,
                        velocity,
                        acceleration,
                        multipliers: &mut control.multipliers[..places.len()],
                        auxiliary: &mut control.auxiliary[..unknowns.len()],
                    };
                    sensor.slopes(Reader::view(nodes, rows, &world, at), &mut slopes);
                    for (slot, strip) in strips.iter().enumerate() {
                        let Slopes { increment, velocity, acceleration, .. } = &slopes;
                        let mut rows = [increment[slot], velocity[slot], acceleration[slot]];
                        let (node, kept) = (nodes[slot], &moment.kept[nodes[slot]]);
                        kept.chain(&moment.motions[node], &mut rows);
                        let turned = moment.along_increment(rows[0], node);
                        strip.add(0, &turned, sign * weights.stiffness, motion);
                        let [_, by_velocity, by_rate] = rows.map(|row| kept.kept_vector(&row));
                        strip.add(0, &by_velocity, sign * weights.damping, motion);
                        strip.add(0, &by_rate, sign * weights.mass, motion);
                    }
                    for (place, slope) in places.iter().zip(slopes.multipliers.iter()) {
                        multipliers[*place] += sign * slope;
                    }
                    let wanted = sensor.auxiliary().iter().zip(slopes.auxiliary.iter());
                    for (place, (unknown, slope)) in unknowns.iter().zip(wanted) {
                        let weight = match unknown {
                            Auxiliary::State(_) => states.state,
                            Auxiliary::Variable(_) => 1.0,
                        };
                        auxiliary[*place] += sign * weight * slope;
                    }
                }
            }
        }
    }

    /// Derivative of the equations of motion with respect to states and variables.
    pub(super) fn command_slopes(&mut self, at: &Point, states: StateWeights, values: &mut [f64]) {
        values.fill(0.0);
        if self.control.commands.is_empty() {
            return;
        }
        self.place(at);
        let angles = self.angles(at.q);
        let Assembly { nodes, pushes, moment, control, .. } = self;
        let world = moment.world(at, angles);
        for Command { push, unknowns, starts } in &control.commands {
            let push = &mut pushes[*push];
            let count = push.nodes.len();
            let wrenches = &mut control.wrenches[..unknowns.len() * count];
            wrenches.fill(Vector6::zeros());
            push.force.auxiliary_tangent(Scene { world: &world, nodes: &push.nodes }, wrenches);
            for (k, wrench) in wrenches.iter().enumerate() {
                let weight = match unknowns[k / count] {
                    Auxiliary::State(_) => states.state,
                    Auxiliary::Variable(_) => 1.0,
                };
                let node = push.nodes[k % count];
                let (columns, wrench) =
                    (nodes[node].kind.columns(), moment.kept[node].kept_vector(wrench));
                for (j, component) in columns.iter().enumerate() {
                    values[starts[k] + j] -= weight * wrench[*component];
                }
            }
        }
    }

    /// Starts states at their initial values and variables at what follows from them, as far as no
    /// acceleration or reaction is involved; the rest is for the consistent start.
    pub(super) fn start_signals(&mut self) {
        let mut start = self.start.clone();
        start.x.copy_from_slice(&self.control.initial);
        for (y, guess) in start.y.iter_mut().zip(&self.control.guesses) {
            *y = guess.unwrap_or(0.0);
        }
        settle_variables(self, &mut start);
        self.start = start;
    }

    /// The reading of a sensor, energy or output at a state.
    pub fn read_sensor(&mut self, sensor: SensorId, state: &State) -> f64 {
        self.look(state).sensor(sensor)
    }

    /// A reading at a point at which everything is placed.
    pub(super) fn read(&mut self, k: usize, at: &Point) -> f64 {
        match self.control.instruments[k] {
            Instrument::Energy(energy) => return self.read_energy(energy, at),
            Instrument::Quantity(thing, place) => return self.read_quantity(thing, place, at),
            _ => {}
        }
        // an output asks for the readings it is made of first
        let mut input = 0;
        while let Instrument::Formula(expression) = &self.control.instruments[k] {
            let Some(wanted) = expression.inputs().get(input) else { break };
            if let Input::Sensor(j) = *wanted {
                let reading = self.read(j, at);
                if let Instrument::Formula(expression) = &mut self.control.instruments[k] {
                    expression.set(input, reading);
                }
            }
            input += 1;
        }
        let angles = self.angles(at.q);
        let world = self.moment.world(at, angles);
        match &mut self.control.instruments[k] {
            Instrument::Sensor(reader) => reader.read(&world, at),
            Instrument::Formula(expression) => expression.evaluate(&given(at)),
            Instrument::Energy(_) | Instrument::Quantity(..) => {
                unreachable!("these were read above")
            }
        }
    }

    fn read_energy(&mut self, energy: EnergySensor, at: &Point) -> f64 {
        match energy {
            EnergySensor::Kinetic => self.energies(at).kinetic,
            EnergySensor::Potential => self.energies(at).potential,
            EnergySensor::Total => {
                let energies = self.energies(at);
                energies.kinetic + energies.potential
            }
            EnergySensor::Power => self.powers(at),
        }
    }

    /// Times at which functions of time, laws of forces, formulas of controllers and conditions jump.
    pub(super) fn known_jumps(&self, model: &Model) -> Vec<f64> {
        let formulas =
            self.control.equations.iter().filter_map(|equation| match &equation.content {
                Content::Formula { expression, .. } => Some(expression.jumps()),
                Content::Sensor { .. } | Content::Input(_) | Content::Held(_) => None,
            });
        let forces = self.pushes.iter().map(|push| push.force.jumps());
        let conditions = self.control.latches.iter().flat_map(Latch::conditions);
        let conditions = conditions.map(|condition| condition.jumps());
        let mut jumps = model.jumps().to_vec();
        jumps.extend(formulas.chain(forces).chain(conditions).flatten());
        jumps.sort_by(f64::total_cmp);
        jumps.dedup();
        jumps
    }

    /// What else can be known of times.
    pub(super) fn known_timetables(&self, model: &Model) -> Vec<Timetable> {
        let formulas = self.control.equations.iter().filter_map(|e| match &e.content {
            Content::Formula { expression, .. } => expression.timetable(),
            Content::Sensor { .. } | Content::Input(_) | Content::Held(_) => None,
        });
        let forces = self.pushes.iter().flat_map(|push| push.force.timetables());
        let functions = model.functions().iter().filter_map(|f| f.timetable().cloned());
        formulas.chain(forces).chain(functions).collect()
    }

    /// A formula that is not finite at a point though all that it uses is, in words.
    pub(super) fn explain_auxiliary(&mut self, at: &Point) -> Option<Sentence> {
        let states = self.control.states.len();
        let control = &mut self.control;
        let mut faults: Vec<Option<String>> = control
            .equations
            .iter_mut()
            .map(|equation| {
                let Content::Formula { expression, .. } = &mut equation.content else {
                    return None;
                };
                expression.evaluate(&given(at));
                expression.explain_not_finite()
            })
            .collect();
        for sampler in &control.samplers {
            let row = states + sampler.variable();
            if matches!(control.equations[row].content, Content::Held(value) if !value.is_finite())
            {
                faults[row] = sampler.explain_not_finite();
            }
        }
        let used = |row: usize| match &control.equations[row].content {
            Content::Formula { expression, .. } => expression.inputs(),
            Content::Sensor { .. } | Content::Input(_) | Content::Held(_) => &[],
        };
        // values that follow from a fault are no faults of their own
        let follows = |row: usize| {
            let (mut seen, mut stack) = (vec![row], vec![row]);
            while let Some(row) = stack.pop() {
                for input in used(row) {
                    let Input::Variable(variable) = *input else { continue };
                    let other = states + variable;
                    if !seen.contains(&other) {
                        if faults[other].is_some() {
                            return true;
                        }
                        seen.push(other);
                        stack.push(other);
                    }
                }
            }
            false
        };
        let guilty = |row: &usize| faults[*row].is_some() && !follows(*row);
        let faulty = |row: &usize| faults[*row].is_some();
        let mut rows = 0..faults.len();
        // in a loop each follows from another
        let row = rows.clone().find(guilty).or_else(|| rows.find(faulty));
        let found = row.and_then(|row| Some((row, faults[row].as_ref()?)));
        match found {
            Some((row, found)) if row < states => {
                let state = Subject::State(control.states[row].clone());
                Some(Sentence::about(format!("the state `{state}`, {found}"), [state]))
            }
            Some((row, found)) => {
                let variable = Subject::Variable(control.variables[row - states].clone());
                Some(Sentence::about(format!("the variable `{variable}`, {found}"), [variable]))
            }
            None => self.explain_conditions(at),
        }
    }
}
