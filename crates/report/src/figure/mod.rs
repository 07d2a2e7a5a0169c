//! Figures drawn without a browser: lines and marks over linear or logarithmic axes.

mod axis;
mod draw;
mod legend;
mod marker;
#[cfg(feature = "png")]
mod outline;
#[cfg(feature = "png")]
mod png;

pub use axis::Axis;
pub use marker::Marker;

use crate::atomic;
use crate::error::Error;
use std::io::Write;
use std::path::Path;

/// How points are connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// Not at all.
    None,
    /// By a line.
    #[default]
    Solid,
    /// By dashes.
    Dashed,
    /// By dots.
    Dotted,
}

/// One curve of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend; without one the legend leaves it out.
    pub name: String,
    /// Points; those that cannot be drawn (not finite, not positive on a logarithmic axis) leave gaps.
    pub points: Vec<(f64, f64)>,
    /// Connection of the points.
    pub stroke: Stroke,
    /// Marks at the points.
    pub marker: Marker,
    /// A thin grey line of orientation, for instance a slope, which takes no colour from the others.
    pub guide: bool,
    /// Takes the colour of the curve before it, for instance the reference of that curve.
    pub paired: bool,
}

impl Series {
    /// A line without marks.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        let (stroke, marker) = (Stroke::Solid, Marker::None);
        Series { name: name.into(), points, stroke, marker, guide: false, paired: false }
    }

    /// Dots without a line.
    pub fn dots(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        let (stroke, marker) = (Stroke::None, Marker::Circle);
        Series { stroke, marker, ..Series::line(name, points) }
    }

    /// A line with marks that differ from curve to curve.
    pub fn marked(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Series { marker: Marker::Automatic, ..Series::line(name, points) }
    }

    /// A thin grey line of orientation.
    pub fn guide(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Series { stroke: Stroke::Dashed, guide: true, ..Series::line(name, points) }
    }

    /// The same with another connection.
    pub fn stroke(self, stroke: Stroke) -> Self {
        Series { stroke, ..self }
    }

    /// The same in the colour of the curve before it.
    pub fn paired(self) -> Self {
        Series { paired: true, ..self }
    }
}

/// A figure: axes, curves, a legend at the right.
///
/// ```
/// use rotula_report::{Axis, Figure, Series};
///
/// let figure = Figure::new("Convergence", Axis::log("step size [s]"), Axis::log("error"))
///     .with(Series::marked("ggl", vec![(1e-3, 1e-6), (1e-2, 1e-4)]))
///     .with(Series::guide("order 2", vec![(1e-3, 2e-6), (1e-2, 2e-4)]));
/// assert!(figure.to_svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Title.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves, drawn one over the other.
    pub series: Vec<Series>,
    /// Width and height in points.
    pub size: (u32, u32),
}

impl Figure {
    /// A figure without curves.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Figure { title: title.into(), x, y, series: Vec::new(), size: (900, 560) }
    }

    /// Adds a curve.
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// The figure as text of an SVG file.
    pub fn to_svg(&self) -> String {
        draw::svg(self)
    }

    /// The figure as content of a PNG file, with `scale` pixels per point.
    #[cfg(feature = "png")]
    pub fn to_png(&self, scale: f32) -> Result<Vec<u8>, String> {
        png::render(&self.to_svg(), scale)
    }
}

/// Writes a figure as SVG.
pub fn plot_svg(path: &Path, figure: &Figure) -> Result<(), Error> {
    atomic::write(path, |file| file.write_all(figure.to_svg().as_bytes()))
}

/// Writes a figure as PNG, with two pixels per point.
#[cfg(feature = "png")]
pub fn plot_png(path: &Path, figure: &Figure) -> Result<(), Error> {
    let png =
        figure.to_png(2.0).map_err(|reason| Error::Figure { path: path.to_owned(), reason })?;
    atomic::write(path, |file| file.write_all(&png))
}
