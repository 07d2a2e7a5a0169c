//! Vectors of motions, constraints and multipliers in words.

use crate::diagnosis::Subject;
use crate::system::{Component, System};

/// A part of something, by name.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Share {
    /// Which coordinate, constraint or state.
    pub name: String,
    /// Its signed size, or its share of a whole.
    pub value: f64,
}

/// The largest components of a vector, relative to the largest, at most `most` of them.
pub(super) fn prominent(
    vector: &[f64],
    most: usize,
    least: f64,
    name: impl Fn(usize) -> String,
) -> Vec<Share> {
    let mut order: Vec<usize> = (0..vector.len()).collect();
    order.sort_by(|a, b| vector[*b].abs().total_cmp(&vector[*a].abs()));
    let Some(&first) = order.first() else { return Vec::new() };
    let top = vector[first].abs();
    if top == 0.0 {
        return Vec::new();
    }
    order.truncate(most);
    order.retain(|i| vector[*i].abs() >= least * top);
    order.into_iter().map(|i| Share { name: name(i), value: vector[i] / vector[first] }).collect()
}

/// The largest components of a motion, each measured by its scale.
pub(super) fn motion(system: &dyn System, vector: &[f64]) -> Vec<Share> {
    let measured: Vec<f64> =
        vector.iter().enumerate().map(|(i, value)| value / system.scale(i)).collect();
    prominent(&measured, 6, 0.05, |i| system.name(Component::Coordinate(i)))
}

/// The largest entries of a vector over the constraints.
pub(super) fn constraints(system: &dyn System, vector: &[f64]) -> Vec<Share> {
    prominent(vector, 8, 0.02, |i| system.name(Component::Constraint(i)))
}

/// Motions as what a sentence speaks of.
pub(super) fn coordinates(shares: &[Share]) -> impl Iterator<Item = Subject> {
    shares.iter().map(|share| Subject::Coordinate(share.name.clone()))
}

/// Constraints as what a sentence speaks of.
pub(super) fn constraints_of(shares: &[Share]) -> impl Iterator<Item = Subject> {
    shares.iter().map(|share| Subject::Constraint(share.name.clone()))
}

/// Names between backquotes, joined in English.
pub(super) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".into(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The names of shares, joined in English.
pub(super) fn names(shares: &[Share]) -> String {
    list(shares.iter().map(|share| share.name.as_str()))
}

/// A number and a noun, with an `s` unless it is one.
pub(super) fn count(number: usize, noun: &str) -> String {
    match number {
        0 => format!("no {noun}s"),
        1 => format!("one {noun}"),
        n => format!("{n} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_components_come_first() {
        let shares = prominent(&[0.1, -2.0, 0.001, 1.0], 3, 0.01, |i| format!("c{i}"));
        let names: Vec<_> = shares.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["c1", "c3", "c0"]);
        assert_eq!(shares[1].value, -0.5);
    }

    #[test]
    fn lists_read_like_english() {
        assert_eq!(list(["a", "b", "c"].into_iter()), "`a`, `b` and `c`");
        assert_eq!(count(1, "freedom"), "one freedom");
    }
}
