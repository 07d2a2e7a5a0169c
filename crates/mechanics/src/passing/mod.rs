//! What passes through what within a step: nothing may.
//!
//! ```text
//! with a bound B on the speed of surfaces towards each other, a distance d at t cannot close before t + d/B
//! advance by d/B, at least by a small part of the thinner solid, until the surfaces meet or the step ends
//! ```
//!
//! This is conservative advancement [Mirtich 1996] along the course of the step that was attempted: no meeting is missed that is
//! longer than that small part. Where bodies are far from each other for what they travel, it costs the distance of two spheres.
//!
//! | file | content |
//! |---|---|
//! | `course` | how a body moves in a step |
//! | `mobility` | how a force moves a body |

mod course;
mod mobility;

use crate::force::{from_library, library_hull, to_pose};
use crate::marker::Marker;
use crate::node::Motion;
use crate::shape::Shape;
use crate::unilateral::Solid;
use course::Course;
pub(crate) use mobility::Mobility;
use nalgebra::Vector3;
use parry3d_f64::query::{DefaultQueryDispatcher, QueryDispatcher};
use rotula_lie::Frame;
use std::fmt;

/// Parts of the thinner solid that may be overlooked, and within which the instant of meeting is found.
const OVERLOOKED: f64 = 0.05;
pub(crate) const FOUND: f64 = 0.01;
/// Overlaps deeper than this part of the thinner solid are too deep.
pub(crate) const DEEP: f64 = 0.5;
/// Solids that go on by less than this part of the thinner one after they have met have not passed through each other.
pub(crate) const SHALLOW: f64 = 0.1;
/// Most distances that are measured for one pair in one step.
const MOST: usize = 2000;
/// Halves until the instant of meeting is found.
const MOST_HALVES: usize = 50;

/// The motions of all nodes at both ends of a step, and its size.
#[derive(Clone, Copy)]
pub(crate) struct Ends<'a> {
    pub from: &'a [Motion],
    pub to: &'a [Motion],
    pub h: f64,
}

/// How finely bounces are resolved. A step that is the part `p` of a bounce at the speed `u` leaves an error like `u p²` in the velocity
/// after it. That is to be the same part of the fastest motion for all bounces, so that slow ones need not be seen as finely: they
/// are what a machine at work has many of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolution {
    /// The part of a bounce at the fastest speed.
    pub part: f64,
    /// The fastest speed of what is watched.
    pub fastest: f64,
}

impl Resolution {
    /// The part of a bounce at a speed that a step may be.
    pub(crate) fn part_at(&self, speed: f64) -> f64 {
        self.part * (self.fastest / speed).max(1.0).sqrt()
    }
}

/// Two solids that are apart at first and meet within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    /// They are still apart at this time after the start of the step.
    pub apart: f64,
    /// They overlap at this one.
    pub met: f64,
    /// How fast they approach each other.
    pub speed: f64,
}

/// Two solids on two nodes, of which one may be all below a plane.
#[derive(Clone)]
pub(crate) struct Passing {
    markers: [Marker; 2],
    solids: [Solid; 2],
    /// Half of the thickness of the thinner one.
    pub thin: f64,
}

impl fmt::Debug for Passing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "solids {} thick on {:?}", 2.0 * self.thin, self.markers)
    }
}

impl Passing {
    /// Two solids; none if one of them is no solid, so that nothing passes through it.
    pub(crate) fn new(markers: [Marker; 2], solids: [Solid; 2]) -> Option<Self> {
        let thin = solids.iter().map(|solid| solid.thickness).filter(|thin| *thin > 0.0);
        let thin = thin.fold(f64::INFINITY, f64::min);
        // a point above a plane has no thickness
        let thin = if thin.is_finite() { thin } else { 0.0 };
        let passing = Passing { markers, solids, thin };
        let known = passing.distance_at(&Frame::identity()).is_some();
        known.then_some(passing)
    }

    /// Two shapes; none is all below a plane.
    pub(crate) fn of_shapes(markers: [Marker; 2], shapes: [Option<&Shape>; 2]) -> Option<Self> {
        let plane = shapes.contains(&None);
        let solid = |shape: Option<&Shape>| match shape {
            None => Some(Solid::plane()),
            // all that counts above a plane is the hull
            Some(Shape::Mesh(mesh)) if plane => {
                let mut solid = Solid::measured(shape?).ok()?;
                solid.shape = library_hull(mesh).ok()?;
                Some(solid)
            }
            Some(shape) => Solid::measured(shape).ok(),
        };
        let [first, second] = shapes.map(solid);
        Passing::new(markers, [first?, second?])
    }

    /// Nodes that the solids are on.
    pub(crate) fn nodes(&self) -> [usize; 2] {
        self.markers.map(|marker| marker.node)
    }

    /// Whether they meet in a step at whose start they are apart.
    pub(crate) fn meeting(&self, ends: &Ends) -> Option<Meeting> {
        let courses = self.courses(ends);
        let (frames, h) = (courses.each_ref().map(|course| course.at(0.0)), ends.h);
        let (span, fastest) = self.fastest(&courses, &frames);
        // far enough for all that may happen, the rule
        if fastest == 0.0 || span > h * fastest {
            return None;
        }
        let gap = |t: f64| {
            let frames = courses.each_ref().map(|course| course.at(t / h));
            self.distance(&frames)
        };
        let least = match self.thin > 0.0 {
            true => OVERLOOKED * self.thin / fastest,
            false => 2.0 * h / MOST as f64,
        };
        let (mut apart, mut wide) = (0.0, self.distance(&frames));
        if wide <= 0.0 {
            return None;
        }
        // how fast they approached where they were apart last; solids that overlap have no distance
        let mut speed = None;
        for _ in 0..MOST {
            if apart >= h {
                return None;
            }
            let next = (apart + (wide / fastest).max(least)).min(h);
            let there = gap(next);
            if there <= 0.0 {
                let mut met = next;
                for _ in 0..MOST_HALVES {
                    if (met - apart) * fastest <= FOUND * self.thin {
                        break;
                    }
                    let middle = 0.5 * (apart + met);
                    let there = gap(middle);
                    if there > 0.0 {
                        speed = Some((wide - there) / (middle - apart));
                        (apart, wide) = (middle, there);
                    } else {
                        met = middle;
                    }
                }
                let speed =
                    speed.or_else(|| self.closing(ends.from, 2.0 * wide)).unwrap_or(fastest);
                return Some(Meeting { apart, met, speed: speed.max(0.0) });
            }
            speed = Some((wide - there) / (next - apart));
            (apart, wide) = (next, there);
        }
        None
    }

    /// When they meet in a step that leads them through each other, or too deep into each other for what follows to be right. What
    /// touches at the start is for the law of the contact.
    pub(crate) fn met_unseen(&self, ends: &Ends) -> Option<f64> {
        let Meeting { apart, met, speed } = self.meeting(ends)?;
        let after = (ends.h - met) * speed;
        if apart * speed <= FOUND * self.thin || after <= SHALLOW * self.thin {
            return None;
        }
        let frames = self.nodes().map(|node| course::frame(&ends.to[node]));
        // a little later, so that they overlap
        let later = (met + FOUND * self.thin / speed).min(ends.h);
        (after > DEEP * self.thin || self.distance(&frames) > 0.0).then_some(later)
    }

    /// How long a step may be, so that what lies nearest to each other at its start still does so: until solids that move fast beside
    /// their thickness might have met.
    pub(crate) fn nearest_lasts(&self, ends: &Ends) -> Option<f64> {
        let courses = self.courses(ends);
        let frames = courses.each_ref().map(|course| course.at(0.0));
        let (span, fastest) = self.fastest(&courses, &frames);
        let endless = self.solids.iter().any(|solid| solid.around.is_infinite());
        if endless || fastest * ends.h <= span.max(DEEP * self.thin) {
            return None;
        }
        let lasts = self.distance(&frames).max(DEEP * self.thin) / fastest;
        (lasts < ends.h).then_some(lasts)
    }

    fn courses(&self, ends: &Ends) -> [Course; 2] {
        self.nodes().map(|node| Course::new(&ends.from[node], &ends.to[node], ends.h))
    }

    /// How far spheres around the solids are apart at least, and a bound on how fast surfaces approach each other.
    fn fastest(&self, courses: &[Course; 2], frames: &[Frame; 2]) -> (f64, f64) {
        let (span, arms) = self.span(frames);
        let turning = courses.iter().zip(arms).map(|(course, arm)| course.turning() * arm);
        (span, courses[0].fastest_to(&courses[1]) + turning.sum::<f64>())
    }

    /// How long a step may be in which the rigid solids, which touch, hit each other: its law acts along one normal.
    pub(crate) fn struck(&self, motions: &[Motion], h: f64) -> Option<f64> {
        let [first, second] = self.nodes().map(|node| &motions[node]);
        let frames = [first, second].map(course::frame);
        let (span, arms) = self.span(&frames);
        let turning = first.omega.norm() * arms[0] + second.omega.norm() * arms[1];
        let passing = second.rotation * second.velocity - first.rotation * first.velocity;
        let near = 2.0 * FOUND * self.thin;
        // slow or far, the rule
        if span > near || h * (passing.norm() + turning) <= DEEP * self.thin {
            return None;
        }
        struck_at(self.closing(motions, near)?, self.thin, h)
    }

    /// How fast surfaces that are nearer to each other than a distance approach each other where they are nearest.
    fn closing(&self, motions: &[Motion], near: f64) -> Option<f64> {
        let [first, second] = self.nodes().map(|node| &motions[node]);
        let frames = [first, second].map(course::frame);
        let own = [0, 1].map(|k| self.own(&frames, k));
        let shapes = self.solids.each_ref().map(|solid| &*solid.shape);
        let pose = to_pose(&own[1].seen_from(&own[0]));
        let found = DefaultQueryDispatcher.contact(&pose, shapes[0], shapes[1], near).ok()??;
        let way = own[0].orientation.rotate(&from_library(&found.normal1));
        let place = own[0].transform_point(&from_library(&found.point1));
        let velocity = |m: &Motion| {
            let arm = m.into_body(&(place - m.position));
            m.rotation * (m.velocity + m.omega.cross(&arm))
        };
        Some(way.dot(&(velocity(first) - velocity(second))))
    }

    /// How far spheres around the solids are apart at least, and how far from their nodes surfaces may meet.
    fn span(&self, frames: &[Frame; 2]) -> (f64, [f64; 2]) {
        let [first, second] =
            [0, 1].map(|k| frames[k].transform_point(&self.markers[k].frame.position));
        let around = [0, 1].map(|k| self.solids[k].around);
        let arm = |k: usize| self.markers[k].frame.position.norm() + around[k];
        let Some(plane) = around.iter().position(|around| around.is_infinite()) else {
            return ((second - first).norm() - around[0] - around[1], [arm(0), arm(1)]);
        };
        let other = 1 - plane;
        let normal = (frames[plane] * self.markers[plane].frame).orientation.rotate(&Vector3::z());
        let way = if plane == 0 { second - first } else { first - second };
        let mut arms = [arm(other); 2];
        arms[plane] = (frames[other].position - frames[plane].position).norm() + arm(other);
        (normal.dot(&way) - around[other], arms)
    }

    fn distance(&self, frames: &[Frame; 2]) -> f64 {
        let second = self.own(frames, 1).seen_from(&self.own(frames, 0));
        self.distance_at(&second).unwrap_or(f64::INFINITY)
    }

    /// The axes in which the library knows a solid.
    fn own(&self, frames: &[Frame; 2], solid: usize) -> Frame {
        let turn = Frame::new(Vector3::zeros(), self.solids[solid].turn);
        frames[solid] * self.markers[solid].frame * turn
    }

    /// The distance of the solids of the library, the second seen from the first.
    fn distance_at(&self, second: &Frame) -> Option<f64> {
        let [first, other] = &self.solids;
        let found = DefaultQueryDispatcher.distance(&to_pose(second), &*first.shape, &*other.shape);
        found.ok().map(|found| found.distance)
    }
}

/// How long a step may be in which solids that touch hit each other at a speed; none if it is short enough.
pub(crate) fn struck_at(speed: f64, thin: f64, h: f64) -> Option<f64> {
    (h * speed > DEEP * thin).then(|| 2.0 * FOUND * thin / speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(node: usize) -> Marker {
        Marker { node, frame: Frame::identity() }
    }

    fn moving(at: [f64; 3], velocity: [f64; 3]) -> Motion {
        let frame = Frame::new(Vector3::from(at), Default::default());
        Motion { velocity: Vector3::from(velocity), ..Motion::at_rest(&frame) }
    }

    /// Two small spheres, one of which flies past the other, 5 mm off its centre.
    #[test]
    fn small_spheres_meet_where_they_should() {
        let ball = Shape::Sphere { radius: 0.01 };
        let pair = Passing::of_shapes([on(0), on(1)], [Some(&ball), Some(&ball)]).unwrap();
        let still = moving([0.0; 3], [0.0; 3]);
        let from = [still, moving([-5.0, 0.005, 0.0], [10.0, 0.0, 0.0])];
        let to = [still, moving([5.0, 0.005, 0.0], [10.0, 0.0, 0.0])];
        let Meeting { apart, met, speed } =
            pair.meeting(&Ends { from: &from, to: &to, h: 1.0 }).unwrap();
        let exact = 0.498063508327;
        assert!(apart < exact && exact < met && met - apart < 1.1e-5, "{apart} {met}");
        assert!(speed > 9.0 && speed < 10.1, "{speed}");
        // beside each other
        let from = [still, moving([-5.0, 0.021, 0.0], [10.0, 0.0, 0.0])];
        let to = [still, moving([5.0, 0.021, 0.0], [10.0, 0.0, 0.0])];
        assert_eq!(pair.meeting(&Ends { from: &from, to: &to, h: 1.0 }), None);
    }

    /// A blade that turns by more than half a turn in a step hits what is in its way.
    #[test]
    fn a_blade_turns_into_a_ball() {
        let blade = Shape::Box { size: Vector3::new(1.0, 0.02, 0.05) };
        let ball = Shape::Sphere { radius: 0.01 };
        let pair = Passing::of_shapes([on(0), on(1)], [Some(&blade), Some(&ball)]).unwrap();
        let turned = |angle: f64| {
            let turn = rotula_lie::Quaternion::exp(&Vector3::new(0.0, 0.0, angle));
            let frame = Frame::new(Vector3::zeros(), turn);
            Motion { omega: Vector3::new(0.0, 0.0, 400.0), ..Motion::at_rest(&frame) }
        };
        let ball = moving([0.0, 0.4, 0.0], [0.0; 3]);
        let (from, to) = ([turned(0.0), ball], [turned(4.0), ball]);
        let found = pair.meeting(&Ends { from: &from, to: &to, h: 0.01 }).unwrap();
        // the face of the blade touches where sin(angle) is that of a right angle less 20 mm at 0.4 m
        let exact = (std::f64::consts::FRAC_PI_2 - (0.02f64 / 0.4).asin()) / 400.0;
        assert!(found.apart < exact && exact < found.met, "{found:?} {exact}");
    }
}
