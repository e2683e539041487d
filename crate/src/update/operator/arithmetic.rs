//! The shared half of `$inc` and `$mul`: numbers that widen from int to long, and no further.

use super::super::errors::{bad_value, fail, id_text};
use super::{Argument, Change, Compiled, Operator, Place};
use crate::bson::{Number, Value, ValueRef, values_equal};
use crate::error::{Code, CommandError};

/// One of the two operators.
pub(super) struct Operation {
    pub(super) name: &'static str,
    /// The verb of messages, as in "Cannot increment with non-numeric argument".
    pub(super) verb: &'static str,
    pub(super) integers: fn(i64, i64) -> Option<i64>,
    pub(super) doubles: fn(f64, f64) -> f64,
    pub(super) decimals: fn(crate::bson::Decimal, crate::bson::Decimal) -> crate::bson::Decimal,
}

struct Arithmetic {
    operation: &'static Operation,
    operand: Number,
}

pub(super) fn compile(operation: &'static Operation, argument: &Argument<'_>) -> Compiled {
    match argument.value.as_number() {
        Some(operand) => Ok(Box::new(Arithmetic { operation, operand })),
        None => fail(
            Code::TypeMismatch,
            format!(
                "Cannot {} with non-numeric argument: {}",
                operation.verb,
                argument.text()
            ),
        ),
    }
}

fn integer(number: Number) -> Option<i64> {
    match number {
        Number::Int32(number) => Some(i64::from(number)),
        Number::Int64(number) => Some(number),
        _ => None,
    }
}

impl Arithmetic {
    /// `None` when a 64-bit integer overflows.
    fn compute(&self, current: Number) -> Option<Number> {
        let operand = self.operand;
        let is_decimal = |number| matches!(number, Number::Decimal128(_));
        if is_decimal(current) || is_decimal(operand) {
            let result = (self.operation.decimals)(current.to_decimal(), operand.to_decimal());
            return Some(Number::Decimal128(result.to_bits()));
        }
        let (Some(a), Some(b)) = (integer(current), integer(operand)) else {
            let result = (self.operation.doubles)(current.to_f64(), operand.to_f64());
            return Some(Number::Double(result));
        };
        let result = (self.operation.integers)(a, b)?;
        let narrow = matches!((current, operand), (Number::Int32(_), Number::Int32(_)));
        Some(match i32::try_from(result) {
            Ok(small) if narrow => Number::Int32(small),
            _ => Number::Int64(result),
        })
    }
}

/// Whether two numbers are the same in type and value: 0.0 and -0.0 are, 1.0 and 1.00 are, NaN never is.
fn identical(left: Number, right: Number) -> bool {
    match (left, right) {
        (Number::Int32(a), Number::Int32(b)) => a == b,
        (Number::Int64(a), Number::Int64(b)) => a == b,
        (Number::Double(a), Number::Double(b)) => a == b,
        (Number::Decimal128(_), Number::Decimal128(_)) => {
            !right.to_f64().is_nan() && values_equal(left.to_value(), right.to_value())
        }
        _ => false,
    }
}

impl Operator for Arithmetic {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let name = self.operation.name;
        let number = match current {
            // An absent field counts as zero, which an increment does not change the type of.
            ValueRef::Missing if name == "$inc" => {
                return Ok(Change::Set(Value::Borrowed(self.operand.to_value())));
            }
            ValueRef::Missing => Number::Int32(0),
            other => match other.as_number() {
                Some(number) => number,
                None => {
                    return fail(
                        Code::TypeMismatch,
                        format!(
                            "Cannot apply {name} to a value of non-numeric type. {{{}}} has the field '{}' of \
                             non-numeric type {}",
                            id_text(place.document),
                            place.path.rsplit('.').next().unwrap_or(""),
                            other.type_name()
                        ),
                    );
                }
            },
        };
        match self.compute(number) {
            Some(result) if !current.is_missing() && identical(result, number) => Ok(Change::Same),
            Some(result) => Ok(Change::Set(Value::Borrowed(result.to_value()))),
            None => Err(bad_value(format!(
                "Failed to apply {name} operations to current value ((NumberLong){}) for document {{{}}}",
                number.to_i64_saturating(),
                id_text(place.document)
            ))),
        }
    }
}
