//! The pictures of the book: what distinguishes the formulations, each computed by the integrator itself.
//!
//! | file | concept |
//! |---|---|
//! | `levels` | drift, and oscillation after a start that violates the constraints |
//! | `damping` | numerical dissipation, on a stiff spring and in linear theory |
//! | `accuracy` | order of convergence, step changes, work and precision |
//! | `impacts` | what impacts do to the reactions of joints |

mod accuracy;
mod damping;
mod impacts;
mod levels;

use crate::entry::GalleryError;
use crate::study::larger;
use rotula_report::{Figure, plot_svg};
use std::path::{Path, PathBuf};

/// A picture: name of its file, and what computes it.
type Picture = (&'static str, fn() -> Result<Figure, GalleryError>);

const PICTURES: [Picture; 9] = [
    ("drift_position", levels::position_drift),
    ("drift_velocity", levels::velocity_drift),
    ("oscillation", levels::oscillation),
    ("dissipation", damping::stiff_spring),
    ("radius", damping::spectral_radius),
    ("orders", accuracy::orders),
    ("step_changes", accuracy::step_changes),
    ("work_precision", accuracy::work_precision),
    ("impacts", impacts::reactions),
];

/// The names of all pictures.
pub fn names() -> impl Iterator<Item = &'static str> {
    PICTURES.iter().map(|(name, _)| *name)
}

/// Computes all pictures and writes them into a directory as SVG; says which files.
pub fn write(directory: &Path) -> Result<Vec<PathBuf>, GalleryError> {
    std::fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
    let write = |&(name, draw): &Picture| {
        let path = directory.join(format!("{name}.svg"));
        let mut figure = draw()?;
        figure.size = (820, 460);
        plot_svg(&path, &figure).map_err(|error| failed(&path, error))?;
        Ok(path)
    };
    PICTURES.iter().map(write).collect()
}

fn failed(path: &Path, error: impl std::fmt::Display) -> GalleryError {
    GalleryError::Reference(format!("{} cannot be written: {error}", path.display()))
}

/// So many points of a curve at most, each the largest of those around it: peaks survive.
fn envelope(points: impl Iterator<Item = (f64, f64)>, count: usize) -> Vec<(f64, f64)> {
    let points: Vec<_> = points.collect();
    let window = points.len().div_ceil(count).max(1);
    let largest = |some: &[(f64, f64)]| {
        let value = some.iter().map(|point| point.1).fold(0.0, larger);
        (some[some.len() / 2].0, value)
    };
    points.chunks(window).map(largest).collect()
}

#[cfg(test)]
mod tests {
    use super::envelope;

    #[test]
    fn an_envelope_keeps_peaks() {
        let points = (0..100).map(|i| (i as f64, if i == 37 { 5.0 } else { 1.0 }));
        let thinned = envelope(points, 10);
        assert_eq!(thinned.len(), 10);
        assert_eq!(thinned[3].1, 5.0);
    }
}
