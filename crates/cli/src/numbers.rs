//! Numbers for reading in a terminal.

/// About three significant digits: `0.8`, `12.3`, `4.21e-9`.
pub(crate) fn short(value: f64) -> String {
    digits(value, 3)
}

/// About six significant digits.
pub(crate) fn precise(value: f64) -> String {
    digits(value, 6)
}

/// About so many significant digits.
pub(crate) fn digits(value: f64, digits: usize) -> String {
    if value == 0.0 {
        // of either sign
        return "0".to_owned();
    }
    if !value.is_finite() {
        return value.to_string();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-3..=5).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        return trimmed(&format!("{value:.decimals$}")).to_owned();
    }
    format!("{}e{exponent}", trimmed(mantissa))
}

fn trimmed(number: &str) -> &str {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    }
}

/// `1 step`, `2 steps`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn enumeration(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{precise, short};

    #[test]
    fn numbers_read_well() {
        let cases = [
            (0.0, "0"),
            (0.8, "0.8"),
            (-2.5, "-2.5"),
            (1e-9, "1e-9"),
            (4.214e-9, "4.21e-9"),
            (1234.0, "1234"),
            (9.996, "10"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
        assert_eq!(precise(1.0 / 3.0), "0.333333");
    }
}
