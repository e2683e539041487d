//! `$dateTrunc`: a date cut down to a whole number of units.
//!
//! Follows the manual's "$dateTrunc" page: bins are counted from the first moment of 2000.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::{Form, Names, named_lazy};
use super::super::node::{Call, Result};
use super::calendar::{DAY, Parts, days, weekday};
use super::instant::instant;
use super::unit::{Unit, start_of_week};
use super::zone::Zone;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &["date", "unit", "binSize", "timezone", "startOfWeek"],
    missing: &[5_439_009, 5_439_010],
    not_object: 5_439_007,
    unknown: 5_439_008,
};

/// The most months, quarters or years of a bin.
const MOST_BINS: i64 = 100_000_000_000;

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let date = call.argument(0, scope)?;
    let unit = call.argument(1, scope)?;
    let bin = call.argument(2, scope)?;
    let week_start = call.argument(4, scope)?;
    let uses_week_start = call.has(4) && unit.as_ref().as_str() == Some("week");
    if date.as_ref().is_nullish()
        || unit.as_ref().is_nullish()
        || (call.has(2) && bin.as_ref().is_nullish())
        || (uses_week_start && week_start.as_ref().is_nullish())
    {
        return Ok(Value::NULL);
    }
    let zone = Zone::of(call.argument(3, scope)?.as_ref(), call.has(3), scope.env)?;
    let Some(zone) = zone else {
        return Ok(Value::NULL);
    };
    let Some(date) = instant(date.as_ref()) else {
        return Err(error(
            5_166_307,
            format!(
                "$dateTrunc requires 'date' to be a date, but got {}",
                date.as_ref().type_name()
            ),
        ));
    };
    let unit = Unit::argument(unit.as_ref(), call.name)?;
    let size = if call.has(2) {
        bin_size(bin.as_ref())?
    } else {
        1
    };
    let first = if uses_week_start {
        start_of_week(week_start.as_ref(), call.name)?
    } else {
        0
    };
    let local = zone.to_local(date, scope.env);
    let reference = days(2000, 1, 1);
    let overflow = || error(5_439_005, "$dateTrunc overflowed the date");
    let truncated = match unit {
        Unit::Months(_) if size > MOST_BINS => {
            return Err(error(
                5_439_006,
                format!("$dateTrunc requires 'binSize' to be at most {MOST_BINS}, but got {size}"),
            ));
        }
        Unit::Months(count) => {
            let width = count.checked_mul(size).ok_or_else(overflow)?;
            let parts = Parts::of(local);
            let months = (parts.year - 2000) * 12 + parts.month - 1;
            let months = months.div_euclid(width) * width;
            zone.to_utc(days(2000, 1 + months, 1) * DAY, scope.env)
        }
        Unit::Fixed(length) => {
            let width = length.checked_mul(size).ok_or_else(|| {
                error(
                    5_439_002,
                    "$dateTrunc unsupported binSize value for its unit",
                )
            })?;
            let origin = zone.to_utc(reference * DAY, scope.env);
            origin + (date - origin).div_euclid(width) * width
        }
        unit => {
            let width = unit.length().checked_mul(size).ok_or_else(overflow)?;
            let start = if unit == Unit::Week {
                reference + (first - weekday(reference)).rem_euclid(7)
            } else {
                reference
            } * DAY;
            zone.to_utc(start + (local - start).div_euclid(width) * width, scope.env)
        }
    };
    Ok(Value::Borrowed(ValueRef::DateTime(truncated)))
}

fn bin_size(value: ValueRef<'_>) -> Result<i64> {
    match value.as_exact_i64() {
        Some(size) if size > 0 => Ok(size),
        Some(size) => Err(error(
            5_439_018,
            format!("$dateTrunc requires 'binSize' to be greater than 0, but got value {size}"),
        )),
        None => Err(error(
            5_439_017,
            format!(
                "$dateTrunc requires 'binSize' to be a 64-bit integer, but got value of type {}",
                value.type_name()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn cuts_to_bins() {
        evaluates(
            "{$dateTrunc: {date: Date(1615112430456), unit: 'hour'}}",
            "{}",
            "Date(1615111200000)",
        );
        evaluates(
            "{$dateTrunc: {date: Date(1615112430456), unit: 'month'}}",
            "{}",
            "Date(1614556800000)",
        );
        evaluates(
            "{$dateTrunc: {date: Date(1615112430456), unit: 'quarter'}}",
            "{}",
            "Date(1609459200000)",
        );
        evaluates(
            "{$dateTrunc: {date: Date(1615112430456), unit: 'week', startOfWeek: 'monday'}}",
            "{}",
            "Date(1614556800000)",
        );
        evaluates(
            "{$dateTrunc: {date: Date(1615112430456), unit: 'day', timezone: '+05:00'}}",
            "{}",
            "Date(1615057200000)",
        );
        evaluates(
            "{$dateTrunc: {date: Date(1615112430456), unit: 'minute', binSize: 15}}",
            "{}",
            "Date(1615112100000)",
        );
        evaluates("{$dateTrunc: {date: null, unit: 'day'}}", "{}", "null");
        fails("{$dateTrunc: {date: 1, unit: 'day'}}", "{}", 5166307);
        let too_wide = "{$dateTrunc: {date: Date(0), unit: 'year', binSize: 100000000001.0}}";
        fails(too_wide, "{}", 5439006);
        let too_wide = "{$dateTrunc: {date: Date(0), unit: 'hour', binSize: 2562047788016999.0}}";
        fails(too_wide, "{}", 5439002);
        fails("{$dateTrunc: {date: Date(0), unit: 'days'}}", "{}", 9);
        fails(
            "{$dateTrunc: {date: Date(0), unit: 'day', binSize: 0}}",
            "{}",
            5439018,
        );
    }
}
