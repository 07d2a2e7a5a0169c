//! Rolling: a disc or wheel on a plane, without slip.

use super::{Given, Joint, Kind, Look, Need, Pair, Place, Symbol, Way};
use crate::constraint::{
    Constraint, Equations, RateRow, RateRows, RateTerm, Relative, RelativeMotion, Row, Target,
    cross,
};
use crate::error::{ModelError, refusal};
use crate::measure::{Coordinate, Dot, Measure, Sum};
use nalgebra::Vector3;
use rotula_dae::automatic::Scalar;

/// A thin disc around the z axis of `b` touches the x-y plane of `a`, on the side of its z axis, and
/// rolls on it.
///
/// Held are the height of the lowest point (a holonomic equation) and the velocity of the disc's
/// material in the point of contact (two nonholonomic ones). Free are the roll, the turn about the
/// vertical and the lean of the disc; `x` and `y` say where its centre is. A disc that lies flat has
/// no lowest point and is singular. Between planar bodies z of `a` lies in their plane and z of `b` is
/// normal to it: a wheel on a line, with its `displacement`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rolling {
    /// The radius of the disc.
    pub radius: f64,
}

pub(super) const KIND: Kind = Kind {
    word: "rolling",
    about: "A disc about z of the second frame rolls on the x-y plane of the first.",
    place: Place::Frames,
    look: Look::still(Symbol::Wheel),
    needs: &[Need::Number { name: "radius", unit: "m", about: "Radius of the wheel." }],
    make: |given| match <[Given; 1]>::try_from(given) {
        Ok([Given::Number(radius)]) => Some(Box::new(Rolling { radius })),
        _ => None,
    },
};

impl Joint for Rolling {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn flies(&self, _pair: &Pair) -> bool {
        true
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        let radius = self.radius;
        if !(radius.is_finite() && radius > 0.0) {
            return Err(ModelError::invalid(
                "rolling joint",
                refusal!("its radius is {radius}"; "give a finite radius greater than zero"),
            ));
        }
        if let Some(normal) = pair.axis_in_plane(self.word())? {
            let remedy = "the z axis of the wheel must be normal to their plane";
            pair.refuse_in_plane_of_b(self.word(), Vector3::z(), remedy)?;
            return Ok(on_a_line(pair, &normal, radius));
        }
        Ok(vec![
            Box::new(Relative::new(pair.a, pair.b, Touching { radius })),
            Box::new(Relative::new(pair.a, pair.b, NoSlip { radius })),
        ])
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        match pair.plane {
            Some(normal) => {
                let along = normal.cross(&Vector3::z());
                vec![("displacement", pair.coordinate(pair.along(along)))]
            }
            None => vec![
                ("x", pair.coordinate(pair.along(Vector3::x()))),
                ("y", pair.coordinate(pair.along(Vector3::y()))),
            ],
        }
    }

    fn way(&self, pair: &Pair, coordinate: &str) -> Way {
        match pair.plane {
            Some(normal) => Way::along(pair, normal.cross(&Vector3::z())),
            None => Way::named(pair, coordinate),
        }
    }
}

/// In the plane: the centre keeps its height `r`, and `v·t = r ω` with `t = n × z`.
fn on_a_line(pair: &Pair, normal: &Vector3<f64>, radius: f64) -> Vec<Box<dyn Constraint>> {
    let along = normal.cross(&Vector3::z());
    let turning = pair.axis_b(Vector3::x());
    let angle = Measure::Angle {
        cosine: Dot(pair.axis_a(along), turning),
        sine: Dot(pair.axis_a(normal.cross(&along)), turning),
        turns: None,
    };
    let height = Row {
        name: "height of the centre".into(),
        sum: Sum(vec![(1.0, pair.along(Vector3::z()))]),
        target: Target::Constant(radius),
    };
    let term = |weight, along| RateTerm { weight, factor: None, along };
    let slip = RateRow::zero(
        "slip of the contact point",
        vec![term(1.0, pair.along(along)), term(-radius, angle)],
    );
    let mut constraints = pair.rows(vec![height]);
    constraints.push(Box::new(RateRows::new(pair.nodes(), vec![slip])));
    constraints
}

/// `z = r √(1 − c²)`, with `c` the cosine between the axis of the disc and the normal of the plane.
#[derive(Clone, Copy, Debug)]
struct Touching {
    radius: f64,
}

impl Equations for Touching {
    fn rows(&self) -> usize {
        1
    }

    fn holonomic(&self) -> bool {
        true
    }

    fn describe(&self, _: usize) -> String {
        "height of the contact point".into()
    }

    fn evaluate<T: Scalar>(&self, motion: &RelativeMotion<T>, out: &mut [T]) {
        let [x, y, _] = motion.rotation.map(|row| row[2]);
        out[0] = motion.position[2] - x.hypot(y) * self.radius;
    }
}

/// The velocity of the material in the point of contact, along x and y of the plane.
#[derive(Clone, Copy, Debug)]
struct NoSlip {
    radius: f64,
}

impl Equations for NoSlip {
    fn rows(&self) -> usize {
        2
    }

    fn holonomic(&self) -> bool {
        false
    }

    fn describe(&self, row: usize) -> String {
        format!("slip of the contact point along {}", ["x", "y"][row])
    }

    fn evaluate<T: Scalar>(&self, motion: &RelativeMotion<T>, out: &mut [T]) {
        // from the centre to the point of contact: −r (n − c d)/√(1 − c²), d the axis of the disc
        let axis = motion.rotation.map(|row| row[2]);
        let sine = axis[0].hypot(axis[1]);
        let reach = sine.recip() * self.radius;
        let arm = [axis[0] * axis[2] * reach, axis[1] * axis[2] * reach, -(sine * sine * reach)];
        let turned = cross(&motion.angular_velocity, &arm);
        for (k, out) in out.iter_mut().enumerate() {
            *out = motion.velocity[k] + turned[k];
        }
    }
}
