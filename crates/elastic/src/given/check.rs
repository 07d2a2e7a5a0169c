//! Whether given matrices are those of a free elastic body, in the units and the order of its nodes.

use super::Given;
use crate::error::MeshError;
use crate::factor::Factor;
use crate::matrices::Matrices;
use crate::mesh::Mesh;

/// Part of the sizes of its terms below which a force is rounding. Programs write matrices with six digits
/// and more.
const ROUNDING: f64 = 1e-5;
/// The six rigid motions, in words.
const MOTIONS: [&str; 6] = ["along x", "along y", "along z", "about x", "about y", "about z"];
/// Speeds of waves from node to node that bodies have, in m/s.
const WAVES: std::ops::RangeInclusive<f64> = 1.0..=2e5;
/// Densities, as if the body filled its box: a frame has little, no solid more than 25 000 kg/m³.
const DENSITIES: std::ops::RangeInclusive<f64> = 1e-3..=25e3;

const ORDER: &str = "the table of nodes must list the rows in the order of the matrices, with its \
                     coordinates in their unit of length";

/// Refuses matrices of supported bodies, of another order than the table, and such that are not positive.
pub(crate) fn check(mesh: &Mesh, given: &Given) -> Result<(), MeshError> {
    let matrices = &given.matrices;
    for (file, values) in [(0, &matrices.stiffness), (1, &matrices.mass)] {
        let diagonal = matrices.diagonal(values);
        let bad = |value: &f64| *value < 0.0 || (file == 0 && *value == 0.0);
        if let Some(row) = diagonal.iter().position(bad) {
            let (node, i) = given.rows[row];
            let message = format!(
                "entry ({0}, {0}), of node {1} {2}, is {3:e}",
                row + 1,
                mesh.nodes[node].label,
                MOTIONS[i],
                diagonal[row]
            );
            let help = "a stiffness has a positive diagonal, and a mass no negative one";
            return Err(given.fault(file, message, help));
        }
    }
    check_rigid(mesh, given)?;
    check_mass(mesh, given)?;
    check_positive(given)
}

/// A free body does not resist rigid motions.
fn check_rigid(mesh: &Mesh, given: &Given) -> Result<(), MeshError> {
    let matrices = &given.matrices;
    let motions = given.rigid_motions(mesh);
    let forces = matrices.stiffness_times(&motions);
    for (k, motion) in MOTIONS.iter().enumerate() {
        let (mut force, mut size) = (0.0_f64, 0.0_f64);
        for j in 0..matrices.size() {
            let terms =
                matrices.column(j).map(|(i, p)| (matrices.stiffness[p] * motions[(i, k)]).abs());
            size = size.max(terms.fold(0.0, f64::max));
            force = force.max(forces[(j, k)].abs());
        }
        if force > ROUNDING * size {
            let message = format!(
                "the stiffness resists a rigid motion {motion}: forces are {:.1e} of its terms",
                force / size
            );
            let help = format!(
                "give the matrices of the free body and write supports in the column `held`; {ORDER}"
            );
            return Err(given.fault(0, message, help));
        }
    }
    Ok(())
}

/// A body has one mass in all directions.
fn check_mass(mesh: &Mesh, given: &Given) -> Result<(), MeshError> {
    let masses = masses(mesh, given);
    let largest = masses.iter().fold(0.0_f64, |largest, mass| largest.max(mass.abs()));
    let even = masses.iter().all(|mass| (mass - masses[0]).abs() <= ROUNDING * largest);
    if masses[0] <= 0.0 || !even {
        let [x, y, z] = masses;
        let message = format!("the mass is {x:e} along x, {y:e} along y and {z:e} along z");
        let help = format!("it must be one positive mass: {ORDER}");
        return Err(given.fault(1, message, help));
    }
    Ok(())
}

fn masses(mesh: &Mesh, given: &Given) -> [f64; 3] {
    let motions = given.rigid_motions(mesh);
    let moved = given.matrices.mass_times(&motions);
    std::array::from_fn(|k| motions.column(k).dot(&moved.column(k)))
}

/// Neither energy may be negative.
fn check_positive(given: &Given) -> Result<(), MeshError> {
    let Matrices { stiffness, mass, .. } = &given.matrices;
    let [k, m] = [stiffness, mass].map(|values| given.matrices.diagonal(values));
    let ratios = k.iter().zip(&m).filter(|(_, m)| **m > 0.0).map(|(k, m)| k / m);
    let largest = ratios.fold(0.0_f64, f64::max);
    // a little of the mass makes the stiffness of a free body definite, much of it shows the mass itself
    let cases = [(0, "stiffness", 1e-6 * largest), (1, "mass", 1e4 * largest)];
    for (file, what, shift) in cases {
        let negative = Factor::new(&given.matrices, -shift).map(|factor| factor.negative);
        if negative != Ok(0) {
            let count = negative.map_or("some".to_owned(), |count| count.to_string());
            let message =
                format!("the {what} is not positive: {count} of its eigenvalues are negative");
            let help =
                format!("was the {what} written with all its entries and with enough digits?");
            return Err(given.fault(file, message, help));
        }
    }
    Ok(())
}

/// Refuses matrices that no body of known matter has, in SI units.
pub(crate) fn check_units(mesh: &Mesh, given: &Given) -> Result<(), MeshError> {
    let [k, m] = [&given.matrices.stiffness, &given.matrices.mass]
        .map(|values| given.matrices.diagonal(values));
    let mut nearest = vec![f64::INFINITY; mesh.nodes.len()];
    for (a, b) in given.pairs() {
        let distance = (mesh.nodes[a].position - mesh.nodes[b].position).norm();
        for node in [a, b].into_iter().filter(|_| distance > 0.0) {
            nearest[node] = nearest[node].min(distance);
        }
    }
    // at each node the fastest wave: along a beam, not across
    let mut waves = vec![0.0_f64; mesh.nodes.len()];
    for (row, &(node, i)) in given.rows.iter().enumerate().filter(|(row, _)| m[*row] > 0.0) {
        if i < 3 && nearest[node].is_finite() {
            waves[node] = waves[node].max(nearest[node] * (k[row] / m[row]).sqrt());
        }
    }
    waves.retain(|wave| *wave > 0.0);
    waves.sort_by(f64::total_cmp);
    let Some(&wave) = waves.get(waves.len() / 2) else { return Ok(()) };
    if !WAVES.contains(&wave) {
        let message =
            format!("waves would run through the body at {wave:.1e} m/s: the units do not fit");
        let help = match WAVES.contains(&(wave * 1e-3)) {
            true => {
                "the coordinates look like millimetres: give `--units mm` if the matrices are in N/mm \
                 and tonnes, else write metres"
            }
            false => "write metres, newtons per metre and kilograms; steel has 5 km/s",
        };
        return Err(given.fault(0, message, help));
    }
    let sides = [0, 1, 2].map(|i| {
        let places = mesh.nodes.iter().map(|node| node.position[i]);
        let (low, high) = places
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        high - low
    });
    let (volume, longest) =
        (sides.iter().product::<f64>(), sides.iter().fold(0.0, |a: f64, b| a.max(*b)));
    let density = masses(mesh, given)[0] / volume;
    // lines and plates fill no box
    if volume > 1e-6 * longest.powi(3) && !DENSITIES.contains(&density) {
        let message = format!("the body has {density:.1e} kg in a cubic metre of its box");
        let help =
            "write kilograms and newtons per metre, or give `--units mm` for tonnes and N/mm";
        return Err(given.fault(1, message, help));
    }
    Ok(())
}
