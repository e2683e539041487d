//! Date arithmetic, shared by `$dateAdd` and `$dateSubtract`.
//!
//! Invariant: days and longer units keep the wall clock of the zone; a month's day that does not
//! exist becomes the month's last.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::Names;
use super::super::node::{Call, Result};
use super::calendar::{DAY, Parts, days, month_length};
use super::instant::instant;
use super::unit::Unit;
use super::zone::Zone;
use crate::bson::{Value, ValueRef};

/// The arguments of both operators.
pub const NAMES: Names = Names {
    names: &["startDate", "unit", "amount", "timezone"],
    missing: &[5_166_402, 5_166_402, 5_166_402],
    not_object: 5_166_400,
    unknown: 5_166_401,
};

/// Evaluates either operator.
pub fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>, sign: i64) -> Result<Value<'v>> {
    let name = call.name;
    let start = call.argument(0, scope)?;
    let unit = call.argument(1, scope)?;
    let amount = call.argument(2, scope)?;
    let zone = Zone::of(call.argument(3, scope)?.as_ref(), call.has(3), scope.env)?;
    let nullish = [&start, &unit, &amount];
    let Some(zone) = zone.filter(|_| !nullish.iter().any(|value| value.as_ref().is_nullish()))
    else {
        return Ok(Value::NULL);
    };
    let Some(start) = instant(start.as_ref()) else {
        return Err(error(
            5_166_403,
            format!("{name} requires startDate to be convertible to a date"),
        ));
    };
    let unit = Unit::argument(unit.as_ref(), name)?;
    let Some(amount) = amount.as_ref().as_exact_i64() else {
        return Err(error(
            5_166_405,
            format!("{name} expects integer amount of time units"),
        ));
    };
    let code = match unit {
        Unit::Months(_) => 5_976_500,
        _ => 5_166_406,
    };
    let overflow = || error(code, format!("{name} overflowed the date"));
    let amount = amount.checked_mul(sign).ok_or_else(overflow)?;
    let result = match unit {
        Unit::Fixed(length) => amount
            .checked_mul(length)
            .and_then(|millis| start.checked_add(millis)),
        unit => add_local(zone.to_local(start, scope.env), unit, amount)
            .map(|local| zone.to_utc(local, scope.env)),
    };
    Ok(Value::Borrowed(ValueRef::DateTime(
        result.ok_or_else(overflow)?,
    )))
}

/// A local time moved by so many units; `None` beyond 64 bits.
pub fn add_local(local: i64, unit: Unit, amount: i64) -> Option<i64> {
    let Unit::Months(count) = unit else {
        return amount.checked_mul(unit.length())?.checked_add(local);
    };
    let parts = Parts::of(local);
    let months = amount.checked_mul(count)?;
    // Beyond this no date of 64 bits lies, and the calendar's own arithmetic could overflow.
    if months.abs() > 12 * 300_000_000 {
        return None;
    }
    let month = parts.month + months;
    let day = parts.day.min(month_length(parts.year, month));
    days(parts.year, month, day)
        .checked_mul(DAY)?
        .checked_add(local.rem_euclid(DAY))
}
