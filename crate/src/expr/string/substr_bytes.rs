//! `$substrBytes` and `$substr`: part of a string by bytes.
//!
//! Follows the manual's "$substrBytes" page.

use super::super::arguments::{coerced_long, error};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::text::coerce;
use crate::bson::Value;
use crate::bson::stored_text::is_continuation;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(3, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let text = coerce(arguments[0].as_ref())?;
    let number = |position: usize, code: i32, what: &str| {
        let value = arguments[position].as_ref();
        match value.as_number() {
            Some(_) => coerced_long(value),
            None => Err(error(
                code,
                format!(
                    "$substrBytes:  {what} must be a numeric type (is BSON type {})",
                    value.type_name()
                ),
            )),
        }
    };
    let start = number(1, 16034, "starting index")?;
    let count = number(2, 16035, "length")?;
    if start < 0 {
        return Err(error(
            50752,
            format!("$substrBytes:  starting index must be non-negative (got: {start})"),
        ));
    }
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if start >= text.len() {
        return Ok(Value::from(String::new()));
    }
    let end = start.saturating_add(count).min(text.len());
    let is_within = |at: usize| text.get(at).is_some_and(|byte| is_continuation(*byte));
    if is_within(start) {
        return Err(error(
            28656,
            "$substrBytes:  Invalid range, starting index is a UTF-8 continuation byte.",
        ));
    }
    if is_within(end) {
        return Err(error(
            28657,
            "$substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character.",
        ));
    }
    Ok(Value::String(text[start..end].into()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn cuts_by_bytes() {
        evaluates("{$substrBytes: ['hello', 1, 3]}", "{}", "'ell'");
        evaluates("{$substr: ['hello', 1, -1]}", "{}", "'ello'");
        evaluates("{$substrBytes: ['hello', 9, 1]}", "{}", "''");
        evaluates("{$substrBytes: ['$q', 0, 1]}", "{}", "''");
        evaluates("{$substrBytes: [123, 0, 2]}", "{}", "'12'");
        fails("{$substrBytes: ['ü', 1, 1]}", "{}", 28656);
        fails("{$substrBytes: ['ü', 0, 1]}", "{}", 28657);
        fails("{$substrBytes: ['a', -1, 1]}", "{}", 50752);
        fails("{$substrBytes: ['a', 'x', 1]}", "{}", 16034);
        evaluates(
            "{$substrBytes: ['abc', NumberLong(9223372036854775807), 1]}",
            "{}",
            "''",
        );
        evaluates("{$substrBytes: ['abc', Decimal('0.5'), 1.9]}", "{}", "'a'");
        fails("{$substrBytes: ['abc', Decimal('-0.6'), 1]}", "{}", 50752);
        fails("{$substrBytes: ['abc', NaN, 1]}", "{}", 31109);
        fails("{$substrBytes: ['abc', 0, Infinity]}", "{}", 31109);
    }
}
