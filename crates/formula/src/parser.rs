//! Tokens to expressions, by precedence climbing.

use crate::error::FormulaError;
use crate::functions::Function;
use crate::graph::{Expression, Graph};
use crate::lexer::{Kind, Token, names_in, tokens};
use crate::operation::{Binary, Unary};
use std::ops::Range;

/// Parentheses, calls, signs and exponents may nest this deep.
const DEEPEST: usize = 200;

// how tightly operators bind
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const MINUS: u8 = 7;
const POWER: u8 = 8;

impl Graph {
    /// The expression written in `text`. Every name in it is given to `resolve`, which answers with a symbol, a constant or
    /// any other expression of this graph, or with `None` for a name it does not know.
    ///
    /// # Errors
    /// A [`FormulaError`] that says what is wrong and where.
    pub fn parse(
        &mut self,
        text: &str,
        resolve: &mut dyn FnMut(&str) -> Option<Expression>,
    ) -> Result<Expression, FormulaError> {
        let mut parser =
            Parser { graph: self, resolve, text, tokens: tokens(text)?, next: 0, depth: 0 };
        if parser.tokens.len() == 1 {
            return Err(FormulaError::syntax("the formula is empty", 0..text.len()));
        }
        let value = parser.expression(OR)?;
        match parser.peek().kind {
            Kind::End => parser.number(value),
            _ => Err(parser.misplaced(None)),
        }
    }

    /// Like [`parse`](Self::parse), with every name standing for the symbol of that name.
    ///
    /// # Errors
    /// A [`FormulaError`] that says what is wrong and where.
    pub fn parse_free(&mut self, text: &str) -> Result<Expression, FormulaError> {
        let symbols: Vec<(String, Expression)> = names_in(text)?
            .into_iter()
            .map(|(name, _)| {
                let symbol = self.symbol(&name);
                (name, symbol)
            })
            .collect();
        self.parse(text, &mut |name| {
            symbols.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
        })
    }
}

pub(crate) struct Parser<'a> {
    graph: &'a mut Graph,
    resolve: &'a mut dyn FnMut(&str) -> Option<Expression>,
    text: &'a str,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

/// A parsed part: a number or a condition, and where it stands.
pub(crate) struct Value {
    pub expression: Expression,
    pub condition: bool,
    pub span: Range<usize>,
}

impl Parser<'_> {
    pub(crate) fn peek(&self) -> &Token {
        // the end token is never passed
        &self.tokens[self.next]
    }

    fn take(&mut self) -> Token {
        let token = self.tokens[self.next].clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn word(&self, token: &Token) -> &str {
        &self.text[token.span.clone()]
    }

    /// An infix operator at the next token, as written, with its tightness.
    fn operator(&self) -> Option<(&'static str, u8)> {
        let token = self.peek();
        Some(match token.kind {
            Kind::Name => match self.word(token) {
                "or" => ("or", OR),
                "and" => ("and", AND),
                _ => return None,
            },
            Kind::Mark(mark) => match mark {
                "<" | "<=" | ">" | ">=" | "==" | "!=" => (mark, COMPARISON),
                "+" | "-" => (mark, SUM),
                "*" | "/" => (mark, PRODUCT),
                "^" => (mark, POWER),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// An expression of operators that bind at least as tightly as `loosest`.
    fn expression(&mut self, loosest: u8) -> Result<Value, FormulaError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("the formula nests more than {DEEPEST} levels deep");
            return Err(FormulaError::syntax(message, self.peek().span.clone()));
        }
        let mut left = self.operand()?;
        while let Some((operator, tightness)) = self.operator().filter(|found| found.1 >= loosest) {
            self.take();
            let right = self.expression(if tightness == POWER { POWER } else { tightness + 1 })?;
            left = self.combine(operator, left, right)?;
            if tightness == COMPARISON && self.operator().is_some_and(|found| found.1 == COMPARISON)
            {
                return Err(FormulaError::syntax_with_help(
                    "comparisons cannot be chained",
                    self.peek().span.clone(),
                    "write `a < b and b < c`",
                ));
            }
        }
        self.depth -= 1;
        Ok(left)
    }

    fn combine(
        &mut self,
        operator: &str,
        left: Value,
        right: Value,
    ) -> Result<Value, FormulaError> {
        let span = left.span.start..right.span.end;
        let logical = matches!(operator, "and" | "or");
        let (a, b) = if logical {
            (self.condition(left)?, self.condition(right)?)
        } else {
            (self.number(left)?, self.number(right)?)
        };
        let (operation, a, b) = match operator {
            "or" => (Binary::Or, a, b),
            "and" => (Binary::And, a, b),
            "<" => (Binary::Less, a, b),
            ">" => (Binary::Less, b, a),
            "<=" => (Binary::LessOrEqual, a, b),
            ">=" => (Binary::LessOrEqual, b, a),
            "==" | "!=" => (Binary::Equal, a, b),
            "+" => (Binary::Add, a, b),
            "-" => (Binary::Subtract, a, b),
            "*" => (Binary::Multiply, a, b),
            "/" => (Binary::Divide, a, b),
            _ => (Binary::Power, a, b),
        };
        let mut expression = self.graph.binary(operation, a, b);
        if operator == "!=" {
            expression = self.graph.unary(Unary::Not, expression);
        }
        let condition = logical || matches!(operator, "<" | ">" | "<=" | ">=" | "==" | "!=");
        Ok(Value { expression, condition, span })
    }

    /// A number, a name, a call, a parenthesis, or one of these with a prefix.
    fn operand(&mut self) -> Result<Value, FormulaError> {
        let token = self.take();
        let start = token.span.start;
        let value = |expression: Expression, span: Range<usize>| Value {
            expression,
            condition: false,
            span,
        };
        match token.kind {
            Kind::Number(number) => Ok(value(self.graph.constant(number), token.span)),
            Kind::Mark("-") => {
                let operand = self.expression(MINUS)?;
                let span = start..operand.span.end;
                let operand = self.number(operand)?;
                Ok(value(self.graph.neg(operand), span))
            }
            Kind::Mark("+") => {
                let operand = self.expression(MINUS)?;
                let span = start..operand.span.end;
                Ok(value(self.number(operand)?, span))
            }
            Kind::Mark("(") => {
                let inner = self.expression(OR)?;
                match self.peek().kind {
                    Kind::Mark(")") => Ok(Value { span: start..self.take().span.end, ..inner }),
                    _ => Err(self.misplaced(Some(token.span))),
                }
            }
            Kind::Name => self.named(token),
            Kind::End => {
                Err(FormulaError::syntax("the formula ends where a value is expected", token.span))
            }
            Kind::Mark(mark) => {
                let message = format!("a value is expected before `{mark}`");
                Err(FormulaError::syntax(message, token.span))
            }
        }
    }

    fn named(&mut self, token: Token) -> Result<Value, FormulaError> {
        let name = self.word(&token).to_owned();
        let span = token.span.clone();
        let expression = match name.as_str() {
            "pi" => self.graph.constant(std::f64::consts::PI),
            "tau" => self.graph.constant(std::f64::consts::TAU),
            "not" => {
                let operand = self.expression(NOT)?;
                let span = span.start..operand.span.end;
                let operand = self.condition(operand)?;
                return Ok(Value {
                    expression: self.graph.unary(Unary::Not, operand),
                    condition: true,
                    span,
                });
            }
            "and" | "or" => {
                let message = format!("a condition is expected before `{name}`");
                return Err(FormulaError::syntax(message, span));
            }
            _ if self.peek().kind == Kind::Mark("(") => return self.call(&name, span),
            _ => match (self.resolve)(&name) {
                Some(expression) => expression,
                None => return Err(FormulaError::UnknownName { name, span }),
            },
        };
        Ok(Value { expression, condition: false, span })
    }

    fn call(&mut self, name: &str, named: Range<usize>) -> Result<Value, FormulaError> {
        let function = self.graph.function(name).ok_or_else(|| FormulaError::UnknownFunction {
            name: name.to_owned(),
            span: named.clone(),
        })?;
        let open = self.take().span;
        let (mut arguments, mut spans) = (Vec::new(), Vec::new());
        let pairs = matches!(function, Function::Table | Function::TableSlope);
        let end = loop {
            if arguments.is_empty() && self.peek().kind == Kind::Mark(")") {
                break self.take().span.end;
            }
            let argument = self.expression(OR)?;
            spans.push(argument.span.clone());
            arguments.push(if matches!(function, Function::If) && arguments.is_empty() {
                self.condition(argument)?
            } else {
                self.number(argument)?
            });
            match self.peek().kind {
                Kind::Mark(",") => self.take(),
                Kind::Mark(";") if pairs => self.take(),
                Kind::Mark(")") => break self.take().span.end,
                _ => return Err(self.misplaced(Some(open))),
            };
        };
        let span = named.start..end;
        function.check_count(arguments.len()).map_err(|expected| FormulaError::ArgumentCount {
            function: name.to_owned(),
            expected: expected.to_owned(),
            found: arguments.len(),
            span: span.clone(),
        })?;
        Ok(Value {
            expression: function.build(self.graph, &arguments, &spans)?,
            condition: false,
            span,
        })
    }
}
