//! `$dateDiff`: how many boundaries of a unit lie between two dates, as a long.
//!
//! Follows the manual's "$dateDiff" page.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::{Form, Names, named_lazy};
use super::super::node::{Call, Result};
use super::calendar::{DAY, Parts};
use super::instant::instant;
use super::unit::{Unit, start_of_week};
use super::zone::Zone;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &["startDate", "endDate", "unit", "timezone", "startOfWeek"],
    missing: &[5_166_303, 5_166_304, 5_166_305],
    not_object: 5_166_301,
    unknown: 5_166_302,
};

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let start = call.argument(0, scope)?;
    let end = call.argument(1, scope)?;
    let unit = call.argument(2, scope)?;
    let week_start = call.argument(4, scope)?;
    let uses_week_start = call.has(4) && unit.as_ref().as_str() == Some("week");
    if [&start, &end, &unit]
        .iter()
        .any(|value| value.as_ref().is_nullish())
        || (uses_week_start && week_start.as_ref().is_nullish())
    {
        return Ok(Value::NULL);
    }
    let zone = Zone::of(call.argument(3, scope)?.as_ref(), call.has(3), scope.env)?;
    let Some(zone) = zone else {
        return Ok(Value::NULL);
    };
    let start = date(start.as_ref(), "startDate")?;
    let end = date(end.as_ref(), "endDate")?;
    let unit = Unit::argument(unit.as_ref(), call.name)?;
    let first = if uses_week_start {
        start_of_week(week_start.as_ref(), call.name)?
    } else {
        0
    };
    let start_local = zone.to_local(start, scope.env);
    let end_local = zone.to_local(end, scope.env);
    let index = |local: i64| match unit {
        Unit::Months(count) => {
            let parts = Parts::of(local);
            (parts.year * 12 + parts.month - 1).div_euclid(count)
        }
        // The epoch was a Thursday, day 4 of a week that begins on Sunday.
        Unit::Week => (local.div_euclid(DAY) + 4 - first).div_euclid(7),
        unit => local.div_euclid(unit.length()),
    };
    let difference = match unit {
        // Short units count real time: the zone's offset only shifts where an hour begins.
        Unit::Fixed(_) => {
            let shift = start_local - start;
            index(end.saturating_add(shift)) - index(start_local)
        }
        _ => index(end_local) - index(start_local),
    };
    Ok(Value::from(difference))
}

fn date(value: ValueRef<'_>, name: &str) -> Result<i64> {
    instant(value).ok_or_else(|| {
        error(
            5_166_307,
            format!(
                "$dateDiff requires '{name}' to be a date, but got {}",
                value.type_name()
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_boundaries() {
        evaluates(
            "{$dateDiff: {startDate: Date(82800000), endDate: Date(90000000), unit: 'day'}}",
            "{}",
            "NumberLong(1)",
        );
        evaluates(
            "{$dateDiff: {startDate: Date(0), endDate: Date(86399999), unit: 'hour'}}",
            "{}",
            "NumberLong(23)",
        );
        evaluates(
            "{$dateDiff: {startDate: Date(1609459199000), endDate: Date(1609459200000), unit: 'year'}}",
            "{}",
            "NumberLong(1)",
        );
        evaluates(
            "{$dateDiff: {startDate: Date(1609459199000), endDate: Date(1609459200000), unit: 'year', timezone: '+01:00'}}",
            "{}",
            "NumberLong(0)",
        );
        evaluates(
            "{$dateDiff: {startDate: Date(0), endDate: Date(345600000), unit: 'week'}}",
            "{}",
            "NumberLong(1)",
        );
        evaluates(
            "{$dateDiff: {startDate: Date(0), endDate: Date(345600000), unit: 'week', startOfWeek: 'mon'}}",
            "{}",
            "NumberLong(1)",
        );
        evaluates(
            "{$dateDiff: {startDate: Date(0), endDate: '$q', unit: 'week'}}",
            "{}",
            "null",
        );
        fails(
            "{$dateDiff: {startDate: 1, endDate: Date(0), unit: 'week'}}",
            "{}",
            5166307,
        );
        fails(
            "{$dateDiff: {startDate: Date(0), endDate: Date(0), unit: 'x'}}",
            "{}",
            9,
        );
    }
}
