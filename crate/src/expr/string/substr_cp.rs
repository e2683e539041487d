//! `$substrCP`: part of a string by code points.
//!
//! Follows the manual's "$substrCP" page.

use super::super::arguments::{error, exact_i32};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::positions::sign_length;
use super::text::coerce;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(3, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], _: Invocation<'_>) -> Result<Value<'v>> {
    let text = coerce(arguments[0].as_ref())?;
    let start = integer(arguments[1].as_ref(), 34450, "starting index")?;
    let count = integer(arguments[2].as_ref(), 34452, "length")?;
    let Ok(count) = usize::try_from(count) else {
        return Err(error(
            34454,
            "$substrCP: length must be a nonnegative integer.",
        ));
    };
    let Ok(start) = usize::try_from(start) else {
        return Err(error(
            34455,
            "$substrCP: the starting index must be nonnegative integer.",
        ));
    };
    let start = behind(&text, 0, start, 34456)?;
    let end = behind(&text, start, count, 34458)?;
    Ok(Value::String(text[start..end].into()))
}

/// The place of the byte behind the `signs` code points that begin at `from`, or the end of the text.
///
/// # Errors
/// The code for a sign without its beginning, the code behind it for one that is too long.
fn behind(text: &[u8], from: usize, signs: usize, code: i32) -> Result<usize> {
    let invalid = |code| Err(error(code, "$substrCP: invalid UTF-8 string"));
    let mut at = from;
    for _ in 0..signs {
        let Some(first) = text.get(at) else { break };
        match sign_length(*first) {
            Some(1) => at += 1,
            Some(length @ 1..=4) => at += length,
            Some(_) => return invalid(code + 1),
            None => return invalid(code),
        }
    }
    Ok(at.min(text.len()))
}

fn integer(value: ValueRef<'_>, code: i32, what: &str) -> Result<i32> {
    if value.as_number().is_none() {
        return Err(error(
            code,
            format!(
                "$substrCP: {what} must be a numeric type (is BSON type {})",
                value.type_name()
            ),
        ));
    }
    exact_i32(value).ok_or_else(|| {
        error(
            code + 1,
            format!("$substrCP: {what} cannot be represented as a 32-bit integral value"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn cuts_by_code_points() {
        evaluates("{$substrCP: ['füß', 1, 1]}", "{}", "'ü'");
        evaluates("{$substrCP: ['abc', 1, 9]}", "{}", "'bc'");
        evaluates("{$substrCP: ['abc', 9, 1]}", "{}", "''");
        evaluates("{$substrCP: ['$q', 0, 1]}", "{}", "''");
        fails("{$substrCP: ['abc', -1, 1]}", "{}", 34455);
        fails("{$substrCP: ['abc', 0, -1]}", "{}", 34454);
        fails("{$substrCP: ['abc', 'x', 1]}", "{}", 34450);
    }
}
