//! Colours and marks that tell curves apart, also in grey.

use std::fmt::Write;

/// The shape of a mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marker {
    /// Another one for each curve.
    Automatic,
    /// None.
    #[default]
    None,
    /// ●
    Circle,
    /// ■
    Square,
    /// ▲
    Triangle,
    /// ◆
    Diamond,
    /// ▼
    Down,
    /// ×
    Cross,
    /// ○
    Ring,
    /// +
    Plus,
    /// □
    Frame,
}

const SHAPES: [Marker; 9] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Down,
    Marker::Cross,
    Marker::Ring,
    Marker::Plus,
    Marker::Frame,
];

const COLOURS: [&str; 12] = [
    "#1f6fb4", "#c8434e", "#2e8b57", "#d9820b", "#7a4fa3", "#0f98a8", "#8c564b", "#d667b0",
    "#4a4f57", "#8f9a17", "#1b3a8f", "#b0602a",
];

/// The colour of curve `i`.
pub(crate) fn colour(i: usize) -> &'static str {
    COLOURS[i % COLOURS.len()]
}

impl Marker {
    /// The shape to draw for curve `i`.
    pub(crate) fn resolve(self, i: usize) -> Marker {
        match self {
            // 9 shapes and 12 colours have a common period of 36; afterwards shift by one.
            Marker::Automatic => SHAPES[(i + i / 36) % SHAPES.len()],
            other => other,
        }
    }

    /// Draws a mark.
    pub(crate) fn draw(self, svg: &mut String, x: f64, y: f64, colour: &str) {
        let filled = format!("fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.7\"");
        let hollow = format!("fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"1.7\"");
        let bare = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"");
        let mut path = |d: String, style: &str| {
            let _ = write!(svg, "<path d=\"{d}\" {style}/>");
        };
        let at = format!("M{x:.2} {y:.2}");
        let circle =
            |r: f64| format!("{at}m{r} 0a{r} {r} 0 1 1 -{d} 0a{r} {r} 0 1 1 {d} 0z", d = 2.0 * r);
        match self {
            Marker::Automatic | Marker::None => {}
            Marker::Circle => path(circle(4.4), &filled),
            Marker::Ring => path(circle(3.8), &hollow),
            Marker::Square => path(format!("{at}m-4 -4h8v8h-8z"), &filled),
            Marker::Frame => path(format!("{at}m-3.5 -3.5h7v7h-7z"), &hollow),
            Marker::Triangle => path(format!("{at}m0 -5.2l4.8 8.6h-9.6z"), &filled),
            Marker::Down => path(format!("{at}m0 5.2l4.8 -8.6h-9.6z"), &filled),
            Marker::Diamond => path(format!("{at}m0 -5.6l4.8 5.6l-4.8 5.6l-4.8 -5.6z"), &filled),
            Marker::Cross => path(format!("{at}m-4 -4l8 8m0 -8l-8 8"), &bare),
            Marker::Plus => path(format!("{at}m-5 0h10m-5 -5v10"), &bare),
        }
    }
}
