//! Structural files of HAWC2 (`_st.dat`): numbers of the sections of a beam at distances along it, in sets `#n` and subsets `$k`.
//!
//! A row has 19 numbers of a Timoshenko beam, or 30 with a full stiffness matrix (FPM) [Larsen, Hansen: How 2 HAWC2, the user's manual]:
//!
//! ```text
//! r m x_cg y_cg ri_x ri_y x_sh y_sh E G I_x I_y K k_x k_y A pitch x_e y_e
//! r m x_cg y_cg ri_x ri_y pitch x_e y_e K11 K12 … K16 K22 … K66
//! ```
//!
//! Stiffnesses are about the principal axes, turned by `pitch` about z, of the elastic centre (x_e, y_e), shear and twist of the first form about the
//! shear centre (x_sh, y_sh); radii of gyration `ri` are about the principal axes of the elastic centre too. The z axis lies along the beam, and the
//! origin is the line of the beam (`c2_def`). Here x lies along it, and y and z are those of sections from files of BeamDyn, whose x axis is the y axis
//! of HAWC2 and whose y axis points against its x axis:
//!
//! ```text
//! x ← z,  y ← y,  z ← −x
//! ```
//!
//! Between stations the matrices are interpolated linearly.

use super::ImportError;
use super::stations::SectionsAlong;
use crate::element::Section;
use crate::error::{Refusal, refusal};
use nalgebra::{Matrix3, Matrix6, Vector3};
use rotula_lie::so3::skew;

/// Numbers of a row of a Timoshenko beam.
const TIMOSHENKO: usize = 19;
/// Numbers of a row with a full matrix.
const FULL: usize = 30;

/// Reads a subset of a set of a structural file. The name of the file is for messages only.
pub fn read(text: &str, file_name: &str, set: [usize; 2]) -> Result<SectionsAlong, ImportError> {
    subset(text, set).map_err(|(line, what)| ImportError {
        file: file_name.into(),
        line,
        refusal: what,
    })
}

type Fault = (usize, Refusal);

fn subset(text: &str, [set, subset]: [usize; 2]) -> Result<SectionsAlong, Fault> {
    let numbered = |line: &str, mark: char| {
        let rest = line.trim_start().strip_prefix(mark)?;
        let mut words = rest.split_whitespace();
        let number: usize = words.next()?.trim_end_matches([';', ',']).parse().ok()?;
        Some((number, words.next().and_then(|word| word.parse::<usize>().ok())))
    };
    let mut lines = text.lines().enumerate().map(|(k, line)| (k + 1, line));
    let Some(_) = lines.find(|(_, line)| numbered(line, '#').is_some_and(|(n, _)| n == set)) else {
        return Err((1, format!("it has no set `#{set}`").into()));
    };
    let mut found = None;
    for (number, line) in lines.by_ref() {
        if numbered(line, '#').is_some() {
            break;
        }
        if let Some((own, count)) = numbered(line, '$')
            && own == subset
        {
            found = Some((number, count));
            break;
        }
    }
    let Some((head, count)) = found else {
        return Err((1, format!("its set `#{set}` has no subset `${subset}`").into()));
    };
    let Some(count) = count.filter(|count| *count >= 2) else {
        return Err((
            head,
            refusal!("it says not how many rows follow"; "there must be two at least"),
        ));
    };
    let mut along = SectionsAlong::default();
    let mut rows = 0;
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()).take(count) {
        let row = row(line).map_err(|what| (number, what))?;
        let section = if row.len() >= FULL { full(&row) } else { timoshenko(&row) };
        let section = section.map_err(|what| (number, what))?;
        along.push(row[0], section).map_err(|what| (number, what))?;
        rows += 1;
    }
    if rows < count {
        return Err((head, format!("it has {rows} rows, not {count}").into()));
    }
    if along.ends()[0] != 0.0 {
        return Err((
            head,
            refusal!("its first row is at {} m", along.ends()[0]; "it must be at 0"),
        ));
    }
    Ok(along.normalised())
}

/// The numbers of a row, up to a comment.
fn row(line: &str) -> Result<Vec<f64>, Refusal> {
    let mut row = Vec::new();
    for word in line.split(';').next().unwrap_or_default().split_whitespace() {
        let value = word.replace(['D', 'd'], "e").parse::<f64>().ok().filter(|v| v.is_finite());
        match value {
            Some(value) => row.push(value),
            // words behind the numbers are a comment
            None if row.len() >= TIMOSHENKO => break,
            None => return Err(format!("`{word}` is not a number").into()),
        }
    }
    if row.len() < TIMOSHENKO || (row.len() > TIMOSHENKO && row.len() < FULL) {
        let given = row.len();
        return Err(refusal!(
            "this row has {given} numbers";
            "it must have {TIMOSHENKO}, or {FULL} with a full matrix"
        ));
    }
    Ok(row)
}

/// The stiffness about a point and axes of a section, seen from its origin. A point at r has the strain γ + κ × r.
fn seen_from_origin(stiffness: &Matrix6<f64>, [x, y]: [f64; 2], pitch: f64) -> Matrix6<f64> {
    let (sin, cos) = pitch.to_radians().sin_cos();
    let turn = Matrix3::new(cos, sin, 0.0, -sin, cos, 0.0, 0.0, 0.0, 1.0);
    let mut way = Matrix6::zeros();
    way.fixed_view_mut::<3, 3>(0, 0).copy_from(&turn);
    way.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
    way.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-turn * skew(&Vector3::new(x, y, 0.0))));
    way.transpose() * stiffness * way
}

fn timoshenko(row: &[f64]) -> Result<Section, Refusal> {
    let &[_, _, _, _, _, _, x_sh, y_sh, e, g, i_x, i_y, k, k_x, k_y, a, pitch, x_e, y_e, ..] = row
    else {
        unreachable!("rows have {TIMOSHENKO} numbers")
    };
    let mut bending = Matrix6::zeros();
    (bending[(2, 2)], bending[(3, 3)], bending[(4, 4)]) = (e * a, e * i_x, e * i_y);
    let mut shear = Matrix6::zeros();
    (shear[(0, 0)], shear[(1, 1)], shear[(5, 5)]) = (k_x * g * a, k_y * g * a, g * k);
    let stiffness = seen_from_origin(&bending, [x_e, y_e], pitch)
        + seen_from_origin(&shear, [x_sh, y_sh], pitch);
    section(stiffness, row, (pitch, [x_e, y_e]))
}

fn full(row: &[f64]) -> Result<Section, Refusal> {
    let (pitch, centre) = (row[6], [row[7], row[8]]);
    let mut upper = row[9..FULL].iter();
    let mut matrix = Matrix6::zeros();
    for i in 0..6 {
        for j in i..6 {
            let value = *upper.next().unwrap_or(&0.0);
            (matrix[(i, j)], matrix[(j, i)]) = (value, value);
        }
    }
    section(seen_from_origin(&matrix, centre, pitch), row, (pitch, centre))
}

/// A section of a stiffness in the axes of HAWC2, with the mass of a row.
fn section(
    stiffness: Matrix6<f64>,
    row: &[f64],
    (pitch, [x_e, y_e]): (f64, [f64; 2]),
) -> Result<Section, Refusal> {
    let &[_, m, x_cg, y_cg, ri_x, ri_y, ..] = row else { unreachable!("rows are longer") };
    let square =
        |r: &Vector3<f64>| (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * m;
    let (sin, cos) = pitch.to_radians().sin_cos();
    let turn = Matrix3::new(cos, sin, 0.0, -sin, cos, 0.0, 0.0, 0.0, 1.0);
    let about = Vector3::new(ri_x * ri_x, ri_y * ri_y, ri_x * ri_x + ri_y * ri_y) * m;
    let centre = Vector3::new(x_cg, y_cg, 0.0);
    let aside = centre - Vector3::new(x_e, y_e, 0.0);
    let own = turn.transpose() * Matrix3::from_diagonal(&about) * turn - square(&aside);
    if m <= 0.0 || own.symmetric_eigenvalues().min() <= 0.0 {
        return Err("its mass and radii of gyration, which are about the elastic centre, leave no inertia about the centre of mass".into());
    }
    let mut mass = Matrix6::zeros();
    mass.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * m));
    mass.fixed_view_mut::<3, 3>(0, 3).copy_from(&(skew(&centre) * -m));
    mass.fixed_view_mut::<3, 3>(3, 0).copy_from(&(skew(&centre) * m));
    mass.fixed_view_mut::<3, 3>(3, 3).copy_from(&(own + square(&centre)));
    // x ← z, y ← y, z ← −x
    let axes = Matrix3::new(0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0);
    let mut both = Matrix6::zeros();
    both.fixed_view_mut::<3, 3>(0, 0).copy_from(&axes);
    both.fixed_view_mut::<3, 3>(3, 3).copy_from(&axes);
    Ok(Section::new(both * stiffness * both.transpose(), both * mass * both.transpose()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOWER: &str = "1 number of sets\n#1 tower\n r m x_cg …\n$1 2 steel\n\
        0 100 0 0 0.5 0.5 0 0 2e11 8e10 0.01 0.02 0.03 0.5 0.6 0.04 0 0 0\n\
        10 80 0.1 0.2 0.5 0.6 0.3 0.1 2e11 8e10 0.01 0.02 0.03 0.5 0.6 0.04 30 0.2 -0.1 ; tip\n";

    #[test]
    fn numbers_stand_where_our_axes_want_them() {
        let along = read(TOWER, "tower_st.dat", [1, 1]).unwrap();
        let root = along.at(0.0);
        // stretch, shear along y and z, twist, bending about y and z; z is against x of the file
        let wanted = [8e9, 0.6 * 3.2e9, 0.5 * 3.2e9, 2.4e9, 4e9, 2e9];
        for (k, wanted) in wanted.into_iter().enumerate() {
            assert!(
                (root.stiffness[(k, k)] - wanted).abs() < 1e-3,
                "{k}: {}",
                root.stiffness[(k, k)]
            );
        }
        let tip = along.at(1.0);
        // at (0.2, -0.1) a stretch bends nothing: strains of the origin that leave that point without stretch and turn
        assert!((tip.stiffness - tip.stiffness.transpose()).amax() < 1e-3);
        let force = tip.stiffness * nalgebra::Vector6::new(1.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        // N = EA; M about y (of ours) is N times z of the centre, z = −x_e; about z it is −N times y = y_e
        assert!((force[0] - 8e9).abs() < 1e-3);
        assert!((force[4] - 8e9 * -0.2).abs() < 1e-3, "{force}");
        assert!((force[5] - 8e9 * 0.1).abs() < 1e-3, "{force}");
        assert!((tip.mass[(0, 0)] - 80.0).abs() < 1e-12);
        // momentum of a turn about our y axis along x is m z_cg = −m x_cg
        assert!((tip.mass[(0, 4)] - 80.0 * -0.1).abs() < 1e-12, "{}", tip.mass);
    }

    /// A full matrix that says what the numbers of a Timoshenko beam say, where the shear centre is the elastic one.
    #[test]
    fn both_forms_agree() {
        let plain = "#1\n$1 2\n\
            0 90 0.1 0.2 0.5 0.6 0.2 -0.1 2e11 8e10 0.01 0.02 0.03 0.5 0.6 0.04 30 0.2 -0.1\n\
            10 90 0.1 0.2 0.5 0.6 0.2 -0.1 2e11 8e10 0.01 0.02 0.03 0.5 0.6 0.04 30 0.2 -0.1\n";
        let full = "#1\n$1 2\n\
            0 90 0.1 0.2 0.5 0.6 30 0.2 -0.1 1.6e9 0 0 0 0 0 1.92e9 0 0 0 0 8e9 0 0 0 2e9 0 0 4e9 0 2.4e9\n\
            10 90 0.1 0.2 0.5 0.6 30 0.2 -0.1 1.6e9 0 0 0 0 0 1.92e9 0 0 0 0 8e9 0 0 0 2e9 0 0 4e9 0 2.4e9\n";
        let [a, b] = [plain, full].map(|text| read(text, "st.dat", [1, 1]).unwrap().at(0.5));
        assert!((a.stiffness - b.stiffness).amax() < 1e-4);
        assert!((a.mass - b.mass).amax() < 1e-12);
    }

    #[test]
    fn bad_files_are_refused_with_their_lines() {
        for (text, set, line, what) in [
            (TOWER.to_owned(), [2, 1], 1, "no set `#2`"),
            (TOWER.to_owned(), [1, 3], 1, "no subset `$3`"),
            (TOWER.replace("$1 2", "$1"), [1, 1], 4, "how many rows"),
            (TOWER.replace("$1 2", "$1 3"), [1, 1], 4, "2 rows, not 3"),
            (TOWER.replace("10 80", "ten 80"), [1, 1], 6, "`ten` is not a number"),
            (TOWER.replace("10 80", "80"), [1, 1], 6, "18 numbers"),
            (TOWER.replace("10 80", "0 80"), [1, 1], 6, "does not lie beyond"),
            (TOWER.replace("\n0 100", "\n1 100"), [1, 1], 4, "must be at 0"),
            (TOWER.replace("10 80 0.1", "10 80 0.9"), [1, 1], 6, "no inertia"),
        ] {
            let error = read(&text, "st.dat", set).unwrap_err();
            assert!(error.to_string().contains(what), "{error} does not say {what}");
            assert_eq!(error.line, line, "{error}");
        }
    }
}
