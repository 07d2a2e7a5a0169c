//! How far things moved between two states, in sentences.

use rotula_model::Displacement;
use std::fmt::Write;

/// More lines than this help nobody; files hold them all.
const MOST: usize = 20;
/// Ways and rotations below this part of the largest one are none.
const STILL: f64 = 1e-9;

/// A line for each body that moved; inner nodes of beams are told only if nothing else did. Empty for models
/// without places.
pub fn words(displacements: &[Displacement]) -> String {
    if displacements.is_empty() {
        return String::new();
    }
    let way = |d: &Displacement| d.moved.iter().map(|x| x * x).sum::<f64>().sqrt();
    let turn = |d: &Displacement| d.turned.map_or(0.0, |turned| turned.angle);
    let most = |of: &dyn Fn(&Displacement) -> f64| displacements.iter().map(of).fold(0.0, f64::max);
    let reach = displacements.iter().flat_map(|d| d.from).fold(0.0_f64, |m, x| m.max(x.abs()));
    let (least_way, least_turn) =
        (STILL * most(&way).max(1e-6 * reach), STILL * most(&turn).max(1e-6));
    let moved: Vec<&Displacement> =
        displacements.iter().filter(|d| way(d) > least_way || turn(d) > least_turn).collect();
    let outer: Vec<&Displacement> = moved.iter().copied().filter(|d| !d.inner).collect();
    let shown = if outer.is_empty() { &moved } else { &outer };
    if shown.is_empty() {
        return "Nothing moved.".into();
    }
    let mut text = String::from("Displacements from the start (axes of the world):");
    for d in shown.iter().take(MOST) {
        let _ = write!(text, "\n  `{}` moved by {}", d.name, vector(&d.moved, least_way));
        if let Some(turned) = d.turned.filter(|turned| turned.angle > least_turn) {
            let _ = write!(
                text,
                ", turned by {} rad ({:.3}°) about {}",
                number(turned.angle),
                turned.angle.to_degrees(),
                vector(&turned.axis, STILL)
            );
        }
    }
    if shown.len() > MOST {
        let _ = write!(text, "\n  and {} more", shown.len() - MOST);
    }
    text
}

fn vector(values: &[f64; 3], least: f64) -> String {
    let shown = values.map(|x| if x.abs() <= least { "0".into() } else { number(x) });
    format!("({})", shown.join(", "))
}

/// Six digits behind the point, or in powers of ten where these would not show it.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if (1e-2..1e5).contains(&size) => format!("{value:.6}"),
        _ => format!("{value:.5e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::words;
    use rotula_model::{Displacement, Rotation};

    #[test]
    fn ways_and_rotations_are_told_without_noise() {
        let one = Displacement {
            name: "tip".into(),
            from: [1.0, 0.0, 0.0],
            to: [0.0, 0.6375, 1e-17],
            moved: [-1.0, 0.6375, 1e-17],
            turned: Some(Rotation { angle: std::f64::consts::PI, axis: [0.0, 1e-16, 1.0] }),
            inner: false,
        };
        let text = words(&[one]);
        assert!(text.contains("`tip` moved by (-1.000000, 0.637500, 0)"), "{text}");
        assert!(text.contains("(180.000°) about (0, 0, 1.000000)"), "{text}");
    }
}
