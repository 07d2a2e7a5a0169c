//! Closed paths round wheels: arcs, and the straight spans between them.
//!
//! A wheel of radius r > 0 lies to the left of the path, one of radius r < 0 to the right. Where the path heads along ψ on a wheel
//! with centre c, it is at c + r (sin ψ, −cos ψ). The span from wheel i to wheel j touches both where
//! sin(ψ − φ) = (r_i − r_j)/d, with d and φ the length and direction of the line of their centres.

use nalgebra::Vector2;
use std::f64::consts::TAU;

/// A wheel, and how it is passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wheel {
    pub centre: Vector2<f64>,
    /// Of the path; positive if the path turns to the left round it.
    pub radius: f64,
}

/// Headings that differ by less than this are the same.
const SAME: f64 = 1e-9;

/// An arc; a span leads from it to the next.
#[derive(Clone, Copy, Debug)]
struct Turn {
    wheel: Wheel,
    /// Where the arc begins, along the path.
    start: f64,
    /// Heading there, and how far it turns.
    heading: f64,
    turned: f64,
}

impl Turn {
    fn arc(&self) -> f64 {
        self.wheel.radius * self.turned
    }
}

/// Where something is on a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    pub position: Vector2<f64>,
    /// Direction of the path there.
    pub heading: f64,
    /// The wheel that it is on; none between wheels.
    pub wheel: Option<usize>,
}

/// A closed path, from where it meets the first wheel.
#[derive(Clone, Debug)]
pub(super) struct Round {
    turns: Vec<Turn>,
    length: f64,
}

impl Round {
    /// The path round wheels in their order; the first of two wheels that have no tangent, if there are such.
    pub fn new(wheels: &[Wheel]) -> Result<Round, usize> {
        let n = wheels.len();
        let spans: Vec<(f64, f64)> = (0..n)
            .map(|i| {
                let (a, b) = (wheels[i], wheels[(i + 1) % n]);
                let line = b.centre - a.centre;
                let lean = (a.radius - b.radius) / line.norm();
                // of two wheels within each other it is larger than one, of equal ones not a number
                let heading = line.y.atan2(line.x) + lean.asin();
                let length = line.norm() * (1.0 - lean * lean).sqrt();
                heading.is_finite().then_some((heading, length)).ok_or(i)
            })
            .collect::<Result<_, _>>()?;
        let mut turns: Vec<Turn> = Vec::with_capacity(n);
        let (mut start, mut heading) = (0.0, spans[n - 1].0);
        for (wheel, (leaving, span)) in wheels.iter().zip(spans) {
            let left = (leaving - heading).rem_euclid(TAU);
            let turned = match wheel.radius > 0.0 {
                _ if !(SAME..=TAU - SAME).contains(&left) => 0.0,
                true => left,
                false => left - TAU,
            };
            let turn = Turn { wheel: *wheel, start, heading, turned };
            start += turn.arc() + span;
            heading += turned;
            turns.push(turn);
        }
        Ok(Round { turns, length: start })
    }

    /// Length of the path.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Of each wheel, where the arc round it begins, its length, and the length of the span behind it.
    pub fn arcs(&self) -> impl Iterator<Item = [f64; 3]> {
        let ends = self.turns[1..].iter().map(|turn| turn.start).chain([self.length]);
        self.turns.iter().zip(ends).map(|(turn, end)| {
            let arc = turn.arc();
            [turn.start, arc, end - turn.start - arc]
        })
    }

    /// The path so far along.
    pub fn at(&self, way: f64) -> Station {
        let way = way.rem_euclid(self.length);
        let k = self.turns.partition_point(|turn| turn.start <= way).max(1) - 1;
        let Turn { wheel, start, heading, turned } = self.turns[k];
        let (inside, arc) = (way - start, self.turns[k].arc());
        let on_wheel = inside <= arc;
        let (passed, beyond) = match on_wheel {
            true => (inside / wheel.radius, 0.0),
            false => (turned, inside - arc),
        };
        let heading = heading + passed;
        let (sin, cos) = heading.sin_cos();
        Station {
            position: wheel.centre
                + wheel.radius * Vector2::new(sin, -cos)
                + beyond * Vector2::new(cos, sin),
            heading,
            wheel: on_wheel.then_some(k),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn wheel(x: f64, y: f64, radius: f64) -> Wheel {
        Wheel { centre: Vector2::new(x, y), radius }
    }

    #[test]
    fn an_open_belt_has_the_length_of_two_halves_and_two_spans() {
        let round = Round::new(&[wheel(0.0, 0.0, 0.1), wheel(0.5, 0.0, 0.1)]).unwrap();
        assert!((round.length() - (1.0 + 0.2 * PI)).abs() < 1e-15);
        assert!((round.at(0.0).position - Vector2::new(0.0, 0.1)).norm() < 1e-15);
        let below = round.at(0.1 * PI + 0.25);
        assert!((below.position - Vector2::new(0.25, -0.1)).norm() < 1e-15);
        assert_eq!([round.at(0.1).wheel, below.wheel], [Some(0), None]);
    }

    #[test]
    fn a_crossed_belt_has_its_length() {
        // 2√(d² − 4r²) + (π + 2 asin(2r/d)) 2r
        let (r, d) = (0.1_f64, 0.5_f64);
        let round = Round::new(&[wheel(0.0, 0.0, r), wheel(d, 0.0, -r)]).unwrap();
        let length =
            2.0 * (d * d - 4.0 * r * r).sqrt() + (PI + 2.0 * (2.0 * r / d).asin()) * 2.0 * r;
        assert!((round.length() - length).abs() < 1e-15);
    }

    #[test]
    fn it_is_continuous_with_its_direction() {
        let wheels = [
            wheel(0.0, 0.0, 0.2),
            wheel(0.5, 0.15, -0.1),
            wheel(1.0, 0.0, 0.2),
            wheel(0.5, 0.5, 0.1),
        ];
        let round = Round::new(&wheels).unwrap();
        let step = 1e-5;
        let points =
            (0..(2.5 * round.length() / step) as usize).map(|k| round.at(k as f64 * step).position);
        let points: Vec<_> = points.collect();
        for three in points.windows(3) {
            let [before, after] = [three[1] - three[0], three[2] - three[1]];
            assert!((after.norm() - step).abs() < 1e-9 * step.sqrt());
            assert!((after - before).norm() < 11.0 * step * step, "no sharper than the wheels");
        }
    }

    #[test]
    fn a_wheel_that_is_only_touched_changes_nothing() {
        let (low, middle, high) =
            (wheel(0.0, 0.0, 0.2), wheel(0.0, 0.5, 0.2), wheel(0.0, 1.0, 0.2));
        let straight = Round::new(&[low, high]).unwrap();
        let touched = Round::new(&[low, middle, high]).unwrap();
        assert!((straight.length() - touched.length()).abs() < 1e-12);
    }

    #[test]
    fn wheels_within_each_other_have_no_tangent() {
        assert_eq!(Round::new(&[wheel(0.0, 0.0, 0.2), wheel(0.1, 0.0, 0.05)]).unwrap_err(), 0);
        assert_eq!(Round::new(&[wheel(0.0, 0.0, 0.2), wheel(0.0, 0.0, 0.2)]).unwrap_err(), 0);
    }
}
