//! Tyre property files (`.tir`) of the Magic Formula.
//!
//! A file has sections in brackets and lines `NAME = number`; `$` and `!` begin comments. `FITTYP` says which equations
//! hold: 5, 6, 51, 52 those of MF-Tyre 5.2 (PAC2002 too), 60, 61, 62 those of MF-Tyre 6.1. The units must be metre,
//! newton, radian, kilogram and second. Coefficients of turn slip, parking, belts and contact patches are left out.

use super::ImportError;
use crate::error::{Refusal, refusal};
use crate::force::tyre::{Coefficients, MagicFormula, Version};

/// Reads a tyre property file. The name of the file is for messages only.
pub fn read(text: &str, file_name: &str) -> Result<MagicFormula, ImportError> {
    tyre(text).map_err(|(line, what)| ImportError { file: file_name.into(), line, refusal: what })
}

type Fault = (usize, Refusal);

fn tyre(text: &str) -> Result<MagicFormula, Fault> {
    let mut coefficients = Coefficients::default();
    let (mut section, mut version, mut right) = (String::new(), None, false);
    for (number, line) in text.lines().enumerate().map(|(k, line)| (k + 1, line)) {
        let line = line.split(['$', '!']).next().unwrap_or_default().trim();
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').trim().to_ascii_lowercase();
            continue;
        }
        // tables such as `[SHAPE]` have lines without an equals sign
        let Some((name, value)) = line.split_once('=') else { continue };
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
        let text = value.trim_matches(['\'', '"']).trim().to_ascii_lowercase();
        match name.as_str() {
            _ if section == "units" => unit(number, &name, &text)?,
            "fittyp" => version = Some(fit(number, value)?),
            "property_file_format" if version.is_none() && text == "pac2002" => {
                version = Some(Version::Five);
            }
            "tyreside" => right = text == "right",
            // the mass of the tyre has the name of a unit
            _ => {
                if let Some(coefficient) = coefficients.named(&name) {
                    *coefficient = parse(number, &name, value)?;
                }
            }
        }
    }
    let Some(version) = version else {
        let what = refusal!(
            "it has no `FITTYP`";
            "a tyre property file of the Magic Formula 5.2 or 6.1 says `FITTYP = 5` or `FITTYP \
             = 61` under [MODEL]"
        );
        return Err((1, what));
    };
    if version == Version::Five {
        // equations of 5.2 do not know these, though some files carry them
        coefficients.pky4 = 2.0;
        coefficients.pky5 = 0.0;
        coefficients.qsy7 = 1.0;
    }
    MagicFormula::new(version, coefficients, right).map_err(|error| (1, error.into()))
}

fn parse(line: usize, name: &str, value: &str) -> Result<f64, Fault> {
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => {
            let name = name.to_ascii_uppercase();
            Err((line, refusal!("`{name}` is `{value}`"; "write a number such as 1.2e-3")))
        }
    }
}

fn fit(line: usize, value: &str) -> Result<Version, Fault> {
    match parse(line, "fittyp", value)? as i64 {
        5 | 6 | 51 | 52 => Ok(Version::Five),
        60..=62 => Ok(Version::Six),
        other => Err((
            line,
            refusal!(
                "`FITTYP` is {other}";
                "known are 5, 6, 51, 52 (Magic Formula 5.2) and 60, 61, 62 (6.1)"
            ),
        )),
    }
}

fn unit(line: usize, name: &str, text: &str) -> Result<(), Fault> {
    let known: &[&str] = match name {
        "length" => &["meter", "metre", "m"],
        "force" => &["newton", "n"],
        "angle" => &["radian", "radians", "rad"],
        "mass" => &["kg", "kilogram"],
        "time" => &["second", "sec", "s"],
        _ => return Ok(()),
    };
    if known.contains(&text) {
        return Ok(());
    }
    let name = name.to_ascii_uppercase();
    Err((line, refusal!("the unit of {name} is `{text}`"; "convert the file to `{}`", known[0])))
}
