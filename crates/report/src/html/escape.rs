//! Text made safe inside a page, and templates filled in one pass.

/// Text as content of an element or value of a quoted attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// JSON as content of a script element, which ends at the first `</script`.
pub(crate) fn script_json(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Replaces each `{{name}}` of a template by its value; values are not looked into again.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let size = template.len() + values.iter().map(|(_, value)| value.len()).sum::<usize>();
    let mut page = String::with_capacity(size);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            rest = after;
            break;
        };
        let value = values.iter().find(|(key, _)| *key == name);
        debug_assert!(value.is_some(), "the template asks for {name}");
        page.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    page.push_str(rest);
    page
}

#[cfg(test)]
mod tests {
    use super::{escape, fill};

    #[test]
    fn values_are_not_templates() {
        assert_eq!(fill("a {{x}} {{y}}.", &[("x", "{{y}}"), ("y", "1")]), "a {{y}} 1.");
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("<a b='\"&'>"), "&lt;a b=&#39;&quot;&amp;&#39;&gt;");
    }
}
