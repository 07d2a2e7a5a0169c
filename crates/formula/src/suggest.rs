//! The known name nearest to a mistyped one.

/// The candidate nearest to `name` by edit distance (a swap of neighbours counts once), if it is near enough to be a typing
/// error: at most one edit for three letters, ignoring case.
///
/// ```
/// assert_eq!(rotula_formula::nearest("thetta", ["theta", "omega"]), Some("theta"));
/// assert_eq!(rotula_formula::nearest("mass", ["theta", "omega"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.to_lowercase().chars().collect();
    let limit = letters.len().div_ceil(3);
    candidates
        .into_iter()
        .map(|candidate| {
            let other: Vec<char> = candidate.to_lowercase().chars().collect();
            (distance(&letters, &other), candidate)
        })
        .filter(|&(edits, _)| edits <= limit)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// Optimal string alignment distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}
