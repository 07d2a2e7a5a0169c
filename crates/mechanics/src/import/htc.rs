//! The line of a main body in a model file of HAWC2 (`.htc`): the half-chord points and twists of its section `c2_def`.
//!
//! ```text
//! begin main_body;
//!   name blade1 ;
//!   begin c2_def;
//!     nsec 3 ;
//!     sec 1  0.0 0.0  0.0  -14.5 ;   x y z twist, in m and degrees
//!     …
//!   end c2_def ;
//! end main_body ;
//! ```
//!
//! As for [sections](super::hawc2), z lies along the body there and x here, y is y, and x points against our z; twist is about the line.

use super::ImportError;
use crate::error::{Refusal, refusal};
use nalgebra::Vector3;

/// A line of points, in our axes, and the twist at each, in rad.
pub type TwistedLine = Vec<(Vector3<f64>, f64)>;

/// Reads the line of a main body. The name of the file is for messages only.
pub fn read(text: &str, file_name: &str, body: &str) -> Result<TwistedLine, ImportError> {
    line_of(text, body).map_err(|(line, what)| ImportError {
        file: file_name.into(),
        line,
        refusal: what,
    })
}

fn line_of(text: &str, body: &str) -> Result<TwistedLine, (usize, Refusal)> {
    let (mut name, mut inside, mut names) = (String::new(), false, Vec::new());
    let (mut wanted, mut found) = (0, Vec::new());
    for (k, line) in text.lines().enumerate() {
        // what follows a semicolon is a comment
        let mut words = line.split(';').next().unwrap_or_default().split_whitespace();
        let number = k + 1;
        match (words.next().map(str::to_ascii_lowercase).as_deref(), words.next()) {
            (Some("begin"), Some("main_body")) => name.clear(),
            (Some("name"), Some(own)) if name.is_empty() => {
                name = own.to_owned();
                names.push(name.clone());
            }
            (Some("begin"), Some("c2_def")) => inside = name == body,
            (Some("end"), Some("c2_def")) if inside => {
                if found.len() != wanted || wanted < 2 {
                    let given = found.len();
                    return Err((
                        number,
                        refusal!(
                            "it has {given} lines `sec`, but `nsec` says {wanted}";
                            "there must be two at least"
                        ),
                    ));
                }
                return Ok(found);
            }
            (Some("nsec"), Some(count)) if inside => {
                wanted = count.parse().map_err(|_| {
                    (number, format!("`{count}` is not a number of sections").into())
                })?;
            }
            (Some("sec"), Some(_)) if inside => {
                let mut next = || {
                    let word = words.next().unwrap_or_default();
                    let value = word.parse::<f64>().ok().filter(|value| value.is_finite());
                    value.ok_or_else(|| {
                        (
                            number,
                            refusal!("`{word}` is not a number"; "give `sec NUMBER x y z twist`"),
                        )
                    })
                };
                let [x, y, z, twist] = [next()?, next()?, next()?, next()?];
                found.push((Vector3::new(z, y, -x), twist.to_radians()));
            }
            _ => {}
        }
    }
    Err((
        1,
        match names.iter().any(|own| own == body) {
            true => format!("its main body `{body}` has no `c2_def`").into(),
            false => refusal!("it has no main body `{body}`"; "there are {}", names.join(", ")),
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "begin main_body;  tower\n name tower ;\n begin c2_def;\n nsec 2;\n sec 1 0 0 0 0 ;\n sec 2 0 0 -9 0 ;\n end c2_def;\n\
        end main_body;\nbegin main_body;\n  name blade1 ;\n  begin c2_def;  half chords\n    nsec 3 ;\n    sec 1 0.0 0.0 0.0 -14.5 ;  x,y,z,twist\n\
        sec 2 0.1 0.2 50 -3 ;\n sec 3 0.3 -1.5 100.0 1.0 ;\n  end c2_def ;\nend main_body;\n";

    #[test]
    fn lines_are_read_in_our_axes() {
        let line = read(FILE, "turbine.htc", "blade1").unwrap();
        assert_eq!(line.len(), 3);
        assert_eq!(line[2].0, Vector3::new(100.0, -1.5, -0.3));
        assert!((line[0].1 + 14.5f64.to_radians()).abs() < 1e-15);
        assert_eq!(read(FILE, "turbine.htc", "tower").unwrap()[1].0.x, -9.0);
    }

    #[test]
    fn bad_files_are_refused_with_their_lines() {
        for (text, body, line, what) in [
            (FILE.to_owned(), "blade2", 1, "no main body `blade2`; there are tower, blade1"),
            (
                FILE.replace("begin c2_def;  half", "begin c3_def;  half"),
                "blade1",
                1,
                "has no `c2_def`",
            ),
            (FILE.replace("nsec 3", "nsec 4"), "blade1", 16, "3 lines `sec`"),
            (FILE.replace("nsec 3", "nsec three"), "blade1", 12, "`three`"),
            (FILE.replace("0.1 0.2 50 -3", "0.1 0.2 50"), "blade1", 14, "is not a number"),
        ] {
            let error = read(&text, "turbine.htc", body).unwrap_err();
            assert!(error.to_string().contains(what), "{error} does not say {what}");
            assert_eq!(error.line, line, "{error}");
        }
    }
}
