//! The table of a sweep as comma-separated values and as Parquet.

use crate::messages::Fault;
use crate::run::PROGRAM;
use rotula_report::{Column, Values, write_table};
use rotula_study::sweep::{Case, Row};
use std::borrow::Cow;
use std::path::Path;

/// The first line names the columns; then a line per run: the values of the case, how it ended, and what was read.
pub(crate) fn csv(cases: &[Case], rows: &[&Row]) -> String {
    let keys = || cases.first().into_iter().flatten().map(|(key, _)| key.as_str());
    let values = value_names(rows);
    let facts = ["status", "message", "reached", "steps", "wall_seconds"];
    let mut text = line(keys().chain(facts).chain(values.iter().map(String::as_str)));
    for (case, row) in cases.iter().zip(rows) {
        let number = |name: &String| format!("{:?}", value(row, name));
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

/// The same columns as Parquet. What was varied is a column of numbers if all its values are.
pub(crate) fn write_parquet(path: &Path, cases: &[Case], rows: &[&Row]) -> Result<(), Fault> {
    let column = |name: &str, values| Column { name: name.to_owned(), unit: "", values };
    let mut columns = Vec::new();
    for (k, (key, _)) in cases.iter().take(1).flatten().enumerate() {
        let numbers: Option<Vec<f64>> = cases.iter().map(|case| case[k].1.parse().ok()).collect();
        columns.push(column(
            key,
            match numbers {
                Some(numbers) => Values::Numbers(Box::new(move |i| numbers[i])),
                None => Values::Texts(Box::new(move |i| &cases[i][k].1)),
            },
        ));
    }
    columns.push(column("status", Values::Texts(Box::new(|i| &rows[i].status))));
    columns.push(column("message", Values::Texts(Box::new(|i| &rows[i].message))));
    columns.push(column("reached", Values::Numbers(Box::new(|i| rows[i].reached))));
    columns.push(column("steps", Values::Integers(Box::new(|i| rows[i].steps as i64))));
    columns.push(column("wall_seconds", Values::Numbers(Box::new(|i| rows[i].wall_seconds))));
    for name in value_names(rows) {
        let values: Vec<f64> = rows.iter().map(|row| value(row, &name)).collect();
        columns.push(column(&name, Values::Numbers(Box::new(move |i| values[i]))));
    }
    Ok(write_table(path, &columns, rows.len(), PROGRAM)?)
}

/// A value of a row; NaN if the run did not give it.
pub(crate) fn value(row: &Row, name: &str) -> f64 {
    row.values.iter().find(|(known, _)| known == name).map_or(f64::NAN, |(_, value)| *value)
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
