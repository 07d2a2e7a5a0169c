//! `link[*].force`: a name for the numbers of all copies, as arguments of `sum`, `min` and `max`.

use crate::reading::error::ModelError;
use crate::reading::source::Place;
use rotula_formula::names_in;
use std::borrow::Cow;

/// Stands for every index.
const ALL: &str = "[*]";

/// Whether a name stands for the numbers of all copies.
pub(crate) fn is_many(name: &str) -> bool {
    name.contains(ALL)
}

/// Whether a name is one of those that a name with `[*]` stands for.
pub(crate) fn is_one_of(many: &str, name: &str) -> bool {
    let mut parts = many.split(ALL);
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    for part in parts {
        let index = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        match index.and_then(|(_, behind)| behind.strip_prefix(part)) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    rest.is_empty()
}

/// A formula with the names of all copies written out where one stands for them, as far as `knows` knows them.
pub(crate) fn written_out<'a>(
    text: &'a str,
    place: &Place,
    path: &str,
    knows: &dyn Fn(&str) -> bool,
) -> Result<Cow<'a, str>, ModelError> {
    if !is_many(text) {
        return Ok(Cow::Borrowed(text));
    }
    let mut full = String::new();
    let mut rest = 0;
    for (name, span) in names_in(text).unwrap_or_default() {
        if !is_many(&name) {
            continue;
        }
        let here = || place.inside_string(span.clone());
        let before = text[..span.start].trim_end();
        let behind = text[span.end..].trim_start();
        if !before.ends_with(['(', ',']) || !behind.starts_with([')', ',']) {
            let message = format!("{path}: `{name}` stands for many numbers");
            let help = format!("write `sum({name})`, `min({name})` or `max({name})`");
            return Err(ModelError::new(&here(), message).with_help(help));
        }
        let all = copies(&name, knows);
        if all.is_empty() {
            let first = name.replace(ALL, "[0]");
            let message = format!("{path}: there is no `{first}`");
            let help = format!(
                "`{ALL}` means all numbered copies: check the name of the copies and of their number"
            );
            return Err(ModelError::new(&here(), message).with_help(help));
        }
        full.push_str(&text[rest..span.start]);
        full.push_str(&all.join(", "));
        rest = span.end;
    }
    full.push_str(&text[rest..]);
    Ok(Cow::Owned(full))
}

/// All names that a name with `[*]` stands for: copies are counted until there is no further one.
fn copies(name: &str, knows: &dyn Fn(&str) -> bool) -> Vec<String> {
    let Some((before, behind)) = name.split_once(ALL) else {
        return if knows(name) { vec![name.to_owned()] } else { Vec::new() };
    };
    let mut all = Vec::new();
    for index in 0.. {
        let further = copies(&format!("{before}[{index}]{behind}"), knows);
        if further.is_empty() {
            break;
        }
        all.extend(further);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_copies() {
        assert!(is_one_of("link[*].pin[*].fx", "link[3].pin[12].fx"));
        assert!(!is_one_of("link[*].pin[*].fx", "link[3].pin.fx"));
        assert!(!is_one_of("link[*].fx", "link[3].fx.more"));
        assert!(!is_one_of("link[*].fx", "other[3].fx"));
        let known = ["a[0].x", "a[1].x", "a[2].y"];
        assert_eq!(copies("a[*].x", &|name| known.contains(&name)), ["a[0].x", "a[1].x"]);
    }
}
