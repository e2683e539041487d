//! The window of a function: which rows around a row it sees.
//!
//! Follows the "window" section of the manual's "$setWindowFields" page. Invariant: within a
//! partition sorted by the sort field a window is a contiguous range of rows.

use super::partition::Rows;
use crate::bson::{Document, Value, ValueRef, compare};
use crate::error::{Code, CommandError};
use crate::expr::arithmetic::numeric::add;
use crate::expr::date::adding::add_local;
use crate::expr::date::unit::Unit;
use std::cmp::Ordering;
use std::ops::Range;

type Result<T> = std::result::Result<T, CommandError>;

/// One end of a window.
#[derive(Debug, Clone)]
pub enum Bound {
    Unbounded,
    /// The row itself: in a range not the rows whose sort field has the same value.
    Current,
    /// A number of rows, or an amount of the sort field, counted from the row itself.
    Offset(Value<'static>),
}

/// A window.
#[derive(Debug, Clone)]
pub enum Window {
    Documents(Bound, Bound),
    Range(Bound, Bound, Option<Unit>),
}

fn parse_error<T>(message: impl Into<String>) -> Result<T> {
    Err(CommandError::new(Code::FailedToParse, message))
}

impl Window {
    /// The whole partition.
    pub const ALL: Self = Self::Documents(Bound::Unbounded, Bound::Unbounded);

    /// Reads a `window` argument. `sorted` and `simply` say whether there is a sort, and whether it is
    /// by one ascending field.
    pub fn parse(value: ValueRef<'_>, sorted: bool, simply: bool) -> Result<Self> {
        let ValueRef::Document(fields) = value else {
            return parse_error("'window' field must be an object");
        };
        let (mut documents, mut range, mut unit) = (None, None, None);
        for field in fields.iter() {
            match field.name {
                "documents" => documents = Some(ends(field.value, true)?),
                "range" => range = Some(ends(field.value, false)?),
                "unit" => unit = Some(parse_unit(field.value)?),
                other => {
                    return parse_error(format!(
                        "'window' field can only contain 'documents' or 'range' and 'unit', found \
                         {other}"
                    ));
                }
            }
        }
        match (documents, range, unit) {
            (Some((lower, upper)), None, None) => {
                if !sorted && !matches!((&lower, &upper), (Bound::Unbounded, Bound::Unbounded)) {
                    return Err(CommandError::location(
                        5_339_901,
                        "Document-based bounds require a sortBy",
                    ));
                }
                Ok(Self::Documents(lower, upper))
            }
            (None, Some((lower, upper)), unit) => {
                if !simply {
                    return Err(CommandError::location(
                        5_339_902,
                        "Range-based bounds require sortBy a single field",
                    ));
                }
                Ok(Self::Range(lower, upper, unit))
            }
            (None, None, None) => Ok(Self::ALL),
            _ => parse_error(
                "Window bounds can specify either 'documents' or 'unit', not both; 'unit' goes with \
                 'range'",
            ),
        }
    }

    /// The rows that a row's window holds.
    pub fn rows(&self, at: usize, rows: &Rows<'_>) -> Result<Range<usize>> {
        match self {
            Self::Documents(lower, upper) => {
                let last = rows.count() as i64;
                let place = |bound: &Bound, open: i64| match bound.offset() {
                    None => open,
                    Some(offset) => { offset.as_exact_i64() }
                        .unwrap_or(0)
                        .saturating_add(at as i64),
                };
                let start = place(lower, 0).clamp(0, last);
                let end = place(upper, last - 1).saturating_add(1).clamp(start, last);
                Ok(start as usize..end as usize)
            }
            Self::Range(lower, upper, unit) => {
                let sorts = rows.sorts;
                let value = sorts.get(at).map_or(ValueRef::Missing, Value::as_ref);
                let start = match lower {
                    Bound::Unbounded => 0,
                    Bound::Current => at,
                    Bound::Offset(offset) => {
                        let least = moved(value, offset.as_ref(), *unit)?;
                        sorts.partition_point(|sort| compare(sort.as_ref(), least.as_ref()).is_lt())
                    }
                };
                let end = match upper {
                    Bound::Unbounded => rows.count(),
                    Bound::Current => at + 1,
                    Bound::Offset(offset) => {
                        let most = moved(value, offset.as_ref(), *unit)?;
                        sorts.partition_point(|sort| compare(sort.as_ref(), most.as_ref()).is_le())
                    }
                };
                Ok(start..end.max(start))
            }
        }
    }

    /// Whether the values of the sort field make the window.
    pub fn reads_sorts(&self) -> bool {
        matches!(self, Self::Range(..))
    }

    /// Whether the window of each row holds the row itself.
    pub fn holds_its_row(&self) -> bool {
        let (Self::Documents(lower, upper) | Self::Range(lower, upper, _)) = self;
        let wrong = |bound: &Bound, side: Ordering| {
            { bound.offset() }.is_some_and(|offset| compare(offset, ValueRef::Int32(0)) == side)
        };
        !wrong(lower, Ordering::Greater) && !wrong(upper, Ordering::Less)
    }

    /// Whether the window always begins with the partition, so that it only grows.
    pub fn only_grows(&self) -> bool {
        matches!(
            self,
            Self::Documents(Bound::Unbounded, _) | Self::Range(Bound::Unbounded, ..)
        )
    }
}

impl Bound {
    /// How far it is from the row itself, if it has an end.
    fn offset(&self) -> Option<ValueRef<'_>> {
        match self {
            Self::Unbounded => None,
            Self::Current => Some(ValueRef::Int32(0)),
            Self::Offset(offset) => Some(offset.as_ref()),
        }
    }
}

fn ends(value: ValueRef<'_>, documents: bool) -> Result<(Bound, Bound)> {
    let bounds = value.as_array().filter(|bounds| bounds.len() == 2);
    let Some(bounds) = bounds else {
        return parse_error("Window bounds must be a 2-element array");
    };
    let (lower, upper) = (
        end(bounds.get(0), documents)?,
        end(bounds.get(1), documents)?,
    );
    if let (Some(lower), Some(upper)) = (lower.offset(), upper.offset())
        && compare(lower, upper).is_gt()
    {
        return Err(CommandError::location(
            5_339_900,
            "Lower bound must not exceed upper bound",
        ));
    }
    Ok((lower, upper))
}

fn end(value: ValueRef<'_>, documents: bool) -> Result<Bound> {
    match value {
        ValueRef::String(text) if text == "unbounded" => Ok(Bound::Unbounded),
        ValueRef::String(text) if text == "current" => Ok(Bound::Current),
        ValueRef::String(other) => parse_error(format!(
            "Window bounds must be 'unbounded', 'current', or a number, found '{other}'"
        )),
        value if value.as_number().is_none() => parse_error(format!(
            "Window bounds must be 'unbounded', 'current', or a number, found {}",
            value.type_name()
        )),
        value if documents && value.as_exact_i64().is_none() => {
            parse_error("Numeric document-based bounds must be an integer")
        }
        value => Ok(Bound::Offset(value.to_value())),
    }
}

/// The unit of a window or of a rate.
pub fn parse_unit(value: ValueRef<'_>) -> Result<Unit> {
    match value.as_str().and_then(Unit::parse) {
        Some(unit) => Ok(unit),
        None => parse_error("unknown time unit value"),
    }
}

/// A sort value moved by an offset.
fn moved(value: ValueRef<'_>, offset: ValueRef<'_>, unit: Option<Unit>) -> Result<Value<'static>> {
    match (value, unit) {
        (ValueRef::DateTime(millis), Some(unit)) => {
            let amount = offset.as_exact_i64().unwrap_or(0);
            let moved = add_local(millis, unit, amount).ok_or_else(|| {
                CommandError::new(Code::Overflow, "the window overflowed the date")
            })?;
            Ok(Value::Borrowed(ValueRef::DateTime(moved)))
        }
        (value, None) => match (value.as_number(), offset.as_number()) {
            (Some(value), Some(offset)) => Ok(Value::Borrowed(add(value, offset).to_value())),
            _ => Err(CommandError::location(
                5_429_414,
                format!(
                    "Invalid range: Expected the sortBy field to be a number, but it was {}",
                    value.type_name()
                ),
            )),
        },
        (value, Some(_)) => Err(CommandError::location(
            5_429_513,
            format!(
                "Invalid range: Expected the sortBy field to be a Date, but it was {}",
                value.type_name()
            ),
        )),
    }
}

/// The one ascending field of a sort, if it is that.
pub fn simple_sort_field(pattern: Document<'_>) -> Option<String> {
    let mut fields = pattern.iter();
    let (Some(field), None) = (fields.next(), fields.next()) else {
        return None;
    };
    (field.value.as_exact_i64() == Some(1)).then(|| field.name.to_owned())
}
