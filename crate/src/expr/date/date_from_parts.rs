//! `$dateFromParts`: a date from its parts, which may lie outside their ranges.
//!
//! Follows the manual's "$dateFromParts" page.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::{Form, Names};
use super::super::node::{Call, Function, Node, Result, Style};
use super::calendar::{DAY, HOUR, MINUTE, SECOND, days, iso_year_start};
use super::zone::Zone;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &[
        "year",
        "month",
        "day",
        "isoWeekYear",
        "isoWeek",
        "isoDayOfWeek",
        "hour",
        "minute",
        "second",
        "millisecond",
        "timezone",
    ],
    missing: &[],
    not_object: 40519,
    unknown: 40518,
};

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let parts = NAMES.split(name, argument)?;
    let given = |range: std::ops::Range<usize>| parts[range].iter().any(|part| !part.is_missing());
    if !given(0..1) && !given(3..4) {
        return Err(error(
            40516,
            "$dateFromParts requires either 'year' or 'isoWeekYear' to be present",
        ));
    }
    if given(0..1) && given(3..6) {
        return Err(error(
            40489,
            "$dateFromParts does not allow mixing natural dates with ISO dates",
        ));
    }
    if given(3..4) && given(0..3) {
        return Err(error(
            40525,
            "$dateFromParts does not allow mixing ISO dates with natural dates",
        ));
    }
    let arguments = NAMES.compile(name, argument, compiler)?;
    let style = Style::Named(NAMES.names);
    Ok(compiler.finish(Call::new(name, style, Function::Lazy(evaluate), arguments)))
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let zone = Zone::of(call.argument(10, scope)?.as_ref(), call.has(10), scope.env)?;
    let mut numbers = [1970, 1, 1, 1970, 1, 1, 0, 0, 0, 0];
    let mut null = zone.is_none();
    for (position, number) in numbers.iter_mut().enumerate() {
        if !call.has(position) {
            continue;
        }
        let value = call.argument(position, scope)?;
        let name = NAMES.names[position];
        match value.as_ref() {
            value if value.is_nullish() => null = true,
            value => *number = part(value, position, name)?,
        }
    }
    let Some(zone) = zone.filter(|_| !null) else {
        return Ok(Value::NULL);
    };
    let [
        year,
        month,
        day,
        iso_year,
        iso_week,
        iso_day,
        hour,
        minute,
        second,
        millisecond,
    ] = numbers;
    let date = if call.has(0) {
        check_year(year, 40523, "year")?;
        days(year, month, 1) + day - 1
    } else {
        check_year(iso_year, 31095, "isoWeekYear")?;
        iso_year_start(iso_year) + (iso_week - 1) * 7 + iso_day - 1
    };
    let local = (hour * HOUR + minute * MINUTE)
        .checked_add(second.saturating_mul(SECOND))
        .and_then(|time| time.checked_add(millisecond))
        .and_then(|time| time.checked_add(date * DAY))
        .ok_or_else(|| error(15, "$dateFromParts overflowed the date"))?;
    Ok(Value::Borrowed(ValueRef::DateTime(
        zone.to_utc(local, scope.env),
    )))
}

fn part(value: ValueRef<'_>, position: usize, name: &str) -> Result<i64> {
    let Some(number) = value.as_exact_i64() else {
        return Err(error(
            40515,
            format!(
                "'{name}' must evaluate to an integer, found {}",
                value.type_name()
            ),
        ));
    };
    // Years are checked apart; seconds and milliseconds may be any number.
    let bounded = !matches!(position, 0 | 3 | 8 | 9);
    if bounded && i16::try_from(number).is_err() {
        return Err(error(
            31034,
            format!(
                "'{name}' must evaluate to a value in the range [-32768, 32767]; value {number} \
                 is not in range"
            ),
        ));
    }
    Ok(number)
}

fn check_year(year: i64, code: i32, name: &str) -> Result<()> {
    if (1..=9999).contains(&year) {
        return Ok(());
    }
    Err(error(
        code,
        format!("'{name}' must evaluate to an integer in the range 1 to 9999, found {year}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn carries_over() {
        evaluates(
            "{$dateFromParts: {year: 2021, month: 3, day: 7, hour: 10, minute: 20, second: 30, millisecond: 456}}",
            "{}",
            "Date(1615112430456)",
        );
        evaluates(
            "{$dateFromParts: {year: 2017, month: 14, day: 1}}",
            "{}",
            "Date(1517443200000)",
        );
        evaluates(
            "{$dateFromParts: {isoWeekYear: 2017, isoWeek: 6, isoDayOfWeek: 4, hour: 12}}",
            "{}",
            "Date(1486641600000)",
        );
        evaluates(
            "{$dateFromParts: {year: 2021, timezone: '+01:00'}}",
            "{}",
            "Date(1609455600000)",
        );
        evaluates("{$dateFromParts: {year: '$q'}}", "{}", "null");
        fails("{$dateFromParts: {month: 1}}", "{}", 40516);
        fails("{$dateFromParts: {year: 0}}", "{}", 40523);
        fails("{$dateFromParts: {year: 2021, month: 1.5}}", "{}", 40515);
        fails("{$dateFromParts: {year: 2021, month: 99999}}", "{}", 31034);
        fails("{$dateFromParts: {year: 2021, isoWeek: 1}}", "{}", 40489);
    }
}
