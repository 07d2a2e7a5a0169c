//! Statements of a deck: `KEYWORD/number, ARGUMENT = value, value, FLAG, …`.
//!
//! A line that begins with a comma continues the statement before it, `!` begins a comment, and the
//! first line is the title. Letters may be large or small.

use super::{Reason, fail};
use crate::error::refusal;

/// An argument of a statement and its values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Argument {
    /// Its name in large letters.
    pub key: String,
    /// What stands after `=`, split at commas; empty for a flag.
    pub values: Vec<String>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Statement {
    /// The line it begins in, counted from one.
    pub line: usize,
    /// The word before the slash, in large letters.
    pub keyword: String,
    /// The number after the slash; zero if there is none.
    pub number: usize,
    /// The rest.
    pub arguments: Vec<Argument>,
}

/// Splits a deck into statements, up to `END`.
pub(super) fn statements(text: &str) -> Result<Vec<Statement>, Reason> {
    let mut raw: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1) {
        let line = line.split('!').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        match raw.last_mut() {
            Some((_, statement)) if line.starts_with(',') => statement.push_str(line),
            None if line.starts_with(',') => {
                return fail(index + 1, "a line that continues a statement, but none came before");
            }
            _ => raw.push((index + 1, line.to_string())),
        }
    }
    let ended = raw.iter().position(|(_, text)| text.eq_ignore_ascii_case("END"));
    raw.truncate(ended.unwrap_or(raw.len()));
    raw.into_iter().map(|(line, text)| statement(line, &text)).collect()
}

fn statement(line: usize, text: &str) -> Result<Statement, Reason> {
    let Some((keyword, rest)) = text.split_once('/') else {
        return fail(
            line,
            refusal!("`{text}` is no statement"; "write KEYWORD/number, ARGUMENT = …"),
        );
    };
    let mut pieces = split_at_commas(rest).into_iter().peekable();
    let first = pieces.peek().cloned().unwrap_or_default();
    let number = match first.parse() {
        Ok(number) => number,
        Err(_) if first.is_empty() || first.contains('=') => 0,
        Err(_) => return fail(line, format!("`{first}` is no number of a statement")),
    };
    // without a number the arguments may begin at once: `UNITS/FORCE = NEWTON`
    pieces.next_if(|piece| !piece.contains('='));
    let mut arguments: Vec<Argument> = Vec::new();
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        if let Some((key, value)) = piece.split_once('=') {
            let values = vec![value.trim().to_string()];
            arguments.push(Argument { key: key.trim().to_uppercase(), values });
            continue;
        }
        match arguments.last_mut() {
            // after `KEY = a`, a piece without a key is another value, unless it is a word
            Some(last) if !last.values.is_empty() && !is_word(&piece) => last.values.push(piece),
            _ => arguments.push(Argument { key: piece.to_uppercase(), values: Vec::new() }),
        }
    }
    Ok(Statement { line, keyword: keyword.trim().to_uppercase(), number, arguments })
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
}

/// Splits at commas outside parentheses.
fn split_at_commas(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                pieces.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = pieces.last_mut() {
            last.push(c);
        }
    }
    pieces.iter().map(|piece| piece.trim().to_string()).collect()
}

impl Statement {
    /// The thing in words, such as `MARKER/101`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.keyword, self.number)
    }

    /// Refuses arguments that are not in a list.
    pub fn only(&self, known: &[&str]) -> Result<(), Reason> {
        let unknown = self.arguments.iter().find(|a| !known.contains(&a.key.as_str()));
        match unknown {
            Some(argument) => {
                let (name, key) = (self.name(), &argument.key);
                let known = known.join(", ");
                fail(self.line, refusal!("{name}: `{key}` is not read"; "{known} are"))
            }
            None => Ok(()),
        }
    }

    /// Whether a flag is there.
    pub fn has(&self, key: &str) -> bool {
        self.arguments.iter().any(|a| a.key == key)
    }

    /// The values of an argument.
    pub fn values(&self, key: &str) -> Option<&[String]> {
        self.arguments.iter().find(|a| a.key == key).map(|a| a.values.as_slice())
    }

    /// The numbers of an argument; angles with a `D` are in degrees and come back in radians.
    pub fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, Reason> {
        let parse = |text: &String| {
            let (digits, unit) = match text.strip_suffix(['D', 'd']) {
                Some(degrees) => (degrees, std::f64::consts::PI / 180.0),
                None => (text.as_str(), 1.0),
            };
            digits.trim().parse::<f64>().map(|value| value * unit).or_else(|_| {
                fail(self.line, format!("{}: `{text}` in {key} is no number", self.name()))
            })
        };
        self.values(key).map(|values| values.iter().map(parse).collect()).transpose()
    }

    /// One number.
    pub fn number(&self, key: &str) -> Result<Option<f64>, Reason> {
        Ok(self.three_or(key, 1)?.map(|values| values[0]))
    }

    /// Three numbers.
    pub fn vector(&self, key: &str) -> Result<Option<nalgebra::Vector3<f64>>, Reason> {
        Ok(self.three_or(key, 3)?.map(|v| nalgebra::Vector3::new(v[0], v[1], v[2])))
    }

    fn three_or(&self, key: &str, count: usize) -> Result<Option<Vec<f64>>, Reason> {
        match self.numbers(key)? {
            Some(values) if values.len() != count => {
                let (name, given) = (self.name(), values.len());
                fail(self.line, format!("{name}: {key} takes {count} numbers, not {given}"))
            }
            other => Ok(other),
        }
    }

    /// The number of another statement.
    pub fn reference(&self, key: &str) -> Result<Option<usize>, Reason> {
        let Some(values) = self.values(key) else { return Ok(None) };
        match values {
            [one] if one.parse::<usize>().is_ok() => Ok(one.parse().ok()),
            _ => {
                let (name, text) = (self.name(), values.join(", "));
                fail(self.line, format!("{name}: {key} takes one number, not `{text}`"))
            }
        }
    }

    /// The number of another statement, which must be there.
    pub fn needed(&self, key: &str) -> Result<usize, Reason> {
        match self.reference(key)? {
            Some(number) => Ok(number),
            None => fail(self.line, format!("{}: {key} is missing", self.name())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn continued_lines_comments_and_flags() {
        let text = "title\nPART/02, MASS = 1 ! heavy\n, CM = 0201, IP = 1, 2, 3\n!\nPART/1\n, GROUND\nEND\nrest";
        let list = statements(text).unwrap();
        assert_eq!(list.len(), 2);
        assert_eq!((list[0].line, list[0].number), (2, 2));
        assert_eq!(list[0].vector("IP").unwrap().unwrap(), nalgebra::Vector3::new(1.0, 2.0, 3.0));
        assert_eq!(list[0].needed("CM").unwrap(), 201);
        assert!(list[1].has("GROUND"));
    }

    #[test]
    fn a_function_goes_on_over_lines() {
        let text = "title\nSFORCE/1, I = 2, FUNCTION = -10*(dm(2,3)-1)\n, - 2*vr(2,3)\n, + 0.0";
        let list = statements(text).unwrap();
        assert_eq!(
            list[0].values("FUNCTION").unwrap().join(" "),
            "-10*(dm(2,3)-1) - 2*vr(2,3) + 0.0"
        );
    }

    #[test]
    fn arguments_may_follow_the_slash() {
        let refused = statements("title\nUNITS/FORCE=NEWTON\nPART/x").unwrap_err();
        assert!(refused.what.what.contains("`x` is no number"), "{}", refused.what);
        let list = statements("title\nUNITS/FORCE=NEWTON, MASS = KILOGRAM").unwrap();
        assert_eq!(list[0].values("FORCE").unwrap(), ["NEWTON"]);
        assert_eq!(list[0].values("MASS").unwrap(), ["KILOGRAM"]);
    }

    #[test]
    fn degrees_become_radians() {
        let list = statements("title\nMARKER/1, REULER = 90D, 1.5, 180d").unwrap();
        let angles = list[0].vector("REULER").unwrap().unwrap();
        assert!((angles.x - std::f64::consts::FRAC_PI_2).abs() < 1e-15 && angles.y == 1.5);
    }
}
