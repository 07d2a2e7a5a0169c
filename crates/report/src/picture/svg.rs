//! The picture: parts seen from somewhere, the far ones first.

use super::ground::planes;
use super::labels::apart;
use super::marks;
use super::paint::{colour, shade};
use super::view::View;
use nalgebra::Vector3;
use rotula_mechanics::joint::Symbol;
use rotula_mechanics::picture::{Form, Mark, Part};
use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 440.0;
const MARGIN: f64 = 44.0;
const LOWEST: f64 = 150.0;
/// What is thinner than this part of its width is drawn as if it were in one plane.
const FLAT: f64 = 0.12;
/// More names would hide the mechanism.
const MOST_NAMES: usize = 9;

/// What to draw, and how.
#[derive(Clone, Debug, Default)]
pub struct Picture<'a> {
    /// Everything in it.
    pub parts: &'a [Part],
    /// A line above it.
    pub title: &'a str,
    /// Colours of bodies by number, where others than the usual ones are wanted.
    pub colours: Vec<Option<String>>,
    /// Where it is seen from; the best view if none.
    pub view: Option<View>,
    /// Which way is down.
    pub gravity: Vector3<f64>,
}

/// From the world to pixels.
struct Sheet {
    view: View,
    scale: f64,
    left: f64,
    top: f64,
    height: f64,
    /// Whether all is nearly in one plane, so that bars may be drawn over faces.
    flat: bool,
}

impl Sheet {
    fn fit(view: View, points: &[Vector3<f64>]) -> Sheet {
        let seen: Vec<[f64; 3]> = points.iter().map(|point| view.see(point)).collect();
        let range = |k: usize| {
            let least = seen.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
            let most = seen.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
            if least <= most { (least, most) } else { (-0.5, 0.5) }
        };
        let ((x0, x1), (y0, y1)) = (range(0), range(1));
        let size = (x1 - x0).max(y1 - y0).max(1e-9);
        let (wide, high) = ((x1 - x0).max(0.05 * size), (y1 - y0).max(0.05 * size));
        let scale = ((WIDTH - 2.0 * MARGIN) / wide).min((HEIGHT - 2.0 * MARGIN) / high);
        // a flat mechanism leaves no empty paper above and below
        let height = (scale * (y1 - y0) + 2.0 * MARGIN).max(LOWEST) + 24.0;
        let left = 0.5 * (WIDTH - scale * (x0 + x1));
        let top = 24.0 + 0.5 * (height - 24.0 + scale * (y0 + y1));
        let (z0, z1) = range(2);
        Sheet { view, scale, left, top, height, flat: z1 - z0 < FLAT * size }
    }

    fn pixel(&self, point: &Vector3<f64>) -> [f64; 2] {
        let [x, y, _] = self.view.see(point);
        [self.left + self.scale * x, self.top - self.scale * y]
    }

    fn path(&self, points: &[Vector3<f64>]) -> String {
        let mut path = String::new();
        for (k, point) in points.iter().enumerate() {
            let [x, y] = self.pixel(point);
            let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { 'M' } else { 'L' });
        }
        path
    }
}

/// The picture as SVG.
pub fn svg(picture: &Picture) -> String {
    let mut points = extent(picture.parts);
    let view = picture.view.unwrap_or_else(|| View::best(&points, &picture.gravity));
    let view = view.upright(&picture.gravity);
    let planes = planes(picture.parts, &points, &view);
    points.extend(planes.iter().flatten());
    let sheet = Sheet::fit(view, &points);
    let height = sheet.height;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
         width=\"{WIDTH}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{:.0}\" y=\"22\" text-anchor=\"middle\" font-size=\"14\" fill=\"#22272b\">{}</text>\n",
        0.5 * WIDTH,
        escaped(picture.title)
    );
    planes.iter().for_each(|plane| draw_plane(&mut out, &sheet, plane));
    solids(&mut out, &sheet, picture);
    symbols(&mut out, &sheet, picture.parts);
    out.push_str("</svg>\n");
    out
}

/// The points that must be in the picture.
pub fn extent(parts: &[Part]) -> Vec<Vector3<f64>> {
    let mut points = Vec::new();
    for part in parts {
        match &part.form {
            Form::Bar(ends) | Form::Spring(ends) | Form::Damper(ends) | Form::Rod(ends) => {
                points.extend(ends);
            }
            Form::Face { corners, .. } => points.extend(corners),
            Form::Path(way) => points.extend(way),
            Form::Mass(at) => points.push(*at),
            Form::Joint { at, symbol, .. } if *symbol != Symbol::Wheel => points.push(*at),
            Form::Ball { centre, radius } => {
                for k in 0..3 {
                    let mut reach = Vector3::zeros();
                    reach[k] = *radius;
                    points.extend([centre - reach, centre + reach]);
                }
            }
            _ => {}
        }
    }
    points
}

fn draw_plane(out: &mut String, sheet: &Sheet, corners: &[Vector3<f64>]) {
    let _ = match corners {
        [a, b] => {
            let path = marks::hatch(sheet.pixel(a), sheet.pixel(b));
            writeln!(out, "<path d=\"{path}\" stroke=\"#6b7177\" stroke-width=\"1.2\"/>")
        }
        _ => writeln!(
            out,
            "<path d=\"{}Z\" fill=\"#f1f3f4\" stroke=\"#c5cacf\"/>",
            sheet.path(corners)
        ),
    };
}

/// Bars, faces and balls, the far ones first.
fn solids(out: &mut String, sheet: &Sheet, picture: &Picture) {
    let mut drawn: Vec<(f64, String)> = Vec::new();
    for part in picture.parts {
        let given = picture.colours.get(part.body).and_then(|colour| colour.as_deref());
        let paint = colour(part.body, given);
        if let Some(item) = solid(sheet, &part.form, paint) {
            drawn.push(item);
        }
    }
    drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
    // said once: a landscape has hundreds of faces
    out.push_str("<g stroke-linejoin=\"round\" stroke-width=\"0.6\">\n");
    drawn.iter().for_each(|(_, text)| out.push_str(text));
    out.push_str("</g>\n");
}

/// How near a form is to the eye, and its picture; none if it turns its back or is no solid.
fn solid(sheet: &Sheet, form: &Form, paint: [u8; 3]) -> Option<(f64, String)> {
    let depth = |p: &Vector3<f64>| sheet.view.eye.dot(p);
    match form {
        Form::Bar(ends) => {
            let middle = match sheet.flat {
                true => f64::INFINITY,
                false => 0.5 * (depth(&ends[0]) + depth(&ends[1])),
            };
            let path = sheet.path(ends);
            let (line, edge) = (shade(paint, 0.15), shade(paint, -0.35));
            let text = format!(
                "<path d=\"{path}\" stroke=\"{edge}\" stroke-width=\"7.6\" stroke-linecap=\"round\"/>\
                 <path d=\"{path}\" stroke=\"{line}\" stroke-width=\"5.2\" stroke-linecap=\"round\"/>\n"
            );
            Some((middle, text))
        }
        Form::Face { corners, sharp } => {
            let normal = face_normal(corners)?;
            if normal.dot(&sheet.view.eye) <= 1e-6 {
                return None;
            }
            let light = sheet.view.eye * 0.6 + sheet.view.up * 0.7 - sheet.view.right * 0.4;
            let shine = normal.dot(&light.normalize()).clamp(0.0, 1.0);
            let fill = shade(paint, 0.1 + 0.55 * shine);
            let edge = if *sharp { shade(paint, -0.25) } else { fill.clone() };
            let path = sheet.path(corners);
            let width = if *sharp { " stroke-width=\"1\"" } else { "" };
            let text = format!("<path d=\"{path}Z\" fill=\"{fill}\" stroke=\"{edge}\"{width}/>\n");
            let middle = corners.iter().map(depth).sum::<f64>() / corners.len() as f64;
            Some((middle, text))
        }
        Form::Ball { centre, radius } => {
            let [x, y] = sheet.pixel(centre);
            let (fill, edge) = (shade(paint, 0.45), shade(paint, -0.25));
            let r = (radius * sheet.scale).max(1.5);
            let text = format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1\"/>\n"
            );
            Some((depth(centre), text))
        }
        Form::Mass(at) => {
            let [x, y] = sheet.pixel(at);
            let (fill, edge) = (shade(paint, 0.15), shade(paint, -0.35));
            let text = format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"7.5\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1\"/>\n"
            );
            Some((depth(at), text))
        }
        _ => None,
    }
}

/// The direction out of a face; none if it has no area.
fn face_normal(corners: &[Vector3<f64>]) -> Option<Vector3<f64>> {
    let first = corners.first()?;
    let fan = corners[1..].windows(2).map(|pair| (pair[0] - first).cross(&(pair[1] - first)));
    fan.sum::<Vector3<f64>>().try_normalize(0.0)
}

/// Paths, springs, joints and names, on top of all.
fn symbols(out: &mut String, sheet: &Sheet, parts: &[Part]) {
    for part in parts {
        match &part.form {
            Form::Path(way) => {
                let _ = writeln!(
                    out,
                    "<path d=\"{}\" fill=\"none\" stroke=\"#c0392b\" stroke-width=\"1.3\" stroke-dasharray=\"5 3\"/>",
                    sheet.path(way)
                );
            }
            Form::Spring([a, b]) => marks::spring(out, sheet.pixel(a), sheet.pixel(b)),
            Form::Damper([a, b]) => marks::damper(out, sheet.pixel(a), sheet.pixel(b)),
            Form::Rod([a, b]) => marks::rod(out, sheet.pixel(a), sheet.pixel(b)),
            Form::Mark { at, mark, .. } => {
                let radius = match mark {
                    Mark::Gear(radius) | Mark::Ring(radius) => radius * sheet.scale,
                    _ => 0.0,
                };
                marks::mark(out, *mark, sheet.pixel(at), radius);
            }
            _ => {}
        }
    }
    let joints = || {
        parts.iter().filter_map(|part| match &part.form {
            Form::Joint { at, symbol, grounded, .. } => Some((sheet.pixel(at), *symbol, *grounded)),
            _ => None,
        })
    };
    for (at, symbol, grounded) in joints() {
        if grounded && symbol != Symbol::Wheel {
            marks::ground(out, at);
        }
    }
    joints().for_each(|(at, symbol, _)| marks::joint(out, symbol, at));
    names(out, sheet, parts);
}

fn names(out: &mut String, sheet: &Sheet, parts: &[Part]) {
    let names: Vec<_> = parts
        .iter()
        .filter_map(|part| match &part.form {
            Form::Name(at, name) => Some((sheet.pixel(at), name.replace('_', " "))),
            _ => None,
        })
        .collect();
    if names.len() > MOST_NAMES {
        return;
    }
    for ([x, y], name) in apart(&names, [WIDTH, sheet.height]).into_iter().zip(&names) {
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"#22272b\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
            escaped(&name.1)
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(parts: &[Part]) -> String {
        let title = "<test>";
        svg(&Picture { parts, title, ..Picture::default() })
    }

    #[test]
    fn everything_is_drawn_within_the_sheet() {
        let part = |form: Form| Part { body: 1, form };
        let parts = [
            part(Form::Bar([Vector3::zeros(), Vector3::new(3.0, 4.0, 0.0)])),
            part(Form::Ball { centre: Vector3::x(), radius: 0.5 }),
            part(Form::Name(Vector3::x(), "a & b".into())),
        ];
        let text = picture(&parts);
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        assert!(text.contains("&lt;test&gt;") && text.contains("a &amp; b"));
        let number = |name: &str| {
            let at = text.find(name).unwrap() + name.len();
            text[at..].split('"').next().unwrap().parse::<f64>().unwrap()
        };
        assert!(
            (0.0..WIDTH).contains(&number("cx=\"")) && (0.0..HEIGHT).contains(&number("cy=\""))
        );
    }

    #[test]
    fn faces_that_turn_their_back_are_left_out() {
        let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y()];
        let back: Vec<_> = corners.iter().rev().copied().collect();
        let face = |corners| Part { body: 1, form: Form::Face { corners, sharp: true } };
        assert_eq!(picture(&[face(corners)]).matches("<path").count(), 1);
        assert_eq!(picture(&[face(back)]).matches("<path").count(), 0);
    }
}
