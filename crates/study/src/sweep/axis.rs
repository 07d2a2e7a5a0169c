//! What a key runs over: `a:b:n`, `a:b:n:log`, `a,b,c`, or the ranges `a:b` and `a:b:log` of a hypercube.

use rotula_mechanics::error::Refusal;

/// A key and the values it takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// These values, as they stand in a model file.
    Values {
        /// The dotted key.
        key: String,
        /// The values.
        values: Vec<String>,
    },
    /// Anything between two numbers.
    Range {
        /// The dotted key.
        key: String,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// Whether ratios count, not differences.
        logarithmic: bool,
    },
}

impl Axis {
    /// Reads `KEY=VALUES`.
    pub fn parse(text: &str) -> Result<Axis, Refusal> {
        let Some((key, values)) = text.split_once('=') else {
            let help = "write KEY=a:b:n, KEY=a,b,c or KEY=a:b";
            return Err(Refusal::new(format!("`{text}` has no `=`"), help));
        };
        let (key, values) = (key.trim().to_owned(), values.trim());
        if key.is_empty() || values.is_empty() {
            let help = "write for example parameters.L=1:2:5";
            return Err(Refusal::new(format!("`{text}` is not complete"), help));
        }
        let mut parts: Vec<&str> = values.split(':').map(str::trim).collect();
        let logarithmic = parts.len() > 2 && parts.last() == Some(&"log");
        if logarithmic {
            parts.pop();
        }
        let numbers: Option<Vec<f64>> = parts.iter().map(|part| part.parse().ok()).collect();
        let range = |low: f64, high: f64| {
            let positive = !logarithmic || (low > 0.0 && high > 0.0);
            match low.is_finite() && high.is_finite() && positive {
                true => Ok(()),
                false => Err(Refusal::new(
                    format!("`{text}` has ends between which there are no values"),
                    "give finite ends, positive ones with `log`",
                )),
            }
        };
        match numbers.as_deref() {
            Some([low, high]) => {
                range(*low, *high)?;
                Ok(Axis::Range { key, low: *low, high: *high, logarithmic })
            }
            Some([low, high, count]) => {
                range(*low, *high)?;
                if *count < 1.0 || count.fract() != 0.0 || *count > 1e7 {
                    return Err(Refusal::new(
                        format!("`{text}` asks for {count} values"),
                        "give a whole positive number",
                    ));
                }
                let values = spread(*low, *high, *count as usize, logarithmic);
                Ok(Axis::Values { key, values: values.iter().map(number).collect() })
            }
            _ if parts.len() > 1 && !values.contains(['"', '{', '[', '(']) => {
                let what = format!("`{text}` has something else than numbers between its colons");
                Err(Refusal::new(what, "write for example 1:2:5"))
            }
            _ => Ok(Axis::Values { key, values: listed(values) }),
        }
    }

    /// The dotted key.
    pub fn key(&self) -> &str {
        match self {
            Axis::Values { key, .. } | Axis::Range { key, .. } => key,
        }
    }
}

/// A number that reads back to the same value.
pub(super) fn number(value: &f64) -> String {
    format!("{value:?}")
}

/// Between two numbers, at a share from 0 to 1.
pub(super) fn between(low: f64, high: f64, share: f64, logarithmic: bool) -> f64 {
    match logarithmic {
        true => low * (high / low).powf(share),
        false => low + (high - low) * share,
    }
}

fn spread(low: f64, high: f64, count: usize, logarithmic: bool) -> Vec<f64> {
    let share = |k: usize| if count == 1 { 0.0 } else { k as f64 / (count - 1) as f64 };
    // the last one exactly, whatever rounding does
    let value = |k: usize| match k + 1 == count && count > 1 {
        true => high,
        false => between(low, high, share(k), logarithmic),
    };
    (0..count).map(value).collect()
}

/// Splits at commas outside of brackets and quotes.
fn listed(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut quote) = (0usize, None);
    for c in text.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (_, Some(open)) if c == open => quote = None,
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == ',' && depth == 0 && quote.is_none() {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::Axis;

    fn values(text: &str) -> Vec<String> {
        match Axis::parse(text) {
            Ok(Axis::Values { values, .. }) => values,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn grids_and_lists_are_read() {
        assert_eq!(values("m=1:2:3"), ["1.0", "1.5", "2.0"]);
        assert_eq!(
            values("m=0.1:10:3:log"),
            ["0.1", "1.0", "10"].map(|x| {
                let x: f64 = x.parse().unwrap();
                format!("{x:?}")
            })
        );
        assert_eq!(values("solve.formulation=ggl, index3"), ["ggl", "index3"]);
        assert_eq!(values("gravity=[0,0,-9.81],[0,0,-1.62]"), ["[0,0,-9.81]", "[0,0,-1.62]"]);
        assert_eq!(values("f=\"max(t, 1)\""), ["\"max(t, 1)\""]);
        let range = Axis::Range { key: "m".into(), low: 1.0, high: 2.0, logarithmic: false };
        assert_eq!(Axis::parse("m=1:2"), Ok(range));
        let range = Axis::Range { key: "m".into(), low: 0.1, high: 10.0, logarithmic: true };
        assert_eq!(Axis::parse("m=0.1:10:log"), Ok(range));
    }

    #[test]
    fn nonsense_is_refused_with_a_remedy() {
        for (text, word) in [
            ("m", "KEY=a:b:n"),
            ("m=", "not complete"),
            ("m=1:2:0", "whole positive"),
            ("m=1:2:2.5", "whole positive"),
            ("m=-1:2:3:log", "positive"),
            ("m=a:b:3", "numbers"),
        ] {
            let message = Axis::parse(text).unwrap_err();
            assert!(message.to_string().contains(word), "{text}: {message}");
        }
    }
}
