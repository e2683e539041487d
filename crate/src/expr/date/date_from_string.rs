//! `$dateFromString`: a date read from text.
//!
//! Follows the manual's "$dateFromString" page.

use super::super::arguments::error;
use super::super::context::Scope;
use super::super::form::{Form, Names, named_lazy};
use super::super::node::{Call, Result};
use super::zone::Zone;
use super::{format, scan};
use crate::bson::{Text, Value, ValueRef};
use crate::env::Env;
use crate::error::Code;

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

const NAMES: Names = Names {
    names: &["dateString", "timezone", "format", "onNull", "onError"],
    missing: &[40542],
    not_object: 40540,
    unknown: 40541,
};

/// The code of text that is not a date.
pub const CONVERSION_FAILURE: i32 = Code::ConversionFailure as i32;

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let text = call.argument(0, scope)?;
    let pattern = call.argument(2, scope)?;
    match pattern.as_ref() {
        ValueRef::String(pattern) => format::check(&pattern.lossy(), format::READ)?,
        value if value.is_nullish() => {}
        other => {
            return Err(error(
                40684,
                format!(
                    "$dateFromString requires that 'format' be a string, found: {}",
                    other.type_name()
                ),
            ));
        }
    }
    let zone = Zone::of(call.argument(1, scope)?.as_ref(), call.has(1), scope.env)?;
    if text.as_ref().is_nullish() {
        return if call.has(3) {
            call.argument(3, scope)
        } else {
            Ok(Value::NULL)
        };
    }
    let Some(zone) = zone else {
        return Ok(Value::NULL);
    };
    if call.has(2) && pattern.as_ref().is_nullish() {
        return Ok(Value::NULL);
    }
    let read = match text.as_ref() {
        ValueRef::String(text) => {
            let pattern = pattern.as_ref().as_text().map(Text::lossy);
            read(&text.lossy(), pattern.as_deref(), &zone, scope.env)
        }
        other => Err(error(
            CONVERSION_FAILURE,
            format!(
                "$dateFromString requires that 'dateString' be a string, found: {}",
                other.type_name()
            ),
        )),
    };
    match read {
        Ok(instant) => Ok(Value::Borrowed(ValueRef::DateTime(instant))),
        Err(failure) if failure.code == CONVERSION_FAILURE && call.has(4) => {
            call.argument(4, scope)
        }
        Err(failure) => Err(failure),
    }
}

/// Reads a date; a zone in the text and one beside it exclude each other.
pub fn read(text: &str, pattern: Option<&str>, zone: &Zone, env: &dyn Env) -> Result<i64> {
    let failure = |reason: &str| {
        error(
            CONVERSION_FAILURE,
            format!("Error parsing date string '{text}'; {reason}"),
        )
    };
    let scanned = match pattern {
        Some(pattern) => scan::by_format(text, pattern).map_err(|reason| failure(&reason))?,
        None => scan::guess(text, env).ok_or_else(|| failure("Unexpected character"))?,
    };
    match scanned.zone {
        None => Ok(zone.to_utc(scanned.local, env)),
        Some(own) if zone.is_utc() => Ok(own.to_utc(scanned.local, env)),
        Some(_) => Err(failure(
            "you cannot pass in a date/time string with time zone information together with a \
             timezone argument",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_the_usual_forms() {
        evaluates(
            "{$dateFromString: {dateString: '2021-03-07T10:20:30.456Z'}}",
            "{}",
            "Date(1615112430456)",
        );
        evaluates(
            "{$dateFromString: {dateString: '2021-03-07'}}",
            "{}",
            "Date(1615075200000)",
        );
        evaluates(
            "{$dateFromString: {dateString: '2021-03-07 10:20:30.456+01:00'}}",
            "{}",
            "Date(1615108830456)",
        );
        evaluates(
            "{$dateFromString: {dateString: 'March 7, 2021'}}",
            "{}",
            "Date(1615075200000)",
        );
        evaluates(
            "{$dateFromString: {dateString: '03/07/2021', timezone: '+01:00'}}",
            "{}",
            "Date(1615071600000)",
        );
        evaluates(
            "{$dateFromString: {dateString: '07-03-2021', format: '%d-%m-%Y'}}",
            "{}",
            "Date(1615075200000)",
        );
        let reads = |text: &str, format: &str, wanted: &str| {
            let expression =
                format!("{{$dateFromString: {{dateString: '{text}', format: '{format}'}}}}");
            evaluates(&expression, "{}", wanted);
        };
        reads("7/3/2021", "%d/%m/%Y", "Date(1615075200000)");
        reads(
            "2021-3-7 9:05:06.7",
            "%Y-%m-%d %H:%M:%S.%L",
            "Date(1615107906700)",
        );
        reads("2021-W9-7", "%G-W%V-%u", "Date(1615075200000)");
        // The first day of a year is its day 0 here.
        reads("2021 0", "%Y %j", "Date(1609459200000)");
        reads("2021 65", "%Y %j", "Date(1615075200000)");
        evaluates(
            "{$dateFromString: {dateString: 'nope', onError: 'bad'}}",
            "{}",
            "'bad'",
        );
        evaluates(
            "{$dateFromString: {dateString: '$q', onNull: 'none'}}",
            "{}",
            "'none'",
        );
        fails("{$dateFromString: {dateString: 'nope'}}", "{}", 241);
        fails("{$dateFromString: {dateString: 5}}", "{}", 241);
        fails("{$dateFromString: {dateString: '2021-02-30'}}", "{}", 241);
        fails(
            "{$dateFromString: {dateString: '2021', format: '%q'}}",
            "{}",
            18536,
        );
        for (text, format) in [
            ("1/3/21", "%d/%m/%Y"),
            ("2021-03-07 24:00", "%Y-%m-%d %H:%M"),
            ("2021-03-07 9:5", "%Y-%m-%d %H:%M"),
            ("2021-03-07 09:05:60", "%Y-%m-%d %H:%M:%S"),
            ("2021-03-07 .1234", "%Y-%m-%d .%L"),
        ] {
            let expression =
                format!("{{$dateFromString: {{dateString: '{text}', format: '{format}'}}}}");
            fails(&expression, "{}", 241);
        }
        for specifier in ["%U", "%w"] {
            let expression =
                format!("{{$dateFromString: {{dateString: '1', format: '{specifier}'}}}}");
            fails(&expression, "{}", 18536);
        }
        fails("{$dateFromString: {}}", "{}", 40542);
    }
}
