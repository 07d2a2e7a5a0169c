//! The runs of a sweep: a grid, a Latin hypercube, the rows of a table.

use super::axis::{Axis, between, number};
use rotula_mechanics::error::Refusal;

/// Dotted keys and the values that they take in one run.
pub type Case = Vec<(String, String)>;

/// Every combination of values; the last axis runs fastest.
pub fn grid(axes: &[Axis]) -> Result<Vec<Case>, Refusal> {
    let mut cases = vec![Case::new()];
    for axis in axes {
        let Axis::Values { key, values } = axis else {
            return Err(Refusal::new(
                format!("`{}` is a range without a number of values", axis.key()),
                "write a:b:n, or ask for a Latin hypercube",
            ));
        };
        let longer = |case: &Case, value: &String| {
            case.iter().cloned().chain([(key.clone(), value.clone())]).collect()
        };
        let with = |case| values.iter().map(move |value| longer(case, value));
        cases = cases.iter().flat_map(with).collect();
    }
    Ok(cases)
}

/// As many cases as asked for. The range of every axis is cut into as many parts, and each part is
/// used once; lists are used equally often.
pub fn latin_hypercube(axes: &[Axis], count: usize, seed: u64) -> Vec<Case> {
    let mut random = Random(seed);
    let mut cases = vec![Case::new(); count];
    for axis in axes {
        let mut order: Vec<usize> = (0..count).collect();
        for k in (1..count).rev() {
            order.swap(k, (random.unit() * (k + 1) as f64) as usize);
        }
        for (case, part) in cases.iter_mut().zip(order) {
            let value = match axis {
                Axis::Range { low, high, logarithmic, .. } => {
                    let share = (part as f64 + random.unit()) / count as f64;
                    number(&between(*low, *high, share, *logarithmic))
                }
                Axis::Values { values, .. } => values[part * values.len() / count].clone(),
            };
            case.push((axis.key().to_owned(), value));
        }
    }
    cases
}

/// The rows of a table of comma-separated values whose first line names the keys.
pub fn of_table(text: &str) -> Result<Vec<Case>, Refusal> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let Some((_, heading)) = lines.next() else {
        return Err(Refusal::new("the table is empty", "let its first line name keys"));
    };
    let keys = fields(heading);
    let mut cases = Vec::new();
    for (k, line) in lines {
        let values = fields(line);
        if values.len() != keys.len() {
            let (line, given, wanted) = (k + 1, values.len(), keys.len());
            return Err(Refusal::new(
                format!("line {line} has {given} values, but the first line names {wanted} keys"),
                "give a value for each key",
            ));
        }
        cases.push(keys.iter().cloned().zip(values).collect());
    }
    Ok(cases)
}

/// The fields of a line; quotes may hold commas, and double quotes in them stand for one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let field = fields.last_mut().expect("there is always one");
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                field.push('"');
                characters.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(c),
        }
    }
    fields.iter().map(|field| field.trim().to_owned()).collect()
}

/// SplitMix64 [Steele, Lea and Flood 2014]: the same numbers on every machine.
struct Random(u64);

impl Random {
    /// At least 0, less than 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{grid, latin_hypercube, of_table};
    use crate::sweep::Axis;

    fn axes(texts: &[&str]) -> Vec<Axis> {
        texts.iter().map(|text| Axis::parse(text).unwrap()).collect()
    }

    #[test]
    fn a_grid_has_every_combination() {
        let cases = grid(&axes(&["a=1,2", "b=x,y,z"])).unwrap();
        let shown: Vec<String> =
            cases.iter().map(|case| format!("{}{}", case[0].1, case[1].1)).collect();
        assert_eq!(shown, ["1x", "1y", "1z", "2x", "2y", "2z"]);
        assert!(grid(&axes(&["a=1:2"])).unwrap_err().to_string().contains("Latin hypercube"));
    }

    #[test]
    fn a_hypercube_uses_every_part_once() {
        let cases = latin_hypercube(&axes(&["a=0:1", "b=1:100:3:log", "c=10:20"]), 12, 7);
        assert_eq!(cases, latin_hypercube(&axes(&["a=0:1", "b=1:100:3:log", "c=10:20"]), 12, 7));
        assert_ne!(cases, latin_hypercube(&axes(&["a=0:1", "b=1:100:3:log", "c=10:20"]), 12, 8));
        for (k, low, width) in [(0, 0.0, 1.0), (2, 10.0, 10.0)] {
            let part =
                |value: &str| ((value.parse::<f64>().unwrap() - low) / width * 12.0) as usize;
            let mut parts: Vec<usize> = cases.iter().map(|case| part(&case[k].1)).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..12).collect::<Vec<_>>());
        }
        let times = cases.iter().filter(|case| case[1].1 == "1.0").count();
        assert_eq!(times, 4);
    }

    #[test]
    fn tables_name_their_keys() {
        let cases = of_table("a.b,c\n1,\"[1, 2]\"\n\n2,\"say \"\"x\"\"\"\n").unwrap();
        assert_eq!(cases.len(), 2);
        assert_eq!(cases[0], [("a.b".into(), "1".into()), ("c".into(), "[1, 2]".into())]);
        assert_eq!(cases[1][1].1, "say \"x\"");
        assert!(of_table("a,b\n1\n").unwrap_err().what.contains("line 2"));
        assert!(of_table("").is_err());
    }
}
