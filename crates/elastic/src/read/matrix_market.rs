//! Stiffness and mass as two Matrix Market files of coordinates.

use crate::error::{MeshError, Place};
use crate::matrices::Matrices;
use crate::read::fields::by_spaces;
use crate::read::read_text;
use std::path::Path;

/// A symmetric matrix by its entries in both triangles.
struct Entries {
    size: usize,
    entries: Vec<(usize, usize, f64)>,
    size_place: Place,
}

/// Reads stiffness and mass from files.
pub fn read_matrices(stiffness: &Path, mass: &Path) -> Result<Matrices, MeshError> {
    let names = [stiffness, mass].map(|path| path.display().to_string());
    let (k, m) = (read_text(stiffness)?, read_text(mass)?);
    read_matrices_text((&names[0], &k), (&names[1], &m))
}

/// Reads stiffness and mass from texts; each comes with what errors call it.
pub fn read_matrices_text(
    stiffness: (&str, &str),
    mass: (&str, &str),
) -> Result<Matrices, MeshError> {
    let k = read(stiffness.0, stiffness.1)?;
    let m = read(mass.0, mass.1)?;
    if k.size != m.size {
        let message = format!("the mass has {} rows, the stiffness {}", m.size, k.size);
        return Err(MeshError::new(mass.0, m.size_place, message, "give matrices of one size"));
    }
    Ok(Matrices::from_entries(k.size, &k.entries, &m.entries))
}

fn read(file: &str, text: &str) -> Result<Entries, MeshError> {
    let mut lines = text.lines().enumerate();
    let header = lines.next().map_or("", |(_, line)| line).to_ascii_lowercase();
    let words: Vec<&str> = header.split_whitespace().collect();
    let symmetric = match words[..] {
        ["%%matrixmarket", "matrix", "coordinate", "real" | "integer", "symmetric"] => true,
        ["%%matrixmarket", "matrix", "coordinate", "real" | "integer", "general"] => false,
        _ => {
            let message = "the first line is not that of a real sparse matrix";
            let help = "write %%MatrixMarket matrix coordinate real symmetric";
            return Err(MeshError::new(file, Place::line(1), message, help));
        }
    };
    let mut size: Option<(usize, usize, Place)> = None;
    let mut entries: Vec<(usize, usize, f64)> = Vec::new();
    let mut lines_read = Vec::new();
    let mut triangles = [None; 2];
    for (index, line) in lines {
        if line.trim().is_empty() || line.starts_with('%') {
            continue;
        }
        let fields = by_spaces(line, index + 1);
        if fields.len() != 3 {
            let help = "write row, column and value";
            let message = format!("the line has {} numbers instead of 3", fields.len());
            return Err(fields[0].fault(file, message, help));
        }
        let row = fields[0].label(file, "the row")? as usize;
        let column = fields[1].label(file, "the column")? as usize;
        let Some((n, expected, place)) = size else {
            if row != column || row == 0 {
                let message = format!("the matrix is {row} by {column}");
                return Err(fields[0].fault(file, message, "stiffness and mass are square"));
            }
            let expected = fields[2].label(file, "the number of entries")? as usize;
            size = Some((row, expected, fields[0].place));
            continue;
        };
        if row < 1 || row > n || column < 1 || column > n {
            let message = format!("entry ({row}, {column}) lies outside the {n} by {n} matrix");
            return Err(fields[0].fault(file, message, "rows and columns count from 1"));
        }
        lines_read.push(fields[0].place);
        if lines_read.len() > expected {
            let message = format!("the file has more than its {expected} entries");
            return Err(fields[0].fault(file, message, format!("correct line {}", place.line)));
        }
        let value = fields[2].number(file, "the entry")?;
        entries.push((row - 1, column - 1, value));
        if symmetric && row != column {
            entries.push((column - 1, row - 1, value));
            triangles[usize::from(row < column)].get_or_insert(fields[0].place);
            if let [Some(_), Some(_)] = triangles {
                let message = "the file is symmetric but has entries in both triangles";
                let help = "write one triangle, or `general` in the first line";
                return Err(fields[0].fault(file, message, help));
            }
        }
    }
    let Some((n, expected, size_place)) = size else {
        let help = "write rows, columns and number of entries in the second line";
        return Err(MeshError::new(file, Place::line(1), "the matrix has no size", help));
    };
    if lines_read.len() < expected {
        let message = format!("the file has {} of its {expected} entries", lines_read.len());
        return Err(MeshError::new(file, size_place, message, "was the file cut off?"));
    }
    if !symmetric {
        check_symmetry(file, n, &entries, &lines_read)?;
    }
    Ok(Entries { size: n, entries, size_place })
}

fn check_symmetry(
    file: &str,
    n: usize,
    entries: &[(usize, usize, f64)],
    places: &[Place],
) -> Result<(), MeshError> {
    let transposed: Vec<_> = entries.iter().map(|&(i, j, value)| (j, i, value)).collect();
    // the difference of the matrix and its transpose, on one pattern
    let both = Matrices::from_entries(n, entries, &transposed);
    let largest = both.stiffness.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
    for j in 0..n {
        for (i, p) in both.column(j) {
            if (both.stiffness[p] - both.mass[p]).abs() > 1e-10 * largest {
                let message = format!("entries ({0}, {1}) and ({1}, {0}) differ", i + 1, j + 1);
                let help = "stiffness and mass are symmetric";
                let listed =
                    |&(row, column, _): &_| (row, column) == (i, j) || (column, row) == (i, j);
                let place = places[entries.iter().position(listed).expect("an entry of the file")];
                return Err(MeshError::new(file, place, message, help));
            }
        }
    }
    Ok(())
}
