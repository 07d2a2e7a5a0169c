//! Which copy of a part something belongs to: what its names mean there, and how it is placed.

use crate::reading::source::Place;
use std::collections::HashSet;
use std::sync::Arc;

/// One copy of a part.
#[derive(Debug)]
pub struct Copied {
    /// Its name, such as `front`, `link[7]` or `car.front`.
    pub path: String,
    /// Where the file asks for it.
    pub used: Place,
    /// The copy that it is a part of itself.
    pub outer: Option<Arc<Copied>>,
    /// What the part names.
    pub own: Arc<Own>,
    /// Numbers that formulas know by a word, such as the index `i`.
    pub constants: Vec<(&'static str, f64)>,
    /// Where it is.
    pub placement: Placement,
}

/// The names that a part gives.
#[derive(Debug, Default)]
pub struct Own {
    /// Bodies, joints and other things, and copies of other parts.
    pub things: HashSet<String>,
    /// Those of them that have things of their own: copies, beams, joints and the like.
    pub homes: HashSet<String>,
    /// What formulas use without a dot.
    pub signals: HashSet<String>,
}

/// Where a copy is: a point p of the part is at A p + `origin`, and vectors in the axes of its bodies are multiplied by `flip`,
/// so that axes stay right-handed where A mirrors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The rows of A: a rotation, times a reflection in a mirrored copy.
    pub axes: [[f64; 3]; 3],
    /// Where the origin of the part is.
    pub origin: [f64; 3],
    /// Signs of the components of vectors in body axes.
    pub flip: [f64; 3],
}

impl Default for Placement {
    fn default() -> Self {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Placement { axes, origin: [0.0; 3], flip: [1.0; 3] }
    }
}

/// What a name in a formula of a copy means.
pub(crate) enum Meaning {
    Constant(f64),
    Name(String),
}

/// The part of a name before its first dot or index, and whether it is all of it.
fn head(name: &str) -> (&str, bool) {
    let end = name.find(['.', '[']).unwrap_or(name.len());
    (&name[..end], end == name.len())
}

impl Copied {
    /// The full name of a thing that the part calls `name`: its own, else one of what it is a part of, else of the model.
    pub fn thing(&self, name: &str) -> String {
        let (first, whole) = head(name);
        let own = if whole { &self.own.things } else { &self.own.homes };
        match own.contains(first) {
            true => format!("{}.{name}", self.path),
            false => self.outer.as_ref().map_or_else(|| name.to_owned(), |outer| outer.thing(name)),
        }
    }

    /// What a name in a formula means.
    pub(crate) fn meaning(&self, name: &str) -> Meaning {
        let bare = name.trim_end_matches('\'');
        let (first, whole) = head(bare);
        // `coil.force` is a number of anything, `left.coil.force` one of what has things of its own
        let rest = &bare[first.len()..];
        let near = rest.starts_with('.') && rest.matches('.').count() == 1;
        let own = self.own.signals.contains(first)
            || (!whole && self.own.homes.contains(first))
            || (near && self.own.things.contains(first));
        if own {
            return Meaning::Name(format!("{}.{name}", self.path));
        }
        if let Some((_, value)) = self.constants.iter().find(|(word, _)| *word == name) {
            return Meaning::Constant(*value);
        }
        match &self.outer {
            Some(outer) => outer.meaning(name),
            None => Meaning::Name(name.to_owned()),
        }
    }

    /// The words that its formulas may use without a path.
    pub(crate) fn words(&self) -> Vec<&str> {
        let own = self.own.signals.iter().map(String::as_str);
        let constants = self.constants.iter().map(|(word, _)| *word);
        let outer = self.outer.iter().flat_map(|outer| outer.words());
        own.chain(constants).chain(outer).collect()
    }
}
