//! A kind of joint as a user knows it: its word, what it means, and what it is made of.

use super::Joint;
use crate::curve::Curve;

/// The definition of a kind of joint. Model files, their checks, their schema and their reference follow from it.
#[derive(Debug)]
pub struct Kind {
    /// The word for it in model files and messages.
    pub word: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// What says where it is.
    pub place: Place,
    /// How it appears in pictures.
    pub look: Look,
    /// What must be known besides.
    pub needs: &'static [Need],
    /// Makes it of what it needs, in that order.
    pub make: fn(Vec<Given>) -> Option<Box<dyn Joint>>,
}

/// What says where a joint is, unless two frames do: points and directions of the world at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Frames or bodies alone.
    Frames,
    /// A point.
    Point,
    /// A point, and an axis `about` which it turns.
    Axis,
    /// A point, and a direction `along` which it slides.
    Slide,
    /// A point, and the `normal` of a plane.
    Plane,
    /// A hinge on the first body, by point and axis, and a `ball` on the second.
    HingeAndBall,
    /// A pin of the first body, by point and axis, in a slot of the second `along` a direction.
    PinInSlot,
    /// A point, the axis of the first body, and that of the `second`.
    TwoAxes,
}

/// What a joint is made of.
#[derive(Clone, Copy, Debug)]
pub enum Need {
    /// A number that must be given.
    Number {
        /// Its name.
        name: &'static str,
        /// Its unit.
        unit: &'static str,
        /// What it means.
        about: &'static str,
    },
    /// A positive length, by default the distance of the two points at the start.
    Length {
        /// What it means.
        about: &'static str,
    },
    /// A curve in the axes of the first frame.
    Curve,
}

/// What was given for a [`Need`].
#[derive(Clone, Debug)]
pub enum Given {
    /// A number or a length.
    Number(f64),
    /// A curve.
    Curve(Box<Curve>),
}

/// What stands for a joint in pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// It turns about an axis.
    Pin,
    /// It slides along an axis.
    Guide,
    /// It slides on a plane.
    Plate,
    /// Nothing moves.
    Weld,
    /// A point.
    Ball,
    /// A rod between its two points.
    Rod,
    /// The wheel itself is seen.
    Wheel,
    /// It is no point: directions are held.
    Unseen,
}

/// How a joint appears in pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// What stands for it.
    pub symbol: Symbol,
    /// Whether the second body slides along its axis or plane, so that it has no fixed place on the first.
    pub slides: bool,
}

impl Look {
    /// A symbol at a place that is fixed on both bodies.
    pub const fn still(symbol: Symbol) -> Self {
        Look { symbol, slides: false }
    }

    /// A symbol that goes along with the second body.
    pub const fn sliding(symbol: Symbol) -> Self {
        Look { symbol, slides: true }
    }
}
