//! The values of a table: numbers, vectors, directions, orientations, formulas.

use crate::fault::{fault_at, refused};
use crate::reading::{Entry, Item, Kinds, ModelError, Place, Scope, Table, Value};
use nalgebra::Vector3;
use rotula_mechanics::force::Amplitude;
use rotula_mechanics::{Model, TimeFunction};

/// A table with its path, such as `body.crank`, and where its name stands.
#[derive(Clone)]
pub(crate) struct Fields<'a> {
    pub path: String,
    pub place: &'a Place,
    table: &'a Table,
}

impl<'a> Fields<'a> {
    /// The table of an entry; none if it is not one.
    pub(crate) fn of(section: &str, entry: &'a Entry) -> Option<Self> {
        let Value::Table(table) = &entry.item.value else { return None };
        let path = format!("{section}.{}", entry.key);
        Some(Fields { path, place: &entry.place, table })
    }

    /// The table of an entry outside of sections; none if it is not one.
    pub(crate) fn top(entry: &'a Entry) -> Option<Self> {
        let Value::Table(table) = &entry.item.value else { return None };
        Some(Fields { path: entry.key.clone(), place: &entry.place, table })
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Item> {
        self.table.get(key)
    }

    /// All keys.
    pub(crate) fn entries(&self) -> &'a [Entry] {
        &self.table.entries
    }

    /// The table under a key.
    pub(crate) fn inner(&self, key: &str) -> Option<Fields<'a>> {
        Fields::of(&self.path, self.table.entry(key)?)
    }

    /// Where a key stands; else where the table does.
    pub(crate) fn place_of(&self, key: &str) -> &'a Place {
        self.table.entry(key).map_or(self.place, |entry| &entry.place)
    }

    /// The path of a key.
    pub(crate) fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        self.get(key).and_then(Item::text)
    }

    pub(crate) fn boolean(&self, key: &str) -> Option<bool> {
        match self.get(key)?.value {
            Value::Boolean(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn number(&self, key: &str, scope: &mut Scope) -> Result<Option<f64>, ModelError> {
        self.get(key).map(|item| scope.constant(item, &self.at(key))).transpose()
    }

    /// A number that the checker has found to be there.
    pub(crate) fn needed_number(&self, key: &str, scope: &mut Scope) -> Result<f64, ModelError> {
        self.number(key, scope)?.ok_or_else(|| self.misses(key))
    }

    /// The fault that a key is not there.
    pub(crate) fn misses(&self, key: &str) -> ModelError {
        let error = ModelError::new(self.place, format!("{} misses `{key}`", self.path));
        error.with_help(format!("add `{key} = …`"))
    }

    /// The members of a list.
    pub(crate) fn items(&self, key: &str) -> Option<&'a [Item]> {
        match &self.get(key)?.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The members of a table.
    pub(crate) fn members(&self, key: &str) -> Option<&'a [Entry]> {
        match &self.get(key)?.value {
            Value::Table(table) => Some(&table.entries),
            _ => None,
        }
    }

    /// Two names.
    pub(crate) fn pair(&self, key: &str) -> Option<[&'a Item; 2]> {
        let [first, second] = self.items(key)? else { return None };
        Some([first, second])
    }

    /// A list of numbers.
    pub(crate) fn numbers(
        &self,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<Vec<f64>>, ModelError> {
        self.get(key).map(|item| numbers(item, &self.at(key), scope)).transpose()
    }

    /// Lists of so many numbers.
    pub(crate) fn points<const N: usize>(
        &self,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<Vec<[f64; N]>>, ModelError> {
        let Some(items) = self.items(key) else { return Ok(None) };
        let point = |item: &Item| {
            let found = numbers(item, &self.at(key), scope)?;
            found.try_into().map_err(|_| self.misses(key))
        };
        items.iter().map(point).collect::<Result<_, _>>().map(Some)
    }

    /// How many of something there are.
    pub(crate) fn count(&self, key: &str, scope: &mut Scope) -> Result<Option<usize>, ModelError> {
        let Some(value) = self.number(key, scope)? else { return Ok(None) };
        if value.fract() != 0.0 || !(1.0..=1e6).contains(&value) {
            let error = fault_at(self, key, format!("{} is {value}", self.at(key)));
            return Err(error.with_help("give a whole number from 1 to 1000000, such as 8"));
        }
        Ok(Some(value as usize))
    }

    /// A number above zero.
    pub(crate) fn positive(&self, key: &str, scope: &mut Scope) -> Result<Option<f64>, ModelError> {
        let value = self.number(key, scope)?;
        match (value, self.get(key)) {
            (Some(number), Some(item)) if number <= 0.0 => {
                let error = ModelError::new(&item.place, format!("{} is {number}", self.at(key)));
                Err(error.with_help("it must be positive"))
            }
            _ => Ok(value),
        }
    }

    /// A number that must not be negative.
    pub(crate) fn not_negative(
        &self,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<f64>, ModelError> {
        let value = self.number(key, scope)?;
        match (value, self.get(key)) {
            (Some(number), Some(item)) if number < 0.0 => {
                let error = ModelError::new(&item.place, format!("{} is {number}", self.at(key)));
                Err(error.with_help("it must not be negative"))
            }
            _ => Ok(value),
        }
    }

    pub(crate) fn vector(
        &self,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<Vector3<f64>>, ModelError> {
        self.get(key).map(|item| vector(item, &self.at(key), scope)).transpose()
    }

    pub(crate) fn direction(
        &self,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<Vector3<f64>>, ModelError> {
        self.get(key).map(|item| direction(item, &self.at(key), scope)).transpose()
    }

    /// A formula of parameters and time.
    pub(crate) fn function(
        &self,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<TimeFunction>, ModelError> {
        self.get(key).map(|item| function(item, &self.at(key), scope)).transpose()
    }

    /// At most one of these keys may be given.
    pub(crate) fn refuse_together(&self, keys: &[&str]) -> Result<(), ModelError> {
        let mut given = self.entries().iter().filter(|entry| keys.contains(&entry.key.as_str()));
        match (given.next(), given.next()) {
            (Some(first), Some(second)) => {
                let message = format!(
                    "{}: `{}` and `{}` exclude each other",
                    self.path, first.key, second.key
                );
                Err(ModelError::new(&second.place, message).with_help("keep one of them"))
            }
            _ => Ok(()),
        }
    }

    /// This key may not be given.
    pub(crate) fn refuse(&self, keys: &[&str], why: &str) -> Result<(), ModelError> {
        match self.entries().iter().find(|entry| keys.contains(&entry.key.as_str())) {
            Some(entry) => {
                let message = format!("{}: {why}, so `{}` means nothing", self.path, entry.key);
                Err(ModelError::new(&entry.place, message).with_help("remove it"))
            }
            None => Ok(()),
        }
    }
}

/// A list of numbers.
pub(crate) fn numbers(item: &Item, path: &str, scope: &mut Scope) -> Result<Vec<f64>, ModelError> {
    match &item.value {
        Value::List(items) => items.iter().map(|item| scope.constant(item, path)).collect(),
        _ => Ok(vec![scope.constant(item, path)?]),
    }
}

/// Three numbers; the shape has been checked.
pub(crate) fn vector(
    item: &Item,
    path: &str,
    scope: &mut Scope,
) -> Result<Vector3<f64>, ModelError> {
    let numbers = numbers(item, path, scope)?;
    Ok(Vector3::from_iterator((0..3).map(|k| numbers.get(k).copied().unwrap_or(0.0))))
}

/// A unit vector: a word for an axis, or three numbers.
pub(crate) fn direction(
    item: &Item,
    path: &str,
    scope: &mut Scope,
) -> Result<Vector3<f64>, ModelError> {
    if let Some(word) = item.text() {
        let axis = match word.trim_start_matches('-') {
            "x" => Vector3::x(),
            "y" => Vector3::y(),
            _ => Vector3::z(),
        };
        return Ok(if word.starts_with('-') { -axis } else { axis });
    }
    let given = vector(item, path, scope)?;
    if given.norm() < 1e-12 {
        let error = ModelError::new(&item.place, format!("{path} has no length"));
        return Err(error.with_help("a direction must not be zero, such as [0, 0, 1] or \"z\""));
    }
    Ok(given.normalize())
}

/// A function of time with its parameters replaced by their values.
pub(crate) fn function(
    item: &Item,
    path: &str,
    scope: &mut Scope,
) -> Result<TimeFunction, ModelError> {
    let (expression, _) = scope.parse(item, path, Kinds::TIME)?;
    let text = scope.graph.display(expression);
    TimeFunction::formula_with(&text, scope.graph.tables()).map_err(|error| {
        ModelError::new(&item.place, format!("{path}: {error}")).with_help("correct the formula")
    })
}

/// How large a force is: a formula of parameters, time and signals. One that uses signals becomes the
/// variable `name`.
pub(crate) fn signal(
    item: &Item,
    path: &str,
    name: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Amplitude, ModelError> {
    let text = signal_text(item, path, scope)?;
    model.amplitude(name, &text).map_err(|error| refused(&item.place, error))
}

/// A formula of parameters, time and signals, with the parameters replaced by their values.
pub(crate) fn signal_text(
    item: &Item,
    path: &str,
    scope: &mut Scope,
) -> Result<String, ModelError> {
    let allowed = Kinds::TIME | Kinds::STATE | Kinds::VARIABLE;
    let (expression, _) = scope.parse(item, path, allowed)?;
    Ok(scope.graph.display(expression))
}
