//! The expression graph: every distinct subexpression exists once.

use crate::axis::Interpolation;
use crate::error::FormulaError;
use crate::hash::FastMap;
use crate::operation::{Binary, Unary};
use crate::table::Tabulated;
use crate::tables::Tables;
use std::collections::HashMap;
use std::sync::Arc;

/// A handle to an expression in a [`Graph`]; equal handles mean equal expressions. Meaningless in any other graph.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Expression(pub(crate) u32);

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// The bits of a number; zero is positive and NaN canonical.
    Constant(u64),
    /// Index into the names.
    Symbol(u32),
    Unary(Unary, Expression),
    Binary(Binary, Expression, Expression),
    /// Condition, value if it holds, value otherwise.
    Select(Expression, Expression, Expression),
    /// Argument, index into the tables, and order of the derivative.
    Table(Expression, u32, u8),
    /// The same with two arguments.
    Grid(Expression, Expression, u32, [u8; 2]),
}

impl Node {
    pub(crate) fn operands(self) -> impl DoubleEndedIterator<Item = Expression> {
        let (list, count) = match self {
            Node::Constant(_) | Node::Symbol(_) => ([Expression(0); 3], 0),
            Node::Unary(_, a) | Node::Table(a, ..) => ([a; 3], 1),
            Node::Binary(_, a, b) | Node::Grid(a, b, ..) => ([a, b, b], 2),
            Node::Select(a, b, c) => ([a, b, c], 3),
        };
        list.into_iter().take(count)
    }
}

/// A growing set of expressions, hash-consed: building the same expression twice gives the same handle.
///
/// Operands are always older than the expressions built on them, so that increasing handles are an evaluation order and no
/// algorithm here needs recursion.
#[derive(Default, Clone, Debug)]
pub struct Graph {
    pub(crate) nodes: Vec<Node>,
    known: FastMap<Node, Expression>,
    names: Vec<String>,
    by_name: FastMap<String, Expression>,
    /// The tables in use, with the names of those that have one.
    pub(crate) tables: Vec<(Option<String>, Arc<Tabulated>)>,
    by_points: HashMap<Vec<u64>, u32>,
    /// Tables that formulas may call by name.
    pub(crate) named_tables: Tables,
    by_table_name: HashMap<String, u32>,
    /// Sets of symbols with their directions, numbered as they are first met.
    pub(crate) directions: HashMap<Vec<(Expression, Expression)>, u32>,
    /// (direction set, expression) → derivative.
    pub(crate) derivatives: FastMap<(u32, Expression), Expression>,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty graph whose formulas may call tables by name.
    pub fn with_tables(tables: &Tables) -> Self {
        Graph { named_tables: tables.clone(), ..Self::default() }
    }

    /// The tables that formulas may call by name.
    pub fn tables(&self) -> &Tables {
        &self.named_tables
    }

    /// Makes a table known by name; one that formulas call already stays what it is to them.
    pub fn add_table(&mut self, name: &str, table: Tabulated) {
        self.named_tables.insert(name, table);
        self.by_table_name.remove(name);
    }

    /// The named tables that occur in `e`.
    pub fn tables_of(&self, e: Expression) -> Vec<(&str, &Tabulated)> {
        let mut used: Vec<u32> = Vec::new();
        for x in self.reachable(&[e], |_| false) {
            if let Node::Table(_, table, _) | Node::Grid(_, _, table, _) = self.node(x)
                && !used.contains(&table)
            {
                used.push(table);
            }
        }
        let named = used.into_iter().map(|table| &self.tables[table as usize]);
        named.filter_map(|(name, table)| Some((name.as_deref()?, table.as_ref()))).collect()
    }

    /// The number of distinct expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing has been built yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The symbol of this name, created if it is new.
    pub fn symbol(&mut self, name: &str) -> Expression {
        if let Some(&symbol) = self.by_name.get(name) {
            return symbol;
        }
        let symbol = self.intern(Node::Symbol(self.names.len() as u32));
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), symbol);
        symbol
    }

    /// The symbol of this name, if it exists.
    pub fn find_symbol(&self, name: &str) -> Option<Expression> {
        self.by_name.get(name).copied()
    }

    /// A number.
    pub fn constant(&mut self, value: f64) -> Expression {
        let canonical = if value == 0.0 {
            0.0
        } else if value.is_nan() {
            f64::NAN
        } else {
            value
        };
        self.intern(Node::Constant(canonical.to_bits()))
    }

    /// The piecewise linear function through `points`, continued beyond the ends with the first and last slopes.
    ///
    /// # Errors
    /// [`FormulaError::Table`] unless there are two or more finite points with increasing x.
    pub fn table(
        &mut self,
        x: Expression,
        points: &[(f64, f64)],
    ) -> Result<Expression, FormulaError> {
        let table = self.intern_table(points)?;
        Ok(self.table_value(x, table, 0))
    }

    /// The number of a table that has a name.
    pub(crate) fn intern_named_table(&mut self, name: &str, table: &Arc<Tabulated>) -> u32 {
        let next = self.tables.len() as u32;
        let known = *self.by_table_name.entry(name.to_owned()).or_insert(next);
        if known == next {
            self.tables.push((Some(name.to_owned()), table.clone()));
        }
        known
    }

    pub(crate) fn intern_table(&mut self, points: &[(f64, f64)]) -> Result<u32, FormulaError> {
        let key = points.iter().flat_map(|(x, y)| [x.to_bits(), y.to_bits()]).collect();
        if let Some(&table) = self.by_points.get(&key) {
            return Ok(table);
        }
        self.tables.push((None, Arc::new(Tabulated::through(points, Interpolation::Linear)?)));
        let table = (self.tables.len() - 1) as u32;
        self.by_points.insert(key, table);
        Ok(table)
    }

    /// The one handle of `node`; operands of commuting operations match in either order.
    pub(crate) fn intern(&mut self, node: Node) -> Expression {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        if let Node::Binary(operation, a, b) = node
            && operation.commutes()
            && let Some(&known) = self.known.get(&Node::Binary(operation, b, a))
        {
            return known;
        }
        let new = Expression(self.nodes.len() as u32);
        self.nodes.push(node);
        self.known.insert(node, new);
        new
    }

    pub(crate) fn node(&self, e: Expression) -> Node {
        self.nodes[e.0 as usize]
    }

    /// The value of an expression that is a number.
    pub fn as_constant(&self, e: Expression) -> Option<f64> {
        match self.node(e) {
            Node::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// Whether the expression is the number zero.
    pub fn is_zero(&self, e: Expression) -> bool {
        self.as_constant(e) == Some(0.0)
    }

    /// Whether the expression is a symbol.
    pub fn is_symbol(&self, e: Expression) -> bool {
        matches!(self.node(e), Node::Symbol(_))
    }

    /// The name of an expression that is a symbol.
    pub fn name(&self, e: Expression) -> Option<&str> {
        match self.node(e) {
            Node::Symbol(index) => Some(&self.names[index as usize]),
            _ => None,
        }
    }

    /// Whether `symbol` occurs in `e` (after simplification).
    pub fn depends_on(&self, e: Expression, symbol: Expression) -> bool {
        self.reachable(&[e], |x| x < symbol).contains(&symbol)
    }

    /// The symbols that occur in `e`, in the order of their creation.
    pub fn symbols_of(&self, e: Expression) -> Vec<Expression> {
        let mut all = self.reachable(&[e], |_| false);
        all.retain(|&x| self.is_symbol(x));
        all
    }

    /// `e` with each expression of the list (usually a symbol) replaced by its partner, all at once.
    pub fn substitute(
        &mut self,
        e: Expression,
        replacements: &[(Expression, Expression)],
    ) -> Expression {
        let mut new: FastMap<Expression, Expression> = replacements.iter().copied().collect();
        for x in self.reachable(&[e], |x| new.contains_key(&x)) {
            let get = |operand: Expression| new.get(&operand).copied().unwrap_or(operand);
            let replaced = match self.node(x) {
                Node::Constant(_) | Node::Symbol(_) => x,
                Node::Unary(operation, a) => self.unary(operation, get(a)),
                Node::Binary(operation, a, b) => self.binary(operation, get(a), get(b)),
                Node::Select(c, a, b) => self.select(get(c), get(a), get(b)),
                Node::Table(a, table, order) => self.table_value(get(a), table, order),
                Node::Grid(a, b, table, orders) => self.grid_value([get(a), get(b)], table, orders),
            };
            new.insert(x, replaced);
        }
        new[&e]
    }

    /// Everything the roots are built of, themselves included, operands first. Expressions for which `stop` holds are left
    /// out, with what only they need.
    pub(crate) fn reachable(
        &self,
        roots: &[Expression],
        stop: impl Fn(Expression) -> bool,
    ) -> Vec<Expression> {
        let mut seen: FastMap<Expression, ()> = FastMap::default();
        let mut stack: Vec<Expression> = roots.to_vec();
        let mut found = Vec::new();
        while let Some(e) = stack.pop() {
            if stop(e) || seen.insert(e, ()).is_some() {
                continue;
            }
            found.push(e);
            stack.extend(self.node(e).operands());
        }
        found.sort_unstable();
        found
    }
}
