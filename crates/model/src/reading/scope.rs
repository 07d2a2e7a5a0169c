//! Which names a formula may use, and what to say about those it may not.

use crate::reading::copied::Meaning;
use crate::reading::document::{Entry, Item, Value};
use crate::reading::error::ModelError;
use crate::reading::kinds::Kinds;
use crate::reading::many::written_out;
use crate::reading::source::Place;
use crate::reading::suggest::{list, near};
use rotula_formula::{Expression, FastMap, FormulaError, Graph, names_in};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone)]
struct Name {
    expression: Expression,
    kinds: Kinds,
    /// A symbol of its own, rather than a parameter or a definition.
    symbol: bool,
    /// The function of time that it equals, if it is known to be one.
    of_time: Option<Expression>,
}

/// The names in a formula, with their places.
type NamesUsed = Arc<[(String, Range<usize>)]>;

/// The graph of all expressions and the names known so far.
#[derive(Clone, Default)]
pub struct Scope {
    /// All expressions.
    pub graph: Graph,
    names: FastMap<String, Name>,
    /// The names in formulas of parts, of which every copy asks anew.
    used: FastMap<String, NamesUsed>,
    /// Names yet to be defined, for suggestions.
    announced: Vec<String>,
}

impl Scope {
    /// A new symbol.
    pub fn declare(&mut self, name: &str, kinds: Kinds) -> Expression {
        let expression = self.graph.symbol(name);
        self.names.insert(name.to_owned(), Name { expression, kinds, symbol: true, of_time: None });
        expression
    }

    /// Whether something has this name.
    pub fn knows(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// The symbol of this name, with its kind: neither a parameter nor a definition.
    pub fn symbol(&self, name: &str) -> Option<(Expression, Kinds)> {
        let known = self.names.get(name).filter(|known| known.symbol)?;
        Some((known.expression, known.kinds))
    }

    /// The names of all symbols.
    pub fn symbol_names(&self) -> Vec<&str> {
        let symbols = self.names.iter().filter(|(_, known)| known.symbol);
        let mut names: Vec<&str> = symbols.map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Says that parameters or definitions of these names will come.
    pub fn announce(&mut self, entries: &[Entry]) {
        self.announced.extend(entries.iter().map(|entry| entry.key.clone()));
    }

    /// A name for an expression: a parameter or a definition.
    pub fn define(&mut self, name: &str, (expression, kinds): (Expression, Kinds)) {
        self.names
            .insert(name.to_owned(), Name { expression, kinds, symbol: false, of_time: None });
    }

    /// Says that a symbol equals a function of time, for which it stands wherever only such may be used.
    pub fn equals(&mut self, name: &str, of_time: Expression) {
        if let Some(known) = self.names.get_mut(name) {
            known.of_time = Some(of_time);
        }
    }

    /// The expression of a number or formula, and the kinds of symbols it uses. `path` is what errors call it.
    pub fn parse(
        &mut self,
        item: &Item,
        path: &str,
        allowed: Kinds,
    ) -> Result<(Expression, Kinds), ModelError> {
        let text = match &item.value {
            Value::Text(text) => text,
            _ => {
                let value = item.number().unwrap_or(0.0);
                return Ok((self.graph.constant(value), Kinds::CONSTANT));
            }
        };
        let text = &*self.all_copies(text, &item.place, path)?;
        let meanings = self.meanings(text, &item.place)?;
        let mut used = Kinds::CONSTANT;
        let names = &self.names;
        let parsed = self.graph.parse(text, &mut |name| {
            let full = match meanings.get(name) {
                Some(Known::Number(number)) => return Some(*number),
                Some(Known::Name(full)) => full,
                None => name,
            };
            let known = names.get(full)?;
            let (expression, kinds) = match known.of_time {
                Some(of_time) if !known.kinds.within(allowed) => (of_time, Kinds::TIME),
                _ => (known.expression, known.kinds),
            };
            used = used | kinds;
            kinds.within(allowed).then_some(expression)
        });
        let expression = parsed.map_err(|error| {
            let place = match error.span() {
                Some(span) => item.place.inside_string(span),
                None => item.place.clone(),
            };
            let full = match &error {
                FormulaError::UnknownName { name, .. } => match meanings.get(name) {
                    Some(Known::Name(full)) => full.clone(),
                    _ => name.clone(),
                },
                _ => String::new(),
            };
            self.explain(error, &full, &place, path, allowed)
        })?;
        Ok((expression, used))
    }

    /// A formula with `link[*].x` written out: as long as the names of copies are known, from the first on.
    fn all_copies<'a>(
        &self,
        text: &'a str,
        place: &Place,
        path: &str,
    ) -> Result<Cow<'a, str>, ModelError> {
        written_out(text, place, path, &|name| match &place.copy {
            None => self.knows(name),
            Some(copy) => match copy.meaning(name) {
                Meaning::Name(full) => self.knows(&full),
                Meaning::Constant(_) => false,
            },
        })
    }

    /// What the names of a formula mean that are not what they seem: those of a copy of a part, and those with an index.
    fn meanings(
        &mut self,
        text: &str,
        place: &Place,
    ) -> Result<HashMap<String, Known>, ModelError> {
        let mut meanings = HashMap::new();
        if place.copy.is_none() && !text.contains('[') {
            return Ok(meanings);
        }
        for (name, span) in self.names_used(text).iter() {
            let indexed = self.indexed(name, &|at| {
                place.inside_string(span.start + at.start..span.start + at.end)
            })?;
            let meaning = match &place.copy {
                None => Meaning::Name(indexed),
                Some(copy) => copy.meaning(&indexed),
            };
            meanings.insert(
                name.clone(),
                match meaning {
                    Meaning::Constant(value) => Known::Number(self.graph.constant(value)),
                    Meaning::Name(full) => Known::Name(full),
                },
            );
        }
        Ok(meanings)
    }

    /// The names in a formula, with their places.
    fn names_used(&mut self, text: &str) -> NamesUsed {
        if let Some(known) = self.used.get(text) {
            return known.clone();
        }
        let names: Arc<[_]> = names_in(text).unwrap_or_default().into();
        self.used.insert(text.to_owned(), names.clone());
        names
    }

    /// The full name of a thing that a file names, with its indices as numbers.
    pub fn thing(&mut self, item: &Item) -> Result<String, ModelError> {
        let name = item.text().unwrap_or_default();
        let indexed = self.indexed(name, &|at| item.place.inside_string(at))?;
        Ok(match &item.place.copy {
            None => indexed,
            Some(copy) => copy.thing(&indexed),
        })
    }

    /// A name with the formulas of its indices, as in `link[i+1].pin`, replaced by their values.
    fn indexed(
        &mut self,
        name: &str,
        place: &dyn Fn(Range<usize>) -> Place,
    ) -> Result<String, ModelError> {
        let mut full = String::with_capacity(name.len());
        let mut rest = 0;
        while let Some(open) = name[rest..].find('[').map(|at| rest + at) {
            let close = closing(name, open);
            if close == name.len() {
                let error = ModelError::new(&place(open..open + 1), "this bracket is not closed");
                return Err(error.with_help("close it with `]`"));
            }
            // `rod.[i+1]` is the node `rod.3`, `link[i+1]` the copy `link[3]`
            let node = name[..open].ends_with('.');
            full.push_str(&name[rest..if node { open } else { open + 1 }]);
            let inner = &name[open + 1..close];
            let number = match inner.parse() {
                Ok(number) => number,
                Err(_) => self.index(inner, place(open + 1..close))?,
            };
            full.push_str(&number.to_string());
            rest = if node { close + 1 } else { close };
        }
        full.push_str(&name[rest..]);
        Ok(full)
    }

    /// The value of a formula between brackets.
    fn index(&mut self, text: &str, place: Place) -> Result<u32, ModelError> {
        let item = Item { place, value: Value::Text(text.to_owned()) };
        let value = self.constant(&item, "the index")?;
        // rounding of a quotient is forgiven
        let number = value.round();
        if (value - number).abs() > 1e-9 || !(0.0..=f64::from(u32::MAX)).contains(&number) {
            let message = format!("the index `{text}` is {value}");
            let help = "copies are numbered from 0; `mod(i + 1, count)` leads round";
            return Err(ModelError::new(&item.place, message).with_help(help));
        }
        Ok(number as u32)
    }

    /// Does something while further symbols are known, which hide others of their names.
    pub fn with_symbols<T>(
        &mut self,
        symbols: &[(&str, Kinds)],
        work: impl FnOnce(&mut Scope) -> T,
    ) -> T {
        let before: Vec<_> = symbols.iter().map(|(name, _)| self.names.remove(*name)).collect();
        for (name, kinds) in symbols {
            self.declare(name, *kinds);
        }
        let done = work(self);
        for ((name, _), before) in symbols.iter().zip(before) {
            self.names.remove(*name);
            self.names.extend(before.map(|before| ((*name).to_owned(), before)));
        }
        done
    }

    /// Does something while a name stands for a number, which hides others of its name.
    pub fn with_number<T>(
        &mut self,
        name: &str,
        value: f64,
        work: impl FnOnce(&mut Scope) -> T,
    ) -> T {
        let expression = self.graph.constant(value);
        let own = Name { expression, kinds: Kinds::CONSTANT, symbol: false, of_time: None };
        let before = self.names.insert(name.to_owned(), own);
        let done = work(self);
        self.names.remove(name);
        self.names.extend(before.map(|before| (name.to_owned(), before)));
        done
    }

    /// The value of a number or a formula of parameters.
    pub fn constant(&mut self, item: &Item, path: &str) -> Result<f64, ModelError> {
        let (expression, _) = self.parse(item, path, Kinds::CONSTANT)?;
        let value = self.graph.as_constant(expression);
        value.filter(|value| value.is_finite()).ok_or_else(|| {
            let shown = self.graph.display_up_to(expression, 80);
            ModelError::new(&item.place, format!("{path} is not a finite number: {shown}"))
                .with_help("check divisions, roots, logarithms and the ends of tables in it")
        })
    }

    fn explain(
        &self,
        error: FormulaError,
        full: &str,
        place: &Place,
        path: &str,
        allowed: Kinds,
    ) -> ModelError {
        let FormulaError::UnknownName { name, .. } = &error else {
            let fault = ModelError::new(place, format!("{path}: {error}"));
            if let FormulaError::UnknownFunction { name, .. } = &error {
                let tables: Vec<&str> = self.graph.tables().names().collect();
                if let Some(near) = near(name.trim_end_matches('\''), &tables) {
                    return fault.with_help(match near == name.trim_end_matches('\'') {
                        true => format!(
                            "`{near}` takes two arguments; its slopes are `{near}.d10(x, y)` and `{near}.d01(x, y)`"
                        ),
                        false => format!("did you mean the table `{near}`?"),
                    });
                }
                if self.announced.iter().any(|known| known == name) {
                    return fault.with_help(format!(
                        "tables are read behind [parameters]: use `{name}(…)` in [define] or where it is needed"
                    ));
                }
            }
            return match error.help() {
                Some(help) => fault.with_help(help),
                None => fault,
            };
        };
        if let Some(known) = self.names.get(full) {
            let strange: Vec<&str> =
                known.kinds.without(allowed).words().map(|(one, _)| one).collect();
            let verb = if known.symbol { "is" } else { "uses" };
            let message =
                format!("`{name}` {verb} {}, which {path} may not use", strange.join(", "));
            return ModelError::new(place, message).with_help(may_use(allowed));
        }
        let bare = name.trim_end_matches('\'');
        if bare != name
            && let Some(known) = self.names.get(full.trim_end_matches('\''))
        {
            let what = match known.kinds {
                Kinds::TIME => "the time",
                kinds if known.symbol && kinds == Kinds::VARIABLE => "a variable",
                kinds if known.symbol && kinds == Kinds::STATE => "a state",
                _ if known.symbol => "a multiplier",
                Kinds::CONSTANT => "a parameter",
                _ => "a definition",
            };
            let message = format!("`{bare}` is {what} and has no derivative `{name}`");
            let help = "primes belong to coordinates (x', x'') and states (x')";
            return ModelError::new(place, message).with_help(help);
        }
        let fault = ModelError::new(place, format!("unknown name `{name}` in {path}"));
        if self.graph.tables().get(name).is_some() {
            return fault.with_help(format!("`{name}` is a table: write `{name}(x)`"));
        }
        let multiplier = format!("lambda.{name}");
        if self.names.contains_key(&multiplier) && Kinds::MULTIPLIER.within(allowed) {
            return fault.with_help(format!("write `{multiplier}` for the multiplier"));
        }
        if let Some(help) = error.help() {
            return fault.with_help(help);
        }
        let mut usable: Vec<&str> = self
            .names
            .iter()
            .filter(|(_, known)| known.kinds.within(allowed))
            .map(|(name, _)| name)
            .chain(self.announced.iter().filter(|name| !self.names.contains_key(*name)))
            .map(String::as_str)
            .chain(place.copy.iter().flat_map(|copy| copy.words()))
            .collect();
        usable.sort_unstable();
        usable.dedup();
        fault.with_help(match near(name, &usable) {
            Some(near) => format!("did you mean `{near}`?"),
            None if usable.is_empty() => may_use(allowed),
            None => format!("known here: {}", list(&usable)),
        })
    }
}

/// What a name of a formula stands for.
enum Known {
    Number(Expression),
    Name(String),
}

/// Where the bracket ends that is open here; at the end of the name if it does not.
fn closing(name: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, c) in name.bytes().enumerate().skip(open) {
        match c {
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return at;
        }
    }
    name.len()
}

fn may_use(allowed: Kinds) -> String {
    let words: Vec<&str> =
        std::iter::once("parameters").chain(allowed.words().map(|(_, many)| many)).collect();
    format!("it may use {}", words.join(", "))
}
