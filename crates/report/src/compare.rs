//! How far the columns of two runs of a model differ at equal times.

use crate::columns::{Block, tables};
use crate::error::Error;
use crate::run::Run;
use crate::verification::{Difference, Growth, Quantity};
use rotula_dae::StepControl;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// A vector that stays below this part of what its unit reaches elsewhere is one of zeros: what is
/// left of the iteration says nothing. With a tolerance, what stays below that is not resolved either.
const ZERO: f64 = 1e-7;

fn zero(run: &Run) -> f64 {
    match &run.settings.control {
        StepControl::Tolerance(control) => control.tolerance.max(ZERO),
        StepControl::Fixed { .. } | StepControl::Repeated { .. } => ZERO,
    }
}

/// What a comparison finds.
pub(crate) struct Compared {
    /// Largest differences, worst first.
    pub differences: Vec<Difference>,
    /// Columns that only one run has, or that have no numbers.
    pub uncompared: Vec<String>,
    /// The number of common times, and the last of them.
    pub instants: usize,
    pub until: f64,
    pub growth: Option<Growth>,
}

/// One column of both runs at the common times.
struct Pair<'a> {
    heading: String,
    block: String,
    unit: &'a str,
    quantity: Quantity,
    /// The values of the first run, and of the second.
    values: [Vec<f64>; 2],
}

/// Compares a run with another of the same model wherever both are recorded.
pub(crate) fn compare(run: &Run, again: &Run) -> Result<Compared, Error> {
    let rows = common_rows(&run.trajectory.times, &again.trajectory.times);
    let times: Vec<f64> = rows.iter().map(|(row, _)| run.trajectory.times[*row]).collect();
    let (ours, theirs) = (tables(run)?, tables(again)?);
    let (mut pairs, mut uncompared) = (Vec::new(), Vec::new());
    for block in ours.iter().filter(|block| block.key != "residuals") {
        let other = theirs.iter().find(|other| other.key == block.key);
        for (column, heading) in block.headings().enumerate() {
            let found = other.and_then(|other| {
                Some((other, other.headings().position(|candidate| candidate == heading)?))
            });
            let Some((other, place)) = found else {
                uncompared.push(heading);
                continue;
            };
            let first = rows.iter().map(|(row, _)| block.table.row(*row)[column]).collect();
            let second = rows.iter().map(|(_, row)| other.table.row(*row)[place]).collect();
            let values: [Vec<f64>; 2] = [first, second];
            if values.iter().flatten().all(|value| value.is_nan()) {
                uncompared.push(heading);
                continue;
            }
            let unit = run.units.columns.get(block.names[column]).map_or("", String::as_str);
            let quantity = quantity(block, unit);
            pairs.push(Pair { heading, block: block.key.to_string(), unit, quantity, values });
        }
    }
    turn_alike(&mut pairs);
    let scales = Scales::of(&pairs, zero(run));
    let mut differences: Vec<Difference> =
        pairs.iter().map(|pair| difference(pair, scales.scale(pair), &times)).collect();
    differences.sort_by(|a, b| b.relative.total_cmp(&a.relative));
    Ok(Compared {
        growth: growth(&pairs, &scales, &times),
        differences,
        uncompared,
        instants: times.len(),
        until: times.last().copied().unwrap_or(f64::NAN),
    })
}

/// Rows of equal times. A time that is recorded twice, before and after a jump, is left out.
fn common_rows(ours: &[f64], theirs: &[f64]) -> Vec<(usize, usize)> {
    let alone = |times: &[f64], row: usize| {
        (row == 0 || times[row - 1] < times[row])
            && times.get(row + 1).is_none_or(|next| times[row] < *next)
    };
    let mut other = 0;
    let mut rows = Vec::new();
    for (row, &t) in ours.iter().enumerate() {
        let near = 1e-12 * t.abs();
        while theirs.get(other).is_some_and(|time| *time < t - near) {
            other += 1;
        }
        let equal = theirs.get(other).is_some_and(|time| (time - t).abs() <= near);
        if equal && alone(ours, row) && alone(theirs, other) {
            rows.push((row, other));
        }
    }
    rows
}

fn quantity(block: &Block, unit: &str) -> Quantity {
    match (block.key.as_ref(), unit) {
        ("q" | "orientations_of_bodies", _) | (_, "m" | "rad") => Quantity::Position,
        ("multipliers" | "contact_force", _) | (_, "N" | "N m") => Quantity::Force,
        _ => Quantity::Other,
    }
}

/// What a heading belongs to, and the vector in it: `pin` and `f` of `pin.fx`.
fn parts(heading: &str) -> (&str, Option<&str>) {
    let Some((thing, last)) = heading.rsplit_once('.') else { return ("", None) };
    let stem = last.strip_suffix(['x', 'y', 'z', 'w']);
    (thing, stem)
}

/// A quaternion and its negative are one orientation, angles that differ by whole turns one angle: the
/// second run is written like the first.
fn turn_alike(pairs: &mut [Pair]) {
    for pair in pairs.iter_mut().filter(|pair| pair.unit == "rad") {
        let [ours, theirs] = &mut pair.values;
        for (ours, theirs) in ours.iter().zip(theirs) {
            *theirs += ((*ours - *theirs) / TAU).round() * TAU;
        }
    }
    let quaternion =
        |pair: &Pair| pair.block == "orientations_of_bodies" && pair.heading.ends_with(".qw");
    for first in 0..pairs.len().saturating_sub(3) {
        if !quaternion(&pairs[first]) {
            continue;
        }
        let four = &mut pairs[first..first + 4];
        for row in 0..four[0].values[0].len() {
            let product: f64 =
                four.iter().map(|pair| pair.values[0][row] * pair.values[1][row]).sum();
            if product < 0.0 {
                four.iter_mut().for_each(|pair| pair.values[1][row] *= -1.0);
            }
        }
    }
}

/// How large columns become: by vector, by thing and unit, by unit, by block.
struct Scales<'a> {
    /// Below this part of what its unit reaches a vector is zero.
    zero: f64,
    vectors: BTreeMap<(&'a str, &'a str, &'a str), f64>,
    things: BTreeMap<(&'a str, &'a str), f64>,
    units: BTreeMap<&'a str, f64>,
    blocks: BTreeMap<&'a str, f64>,
}

impl<'a> Scales<'a> {
    fn of(pairs: &'a [Pair<'a>], zero: f64) -> Scales<'a> {
        let mut scales = Scales {
            zero,
            vectors: BTreeMap::new(),
            things: BTreeMap::new(),
            units: BTreeMap::new(),
            blocks: BTreeMap::new(),
        };
        let mut raise = |pair: &'a Pair<'a>, size: f64| {
            let (thing, stem) = parts(&pair.heading);
            let up = |entry: &mut f64| *entry = entry.max(size);
            if let Some(stem) = stem {
                up(scales.vectors.entry((&pair.block, thing, stem)).or_default());
            }
            up(scales.things.entry((thing, pair.unit)).or_default());
            up(scales.units.entry(pair.unit).or_default());
            up(scales.blocks.entry(&pair.block).or_default());
        };
        for pair in pairs {
            raise(pair, largest(pair));
        }
        scales
    }

    /// What a difference in a column is judged against: the largest value of its vector; for a column
    /// of zeros, what its unit reaches in the same thing, or in the model.
    fn scale(&self, pair: &Pair) -> f64 {
        let (thing, stem) = parts(&pair.heading);
        let vector =
            stem.and_then(|stem| self.vectors.get(&(pair.block.as_str(), thing, stem)).copied());
        let own = vector.unwrap_or_else(|| largest(pair));
        let of_thing = |unit: &str| self.things.get(&(thing, unit)).copied().unwrap_or_default();
        let of_unit = |unit: &str| self.units.get(unit).copied().unwrap_or_default();
        let natural = match pair.unit {
            "" => self.blocks.get(pair.block.as_str()).copied().unwrap_or_default(),
            "rad" => of_thing("rad").max(1.0),
            // forces turn about points of the model
            "N m" => of_thing("N m").max(of_thing("N") * of_unit("m")),
            unit if of_thing(unit) > self.zero * of_unit(unit) => of_thing(unit),
            unit => of_unit(unit),
        };
        if own > self.zero * natural { own } else { natural }
    }
}

/// The largest finite value of either run.
fn largest(pair: &Pair) -> f64 {
    let finite = pair.values.iter().flatten().filter(|value| value.is_finite());
    finite.fold(0.0, |most: f64, value| most.max(value.abs()))
}

fn difference(pair: &Pair, scale: f64, times: &[f64]) -> Difference {
    let [ours, theirs] = &pair.values;
    let (mut worst, mut time, mut squares) = (0.0, times.first().copied(), 0.0);
    for ((a, b), &t) in ours.iter().zip(theirs).zip(times) {
        if a.is_nan() && b.is_nan() {
            continue;
        }
        // a number in one run and none in the other is as far apart as can be
        let off = if (a - b).is_nan() { f64::INFINITY } else { (a - b).abs() };
        squares += off * off;
        if off > worst {
            (worst, time) = (off, Some(t));
        }
    }
    let over = |off: f64| if off == 0.0 { 0.0 } else { off / scale };
    let relative = over(worst);
    Difference {
        column: pair.heading.clone(),
        unit: pair.unit.to_owned(),
        quantity: pair.quantity,
        difference: worst,
        scale,
        relative,
        time,
        rms: over((squares / times.len().max(1) as f64).sqrt()),
        digits: Difference::digits_of(relative),
    }
}

/// Whether positions drift apart exponentially, as those of chaotic motions do: over at least three
/// decades the logarithm of their difference goes with the time, and faster than any power of it with which errors add up: these
/// grow with the time itself, in periods of nonlinear vibrations and in resonance with its square, seldom its cube.
fn growth(pairs: &[Pair], scales: &Scales, times: &[f64]) -> Option<Growth> {
    const DECADES: [f64; 5] = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2];
    const CLOSE: f64 = 0.97;
    const STEEPEST: f64 = 4.0;
    let positions: Vec<(&Pair, f64)> = pairs
        .iter()
        .filter(|pair| pair.quantity == Quantity::Position)
        .map(|pair| (pair, scales.scale(pair)))
        .collect();
    let passes = |level: f64| {
        let apart = |row: usize| {
            let off = |pair: &Pair| (pair.values[0][row] - pair.values[1][row]).abs();
            positions.iter().any(|(pair, scale)| off(pair) > level * scale)
        };
        (0..times.len()).find(|row| apart(*row)).map(|row| times[row])
    };
    let passed: Vec<f64> = DECADES.into_iter().map_while(passes).collect();
    let (&start, &begin, &end) = (times.first()?, passed.first()?, passed.last()?);
    let with_time = correlation(&passed);
    let decades = (passed.len() - 1) as f64;
    let power = decades * std::f64::consts::LN_10 / ((end - start) / (begin - start)).ln();
    let exponential = with_time > CLOSE && power > STEEPEST;
    (passed.len() > 3 && exponential).then_some(Growth {
        decade: (end - begin) / decades,
        from: begin,
        lost: (passed.len() == DECADES.len()).then_some(end),
    })
}

/// How closely a list follows a straight line: 1 for one that does, not a number for equal values.
fn correlation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let (place, mean) = ((count - 1.0) / 2.0, values.iter().sum::<f64>() / count);
    let [mut both, mut places, mut squares] = [0.0; 3];
    for (k, value) in values.iter().enumerate() {
        let (across, up) = (k as f64 - place, value - mean);
        both += across * up;
        places += across * across;
        squares += up * up;
    }
    both / (places * squares).sqrt()
}
