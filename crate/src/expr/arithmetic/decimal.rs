//! Decimal arithmetic of expressions: every decimal operation of this family goes through here.

use super::super::node::Result;
use crate::bson::{Number, Value};
use crate::error::{Code, CommandError};

/// The four operations and the remainder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

/// Applies an operation in decimal arithmetic.
pub fn apply(_operation: Operation, _left: Number, _right: Number) -> Result<Number> {
    Err(refused())
}

/// The value rounded at a decimal place by a rule.
pub fn quantize(
    _number: Number,
    _place: i32,
    _rounding: super::rounding::Rounding,
) -> Result<Value<'static>> {
    Err(refused())
}

fn refused() -> CommandError {
    CommandError::new(
        Code::NotImplemented,
        "decimal arithmetic is not implemented",
    )
}

/// A transcendental result in the type its arguments ask for: decimal when one of them was.
pub fn function_result(result: f64, _arguments: &[Number]) -> Value<'static> {
    Value::from(result)
}
