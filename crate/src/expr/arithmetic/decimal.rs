//! Decimal arithmetic of expressions: every decimal operation of this family goes through here.
//!
//! Logarithms, powers and trigonometry are `transcendental`'s.

use crate::bson::{Decimal, DecimalRounding, Number, Value, float};
use std::cmp::Ordering;

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
pub fn apply(operation: Operation, left: Number, right: Number) -> Number {
    let (left, right) = (left.to_decimal(), right.to_decimal());
    let result = match operation {
        Operation::Add => left + right,
        Operation::Subtract => left - right,
        Operation::Multiply => left * right,
        Operation::Divide => left / right,
        Operation::Modulo => left % right,
    };
    Number::Decimal128(result.to_bits())
}

/// A decimal rounded at a decimal place. One without room for these digits is padded with zeros as far as it goes.
pub fn quantize(number: Number, place: i32, rounding: DecimalRounding) -> Value<'static> {
    let decimal = number.to_decimal();
    let rounded = match decimal.quantize(-place, rounding) {
        Decimal::NaN => decimal.padded(),
        rounded => rounded,
    };
    Value::from(rounded.to_bits())
}

/// A double rounded at a decimal place, decided on its exact decimal expansion.
pub fn round_double(number: f64, place: i32, rounding: DecimalRounding) -> f64 {
    if !number.is_finite() || number == 0.0 {
        return number;
    }
    let (mut coefficient, exponent, cut) = float::double_digits(number, 34);
    // The part cut off lies below 34 digits; it matters only where the rest looks like a tie.
    if cut && rounding == DecimalRounding::HalfEven && coefficient.is_multiple_of(10) {
        coefficient += 1;
    }
    let decimal = Decimal::Finite {
        negative: number < 0.0,
        coefficient,
        exponent,
    };
    match decimal.quantize(-place, rounding) {
        Decimal::NaN => number,
        rounded => rounded.to_double(),
    }
}

/// Whether a logarithm has no such argument: zero and below; not a number is one.
pub fn is_not_positive(number: Number) -> bool {
    !number.is_nan() && number.compare(Number::Int32(0)) != Ordering::Greater
}

/// A power in the type its arguments ask for, as `function_result`; decimals have all their digits.
pub fn padded_result(
    result: f64,
    arguments: &[Number],
    exact: &dyn Fn() -> Option<Decimal>,
) -> Value<'static> {
    let value = function_result(result, arguments, exact);
    match value.as_ref().as_number() {
        Some(number @ Number::Decimal128(_)) => Value::from(number.to_decimal().padded().to_bits()),
        _ => value,
    }
}

/// A transcendental result in the type its arguments ask for: decimal when one of them was, as `exact` computes it
/// where it can.
pub fn function_result(
    result: f64,
    arguments: &[Number],
    exact: &dyn Fn() -> Option<Decimal>,
) -> Value<'static> {
    let decimal = arguments
        .iter()
        .any(|number| matches!(number, Number::Decimal128(_)));
    if decimal {
        let exact = exact().unwrap_or_else(|| Decimal::from_double(result));
        Value::from(exact.to_bits())
    } else {
        Value::from(result)
    }
}
