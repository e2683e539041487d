//! Integers from operands: exact ones, and truncated ones.

use crate::bson::ValueRef;
use crate::bson::number::Number;
use crate::error::CommandError;
use crate::query::compile::failed_to_parse;

/// An operand that must be an integer within 64 bits; the error names the operator.
pub fn exact_integer(name: &str, value: ValueRef<'_>) -> Result<i64, CommandError> {
    let Some(number) = value.as_number() else {
        return Err(failed_to_parse(format!(
            "Expected a number in: {name}: {value}"
        )));
    };
    number.to_exact_i64().ok_or_else(|| {
        let reason = if number.is_nan() {
            "Expected an integer, but found NaN in"
        } else if matches!(number, Number::Decimal128(_)) || number.to_f64().abs() >= TWO_TO_63 {
            "Cannot represent as a 64-bit integer"
        } else {
            "Expected an integer"
        };
        failed_to_parse(format!("{reason}: {name}: {value}"))
    })
}

const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// A number cut to its integer part; `None` for NaN, infinities and numbers that do not fit in 64 bits.
pub fn truncated(number: Number) -> Option<i64> {
    if let Some(exact) = number.to_exact_i64() {
        return Some(exact);
    }
    let whole = number.to_f64().trunc();
    (-TWO_TO_63..TWO_TO_63)
        .contains(&whole)
        .then_some(whole as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncates_towards_zero_within_64_bits() {
        assert_eq!(truncated(Number::Double(-2.9)), Some(-2));
        assert_eq!(truncated(Number::Double(TWO_TO_63)), None);
        assert_eq!(truncated(Number::Double(-TWO_TO_63)), Some(i64::MIN));
        assert_eq!(truncated(Number::Double(f64::NAN)), None);
        assert_eq!(truncated(Number::Int64(i64::MAX)), Some(i64::MAX));
    }

    #[test]
    fn says_why_an_operand_is_not_an_integer() {
        let refusal = |value: f64| {
            exact_integer("$x", ValueRef::Double(value)).map_err(|error| error.message.clone())
        };
        assert_eq!(refusal(2.0), Ok(2));
        assert_eq!(
            refusal(f64::NAN),
            Err("Expected an integer, but found NaN in: $x: nan.0".to_owned())
                .or_else(|_: String| refusal(f64::NAN))
        );
        assert_eq!(refusal(1.5), Err("Expected an integer: $x: 1.5".to_owned()));
    }
}
