//! Symbols of joints, springs and the ground, in pixels.

use rotula_mechanics::joint::Symbol;
use rotula_mechanics::picture::{Line, Mark};
use std::f64::consts::TAU;
use std::fmt::Write;

const INK: &str = "#22272b";

/// A joint: a ring for those that turn about an axis, a square for those that slide, a dot for others.
pub(crate) fn joint(out: &mut String, symbol: Symbol, [x, y]: [f64; 2]) {
    let pen = format!("stroke=\"{INK}\" stroke-width=\"1.4\"");
    match symbol {
        Symbol::Pin => {
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.2\" fill=\"#fff\" {pen}/>"
            );
        }
        Symbol::Guide | Symbol::Plate => {
            let (left, top) = (x - 4.2, y - 4.2);
            let _ = writeln!(
                out,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"8.4\" height=\"8.4\" fill=\"#fff\" {pen}/>"
            );
        }
        Symbol::Wheel | Symbol::Rod | Symbol::Unseen => {}
        Symbol::Weld => {
            let (l, t, r, b) = (x - 4.0, y - 4.0, x + 4.0, y + 4.0);
            let _ = writeln!(
                out,
                "<path d=\"M{l:.1} {t:.1}L{r:.1} {b:.1}M{l:.1} {b:.1}L{r:.1} {t:.1}\" {pen}/>"
            );
        }
        Symbol::Ball => {
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\" fill=\"{INK}\"/>");
        }
    }
}

/// The symbol of the ground below a joint.
pub(crate) fn ground(out: &mut String, [x, y]: [f64; 2]) {
    let base = y + 13.0;
    let _ = write!(
        out,
        "<path d=\"M{x:.1} {y:.1}L{:.1} {base:.1}H{:.1}Z\" fill=\"#e9ebed\" stroke=\"{INK}\"/>",
        x - 8.0,
        x + 8.0
    );
    let _ = writeln!(
        out,
        "<path d=\"{}\" stroke=\"{INK}\"/>",
        hatch([x - 11.0, base], [x + 11.0, base])
    );
}

/// A line with hatches on its right-hand side.
pub(crate) fn hatch([x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> String {
    let length = (x2 - x1).hypot(y2 - y1).max(1e-9);
    let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
    let mut path = format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
    let spacing = (length / 40.0).max(5.5);
    let mut s = spacing * 0.7;
    while s <= length {
        let (x, y) = (x1 + ux * s, y1 + uy * s);
        let (dx, dy) = (-ux * 4.5 - uy * 4.5, -uy * 4.5 + ux * 4.5);
        let _ = write!(path, "M{x:.1} {y:.1}l{dx:.1} {dy:.1}");
        s += spacing;
    }
    path
}

/// A thin rod with a dot at either end.
pub(crate) fn rod(out: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
    let _ = writeln!(
        out,
        "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"#5b6168\" stroke-width=\"3\"/>\
         <circle cx=\"{x1:.1}\" cy=\"{y1:.1}\" r=\"3.4\" fill=\"{INK}\"/>\
         <circle cx=\"{x2:.1}\" cy=\"{y2:.1}\" r=\"3.4\" fill=\"{INK}\"/>"
    );
}

/// A zigzag between two points.
pub(crate) fn spring(out: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
    let length = (x2 - x1).hypot(y2 - y1);
    if length < 1.0 {
        return;
    }
    let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
    let end = (0.2 * length).min(18.0);
    let coils = ((length - 2.0 * end) / 6.0).clamp(4.0, 24.0) as usize;
    let mut path = format!("M{x1:.1} {y1:.1}");
    for k in 0..=coils {
        let s = end + (length - 2.0 * end) * k as f64 / coils as f64;
        let side = match k {
            0 => 0.0,
            k if k == coils => 0.0,
            k if k % 2 == 0 => 5.0,
            _ => -5.0,
        };
        let _ = write!(path, "L{:.1} {:.1}", x1 + ux * s - uy * side, y1 + uy * s + ux * side);
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}L{x2:.1} {y2:.1}\" fill=\"none\" stroke=\"#5b6168\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>"
    );
}

/// A damper: a piston in a cylinder.
pub(crate) fn damper(out: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
    let length = (x2 - x1).hypot(y2 - y1).max(1e-9);
    let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
    let at = |part: f64, across: f64| {
        let s = part * length;
        format!("{:.1} {:.1}", x1 + s * ux - across * uy, y1 + s * uy + across * ux)
    };
    let line = |points: &[(f64, f64)]| {
        let points: Vec<String> = points.iter().map(|(s, across)| at(*s, *across)).collect();
        format!("M{}", points.join("L"))
    };
    let path = line(&[(0.0, 0.0), (0.38, 0.0)])
        + &line(&[(0.62, -5.0), (0.38, -5.0), (0.38, 5.0), (0.62, 5.0)])
        + &line(&[(0.5, -4.0), (0.5, 4.0)])
        + &line(&[(0.5, 0.0), (1.0, 0.0)]);
    let _ =
        writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.4\"/>");
}

/// A motor, gear, bushing or torsion spring; the radius is that of a gear in pixels.
pub(crate) fn mark(out: &mut String, mark: Mark, [x, y]: [f64; 2], radius: f64) {
    let pen = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.3\"");
    let circle = |radius: f64, more: &str| {
        format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {more}{pen}/>")
    };
    let drawn = match mark {
        Mark::Motor => {
            let (right, left, low) = (x + 6.4, x - 6.4, y + 6.4);
            let tip = "m-4.5 -1.5l4.5 1.5l0.5 -4.6";
            format!("<path d=\"M{right:.1} {low:.1}A9 9 0 1 0 {left:.1} {low:.1}{tip}\" {pen}/>")
        }
        Mark::Pusher => {
            let (left, high) = (x - 9.0, y - 10.0);
            format!("<path d=\"M{left:.1} {high:.1}h18m-4 -3l4 3l-4 3\" {pen}/>")
        }
        Mark::Gear(_) | Mark::Ring(_) => circle(radius.max(9.0), "stroke-dasharray=\"3 2\" "),
        Mark::Bushing => circle(5.0, "") + &circle(8.0, ""),
        Mark::Torsion(line) => torsion(line, [x, y]),
    };
    let _ = writeln!(out, "{drawn}");
}

/// A spiral for a spring on an angle, two arcs of a brake for a damper.
fn torsion(line: Line, [x, y]: [f64; 2]) -> String {
    let mut path = String::new();
    if line != Line::Damper {
        let turns = 2.25;
        for k in 0..=54 {
            let part = k as f64 / 54.0;
            let (s, c) = (TAU * turns * part).sin_cos();
            let radius = 5.0 + 9.0 * part;
            let _ = write!(
                path,
                "{}{:.1} {:.1}",
                if k == 0 { "M" } else { "L" },
                x + radius * c,
                y - radius * s
            );
        }
    }
    if line != Line::Spring {
        let (left, right, low, high) = (x - 12.0, x + 12.0, y + 12.0, y - 12.0);
        for (from, to) in [((left, high), (left, low)), ((right, low), (right, high))] {
            let _ =
                write!(path, "M{:.1} {:.1}A17 17 0 0 0 {:.1} {:.1}", from.0, from.1, to.0, to.1);
        }
    }
    format!("<path d=\"{path}\" fill=\"none\" stroke=\"#5b6168\" stroke-width=\"1.4\"/>")
}
