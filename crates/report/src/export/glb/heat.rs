//! Colours of values at the points of a surface, as on the page.
//!
//! The format has no colours that change with time: a point has that of its largest value in the whole film.

use super::linear;
use rotula_mechanics::picture::Skin;

const ONE_SIDED: [[f64; 3]; 5] = [
    [0.27, 0.0, 0.33],
    [0.23, 0.32, 0.55],
    [0.13, 0.57, 0.55],
    [0.37, 0.79, 0.38],
    [0.99, 0.91, 0.14],
];
const TWO_SIDED: [[f64; 3]; 5] = [
    [0.13, 0.35, 0.72],
    [0.56, 0.72, 0.88],
    [0.8, 0.8, 0.78],
    [0.94, 0.62, 0.5],
    [0.72, 0.13, 0.17],
];

/// Largest values of the points over time, in magnitude; empty without values.
pub(super) fn largest(skin: &Skin) -> Vec<f64> {
    let values = skin.fields.first().map_or(&[][..], |field| &field.values);
    let mut largest = values.get(..skin.count).unwrap_or_default().to_vec();
    for values in values.chunks_exact(skin.count.max(1)) {
        for (most, value) in largest.iter_mut().zip(values) {
            if value.abs() > most.abs() {
                *most = *value;
            }
        }
    }
    largest
}

/// The range of the colours: zero is in the middle if it is inside.
pub(super) fn limits([low, high]: [f64; 2]) -> [f64; 2] {
    let most = high.max(-low);
    if low < 0.0 && high > 0.0 { [-most, most] } else { [low, high] }
}

/// The colour of a value between limits, as amounts of light.
pub(super) fn colour(value: f64, [low, high]: [f64; 2]) -> [f32; 3] {
    let stops = if low < 0.0 && high > 0.0 { TWO_SIDED } else { ONE_SIDED };
    let part = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
    let at = 4.0 * part;
    let k = (at as usize).min(3);
    let mix = |i: usize| stops[k][i] + (at - k as f64) * (stops[k + 1][i] - stops[k][i]);
    [0, 1, 2].map(|i| linear(255.0 * mix(i)) as f32)
}

#[cfg(test)]
mod tests {
    use super::{ONE_SIDED, TWO_SIDED, colour, limits};

    #[test]
    fn ends_and_middle_have_their_colours() {
        let light = |part: f64| part.powf(2.2) as f32;
        assert_eq!(colour(3.0, [1.0, 3.0]), ONE_SIDED[4].map(light));
        assert_eq!(colour(1.0, [1.0, 3.0]), ONE_SIDED[0].map(light));
        assert_eq!(limits([-1.0, 4.0]), [-4.0, 4.0]);
        assert_eq!(colour(0.0, [-4.0, 4.0]), TWO_SIDED[2].map(light));
        assert_eq!(colour(5.0, [5.0, 5.0]), ONE_SIDED[0].map(light));
    }
}
