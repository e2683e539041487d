//! The range of a `$densify`: step, unit and bounds.
//!
//! Example: `{step: 1, unit: "hour", bounds: "full"}`.

use super::foreign;
use crate::bson::{Document, Number, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::date::unit::Unit;
use std::cmp::Ordering;

type Result<T> = std::result::Result<T, CommandError>;

/// A value on the range.
#[derive(Clone, Copy)]
pub(super) enum Point {
    Number(Number),
    Date(i64),
}

impl Point {
    pub(super) fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Number(left), Self::Number(right)) => left.compare(right),
            (Self::Date(left), Self::Date(right)) => left.cmp(&right),
            (Self::Number(_), Self::Date(_)) => Ordering::Less,
            (Self::Date(_), Self::Number(_)) => Ordering::Greater,
        }
    }

    pub(super) fn is_below(self, other: Self) -> bool {
        self.compare(other) == Ordering::Less
    }
}

/// Where a partition's steps begin and end.
#[derive(Clone, Copy)]
pub(super) enum Bounds {
    /// From the least to the greatest value of all documents.
    Full,
    /// From the least to the greatest value of the partition.
    Partition,
    /// From the first, up to and without the second.
    Explicit(Point, Point),
}

pub(super) fn mismatch(field: &str, value: ValueRef<'_>, expected: &str) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "BSON field '$densify.{field}' is the wrong type '{}', expected type '{expected}'",
            value.type_name()
        ),
    )
}

pub(super) fn missing(field: &str) -> CommandError {
    CommandError::new(
        Code::IDLFailedToParse,
        format!("BSON field '$densify.{field}' is missing but a required field"),
    )
}

/// The step, its unit of time and the bounds.
pub(super) fn read_range(range: Document<'_>) -> Result<(Number, Option<Unit>, Bounds)> {
    for part in range.iter() {
        if !matches!(part.name, "bounds" | "step" | "unit") {
            return Err(foreign::unknown_field("$densify.range", part.name));
        }
    }
    let step = match range.get("step") {
        ValueRef::Missing => return Err(missing("range.step")),
        value => value.as_number(),
    };
    let step = step
        .filter(|step| step.compare(Number::Int32(0)) == Ordering::Greater)
        .ok_or_else(|| {
            CommandError::location(
                5_733_401,
                "The step parameter in a range statement must be a strictly positive numeric value",
            )
        })?;
    let unit = match range.get("unit") {
        ValueRef::Missing => None,
        ValueRef::String(text) => {
            if step.to_exact_i64().is_none() {
                return Err(CommandError::location(
                    6_586_400,
                    "The step parameter in a range statement must be a whole number when densifying \
                     a date range",
                ));
            }
            Some(text.to_str().and_then(Unit::parse).ok_or_else(|| {
                CommandError::new(
                    Code::FailedToParse,
                    format!("unknown time unit value: {text}"),
                )
            })?)
        }
        other => return Err(mismatch("range.unit", other, "string")),
    };
    let bounds = match range.get("bounds") {
        ValueRef::Missing => return Err(missing("range.bounds")),
        ValueRef::String(text) if text == "full" => Bounds::Full,
        ValueRef::String(text) if text == "partition" => Bounds::Partition,
        ValueRef::String(_) => {
            return Err(CommandError::location(
                5_946_802,
                "Bounds string must either be 'full' or 'partition'",
            ));
        }
        ValueRef::Array(ends) => {
            let ends: Vec<ValueRef<'_>> = ends.iter().collect();
            let [low, high] = ends.as_slice() else {
                return Err(CommandError::location(
                    5_733_403,
                    "A bounding array in a range statement must have exactly two elements",
                ));
            };
            explicit(*low, *high, range.get("step"), unit)?
        }
        _ => {
            return Err(CommandError::location(
                5_733_404,
                "The bounds in a range statement must be the string 'full', 'partition', or an \
                 ascending array of two numbers or two dates",
            ));
        }
    };
    Ok((step, unit, bounds))
}

fn explicit(
    low: ValueRef<'_>,
    high: ValueRef<'_>,
    step: ValueRef<'_>,
    unit: Option<Unit>,
) -> Result<Bounds> {
    let refuse = |code, message: &str| Err(CommandError::location(code, message));
    if crate::bson::compare(low, high) == Ordering::Greater {
        return refuse(
            5_733_402,
            "A bounding array must be an ascending array of either two dates or two numbers",
        );
    }
    let both = "A bounding array must contain either both dates or both numeric types";
    match (low, high) {
        (ValueRef::DateTime(from), ValueRef::DateTime(to)) => match unit {
            Some(_) => Ok(Bounds::Explicit(Point::Date(from), Point::Date(to))),
            None => refuse(5_733_410, "A bounding array of dates must specify a unit"),
        },
        (ValueRef::DateTime(_), _) => refuse(5_733_405, both),
        (low, high) => match (low.as_number(), high.as_number()) {
            (Some(_), _) if unit.is_some() => {
                refuse(5_733_409, "Numeric bounds may not have unit parameter")
            }
            (Some(_), None) => refuse(5_733_406, both),
            (Some(from), Some(to)) => {
                if low.type_name() != high.type_name() || low.type_name() != step.type_name() {
                    return refuse(
                        5_876_900,
                        "Upper bound, lower bound, and step must all have the same type",
                    );
                }
                Ok(Bounds::Explicit(Point::Number(from), Point::Number(to)))
            }
            _ => refuse(5_946_800, "Explicit bounds must be numeric or dates"),
        },
    }
}
