//! A system that a run owns or borrows.

use super::System;
use std::ops::{Deref, DerefMut};

/// A system in the hands of an integrator.
pub enum Handle<'a> {
    /// Its own.
    Owned(Box<dyn System + 'a>),
    /// Somebody else's.
    Borrowed(&'a mut (dyn System + 'a)),
}

impl<'a> Deref for Handle<'a> {
    type Target = dyn System + 'a;

    fn deref(&self) -> &Self::Target {
        match self {
            Handle::Owned(system) => system.as_ref(),
            Handle::Borrowed(system) => *system,
        }
    }
}

impl DerefMut for Handle<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Handle::Owned(system) => system.as_mut(),
            Handle::Borrowed(system) => *system,
        }
    }
}

impl<'a> From<&'a mut dyn System> for Handle<'a> {
    fn from(system: &'a mut dyn System) -> Self {
        Handle::Borrowed(system)
    }
}

impl<'a, S: System> From<&'a mut S> for Handle<'a> {
    fn from(system: &'a mut S) -> Self {
        Handle::Borrowed(system)
    }
}

impl<'a> From<Box<dyn System + 'a>> for Handle<'a> {
    fn from(system: Box<dyn System + 'a>) -> Self {
        Handle::Owned(system)
    }
}
