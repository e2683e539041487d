//! `$convert`: a value in another type.
//!
//! Follows the manual's "$convert" page.

use super::super::arguments::{error, exact_i32};
use super::super::context::Scope;
use super::super::form::{Form, Names, named_lazy};
use super::super::node::{Call, Result};
use super::binary::{Format, Order, subtype};
use super::conversion::{Target, Writing, convert};
use crate::bson::{BsonType, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &[
        "input",
        "to",
        "onError",
        "onNull",
        "format",
        "byteOrder",
        "base",
    ],
    missing: &[9, 9],
    not_object: 9,
    unknown: 9,
};

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let to = call.argument(1, scope)?;
    let input = call.argument(0, scope)?;
    let to = match to.as_ref() {
        value if value.is_nullish() => None,
        value => Some(Given::of(value)?),
    };
    if input.as_ref().is_nullish() {
        return if call.has(3) {
            call.argument(3, scope)
        } else {
            Ok(Value::NULL)
        };
    }
    let Some(to) = to else {
        return Ok(Value::NULL);
    };
    let base = base(call.argument(6, scope)?.as_ref())?;
    let format = match call.has(4) {
        true => Format::parse(call.argument(4, scope)?.as_ref())?,
        false => None,
    };
    let order = Order::parse(call.argument(5, scope)?.as_ref())?;
    let target = to.target()?;
    let writing = Writing {
        format,
        order,
        base,
    };
    match convert(input.as_ref(), target, writing, scope.env) {
        Err(failure) if failure.code == 241 && call.has(2) => call.argument(2, scope),
        other => other,
    }
}

/// The target as it was given: a type, or `{type, subtype}`; other fields do not matter.
struct Given<'a> {
    to: BsonType,
    subtype: ValueRef<'a>,
}

impl<'a> Given<'a> {
    fn of(value: ValueRef<'a>) -> Result<Self> {
        let (to, subtype) = match value {
            ValueRef::Document(fields) => (fields.get("type"), fields.get("subtype")),
            value => (value, ValueRef::Missing),
        };
        Ok(Self {
            to: target_type(to)?,
            subtype,
        })
    }

    /// The target; its subtype is looked at only where there is something to convert.
    fn target(&self) -> Result<Target> {
        Ok(Target {
            to: self.to,
            subtype: match self.subtype {
                ValueRef::Missing => 0,
                given => subtype(given)?,
            },
        })
    }
}

/// The base of the digits of numbers; null is none.
fn base(value: ValueRef<'_>) -> Result<Option<u32>> {
    if value.is_nullish() {
        return Ok(None);
    }
    match value.as_exact_i64() {
        None => Err(error(
            3_501_300,
            "In $convert, 'base' argument is not an integer",
        )),
        Some(base @ (2 | 8 | 10 | 16)) => Ok(Some(base as u32)),
        Some(_) => Err(error(
            3_501_301,
            "In $convert, 'base' argument is not a valid base",
        )),
    }
}

fn target_type(value: ValueRef<'_>) -> Result<BsonType> {
    match value {
        ValueRef::String(text) if text == "missing" => Ok(BsonType::Missing),
        ValueRef::String(alias) => alias
            .to_str()
            .and_then(BsonType::from_alias)
            .ok_or_else(|| error(2, format!("Unknown type name: {alias}"))),
        value if value.as_number().is_none() => Err(error(
            9,
            format!(
                "$convert's 'to' argument must be a string or number, but is {}",
                value.type_name()
            ),
        )),
        value => {
            let Some(number) = exact_i32(value) else {
                return Err(error(
                    9,
                    "In $convert, numeric 'to' argument is not an integer",
                ));
            };
            // The least key's byte is no number of its type.
            let byte = match number {
                0 => return Ok(BsonType::Missing),
                -1 => Some(0xFF),
                0xFF => None,
                other => u8::try_from(other).ok(),
            };
            byte.and_then(BsonType::from_byte).ok_or_else(|| {
                error(
                    9,
                    format!(
                        "In $convert, numeric value for 'to' does not correspond to a BSON type: \
                         {number}"
                    ),
                )
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn converts() {
        evaluates("{$convert: {input: '12', to: 'int'}}", "{}", "12");
        evaluates("{$convert: {input: 1.9, to: 16}}", "{}", "1");
        evaluates(
            "{$convert: {input: 'x', to: 'int', onError: 'bad'}}",
            "{}",
            "'bad'",
        );
        evaluates("{$convert: {input: '$q', to: 'int', onNull: 0}}", "{}", "0");
        evaluates("{$convert: {input: 1, to: null}}", "{}", "null");
        fails("{$convert: {input: 'x', to: 'int'}}", "{}", 241);
        fails("{$convert: {input: 1, to: 'nope'}}", "{}", 2);
        fails("{$convert: {input: 1, to: 999}}", "{}", 9);
        fails("{$convert: {input: 1}}", "{}", 9);
    }
}
