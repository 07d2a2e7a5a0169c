//! Hard stops: bounds of a coordinate at which bodies bounce.

use crate::constraint::{Row, Rows, Target};
use crate::error::{ModelError, Refusal, refusal};
use crate::measure::Coordinate;
use crate::unilateral::{ImpactLaw, Unilateral};

/// A coordinate that stays between two bounds.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Its name.
    pub name: String,
    /// What is bounded.
    pub coordinate: Coordinate,
    /// The least value; minus infinity if there is none.
    pub lower: f64,
    /// The greatest value; infinity if there is none.
    pub upper: f64,
    /// Speed after a bounce over speed before it, between zero and one.
    pub restitution: f64,
}

/// One side of a stop: `gap = sign · coordinate − bound`, not negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// 1 at the lower bound, −1 at the upper.
    pub sign: f64,
    /// What the signed coordinate must not fall below.
    pub bound: f64,
}

impl Gap {
    /// How far the coordinate is from the stop; its rate is `sign` times that of the coordinate.
    pub fn value(&self, coordinate: f64) -> f64 {
        self.sign * coordinate - self.bound
    }
}

impl Stop {
    /// The gaps: `coordinate − lower` and `upper − coordinate`, where there are such bounds.
    pub fn gaps(&self) -> impl Iterator<Item = Gap> {
        let both = [Gap { sign: 1.0, bound: self.lower }, Gap { sign: -1.0, bound: -self.upper }];
        both.into_iter().filter(|gap| gap.bound.is_finite())
    }

    /// The contacts at the bounds, with their names.
    pub(crate) fn contacts(&self) -> Result<Vec<(String, Unilateral)>, ModelError> {
        let contact = |gap: Gap| {
            let Coordinate { nodes, sum } = self.coordinate.clone().scaled(gap.sign);
            let row = Row { name: "gap".into(), sum, target: Target::Constant(gap.bound) };
            let law = ImpactLaw::smooth(self.restitution);
            let side = if gap.sign > 0.0 { "lower" } else { "upper" };
            let contact = Unilateral::new(Box::new(Rows::new(nodes, vec![row])), None, law)?;
            Ok((format!("{} ({side})", self.name), contact))
        };
        self.gaps().map(contact).collect()
    }

    /// Says what is wrong with the numbers.
    pub(crate) fn validate(&self) -> Result<(), ModelError> {
        let invalid =
            |what: Refusal| Err(ModelError::invalid(format!("stop `{}`", self.name), what));
        let (lower, upper) = (self.lower, self.upper);
        check_bounds(lower, upper).or_else(invalid)?;
        if !(0.0..=1.0).contains(&self.restitution) {
            let e = self.restitution;
            return invalid(refusal!("its restitution is {e}"; "give a number from 0 to 1"));
        }
        Ok(())
    }
}

/// Says what is wrong with two bounds.
pub(crate) fn check_bounds(lower: f64, upper: f64) -> Result<(), Refusal> {
    if lower.is_nan() || upper.is_nan() || lower == f64::INFINITY || upper == f64::NEG_INFINITY {
        return Err(refusal!("its bounds are {lower} and {upper}"; "give numbers"));
    }
    if lower >= upper {
        return Err(format!("its lower bound {lower} is not below its upper bound {upper}").into());
    }
    if lower.is_infinite() && upper.is_infinite() {
        return Err(refusal!("it has no bound"; "give a lower or an upper one"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(lower: f64, upper: f64, restitution: f64) -> Stop {
        let coordinate = Coordinate::default();
        Stop { name: "buffer".into(), coordinate, lower, upper, restitution }
    }

    #[test]
    fn gaps_are_positive_between_the_bounds() {
        let gaps: Vec<Gap> = stop(-1.0, 2.0, 0.5).gaps().collect();
        assert_eq!(gaps.iter().map(|g| g.value(0.5)).collect::<Vec<_>>(), [1.5, 1.5]);
        assert_eq!(gaps.iter().map(|g| g.value(3.0)).collect::<Vec<_>>(), [4.0, -1.0]);
        let one: Vec<Gap> = stop(f64::NEG_INFINITY, 2.0, 0.5).gaps().collect();
        assert_eq!(one, [Gap { sign: -1.0, bound: -2.0 }]);
    }

    #[test]
    fn bad_numbers_are_named() {
        let message = |s: Stop| s.validate().unwrap_err().to_string();
        assert!(stop(0.0, 1.0, 1.0).validate().is_ok());
        assert!(message(stop(1.0, 0.0, 0.5)).contains("lower bound 1 is not below"));
        assert!(message(stop(0.0, f64::NAN, 0.5)).contains("give numbers"));
        assert!(message(stop(f64::NEG_INFINITY, f64::INFINITY, 0.5)).contains("no bound"));
        assert!(message(stop(0.0, 1.0, 1.5)).contains("restitution is 1.5"));
    }
}
