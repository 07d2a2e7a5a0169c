//! What the parser expects, and what it says when it meets something else.

use crate::error::FormulaError;
use crate::graph::Expression;
use crate::lexer::Kind;
use crate::parser::{Parser, Value};
use std::ops::Range;

impl Parser<'_> {
    pub(crate) fn number(&self, value: Value) -> Result<Expression, FormulaError> {
        if value.condition {
            return Err(FormulaError::syntax_with_help(
                "a condition stands where a number is expected",
                value.span,
                "write `if(condition, then, otherwise)`",
            ));
        }
        Ok(value.expression)
    }

    pub(crate) fn condition(&self, value: Value) -> Result<Expression, FormulaError> {
        if !value.condition {
            return Err(FormulaError::syntax_with_help(
                "a number stands where a condition is expected",
                value.span,
                "compare it, as in `x > 0`",
            ));
        }
        Ok(value.expression)
    }

    /// The error for a token that can follow no complete expression, inside the bracket `open` if any.
    pub(crate) fn misplaced(&self, open: Option<Range<usize>>) -> FormulaError {
        let token = self.peek();
        let (word, span) = (self.word(token), token.span.clone());
        match (token.kind, open) {
            (Kind::Number(_) | Kind::Name | Kind::Mark("("), _) => FormulaError::syntax_with_help(
                format!("an operator is missing before `{word}`"),
                span,
                "products are written with `*`",
            ),
            (Kind::End, Some(open)) => FormulaError::syntax("this parenthesis is not closed", open),
            (Kind::Mark(")"), _) => FormulaError::syntax("this parenthesis closes nothing", span),
            _ => FormulaError::syntax(format!("unexpected `{word}`"), span),
        }
    }
}
