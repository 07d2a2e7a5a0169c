//! Numbers for reading: few digits, powers of ten as people write them.

/// Three significant digits, `4.2 × 10⁻⁹` outside the range that is easy to read.
pub(crate) fn short(value: f64) -> String {
    digits(value, 3)
}

/// Up to six significant digits, without trailing zeros.
pub(crate) fn precise(value: f64) -> String {
    digits(value, 6)
}

/// Four digits with a unit, whose prefix keeps the number between 1 and 1000: `31.7 MPa`. Lengths, times and
/// angles are never kilo.
pub(crate) fn measured(value: f64, unit: &str) -> String {
    let first = unit.split([' ', '/']).next().unwrap_or_default();
    let most = match first {
        "N" | "Pa" | "W" | "J" => 4,
        "m" | "s" | "rad" => 0,
        "" => return digits(value, 4),
        _ => return format!("{}\u{202f}{unit}", digits(value, 4)),
    };
    let power = match value.abs() {
        size if size > 0.0 && size.is_finite() => (size.log10() / 3.0 + 1e-9).floor() as i32,
        _ => 0,
    };
    if power < -4 {
        // no prefix is as small as this
        return format!("{}\u{202f}{unit}", digits(value, 4));
    }
    let power = power.min(most);
    let prefix = ["p", "n", "µ", "m", "", "k", "M", "G", "T"][(power + 4) as usize];
    format!("{}\u{202f}{prefix}{unit}", digits(value / 1000f64.powi(power), 4))
}

pub(crate) fn digits(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "not known".into();
    }
    if value == 0.0 {
        return "0".into();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-3..=5).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        return minus(trimmed(&format!("{value:.decimals$}")));
    }
    let power = format!("10{}", superscript(exponent));
    match trimmed(mantissa) {
        "1" => power,
        mantissa => format!("{} × {power}", minus(mantissa)),
    }
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

fn minus(number: &str) -> String {
    number.replace('-', "−")
}

/// A sentence whose numbers with an exponent, `1.955e-2`, are written as people write them: 0.01955.
pub(crate) fn written(sentence: &str) -> String {
    let mut text = String::new();
    let mut rest = sentence;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_alphanumeric()) {
        let (before, from) = rest.split_at(start);
        let part_of_number =
            |letter: char| letter.is_ascii_alphanumeric() || ".-+_".contains(letter);
        let end = from.find(|letter| !part_of_number(letter)).unwrap_or(from.len());
        let word = from[..end].trim_end_matches(['.', '-', '+']);
        let mantissa = word.split_once('e').map(|(mantissa, _)| mantissa);
        let number = mantissa.zip(word.parse::<f64>().ok());
        text += before;
        match number {
            Some((mantissa, value)) => {
                let known = mantissa.bytes().filter(u8::is_ascii_digit).count();
                text += &digits(value, known);
            }
            None => text += word,
        }
        rest = &from[word.len()..];
    }
    text + rest
}

/// An exponent in raised digits.
pub(crate) fn superscript(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.unsigned_abs().to_string();
    let raised = digits.bytes().map(|digit| RAISED[(digit - b'0') as usize]);
    if exponent < 0 { std::iter::once('⁻').chain(raised).collect() } else { raised.collect() }
}

/// A counter with thin spaces between groups of three digits.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A counter with its noun: `1 step`, `2 steps`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{count, measured, precise, short, written};

    #[test]
    fn numbers_read_well() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (0.8, "0.8"),
            (-2.5, "−2.5"),
            (1e-9, "10⁻⁹"),
            (4.21e-9, "4.21 × 10⁻⁹"),
            (-1e-12, "−1 × 10⁻¹²"),
            (1234.0, "1234"),
            (9.996, "10"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
        let units = [
            (3.17e7, "Pa", "31.7\u{202f}MPa"),
            (-0.0042, "m", "−4.2\u{202f}mm"),
            (12345.0, "m", "12345\u{202f}m"),
            (1500.0, "N m", "1.5\u{202f}kN m"),
            (0.0, "N", "0\u{202f}N"),
            (6e-14, "m", "6 × 10⁻¹⁴\u{202f}m"),
            (6e-12, "m", "6\u{202f}pm"),
            (1e3, "N", "1\u{202f}kN"),
            (7.5, "kg", "7.5\u{202f}kg"),
        ];
        for (value, unit, text) in units {
            assert_eq!(measured(value, unit), text);
        }
        let sentences = [
            ("misses by 1.955e-2 J, 8.36 % of all", "misses by 0.01955 J, 8.36 % of all"),
            ("by 5.236e-1 (at t = 0.)", "by 0.5236 (at t = 0.)"),
            ("below 1e-8.", "below 10⁻⁸."),
            ("body e3e5 of part2, node 12", "body e3e5 of part2, node 12"),
            ("steps of 2.50e-11 s; a_1e3", "steps of 2.5 × 10⁻¹¹ s; a_1e3"),
        ];
        for (sentence, text) in sentences {
            assert_eq!(written(sentence), text);
        }
        assert_eq!(precise(1.0 / 3.0), "0.333333");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
    }
}
