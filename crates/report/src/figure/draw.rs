//! Figures as SVG.

use super::legend::{self, ink, numbered};
use super::{Figure, Series, Stroke};
use std::fmt::Write;

/// Size of ordinary text.
pub(crate) const FONT: f64 = 13.0;

/// The part of the page inside the axes, and what it shows.
struct Area {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    x: (f64, f64),
    y: (f64, f64),
}

impl Area {
    fn new(figure: &Figure) -> Self {
        let points = || figure.series.iter().flat_map(|series| &series.points);
        let (left, right, bottom) = (84.0, 24.0, 58.0);
        let top = if figure.title.is_empty() { 20.0 } else { 48.0 };
        let width = f64::from(figure.size.0) - left - right - legend::width(figure);
        let height = f64::from(figure.size.1) - top - bottom;
        let x = figure.x.limits(points().map(|point| point.0));
        let y = figure.y.limits(points().map(|point| point.1));
        Area { left, top, width: width.max(50.0), height: height.max(50.0), x, y }
    }

    fn right(&self) -> f64 {
        self.left + self.width
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }

    fn across(&self, place: f64) -> f64 {
        self.left + self.width * (place - self.x.0) / (self.x.1 - self.x.0)
    }

    fn down(&self, place: f64) -> f64 {
        self.bottom() - self.height * (place - self.y.0) / (self.y.1 - self.y.0)
    }

    /// A point on the page.
    fn point(&self, figure: &Figure, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        Some((self.across(figure.x.place(x)?), self.down(figure.y.place(y)?)))
    }

    fn holds(&self, (x, y): (f64, f64)) -> bool {
        (self.left - 0.5..=self.right() + 0.5).contains(&x)
            && (self.top - 0.5..=self.bottom() + 0.5).contains(&y)
    }
}

pub(crate) fn svg(figure: &Figure) -> String {
    let (width, height) = figure.size;
    let area = Area::new(figure);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"'DejaVu Sans', Verdana, sans-serif\" \
         font-size=\"{FONT}\" fill=\"#24292f\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    axes(&mut svg, figure, &area);
    let Area { left, top, width, height, .. } = area;
    let _ = writeln!(
        svg,
        "<clipPath id=\"area\"><rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/></clipPath>"
    );
    // Lines first, so that no line hides a mark.
    for (number, series) in numbered(figure) {
        line(&mut svg, figure, &area, series, ink(number, series));
    }
    for (number, series) in numbered(figure) {
        let marker = series.marker.resolve(number);
        for &point in &series.points {
            if let Some((x, y)) = area.point(figure, point).filter(|&point| area.holds(point)) {
                marker.draw(&mut svg, x, y, ink(number, series));
            }
        }
        svg.push('\n');
    }
    legend::draw(&mut svg, figure, area.right() + 20.0, area.top, area.height);
    svg + "\n</svg>\n"
}

fn axes(svg: &mut String, figure: &Figure, area: &Area) {
    let (left, top, right, bottom) = (area.left, area.top, area.right(), area.bottom());
    let shade = |label: &str| {
        if label.is_empty() { "#f0f1f3" } else { "#d5d8dc" }
    };
    for (x, label) in apart(figure.x.ticks(area.x), area) {
        let _ = write!(
            svg,
            "<path d=\"M{x:.2} {top:.2}V{bottom:.2}\" stroke=\"{}\"/>\
             <text x=\"{x:.2}\" y=\"{:.2}\" text-anchor=\"middle\">{label}</text>",
            shade(&label),
            bottom + 20.0
        );
    }
    for (place, label) in figure.y.ticks(area.y) {
        let y = area.down(place);
        let _ = write!(
            svg,
            "<path d=\"M{left:.2} {y:.2}H{right:.2}\" stroke=\"{}\"/>\
             <text x=\"{:.2}\" y=\"{:.2}\" text-anchor=\"end\">{label}</text>",
            shade(&label),
            left - 8.0,
            y + 0.35 * FONT
        );
    }
    let (middle, centre) = ((left + right) / 2.0, (top + bottom) / 2.0);
    // bold letters are 0.65 em wide on the mean: a long title is set smaller rather than cut
    let letters = figure.title.chars().count().max(1) as f64;
    let title = 17.0_f64.min((f64::from(figure.size.0) - left - 10.0) / (0.65 * letters));
    let _ = writeln!(
        svg,
        "<path d=\"M{left:.2} {top:.2}V{bottom:.2}H{right:.2}\" fill=\"none\" stroke=\"#57606a\"/>\n\
         <text x=\"{left:.2}\" y=\"30\" font-size=\"{title:.1}\" font-weight=\"bold\">{}</text>\n\
         <text x=\"{middle:.2}\" y=\"{:.2}\" text-anchor=\"middle\">{}</text>\n\
         <text transform=\"translate(22 {centre:.2}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape(&figure.title),
        bottom + 46.0,
        escape(&figure.x.label),
        escape(&figure.y.label)
    );
}

/// Ticks of the horizontal axis on the page, without labels that would touch others; whole decades come first.
fn apart(ticks: Vec<(f64, String)>, area: &Area) -> Vec<(f64, String)> {
    let mut ticks: Vec<_> =
        ticks.into_iter().map(|(place, label)| (place, area.across(place), label)).collect();
    ticks.sort_by_key(|(place, ..)| place.fract() != 0.0);
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let keep = |(_, x, label): (f64, f64, String)| {
        // 0.6 em is the mean width of the font
        let half = 0.3 * FONT * label.chars().count() as f64 + 3.0;
        let free = taken.iter().all(|&(left, right)| x + half <= left || x - half >= right);
        if label.is_empty() || !free {
            return (x, String::new());
        }
        taken.push((x - half, x + half));
        (x, label)
    };
    ticks.into_iter().map(keep).collect()
}

/// A connected curve; points without a place interrupt it.
fn line(svg: &mut String, figure: &Figure, area: &Area, series: &Series, colour: &str) {
    let Some(dashes) = dashes(series) else { return };
    let mut path = String::new();
    let mut pen_down = false;
    for &point in &series.points {
        match area.point(figure, point) {
            Some((x, y)) => {
                let _ = write!(path, "{}{x:.2} {y:.2}", if pen_down { 'L' } else { 'M' });
                pen_down = true;
            }
            None => pen_down = false,
        }
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-linejoin=\"round\" \
         clip-path=\"url(#area)\" {dashes}/>"
    );
}

/// Width and dashes of a stroke; `None` if nothing is to be drawn.
pub(crate) fn dashes(series: &Series) -> Option<String> {
    let width = if series.guide { 1.2 } else { 1.8 };
    let dashes = match series.stroke {
        Stroke::None => return None,
        Stroke::Solid => "",
        Stroke::Dashed => " stroke-dasharray=\"7 4\"",
        Stroke::Dotted => " stroke-dasharray=\"1.5 3.5\" stroke-linecap=\"round\"",
    };
    Some(format!("stroke-width=\"{width}\"{dashes}"))
}

/// Text as content of an element; characters that XML forbids become marks of replacement.
pub(crate) fn escape(text: &str) -> String {
    let allowed = |letter: char| letter >= ' ' && letter != '\u{fffe}' && letter != '\u{ffff}';
    let text: String =
        text.chars().map(|letter| if allowed(letter) { letter } else { '\u{fffd}' }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
