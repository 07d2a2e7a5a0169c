//! Checks that a value is what its key wants.

use crate::reading::document::{Item, Value};
use crate::reading::error::ModelError;
use crate::reading::keys::Kind;
use crate::reading::suggest::did_you_mean;

/// Refuses a value that is not what its key wants; `path` is what errors call it.
pub(crate) fn check_kind(path: &str, kind: Kind, item: &Item) -> Result<(), ModelError> {
    let wrong = |item: &Item, expected: &str, help: &str| {
        let message = format!("{path} must be {expected}, not {}", item.kind());
        Err(ModelError::new(&item.place, message).with_help(help))
    };
    let formula = |item: &Item| {
        if item.number().is_some() || item.text().is_some() {
            return Ok(());
        }
        wrong(item, "a number or a formula", "write a number, or a formula in quotes")
    };
    let several = |count: usize, items: &[Item]| {
        if items.len() == count {
            return items.iter().try_for_each(formula);
        }
        let message = format!("{path} must have {count} numbers, but has {}", items.len());
        let help = format!("write {}", example_of(count));
        Err(ModelError::new(&item.place, message).with_help(help))
    };
    match (kind, &item.value) {
        (Kind::Formula | Kind::Number, _) => formula(item),
        (Kind::Text | Kind::Name, Value::Text(_)) => Ok(()),
        (Kind::Text, _) => wrong(item, "a text", "put it in quotes"),
        (Kind::Boolean, Value::Boolean(_)) => Ok(()),
        (Kind::Boolean, _) => wrong(item, "true or false", "write true or false without quotes"),
        (Kind::Name, _) => wrong(item, "a name", "put the name in quotes"),
        (Kind::List, Value::List(items)) => items.iter().try_for_each(formula),
        (Kind::List, _) => wrong(item, "a list of numbers", "such as [0.5, 1]"),
        (Kind::Rows, Value::List(rows)) => {
            rows.iter().try_for_each(|row| check_kind(path, Kind::List, row))
        }
        (Kind::Rows, _) => wrong(item, "a list of rows of numbers", "such as [[0, 1], [2, 3]]"),
        (Kind::Names, Value::List(items)) => {
            match items.iter().find(|item| item.text().is_none()) {
                Some(strange) => wrong(strange, "names", "put the names in quotes"),
                None => Ok(()),
            }
        }
        (Kind::Names, _) => wrong(item, "a list of names", "such as [\"x\", \"y\"]"),
        (Kind::Named, Value::Table(table)) => {
            table.entries.iter().try_for_each(|entry| formula(&entry.item))
        }
        (Kind::Named, _) => wrong(item, "a table of numbers", "such as { elbow = 0.5 }"),
        (Kind::Word(words), Value::Text(text)) => match words.contains(&text.as_str()) {
            true => Ok(()),
            false => {
                let message = format!("{path} cannot be `{text}`");
                let help = did_you_mean(text, words.to_vec());
                Err(ModelError::new(&item.place, message).with_help(help))
            }
        },
        (Kind::Word(words), _) => wrong(item, "a word", &did_you_mean("", words.to_vec())),
        (Kind::Numbers(count), Value::List(items)) => several(count, items),
        (Kind::Formulas, Value::List(items)) => several(3, items),
        (Kind::Numbers(count), _) => {
            wrong(item, &format!("a list of {count} numbers"), &example_of(count))
        }
        (Kind::Formulas, _) => wrong(item, "a list of 3 formulas", "such as [\"sin(t)\", 0, 0]"),
        (Kind::Direction, Value::List(items)) => several(3, items),
        (Kind::Direction, Value::Text(text)) => match text.trim_start_matches('-') {
            "x" | "y" | "z" => Ok(()),
            _ => {
                let message = format!("{path} cannot be `{text}`");
                let help = "write \"x\", \"y\", \"z\", one of them with a minus, or three numbers";
                Err(ModelError::new(&item.place, message).with_help(help))
            }
        },
        (Kind::Direction, _) => wrong(item, "a direction", "write \"x\", or three numbers"),
        (Kind::Pair, Value::List(items)) => {
            if let Some(strange) = items.iter().find(|item| item.text().is_none()) {
                return wrong(strange, "two names", "put the names in quotes");
            }
            if items.len() == 2 {
                return Ok(());
            }
            let message = format!("{path} must have two names, but has {}", items.len());
            let help = "name two bodies or frames, such as [\"ground\", \"crank\"]";
            Err(ModelError::new(&item.place, message).with_help(help))
        }
        (Kind::Pair, _) => wrong(item, "a list of two names", "such as [\"ground\", \"crank\"]"),
        (Kind::Choice, Value::Boolean(_) | Value::Text(_)) => Ok(()),
        (Kind::Choice, Value::List(items)) => {
            match items.iter().find(|item| item.text().is_none()) {
                Some(strange) => wrong(strange, "names", "put the names in quotes"),
                None => Ok(()),
            }
        }
        (Kind::Choice, _) => {
            let help = "such as [\"slider\", \"leg*\"]";
            wrong(item, "true, false, a name, a pattern or a list of them", help)
        }
        (Kind::NameOrPoints, Value::Text(_)) => Ok(()),
        (Kind::NameOrPoints, _) => check_points(path, 2, item),
        (Kind::Points(width), _) => check_points(path, width, item),
        (Kind::Inertia, _) => check_inertia(path, item),
        (Kind::Table(_), _) => wrong(item, "a table", "write it in braces: { key = value, … }"),
        (Kind::TextOrTable(_), Value::Text(_)) => Ok(()),
        (Kind::TextOrTable(_), _) => wrong(item, "a text or a table", "put the text in quotes"),
        (Kind::NumberOrTable(_), _) => check_kind(path, Kind::Number, item),
    }
}

fn example_of(count: usize) -> String {
    let zeros = vec!["0"; count.saturating_sub(1)].join(", ");
    format!("{count} numbers in brackets, such as [1, {zeros}]")
}

fn check_points(path: &str, width: usize, item: &Item) -> Result<(), ModelError> {
    let help = match width {
        2 => "write pairs of numbers, such as [[0, 0], [0.1, 25]]",
        _ => "write lists of three numbers, such as [[0, 0, 0], [0.1, 0, 0.2]]",
    };
    let fault =
        |item: &Item, message: String| Err(ModelError::new(&item.place, message).with_help(help));
    let Value::List(items) = &item.value else {
        return fault(item, format!("{path} must be a list of points, not {}", item.kind()));
    };
    if items.len() < 2 {
        return fault(item, format!("{path} must have at least two points"));
    }
    items.iter().try_for_each(|point| match &point.value {
        Value::List(numbers) if numbers.len() == width => {
            check_kind(path, Kind::Numbers(width), point)
        }
        _ => fault(point, format!("a point of {path} must be {width} numbers")),
    })
}

/// The keys of an inertia given as a table.
pub static MOMENTS: [&str; 6] = ["xx", "yy", "zz", "xy", "xz", "yz"];

fn check_inertia(path: &str, item: &Item) -> Result<(), ModelError> {
    match &item.value {
        Value::List(rows) if rows.iter().any(|row| matches!(row.value, Value::List(_))) => {
            if rows.len() != 3 {
                let message = format!("{path} must have 3 rows, but has {}", rows.len());
                let help = "write three rows of three numbers, or three principal moments";
                return Err(ModelError::new(&item.place, message).with_help(help));
            }
            rows.iter().try_for_each(|row| check_kind(path, Kind::Numbers(3), row))
        }
        Value::List(_) => check_kind(path, Kind::Numbers(3), item),
        Value::Table(table) => {
            for entry in &table.entries {
                if !MOMENTS.contains(&entry.key.as_str()) {
                    let message = format!("{path} has no key `{}`", entry.key);
                    let help = did_you_mean(&entry.key, MOMENTS.to_vec());
                    return Err(ModelError::new(&entry.place, message).with_help(help));
                }
                check_kind(&format!("{path}.{}", entry.key), Kind::Number, &entry.item)?;
            }
            match MOMENTS[..3].iter().find(|key| table.get(key).is_none()) {
                Some(key) => {
                    let error = ModelError::new(&item.place, format!("{path} misses `{key}`"));
                    Err(error.with_help("give at least xx, yy and zz; products not given are zero"))
                }
                None => Ok(()),
            }
        }
        _ => check_kind(path, Kind::Number, item),
    }
}
