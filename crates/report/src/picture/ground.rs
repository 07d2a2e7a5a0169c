//! Endless planes, of which a piece is shown.

use super::view::View;
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::picture::{Form, Part};

/// Pieces of endless planes below the mechanism: a line if seen from the side, else a rectangle.
pub(crate) fn planes(
    parts: &[Part],
    points: &[Vector3<f64>],
    view: &View,
) -> Vec<Vec<Vector3<f64>>> {
    let mut frames: Vec<Frame> = Vec::new();
    for part in parts {
        if let Form::Plane(frame) = &part.form
            && !frames.iter().any(|old| same_plane(old, frame))
        {
            frames.push(*frame);
        }
    }
    let piece = |frame: &Frame| {
        let normal = frame.orientation.rotate(&Vector3::z());
        let on_plane = |p: &Vector3<f64>| p - normal * normal.dot(&(p - frame.position));
        let feet: Vec<Vector3<f64>> = points.iter().map(on_plane).collect();
        let edge_on = normal.dot(&view.eye).abs() < 0.05;
        // along the plane: to the right as far as possible, of a wall upwards, and across that
        let along = |axis: &Vector3<f64>| axis - normal * normal.dot(axis);
        let [right, up] = [along(&view.right), along(&view.up)];
        let right = if right.norm() > 0.1 { right } else { up }.normalize();
        let across = normal.cross(&right);
        let range = |axis: &Vector3<f64>| {
            let values = || feet.iter().map(|foot| axis.dot(&(foot - frame.position)));
            let least = values().fold(f64::INFINITY, f64::min);
            let most = values().fold(f64::NEG_INFINITY, f64::max);
            if least <= most { (least, most) } else { (-0.5, 0.5) }
        };
        let ((x0, x1), (y0, y1)) = (range(&right), range(&across));
        let away =
            points.iter().map(|p| normal.dot(&(p - frame.position)).abs()).fold(0.0, f64::max);
        let over = 0.08 * (x1 - x0).max(y1 - y0).max(away);
        let at = |x: f64, y: f64| frame.position + right * x + across * y;
        match edge_on {
            true => vec![at(x0 - over, 0.5 * (y0 + y1)), at(x1 + over, 0.5 * (y0 + y1))],
            false => vec![
                at(x0 - over, y0 - over),
                at(x1 + over, y0 - over),
                at(x1 + over, y1 + over),
                at(x0 - over, y1 + over),
            ],
        }
    };
    frames.iter().map(piece).collect()
}

fn same_plane(a: &Frame, b: &Frame) -> bool {
    let [n, m] = [a, b].map(|frame| frame.orientation.rotate(&Vector3::z()));
    (n - m).norm() < 1e-9 && n.dot(&(a.position - b.position)).abs() < 1e-9
}

#[cfg(test)]
mod tests {
    use super::super::view::View;
    use super::planes;
    use nalgebra::Vector3;
    use rotula_lie::{Frame, Quaternion};
    use rotula_mechanics::picture::{Form, Part};
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn a_wall_seen_from_its_side_is_a_line_upwards() {
        let normal = Quaternion::exp(&(Vector3::y() * FRAC_PI_2));
        let wall = Frame::new(Vector3::zeros(), normal);
        let parts = [Part { body: 0, form: Form::Plane(wall) }];
        let points = [Vector3::x(), Vector3::x() * 2.0];
        let view = View { right: Vector3::x(), up: Vector3::y(), eye: Vector3::z() };
        let pieces = planes(&parts, &points, &view);
        let [from, to] = pieces[0][..] else { panic!("not a line: {pieces:?}") };
        let way = to - from;
        assert!(way.y.abs() > 0.1 && way.x.abs() < 1e-12 && way.z.abs() < 1e-12, "{way:?}");
    }
}
