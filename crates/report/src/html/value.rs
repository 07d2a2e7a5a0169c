//! Any JSON value as readable markup.

use super::escape::escape;
use crate::numbers::precise;
use serde_json::{Map, Value};

/// Longest list that is shown whole.
const LONGEST: usize = 200;

/// A value as nested tables.
pub(crate) fn markup(value: &Value) -> String {
    match value {
        Value::Null => "–".into(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::Number(number) if number.is_f64() => {
            number.as_f64().map_or_else(|| number.to_string(), precise)
        }
        Value::Number(number) => number.to_string(),
        Value::String(text) => escape(text),
        Value::Object(entries) => object(entries),
        Value::Array(items) => array(items),
    }
}

/// A key as words.
pub(crate) fn key(key: &str) -> String {
    escape(&key.replace(['_', '-'], " "))
}

fn object(entries: &Map<String, Value>) -> String {
    let rows: String = entries
        .iter()
        .map(|(name, value)| format!("<tr><th>{}</th><td>{}</td></tr>", key(name), markup(value)))
        .collect();
    format!("<table class=\"facts\">{rows}</table>")
}

fn array(items: &[Value]) -> String {
    let shown = &items[..items.len().min(LONGEST)];
    let rest = match items.len() - shown.len() {
        0 => String::new(),
        more => format!("<p>and {more} more</p>"),
    };
    if shown.is_empty() {
        return "none".into();
    }
    if shown.iter().all(|item| !item.is_object() && !item.is_array()) {
        let items: Vec<String> = shown.iter().map(markup).collect();
        return items.join(", ") + &rest;
    }
    let Some(columns) = common_keys(shown) else {
        let items: String = shown.iter().map(|item| format!("<li>{}</li>", markup(item))).collect();
        return format!("<ol>{items}</ol>{rest}");
    };
    let head: String = columns.iter().map(|name| format!("<th>{}</th>", key(name))).collect();
    let rows: String = shown
        .iter()
        .map(|item| {
            let cells: String =
                columns.iter().map(|name| format!("<td>{}</td>", markup(&item[*name]))).collect();
            format!("<tr>{cells}</tr>")
        })
        .collect();
    format!(
        "<table class=\"records\"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{rest}"
    )
}

/// The keys of the items, if all are objects with the same ones.
fn common_keys(items: &[Value]) -> Option<Vec<&String>> {
    let first: Vec<&String> = items.first()?.as_object()?.keys().collect();
    let same = |item: &Value| {
        item.as_object().is_some_and(|entries| entries.keys().eq(first.iter().copied()))
    };
    items.iter().all(same).then_some(first)
}
