//! The time units of date arithmetic and the days that begin a week.

use super::super::arguments::error;
use super::super::node::Result;
use super::calendar::{DAY, HOUR, MINUTE, SECOND};
use crate::bson::ValueRef;
use crate::error::{Code, CommandError};

/// A unit: months or a fixed length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A month, a quarter or a year, as its number of months: 1, 3 or 12.
    Months(i64),
    Week,
    Day,
    /// A unit of fixed length, up to an hour, as its milliseconds.
    Fixed(i64),
}

impl Unit {
    /// Reads a unit's name.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "year" => Self::Months(12),
            "quarter" => Self::Months(3),
            "month" => Self::Months(1),
            "week" => Self::Week,
            "day" => Self::Day,
            "hour" => Self::Fixed(HOUR),
            "minute" => Self::Fixed(MINUTE),
            "second" => Self::Fixed(SECOND),
            "millisecond" => Self::Fixed(1),
            _ => return None,
        })
    }

    /// The `unit` argument of an operator.
    pub fn argument(value: ValueRef<'_>, name: &str) -> Result<Self> {
        let ValueRef::String(text) = value else {
            return Err(error(
                5_439_013,
                format!(
                    "{name} requires 'unit' to be a string, but got {}",
                    value.type_name()
                ),
            ));
        };
        text.to_str().and_then(Self::parse).ok_or_else(|| {
            CommandError::new(
                Code::FailedToParse,
                format!("unknown time unit value: {text}"),
            )
        })
    }

    /// The milliseconds of a unit of fixed length.
    pub fn length(self) -> i64 {
        match self {
            Self::Months(_) => 0,
            Self::Week => 7 * DAY,
            Self::Day => DAY,
            Self::Fixed(length) => length,
        }
    }
}

/// The `startOfWeek` argument: 0 for Sunday.
pub fn start_of_week(value: ValueRef<'_>, name: &str) -> Result<i64> {
    let ValueRef::String(text) = value else {
        return Err(error(
            5_439_015,
            format!(
                "{name} requires 'startOfWeek' to be a string, but got {}",
                value.type_name()
            ),
        ));
    };
    let names = [
        "sunday",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
    ];
    let lower = text.lossy().to_ascii_lowercase();
    let found = names
        .iter()
        .position(|name| *name == lower || name[..3] == lower);
    found.map(|position| position as i64).ok_or_else(|| {
        error(
            5_439_016,
            format!(
                "{name} parameter 'startOfWeek' value cannot be recognized as a day of a week: {text}"
            ),
        )
    })
}
