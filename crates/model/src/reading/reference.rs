//! The table of sections and keys as Markdown, for the book.

use crate::reading::check_kind::MOMENTS;
use crate::reading::keys::{Entries, Format, Key, Kind};
use crate::reading::schema::PART_FILE;
use serde_json::Value;

const HEAD: &str = "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";

/// A page that describes every section and key of a kind of model file; the section `[solve]`, which all kinds share,
/// is described by [`solve_reference`].
pub fn reference(format: &Format, title: &str, about: &str) -> String {
    let mut page = format!("# {title}\n\n{about}\n\n## Outside of sections\n\n");
    page += &keys_table(format.top);
    for section in format.sections {
        let name = section.name;
        let heading = match section.entries {
            Entries::Tables(_) => format!("[{name}.NAME]"),
            Entries::Parts => format!("[{name}.NAME.SECTION]"),
            _ => format!("[{name}]"),
        };
        page += &format!("\n## `{heading}`\n\n{} Example:\n\n", section.about);
        page += &format!("```toml,fragment\n{}\n```\n\n", example(&heading, section.example));
        page += &match section.entries {
            Entries::Formulas => "Each line is `name = formula`; the names are yours.\n".to_owned(),
            Entries::FormulasOf => {
                "Each line is `name = formula`; the names are those of coordinates.\n".to_owned()
            }
            Entries::Tables(keys) => keys_table(keys),
            Entries::FormulasOrTables(keys) => {
                let first = keys.first().map_or("", |key| key.name);
                let short = format!(
                    "`NAME = formula`, which stands for `NAME = {{ {first} = formula }}`, or a table:\n\n"
                );
                short + &keys_table(keys)
            }
            Entries::Fixed(keys) => keys_table(keys),
            Entries::Parts => {
                let words: Vec<String> =
                    format.parts.iter().map(|name| format!("`{name}`")).collect();
                format!(
                    "| key | value | meaning |\n|---|---|---|\n| `file` | text | {PART_FILE} |\n| `description` | text | What it is. |\n\n\
                     Sections of a part: {}.\n",
                    words.join(", ")
                )
            }
            Entries::Solve => "See [the section `[solve]`](solve.md).\n".to_owned(),
        };
    }
    page
}

/// A page that describes the section `[solve]`.
pub fn solve_reference() -> String {
    let solve = rotula_dae::solve_schema();
    let mut page =
        "# The section `[solve]`\n\nHow a model is integrated. All kinds of model files have \
                    this section, with the same keys; only `until` must be given.\n\n"
            .to_owned();
    page += &properties(&solve["properties"]);
    page += "\n## `newton = { … }`\n\n";
    page += &properties(&solve["properties"]["newton"]["properties"]);
    page += "\n## `coefficients = { … }`\n\nOne of these:\n\n| key | meaning |\n|---|---|\n";
    for choice in solve["properties"]["coefficients"]["oneOf"].as_array().into_iter().flatten() {
        for name in choice["properties"].as_object().into_iter().flat_map(|object| object.keys()) {
            let about = choice["description"].as_str().unwrap_or_default();
            page += &format!("| `{name}` | {} |\n", cell(about));
        }
    }
    page
}

/// Rows of the properties of a schema.
fn properties(properties: &Value) -> String {
    let mut table = "| key | value | default | meaning |\n|---|---|---|---|\n".to_owned();
    for (name, property) in properties.as_object().into_iter().flatten() {
        let (about, default) = split(property["description"].as_str().unwrap_or_default());
        table += &format!("| `{name}` | {} | {default} | {about} |\n", of_schema(property));
    }
    table
}

/// What a value must be, in the words of a schema.
fn of_schema(property: &Value) -> String {
    if let Some(words) = property["enum"].as_array() {
        let texts = words.iter().filter_map(Value::as_str);
        return texts.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    }
    let kinds = match &property["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    let word = |kind: &Value| match kind.as_str()? {
        "number" => Some("number"),
        "integer" => Some("whole number"),
        "boolean" => Some("true or false"),
        "string" => Some("text"),
        "array" => Some("list of numbers"),
        _ => None,
    };
    match kinds.iter().find_map(word) {
        Some(word) => word.to_owned(),
        None => "table".to_owned(),
    }
}

/// An example as it stands in a file: `[body.crank] mass = 1, at = 2` has a line per key.
fn example(heading: &str, text: &str) -> String {
    let (own, keys) = match text.split_once("] ") {
        Some((head, keys)) if head.starts_with('[') => (Some(format!("{head}]")), keys),
        _ => (None, text),
    };
    let mut depth = 0;
    let lines: String = keys
        .chars()
        .map(|letter| {
            match letter {
                '[' | '{' => depth += 1,
                ']' | '}' => depth -= 1,
                ',' if depth == 0 => return '\n',
                _ => {}
            }
            letter
        })
        .collect();
    let lines: Vec<_> = lines.lines().map(str::trim).collect();
    // an entry that is a table in one line stands under the name of its section, unless the example names it
    let inline = lines.len() == 1
        && lines[0].split_once(" = ").is_some_and(|(_, value)| value.starts_with('{'));
    let of_section =
        if inline { heading.replace(".NAME", "") } else { heading.replace("NAME", "name") };
    let head = own.unwrap_or(of_section);
    format!("{head}\n{}", lines.join("\n"))
}

/// A table of keys, and behind it one for each key that is a table itself.
fn keys_table(keys: &[Key]) -> String {
    let mut text = HEAD.to_owned();
    for key in keys {
        let (about, default) = split(&key.described());
        let default = if key.needed { "**needed**".to_owned() } else { default };
        text += &format!(
            "| `{}` | {} | {} | {default} | {about} |\n",
            key.name,
            of_kind(key.kind),
            key.unit
        );
    }
    // keys with the same table share its description
    let mut tables: Vec<(Vec<String>, String)> = Vec::new();
    for key in keys {
        let (Kind::Table(inner) | Kind::TextOrTable(inner) | Kind::NumberOrTable(inner)) = key.kind
        else {
            continue;
        };
        let (name, table) = (format!("`{} = {{ … }}`", key.name), keys_table(inner));
        match tables.iter_mut().find(|(_, other)| *other == table) {
            Some((names, _)) => names.push(name),
            None => tables.push((vec![name], table)),
        }
    }
    for (names, table) in tables {
        text += &format!("\n**{}**\n\n{table}", names.join(", "));
    }
    text
}

/// A description without its default, and the default.
fn split(about: &str) -> (String, String) {
    let about = cell(about);
    let Some(start) = about.find("Default ").or_else(|| about.find("Default: ")) else {
        return (about, String::new());
    };
    let rest = &about[start + "Default".len()..];
    let rest = rest.trim_start_matches(':').trim_start();
    // a full stop ends it only if a space or nothing follows: 0.5 goes on
    let end = rest.find(". ").map_or(rest.trim_end_matches('.').len(), |end| end);
    let default = rest[..end].to_owned();
    let behind = rest[end..].trim_start_matches('.').trim();
    let before = about[..start].trim();
    (format!("{before} {behind}").trim().to_owned(), default)
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

fn of_kind(kind: Kind) -> String {
    match kind {
        Kind::Text => "text".into(),
        Kind::Boolean => "true or false".into(),
        Kind::Word(words) => {
            words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        }
        Kind::Number => "number".into(),
        Kind::Numbers(count) => format!("{count} numbers"),
        Kind::List => "list of numbers".into(),
        Kind::Rows => "lists of numbers".into(),
        Kind::Names => "list of names".into(),
        Kind::Named => "table of numbers".into(),
        Kind::Direction => "direction".into(),
        Kind::Formula => "formula".into(),
        Kind::Formulas => "3 formulas".into(),
        Kind::Name => "name".into(),
        Kind::Pair => "2 names".into(),
        Kind::Choice => "true, false, names or patterns".into(),
        Kind::NameOrPoints => "name, or lists of 2 numbers".into(),
        Kind::Points(width) => format!("lists of {width} numbers"),
        Kind::Inertia => {
            format!("1 number, 3 numbers, 3 × 3 numbers, or {{ {} }}", MOMENTS.join(", "))
        }
        Kind::Table(_) => "table, below".into(),
        Kind::TextOrTable(_) => "text, or table below".into(),
        Kind::NumberOrTable(_) => "number, or table below".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{example, solve_reference, split};

    #[test]
    fn defaults_are_split_from_descriptions() {
        let both = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(split("Exponent n. Default 1.5."), both("Exponent n.", "1.5"));
        assert_eq!(split("Size. Default 1. More."), both("Size. More.", "1"));
        assert_eq!(
            split("Interval. Default: after each step."),
            both("Interval.", "after each step")
        );
        assert_eq!(split("Mass."), both("Mass.", ""));
    }

    #[test]
    fn examples_are_toml() {
        let text = example("[body.NAME]", "[body.crank] mass = 0.1, at = [0, 1, 2]");
        assert_eq!(text, "[body.crank]\nmass = 0.1\nat = [0, 1, 2]");
        assert_eq!(
            example("[state.NAME]", "f = { at = 0, rate = 1 }"),
            "[state]\nf = { at = 0, rate = 1 }"
        );
        assert_eq!(
            example("[joint.NAME]", "[joint.pin] fixed = { at = 0 }"),
            "[joint.pin]\nfixed = { at = 0 }"
        );
        assert_eq!(example("[output]", "a = \"x\""), "[output]\na = \"x\"");
    }

    #[test]
    fn every_key_of_the_solve_section_is_described() {
        let page = solve_reference();
        for word in ["| `until` |", "`moreau-jean`", "| `ladder` |", "| `generalized-alpha` |"] {
            assert!(page.contains(word), "{word} is not in\n{page}");
        }
        assert!(!page.contains("|  |  |  |"), "a key is not described:\n{page}");
    }
}
