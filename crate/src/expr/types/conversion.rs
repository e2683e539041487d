//! Conversions between types, shared by `$convert` and its shorthands.
//!
//! Follows the tables of the manual's "$convert" page. Invariant: every refusal of a value has code
//! 241, so that `onError` can catch it.

use super::super::arguments::error;
use super::super::date::date_from_string::read;
use super::super::date::instant::instant;
use super::super::date::zone::Zone;
use super::super::node::Result;
use super::super::string::text::{number_or_date, short_double};
use super::binary::{self, Format, Order};
use super::{json_text, vector};
use crate::algorithms::hexadecimal;
use crate::bson::{BsonType, Decimal, Number, Unreadable, Value, ValueRef, float};
use crate::env::Env;
use crate::error::{Code, CommandError};
use std::num::IntErrorKind;

/// An error of a value, which `onError` catches.
pub fn failure(reason: impl Into<String>) -> CommandError {
    error(Code::ConversionFailure as i32, reason)
}

/// The type that a value is converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    pub to: BsonType,
    /// The subtype, of binary targets.
    pub subtype: u8,
}

/// How the other side of a conversion with bytes is written.
#[derive(Debug, Clone, Copy)]
pub struct Writing {
    /// Of text, which conversions of it ask for.
    pub format: Option<Format>,
    /// Of numbers.
    pub order: Order,
    /// The base of the digits of a whole number's text; `None` for decimal text of any number.
    pub base: Option<u32>,
}

impl Writing {
    /// Of a shorthand, which takes no order.
    pub fn of(format: Format) -> Self {
        Self {
            format: Some(format),
            order: Order::Little,
            base: None,
        }
    }
}

/// The types whose values stay as they are when they are converted to their own type.
const KEPT: &[BsonType] = &[
    BsonType::Double,
    BsonType::String,
    BsonType::ObjectId,
    BsonType::DateTime,
    BsonType::Int32,
    BsonType::Int64,
    BsonType::Decimal128,
];

/// Converts a value that is not null.
pub fn convert(
    value: ValueRef<'_>,
    target: Target,
    writing: Writing,
    env: &dyn Env,
) -> Result<Value<'static>> {
    let to = target.to;
    if to == BsonType::Boolean {
        return Ok(Value::from(value.is_truthy()));
    }
    match (value, to) {
        (ValueRef::Binary { subtype, bytes }, BsonType::Binary) => {
            return binary::keep(subtype, bytes, target.subtype);
        }
        (ValueRef::Binary { subtype, bytes }, BsonType::String) => {
            let format = Format::required(writing.format, "binData", "string")?;
            return binary::to_text(subtype, bytes, format);
        }
        (ValueRef::String(text), BsonType::Binary) => {
            let format = Format::required(writing.format, "string", "binData")?;
            return binary::from_text(text, format, target.subtype);
        }
        (ValueRef::Binary { bytes, .. }, BsonType::Double | BsonType::Int32 | BsonType::Int64) => {
            return from_bytes(bytes, to, writing.order);
        }
        (ValueRef::Binary { subtype, bytes }, BsonType::Array) if subtype == vector::VECTOR => {
            return vector::to_array(bytes, writing.order);
        }
        (ValueRef::Array(items), BsonType::Binary) => {
            return vector::from_array(items, writing.order);
        }
        (ValueRef::String(text), BsonType::Array | BsonType::Document) => {
            return json_text::read(text, to, env);
        }
        (value, BsonType::String)
            if let (Some(base), Some(number)) = (writing.base, value.as_number()) =>
        {
            return in_base(number, base);
        }
        (
            ValueRef::String(text),
            BsonType::Double | BsonType::Int32 | BsonType::Int64 | BsonType::Decimal128,
        ) if let Some(base) = writing.base => {
            let number = parse_integer(&text.lossy(), base)?;
            return convert(ValueRef::Int64(number), target, writing, env);
        }
        (value, to) if value.bson_type() == to && KEPT.contains(&to) => return Ok(value.to_value()),
        _ => {}
    }
    let unsupported = || {
        failure(format!(
            "Unsupported conversion from {} to {} in $convert with no onError value",
            value.type_name(),
            to.alias()
        ))
    };
    match to {
        BsonType::Double => to_double(value),
        BsonType::Decimal128 => to_decimal(value),
        BsonType::Int32 => match to_integer(value)? {
            Some(number) => match i32::try_from(number) {
                Ok(number) => Ok(Some(Value::from(number))),
                Err(_) => Err(too_large(value)),
            },
            None => Ok(None),
        },
        BsonType::Int64 if matches!(value, ValueRef::DateTime(_)) => {
            Ok(instant(value).map(Value::from))
        }
        BsonType::Int64 => Ok(to_integer(value)?.map(Value::from)),
        BsonType::String => return to_text(value, env),
        BsonType::ObjectId => to_object_id(value),
        BsonType::DateTime => to_date(value, env),
        BsonType::Binary => Ok(binary::from_number(value, writing.order, target.subtype)),
        _ => Ok(None),
    }?
    .ok_or_else(unsupported)
}

/// A number from its bytes.
fn from_bytes(bytes: &[u8], to: BsonType, order: Order) -> Result<Value<'static>> {
    let number = match to {
        BsonType::Double => binary::to_double(bytes, order).map(Value::from),
        BsonType::Int32 => binary::to_integer(bytes, order)
            .filter(|_| bytes.len() <= 4)
            .and_then(|number| i32::try_from(number).ok())
            .map(Value::from),
        _ => binary::to_integer(bytes, order).map(Value::from),
    };
    number.ok_or_else(|| {
        failure(format!(
            "Failed to convert BinData to {} in $convert with no onError value: {} bytes are no such number",
            to.alias(),
            bytes.len()
        ))
    })
}

/// The refusal of a number that the target has no room for. The server names doubles and decimals, and no integers.
fn too_large(value: ValueRef<'_>) -> CommandError {
    let named = match value {
        ValueRef::String(text) => return unparsable(&text.lossy(), "Overflow"),
        ValueRef::Double(number) => short_double(number),
        ValueRef::Decimal128(number) => Decimal::from_bits(number).to_string(),
        _ => String::new(),
    };
    failure(format!(
        "Conversion would overflow target type in $convert with no onError value: {named}"
    ))
}

fn to_double(value: ValueRef<'_>) -> Result<Option<Value<'static>>> {
    Ok(Some(Value::from(match value {
        ValueRef::Boolean(flag) => f64::from(u8::from(flag)),
        ValueRef::DateTime(millis) => millis as f64,
        ValueRef::String(text) => parse_double(&text.lossy())?,
        other => match other.as_number() {
            Some(number) => {
                let double = number.to_f64();
                if let Number::Decimal128(decimal) = number
                    && double.is_infinite()
                    && matches!(Decimal::from_bits(decimal), Decimal::Finite { .. })
                {
                    return Err(too_large(value));
                }
                double
            }
            None => return Ok(None),
        },
    })))
}

fn to_decimal(value: ValueRef<'_>) -> Result<Option<Value<'static>>> {
    let decimal = match value {
        ValueRef::Boolean(flag) => Decimal::from_i64(i64::from(flag)),
        ValueRef::DateTime(millis) => Decimal::from_i64(millis),
        ValueRef::String(text) => parse_decimal(&text.lossy())?,
        other => match other.as_number() {
            Some(number) => number.to_decimal(),
            None => return Ok(None),
        },
    };
    Ok(Some(Value::from(decimal.to_bits())))
}

fn unparsable(text: &str, reason: &str) -> CommandError {
    failure(format!(
        "Failed to parse number '{text}' in $convert with no onError value: {reason}"
    ))
}

fn check_not_hexadecimal(text: &str) -> Result<()> {
    if text.starts_with("0x") {
        return Err(failure(format!(
            "Illegal hexadecimal input in $convert with no onError value: {text}"
        )));
    }
    Ok(())
}

fn parse_decimal(text: &str) -> Result<Decimal> {
    check_not_hexadecimal(text)?;
    let refuse = |reason| Err(unparsable(text, reason));
    match Decimal::parse_exactly(text) {
        Ok(decimal) => Ok(decimal),
        Err(_) if text.is_empty() => refuse("Empty string"),
        Err(Unreadable::NoNumber) => refuse("Failed to parse string to decimal"),
        Err(Unreadable::TooLarge) => refuse("Conversion from string to decimal would overflow"),
        Err(Unreadable::TooSmall) => refuse("Conversion from string to decimal would underflow"),
    }
}

fn parse_double(text: &str) -> Result<f64> {
    check_not_hexadecimal(text)?;
    if let Some(numeral) = float::parse_numeral(text) {
        let number = numeral.to_double();
        let is_zero = numeral.coefficient == 0;
        // The server's library reads no number that loses digits for being small.
        return match is_zero || number.is_normal() {
            true => Ok(number),
            false => Err(unparsable(text, "Out of range")),
        };
    }
    match text.to_ascii_lowercase().as_str() {
        "nan" | "+nan" | "-nan" => Ok(f64::NAN),
        "inf" | "infinity" | "+inf" | "+infinity" => Ok(f64::INFINITY),
        "-inf" | "-infinity" => Ok(f64::NEG_INFINITY),
        _ => Err(unparsable(text, no_double(text))),
    }
}

/// Why a text is no double.
fn no_double(text: &str) -> &'static str {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let unsigned = unsigned.to_ascii_lowercase();
    let digits = unsigned.strip_prefix('.').unwrap_or(&unsigned);
    let begins_with_number = digits.starts_with(|c: char| c.is_ascii_digit())
        || ["inf", "nan"].iter().any(|word| unsigned.starts_with(word));
    match text.chars().next() {
        None => "Empty string",
        Some(first) if first.is_ascii_whitespace() || first == '\u{b}' => "Leading whitespace",
        _ if begins_with_number => "Did not consume whole string.",
        _ => "Did not consume any digits",
    }
}

fn parse_integer(text: &str, base: u32) -> Result<i64> {
    check_not_hexadecimal(text)?;
    i64::from_str_radix(text, base).map_err(|fault| {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let reason = match fault.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "Overflow",
            _ if digits.is_empty() => "No digits",
            _ => "Did not consume whole string.",
        };
        unparsable(text, reason)
    })
}

/// The text of a whole number in a base.
fn in_base(number: Number, base: u32) -> Result<Value<'static>> {
    let Some(whole) = number.to_exact_i64() else {
        let reason = match number.to_f64().fract() == 0.0 {
            true => {
                "Magnitude of the number provided for base conversion is too large in $convert with no onError value: "
            }
            false => {
                "Base conversion is not supported for non-integers in $convert with no onError value: "
            }
        };
        return Err(failure(reason));
    };
    let mut rest = whole.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        let digit = char::from_digit((rest % u64::from(base)) as u32, base);
        digits.extend(digit.map(|digit| digit.to_ascii_uppercase()));
        rest /= u64::from(base);
        if rest == 0 {
            break;
        }
    }
    if whole < 0 {
        digits.push('-');
    }
    Ok(Value::from(digits.iter().rev().collect::<String>()))
}

/// The integer part; `None` for types that have none.
fn to_integer(value: ValueRef<'_>) -> Result<Option<i64>> {
    let number = match value {
        ValueRef::Boolean(flag) => return Ok(Some(i64::from(flag))),
        ValueRef::String(text) => return parse_integer(&text.lossy(), 10).map(Some),
        other => match other.as_number() {
            Some(number) => number,
            None => return Ok(None),
        },
    };
    let finite = |infinite: bool| match infinite {
        true => failure(
            "Attempt to convert infinity value to integer type in $convert with no onError value",
        ),
        false => too_large(value),
    };
    if number.is_nan() {
        return Err(failure(
            "Attempt to convert NaN value to integer type in $convert with no onError value",
        ));
    }
    match number {
        Number::Int32(number) => Ok(Some(i64::from(number))),
        Number::Int64(number) => Ok(Some(number)),
        Number::Double(number) => {
            let range = -9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0;
            if range.contains(&number) {
                Ok(Some(number as i64))
            } else {
                Err(finite(number.is_infinite()))
            }
        }
        Number::Decimal128(number) => {
            let decimal = Decimal::from_bits(number);
            match decimal.to_i64() {
                Some((whole, _)) => Ok(Some(whole)),
                None => Err(finite(matches!(decimal, Decimal::Infinity { .. }))),
            }
        }
    }
}

/// The text of any value: of a document or an array it is JSON.
pub fn to_text(value: ValueRef<'_>, env: &dyn Env) -> Result<Value<'static>> {
    Ok(match value {
        ValueRef::Boolean(flag) => Value::from(flag.to_string()),
        ValueRef::ObjectId(id) => Value::from(hexadecimal::to_text(&id)),
        ValueRef::String(text) | ValueRef::Symbol(text) | ValueRef::JavaScript(text) => {
            Value::String(text.as_bytes().into())
        }
        ValueRef::Binary { subtype, bytes } => binary::to_text(subtype, bytes, Format::Auto)?,
        ValueRef::Document(_) | ValueRef::Array(_) => json_text::write(value, env)?.into(),
        ValueRef::Regex { pattern, options } => format!("/{}/{options}", pattern.lossy()).into(),
        ValueRef::DbPointer { namespace, id } => {
            format!("DBRef(\"{namespace}\", {})", hexadecimal::to_text(&id)).into()
        }
        ValueRef::JavaScriptWithScope { code, scope } => {
            format!("CodeWScope(\"{}\", {scope})", code.lossy()).into()
        }
        other => match number_or_date(other)? {
            Some(text) => text.into(),
            None => other.to_string().into(),
        },
    })
}

fn to_object_id(value: ValueRef<'_>) -> Result<Option<Value<'static>>> {
    let ValueRef::String(text) = value else {
        return Ok(None);
    };
    let bytes = text.to_str().and_then(hexadecimal::parse_exact);
    match bytes {
        Some(id) => Ok(Some(Value::Borrowed(ValueRef::ObjectId(id)))),
        None => Err(failure(format!(
            "Failed to parse objectId '{text}' in $convert with no onError value: Invalid string \
             length for parsing to OID, expected 24 but found {}",
            text.len()
        ))),
    }
}

fn to_date(value: ValueRef<'_>, env: &dyn Env) -> Result<Option<Value<'static>>> {
    let millis = match value {
        ValueRef::String(text) => read(&text.lossy(), None, &Zone::Fixed(0), env)?,
        ValueRef::Int64(_) | ValueRef::Double(_) | ValueRef::Decimal128(_) => {
            match to_integer(value)? {
                Some(millis) => millis,
                None => return Ok(None),
            }
        }
        other => match instant(other) {
            Some(millis) => millis,
            None => return Ok(None),
        },
    };
    Ok(Some(Value::Borrowed(ValueRef::DateTime(millis))))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{TestEnv, evaluates, fails, value};
    use super::*;

    const WRITING: Writing = Writing {
        format: None,
        order: Order::Little,
        base: None,
    };

    fn refusal(input: &str, to: BsonType) -> String {
        let input = value(input);
        let target = Target { to, subtype: 0 };
        match convert(input.as_ref(), target, WRITING, &TestEnv) {
            Err(error) if error.code == 241 => error.message.clone(),
            other => panic!("not refused: {other:?}"),
        }
    }

    #[test]
    fn texts_that_are_no_number_are_told_apart() {
        for (text, to, reason) in [
            ("", BsonType::Int32, "No digits"),
            ("-", BsonType::Int64, "No digits"),
            ("x", BsonType::Int32, "Did not consume whole string."),
            (" 5", BsonType::Int32, "Did not consume whole string."),
            ("2147483648", BsonType::Int32, "Overflow"),
            ("9223372036854775808", BsonType::Int64, "Overflow"),
            ("", BsonType::Double, "Empty string"),
            (" 5", BsonType::Double, "Leading whitespace"),
            ("x", BsonType::Double, "Did not consume any digits"),
            ("5x", BsonType::Double, "Did not consume whole string."),
            ("1e400", BsonType::Double, "Out of range"),
            ("-1e400", BsonType::Double, "Out of range"),
            ("1e-400", BsonType::Double, "Out of range"),
            ("", BsonType::Decimal128, "Empty string"),
            (
                "x",
                BsonType::Decimal128,
                "Failed to parse string to decimal",
            ),
            (
                "1e7000",
                BsonType::Decimal128,
                "Conversion from string to decimal would overflow",
            ),
            (
                "1e-7000",
                BsonType::Decimal128,
                "Conversion from string to decimal would underflow",
            ),
        ] {
            let wanted = format!(
                "Failed to parse number '{text}' in $convert with no onError value: {reason}"
            );
            assert_eq!(refusal(&format!("'{text}'"), to), wanted);
        }
        evaluates(
            "{$convert: {input: '1e400', to: 'double', onError: 0}}",
            "{}",
            "0",
        );
        evaluates("{$toDouble: '-Infinity'}", "{}", "-Infinity");
        evaluates("{$toDouble: '0e-400'}", "{}", "0.0");
        evaluates("{$toDecimal: '1E-6176'}", "{}", "Decimal('1E-6176')");
    }

    #[test]
    fn numbers_have_bytes() {
        let there = |number: &str, order: &str| {
            format!("{{$convert: {{input: {number}, to: 'binData', byteOrder: '{order}'}}}}")
        };
        let back = |number: &str, order: &str, to: &str| {
            let bytes = there(number, order);
            format!("{{$convert: {{input: {bytes}, to: '{to}', byteOrder: '{order}'}}}}")
        };
        for order in ["little", "big"] {
            evaluates(&back("-5", order, "int"), "{}", "-5");
            evaluates(&back("NumberLong(7)", order, "long"), "{}", "NumberLong(7)");
            evaluates(&back("-5", order, "long"), "{}", "NumberLong(-5)");
            evaluates(&back("1.5", order, "double"), "{}", "1.5");
        }
        evaluates(
            "{$toString: {$convert: {input: 1, to: 'binData'}}}",
            "{}",
            "'AQAAAA=='",
        );
        evaluates(
            &format!("{{$toString: {}}}", there("1", "big")),
            "{}",
            "'AAAAAQ=='",
        );
        fails(&back("NumberLong(7)", "big", "int"), "{}", 241);
        fails(
            "{$convert: {input: 1, to: 'binData', byteOrder: 'middle'}}",
            "{}",
            9130002,
        );
        fails(
            "{$convert: {input: 1, to: 'binData', byteOrder: 5}}",
            "{}",
            9130001,
        );
        fails(
            "{$convert: {input: Decimal('1'), to: 'binData'}}",
            "{}",
            241,
        );
        let empty = "{$convert: {input: null, to: {type: 'binData', subtype: 999}, byteOrder: 5}}";
        evaluates(empty, "{}", "null");
    }

    #[test]
    fn numbers_have_digits_in_a_base() {
        let convert = |input: &str, to: &str, base: &str| {
            format!("{{$convert: {{input: {input}, to: '{to}', base: {base}}}}}")
        };
        for (number, base, digits) in [
            ("10", 2, "'1010'"),
            ("-10.0", 8, "'-12'"),
            ("NumberLong(0)", 10, "'0'"),
            ("Decimal('-10')", 16, "'-A'"),
            (
                "NumberLong(-9223372036854775808)",
                16,
                "'-8000000000000000'",
            ),
        ] {
            evaluates(&convert(number, "string", &base.to_string()), "{}", digits);
        }
        evaluates(&convert("'a'", "int", "16"), "{}", "10");
        evaluates(&convert("'-A'", "decimal", "16"), "{}", "Decimal('-10')");
        evaluates(&convert("'12'", "double", "8"), "{}", "10.0");
        evaluates(&convert("'12'", "long", "null"), "{}", "NumberLong(12)");
        evaluates(&convert("1.5", "double", "2"), "{}", "1.5");
        for (input, to, base) in [
            ("1.5", "string", "2"),
            ("1e20", "string", "2"),
            ("'2'", "int", "2"),
            ("'80000000'", "int", "16"),
            ("'8000000000000000'", "double", "16"),
            ("'0xA'", "long", "16"),
        ] {
            fails(&convert(input, to, base), "{}", 241);
        }
        fails(&convert("true", "bool", "2.5"), "{}", 3_501_300);
        fails(&convert("true", "bool", "3"), "{}", 3_501_301);
    }

    #[test]
    fn any_value_has_a_text() {
        evaluates(
            "{$convert: {input: {$literal: [1, {a: 'x'}]}, to: 'string'}}",
            "{}",
            r#"'[1,{"a":"x"}]'"#,
        );
        fails(
            "{$convert: {input: {$literal: [1]}, to: 'array'}}",
            "{}",
            241,
        );
    }

    #[test]
    fn overflows_name_the_value() {
        let message = |tail: &str| {
            format!(
                "Conversion would overflow target type in $convert with no onError value: {tail}"
            )
        };
        for (input, to, tail) in [
            ("1e20", BsonType::Int64, "1e+20"),
            ("3000000000.0", BsonType::Int32, "3e+09"),
            ("NumberLong(3000000000)", BsonType::Int32, ""),
            ("Decimal('3000000000')", BsonType::Int32, "3000000000"),
            ("Decimal('1E+30')", BsonType::Int64, "1E+30"),
            ("Decimal('1E+400')", BsonType::Double, "1E+400"),
            ("1e20", BsonType::DateTime, "1e+20"),
        ] {
            assert_eq!(refusal(input, to), message(tail));
        }
    }
}
