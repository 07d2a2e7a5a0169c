//! Numbers of nodes and elements in words.

/// Numbers and ranges of them that a message lists.
const LISTED: usize = 6;

/// `elements 2, 3 and 12 … 19`.
pub(crate) fn numbers(what: &str, mut labels: Vec<u64>) -> String {
    labels.sort_unstable();
    labels.dedup();
    let mut ranges: Vec<[u64; 2]> = Vec::new();
    for label in &labels {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == *label => *last = *label,
            _ => ranges.push([*label; 2]),
        }
    }
    let mut words: Vec<String> = ranges
        .iter()
        .flat_map(|[first, last]| match last - first {
            0 => vec![first.to_string()],
            1 => vec![first.to_string(), last.to_string()],
            _ => vec![format!("{first} … {last}")],
        })
        .collect();
    if words.len() > LISTED {
        words.truncate(LISTED);
        words.push("others".into());
    }
    let plural = if labels.len() == 1 { "" } else { "s" };
    match words.split_last() {
        Some((last, [])) => format!("{what}{plural} {last}"),
        Some((last, before)) => format!("{what}{plural} {} and {last}", before.join(", ")),
        None => format!("no {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        for (labels, words) in [
            (vec![7], "element 7"),
            (vec![3, 2], "elements 2 and 3"),
            (vec![12, 13, 14, 19, 2], "elements 2, 12 … 14 and 19"),
            ((0..20).map(|k| 2 * k).collect(), "elements 0, 2, 4, 6, 8, 10 and others"),
        ] {
            assert_eq!(numbers("element", labels), words);
        }
    }
}
