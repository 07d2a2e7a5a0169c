//! Where the nodes of a beam lie: at equal parts of its length, and at the stations that have names.
//!
//! The named stations cut the beam into pieces. Elements are shared out among the pieces by their lengths, one to each at least, and are of
//! equal length within a piece, so that a node lies at every named station: what is put there acts at a node, without an error of its own.

use super::BeamWords;
use crate::fault::fault_at;
use crate::reading::{ModelError, Scope, check_identifier};

/// Stations closer to each other than this would make elements of no length.
const CLOSEST: f64 = 1e-6;

/// Where the nodes of a beam lie, as parts of its length from 0 to 1.
pub(super) struct Stations {
    /// Ends of the elements.
    pub ends: Vec<f64>,
    /// All nodes.
    pub nodes: Vec<f64>,
    /// Names of nodes, with their numbers.
    pub named: Vec<(String, usize)>,
}

impl Stations {
    /// The middle of each element.
    pub fn middles(&self) -> impl ExactSizeIterator<Item = f64> {
        self.ends.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]))
    }
}

/// Reads the named stations, and lays nodes there.
pub(super) fn stations(given: &BeamWords, scope: &mut Scope) -> Result<Stations, ModelError> {
    let named = named(given, scope)?;
    let mut cuts: Vec<f64> = vec![0.0];
    cuts.extend(named.iter().map(|(_, station)| *station));
    cuts.push(1.0);
    let pieces: Vec<f64> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if pieces.len() > given.elements {
        let message = format!(
            "{} has {} elements, but its stations cut it into {} pieces",
            given.fields.path,
            given.elements,
            pieces.len()
        );
        let error = fault_at(&given.fields, "stations", message);
        return Err(error.with_help(format!("give it `elements = {}` or more", pieces.len())));
    }
    let counts = shared(&pieces, given.elements);
    let (mut ends, mut numbers, inner) = (vec![0.0], Vec::new(), given.nodes - 1);
    for (k, count) in counts.iter().enumerate() {
        let part = |i: usize| match i == *count {
            // a cut is met to the last digit
            true => cuts[k + 1],
            false => cuts[k] + pieces[k] * i as f64 / *count as f64,
        };
        ends.extend((1..=*count).map(part));
        numbers.push((ends.len() - 1) * inner);
    }
    let mut nodes = vec![0.0];
    for pair in ends.windows(2) {
        let part = |i: usize| match i == inner {
            true => pair[1],
            false => pair[0] + (pair[1] - pair[0]) * i as f64 / inner as f64,
        };
        nodes.extend((1..=inner).map(part));
    }
    let named = named.into_iter().map(|(name, _)| name).zip(numbers).collect();
    Ok(Stations { ends, nodes, named })
}

/// The named stations from the beginning of the beam to its end.
fn named(given: &BeamWords, scope: &mut Scope) -> Result<Vec<(String, f64)>, ModelError> {
    let fields = &given.fields;
    let mut named: Vec<(String, f64)> = Vec::new();
    for entry in given.stations.unwrap_or_default() {
        let path = format!("{}.{}", fields.at("stations"), entry.key);
        let fault = |message: String, help: &str| {
            Err(ModelError::new(&entry.place, message).with_help(help))
        };
        check_identifier(entry)?;
        if ["start", "end"].contains(&entry.key.as_str()) {
            let message = format!("{path}: `{}` is what its end is called already", entry.key);
            return fault(message, "choose another name");
        }
        let station = scope.constant(&entry.item, &path)?;
        if !(station > CLOSEST && station < 1.0 - CLOSEST) {
            let message = format!("{path} is {station}");
            return fault(
                message,
                "a station lies between 0 and 1; the ends have the names `start` and `end`",
            );
        }
        if let Some((other, _)) = named.iter().find(|(_, known)| (known - station).abs() < CLOSEST)
        {
            let message = format!("{path} lies where `{other}` is");
            return fault(message, "use that name for both");
        }
        named.push((entry.key.clone(), station));
    }
    named.sort_by(|a, b| a.1.total_cmp(&b.1));
    Ok(named)
}

/// Shares elements out among pieces by their lengths, one to each at least: always to the piece whose elements are longest.
fn shared(pieces: &[f64], elements: usize) -> Vec<usize> {
    let mut counts = vec![1; pieces.len()];
    // most of them at once, the rest one by one
    for (count, piece) in counts.iter_mut().zip(pieces) {
        *count = ((piece * (elements - pieces.len()) as f64) as usize).max(1);
    }
    for _ in counts.iter().sum::<usize>()..elements {
        let longest = (0..pieces.len()).max_by(|&i, &j| {
            (pieces[i] / counts[i] as f64).total_cmp(&(pieces[j] / counts[j] as f64))
        });
        counts[longest.unwrap_or(0)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::shared;

    #[test]
    fn elements_go_where_they_are_longest() {
        assert_eq!(shared(&[1.0], 8), [8]);
        assert_eq!(shared(&[0.25, 0.75], 8), [2, 6]);
        assert_eq!(shared(&[0.01, 0.98, 0.01], 3), [1, 1, 1]);
        assert_eq!(shared(&[0.3, 0.3, 0.4], 10), [3, 3, 4]);
        assert_eq!(shared(&[0.5, 0.5], 100_000), [50_000, 50_000]);
    }
}
