//! Accelerations by articulated bodies, without a matrix of the whole. [Featherstone 2008, 7.3]
//!
//! Every link has its own point, the one about which it turns, and axes of the world; so long chains keep their digits, and
//! twists need no linear velocities. With `z` the acceleration that velocities alone bring a link, `F` what it and everything above
//! miss without any other, and `I` the inertia of all that if the joints there give way,
//!
//! ```text
//! U = I S,   d = Sᵀ U,   u = −Sᵀ F,     I_p += I − U d⁻¹ Uᵀ,   F_p += F + I z + U d⁻¹ (u − Uᵀ z)    (moved to the parent's point)
//! v̇ = d⁻¹ (u − Uᵀ a),   a = a_p + z + S v̇                                                           back to the leaves
//! ```
//!
//! What a joint takes away is subtracted after the move, so that nothing waits for the division by `d`. Weight is an acceleration of
//! the ground upwards.

use super::chart::{three, turn};
mod responses;

pub(super) use responses::Responses;

use super::layout::{Layout, Rider};
use super::link::{Freedom, GROUND, Link};
use crate::lanes::{LANES, each, lane};
use crate::registers::{
    Columns, Three, columns, plus_dyad, product, sum, times, transposed, transposed_times, unit,
};
use crate::small_angle::sines_cosines;
use nalgebra::{Matrix3, Unit, Vector3};

/// How a link moves, with the axis the third of its own.
#[derive(Clone, Copy, Debug)]
enum Moves {
    /// With the number of its angle.
    Turns(usize),
    Slides,
    /// With the number of its ball, if it is one; else not at all.
    Rolls(Option<usize>),
}

/// What stays of a link. The ground is the link 0.
#[derive(Clone, Debug)]
struct Fixed {
    parent: usize,
    moves: Moves,
    q: usize,
    v: usize,
    /// Where it stands on its parent.
    axes: Columns,
    arm: Three,
    /// Mass, its first moment and the moments about the link's point, in the axes of the link.
    mass: f64,
    centre: Three,
    moments: Columns,
}

/// A link in motion.
#[derive(Clone, Copy, Debug, Default)]
struct Moving {
    axes: Columns,
    /// From the point of its parent.
    arm: Three,
    omega: Three,
    /// The acceleration that velocities bring, of the point and the angular one.
    drift: [Three; 2],
    /// The inertia `[A B; Bᵀ C]` along linear and angular velocity.
    a: Columns,
    b: Columns,
    c: Columns,
    /// Force and moment that are missed.
    missed: [Three; 2],
    given: Given,
    /// The acceleration that it has.
    gained: [Three; 2],
}

/// A motion that gives way: `U`, `1/d` and `u`.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    push: [Three; 2],
    inverse: f64,
    u: f64,
}

/// The recursion with its room.
#[derive(Clone, Debug)]
pub(super) struct Recursion {
    fixed: Vec<Fixed>,
    moving: Vec<Moving>,
    /// Places of the angles of all turns, filled up to whole registers, and their sines and cosines.
    turns: Vec<[usize; LANES]>,
    sines: Vec<[f64; 2]>,
    /// Motions of balls, of which each has three.
    balls: Vec<[Given; 3]>,
}

/// Axes of which the third is that of the motion, in those of a link.
fn aligned(freedom: &Freedom) -> Matrix3<f64> {
    match freedom {
        Freedom::Turn(axis) | Freedom::Slide(axis) => {
            // nothing but the axis matters; one across the longest way round is well defined
            let across = Unit::new_normalize(axis.cross(&Vector3::ith(axis.iamin(), 1.0)));
            Matrix3::from_columns(&[across.into_inner(), axis.cross(&across), *axis])
        }
        _ => Matrix3::identity(),
    }
}

impl Recursion {
    /// `inertia` tells mass and moments of a body at its node.
    pub fn new(layout: &Layout, inertia: impl Fn(&Rider) -> (f64, Matrix3<f64>)) -> Self {
        let own_axes: Vec<Matrix3<f64>> =
            layout.links.iter().map(|link| aligned(&link.freedom)).collect();
        let ground = Fixed {
            parent: 0,
            moves: Moves::Rolls(None),
            q: 0,
            v: 0,
            axes: unit(),
            arm: Three::default(),
            mass: 0.0,
            centre: Three::default(),
            moments: Columns::default(),
        };
        let (mut fixed, mut turns, mut balls) = (vec![ground], Vec::new(), 0);
        for (link, axes) in layout.links.iter().zip(&own_axes) {
            let Link { parent, place, freedom, q, v } = *link;
            let below = if parent == GROUND { Matrix3::identity() } else { own_axes[parent] };
            let moves = match freedom {
                Freedom::None => Moves::Rolls(None),
                Freedom::Slide(_) => Moves::Slides,
                Freedom::Turn(_) => {
                    turns.push(q);
                    Moves::Turns(turns.len() - 1)
                }
                Freedom::Ball => {
                    balls += 1;
                    Moves::Rolls(Some(balls - 1))
                }
            };
            fixed.push(Fixed {
                parent: if parent == GROUND { 0 } else { parent + 1 },
                moves,
                q,
                v,
                axes: columns(&(below.transpose() * place.orientation.to_matrix() * axes)),
                arm: Three::from(&below.tr_mul(&place.position)),
                mass: 0.0,
                centre: Three::default(),
                moments: Columns::default(),
            });
        }
        for rider in &layout.riders {
            let (mass, moments) = inertia(rider);
            let axes = &own_axes[rider.link];
            let arm = axes.tr_mul(&rider.arm);
            let about = Matrix3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose();
            let link = &mut fixed[rider.link + 1];
            link.mass = mass;
            link.centre = Three::from(&(arm * mass));
            link.moments = columns(&(axes.tr_mul(&moments) * axes + about * mass));
        }
        let moving = Moving { axes: unit(), ..Moving::default() };
        let mut places: Vec<[usize; LANES]> = Vec::new();
        for chunk in turns.chunks(LANES) {
            places.push(std::array::from_fn(|l| chunk[l.min(chunk.len() - 1)]));
        }
        Recursion {
            moving: vec![moving; fixed.len()],
            sines: vec![[0.0, 1.0]; places.len() * LANES],
            turns: places,
            balls: vec![[Given::default(); 3]; balls],
            fixed,
        }
    }

    /// Places all links, with what they miss by their velocities.
    pub fn place(&mut self, q: &[f64], v: &[f64]) {
        for (places, sines) in self.turns.iter().zip(self.sines.as_chunks_mut::<LANES>().0) {
            let (sine, cosine) = sines_cosines(each(|l| q[places[l]]));
            *sines = std::array::from_fn(|l| [lane(sine, l), lane(cosine, l)]);
        }
        let count = self.fixed.len();
        let (fixed, moving) = (&self.fixed[..count], &mut self.moving[..count]);
        for (k, link) in fixed.iter().enumerate().skip(1) {
            let Moving { axes: below, omega, .. } = moving[link.parent];
            let stands = product(&below, &link.axes);
            let mut arm = times(&below, link.arm);
            let axis = stands[2];
            let (mut axes, mut spin) = (stands, omega);
            let (mut sliding, mut angular) = (Three::default(), Three::default());
            // two plain branches: three more would be a jump through a table, which is predicted badly
            if let Moves::Turns(turn) = link.moves {
                let [sine, cosine] = self.sines[turn];
                axes[0] = (stands[0] * cosine).plus(sine, stands[1]);
                axes[1] = (stands[1] * cosine).plus(-sine, stands[0]);
                angular = omega.cross(axis) * v[link.v];
                spin = omega.plus(v[link.v], axis);
            } else if let Moves::Slides = link.moves {
                arm = arm.plus(q[link.q], axis);
                sliding = omega.cross(axis) * (2.0 * v[link.v]);
            } else if let Moves::Rolls(Some(_)) = link.moves {
                let own;
                (axes, own) = rolled(&stands, q, v, link);
                angular = omega.cross(own);
                spin = omega + own;
            }
            let here = &mut moving[k];
            here.axes = axes;
            here.arm = arm;
            here.omega = spin;
            here.drift = [omega.cross(omega.cross(arm)) + sliding, angular];
            let centre = times(&axes, link.centre);
            let turned = product(&axes, &link.moments);
            let c = product(&turned, &transposed(&axes));
            let [x, y, z] = unit();
            here.a = [x * link.mass, y * link.mass, z * link.mass];
            here.b = [x.cross(centre), y.cross(centre), z.cross(centre)];
            here.c = c;
            here.missed = [spin.cross(spin.cross(centre)), spin.cross(times(&c, spin))];
        }
    }

    /// Adds a force on a link, with its moment about the link's point.
    pub fn push(&mut self, link: usize, force: &Vector3<f64>, moment: &Vector3<f64>) {
        let [missed, turning] = &mut self.moving[link + 1].missed;
        *missed = *missed - Three::from(force);
        *turning = *turning - Three::from(moment);
    }

    /// Takes inertia and what is missed to the ground. False if some motion has no inertia.
    pub fn give_way(&mut self) -> bool {
        let count = self.fixed.len();
        let (fixed, moving) = (&self.fixed[..count], &mut self.moving[..count]);
        let mut determined = true;
        for k in (1..count).rev() {
            let link = &fixed[k];
            let (below, here) = moving.split_at_mut(k);
            let (parent, here) = (&mut below[link.parent], &mut here[0]);
            let axis = here.axes[2];
            let mut push = [Three::default(); 2];
            let (mut inverse, mut u) = (0.0, 0.0);
            if let Moves::Turns(_) = link.moves {
                push = [times(&here.b, axis), times(&here.c, axis)];
                let d = axis.dot(push[1]);
                determined &= d > 0.0;
                inverse = 1.0 / d;
                u = -axis.dot(here.missed[1]);
            } else if let Moves::Slides = link.moves {
                push = [times(&here.a, axis), transposed_times(&here.b, axis)];
                let d = axis.dot(push[0]);
                determined &= d > 0.0;
                inverse = 1.0 / d;
                u = -axis.dot(here.missed[0]);
            } else if let Moves::Rolls(Some(ball)) = link.moves {
                determined &= here.roll(&mut self.balls[ball]);
            }
            here.given = Given { push, inverse, u };
            if link.parent == 0 {
                continue;
            }
            let Moving { a, b, c, drift, missed, arm, .. } = *here;
            // with the whole inertia at the parent's point
            let [x, y, z] = arm.entries();
            let half =
                [(a[2] * y).plus(-z, a[1]), (a[0] * z).plus(-x, a[2]), (a[1] * x).plus(-y, a[0])];
            let moved = [
                arm.cross(b[0].plus(0.5, half[0])),
                arm.cross(b[1].plus(0.5, half[1])),
                arm.cross(b[2].plus(0.5, half[2])),
            ];
            let force = missed[0] + times(&a, drift[0]) + times(&b, drift[1]);
            let moment = missed[1] + transposed_times(&b, drift[0]) + times(&c, drift[1]);
            // then less what the joint lets go
            let [linear, own] = push;
            let angular = own + arm.cross(linear);
            let share = (u - linear.dot(drift[0]) - own.dot(drift[1])) * inverse;
            parent.missed[0] = (parent.missed[0] + force).plus(share, linear);
            parent.missed[1] = (parent.missed[1] + moment + arm.cross(force)).plus(share, angular);
            let (lost, turned) = (linear * -inverse, angular * -inverse);
            let c = sum(&sum(&c, &moved), &sum(&transposed(&moved), &parent.c));
            parent.c = plus_dyad(&c, angular, turned);
            parent.b = plus_dyad(&sum(&sum(&b, &half), &parent.b), angular, lost);
            parent.a = plus_dyad(&sum(&a, &parent.a), linear, lost);
        }
        determined
    }

    /// The accelerations, from those of the ground to the leaves. False if they are not finite.
    pub fn accelerate(&mut self, ground: Three, out: &mut [f64]) -> bool {
        let count = self.fixed.len();
        let (fixed, moving) = (&self.fixed[..count], &mut self.moving[..count]);
        moving[0].gained = [ground, Three::default()];
        let mut finite = true;
        for k in 1..count {
            let link = &fixed[k];
            let (below, here) = moving.split_at_mut(k);
            let [linear, angular] = below[link.parent].gained;
            let here = &mut here[0];
            let linear = linear + here.drift[0] + angular.cross(here.arm);
            let angular = angular + here.drift[1];
            let axis = here.axes[2];
            let mut gained = [linear, angular];
            if let Moves::Rolls(ball) = link.moves {
                if let Some(ball) = ball {
                    let out = &mut out[link.v..link.v + 3];
                    here.unroll(&self.balls[ball], &mut gained, out);
                    finite &= out.iter().all(|given| given.is_finite());
                }
            } else {
                let given = here.given.acceleration(gained);
                out[link.v] = given;
                finite &= given.is_finite();
                let along = if let Moves::Turns(_) = link.moves { 1 } else { 0 };
                gained[along] = gained[along].plus(given, axis);
            }
            here.gained = gained;
        }
        finite
    }
}

impl Moving {
    /// Lets a ball give way, one motion after the other: each sees those before it as given way already.
    #[inline(never)]
    fn roll(&mut self, motions: &mut [Given; 3]) -> bool {
        let mut determined = true;
        for (axis, given) in self.axes.into_iter().zip(motions) {
            let push = [times(&self.b, axis), times(&self.c, axis)];
            let d = axis.dot(push[1]);
            determined &= d > 0.0;
            *given = Given { push, inverse: 1.0 / d, u: -axis.dot(self.missed[1]) };
            let [linear, angular] = push;
            let (lost, turned) = (linear * -given.inverse, angular * -given.inverse);
            self.c = plus_dyad(&self.c, angular, turned);
            self.b = plus_dyad(&self.b, angular, lost);
            self.a = plus_dyad(&self.a, linear, lost);
            let share = given.u * given.inverse;
            self.missed = [self.missed[0].plus(share, linear), self.missed[1].plus(share, angular)];
        }
        determined
    }

    /// The accelerations of a ball, added to those that its link has without them.
    #[inline(never)]
    fn unroll(&self, motions: &[Given; 3], gained: &mut [Three; 2], out: &mut [f64]) {
        for k in (0..3).rev() {
            out[k] = motions[k].acceleration(*gained);
            gained[1] = gained[1].plus(out[k], self.axes[k]);
        }
    }
}

/// Axes of a ball and its angular velocity against its parent.
#[inline(never)]
fn rolled(stands: &Columns, q: &[f64], v: &[f64], link: &Fixed) -> (Columns, Three) {
    let axes = product(stands, &columns(&turn(q, link.q).to_matrix()));
    let own = times(&axes, Three::from(&three(v, link.v)));
    (axes, own)
}

impl Given {
    #[inline(always)]
    fn acceleration(&self, of: [Three; 2]) -> f64 {
        (self.u - self.push[0].dot(of[0]) - self.push[1].dot(of[1])) * self.inverse
    }
}
