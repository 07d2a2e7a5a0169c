//! The elementary operations and their numerical meaning.
//!
//! Conditions are numbers too: 1 is true, 0 is false, NaN is undefined.

/// A function of one operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum Unary {
    Negate,
    Not,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Log,
    Log10,
    Sqrt,
    Cbrt,
    Abs,
    Sign,
    Floor,
    Ceil,
    Heaviside,
}

/// A function of two operands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Atan2,
    Hypot,
    Minimum,
    Maximum,
    Modulo,
    Less,
    LessOrEqual,
    Equal,
    And,
    Or,
}

pub(crate) enum Parity {
    Even,
    Odd,
    None,
}

impl Unary {
    pub(crate) fn name(self) -> &'static str {
        use Unary::*;
        match self {
            Negate => "-",
            Not => "not",
            Sin => "sin",
            Cos => "cos",
            Tan => "tan",
            Asin => "asin",
            Acos => "acos",
            Atan => "atan",
            Sinh => "sinh",
            Cosh => "cosh",
            Tanh => "tanh",
            Asinh => "asinh",
            Acosh => "acosh",
            Atanh => "atanh",
            Exp => "exp",
            Log => "log",
            Log10 => "log10",
            Sqrt => "sqrt",
            Cbrt => "cbrt",
            Abs => "abs",
            Sign => "sign",
            Floor => "floor",
            Ceil => "ceil",
            Heaviside => "heaviside",
        }
    }

    pub(crate) fn parity(self) -> Parity {
        use Unary::*;
        match self {
            Cos | Cosh | Abs => Parity::Even,
            Sin | Tan | Asin | Atan | Sinh | Tanh | Asinh | Atanh | Cbrt | Sign => Parity::Odd,
            _ => Parity::None,
        }
    }

    #[inline]
    pub(crate) fn apply(self, x: f64) -> f64 {
        use Unary::*;
        match self {
            Negate => -x,
            Not => 1.0 - x,
            Sin => x.sin(),
            Cos => x.cos(),
            Tan => x.tan(),
            Asin => x.asin(),
            Acos => x.acos(),
            Atan => x.atan(),
            Sinh => x.sinh(),
            Cosh => x.cosh(),
            Tanh => x.tanh(),
            Asinh => x.asinh(),
            Acosh => x.acosh(),
            Atanh => x.atanh(),
            Exp => x.exp(),
            Log => x.ln(),
            Log10 => x.log10(),
            Sqrt => x.sqrt(),
            Cbrt => x.cbrt(),
            Abs => x.abs(),
            // zero and NaN stand for themselves
            Sign if x > 0.0 => 1.0,
            Sign if x < 0.0 => -1.0,
            Sign => x,
            Floor => x.floor(),
            Ceil => x.ceil(),
            Heaviside => truth(x >= 0.0, x < 0.0),
        }
    }
}

impl Binary {
    pub(crate) fn name(self) -> &'static str {
        use Binary::*;
        match self {
            Add => " + ",
            Subtract => " - ",
            Multiply => "*",
            Divide => "/",
            Power => "^",
            Atan2 => "atan2",
            Hypot => "hypot",
            Minimum => "min",
            Maximum => "max",
            Modulo => "mod",
            Less => " < ",
            LessOrEqual => " <= ",
            Equal => " == ",
            And => " and ",
            Or => " or ",
        }
    }

    pub(crate) fn commutes(self) -> bool {
        use Binary::*;
        matches!(self, Add | Multiply | Hypot | Minimum | Maximum | Equal | And | Or)
    }

    #[inline]
    pub(crate) fn apply(self, a: f64, b: f64) -> f64 {
        use Binary::*;
        match self {
            Add => a + b,
            Subtract => a - b,
            Multiply => a * b,
            Divide => a / b,
            Power => a.powf(b),
            Atan2 => a.atan2(b),
            Hypot => hypot(a, b),
            Minimum => minimum(a, b),
            Maximum => maximum(a, b),
            Modulo => modulo(a, b),
            Less => truth(a < b, a >= b),
            LessOrEqual => truth(a <= b, a > b),
            Equal => truth(a == b, a != b && !(a.is_nan() || b.is_nan())),
            // false decides `and`, true decides `or`, whatever the other side is
            And if a == 0.0 || b == 0.0 => 0.0,
            And => a * b,
            Or if a == 1.0 || b == 1.0 => 1.0,
            Or => a + b,
        }
    }
}

/// The value of `condition` where `holds` and `fails` exclude each other and neither means undefined.
#[inline]
fn truth(holds: bool, fails: bool) -> f64 {
    if holds {
        1.0
    } else if fails {
        0.0
    } else {
        f64::NAN
    }
}

/// `condition ? a : b`, undefined if the condition is.
#[inline]
pub(crate) fn select(condition: f64, a: f64, b: f64) -> f64 {
    if condition == 0.0 {
        b
    } else if condition == 1.0 {
        a
    } else {
        f64::NAN
    }
}

#[inline]
pub(crate) fn minimum(a: f64, b: f64) -> f64 {
    if a < b || a.is_nan() { a } else { b }
}

#[inline]
pub(crate) fn maximum(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// The library function returns infinity for an infinite and an undefined operand; here undefined wins.
fn hypot(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.hypot(b) }
}

/// x − y·floor(x/y), with the sign of y.
fn modulo(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest != 0.0 && (rest < 0.0) != (y < 0.0) { rest + y } else { rest }
}

/// A constant exponent that is cheaper by multiplication: ±(`whole` + ½ if `half`).
#[derive(Copy, Clone, Debug)]
pub(crate) struct FixedExponent {
    pub whole: u32,
    pub half: bool,
    pub reciprocal: bool,
}

impl FixedExponent {
    /// Whole exponents up to 32 and half-whole ones up to 8.5, of either sign.
    pub(crate) fn of(exponent: f64) -> Option<Self> {
        let size = exponent.abs();
        let whole = size.floor();
        let half = size - whole == 0.5;
        let cheap = (size == whole && (1.0..=32.0).contains(&size)) || (half && size < 9.0);
        cheap.then_some(Self { whole: whole as u32, half, reciprocal: exponent < 0.0 })
    }

    pub(crate) fn apply(self, x: f64) -> f64 {
        let power = match (self.whole, self.half) {
            (0, _) => x.sqrt(),
            (n, false) => whole_power(x, n),
            (n, true) => whole_power(x, n) * x.sqrt(),
        };
        if self.reciprocal { 1.0 / power } else { power }
    }
}

/// x to the power n ≥ 1 by repeated squaring.
fn whole_power(x: f64, n: u32) -> f64 {
    if n <= 1 {
        return x;
    }
    let root = whole_power(x, n / 2);
    let square = root * root;
    if n % 2 == 1 { square * x } else { square }
}
