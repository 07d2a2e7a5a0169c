//! The order in which entries that use each other can be evaluated.

use crate::reading::document::Entry;
use crate::reading::error::ModelError;
use crate::reading::many::{is_many, is_one_of};
use std::collections::HashMap;

/// Indices of the entries such that each comes after those it uses; `what` names an entry in the error about a cycle.
pub fn order(entries: &[Entry], what: &str) -> Result<Vec<usize>, ModelError> {
    let index: HashMap<&str, usize> =
        entries.iter().enumerate().map(|(i, entry)| (entry.key.as_str(), i)).collect();
    let uses: Vec<Vec<usize>> = entries
        .iter()
        .map(|entry| {
            let names = entry.item.names();
            let (many, single): (Vec<&String>, Vec<&String>) =
                names.iter().partition(|name| is_many(name));
            let mut used: Vec<usize> =
                single.iter().filter_map(|name| index.get(name.as_str()).copied()).collect();
            for many in many {
                used.extend((0..entries.len()).filter(|&i| is_one_of(many, &entries[i].key)));
            }
            used.sort_unstable();
            used.dedup();
            used
        })
        .collect();
    let mut missing: Vec<usize> = uses.iter().map(Vec::len).collect();
    let mut users = vec![Vec::new(); entries.len()];
    for (user, used) in uses.iter().enumerate() {
        used.iter().for_each(|&i| users[i].push(user));
    }
    let mut ordered: Vec<usize> = (0..entries.len()).filter(|&i| missing[i] == 0).collect();
    let mut next = 0;
    while let Some(&done) = ordered.get(next) {
        next += 1;
        for &user in &users[done] {
            missing[user] -= 1;
            if missing[user] == 0 {
                ordered.push(user);
            }
        }
    }
    match (0..entries.len()).find(|&i| missing[i] > 0) {
        None => Ok(ordered),
        Some(start) => Err(cycle(entries, &uses, &missing, start, what)),
    }
}

fn cycle(
    entries: &[Entry],
    uses: &[Vec<usize>],
    missing: &[usize],
    start: usize,
    what: &str,
) -> ModelError {
    // following any use that waits too must come round
    let mut path = vec![start];
    let first = loop {
        let here = path[path.len() - 1];
        let next = uses[here].iter().copied().find(|&i| missing[i] > 0).unwrap_or(here);
        if let Some(position) = path.iter().position(|&i| i == next) {
            break position;
        }
        path.push(next);
    };
    let mut names: Vec<&str> = path[first..].iter().map(|&i| entries[i].key.as_str()).collect();
    names.push(names[0]);
    let message = format!("{what} `{}` depends on itself: {}", names[0], names.join(" → "));
    ModelError::new(&entries[path[first]].item.place, message)
        .with_help("give one of them without the others")
}
