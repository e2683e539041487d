//! Dates as text by a format string.
//!
//! Follows the format specifiers of the manual's "$dateToString" page.

use super::super::arguments::error;
use super::super::node::Result;
use super::calendar::{DAY, Parts, day_of_year, iso_week, week, weekday};

pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// ISO 8601 in UTC, with milliseconds.
pub const ISO: &str = "%Y-%m-%dT%H:%M:%S.%LZ";

/// The specifiers that dates are written by.
pub const WRITTEN: &str = "dGHjLmMSuUVwYzZbB%";
/// The specifiers that dates are read by.
pub const READ: &str = "dGHjLmMSuVYzZbB%";

/// Refuses format strings with other specifiers.
pub fn check(format: &str, specifiers: &str) -> Result<()> {
    let mut characters = format.chars();
    while let Some(c) = characters.next() {
        if c != '%' {
            continue;
        }
        match characters.next() {
            None => return Err(error(18535, "Unmatched '%' at end of format string")),
            Some(c) if specifiers.contains(c) => {}
            Some(c) => {
                return Err(error(
                    18536,
                    format!("Invalid format character '%{c}' in format string"),
                ));
            }
        }
    }
    Ok(())
}

/// Appends a local time by a format; `offset` is the zone's seconds east of UTC.
pub fn write(format: &str, local: i64, offset: i64, text: &mut String) -> Result<()> {
    let parts = Parts::of(local);
    let mut characters = format.chars();
    while let Some(c) = characters.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        match characters.next() {
            Some('Y') => year(parts.year, text)?,
            Some('G') => year(iso_week(local).0, text)?,
            Some('m') => pad(parts.month, 2, text),
            Some('d') => pad(parts.day, 2, text),
            Some('H') => pad(parts.hour, 2, text),
            Some('M') => pad(parts.minute, 2, text),
            Some('S') => pad(parts.second, 2, text),
            Some('L') => pad(parts.millisecond, 3, text),
            Some('j') => pad(day_of_year(local), 3, text),
            Some('u') => pad(iso_week(local).2, 1, text),
            Some('w') => pad(weekday(local.div_euclid(DAY)) + 1, 1, text),
            Some('U') => pad(week(local), 2, text),
            Some('V') => pad(iso_week(local).1, 2, text),
            Some('b') => text.push_str(&month_name(parts.month)[..3]),
            Some('B') => text.push_str(month_name(parts.month)),
            Some('z') => {
                text.push(if offset < 0 { '-' } else { '+' });
                pad(offset.abs() / 3600, 2, text);
                pad(offset.abs() / 60 % 60, 2, text);
            }
            Some('Z') => {
                if offset < 0 {
                    text.push('-');
                }
                pad(offset.abs() / 60, 1, text);
            }
            Some(other) => text.push(other),
            None => {}
        }
    }
    Ok(())
}

fn month_name(month: i64) -> &'static str {
    MONTHS
        .get((month - 1).unsigned_abs() as usize)
        .copied()
        .unwrap_or("January")
}

fn year(year: i64, text: &mut String) -> Result<()> {
    if !(0..=9999).contains(&year) {
        return Err(error(
            18537,
            format!("$dateToString is only defined on year 0-9999, tried to use year {year}"),
        ));
    }
    pad(year, 4, text);
    Ok(())
}

fn pad(number: i64, width: usize, text: &mut String) {
    let digits = number.unsigned_abs().to_string();
    if number < 0 {
        text.push('-');
    }
    for _ in digits.len()..width {
        text.push('0');
    }
    text.push_str(&digits);
}
