//! From where a mechanism is seen.

use nalgebra::Vector3;

/// A direction of sight, without perspective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// To the right in the picture.
    pub right: Vector3<f64>,
    /// Upwards in the picture.
    pub up: Vector3<f64>,
    /// Towards the eye.
    pub eye: Vector3<f64>,
}

/// A mechanism thinner than this part of its width is drawn in its plane.
const FLAT: f64 = 0.12;

impl View {
    /// Along an axis of the world, with another one upwards; the third points to the right if that is
    /// possible without a mirror.
    pub fn along(normal: usize, up: usize) -> View {
        let (up, normal) = (axis(up), axis(normal));
        let right = up.cross(&normal);
        let sign = right.sum();
        View { right: right * sign, up, eye: normal * sign }
    }

    /// From the side and from above.
    pub fn oblique(up: usize) -> View {
        // so that the first of the level axes points to the right
        let (height, across, towards) = match up {
            0 => (axis(0), axis(1), -axis(2)),
            1 => (axis(1), axis(0), axis(2)),
            _ => (axis(2), axis(0), -axis(1)),
        };
        let (azimuth, elevation) = (35f64.to_radians(), 22f64.to_radians());
        let level = across * azimuth.sin() + towards * azimuth.cos();
        let eye = level * elevation.cos() + height * elevation.sin();
        let right = height.cross(&eye).normalize();
        View { right, up: eye.cross(&right), eye }
    }

    /// The view that shows most: the plane of a flat mechanism, else one from the side and from above.
    pub fn best(points: &[Vector3<f64>], gravity: &Vector3<f64>) -> View {
        let extent: Vec<f64> = (0..3).map(|k| extent(points, k)).collect();
        let thin = (0..3).min_by(|a, b| extent[*a].total_cmp(&extent[*b])).unwrap_or(2);
        let weight = (0..3).max_by(|a, b| gravity[*a].abs().total_cmp(&gravity[*b].abs()));
        let height = weight.filter(|k| gravity[*k] != 0.0);
        let widest = extent.iter().copied().fold(0.0, f64::max);
        if extent[thin] > FLAT * widest {
            return View::oblique(height.unwrap_or(2));
        }
        let plane = if thin == 2 { 1 } else { 2 };
        View::along(thin, height.filter(|k| *k != thin).unwrap_or(plane))
    }

    /// Right, upwards and towards the eye.
    pub fn see(&self, point: &Vector3<f64>) -> [f64; 3] {
        [self.right.dot(point), self.up.dot(point), self.eye.dot(point)]
    }

    /// The same with gravity downwards, if it pulls upwards here.
    pub fn upright(self, gravity: &Vector3<f64>) -> View {
        match self.up.dot(gravity) > 1e-9 * gravity.norm() {
            true => View { right: -self.right, up: -self.up, eye: self.eye },
            false => self,
        }
    }
}

fn axis(k: usize) -> Vector3<f64> {
    let mut axis = Vector3::zeros();
    axis[k % 3] = 1.0;
    axis
}

fn extent(points: &[Vector3<f64>], k: usize) -> f64 {
    let most = points.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
    let least = points.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
    if points.is_empty() { 0.0 } else { most - least }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_right_handed() {
        let views = [View::along(2, 1), View::along(1, 2), View::along(0, 2), View::oblique(1)];
        for view in views {
            let wrong = view.right.cross(&view.up) - view.eye;
            assert!(wrong.norm() < 1e-12 && (view.up.norm() - 1.0).abs() < 1e-12, "{view:?}");
        }
        assert!(View::oblique(2).right.x > 0.8 && View::oblique(1).right.x > 0.8);
        assert_eq!(View::along(1, 2).right, Vector3::x());
        assert_eq!(View::along(2, 1).right, Vector3::x());
    }

    #[test]
    fn flat_mechanisms_are_seen_from_the_front() {
        let points = [Vector3::zeros(), Vector3::new(1.0, 0.0, 2.0)];
        let view = View::best(&points, &Vector3::new(0.0, 0.0, -9.81));
        assert_eq!((view.right, view.up), (Vector3::x(), Vector3::z()));
        let deep = [points[0], points[1], Vector3::y()];
        let view = View::best(&deep, &Vector3::new(0.0, 0.0, -9.81));
        assert!(view.up.z > 0.9 && view.eye.z > 0.3);
    }

    #[test]
    fn weight_points_downwards() {
        let down = Vector3::new(0.0, 0.0, 9.81);
        assert_eq!(View::along(1, 2).upright(&down).up, -Vector3::z());
    }
}
