//! The table of a sweep as comma-separated values.

use rotula_study::sweep::{Case, Row};
use std::borrow::Cow;

/// The first line names the columns; then a line per run: the values of the case, how it ended, and what was read.
pub(crate) fn csv(cases: &[Case], rows: &[&Row]) -> String {
    let keys = || cases.first().into_iter().flatten().map(|(key, _)| key.as_str());
    let values = value_names(rows);
    let facts = ["status", "message", "reached", "steps", "wall_seconds"];
    let mut text = line(keys().chain(facts).chain(values.iter().map(String::as_str)));
    for (case, row) in cases.iter().zip(rows) {
        let number = |name: &String| {
            let found = row.values.iter().find(|(known, _)| known == name);
            format!("{:?}", found.map_or(f64::NAN, |(_, value)| *value))
        };
        let facts = [
            row.status.clone(),
            row.message.clone(),
            format!("{:?}", row.reached),
            row.steps.to_string(),
            format!("{:?}", row.wall_seconds),
        ];
        let fields: Vec<String> = case
            .iter()
            .map(|(_, value)| value.clone())
            .chain(facts)
            .chain(values.iter().map(number))
            .collect();
        text += &line(fields.iter().map(String::as_str));
    }
    text
}

/// Names of all values; a run that did not start has none.
pub(crate) fn value_names(rows: &[&Row]) -> Vec<String> {
    let longest = rows.iter().max_by_key(|row| row.values.len());
    longest.into_iter().flat_map(|row| row.values.iter().map(|(name, _)| name.clone())).collect()
}

fn line<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    let quoted = |field: &'a str| -> Cow<'a, str> {
        match field.contains([',', '"', '\n', '\r']) {
            true => Cow::Owned(format!("\"{}\"", field.replace('"', "\"\""))),
            false => Cow::Borrowed(field),
        }
    };
    fields.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::csv;
    use rotula_study::sweep::{Row, refused};

    #[test]
    fn rows_of_runs_that_did_not_start_have_no_values() {
        let case = |value: &str| vec![("m".to_owned(), value.to_owned())];
        let done = Row {
            status: "done".into(),
            reached: 1.0,
            steps: 10,
            wall_seconds: 0.5,
            values: vec![("x.last".into(), 0.25)],
            ..Row::default()
        };
        let bad = refused("m is 0, which \"is\" wrong");
        let table = csv(&[case("1"), case("0")], &[&done, &bad]);
        let expected = "m,status,message,reached,steps,wall_seconds,x.last\n\
                        1,done,,1.0,10,0.5,0.25\n\
                        0,refused,\"m is 0, which \"\"is\"\" wrong\",NaN,0,0.0,NaN\n";
        assert_eq!(table, expected);
    }
}
