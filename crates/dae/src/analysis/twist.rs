//! Motions in which everything is carried by one constant twist of the world.
//!
//! A blade that spins with its hub is at rest in axes that turn with it. Let `v(q)` be the velocities of the
//! twist and `Γ = ∂v/∂q`. Small changes `u` are written in axes that the motion carries: those of frames
//! turn by themselves, those of points do not and seem to turn back, `Ṫ = T B`. Then `v̇ = −B v`, changes
//! of velocities and accelerations are
//!
//! ```text
//! δv = u̇ + Γu        δv̇ = ü + (Γ − B)u̇ − BΓu
//! ```
//!
//! and the equations of small motions get constant coefficients if forces and constraints turn along:
//!
//! ```text
//! M ü + [D + M(Γ − B)] u̇ + [K + DΓ − MBΓ] u − Gᵀδλ = 0,    G u = 0
//! ```

use super::dense::scales;
use super::projection::Kicks;
use super::space::{Space, Which};
use super::sparse::{Block, Entries, Independent, LARGE};
use super::statics::estimate_multipliers;
use crate::state::State;
use crate::system::{System, Terms, Weights};
use faer::Mat;

/// What changes by less than this, relative, is constant.
const CONSTANT: f64 = 1e-6;
/// How far the motion is followed to see whether anything changes, in radians.
const AHEAD: [f64; 2] = [0.3, 1.7];
/// Random vectors that stand for all.
const PROBES: usize = 3;

/// The derivatives of the velocities of a twist.
pub(super) struct TwistField {
    /// `Γ`.
    velocities: Block,
    /// `B`.
    axes: Block,
}

/// A motion in which everything is carried by one twist, and stays as it is in the axes that are.
pub(super) struct Steady {
    field: TwistField,
}

/// The twist of the thing that turns fastest.
pub(super) fn fastest(system: &dyn System, state: &State) -> [f64; 6] {
    let mut best = [0.0; 6];
    for reference in 0.. {
        let Some(twist) = system.twist_of(&state.point(), reference) else { break };
        if angular_speed(&twist) > angular_speed(&best) * (1.0 + 1e-9) {
            best = twist;
        }
    }
    best
}

/// The angular speed of a twist.
pub(super) fn angular_speed(twist: &[f64; 6]) -> f64 {
    (twist[3].powi(2) + twist[4].powi(2) + twist[5].powi(2)).sqrt()
}

impl TwistField {
    /// At a configuration; `None` if the system does not know.
    pub fn new(system: &dyn System, q: &[f64], twist: &[f64; 6]) -> Option<Self> {
        let n = system.sizes().motion;
        let (mut velocities, mut axes) = (Entries::default(), Entries::default());
        let known = system.swept_tangent(q, twist, &mut |i, j, [velocity, axis]| {
            velocities.push(i, j, velocity);
            axes.push(i, j, axis);
        });
        let block = |entries: &Entries| Block::gathered(n, n, entries);
        known.then(|| TwistField { velocities: block(&velocities), axes: block(&axes) })
    }

    /// Adds `DΓ − MBΓ`.
    pub fn add_stiffness(&self, mass: &Block, damping: &Block, entries: &mut Entries) {
        entries.add_product(damping, &self.velocities, 1.0);
        let n = mass.pattern.rows();
        let mut turned = Entries::default();
        turned.add_product(&self.axes, &self.velocities, -1.0);
        entries.add_product(mass, &Block::gathered(n, n, &turned), 1.0);
    }

    /// Adds `M(Γ − B)`.
    fn add_damping(&self, mass: &Block, entries: &mut Entries) {
        entries.add_product(mass, &self.velocities, 1.0);
        entries.add_product(mass, &self.axes, -1.0);
    }

    /// `T⁻¹x = exp(−B dt) x`, or its transpose, by the series.
    fn back(&self, x: &[f64], dt: f64, transposed: bool) -> Vec<f64> {
        let mut sum = x.to_vec();
        let mut term = x.to_vec();
        for k in 1..=24 {
            let mut next = vec![0.0; x.len()];
            match transposed {
                true => self.axes.add_transposed_product(&term, -dt / f64::from(k), &mut next),
                false => self.axes.add_product(&term, -dt / f64::from(k), &mut next),
            }
            term = next;
            sum.iter_mut().zip(&term).for_each(|(s, t)| *s += t);
        }
        sum
    }
}

impl Steady {
    /// Looks whether the motion at a state is of this kind. `None` may also mean that this way cannot tell.
    pub fn at(system: &mut dyn System, state: &State) -> Option<Self> {
        let sizes = system.sizes();
        if sizes.nonholonomic > 0 || system.patterns().reactions.is_some() {
            return None;
        }
        let twist = fastest(system, state);
        let speed = angular_speed(&twist);
        let field = TwistField::new(system, &state.q, &twist).filter(|_| speed > 0.0)?;
        let scale = scales(system);
        let swept = later(system, state, &twist, 0.0)?;
        let apart = |a: &[f64], b: &[f64]| {
            let each = a.iter().zip(b).zip(&scale).map(|((a, b), s)| ((a - b) / s).abs());
            each.fold(0.0, f64::max)
        };
        let fast = apart(&state.v, &vec![0.0; scale.len()]);
        if apart(&state.v, &swept.v) > CONSTANT * fast
            || apart(&state.vdot, &swept.vdot) > CONSTANT * fast * fast.max(1.0)
        {
            return None;
        }
        let now = Seen::at(system, state, &field, 0.0)?;
        for angle in AHEAD {
            let dt = angle / speed;
            let mut then = later(system, state, &twist, dt)?;
            estimate_multipliers(system, &mut then).ok()?;
            let then = Seen::at(system, &then, &field, dt)?;
            if !now.stays(&then, &scale) || !then.obeys(&now, &field, dt) {
                return None;
            }
        }
        Some(Steady { field })
    }

    /// Of a motion that one twist carries but that does not stay as it is: the coordinate whose equation changes most
    /// on the way.
    pub fn obstacle(system: &mut dyn System, state: &State) -> Option<usize> {
        let twist = fastest(system, state);
        let speed = angular_speed(&twist);
        let field = TwistField::new(system, &state.q, &twist).filter(|_| speed > 0.0)?;
        let scale = scales(system);
        let now = Seen::at(system, state, &field, 0.0)?;
        let dt = AHEAD[0] / speed;
        let mut then = later(system, state, &twist, dt)?;
        estimate_multipliers(system, &mut then).ok()?;
        let then = Seen::at(system, &then, &field, dt)?;
        now.most_changed(&then, &scale)
    }

    /// `B` as a dense matrix.
    pub fn axes(&self) -> Mat<f64> {
        self.field.axes.dense()
    }

    /// Damping and stiffness of small motions in the axes that are carried.
    pub fn relative(&self, mass: &Block, damping: &Block, stiffness: &Block) -> [Block; 2] {
        let n = mass.pattern.rows();
        let (mut by_rate, mut by_place) = (Entries::default(), Entries::default());
        by_rate.add(damping, 0, 0, 1.0);
        self.field.add_damping(mass, &mut by_rate);
        by_place.add(stiffness, 0, 0, 1.0);
        self.field.add_stiffness(mass, damping, &mut by_place);
        [by_rate, by_place].map(|entries| Block::gathered(n, n, &entries))
    }
}

/// The state after some time, without its multipliers.
fn later(system: &dyn System, state: &State, twist: &[f64; 6], dt: f64) -> Option<State> {
    let mut later = state.clone();
    let known = system.swept_on(&state.q, twist, dt, &mut later.q);
    system.swept(&later.q, twist, &mut later.v, &mut later.vdot);
    later.t += dt;
    known.then_some(later)
}

/// What can be seen of the equations at a state, in the axes that are carried.
struct Seen {
    /// Products of mass, damping and stiffness with random vectors.
    products: [Vec<Vec<f64>>; 3],
    /// The largest entries of the three, in the scales of the coordinates.
    sizes: [f64; 3],
    /// Forces that do not balance, the largest of them and of those that do, the latter two in these scales.
    residual: Vec<f64>,
    unbalanced: f64,
    load: f64,
    /// Gradient of the constraints, rows of length one in these scales.
    gradient: Block,
    /// Random motions that the constraints allow.
    allowed: Vec<Vec<f64>>,
}

impl Seen {
    fn at(system: &mut dyn System, state: &State, field: &TwistField, dt: f64) -> Option<Self> {
        let scale = scales(system);
        let at = state.point();
        let mut kicks = Kicks::new();
        let mut random = || -> Vec<f64> { scale.iter().map(|s| s * kicks.number()).collect() };
        let probes: Vec<Vec<f64>> = (0..PROBES).map(|_| random()).collect();
        let mut sizes = [0.0; 3];
        let mut products = [Weights::MASS, Weights::DAMPING, Weights::STIFFNESS].map(|weights| {
            let block = Block::tangent(system, &at, weights, Terms::ALL);
            let seen = |x: &Vec<f64>| {
                let mut product = vec![0.0; x.len()];
                block.add_product(&field.back(x, dt, false), 1.0, &mut product);
                field.back(&product, dt, true)
            };
            (probes.iter().map(seen).collect::<Vec<_>>(), block)
        });
        for (size, (_, block)) in sizes.iter_mut().zip(&mut products) {
            let entries = block.pattern.iter().zip(&block.values);
            *size = entries.fold(0.0, |m: f64, ((i, j), v)| m.max((v * scale[i] * scale[j]).abs()));
        }
        let products = products.map(|(product, _)| product);
        let mut force = |terms| {
            let mut force = vec![0.0; scale.len()];
            system.dynamics(&at, terms, &mut force);
            force
        };
        let largest =
            |f: &[f64]| f.iter().zip(&scale).fold(0.0, |m: f64, (f, s)| m.max((f * s).abs()));
        let residual = force(Terms::ALL);
        let (unbalanced, load) = (largest(&residual), largest(&force(Terms::WITHOUT_REACTIONS)));
        let gradient = Block::gradient(system, &at);
        let norms = Block::gradient(system, &at).scaled(|_| 1.0, |j| scale[j]).row_norms();
        let gradient =
            gradient.scaled(|i| if norms[i] > 0.0 { 1.0 / norms[i] } else { 0.0 }, |_| 1.0);
        let allowed = allowed(system, state, probes)?;
        Some(Seen { products, sizes, residual, unbalanced, load, gradient, allowed })
    }

    /// Whether forces and their derivatives are the same then.
    fn stays(&self, then: &Seen, scale: &[f64]) -> bool {
        let [mass, _, stiffness] = self.sizes;
        // what would be damping at a typical frequency
        let typical = [mass, (mass * stiffness).sqrt(), stiffness];
        let largest =
            |x: &[f64]| x.iter().zip(scale).fold(0.0, |m: f64, (x, s)| m.max((x * s).abs()));
        let same = (0..3).all(|k| {
            let size = self.sizes[k].max(then.sizes[k]).max(1e-6 * typical[k]);
            self.products[k].iter().zip(&then.products[k]).all(|(now, then)| {
                let change: Vec<f64> = now.iter().zip(then).map(|(a, b)| a - b).collect();
                largest(&change) <= CONSTANT * size
            })
        });
        let load = self.load.max(then.load);
        same && then.unbalanced <= CONSTANT * load.max(1e-6 * stiffness)
    }

    /// The row of the equations that changes most, each kind of derivative measured by its largest entry.
    fn most_changed(&self, then: &Seen, scale: &[f64]) -> Option<usize> {
        let change = |i: usize| {
            let of_kind = |k: usize| {
                let size = self.sizes[k].max(then.sizes[k]).max(f64::MIN_POSITIVE);
                let both = self.products[k].iter().zip(&then.products[k]);
                both.fold(0.0, |m: f64, (a, b)| m.max((a[i] - b[i]).abs() * scale[i] / size))
            };
            let load = self.load.max(then.load).max(f64::MIN_POSITIVE);
            (0..3).map(of_kind).fold(then.residual[i].abs() * scale[i] / load, f64::max)
        };
        (0..scale.len()).max_by(|a, b| change(*a).total_cmp(&change(*b)))
    }

    /// Whether what was allowed before is allowed still.
    fn obeys(&self, before: &Seen, field: &TwistField, dt: f64) -> bool {
        before.allowed.iter().all(|motion| {
            let mut rates = vec![0.0; self.gradient.pattern.rows()];
            self.gradient.add_product(&field.back(motion, dt, false), 1.0, &mut rates);
            rates.iter().all(|rate| rate.abs() <= CONSTANT)
        })
    }
}

/// What the constraints leave of motions.
fn allowed(
    system: &mut dyn System,
    state: &State,
    motions: Vec<Vec<f64>>,
) -> Option<Vec<Vec<f64>>> {
    let sizes = system.sizes();
    if sizes.motion + sizes.multipliers() > LARGE
        && let Some(independent) = Independent::new(system, state)
    {
        return Some(motions.iter().map(|motion| independent.allowed(motion)).collect());
    }
    let space = Space::new(system, &state.point(), Which::All)?;
    let projection = space.kernel() * space.coordinates();
    Some(motions.iter().map(|motion| super::dense::times(&projection, motion)).collect())
}
