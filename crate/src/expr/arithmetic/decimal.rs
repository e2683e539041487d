//! Decimal arithmetic of expressions: every decimal operation of this family goes through here.
//!
//! `$sqrt` is exact; logarithms, powers and trigonometry are `transcendental`'s.

use crate::bson::{Decimal, DecimalRounding, Number, Value, float};

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

/// A decimal rounded at a decimal place.
pub fn quantize(number: Number, place: i32, rounding: DecimalRounding) -> Value<'static> {
    let decimal = number.to_decimal();
    let rounded = match decimal {
        Decimal::Finite { .. } => decimal.quantize(-place, rounding),
        other => other,
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

/// The square root of a decimal that is not negative, by Newton's steps from the double's.
pub fn square_root(number: Decimal) -> Decimal {
    let start = number.to_double().sqrt();
    if number.is_zero() || !start.is_finite() || start == 0.0 {
        return match number {
            Decimal::Finite { .. } => Decimal::from_double(start),
            other => other,
        };
    }
    let half = Decimal::Finite {
        negative: false,
        coefficient: 5,
        exponent: -1,
    };
    let mut root = Decimal::from_double(start);
    for _ in 0..3 {
        root = (root + number / root) * half;
    }
    root
}
