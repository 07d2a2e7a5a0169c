//! Function expressions of a deck that are linear in one coordinate of two markers and in its rate.
//!
//! | function | meaning |
//! |---|---|
//! | `DM(i, j)` | distance of the origins |
//! | `VR(i, j)` | its rate |
//! | `AZ(i, j)` | angle by which `i` is turned about z of `j` |
//! | `WZ(i, j, k)` | rate of that angle; `k`, if given, is `i` or `j` |
//! | `PI`, `RTOD`, `DTOR` | π, 180/π, π/180 |
//!
//! Distances do not care about the order of the markers, angles turn their sign with it.

use super::statement::Statement;
use super::{Reason, fail};
use rotula_formula::Graph;

/// `constant + by_value · value + by_rate · rate`, in units of the deck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine {
    pub constant: f64,
    pub by_value: f64,
    pub by_rate: f64,
}

/// Which coordinate a function speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Distance,
    Angle,
}

/// The markers of the first coordinate that a function mentions.
pub(super) fn markers_in(statement: &Statement) -> Result<Option<(usize, usize)>, Reason> {
    let text = text(statement)?;
    let mut first = None;
    replace_calls(&text, |name, numbers| {
        let call = matches!(name, "DM" | "VR" | "AZ" | "WZ").then(|| numbers.to_vec());
        if let (None, Some([i, j, ..])) = (first, call.as_deref()) {
            first = Some((*i, *j));
        }
        Ok("0".into())
    })
    .or_else(|what| fail(statement.line, what))?;
    Ok(first)
}

/// Reads the function of a statement on the coordinate of marker `i` as seen from marker `j`.
pub(super) fn affine(
    statement: &Statement,
    kind: Kind,
    (i, j): (usize, usize),
) -> Result<Affine, Reason> {
    let refuse = |what: String| -> Result<Affine, Reason> {
        fail(statement.line, format!("{}: {what}", statement.name()))
    };
    let known = match kind {
        Kind::Distance => ["DM", "VR"],
        Kind::Angle => ["AZ", "WZ"],
    };
    let replaced = replace_calls(&text(statement)?, |name, numbers| {
        let Some(place) = known.iter().position(|k| *k == name) else {
            return Err(format!(
                "the function `{name}` is not read here; {} are",
                known.join(" and ")
            ));
        };
        let symbol = ["coordinate", "rate"][place];
        let same = match numbers {
            [a, b] => [*a, *b],
            [a, b, c] if c == a || c == b => [*a, *b],
            _ => return Err(format!("`{name}` takes the two markers of the statement")),
        };
        if same == [i, j] {
            Ok(symbol.to_string())
        } else if same == [j, i] {
            Ok(match kind {
                Kind::Distance => symbol.to_string(),
                Kind::Angle => format!("(-{symbol})"),
            })
        } else {
            Err(format!("`{name}` of markers {same:?}, but the statement is on {i} and {j}"))
        }
    });
    let replaced = match replaced {
        Ok(replaced) => replaced,
        Err(what) => return refuse(what),
    };
    let mut graph = Graph::new();
    let [value, rate] = ["coordinate", "rate"].map(|name| graph.symbol(name));
    let pi = std::f64::consts::PI;
    let [pi_, rtod, dtor] = [pi, 180.0 / pi, pi / 180.0].map(|x| graph.constant(x));
    let parsed = graph.parse(&replaced, &mut |name| match name.to_uppercase().as_str() {
        "COORDINATE" => Some(value),
        "RATE" => Some(rate),
        "PI" => Some(pi_),
        "RTOD" => Some(rtod),
        "DTOR" => Some(dtor),
        _ => None,
    });
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return refuse(format!("its FUNCTION cannot be read: {error}")),
    };
    let (by_value, by_rate) = (graph.derivative(parsed, value), graph.derivative(parsed, rate));
    match (graph.as_constant(by_value), graph.as_constant(by_rate)) {
        (Some(by_value), Some(by_rate)) => {
            let constant = graph.evaluate(parsed, &[(value, 0.0), (rate, 0.0)]);
            Ok(Affine { constant, by_value, by_rate })
        }
        _ => refuse(format!(
            "its FUNCTION is not linear in {} and {}; only such functions are read, build others by hand",
            known[0], known[1]
        )),
    }
}

fn text(statement: &Statement) -> Result<String, Reason> {
    match statement.values("FUNCTION") {
        Some(values) => Ok(values.join(" ").replace("**", "^")),
        None => fail(statement.line, format!("{}: FUNCTION is missing", statement.name())),
    }
}

/// Replaces calls such as `dm(204, 205)`, whose arguments are whole numbers, by what `f` says.
fn replace_calls(
    text: &str,
    mut f: impl FnMut(&str, &[usize]) -> Result<String, String>,
) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '.') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let number = rest.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let length = if number { number_length(rest) } else { word_length(rest) };
        let (word, after) = rest.split_at(length);
        rest = after;
        let call = rest.trim_start().strip_prefix('(').filter(|_| !number);
        let Some((inside, after)) = call.and_then(|inside| inside.split_once(')')) else {
            out.push_str(word);
            continue;
        };
        let markers: Option<Vec<usize>> =
            inside.split(',').map(|piece| piece.trim().parse().ok()).collect();
        match markers {
            Some(markers) => {
                out.push_str(&f(&word.to_uppercase(), &markers)?);
                rest = after;
            }
            None => out.push_str(&word.to_lowercase()),
        }
    }
    out.push_str(rest);
    Ok(out)
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
    use super::super::statement::statements;
    use super::*;

    fn read(function: &str, kind: Kind) -> Result<Affine, Reason> {
        let deck = format!("title\nSFORCE/1, I = 2, J = 3, FUNCTION = {function}");
        affine(&statements(&deck).unwrap()[0], kind, (2, 3))
    }

    #[test]
    fn springs_of_both_kinds() {
        let spring = read("- 100.0*(dm(2,3)-2.0) - 1.0*vr(3,2) + 0.5", Kind::Distance).unwrap();
        assert_eq!(spring, Affine { constant: 200.5, by_value: -100.0, by_rate: -1.0 });
        let text = "- 1.0*RTOD*(az(2,3)-90.0*DTOR) - 5.0E-002*RTOD*wz(2,3,3)";
        let spring = read(text, Kind::Angle).unwrap();
        let degrees = 180.0 / std::f64::consts::PI;
        assert!((spring.by_value + degrees).abs() < 1e-12);
        assert!((spring.by_rate + 0.05 * degrees).abs() < 1e-12);
        assert!((spring.constant - 90.0).abs() < 1e-12);
        assert_eq!(read("7*AZ(3,2)", Kind::Angle).unwrap().by_value, -7.0);
    }

    #[test]
    fn what_is_not_linear_or_elsewhere_is_refused() {
        let message = |text: &str| read(text, Kind::Distance).unwrap_err().what;
        assert!(message("dm(2,3)**2").contains("not linear"));
        assert!(message("dm(2,4)").contains("on 2 and 3"));
        assert!(message("fx(2,3)").contains("DM and VR are"));
        assert!(message("dm(2,3)*(").contains("cannot be read"));
    }
}
