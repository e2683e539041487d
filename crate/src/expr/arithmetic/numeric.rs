//! The shared half of the arithmetic operators: sums and products that widen as MongoDB's do, and the common shape of
//! operators of one number.
//!
//! Invariant: an integer sum or product that leaves 64 bits becomes a double; int results that
//! leave 32 bits become long; a decimal anywhere makes the result decimal.

use super::super::arguments::{error, int_or_long};
use super::super::node::Result;
use super::decimal::{self, Operation};
use crate::bson::{DecimalRounding, Number, Value, ValueRef};
use crate::error::{Code, CommandError};

/// A running sum of numbers and at most one date.
#[derive(Debug, Clone, Copy)]
pub struct Sum {
    total: Number,
    date: Option<i64>,
}

impl Default for Sum {
    fn default() -> Self {
        Self {
            total: Number::Int32(0),
            date: None,
        }
    }
}

impl Sum {
    /// Adds a number; behind a date by itself, in whole milliseconds.
    pub fn add(&mut self, number: Number) -> Result<()> {
        match self.date {
            None => self.total = add(self.total, number),
            Some(date) => self.date = Some(moved(date, number)?),
        }
        Ok(())
    }

    /// Adds a date, of which there may be one.
    pub fn add_date(&mut self, millis: i64) -> Result<()> {
        if self.date.is_some() {
            return Err(error(16612, "only one date allowed in an $add expression"));
        }
        self.date = Some(moved(millis, self.total)?);
        Ok(())
    }

    /// The sum; a date when one took part.
    pub fn finish(self) -> Value<'static> {
        Value::Borrowed(match self.date {
            None => self.total.to_value(),
            Some(date) => ValueRef::DateTime(date),
        })
    }
}

/// A date moved by a number of milliseconds.
#[inline(never)]
fn moved(date: i64, number: Number) -> Result<i64> {
    let moved = date.checked_add(whole_millis(number, "$add")?);
    moved.ok_or_else(|| date_overflow("$add"))
}

/// The refusal of a date beyond 64 bits.
pub fn date_overflow(name: &str) -> CommandError {
    CommandError::new(Code::Overflow, format!("date overflow in {name}"))
}

/// A number as milliseconds that a date is moved by: doubles rounded half away from zero, decimals half to even.
///
/// # Errors
/// 15 for a number that is no long.
pub fn whole_millis(number: Number, name: &str) -> Result<i64> {
    let millis = match number {
        Number::Double(number) => {
            let range = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;
            range.contains(&number).then(|| number.round() as i64)
        }
        Number::Decimal128(_) => {
            let whole = number.to_decimal().quantize(0, DecimalRounding::HalfEven);
            whole.to_i64().map(|(millis, _)| millis)
        }
        other => integer(other),
    };
    millis.ok_or_else(|| date_overflow(name))
}

fn widest_is_long(left: Number, right: Number) -> bool {
    matches!(left, Number::Int64(_)) || matches!(right, Number::Int64(_))
}

fn integer(number: Number) -> Option<i64> {
    match number {
        Number::Int32(number) => Some(i64::from(number)),
        Number::Int64(number) => Some(number),
        _ => None,
    }
}

/// A number as a decimal.
pub fn decimal(number: Number) -> Number {
    Number::Decimal128(number.to_decimal().to_bits())
}

fn is_decimal(number: Number) -> bool {
    matches!(number, Number::Decimal128(_))
}

fn narrow(result: i64, long: bool) -> Number {
    match i32::try_from(result) {
        Ok(small) if !long => Number::Int32(small),
        _ => Number::Int64(result),
    }
}

/// Adds two numbers.
pub fn add(left: Number, right: Number) -> Number {
    binary(left, right, Operation::Add, i64::checked_add, |a, b| a + b)
}

/// Subtracts two numbers.
pub fn subtract(left: Number, right: Number) -> Number {
    binary(
        left,
        right,
        Operation::Subtract,
        i64::checked_sub,
        |a, b| a - b,
    )
}

/// Multiplies two numbers.
pub fn multiply(left: Number, right: Number) -> Number {
    binary(
        left,
        right,
        Operation::Multiply,
        i64::checked_mul,
        |a, b| a * b,
    )
}

fn binary(
    left: Number,
    right: Number,
    operation: Operation,
    integers: fn(i64, i64) -> Option<i64>,
    doubles: fn(f64, f64) -> f64,
) -> Number {
    if is_decimal(left) || is_decimal(right) {
        return decimal::apply(operation, left, right);
    }
    if let (Some(a), Some(b)) = (integer(left), integer(right))
        && let Some(result) = integers(a, b)
    {
        return narrow(result, widest_is_long(left, right));
    }
    Number::Double(doubles(left.to_f64(), right.to_f64()))
}

/// Divides two numbers; integers divide as doubles.
pub fn divide(left: Number, right: Number) -> Result<Number> {
    if right.is_zero() {
        return Err(CommandError::new(Code::BadValue, "can't $divide by zero"));
    }
    if is_decimal(left) || is_decimal(right) {
        return Ok(decimal::apply(Operation::Divide, left, right));
    }
    Ok(Number::Double(left.to_f64() / right.to_f64()))
}

/// The remainder with the dividend's sign.
pub fn modulo(left: Number, right: Number) -> Result<Number> {
    if is_decimal(left) || is_decimal(right) {
        if right.is_zero() {
            return Err(error(5_733_415, "can't $mod by zero"));
        }
        return Ok(decimal::apply(Operation::Modulo, left, right));
    }
    if right.is_zero() {
        return Err(error(16610, "can't $mod by zero"));
    }
    match (integer(left), integer(right)) {
        (Some(a), Some(b)) => {
            let result = a.checked_rem(b).unwrap_or(0);
            Ok(narrow(result, widest_is_long(left, right)))
        }
        _ => Ok(Number::Double(left.to_f64() % right.to_f64())),
    }
}

/// The number of an operator of one number: `None` for null.
pub fn one_number(arguments: &[Value<'_>], name: &str) -> Result<Option<Number>> {
    let value = arguments[0].as_ref();
    if value.is_nullish() {
        return Ok(None);
    }
    match value.as_number() {
        Some(number) => Ok(Some(number)),
        None => Err(error(
            28765,
            format!(
                "{name} only supports numeric types, not {}",
                value.type_name()
            ),
        )),
    }
}

/// A number as a value.
pub fn value_of(number: Number) -> Value<'static> {
    Value::Borrowed(number.to_value())
}

/// An integer result whose type follows its operands: long when one of them was.
pub fn integer_result(result: i64, long: bool) -> Value<'static> {
    if long {
        Value::from(result)
    } else {
        int_or_long(result)
    }
}
