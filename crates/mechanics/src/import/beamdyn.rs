//! Blade files of BeamDyn: stiffness and mass of the sections of a blade, six rows of six, at stations along it.
//!
//! A file says how many stations there are (`station_total`), and below the heading `DISTRIBUTED PROPERTIES` each of them is a number from 0
//! at the root to 1 at the tip and two matrices. BeamDyn counts shear along x and y, stretch along z, bending about x and y, twist about z
//! [Wang, Jonkman, Sprague, Jonkman: BeamDyn User's Guide]; here the x axis lies along the beam:
//!
//! ```text
//! x ← z,  y ← x,  z ← y
//! ```
//!
//! Between stations the matrices are interpolated linearly. Damping coefficients of the file are left out.

use super::ImportError;
use super::stations::SectionsAlong;
use crate::element::Section;
use crate::error::{Refusal, refusal};
use nalgebra::Matrix6;

/// Which strain of BeamDyn is which of ours.
const ORDER: [usize; 6] = [2, 0, 1, 5, 3, 4];
/// Numbers of a station: its place and two matrices.
const PER_STATION: usize = 1 + 36 + 36;
/// How far two sides of a matrix may differ, relative to its largest entry: files have few digits.
const SYMMETRIC: f64 = 1e-4;

/// Reads a blade file. The name of the file is for messages only.
pub fn read(text: &str, file_name: &str) -> Result<SectionsAlong, ImportError> {
    blade(text).map_err(|(line, what)| ImportError { file: file_name.into(), line, refusal: what })
}

type Fault = (usize, Refusal);

fn blade(text: &str) -> Result<SectionsAlong, Fault> {
    let mut count = None;
    let mut lines = text.lines().enumerate().map(|(k, line)| (k + 1, line));
    for (number, line) in lines.by_ref() {
        let lower = line.to_ascii_lowercase();
        if lower.contains("station_total") {
            let value = line.split_whitespace().next().unwrap_or_default();
            let known = value.parse::<usize>().ok().filter(|count| *count >= 2);
            count = Some(known.ok_or_else(|| {
                (number, refusal!("`{value}` stations"; "there must be two at least"))
            })?);
        }
        if lower.contains("distributed properties") {
            break;
        }
    }
    let Some(count) = count else {
        let what = refusal!("it has no `station_total`"; "this is no blade file of BeamDyn");
        return Err((1, what));
    };
    let mut numbers = Vec::new();
    for (number, line) in lines {
        // a line of text ends the table
        if numbers.len() == count * PER_STATION {
            break;
        }
        for word in line.split_whitespace() {
            // exponents of old Fortran
            let value = word.replace(['D', 'd'], "e").parse::<f64>().ok().filter(|v| v.is_finite());
            let value =
                value.ok_or_else(|| (number, format!("`{word}` is not a number").into()))?;
            numbers.push((number, value));
        }
    }
    if numbers.len() < count * PER_STATION {
        let line = numbers.last().map_or(1, |(line, _)| *line);
        let found = numbers.len() / PER_STATION;
        let what =
            format!("it has {found} whole stations below `DISTRIBUTED PROPERTIES`, not {count}");
        return Err((line, what.into()));
    }
    let mut along = SectionsAlong::default();
    for station in numbers.chunks_exact(PER_STATION).take(count) {
        let (line, place) = station[0];
        let section = Section::new(matrix(&station[1..37])?, matrix(&station[37..])?);
        along.push(place, section).map_err(|what| (line, what))?;
    }
    let ends = along.ends();
    if ends != [0.0, 1.0] {
        let what =
            refusal!("stations go from {} to {}", ends[0], ends[1]; "they must go from 0 to 1");
        return Err((numbers[0].0, what));
    }
    Ok(along)
}

/// A matrix in our order of strains.
fn matrix(numbers: &[(usize, f64)]) -> Result<Matrix6<f64>, Fault> {
    let matrix = Matrix6::from_fn(|i, j| numbers[6 * ORDER[i] + ORDER[j]].1);
    if (matrix - matrix.transpose()).amax() > SYMMETRIC * matrix.amax() {
        return Err((numbers[0].0, "this matrix is not symmetric".into()));
    }
    Ok((matrix + matrix.transpose()) * 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of stations with matrices that have `10 row + column` above their diagonal.
    fn file(stations: &[f64]) -> String {
        let rows = |scale: f64| {
            let row = |i: usize| {
                let entry = |j: usize| scale * (10 * i.min(j) + i.max(j)) as f64;
                (0..6).map(|j| format!("{:.6E}  ", entry(j))).collect::<String>() + "\n"
            };
            (0..6).map(row).collect::<String>() + "\n"
        };
        let station = |s: &f64| format!("  {s}\n{}{}", rows(1.0 + s), rows(2.0 + s));
        format!(
            "------- BEAMDYN V1.00 INDIVIDUAL BLADE INPUT FILE ----\nA blade\n{} station_total - Number of stations (-)\n\
             ------ DISTRIBUTED PROPERTIES ------\n{}",
            stations.len(),
            stations.iter().map(station).collect::<String>()
        )
    }

    #[test]
    fn matrices_are_turned_and_interpolated() {
        let along = read(&file(&[0.0, 0.5, 1.0]), "blade.dat").unwrap();
        let section = along.at(0.25);
        // stretch is the third strain of the file, twist the sixth
        assert!((section.stiffness[(0, 0)] - 1.25 * 22.0).abs() < 1e-12);
        assert!((section.stiffness[(0, 3)] - 1.25 * 25.0).abs() < 1e-12);
        assert!((section.stiffness[(1, 5)] - 1.25 * 4.0).abs() < 1e-12);
        assert!((section.mass[(4, 4)] - 2.25 * 33.0).abs() < 1e-12);
        assert_eq!(along.at(1.0).stiffness[(0, 0)], 44.0);
    }

    #[test]
    fn bad_files_are_refused_with_their_lines() {
        let sound = file(&[0.0, 1.0]);
        for (wrong, line, what) in [
            (sound.replace("station_total", "total"), 1, "no `station_total`"),
            (sound.replace("2 station_total", "1 station_total"), 3, "two at least"),
            (sound.replace("2 station_total", "3 station_total"), 33, "2 whole stations"),
            (sound.replacen("2.200000E1", "x", 1), 8, "`x` is not a number"),
            (sound.replacen("1.000000E0", "9.000000E9", 1), 6, "not symmetric"),
            (file(&[0.0, 0.9]), 5, "from 0 to 1"),
            (file(&[0.0, 0.0, 1.0]), 20, "does not lie beyond"),
        ] {
            let error = read(&wrong, "blade.dat").unwrap_err();
            assert!(error.to_string().contains(what), "{error} does not say {what}");
            assert_eq!(error.line, line, "{error}");
        }
    }
}
