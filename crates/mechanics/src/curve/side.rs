//! A direction beside a curve, from which its normals are made.

use nalgebra::Vector3;

const DEGREE: usize = 5;

/// A smooth vector along a curve that is nearly normal to it and turns as little as possible about
/// it: a uniform spline of degree five with normals of the curve as control points. It has four
/// continuous derivatives, so that equations made with it are smoother than the curve needs.
#[derive(Clone, Debug)]
pub(super) struct Side {
    first: f64,
    step: f64,
    controls: Vec<Vector3<f64>>,
    closed: bool,
}

impl Side {
    /// From points and unit tangents at uniform values of the parameter; on a closed curve the last
    /// repeats the first.
    pub(super) fn new(
        first: f64,
        step: f64,
        points: &[Vector3<f64>],
        tangents: &[Vector3<f64>],
        closed: bool,
    ) -> Self {
        let mut controls = carried(points, tangents, closed);
        if closed {
            controls.pop();
        }
        Side { first, step, controls, closed }
    }

    /// The vector and its first four derivatives.
    pub(super) fn derivatives(&self, s: f64) -> [Vector3<f64>; 5] {
        let x = (s - self.first) / self.step;
        let (cell, t) = (x.floor(), x - x.floor());
        // the six control points around the cell; beyond the ends of an open curve, the last ones
        let count = self.controls.len() as i64;
        let mut local: [Vector3<f64>; DEGREE + 1] = std::array::from_fn(|j| {
            let index = cell as i64 + j as i64 - 2;
            let index =
                if self.closed { index.rem_euclid(count) } else { index.clamp(0, count - 1) };
            self.controls[index as usize]
        });
        // derivative k is a spline of degree 5 − k whose control points are differences of order k
        std::array::from_fn(|k| {
            let basis = basis(DEGREE - k, t);
            let value = (0..=DEGREE - k).fold(Vector3::zeros(), |sum, j| sum + local[j] * basis[j]);
            for j in 0..DEGREE - k {
                local[j] = (local[j + 1] - local[j]) / self.step;
            }
            value
        })
    }
}

/// The uniform basis functions of a degree that do not vanish in a cell, at its fraction `t`.
fn basis(degree: usize, t: f64) -> [f64; DEGREE + 1] {
    let mut values = [0.0; DEGREE + 1];
    values[0] = 1.0;
    for d in 1..=degree {
        let mut carry = 0.0;
        for j in 0..d {
            // weights of the recursion of Cox and de Boor on whole numbers
            let (right, left) = ((j + 1) as f64 - t, t + (d - 1 - j) as f64);
            let share = values[j] / d as f64;
            values[j] = carry + right * share;
            carry = left * share;
        }
        values[d] = carry;
    }
    values
}

/// A normal that is carried along the curve without turning about it, by two reflections from each
/// sample to the next; on a closed curve what it is turned by in the end is spread over the way.
fn carried(points: &[Vector3<f64>], tangents: &[Vector3<f64>], closed: bool) -> Vec<Vector3<f64>> {
    let reflect = |v: &Vector3<f64>, mirror: &Vector3<f64>| {
        v - mirror * (2.0 * mirror.dot(v) / mirror.norm_squared())
    };
    let first = tangents[0];
    let mut start = Vector3::zeros();
    start[first.iamin()] = 1.0;
    let mut side = (start - first * first.dot(&start)).normalize();
    let mut sides = vec![side];
    for k in 1..points.len() {
        let chord = points[k] - points[k - 1];
        let (tangent, mirrored) = (reflect(&tangents[k - 1], &chord), reflect(&side, &chord));
        let rest = tangents[k] - tangent;
        side = if rest.norm() > 0.0 { reflect(&mirrored, &rest) } else { mirrored };
        sides.push(side);
    }
    if closed {
        let binormal = first.cross(&sides[0]);
        let turned = side.dot(&binormal).atan2(side.dot(&sides[0]));
        let last = points.len() - 1;
        for (k, side) in sides.iter_mut().enumerate() {
            let (sin, cos) = (-turned * k as f64 / last as f64).sin_cos();
            *side = *side * cos + tangents[k].cross(side) * sin;
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed curve with torsion.
    fn knotted(count: usize) -> (Side, Vec<Vector3<f64>>) {
        let step = std::f64::consts::TAU / count as f64;
        let at = |k: usize| step * k as f64;
        let points: Vec<_> = (0..=count)
            .map(|k| Vector3::new(at(k).cos(), 2.0 * at(k).sin(), (2.0 * at(k)).sin()))
            .collect();
        let tangents: Vec<_> = (0..=count)
            .map(|k| Vector3::new(-at(k).sin(), 2.0 * at(k).cos(), 2.0 * (2.0 * at(k)).cos()))
            .map(|t| t.normalize())
            .collect();
        (Side::new(0.0, step, &points, &tangents, true), tangents)
    }

    #[test]
    fn sides_stay_normal_and_close() {
        let (side, tangents) = knotted(200);
        for (k, tangent) in tangents.iter().enumerate() {
            let vector = side.derivatives(side.step * k as f64)[0];
            assert!((vector.norm() - 1.0).abs() < 0.01 && vector.dot(tangent).abs() < 0.01);
        }
        let (before, after) = (side.derivatives(-1e-9), side.derivatives(1e-9));
        (0..5).for_each(|k| assert!((before[k] - after[k]).norm() < 1e-6));
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let (side, _) = knotted(40);
        let h = 1e-4;
        for s in [0.3, 1.0, 2.5, 6.1] {
            let (up, down) = (side.derivatives(s + h), side.derivatives(s - h));
            for k in 0..4 {
                let difference = (up[k] - down[k]) / (2.0 * h);
                let exact = side.derivatives(s)[k + 1];
                assert!((difference - exact).norm() < 1e-4 * (1.0 + exact.norm()), "{k}");
            }
        }
    }
}
