//! The legend at the right of a figure.

use super::draw::{FONT, dashes, escape};
use super::marker::colour;
use super::{Figure, Series};
use std::fmt::Write;

/// Height of a line of the legend where there is room.
const LINE: f64 = 21.0;

/// Each curve with its number among those that take a colour.
pub(crate) fn numbered(figure: &Figure) -> impl Iterator<Item = (usize, &Series)> {
    figure.series.iter().scan(0, |next: &mut usize, series| {
        *next += usize::from(!series.guide && !series.paired);
        Some((next.saturating_sub(1), series))
    })
}

/// The colour of a curve.
pub(crate) fn ink(number: usize, series: &Series) -> &'static str {
    if series.guide { "#8a8f98" } else { colour(number) }
}

/// Width that the legend needs; zero without named curves.
pub(crate) fn width(figure: &Figure) -> f64 {
    let longest = figure.series.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
    // 0.6 em is the mean width of the font; a legend takes at most half of the figure.
    let width = if longest == 0 { 0.0 } else { 60.0 + 0.6 * FONT * longest as f64 };
    width.min(f64::from(figure.size.0) / 2.0)
}

/// Draws it with its upper left corner at a point.
pub(crate) fn draw(svg: &mut String, figure: &Figure, left: f64, top: f64, height: f64) {
    let named = figure.series.iter().filter(|series| !series.name.is_empty()).count();
    let line = LINE.min(height / named.max(1) as f64);
    let mut y = top + LINE / 2.0;
    for (number, series) in numbered(figure).filter(|(_, series)| !series.name.is_empty()) {
        let colour = ink(number, series);
        if let Some(dashes) = dashes(series) {
            let _ = write!(svg, "<path d=\"M{left:.2} {y:.2}h28\" stroke=\"{colour}\" {dashes}/>",);
        }
        series.marker.resolve(number).draw(svg, left + 14.0, y, colour);
        let _ = write!(
            svg,
            "<text x=\"{:.2}\" y=\"{:.2}\">{}</text>",
            left + 36.0,
            y + 0.35 * FONT,
            escape(&series.name)
        );
        y += line;
    }
}
