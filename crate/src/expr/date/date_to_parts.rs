//! `$dateToParts`: the parts of a date as a document.
//!
//! Follows the manual's "$dateToParts" page.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::{Form, Names, named_lazy};
use super::super::node::{Call, Result};
use super::calendar::{Parts, iso_week};
use super::instant::coerce;
use super::zone::Zone;
use crate::bson::{DocumentBuilder, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &["date", "timezone", "iso8601"],
    missing: &[40522],
    not_object: 40524,
    unknown: 40520,
};

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let date = call.argument(0, scope)?;
    let zone = Zone::of(call.argument(1, scope)?.as_ref(), call.has(1), scope.env)?;
    let iso = match call.argument(2, scope)?.as_ref() {
        _ if !call.has(2) => false,
        ValueRef::Boolean(iso) => iso,
        value if value.is_nullish() => return Ok(Value::NULL),
        other => {
            return Err(error(
                40521,
                format!(
                    "iso8601 must evaluate to a bool, found {}",
                    other.type_name()
                ),
            ));
        }
    };
    let Some(zone) = zone else {
        return Ok(Value::NULL);
    };
    if date.as_ref().is_nullish() {
        return Ok(Value::NULL);
    }
    let local = zone.to_local(coerce(date.as_ref())?, scope.env);
    let parts = Parts::of(local);
    let mut builder = DocumentBuilder::new();
    let mut append = |name: &str, part: i64| {
        builder.append(name, i32::try_from(part).unwrap_or(i32::MAX));
    };
    if iso {
        let (year, week, day) = iso_week(local);
        append("isoWeekYear", year);
        append("isoWeek", week);
        append("isoDayOfWeek", day);
    } else {
        append("year", parts.year);
        append("month", parts.month);
        append("day", parts.day);
    }
    append("hour", parts.hour);
    append("minute", parts.minute);
    append("second", parts.second);
    append("millisecond", parts.millisecond);
    Ok(Value::Document(builder.finish()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn gives_every_part() {
        evaluates(
            "{$dateToParts: {date: '$d'}}",
            "{d: Date(1615112430456)}",
            "{year: 2021, month: 3, day: 7, hour: 10, minute: 20, second: 30, millisecond: 456}",
        );
        evaluates(
            "{$dateToParts: {date: '$d', iso8601: true}}",
            "{d: Date(1615112430456)}",
            "{isoWeekYear: 2021, isoWeek: 9, isoDayOfWeek: 7, hour: 10, minute: 20, second: 30, millisecond: 456}",
        );
        evaluates("{$dateToParts: {date: '$q'}}", "{}", "null");
        fails(
            "{$dateToParts: {date: '$d', iso8601: 1}}",
            "{d: Date(0)}",
            40521,
        );
        fails("{$dateToParts: {}}", "{}", 40522);
    }
}
