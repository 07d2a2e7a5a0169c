//! What of a mesh moves freely where its stiffness is singular: the null vector, in words.
//!
//! A motion without strain energy moves every element like a rigid body, or deforms it in a way for which
//! its section has no stiffness. The motion is found by inverse iteration with a shift. Elements that share
//! the same rigid motion form a part; the part that moves most against the rest is named, with the axis
//! about which it turns.

use crate::body::Body;
use crate::factor::Factor;
use crate::listing::numbers;
use crate::matrices::Matrices;
use crate::mesh::{Element, Section, Shape};
use nalgebra::{DMatrix, Matrix3, SVD, Vector3, Vector6};

/// Shift of the stiffness, as a part of the largest ratio of stiffness and mass.
const SHIFT: f64 = 1e-9;
const ITERATIONS: usize = 6;
/// Motions that differ by less than this part of the largest are the same.
const SAME: f64 = 1e-3;

/// What moves freely, and what to do.
pub(crate) struct Loose {
    /// `elements 2 and 3 turn freely about …`.
    pub words: String,
    /// What to do.
    pub help: String,
    /// Index of its first element.
    pub element: usize,
}

/// Finds what moves freely besides some known motions of the free components. `whole` gives the free
/// component of an unknown of the matrices. `None` if nothing can be said.
pub(crate) fn loose(
    body: &Body,
    matrices: &Matrices,
    whole: impl Fn(usize) -> usize,
    known: Option<&DMatrix<f64>>,
) -> Option<Loose> {
    let motion = null_vector(matrices, known)?;
    let mut free = vec![0.0; body.freedom.count()];
    for (unknown, value) in motion.iter().enumerate() {
        free[whole(unknown)] = *value;
    }
    let all = body.freedom.expand(&free);
    let moved = moved(body, &all);
    let size = extent(body);
    // a measure of motion: the way of a point at the other end of the body
    let measure =
        |t: &Vector6<f64>| t.fixed_rows::<3>(0).norm() + size * t.fixed_rows::<3>(3).norm();
    let largest = moved.iter().map(|m| measure(&m.twist) + m.strain).fold(0.0, f64::max);
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    let strained = |k: &usize| moved[*k].strain > SAME * largest;
    let deformed: Vec<usize> = (0..moved.len()).filter(strained).collect();
    if let Some(&element) = deformed.first() {
        let (words, help) = deforming(body, &deformed);
        return Some(Loose { words, help, element });
    }
    let alike = |a: &Moved, b: &Moved| measure(&(a.twist - b.twist)) <= SAME * largest;
    let still = moved.iter().position(|m| measure(&m.twist) <= SAME * largest);
    // what stands still, or else the first of most
    let rest = match (still, known) {
        (Some(rest), _) => rest,
        (None, Some(_)) => {
            let count = |k: usize| moved.iter().filter(|m| alike(m, &moved[k])).count();
            // parts are few: their first elements stand for them
            let mut firsts: Vec<usize> = Vec::new();
            for k in 0..moved.len() {
                if firsts.len() < 20 && !firsts.iter().any(|f| alike(&moved[*f], &moved[k])) {
                    firsts.push(k);
                }
            }
            firsts.into_iter().rev().max_by_key(|k| count(*k))?
        }
        (None, None) => {
            let (words, help) = match body.mesh.supports.is_empty() {
                true => (
                    "nothing holds the mesh".to_owned(),
                    "the mesh has no supports: hold it against all six rigid motions",
                ),
                false => (
                    format!("the whole mesh {}", freely(&moved[0].twist, measure, true)),
                    "add supports that hold it against this motion",
                ),
            };
            return Some(Loose { words, help: help.to_owned(), element: 0 });
        }
    };
    let against = |k: usize| moved[k].twist - moved[rest].twist;
    let farthest = (0..moved.len())
        .rev()
        .max_by(|a, b| measure(&against(*a)).total_cmp(&measure(&against(*b))))?;
    let part: Vec<usize> =
        (0..moved.len()).filter(|k| alike(&moved[*k], &moved[farthest])).collect();
    let named = elements(body, &part);
    let words = format!("{named} {}", freely(&against(farthest), measure, part.len() == 1));
    Some(Loose { words, help: connection(body, &part), element: part[0] })
}

/// A motion without energy, orthogonal to the known ones.
fn null_vector(matrices: &Matrices, known: Option<&DMatrix<f64>>) -> Option<DMatrix<f64>> {
    let stiffness = matrices.diagonal(&matrices.stiffness);
    let mass = matrices.diagonal(&matrices.mass);
    let ratios = stiffness.iter().zip(&mass).filter(|(_, m)| **m > 0.0).map(|(k, m)| k / m);
    let factor = Factor::new(matrices, -SHIFT * ratios.fold(0.0, f64::max)).ok()?;
    let n = matrices.size();
    // numbers without pattern, the same on every run
    let mut x = DMatrix::from_fn(n, 1, |i, _| (12.9898 * (i as f64 + 1.0)).sin() + 0.1);
    for _ in 0..ITERATIONS {
        let mut next = matrices.mass_times(&x);
        if let Some(known) = known.filter(|known| known.nrows() == n) {
            next -= matrices.mass_times(known) * known.tr_mul(&next);
        }
        factor.solve(&mut next);
        let size = next.amax();
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        x = next / size;
    }
    Some(x)
}

/// How an element moves: the velocity at the origin and the rotation that fit best, and what is left.
struct Moved {
    twist: Vector6<f64>,
    strain: f64,
}

fn moved(body: &Body, all: &[f64]) -> Vec<Moved> {
    let of = |element: &Element| {
        let place = |node: usize| body.mesh.nodes[node].position;
        let count = element.nodes.len() as f64;
        let middle: Vector3<f64> =
            element.nodes.iter().map(|n| place(*n)).sum::<Vector3<f64>>() / count;
        let size = element.nodes.iter().map(|n| (place(*n) - middle).norm()).fold(0.0, f64::max);
        let turns = element.shape == Shape::Beam2;
        let rows = element.nodes.len() * if turns { 6 } else { 3 };
        let mut matrix = DMatrix::zeros(rows, 6);
        let mut right = DMatrix::zeros(rows, 1);
        let value = |node: usize, i: usize| {
            body.freedom.component(node, i).map_or(0.0, |component| all[component])
        };
        for (a, &node) in element.nodes.iter().enumerate() {
            let row = a * if turns { 6 } else { 3 };
            let arm: Matrix3<f64> = -(place(node) - middle).cross_matrix();
            for i in 0..3 {
                matrix[(row + i, i)] = 1.0;
                right[(row + i, 0)] = value(node, i);
                for k in 0..3 {
                    matrix[(row + i, 3 + k)] = arm[(i, k)];
                }
                if turns {
                    // rotations as ways at the ends
                    matrix[(row + 3 + i, 3 + i)] = size;
                    right[(row + 3 + i, 0)] = size * value(node, 3 + i);
                }
            }
        }
        let fit = SVD::new(matrix.clone(), true, true).solve(&right, 1e-9 * size.min(1.0));
        let fit = fit.unwrap_or_else(|_| DMatrix::zeros(6, 1));
        let strain = (&matrix * &fit - right).amax();
        let turn = Vector3::new(fit[3], fit[4], fit[5]);
        let way = Vector3::new(fit[0], fit[1], fit[2]) - turn.cross(&middle);
        Moved { twist: Vector6::new(way.x, way.y, way.z, turn.x, turn.y, turn.z), strain }
    };
    body.mesh.elements.iter().map(of).collect()
}

fn extent(body: &Body) -> f64 {
    let nodes = body.mesh.elements.iter().flat_map(|element| &element.nodes);
    nodes.map(|node| body.mesh.nodes[*node].position.norm()).fold(0.0, f64::max)
}

/// `turns freely about the line through … along …`.
fn freely(twist: &Vector6<f64>, measure: impl Fn(&Vector6<f64>) -> f64, one: bool) -> String {
    let way = Vector3::new(twist[0], twist[1], twist[2]);
    let turn = Vector3::new(twist[3], twist[4], twist[5]);
    let s = if one { "s" } else { "" };
    let only_turn = Vector6::new(0.0, 0.0, 0.0, turn.x, turn.y, turn.z);
    if measure(&only_turn) <= SAME * measure(twist) {
        return format!("move{s} freely along {}", direction(way));
    }
    let axis = turn.normalize();
    let along = way.dot(&axis);
    let through = turn.cross(&way) / turn.norm_squared();
    let slides = match along.abs() > SAME * way.norm().max(turn.norm()) {
        true => " and slide".to_owned() + if one { "s" } else { "" } + " along it",
        false => String::new(),
    };
    let point = listed(through.iter().map(|x| rounded(*x, through.norm().max(1e-9))));
    format!("turn{s} freely about the line through ({point}) along {}{slides}", direction(turn))
}

fn direction(vector: Vector3<f64>) -> String {
    let unit = vector / vector.amax();
    // the sign says nothing
    let first = unit.iter().find(|x| x.abs() > SAME).map_or(1.0, |x| x.signum());
    format!("({})", listed(unit.iter().map(|x| rounded(first * x, 1.0))))
}

/// A number without the noise behind its third digit.
fn rounded(value: f64, size: f64) -> String {
    let unit = size * 1e-6;
    let cleaned = if value.abs() < 10.0 * unit { 0.0 } else { value };
    let text = format!("{cleaned:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn listed(numbers: impl Iterator<Item = String>) -> String {
    numbers.collect::<Vec<_>>().join(", ")
}

/// Elements that deform although nothing resists.
fn deforming(body: &Body, deformed: &[usize]) -> (String, String) {
    let mesh = &body.mesh;
    let named = elements(body, deformed);
    let s = if deformed.len() == 1 { "s" } else { "" };
    let limp = deformed.iter().find_map(|k| match mesh.elements[*k].section {
        Some(section) => match &mesh.sections[section] {
            Section::Beam { profile, .. } if profile.torsion == 0.0 => Some("twist"),
            Section::Beam { profile, .. }
                if profile.inertia_y == 0.0 || profile.inertia_z == 0.0 =>
            {
                Some("bend")
            }
            _ => None,
        },
        None => None,
    });
    let (what, help) = match limp {
        Some("twist") => {
            ("twist", "their section has no torsional stiffness: give it a torsion constant J")
        }
        Some(_) => ("bend", "their section has no bending stiffness: give it both moments of area"),
        None => {
            ("deform", "nothing resists this deformation: look at their section, material and ties")
        }
    };
    (format!("{named} {what}{s} without resistance"), help.to_owned())
}

/// How a part hangs on the others.
fn connection(body: &Body, part: &[usize]) -> String {
    let mesh = &body.mesh;
    let mut own = vec![false; mesh.nodes.len()];
    part.iter().for_each(|k| mesh.elements[*k].nodes.iter().for_each(|node| own[*node] = true));
    let mut inside = vec![false; mesh.elements.len()];
    part.iter().for_each(|k| inside[*k] = true);
    let mut shared: Vec<u64> = Vec::new();
    for (k, element) in mesh.elements.iter().enumerate() {
        if !inside[k] {
            let touching = element.nodes.iter().filter(|node| own[**node]);
            shared.extend(touching.map(|node| mesh.nodes[*node].label));
        }
    }
    shared.sort_unstable();
    shared.dedup();
    match shared.len() {
        0 => "a tie is all that holds them: tie more components, or more nodes".to_owned(),
        1 => format!(
            "only node {} connects them with the rest: merge coincident nodes or tie the parts",
            shared[0]
        ),
        _ => format!(
            "only {} connect them with the rest: let whole faces share their nodes, or tie the parts",
            numbers("node", shared)
        ),
    }
}

fn elements(body: &Body, part: &[usize]) -> String {
    numbers("element", part.iter().map(|k| body.mesh.elements[*k].label).collect())
}
