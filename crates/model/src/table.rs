//! Tables of a model file as types: name, meaning, unit, default and kind of every key in one place.
//!
//! ```ignore
//! table! {
//!     /// A stop of a joint.
//!     Stop {
//!         /// Which coordinate of the joint, if it has several.
//!         optional coordinate: Text;
//!         /// Exponent n.
//!         usual exponent: Number = 1.5;
//!         /// Normal force between the surfaces.
//!         needed normal: NotNegative, "N";
//!     }
//! }
//! ```
//!
//! makes the keys `Stop::KEYS`, from which checker, schema and reference follow, and the struct `Stop` that
//! `Stop::read` fills.

use crate::fault::fault_at;
use crate::fields::{Fields, numbers, signal_text};
use crate::reading::keys::{Key, Kind};
use crate::reading::{Entry, Item, Kinds, ModelError, Scope};
use nalgebra::{Matrix6, Vector3};
use rotula_mechanics::TimeFunction;

/// What the value of a key is, and how it is read.
pub(crate) trait Value<'a> {
    /// What a file must have there.
    const KIND: Kind;
    /// What it becomes.
    type Read;
    /// Reads it; none if it is not there.
    fn read(
        fields: &Fields<'a>,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<Self::Read>, ModelError>;
}

macro_rules! values {
    ($($(#[$about:meta])* $name:ident: $kind:expr => $read:ty, $how:expr;)*) => {$(
        $(#[$about])*
        pub(crate) enum $name {}

        impl<'a> Value<'a> for $name {
            const KIND: Kind = $kind;
            type Read = $read;

            fn read(
                fields: &Fields<'a>,
                key: &str,
                scope: &mut Scope,
            ) -> Result<Option<$read>, ModelError> {
                let how: fn(&Fields<'a>, &str, &mut Scope) -> Result<Option<$read>, ModelError> = $how;
                how(fields, key, scope)
            }
        }
    )*};
}

values! {
    /// A number.
    Number: Kind::Number => f64, |fields, key, scope| fields.number(key, scope);
    /// A number that is not negative.
    NotNegative: Kind::Number => f64, |fields, key, scope| fields.not_negative(key, scope);
    /// A number above zero.
    Positive: Kind::Number => f64, |fields, key, scope| fields.positive(key, scope);
    /// How many of something there are.
    Count: Kind::Number => usize, |fields, key, scope| fields.count(key, scope);
    /// Three numbers.
    Vector: Kind::Numbers(3) => Vector3<f64>, |fields, key, scope| fields.vector(key, scope);
    /// A unit vector.
    Direction: Kind::Direction => Vector3<f64>, |fields, key, scope| fields.direction(key, scope);
    /// A text.
    Text: Kind::Text => &'a str, |fields, key, _| Ok(fields.text(key));
    /// Moments of inertia, whose use decides how they are read.
    Inertia: Kind::Inertia => &'a Item, |fields, key, _| Ok(fields.get(key));
    /// True or false.
    Boolean: Kind::Boolean => bool, |fields, key, _| Ok(fields.boolean(key));
    /// The name of a file.
    File: Kind::Text => &'a Item, |fields, key, _| Ok(fields.get(key));
    /// A number for each of some names.
    Named: Kind::Named => &'a [Entry], |fields, key, _| Ok(fields.members(key));
    /// The name of something.
    Name: Kind::Name => &'a Item, |fields, key, _| Ok(fields.get(key));
    /// Two names.
    Pair: Kind::Pair => [&'a Item; 2], |fields, key, _| Ok(fields.pair(key));
    /// Any number of numbers.
    List: Kind::List => Vec<f64>, |fields, key, scope| fields.numbers(key, scope);
    /// A formula of parameters, time and signals, with the parameters replaced by their values.
    Signal: Kind::Formula => String, |fields, key, scope| {
        fields.get(key).map(|item| signal_text(item, &fields.at(key), scope)).transpose()
    };
    /// Such a formula that may use rates of states as well.
    Rate: Kind::Formula => String, |fields, key, scope| {
        let allowed = Kinds::TIME | Kinds::STATE | Kinds::VARIABLE | Kinds::RATE;
        let Some(item) = fields.get(key) else { return Ok(None) };
        let (expression, _) = scope.parse(item, &fields.at(key), allowed)?;
        Ok(Some(scope.graph.display(expression)))
    };
    /// A formula whose use decides how it is read.
    Formula: Kind::Formula => &'a Item, |fields, key, _| Ok(fields.get(key));
    /// Three formulas.
    Formulas: Kind::Formulas => &'a [Item], |fields, key, _| Ok(fields.items(key));
    /// Six rows of six numbers.
    Square: Kind::Points(6) => Matrix6<f64>, |fields, key, scope| {
        let Some(rows) = fields.points::<6>(key, scope)? else { return Ok(None) };
        if rows.len() != 6 {
            let error = fault_at(fields, key, format!("{} has {} rows", fields.at(key), rows.len()));
            return Err(error.with_help("give six rows of six"));
        }
        Ok(Some(Matrix6::from_fn(|i, j| rows[i][j])))
    };
    /// A function of time.
    Function: Kind::Formula => TimeFunction, |fields, key, scope| fields.function(key, scope);
    /// At least two lists of three numbers.
    Points: Kind::Points(3) => Vec<[f64; 3]>, |fields, key, scope| fields.points(key, scope);
}

/// A list of keys that is put together from several.
pub(crate) trait Keys {
    /// All of them.
    const KEYS: &'static [Key];
}

/// A table with such keys, read by who knows what they are.
pub(crate) struct Inner<K>(std::marker::PhantomData<K>);

impl<'a, K: Keys> Value<'a> for Inner<K> {
    const KIND: Kind = Kind::Table(K::KEYS);
    type Read = Fields<'a>;

    fn read(
        fields: &Fields<'a>,
        key: &str,
        _: &mut Scope,
    ) -> Result<Option<Fields<'a>>, ModelError> {
        Ok(fields.inner(key))
    }
}

/// So many numbers.
pub(crate) enum Numbers<const N: usize> {}

impl<'a, const N: usize> Value<'a> for Numbers<N> {
    const KIND: Kind = Kind::Numbers(N);
    type Read = [f64; N];

    fn read(
        fields: &Fields<'a>,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<[f64; N]>, ModelError> {
        let Some(item) = fields.get(key) else { return Ok(None) };
        Ok(numbers(item, &fields.at(key), scope)?.try_into().ok())
    }
}

macro_rules! table {
    (
        $(#[doc = $title:literal])+
        $name:ident {
            $($(#[doc = $about:literal])+ $how:ident $field:ident: $kind:ty $(= $default:expr)? $(, $unit:literal)?;)*
        }
        $(besides { $($(#[doc = $other:literal])+ $given:ident $word:ident: $what:ty;)* })?
    ) => {
        $(#[doc = $title])+
        pub(crate) struct $name<'a> {
            /// The table as it stands in the file.
            #[allow(dead_code)]
            pub fields: crate::fields::Fields<'a>,
            $($(#[doc = $about])+ pub $field: table!(@type $how $kind),)*
        }

        impl<'a> $name<'a> {
            /// Its keys; those `besides` are read by others.
            pub(crate) const KEYS: &'static [crate::reading::keys::Key] = &[
                $(crate::reading::keys::Key {
                    name: stringify!($field),
                    kind: <$kind as crate::table::Value<'static>>::KIND,
                    needed: table!(@needed $how),
                    about: concat!($($about),+).trim_ascii_start(),
                    unit: concat!($($unit)?),
                    default: concat!($(stringify!($default))?),
                },)*
                $($(crate::reading::keys::Key {
                    needed: table!(@needed $given),
                    ..crate::reading::keys::key(
                        stringify!($word),
                        <$what as crate::table::Value<'static>>::KIND,
                        concat!($($other),+).trim_ascii_start(),
                    )
                },)*)?
            ];

            /// Reads a table that the checker has seen.
            pub(crate) fn read(
                fields: crate::fields::Fields<'a>,
                scope: &mut crate::reading::Scope,
            ) -> Result<Self, crate::reading::ModelError> {
                $(let $field = <$kind as crate::table::Value<'a>>::read(&fields, stringify!($field), scope)?;)*
                Ok($name { $($field: table!(@take $how $field fields $(, $default)?),)* fields })
            }
        }

        impl<'a> crate::table::Value<'a> for $name<'static> {
            const KIND: crate::reading::keys::Kind = crate::reading::keys::Kind::Table($name::KEYS);
            type Read = $name<'a>;

            fn read(
                fields: &crate::fields::Fields<'a>,
                key: &str,
                scope: &mut crate::reading::Scope,
            ) -> Result<Option<$name<'a>>, crate::reading::ModelError> {
                fields.inner(key).map(|inner| $name::read(inner, scope)).transpose()
            }
        }
    };
    (@type optional $kind:ty) => { Option<<$kind as crate::table::Value<'a>>::Read> };
    (@type $how:ident $kind:ty) => { <$kind as crate::table::Value<'a>>::Read };
    (@needed needed) => { true };
    (@needed usual) => { false };
    (@needed optional) => { false };
    (@take needed $field:ident $fields:ident) => {
        $field.ok_or_else(|| $fields.misses(stringify!($field)))?
    };
    (@take usual $field:ident $fields:ident, $default:expr) => { $field.unwrap_or($default) };
    (@take optional $field:ident $fields:ident) => { $field };
}

/// A value that is one of some words.
macro_rules! words {
    ($(#[doc = $title:literal])+ $name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[doc = $title])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name {
            $($variant,)+
        }

        impl<'a> crate::table::Value<'a> for $name {
            const KIND: crate::reading::keys::Kind = crate::reading::keys::Kind::Word(&[$($word),+]);
            type Read = $name;

            fn read(
                fields: &crate::fields::Fields<'a>,
                key: &str,
                _: &mut crate::reading::Scope,
            ) -> Result<Option<$name>, crate::reading::ModelError> {
                let word = fields.text(key);
                Ok([$(($word, $name::$variant)),+].into_iter().find(|(own, _)| Some(*own) == word).map(|(_, own)| own))
            }
        }
    };
}

pub(crate) use {table, words};
