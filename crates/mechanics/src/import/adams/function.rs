//! Function expressions of a deck in one coordinate of two markers, its rate and time.
//!
//! | function | meaning |
//! |---|---|
//! | `DM(i, j)` | distance of the origins |
//! | `VR(i, j)` | its rate |
//! | `AZ(i, j)` | angle by which `i` is turned about z of `j` |
//! | `WZ(i, j, k)` | rate of that angle; `k`, if given, is `i` or `j` |
//! | `TIME` | time |
//! | `PI`, `RTOD`, `DTOR` | π, 180/π, π/180 |
//!
//! Distances do not care about the order of the markers, angles turn their sign with it. Everything
//! else is [`expression`](super::expression)'s.

use super::expression::translate;
use super::statement::Statement;
use super::units::Units;
use super::{Reason, fail};
use crate::error::{Refusal, refusal};
use rotula_formula::Graph;

/// `constant + by_value · value + by_rate · rate`, in units of the deck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Affine {
    pub constant: f64,
    pub by_value: f64,
    pub by_rate: f64,
}

/// What a function is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Function {
    /// Linear, in units of the deck.
    Affine(Affine),
    /// A formula in `value`, `rate` and `t`, which are SI units, with a result in units of the deck.
    Formula(String),
}

/// Which coordinate a function speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Distance,
    Angle,
}

impl Kind {
    /// The functions for the coordinate and its rate.
    fn words(self) -> [&'static str; 2] {
        match self {
            Kind::Distance => ["DM", "VR"],
            Kind::Angle => ["AZ", "WZ"],
        }
    }
}

/// The markers of the first coordinate that a function mentions.
pub(super) fn markers_in(statement: &Statement) -> Result<Option<(usize, usize)>, Reason> {
    let mut first = None;
    let mut leaf = |name: &str, markers: Option<&[usize]>| {
        if let (None, "DM" | "VR" | "AZ" | "WZ", Some([i, j, ..])) = (first, name, markers) {
            first = Some((*i, *j));
        }
        Ok("0".into())
    };
    translate(&text(statement)?, &mut leaf).or_else(|what| fail(statement.line, what))?;
    Ok(first)
}

/// Reads the function of a statement on the coordinate of marker `i` as seen from marker `j`.
pub(super) fn function(
    statement: &Statement,
    kind: Kind,
    markers: (usize, usize),
    units: Units,
) -> Result<Function, Reason> {
    let refuse = |refusal: Refusal| {
        let what = format!("{}: {}", statement.name(), refusal.what);
        fail(statement.line, Refusal { what, ..refusal })
    };
    let text = text(statement)?;
    let in_deck_units = ["value", "rate", "t"].map(String::from);
    let plain =
        translate(&text, &mut |name, numbers| leaf(kind, markers, &in_deck_units, name, numbers));
    let plain = match plain {
        Ok(plain) => plain,
        Err(what) => return refuse(what),
    };
    let mut graph = Graph::new();
    let [value, rate, time] = ["value", "rate", "t"].map(|name| graph.symbol(name));
    let parsed = match graph.parse_free(&plain) {
        Ok(parsed) => parsed,
        Err(error) => return refuse(format!("its FUNCTION cannot be read: {error}").into()),
    };
    let slopes = [value, rate].map(|symbol| graph.derivative(parsed, symbol));
    if let (Some(by_value), Some(by_rate), false) =
        (graph.as_constant(slopes[0]), graph.as_constant(slopes[1]), graph.depends_on(parsed, time))
    {
        let constant = graph.evaluate(parsed, &[(value, 0.0), (rate, 0.0)]);
        return Ok(Function::Affine(Affine { constant, by_value, by_rate }));
    }
    let length = if kind == Kind::Distance { units.length } else { 1.0 };
    let symbols = [
        format!("(value/{length:e})"),
        format!("(rate*{:e})", units.time / length),
        format!("(t/{:e})", units.time),
    ];
    let scaled =
        translate(&text, &mut |name, numbers| leaf(kind, markers, &symbols, name, numbers));
    match scaled {
        Ok(scaled) => Ok(Function::Formula(scaled)),
        Err(what) => refuse(what),
    }
}

/// What a name stands for: a coordinate, its rate, time or a constant.
fn leaf(
    kind: Kind,
    (i, j): (usize, usize),
    symbols: &[String; 3],
    name: &str,
    numbers: Option<&[usize]>,
) -> Result<String, Refusal> {
    let words = kind.words();
    let Some(numbers) = numbers else {
        return Ok(match name {
            "TIME" => symbols[2].clone(),
            "PI" => "pi".into(),
            "RTOD" => "(180/pi)".into(),
            "DTOR" => "(pi/180)".into(),
            _ => return Err(format!("the name `{name}` is not known here").into()),
        });
    };
    let Some(place) = words.iter().position(|word| *word == name) else {
        let both = words.join(" and ");
        return Err(
            refusal!("the function `{name}` is not read here"; "{both} of its markers are"),
        );
    };
    let symbol = symbols[place].clone();
    let same = match numbers {
        [a, b] => [*a, *b],
        [a, b, c] if c == a || c == b => [*a, *b],
        _ => return Err(format!("`{name}` takes the two markers of the statement").into()),
    };
    if same == [i, j] {
        Ok(symbol)
    } else if same == [j, i] {
        Ok(match kind {
            Kind::Distance => symbol,
            Kind::Angle => format!("(-{symbol})"),
        })
    } else {
        Err(format!("`{name}` of markers {same:?}, but the statement is on {i} and {j}").into())
    }
}

fn text(statement: &Statement) -> Result<String, Reason> {
    match statement.values("FUNCTION") {
        Some(values) => Ok(values.join(" ")),
        None => fail(statement.line, format!("{}: FUNCTION is missing", statement.name())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::statement::statements;
    use super::*;

    fn read_any(text: &str, kind: Kind) -> Result<Function, Reason> {
        let deck = format!("title\nSFORCE/1, I = 2, J = 3, FUNCTION = {text}");
        let units = Units { length: 1e-3, time: 1e-3, ..Units::default() };
        function(&statements(&deck).unwrap()[0], kind, (2, 3), units)
    }

    fn read(text: &str, kind: Kind) -> Result<Affine, Reason> {
        match read_any(text, kind)? {
            Function::Affine(affine) => Ok(affine),
            Function::Formula(text) => fail(0, format!("not linear: {text}")),
        }
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
    fn other_functions_become_formulas_of_si_units() {
        // 5 mm and 3 mm/ms at 2 ms
        let Function::Formula(text) =
            read_any("dm(2,3)**2 + 10*VR(3,2)*TIME + STEP(TIME, 1, 0, 3, 8)", Kind::Distance)
                .unwrap()
        else {
            panic!("it is not linear")
        };
        let mut graph = Graph::new();
        let symbols = ["value", "rate", "t"].map(|name| graph.symbol(name));
        let parsed = graph.parse_free(&text).unwrap();
        let at = [(symbols[0], 5e-3), (symbols[1], 3.0), (symbols[2], 2e-3)];
        assert!((graph.evaluate(parsed, &at) - (25.0 + 60.0 + 4.0)).abs() < 1e-12, "{text}");
    }

    #[test]
    fn what_is_elsewhere_is_refused() {
        let message = |text: &str| read(text, Kind::Distance).unwrap_err().what.to_string();
        assert!(message("dm(2,4)").contains("on 2 and 3"));
        assert!(message("fx(2,3)").contains("DM and VR of its markers are"));
        assert!(message("dm(2,3)*(").contains("cannot be read"));
        assert!(message("dm(2,3)*foo").contains("`FOO` is not known"));
    }
}
