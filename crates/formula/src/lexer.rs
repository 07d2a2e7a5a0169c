//! Text to tokens.

use crate::error::FormulaError;
use crate::functions::is_reserved;
use std::ops::Range;

#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    Number(f64),
    Name,
    /// An operator, a bracket or a separator.
    Mark(&'static str),
    End,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// Longest first, so that `<=` is not read as `<`.
const MARKS: [&str; 17] =
    ["<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "^", "(", ")", ",", ";", "[", "]"];

/// What other languages and keyboards write, and what to write here.
const FOREIGN: [(&str, &str); 14] = [
    ("**", "^"),
    ("&&", "and"),
    ("||", "or"),
    ("&", "and"),
    ("|", "abs(…)"),
    ("!", "not"),
    ("=", "=="),
    ("·", "*"),
    ("×", "*"),
    ("÷", "/"),
    ("−", "-"),
    ("≤", "<="),
    ("≥", ">="),
    ("′", "'"),
];

/// The tokens of `text`, the last of which is [`Kind::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, FormulaError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let token = next(text, at, first)?;
        at = token.span.end;
        tokens.push(token);
    }
    let end = text.trim_end().len();
    tokens.push(Token { kind: Kind::End, span: end..end });
    Ok(tokens)
}

fn next(text: &str, at: usize, first: char) -> Result<Token, FormulaError> {
    let rest = &text[at..];
    let second_is_digit = rest[first.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
    if first.is_ascii_digit() || (first == '.' && second_is_digit) {
        return number(text, at);
    }
    if first.is_alphabetic() || first == '_' {
        return name(text, at);
    }
    for (foreign, ours) in FOREIGN {
        let own = MARKS.iter().any(|mark| rest.starts_with(mark) && mark.len() >= foreign.len());
        if rest.starts_with(foreign) && !own {
            let span = at..at + foreign.len();
            let message = format!("`{foreign}` is not an operator here");
            return Err(FormulaError::syntax_with_help(message, span, format!("write `{ours}`")));
        }
    }
    match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
        Some(mark) => Ok(Token { kind: Kind::Mark(mark), span: at..at + mark.len() }),
        None => {
            let span = at..at + first.len_utf8();
            Err(FormulaError::syntax(format!("unexpected character `{first}`"), span))
        }
    }
}

fn number(text: &str, start: usize) -> Result<Token, FormulaError> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = start + digits(start);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = bytes.get(end + 1 + sign..).map_or(0, |_| digits(end + 1 + sign));
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    let span = start..end;
    if bytes.get(end) == Some(&b'.') {
        return Err(FormulaError::syntax("a number has only one decimal point", start..end + 1));
    }
    match text[span.clone()].parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Token { kind: Kind::Number(value), span }),
        _ => Err(FormulaError::syntax("this number is too large", span)),
    }
}

fn name(text: &str, start: usize) -> Result<Token, FormulaError> {
    let mut end = start;
    let mut open = Vec::new();
    for c in text[start..].chars() {
        match c {
            '[' => open.push(end),
            ']' if open.pop().is_some() => {}
            // an index may be a formula
            _ if !open.is_empty() => {}
            _ if c.is_alphanumeric() || c == '_' || c == '.' => {}
            _ => break,
        }
        end += c.len_utf8();
    }
    if let Some(at) = open.first() {
        let message = "this bracket is not closed";
        return Err(FormulaError::syntax_with_help(message, *at..at + 1, "close it with `]`"));
    }
    if text[start..end].ends_with('.') || text[start..end].contains("..") {
        return Err(FormulaError::syntax("a name cannot end with a dot", start..end));
    }
    let primes = text[end..].bytes().take_while(|&b| b == b'\'').count();
    let span = start..end + primes;
    if primes > 2 {
        let message = format!("`{}` has more than two primes", &text[span.clone()]);
        return Err(FormulaError::syntax(message, span));
    }
    Ok(Token { kind: Kind::Name, span })
}

/// Whether a text is one name, which formulas could use.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name(text, 0).is_ok_and(|token| token.span.end == text.len())
        && !is_reserved(text)
}

/// The names a formula refers to, as written, with their places: everything that [`Graph::parse`](crate::Graph::parse) would
/// ask its caller for. A name appears as often as it is used.
///
/// # Errors
/// [`FormulaError::Syntax`] if the text cannot be split into tokens.
pub fn names_in(text: &str) -> Result<Vec<(String, Range<usize>)>, FormulaError> {
    let tokens = tokens(text)?;
    Ok(tokens
        .windows(2)
        .filter(|pair| pair[0].kind == Kind::Name && pair[1].kind != Kind::Mark("("))
        .map(|pair| (text[pair[0].span.clone()].to_owned(), pair[0].span.clone()))
        .filter(|(name, _)| !is_reserved(name))
        .collect())
}
