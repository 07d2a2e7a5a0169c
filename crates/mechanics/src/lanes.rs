//! Numbers four at a time: formulas written once serve one number or a vector register of them.

use crate::small_angle;
use nalgebra::SimdRealField;
use simba::simd::WideF64x4;

/// Numbers that move through one vector register.
pub(crate) const LANES: usize = 4;
pub(crate) type Lanes = WideF64x4;

/// One number, or [`Lanes`].
pub(crate) trait Number: SimdRealField<Element = f64> + Copy {
    /// `self · factor + sum`, in one instruction where that is quick.
    fn times_plus(self, factor: Self, sum: Self) -> Self;

    /// Sine and cosine of angles that are mostly small.
    fn sin_cos_if_small(self) -> (Self, Self);

    /// The angle without whole turns, between −π and π.
    fn without_turns(self) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        self * factor + sum
    }

    #[inline(always)]
    fn sin_cos_if_small(self) -> (Self, Self) {
        small_angle::sin_cos(self)
    }

    #[inline(always)]
    fn without_turns(self) -> Self {
        small_angle::without_turns(self)
    }
}

impl Number for Lanes {
    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        WideF64x4(self.0.mul_add(factor.0, sum.0))
    }

    #[inline(always)]
    fn sin_cos_if_small(self) -> (Self, Self) {
        if small_angle::all_small(self) {
            let (sine, versed) = small_angle::sincs(self);
            let one = Lanes::from([1.0; LANES]);
            return (self * sine, (-self * self).times_plus(versed, one));
        }
        small_angle::sines_cosines(self)
    }

    #[inline(always)]
    fn without_turns(self) -> Self {
        // nearly always there are none
        if small_angle::within(self, std::f64::consts::PI) {
            return self;
        }
        each(|l| small_angle::without_turns(lane(self, l)))
    }
}

/// Lanes from what each holds.
#[inline(always)]
pub(crate) fn each(value: impl Fn(usize) -> f64) -> Lanes {
    // written out: calls of an iterator over four are not always made inline
    Lanes::from([value(0), value(1), value(2), value(3)])
}

/// The first, second and third of the numbers that begin at each of four places. They are read one by one: a whole register
/// of numbers that were written a moment ago has to wait until they have left the processor.
#[inline(always)]
pub(crate) fn triples(values: &[f64], places: [usize; LANES]) -> [Lanes; 3] {
    let three = |l: usize| -> &[f64; 3] {
        values[places[l]..].first_chunk().expect("three numbers at each place")
    };
    let (a, b, c, d) = (three(0), three(1), three(2), three(3));
    let row = |k: usize| Lanes::from([a[k], b[k], c[k], d[k]]);
    [row(0), row(1), row(2)]
}

/// What one lane holds.
#[inline(always)]
pub(crate) fn lane(lanes: Lanes, l: usize) -> f64 {
    lanes.0.as_array()[l]
}

/// Rows become columns.
#[inline(always)]
pub(crate) fn transposed([a, b, c, d]: [Lanes; LANES]) -> [Lanes; LANES] {
    let [a, b, c, d] = wide::f64x4::transpose([a.0, b.0, c.0, d.0]);
    [WideF64x4(a), WideF64x4(b), WideF64x4(c), WideF64x4(d)]
}
