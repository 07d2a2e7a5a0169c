//! Smooth curves in space, for points that stay on them.

mod formula;
mod side;
mod spline;

use crate::error::{ModelError, Refusal, refusal};
use formula::Formulas;
use nalgebra::Vector3;
use rotula_dae::automatic::Scalar;
use side::Side;
use spline::Spline;

/// Samples per piece of a spline, and of a whole curve of formulas, from which a nearest point is
/// sought.
const PER_PIECE: usize = 8;
const OF_FORMULAS: usize = 256;
/// Samples at which the direction beside a curve is worked out.
const LEAST_SIDES: f64 = 64.0;
const MOST_SIDES: f64 = 4096.0;

/// A smooth curve that does not cross itself.
#[derive(Clone, Debug)]
pub struct Curve {
    shape: Shape,
    samples: Vec<(f64, Vector3<f64>)>,
    side: Side,
    closed: bool,
}

#[derive(Clone, Debug)]
enum Shape {
    Spline(Spline),
    Formulas(Formulas),
}

impl Curve {
    /// A cubic spline through points, with the length of the chords as parameter. An open curve goes
    /// on straight beyond its ends; a closed one leads from the last point back to the first.
    pub fn through(points: &[Vector3<f64>], closed: bool) -> Result<Self, ModelError> {
        let invalid = |what: Refusal| Err(ModelError::invalid("curve", what));
        if points.len() < if closed { 3 } else { 2 } {
            return invalid("give at least two points, or three for a closed curve".into());
        }
        if points.iter().any(|p| p.iter().any(|x| !x.is_finite())) {
            return invalid("give points with finite coordinates".into());
        }
        let mut points = points.to_vec();
        if closed {
            points.push(points[0]);
        }
        let mut knots = vec![0.0];
        for pair in points.windows(2) {
            let chord = (pair[1] - pair[0]).norm();
            if chord == 0.0 {
                return invalid(refusal!(
                    "two points that follow each other are the same";
                    "leave one of them out"
                ));
            }
            knots.push(knots[knots.len() - 1] + chord);
        }
        let places = knots.windows(2).flat_map(|pair| {
            (0..PER_PIECE).map(|k| pair[0] + (pair[1] - pair[0]) * k as f64 / PER_PIECE as f64)
        });
        let places: Vec<f64> = places.chain([knots[knots.len() - 1]]).collect();
        Curve::new(Shape::Spline(Spline::through(knots, points, closed)), &places, closed)
    }

    /// Three formulas of a parameter `s` for x, y and z, from one value of `s` to another; a closed
    /// curve must end as it begins.
    pub fn formulas(
        formulas: [&str; 3],
        from: f64,
        to: f64,
        closed: bool,
    ) -> Result<Self, ModelError> {
        let invalid = |what: Refusal| {
            Err(ModelError::invalid(format!("curve `{}`", formulas.join(", ")), what))
        };
        if !(from.is_finite() && to.is_finite() && from < to) {
            return invalid("give two finite values of s, the smaller one first".into());
        }
        let shape = Formulas::new(formulas)?;
        let (begin, end) = (shape.derivatives(from), shape.derivatives(to));
        let apart = |k: usize| (begin[k] - end[k]).norm() > 1e-9 * (1.0 + begin[k].norm());
        if closed && (0..3).any(apart) {
            return invalid("it is said to be closed, but does not end as it begins".into());
        }
        let step = (to - from) / OF_FORMULAS as f64;
        let places: Vec<f64> = (0..=OF_FORMULAS).map(|k| from + step * k as f64).collect();
        Curve::new(Shape::Formulas(shape), &places, closed)
    }

    fn new(shape: Shape, places: &[f64], closed: bool) -> Result<Self, ModelError> {
        let derivatives = |s: f64| match &shape {
            Shape::Spline(spline) => spline.derivatives(s),
            Shape::Formulas(formulas) => formulas.derivatives(s),
        };
        let sample = |s: f64| {
            let [point, slope, ..] = derivatives(s);
            if !(slope.norm() > 0.0 && slope.norm().is_finite() && point.norm().is_finite()) {
                return Err(ModelError::invalid(
                    "curve",
                    refusal!("at s = {s} it stands still or is not finite"; "give it another form"),
                ));
            }
            Ok((point, slope.normalize()))
        };
        let mut samples = Vec::with_capacity(places.len());
        for &s in places {
            samples.push((s, sample(s)?.0));
        }
        // the side wants uniform samples, as near to each other as the nearest of those given
        let (first, last) = (places[0], places[places.len() - 1]);
        let nearest = places.windows(2).map(|p| p[1] - p[0]).fold(f64::INFINITY, f64::min);
        let count = ((last - first) / nearest).ceil().clamp(LEAST_SIDES, MOST_SIDES);
        let step = (last - first) / count;
        let (mut points, mut tangents) = (Vec::new(), Vec::new());
        for k in 0..=count as usize {
            let (point, tangent) = sample(first + step * k as f64)?;
            points.push(point);
            tangents.push(tangent);
        }
        let side = Side::new(first, step, &points, &tangents, closed);
        Ok(Curve { shape, samples, side, closed })
    }

    /// The point at a parameter and its first four derivatives.
    pub fn derivatives(&self, s: f64) -> [Vector3<f64>; 5] {
        match &self.shape {
            Shape::Spline(spline) => spline.derivatives(s),
            Shape::Formulas(formulas) => formulas.derivatives(s),
        }
    }

    /// Its first and last point.
    pub fn ends(&self) -> [Vector3<f64>; 2] {
        [self.samples[0].1, self.samples[self.samples.len() - 1].1]
    }

    /// How far beyond the nearer of its ends a place is, if it is open and the place is beyond one.
    pub(crate) fn beyond(&self, place: &Vector3<f64>) -> Option<f64> {
        let s = self.nearest(place);
        let [first, last] = [0, self.samples.len() - 1].map(|k| self.samples[k]);
        let rounding = 1e-9 * (last.0 - first.0);
        let outside = s < first.0 - rounding || s > last.0 + rounding;
        let [from_first, from_last] = [first, last].map(|(_, end)| (place - end).norm());
        (!self.closed && outside).then(|| from_first.min(from_last))
    }

    /// The parameters of points at parts of its length, from 0 at its beginning to 1 at its end, and the whole length.
    pub(crate) fn parameters_at(&self, stations: &[f64]) -> (Vec<f64>, f64) {
        // the length up to each sample
        let mut lengths = vec![0.0];
        for pair in self.samples.windows(2) {
            lengths.push(lengths[lengths.len() - 1] + self.length([pair[0].0, pair[1].0]));
        }
        let whole = lengths[lengths.len() - 1];
        let place = |station: &f64| {
            let wanted = whole * station;
            let piece =
                lengths.partition_point(|length| *length <= wanted).clamp(1, lengths.len() - 1);
            let (from, to) = (self.samples[piece - 1].0, self.samples[piece].0);
            let mut s = from
                + (to - from) * (wanted - lengths[piece - 1])
                    / (lengths[piece] - lengths[piece - 1]);
            for _ in 0..20 {
                let missed = lengths[piece - 1] + self.length([from, s]) - wanted;
                let step = missed / self.derivatives(s)[1].norm();
                s = (s - step).clamp(from, to);
                if step.abs() <= 1e-15 * (to - from) {
                    break;
                }
            }
            s
        };
        (stations.iter().map(place).collect(), whole)
    }

    /// The length between two parameters that are not far apart, by Gauss's rule with five points.
    fn length(&self, [from, to]: [f64; 2]) -> f64 {
        const RULE: [(f64, f64); 5] = [
            (0.0, 0.568_888_888_888_888_9),
            (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
            (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        ];
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let speed = |x: f64| self.derivatives(middle + half * x)[1].norm();
        half * RULE.iter().map(|(x, weight)| weight * speed(*x)).sum::<f64>()
    }

    /// The parameter of the point of the curve that is nearest to a place.
    pub fn nearest(&self, place: &Vector3<f64>) -> f64 {
        let distance = |k: usize| (self.samples[k].1 - place).norm_squared();
        let best = (0..self.samples.len())
            .min_by(|&i, &j| distance(i).total_cmp(&distance(j)))
            .expect("a curve has samples");
        let mut s = self.samples[best].0;
        let beside = if best == 0 { 1 } else { best - 1 };
        let reach = (self.samples[beside].0 - s).abs();
        for _ in 0..50 {
            let [c, c1, c2, ..] = self.derivatives(s);
            let across = place - c;
            let (f, slope) = (across.dot(&c1), across.dot(&c2) - c1.norm_squared());
            // nearer to the centre of curvature than the curve is, only the direction is right
            let slope = if slope < 0.0 { slope } else { -c1.norm_squared() };
            let step = (f / slope).clamp(-reach, reach);
            s -= step;
            if step.abs() <= 1e-15 * (reach + s.abs()) {
                break;
            }
        }
        s
    }

    /// The distance of a place from its nearest point, along two normals of the curve, with all
    /// derivatives that the numbers carry, up to third order.
    ///
    /// The parameter `s` of the nearest point is where `(p − c)·c' = 0`. Newton's method, begun at its
    /// value, gives its derivatives: two steps make those of third order right.
    pub(crate) fn across<T: Scalar>(&self, place: &[T; 3]) -> [T; 2] {
        let s = self.foot(place);
        let point = self.taylor(&s, 0);
        let tangent = unit(self.taylor(&s, 1));
        let reference = series(&self.side.derivatives(s.0), 0, s.1);
        let along = dot(&tangent, &reference);
        let first = unit(std::array::from_fn(|k| reference[k] - tangent[k] * along));
        let second = crate::constraint::cross(&tangent, &first);
        let offset: [T; 3] = std::array::from_fn(|k| place[k] - point[k]);
        [dot(&offset, &first), dot(&offset, &second)]
    }

    /// The same in a plane with a given normal, where there is one direction across.
    pub(crate) fn across_in_plane<T: Scalar>(&self, place: &[T; 3], normal: &Vector3<f64>) -> T {
        let s = self.foot(place);
        let point = self.taylor(&s, 0);
        let tangent = unit(self.taylor(&s, 1));
        let normal: [T; 3] = std::array::from_fn(|k| T::from(normal[k]));
        let offset: [T; 3] = std::array::from_fn(|k| place[k] - point[k]);
        dot(&offset, &crate::constraint::cross(&normal, &tangent))
    }

    /// The parameter of the nearest point: its value, and the part that carries derivatives.
    fn foot<T: Scalar>(&self, place: &[T; 3]) -> (f64, T) {
        let start = self.nearest(&Vector3::from_fn(|k, _| place[k].value()));
        let mut s = (start, T::from(0.0));
        for _ in 0..2 {
            let [c, c1, c2] = [0, 1, 2].map(|order| self.taylor(&s, order));
            let across: [T; 3] = std::array::from_fn(|k| place[k] - c[k]);
            let f = dot(&across, &c1);
            // what is left of the value of f is rounding
            let f = f - f.value();
            s.1 -= f / (dot(&across, &c2) - dot(&c1, &c1));
        }
        s
    }

    /// A derivative of the curve at a parameter that carries derivatives.
    fn taylor<T: Scalar>(&self, s: &(f64, T), order: usize) -> [T; 3] {
        series(&self.derivatives(s.0), order, s.1)
    }
}

/// Taylor's series of a derivative: exact, because powers of `d`, whose value is zero, vanish beyond
/// the order of derivatives that a number carries.
fn series<T: Scalar>(derivatives: &[Vector3<f64>; 5], order: usize, d: T) -> [T; 3] {
    std::array::from_fn(|k| {
        let mut sum = T::from(derivatives[4][k]);
        for m in (order..4).rev() {
            sum = sum * d / (m + 1 - order) as f64 + derivatives[m][k];
        }
        sum
    })
}

fn dot<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit<T: Scalar>(a: [T; 3]) -> [T; 3] {
    let scale = dot(&a, &a).sqrt().recip();
    a.map(|x| x * scale)
}

#[cfg(test)]
mod tests;
