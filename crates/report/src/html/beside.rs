//! Two reports in one: the page of the first, with the curves of the second dashed beside its own.

use super::escape::script_json;
use serde_json::Value;

const BEGIN: &str = "<script id=\"data\" type=\"application/json\">";
const END: &str = "</script>";

/// The page of one report with another run beside it; none if one of the texts is no report.
pub fn beside(page: &str, other: &str) -> Option<String> {
    let (range, mut own) = numbers(page)?;
    let (_, mut second) = numbers(other)?;
    // two mechanisms in one picture would hide each other
    second.as_object_mut()?.remove("scene");
    own["beside"] = second;
    Some(format!("{}{}{}", &page[..range.start], script_json(&own), &page[range.end..]))
}

/// Where the numbers of a report stand in its text, and these.
fn numbers(page: &str) -> Option<(std::ops::Range<usize>, Value)> {
    let start = page.find(BEGIN)? + BEGIN.len();
    let end = start + page[start..].find(END)?;
    let value: Value = serde_json::from_str(&page[start..end]).ok()?;
    value["panels"].is_array().then_some((start..end, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str) -> String {
        let data = format!("{{\"name\":\"{name}\",\"panels\":[],\"scene\":{{\"size\":1}}}}");
        format!("<p>{name}</p>{BEGIN}{data}{END}<p>end</p>")
    }

    #[test]
    fn the_second_run_is_within_the_first() {
        let both = beside(&page("one"), &page("two")).unwrap();
        let (_, data) = numbers(&both).unwrap();
        assert_eq!(data["name"], "one");
        assert_eq!(data["beside"]["name"], "two");
        assert!(data["scene"].is_object() && data["beside"]["scene"].is_null());
        assert!(both.starts_with("<p>one</p>") && both.ends_with("<p>end</p>"));
        assert_eq!(beside(&page("one"), "<p>no report</p>"), None);
    }
}
