//! Memory for evaluations with one type of number.

use std::ops::Range;

use super::dual::Dual;
use super::equations::{Arguments, AuxiliaryArguments, Equations};
use super::mass::MassMatrix;
use super::scalar::Scalar;
use crate::system::{Point, Sizes};

/// Directions per pass: one vector register, and little waste for small systems.
pub(super) const WIDTH: usize = 4;

/// Derivatives with respect to a chunk of unknowns.
///
/// Where numbers are nested, this one is innermost: its arrays of `f64` suit vector instructions.
pub(super) type Gradient = Dual<f64, WIDTH>;
/// Derivative along the motion.
pub(super) type Rate = Dual<f64, 1>;
/// Second derivative along the motion.
pub(super) type SecondRate = Dual<Rate, 1>;
/// Derivatives of a rate.
pub(super) type RateGradient = Dual<Gradient, 1>;
/// Derivatives of a second rate.
pub(super) type SecondRateGradient = Dual<RateGradient, 1>;
/// Mixed second derivatives: rows outside, columns inside.
pub(super) type Hessian = Dual<Gradient, WIDTH>;

/// The chunks of `count` unknowns that share a pass.
pub(super) fn chunks(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(WIDTH).map(move |start| start..count.min(start + WIDTH))
}

/// Unknown `index`, moving with the given rate in its own direction if it belongs to the chunk.
#[inline]
pub(super) fn seeded(value: f64, weight: f64, index: usize, chunk: &Range<usize>) -> Gradient {
    let mut gradient = Gradient::constant(value);
    if chunk.contains(&index) {
        gradient.dual[index - chunk.start] = weight;
    }
    gradient
}

/// A number that moves along with the motion.
#[inline]
pub(super) fn moving<T>(value: T, rate: T) -> Dual<T, 1> {
    Dual { real: value, dual: [rate] }
}

/// Arguments and results of all formulas for one type of number.
#[derive(Clone, Debug)]
pub(super) struct Workspace<T> {
    sizes: Sizes,
    pub t: T,
    pub q: Vec<T>,
    pub v: Vec<T>,
    pub vdot: Vec<T>,
    pub multipliers: Vec<T>,
    pub x: Vec<T>,
    pub xdot: Vec<T>,
    pub y: Vec<T>,
    pub mass: MassMatrix<T>,
    out: Vec<T>,
}

impl<T: Scalar> Workspace<T> {
    /// Memory for all formulas.
    pub fn new(sizes: Sizes) -> Self {
        let zeros = |count| vec![T::from(0.0); count];
        let longest = sizes.motion.max(sizes.multipliers()).max(sizes.auxiliary());
        Workspace {
            sizes,
            t: T::from(0.0),
            q: zeros(sizes.motion),
            v: zeros(sizes.motion),
            vdot: zeros(sizes.motion),
            multipliers: zeros(sizes.multipliers()),
            x: zeros(sizes.states),
            xdot: zeros(sizes.states),
            y: zeros(sizes.variables),
            mass: MassMatrix::zeros(sizes.motion),
            out: zeros(longest),
        }
    }

    /// Memory for constraints only: a mass matrix of nested numbers would be large.
    pub fn for_constraints(sizes: Sizes) -> Self {
        let rows = sizes.multipliers();
        let mut workspace = Workspace::new(Sizes { motion: sizes.motion, ..Sizes::default() });
        workspace.sizes = sizes;
        workspace.mass = MassMatrix::zeros(0);
        workspace.out = vec![T::from(0.0); rows];
        workspace
    }

    /// The sizes of the system.
    #[inline]
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Coordinates and velocities, each made from its index.
    #[inline]
    pub fn set_motion(&mut self, q: impl Fn(usize) -> T, v: impl Fn(usize) -> T) {
        fill(&mut self.q, q);
        fill(&mut self.v, v);
    }

    /// Evaluates the mass matrix.
    #[inline]
    pub fn mass(&mut self, equations: &impl Equations) -> &MassMatrix<T> {
        self.mass.clear();
        equations.mass(self.t, &self.q, &mut self.mass);
        &self.mass
    }

    /// Evaluates the forces; `multipliers` says whether they may see the multipliers.
    #[inline]
    pub fn force(&mut self, equations: &impl Equations, multipliers: bool) -> &[T] {
        let out = cleared(&mut self.out, self.sizes.motion);
        let at = Arguments {
            t: self.t,
            q: &self.q,
            v: &self.v,
            multipliers: if multipliers { &self.multipliers } else { &[] },
            x: &self.x,
            y: &self.y,
        };
        equations.force(&at, out);
        out
    }

    /// Evaluates the holonomic constraints.
    #[inline]
    pub fn holonomic(&mut self, equations: &impl Equations) -> &[T] {
        let out = cleared(&mut self.out, self.sizes.holonomic);
        equations.holonomic(self.t, &self.q, out);
        out
    }

    /// Evaluates the nonholonomic constraints.
    #[inline]
    pub fn nonholonomic(&mut self, equations: &impl Equations) -> &[T] {
        let out = cleared(&mut self.out, self.sizes.nonholonomic);
        equations.nonholonomic(self.t, &self.q, &self.v, out);
        out
    }

    /// Evaluates the auxiliary equations.
    #[inline]
    pub fn auxiliary(&mut self, equations: &impl Equations) -> &[T] {
        let out = cleared(&mut self.out, self.sizes.auxiliary());
        let at = AuxiliaryArguments {
            t: self.t,
            q: &self.q,
            v: &self.v,
            vdot: &self.vdot,
            multipliers: &self.multipliers,
            x: &self.x,
            xdot: &self.xdot,
            y: &self.y,
        };
        equations.auxiliary(&at, out);
        out
    }

    /// Takes over a whole point as constants.
    pub fn load(&mut self, at: &Point) {
        let constant = |values: &[f64], target: &mut [T]| {
            for (to, &from) in target.iter_mut().zip(values) {
                *to = T::from(from);
            }
        };
        self.t = T::from(at.t);
        constant(at.q, &mut self.q);
        constant(at.v, &mut self.v);
        constant(at.vdot, &mut self.vdot);
        constant(at.multipliers, &mut self.multipliers);
        constant(at.x, &mut self.x);
        constant(at.xdot, &mut self.xdot);
        constant(at.y, &mut self.y);
    }
}

/// Overwrites an array, entry by entry.
#[inline]
pub(super) fn fill<T>(target: &mut [T], make: impl Fn(usize) -> T) {
    for (i, entry) in target.iter_mut().enumerate() {
        *entry = make(i);
    }
}

/// The first `count` entries, made zero.
#[inline]
fn cleared<T: Scalar>(out: &mut [T], count: usize) -> &mut [T] {
    let out = &mut out[..count];
    out.fill(T::from(0.0));
    out
}
