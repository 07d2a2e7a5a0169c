//! Function expressions of a deck, written anew in the language of formulas.
//!
//! Arithmetic, `**` and the usual functions pass. Calls with markers (`DM(i, j)`), `TIME` and other
//! names are answered by the caller. Of the functions that only Adams has, these are known:
//!
//! | function | meaning |
//! |---|---|
//! | `STEP(x, x0, h0, x1, h1)` | cubic step |
//! | `IMPACT(x, ẋ, x1, k, e, c, d)` | `max(0, k (x1 − x)^e − step(x, x1 − d, c, x1, 0) ẋ)` below x1, else 0 |
//! | `BISTOP(x, ẋ, x1, x2, k, e, c, d)` | an impact at x1 from above and one at x2 from below |
//! | `POLY(x, x0, a0, a1, …)` | `a0 + a1 (x − x0) + …` |
//! | `SHF(x, x0, a, w, phi, b)` | `a sin(w (x − x0) − phi) + b` |
//! | `IF(x: a, b, c)` | a for x < 0, b for x = 0, c for x > 0 |
//! | `SIGN(a, b)`, `DIM(a, b)` | `\|a\|` with the sign of b; `max(0, a − b)` |

use crate::error::Refusal;
/// What the caller makes of a name, with the markers of a call if it is one.
pub(super) type Leaf<'a> = dyn FnMut(&str, Option<&[usize]>) -> Result<String, Refusal> + 'a;

/// Functions that both languages have.
const SAME: [&str; 17] = [
    "SIN", "COS", "TAN", "ASIN", "ACOS", "ATAN", "ATAN2", "SINH", "COSH", "TANH", "EXP", "LOG",
    "LOG10", "SQRT", "ABS", "MIN", "MAX",
];

/// Writes an expression anew; says what is not understood.
pub(super) fn translate(text: &str, leaf: &mut Leaf) -> Result<String, Refusal> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '.') {
        out.push_str(&rest[..start].replace("**", "^"));
        rest = &rest[start..];
        if rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            let (number, after) = rest.split_at(number_length(rest));
            rest = after;
            // angles in degrees, such as 90D
            let degrees = rest.strip_prefix(['D', 'd']);
            let degrees = degrees.filter(|after| !after.starts_with(|c: char| c.is_alphanumeric()));
            match degrees {
                Some(after) => {
                    out.push_str(&format!("({number}*pi/180)"));
                    rest = after;
                }
                None => out.push_str(number),
            }
            continue;
        }
        let (word, after) = rest.split_at(word_length(rest));
        rest = after;
        let name = word.to_uppercase();
        match rest.trim_start().strip_prefix('(') {
            Some(inside) => {
                let (arguments, after) = arguments(inside)
                    .ok_or_else(|| format!("the parenthesis after `{word}` is not closed"))?;
                rest = after;
                out.push_str(&call(&name, &arguments, leaf)?);
            }
            None => out.push_str(&leaf(&name, None)?),
        }
    }
    out.push_str(&rest.replace("**", "^"));
    Ok(out)
}

fn call(name: &str, arguments: &[&str], leaf: &mut Leaf) -> Result<String, Refusal> {
    let markers: Option<Vec<usize>> = arguments.iter().map(|a| a.trim().parse().ok()).collect();
    let known = ["STEP", "IMPACT", "BISTOP", "POLY", "SHF", "IF", "SIGN", "DIM", "MOD"];
    if !SAME.contains(&name) && !known.contains(&name) {
        return match markers {
            Some(markers) => leaf(name, Some(&markers)),
            None => Err(format!("the function `{name}` is not read").into()),
        };
    }
    let mut inner = |text: &&str| translate(text, leaf).map(|text| format!("({})", text.trim()));
    if name == "IF" {
        let Some((condition, first)) = arguments.first().and_then(|a| a.split_once(':')) else {
            return Err("`IF` is written `IF(x: a, b, c)`".into());
        };
        let [second, third] = arguments[1..] else {
            return Err("`IF` takes three values, for x < 0, x = 0 and x > 0".into());
        };
        let x = inner(&condition)?;
        let [a, b, c] = [inner(&first)?, inner(&second)?, inner(&third)?];
        return Ok(format!("if({x} < 0, {a}, if({x} > 0, {c}, {b}))"));
    }
    let a: Vec<String> = arguments.iter().map(&mut inner).collect::<Result<_, _>>()?;
    let count = |wanted: usize| match a.len() == wanted {
        true => Ok(()),
        false => Err(format!("`{name}` takes {wanted} arguments, not {}", a.len())),
    };
    // one side of a buffer: how deep, how fast it gets deeper, and the rest of the arguments
    let buffer = |depth: String, speed: String, [k, e, c, d]: [&String; 4]| {
        let damping = format!("step({depth}, 0, 0, {d}, {c})");
        format!("if({depth} > 0, max(0, {k}*max(0, {depth})^{e} + {damping}*{speed}), 0)")
    };
    Ok(match name {
        "STEP" => {
            count(5)?;
            format!("step({})", a.join(", "))
        }
        "IMPACT" => {
            count(7)?;
            let depth = format!("({} - {})", a[2], a[0]);
            buffer(depth, format!("(-{})", a[1]), [&a[3], &a[4], &a[5], &a[6]])
        }
        "BISTOP" => {
            count(8)?;
            let rest = [&a[4], &a[5], &a[6], &a[7]];
            let low = buffer(format!("({} - {})", a[2], a[0]), format!("(-{})", a[1]), rest);
            let high = buffer(format!("({} - {})", a[0], a[3]), a[1].clone(), rest);
            format!("({low} - {high})")
        }
        "POLY" => {
            let [x, x0, coefficients @ ..] = &a[..] else {
                return Err("`POLY` takes x, x0 and coefficients".into());
            };
            coefficients.iter().rev().fold(String::from("0"), |sum, coefficient| {
                format!("({coefficient} + ({x} - {x0})*{sum})")
            })
        }
        "SHF" => {
            count(6)?;
            format!("({}*sin({}*({} - {}) - {}) + {})", a[2], a[3], a[0], a[1], a[4], a[5])
        }
        "SIGN" => {
            count(2)?;
            format!("if({1} < 0, -abs({0}), abs({0}))", a[0], a[1])
        }
        "DIM" => {
            count(2)?;
            format!("max(0, {} - {})", a[0], a[1])
        }
        "MOD" => {
            count(2)?;
            // the remainder has the sign of the first argument
            format!("if({0} < 0, -mod(-{0}, abs({1})), mod({0}, abs({1})))", a[0], a[1])
        }
        _ => format!("{}({})", name.to_lowercase(), a.join(", ")),
    })
}

/// Arguments up to the parenthesis that closes, and what follows it.
fn arguments(text: &str) -> Option<(Vec<&str>, &str)> {
    let (mut depth, mut start, mut found) = (0usize, 0, Vec::new());
    for (place, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => {
                found.push(&text[start..place]);
                return Some((found, &text[place + 1..]));
            }
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&text[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    None
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// The length of a number such as `5.0E-002` at the beginning of a text.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let end = text[from..].find(|c: char| !c.is_ascii_digit() && c != '.');
        end.map_or(text.len(), |n| from + n)
    };
    let mantissa = digits(0);
    let exponent = text[mantissa..].strip_prefix(['e', 'E']);
    match exponent.map(|e| e.strip_prefix(['+', '-']).unwrap_or(e)) {
        Some(e) if e.starts_with(|c: char| c.is_ascii_digit()) => digits(text.len() - e.len()),
        _ => mantissa,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rotula_formula::Graph;

    /// The value of an expression at x and v.
    fn value(text: &str, x: f64, v: f64) -> f64 {
        let mut leaf = |name: &str, _: Option<&[usize]>| match name {
            "X" => Ok("x".to_owned()),
            "V" => Ok("v".to_owned()),
            "PI" => Ok("pi".to_owned()),
            _ => Err(format!("`{name}`").into()),
        };
        let text = translate(text, &mut leaf).unwrap();
        let mut graph = Graph::new();
        let [xs, vs] = ["x", "v"].map(|name| graph.symbol(name));
        let expression = graph.parse_free(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        graph.evaluate(expression, &[(xs, x), (vs, v)])
    }

    #[test]
    fn values_by_hand() {
        let cases = [
            ("2*X**2 - 1.5E+01", 3.0, 0.0, 3.0),
            ("STEP(X, 0, 1, 2, 5)", 1.0, 0.0, 3.0),
            ("POLY(X, 1, 4, 3, 2)", 3.0, 0.0, 4.0 + 3.0 * 2.0 + 2.0 * 4.0),
            ("SHF(X, 1, 2, PI, 90D, 7)", 2.0, 0.0, 2.0 + 7.0),
            ("IF(X - 1: 10, 20, 30)", 0.0, 0.0, 10.0),
            ("IF(X - 1: 10, 20, 30)", 1.0, 0.0, 20.0),
            ("IF(X - 1: 10, 20, 30)", 4.0, 0.0, 30.0),
            ("SIGN(3, X)", -0.1, 0.0, -3.0),
            ("DIM(X, 2) + DIM(2, X)", 5.0, 0.0, 3.0),
            ("MOD(X, 3)", -7.0, 0.0, -1.0),
            ("max(SIN(PI/2), X)", 0.0, 0.0, 1.0),
            // 0.3 deep, half of the damping at the depth 0.2 of 0.4: out of contact, in, coming out
            ("IMPACT(X, V, 1, 100, 1.5, 8, 0.4)", 1.1, -3.0, 0.0),
            ("IMPACT(X, V, 1, 100, 2, 8, 0.4)", 0.8, -3.0, 100.0 * 0.04 + 4.0 * 3.0),
            ("IMPACT(X, V, 1, 100, 2, 8, 0.4)", 0.8, 3.0, 0.0),
            ("BISTOP(X, V, 1, 2, 100, 1, 0, 0.1)", 0.8, 0.0, 20.0),
            ("BISTOP(X, V, 1, 2, 100, 1, 0, 0.1)", 1.5, 9.0, 0.0),
            ("BISTOP(X, V, 1, 2, 100, 1, 10, 0.1)", 2.2, 3.0, -50.0),
        ];
        for (text, x, v, expected) in cases {
            let found = value(text, x, v);
            assert!(
                (found - expected).abs() < 1e-12,
                "{text} at {x}, {v}: {found}, not {expected}"
            );
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let mut leaf = |name: &str, _: Option<&[usize]>| Err(format!("what is `{name}`?").into());
        let cases = [
            ("AKISPL(X, 0, 3)", "`AKISPL` is not read"),
            ("VARVAL(7)", "what is `VARVAL`?"),
            ("STEP(1, 2)", "`STEP` takes 5 arguments, not 2"),
            ("IF(1, 2, 3)", "IF(x: a, b, c)"),
            ("SIN(1", "not closed"),
            ("FOO + 1", "what is `FOO`?"),
        ];
        for (text, what) in cases {
            let error = translate(text, &mut leaf).unwrap_err();
            assert!(error.what.contains(what), "{text}: {error}");
        }
    }
}
