//! `$currentDate`: sets a field to the time of the command.

use super::super::errors::bad_value;
use super::{Argument, Change, Compiled, Operator, Place};
use crate::bson::{Value, ValueRef};
use crate::error::CommandError;

enum CurrentDate {
    Date,
    Timestamp,
}

/// Compiles `{$currentDate: {path: true | {$type: "date" | "timestamp"}}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    let options = match argument.value {
        ValueRef::Boolean(_) => return Ok(Box::new(CurrentDate::Date)),
        ValueRef::Document(options) => options,
        other => {
            return Err(bad_value(format!(
                "{} is not valid type for $currentDate. Please use a boolean ('true') or a $type \
                 expression ({{$type: 'timestamp/date'}}).",
                other.type_name()
            )));
        }
    };
    let mut found = None;
    for option in options.iter() {
        match (option.name, option.value) {
            ("$type", ValueRef::String(text)) if text == "date" => found = Some(CurrentDate::Date),
            ("$type", ValueRef::String(text)) if text == "timestamp" => {
                found = Some(CurrentDate::Timestamp)
            }
            ("$type", _) => {}
            (other, _) => {
                return Err(bad_value(format!(
                    "Unrecognized $currentDate option: {other}"
                )));
            }
        }
    }
    match found {
        Some(kind) => Ok(Box::new(kind)),
        None => Err(bad_value(
            "The '$type' string field is required to be 'date' or 'timestamp': \
             {$currentDate: {field : {$type: 'date'}}}",
        )),
    }
}

impl Operator for CurrentDate {
    fn apply<'v>(
        &'v self,
        _current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let millis = place.context.now_millis;
        let value = match self {
            Self::Date => ValueRef::DateTime(millis),
            Self::Timestamp => place.context.timestamps.next(millis).into(),
        };
        Ok(Change::Set(Value::Borrowed(value)))
    }
}
