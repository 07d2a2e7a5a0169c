//! Sums of products in the text of formulas, for blocks with many coefficients.

use std::fmt::Write;

/// `c₁*name₁ + c₂*name₂ + …` without the terms whose coefficient is zero; `0` if none is left.
///
/// Numbers are written with all their digits, so the formula holds exactly these coefficients.
pub(super) fn weighted<'a>(terms: impl IntoIterator<Item = (f64, &'a str)>) -> String {
    let mut text = String::new();
    for (coefficient, name) in terms {
        if coefficient == 0.0 {
            continue;
        }
        let joint = if text.is_empty() { "" } else { " + " };
        // writing into a string cannot fail
        let _ = write!(text, "{joint}({coefficient:?})*{name}");
    }
    if text.is_empty() { "0".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::weighted;

    #[test]
    fn coefficients_keep_their_digits() {
        assert_eq!(weighted([(0.1, "a"), (0.0, "b"), (-1e-9, "c")]), "(0.1)*a + (-1e-9)*c");
        assert_eq!(weighted([(0.0, "a")]), "0");
    }
}
