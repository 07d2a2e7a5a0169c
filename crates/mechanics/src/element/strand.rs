//! A bar or cable laid along points: nodes without rotation, and elements between them.

use super::bar::{Bar, Strand};
use crate::body::Body;
use crate::error::{ModelError, Refusal, refusal};
use crate::marker::Marker;
use crate::model::{BodyId, Model};
use crate::node::NodeKind;
use crate::quantity::REACTION;
use crate::room::Many;
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};

/// A bar or cable before it is laid.
#[derive(Clone, Debug)]
pub struct StrandLine {
    /// Where its nodes start.
    pub points: Vec<Vector3<f64>>,
    /// What it is like.
    pub strand: Strand,
    /// Its whole length free of stress.
    pub length: f64,
    /// Bodies that hold its first and last point.
    pub ends: [Option<BodyId>; 2],
}

/// A bar or cable in a model.
#[derive(Clone, Debug)]
pub struct LaidStrand {
    /// Markers of its nodes.
    pub nodes: Vec<Marker>,
    /// Its elements, also to be found in [`Model::elements`].
    pub elements: Vec<Bar>,
}

impl StrandLine {
    /// Along a straight line, free of stress.
    pub fn straight(from: Vector3<f64>, to: Vector3<f64>, elements: usize, strand: Strand) -> Self {
        let count = elements.max(1);
        let point = |k: usize| from + (to - from) * (k as f64 / count as f64);
        let length = (to - from).norm();
        StrandLine { points: (0..=count).map(point).collect(), strand, length, ends: [None; 2] }
    }

    /// Stretched by a tension where it starts.
    pub fn with_tension(mut self, tension: f64) -> Self {
        let now: f64 = self.points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        self.length = now / (1.0 + tension / self.strand.stiffness);
        self
    }

    /// With a length free of stress. A longer one than the way between its ends hangs under `gravity` at
    /// the start: along a parabola, every element stretched alike by what it carries there.
    pub fn with_length(mut self, length: f64, gravity: &Vector3<f64>) -> Self {
        self.length = length;
        let count = self.points.len() - 1;
        let (from, to) = (self.points[0], self.points[count]);
        let way = to - from;
        // with a single element there is nothing to hang
        if count == 1 || length <= way.norm() || gravity.norm() == 0.0 {
            return self;
        }
        let (down, weight) = (gravity.normalize(), gravity.norm() * self.strand.mass);
        let at = |sag: f64, x: f64| from + way * x + down * (4.0 * sag * x * (1.0 - x));
        // a parabola of this sag carries its weight with w L²/(8 f)
        let wanted = |sag: f64| {
            let pull = weight * length * way.norm() / (8.0 * sag);
            length * (1.0 + pull / self.strand.stiffness) / count as f64
        };
        let sag = bisect(1e-3 * length, length, |sag| {
            let (_, end) = chords(&|x| at(sag, x), count, wanted(sag));
            end < 1.0
        });
        self.points = chords(&|x| at(sag, x), count, wanted(sag)).0;
        self.points[count] = to;
        self
    }

    /// With bodies that hold its ends.
    pub fn held_by(mut self, first: Option<BodyId>, last: Option<BodyId>) -> Self {
        self.ends = [first, last];
        self
    }
}

/// Where a condition changes between two numbers.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let first = holds(low);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if holds(middle) == first {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Points along a curve over 0 … 1 at equal distances from each other, and where the last one is.
fn chords(
    at: &impl Fn(f64) -> Vector3<f64>,
    count: usize,
    length: f64,
) -> (Vec<Vector3<f64>>, f64) {
    let mut points = vec![at(0.0)];
    let mut x = 0.0;
    for _ in 0..count {
        let here = at(x);
        x = bisect(x, x + 2.0, |next| (at(next) - here).norm() < length);
        points.push(at(x));
    }
    (points, x)
}

impl Model {
    /// Lays a bar or cable: its nodes become points `name.0`, `name.1`, … without mass of their own.
    pub fn strand(&mut self, name: &str, line: &StrandLine) -> Result<LaidStrand, ModelError> {
        let kind = if line.strand.slack { "cable" } else { "bar" };
        let thing = || format!("{kind} `{name}`");
        let invalid = |what: Refusal| Err(ModelError::invalid(thing(), what));
        let count = line.points.len().saturating_sub(1);
        if count == 0 {
            return invalid(refusal!("it has no elements"; "give it at least one"));
        }
        if line.points.windows(2).any(|pair| pair[0] == pair[1]) {
            return invalid(refusal!("two of its points are at the same place"; "put them apart"));
        }
        let held = |k: usize| match k {
            0 => line.ends[0],
            _ if k == count => line.ends[1],
            _ => None,
        };
        if line.strand.mass == 0.0 && (0..=count).any(|k| held(k).is_none()) {
            return invalid(refusal!(
                "it has no mass, so its own nodes have none";
                "give it mass, or one element between two bodies"
            ));
        }
        let many = Many::elements(count, 2, &NodeKind::Point, size_of::<Bar>());
        self.take_room(thing(), &many)?;
        let mut nodes = Vec::with_capacity(count + 1);
        for (k, point) in line.points.iter().enumerate() {
            let frame = Frame::new(*point, Quaternion::identity());
            nodes.push(match held(k) {
                Some(body) => self.marker_at(body, frame),
                None => {
                    let body = Body { kind: NodeKind::Point, ..Body::massless().at_frame(frame) };
                    let body = self.body(&format!("{name}.{k}"), body)?;
                    self.marker(body, Frame::identity())
                }
            });
        }
        let mut elements = Vec::with_capacity(count);
        for (k, pair) in nodes.windows(2).enumerate() {
            let named = |error: ModelError| ModelError::invalid(thing(), error.to_string());
            let length = line.length / count as f64;
            let bar = Bar::new([pair[0], pair[1]], line.strand, length).map_err(named)?;
            self.element(&format!("{name}.{}", k + 1), bar.clone())?;
            elements.push(bar);
        }
        let held = line.ends.map(|end| end.is_some());
        // what holds it is not turned
        self.attach((name, held), &nodes, count, &REACTION[..3]);
        Ok(LaidStrand { nodes, elements })
    }
}
