//! The largest step for which an iteration converges, by many rules at once. [Yen et al. 1998, sheet §3.2, Tables 1 and 2]

use super::iterates::watch;
use super::rule::Rule;
use crate::entry::GalleryError;

/// For every rule the smallest number of steps for which it and all larger ones that are tried
/// converge; `None` if already the largest fails.
pub(super) fn fewest_steps(
    text: &str,
    overrides: &[(&str, &str)],
    (span, counts): (f64, impl DoubleEndedIterator<Item = usize>),
    rules: &[Rule],
) -> Result<Vec<Option<usize>>, GalleryError> {
    let mut fewest = vec![None; rules.len()];
    let mut alive = vec![true; rules.len()];
    for count in counts.rev() {
        let step = format!("{:?}", span / count as f64);
        let run = watch(text, &[overrides, &[("solve.step", &step)]].concat())?;
        for (k, rule) in rules.iter().enumerate() {
            alive[k] &= rule.accepts(&run);
            if alive[k] {
                fewest[k] = Some(count);
            }
        }
        if !alive.contains(&true) {
            break;
        }
    }
    Ok(fewest)
}
