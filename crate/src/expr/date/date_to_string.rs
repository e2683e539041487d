//! `$dateToString`: a date as text by a format.
//!
//! Follows the manual's "$dateToString" page.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::{Form, Names, named_lazy};
use super::super::node::{Call, Result};
use super::zone::Zone;
use super::{format, instant::coerce};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &["date", "format", "timezone", "onNull"],
    missing: &[18628],
    not_object: 18629,
    unknown: 18534,
};

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let date = call.argument(0, scope)?;
    let pattern = call.argument(1, scope)?;
    match pattern.as_ref() {
        ValueRef::String(pattern) => format::check(pattern.checked()?, format::WRITTEN)?,
        value if value.is_nullish() => {}
        other => {
            return Err(error(
                18533,
                format!(
                    "$dateToString requires that 'format' be a string, found: {}",
                    other.type_name()
                ),
            ));
        }
    }
    let zone = Zone::of(call.argument(2, scope)?.as_ref(), call.has(2), scope.env)?;
    if date.as_ref().is_nullish() {
        return if call.has(3) {
            call.argument(3, scope)
        } else {
            Ok(Value::NULL)
        };
    }
    let Some(zone) = zone else {
        return Ok(Value::NULL);
    };
    let pattern = match pattern.as_ref() {
        ValueRef::String(pattern) => pattern.checked()?,
        _ if call.has(1) => return Ok(Value::NULL),
        _ if zone.is_utc() => "%Y-%m-%dT%H:%M:%S.%LZ",
        _ => "%Y-%m-%dT%H:%M:%S.%L",
    };
    let instant = coerce(date.as_ref())?;
    let offset = zone.offset_seconds(instant, scope.env);
    let mut text = String::new();
    format::write(pattern, instant + offset * 1000, offset, &mut text)?;
    Ok(Value::from(text))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn formats() {
        evaluates(
            "{$dateToString: {date: '$d'}}",
            "{d: Date(1615112430456)}",
            "'2021-03-07T10:20:30.456Z'",
        );
        evaluates(
            "{$dateToString: {date: '$d', format: '%Y/%m/%d %H:%M:%S.%L %j %u %w %U %V %G %z %Z %b %B %%', timezone: '-0330'}}",
            "{d: Date(1615112430456)}",
            "'2021/03/07 06:50:30.456 066 7 1 10 09 2021 -0330 -210 Mar March %'",
        );
        evaluates(
            "{$dateToString: {date: '$q', onNull: 'none'}}",
            "{}",
            "'none'",
        );
        evaluates("{$dateToString: {date: '$q'}}", "{}", "null");
        fails(
            "{$dateToString: {date: '$d', format: '%q'}}",
            "{d: Date(0)}",
            18536,
        );
        fails(
            "{$dateToString: {date: '$d', format: '%'}}",
            "{d: Date(0)}",
            18535,
        );
        fails("{$dateToString: {format: '%Y'}}", "{}", 18628);
        fails("{$dateToString: {date: 5}}", "{}", 16006);
    }
}
