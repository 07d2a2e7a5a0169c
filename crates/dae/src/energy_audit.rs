//! The energy balance of a run: energies and work of one instant, how far they miss each other, and what
//! that is to be measured against.

use crate::contact::contact_rows;
use crate::contact_record::ContactState;
use crate::contact_watch::ContactWatch;
use crate::located::Strike;
use crate::state::State;
use crate::statistics::Audit;
use crate::system::{Level, Point, System, Terms};
use crate::trajectory::{Table, Trajectory};
use serde::{Deserialize, Serialize};

/// A defect below this part of the energies that are there, or of the work that the forces would do along
/// the characteristic lengths of the system, is what rounding and the iteration leave.
const ROUNDING: f64 = 1e-9;

/// Books energy and work.
#[derive(Serialize, Deserialize)]
pub(crate) struct EnergyBook {
    /// Work of loads, dampers and drives until the last accepted step.
    work: f64,
    /// Work of contacts until then.
    contact_work: f64,
    /// Work of both until the instant that is recorded next.
    now: f64,
    /// Whether energy and work of that instant belong together: not amidst an impact.
    whole: bool,
    /// What both were before the last step, and how much it added to each.
    before: [f64; 2],
    done: [f64; 2],
    /// All work, in either direction.
    turnover: f64,
    /// Potential energy of the start.
    potential: f64,
    /// Rows recorded.
    rows: usize,
    middle: State,
    local: Vec<f64>,
}

impl EnergyBook {
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        EnergyBook {
            work: 0.0,
            contact_work: 0.0,
            now: 0.0,
            whole: true,
            before: [0.0; 2],
            done: [0.0; 2],
            turnover: 0.0,
            potential: 0.0,
            rows: 0,
            middle: State::zeros(sizes),
            local: vec![0.0; sizes.motion],
        }
    }

    /// Opens the book at the start.
    pub fn begin(&mut self, system: &mut dyn System, state: &State, trajectory: &mut Trajectory) {
        let known = system.energy(&state.point());
        if known.is_none() {
            trajectory.energy = Table::new(0);
        }
        let audit = &mut trajectory.audit;
        audit.initial_energy = known.map(|e| e.kinetic + e.potential);
        audit.energy_defect = known.map(|_| 0.0);
        audit.energy_exchanged = known.map(|_| 0.0);
        audit.energy_floor = known.map(|_| 0.0);
        audit.work = known.map(|_| 0.0);
        self.potential = known.map_or(0.0, |e| e.potential);
    }

    /// Books an accepted step, with the work in it if the scheme has integrated that.
    pub fn step(
        &mut self,
        system: &mut dyn System,
        (from, to): (&State, &State),
        work: Option<f64>,
        contacts: &mut ContactWatch,
        audit: &mut Audit,
    ) {
        self.before = [self.work, self.contact_work];
        let done = match contacts.state.impulses.is_empty() {
            _ if audit.initial_energy.is_none() => None,
            _ if work.is_some() => work,
            true => self.smooth_work(system, from, to),
            false => self.work_with_contacts(system, (from, to), &contacts.state),
        };
        let by_contacts = contacts.work(system, from, to);
        self.done = [done.unwrap_or(0.0), by_contacts];
        self.work += self.done[0];
        self.contact_work += by_contacts;
        self.turnover += self.done[0].abs() + by_contacts.abs();
        audit.work = audit.work.map(|_| self.work);
        if !contacts.state.closed.is_empty() {
            audit.contact_work = Some(self.contact_work);
        }
        contacts.audit(system, to, by_contacts, audit);
    }

    /// Books an impact at an instant. What moves the surfaces does work as well: impulses times the rates that rows have
    /// where nothing moves.
    pub fn strike(
        &mut self,
        system: &mut dyn System,
        state: &State,
        strike: &Strike,
        bilateral: &[f64],
        audit: &mut Audit,
    ) {
        let by_contacts: f64 = (0..strike.partners.len()).map(|i| -strike.taken(i)).sum();
        self.local.fill(0.0);
        let at = Point { v: &self.local, ..state.point() };
        let mut rates = vec![0.0; contact_rows(system.contacts())];
        system.contact(Level::Velocity, &at, &mut rates);
        let mut by_drives = 0.0;
        for (i, partner) in strike.partners.iter().enumerate() {
            let own = rates[partner.row..].iter().zip(&strike.impulses[strike.rows(i)]);
            by_drives -= own.map(|(rate, impulse)| rate * impulse).sum::<f64>();
        }
        let mut rates = vec![0.0; bilateral.len()];
        system.constraint(Level::Velocity, &at, &mut rates);
        by_drives -= rates.iter().zip(bilateral).map(|(rate, impulse)| rate * impulse).sum::<f64>();
        self.work += by_drives;
        self.contact_work += by_contacts;
        self.turnover += by_drives.abs() + by_contacts.abs();
        audit.work = audit.work.map(|_| self.work);
        audit.contact_work = Some(self.contact_work);
    }

    /// The end of the last step is recorded next.
    pub fn at_end(&mut self) {
        (self.now, self.whole) = (self.work + self.contact_work, true);
    }

    /// A state within the last step is recorded next: work until then, if the scheme knows it.
    pub fn within(
        &mut self,
        system: &mut dyn System,
        (from, to): (&State, &State),
        between: &State,
        work: Option<f64>,
        contacts: &ContactState,
    ) {
        let share = (between.t - from.t) / (to.t - from.t);
        self.whole = contacts.impulses.iter().all(|&impulse| impulse == 0.0);
        let done = match self.whole {
            _ if work.is_some() => work.unwrap_or(0.0),
            true => self.smooth_work(system, from, between).unwrap_or(0.0),
            false => share * self.done[0],
        };
        self.now = self.before[0] + self.before[1] + done + share * self.done[1];
    }

    /// Kinetic energy, potential energy and work of the instant that is recorded, as far as they are known.
    pub fn row(&mut self, system: &mut dyn System, state: &State, audit: &mut Audit) -> [f64; 3] {
        let (Some(start), Some(known)) = (audit.initial_energy, system.energy(&state.point()))
        else {
            return [f64::NAN; 3];
        };
        let energy = known.kinetic + known.potential;
        audit.final_energy = Some(energy);
        let defect = energy - start - self.now;
        if self.whole && defect.abs() > audit.energy_defect.unwrap_or(0.0) {
            (audit.energy_defect, audit.energy_defect_at) = (Some(defect.abs()), Some(state.t));
        }
        let raise = |value: &mut Option<f64>, by: f64| *value = value.map(|old| old.max(by));
        let moved = known.kinetic.max((known.potential - self.potential).abs());
        raise(&mut audit.energy_exchanged, moved.max(self.turnover));
        raise(&mut audit.energy_floor, ROUNDING * (known.kinetic + known.potential.abs()));
        self.rows += 1;
        // forces do not change so fast that each row must be looked at
        if self.rows.is_power_of_two() || self.rows.is_multiple_of(64) {
            raise(&mut audit.energy_floor, ROUNDING * self.work_of_scale(system, state));
        }
        [known.kinetic, known.potential, self.now]
    }

    /// Work that the forces would do along the characteristic lengths.
    fn work_of_scale(&mut self, system: &mut dyn System, state: &State) -> f64 {
        let forces = Terms { inertia: false, forces: true, reactions: false };
        system.dynamics(&state.point(), forces, &mut self.local);
        let work = |(i, force): (usize, &f64)| force.abs() * system.scale(i);
        self.local.iter().enumerate().map(work).sum()
    }

    /// Work of loads, dampers and drives between two states, if their power is known: their power in the
    /// middle of the way with the velocity of the way itself.
    ///
    /// That is a force times the way on which it acts, which is how a step does work. Powers at the ends
    /// would not do: of motions that are too fast for the step, velocities at its ends swing from step
    /// to step though hardly any way is gone, and the square of such a velocity times a damping takes
    /// energy that was never there.
    fn smooth_work(&mut self, system: &mut dyn System, from: &State, to: &State) -> Option<f64> {
        let h = to.t - from.t;
        if h <= 0.0 || system.is_conservative() {
            return Some(0.0);
        }
        let EnergyBook { middle, local, .. } = self;
        system.local(&from.q, &to.q, local);
        for (way, velocity) in local.iter_mut().zip(&mut middle.v) {
            *velocity = *way / h;
            *way *= 0.5;
        }
        system.retract(&from.q, local, &mut middle.q);
        middle.t = from.t + 0.5 * h;
        for (middle, (from, to)) in [
            (&mut middle.vdot, (&from.vdot, &to.vdot)),
            (&mut middle.multipliers, (&from.multipliers, &to.multipliers)),
            (&mut middle.x, (&from.x, &to.x)),
            (&mut middle.xdot, (&from.xdot, &to.xdot)),
            (&mut middle.y, (&from.y, &to.y)),
        ] {
            let ends = from.iter().zip(to);
            middle.iter_mut().zip(ends).for_each(|(m, (a, b))| *m = 0.5 * (a + b));
        }
        Some(h * system.power(&middle.point())?)
    }

    /// The same in a step with contacts, in which velocities jump.
    ///
    /// The force that acts is `f̄ = ½(f(v₀) + f(v₁))`, and its way `h b` with `b = ½(v₀ + v₁ − w)`: a jump `w`
    /// takes no way, so that a finite force does no work in it. What is known of forces is their power
    /// `P(v) = P(0) + f(v)ᵀv`. For loads and dampers, whose forces are linear in the velocity with a symmetric
    /// matrix, `f(a)ᵀb = P(½(a + b)) − P(½(a − b))`; here `a = ½(v₀ + v₁)`, so `a − b = ½w`. Drives act with the
    /// total impulses of their constraints.
    fn work_with_contacts(
        &mut self,
        system: &mut dyn System,
        (from, to): (&State, &State),
        contacts: &ContactState,
    ) -> Option<f64> {
        let h = to.t - from.t;
        let total = contacts.bilateral.iter().map(|impulse| impulse / h);
        self.middle.multipliers.clear();
        self.middle.multipliers.extend(total);
        let multipliers = &self.middle.multipliers;
        let jumps = contacts.jump.iter().any(|&w| w != 0.0);
        let mut sum = 0.0;
        // P(½(a + b)), and where velocities jump −P(½(a − b)) + P(0)
        for (factor, mean, late) in [(1.0, 1.0, -0.25), (-1.0, 0.0, 0.25), (1.0, 0.0, 0.0)] {
            let jump = contacts.jump.iter().copied().chain(std::iter::repeat(0.0));
            for (i, w) in (0..self.local.len()).zip(jump) {
                self.local[i] = mean * 0.5 * (from.v[i] + to.v[i]) + late * w;
            }
            for state in [from, to] {
                let at = Point { v: &self.local, multipliers, ..state.point() };
                sum += factor * system.power(&at)?;
            }
            if !jumps {
                break;
            }
        }
        Some(0.5 * h * sum)
    }
}
