//! `$indexOfCP`: the position of a string in another, in code points, or -1.
//!
//! Follows the manual's "$indexOfCP" page.

use super::super::arguments::{error, length};
use super::super::form::{Form, range};
use super::super::node::{Invocation, Result};
use super::finding::each_place;
use super::positions::{Search, sign_length};
use crate::bson::{Text, Value};
use crate::error::CommandError;

/// How the operator takes its arguments.
pub const FORM: Form = range(2, 4, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let Some(search) = Search::read(arguments, call, [40093, 40094])? else {
        return Ok(Value::NULL);
    };
    let Search {
        text,
        token,
        start,
        end,
    } = search;
    let bytes = text.as_bytes();
    // The signs there are, and the byte at which the search starts.
    let (mut count, mut at, mut from) = (0, 0, 0);
    while at < bytes.len() {
        if count == start {
            from = at;
        }
        at += sign_at(bytes, at)?;
        count += 1;
    }
    let search_end = end;
    let end = end.min(count);
    if start > count || end < start {
        return Ok(Value::from(-1));
    }
    if start == count {
        from = bytes.len();
    }
    // The range says where a token may begin: it may end behind it. No token begins an empty text as well.
    let least = usize::from(text.is_empty() && search_end > 0);
    let end = end.max(least);
    let (mut sign, mut at) = (start, from);
    let mut position = None;
    each_place(Text(&bytes[from..]), token, call.env, &mut |place| {
        while at < from + place && sign < end {
            at += sign_at(bytes, at)?;
            sign += 1;
        }
        // Bytes that are no UTF-8 may be found within a sign.
        if at == from + place && sign < end {
            position = Some(sign);
        }
        Ok(position.is_none() && sign < end)
    })?;
    Ok(position.map_or(Value::from(-1), length))
}

/// The length of the sign that begins there.
#[inline(always)]
fn sign_at(bytes: &[u8], at: usize) -> Result<usize> {
    match bytes.get(at).copied().and_then(sign_length) {
        Some(length) => Ok(length),
        None => Err(bad_text()),
    }
}

#[cold]
#[inline(never)]
fn bad_text() -> CommandError {
    error(40095, "$indexOfCP found bad UTF-8 in the input")
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_code_points() {
        evaluates("{$indexOfCP: ['fü1', '1']}", "{}", "2");
        evaluates("{$indexOfCP: ['foobar', 'o', 2]}", "{}", "2");
        evaluates("{$indexOfCP: ['foobar', 'bar', 0, 4]}", "{}", "3");
        evaluates("{$indexOfCP: ['foobar', 'bar', 0, 3]}", "{}", "-1");
        evaluates("{$indexOfCP: ['abc', '', 3]}", "{}", "-1");
        evaluates("{$indexOfCP: ['', '']}", "{}", "0");
        evaluates("{$indexOfCP: [null, 'a']}", "{}", "null");
        fails("{$indexOfCP: ['a', 1]}", "{}", 40094);
    }
}
