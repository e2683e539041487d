//! Positions and lengths within strings and arrays, as several operators take them.

use super::super::arguments::{error, exact_i32};
use super::super::node::{Invocation, Result};
use crate::bson::{Text, Value, ValueRef};

/// The search of `$indexOfBytes` or `$indexOfCP`: its text, the token to find, and the positions between which it
/// looks, in bytes or code points.
pub struct Search<'a> {
    pub text: Text<'a>,
    pub token: Text<'a>,
    pub start: usize,
    pub end: usize,
}

impl<'a> Search<'a> {
    /// Reads an operator's arguments; `None` where the text is null. `codes`: of the errors for a text and for a token
    /// that are no strings.
    ///
    /// # Errors
    /// The codes, and errors of `positions`.
    pub fn read(
        arguments: &'a [Value<'_>],
        call: Invocation<'_>,
        codes: [i32; 2],
    ) -> Result<Option<Self>> {
        let refuse = |position: usize, value: ValueRef<'_>| {
            error(
                codes[position],
                format!(
                    "{} requires a string as the {} argument, found: {}",
                    call.name,
                    ["first", "second"][position],
                    value.type_name()
                ),
            )
        };
        let text = match arguments[0].as_ref() {
            value if value.is_nullish() => return Ok(None),
            ValueRef::String(text) => text,
            other => return Err(refuse(0, other)),
        };
        let token = match arguments[1].as_ref() {
            ValueRef::String(token) => token,
            other => return Err(refuse(1, other)),
        };
        let (start, end) = positions(arguments, call.name, [40096, 40097])?;
        Ok(Some(Self {
            text,
            token,
            start,
            end,
        }))
    }
}

/// The third and the fourth argument, where a search starts and ends: all there is where they are not given.
///
/// # Errors
/// The codes: for a position that is no integer, and for a negative one.
pub fn positions(arguments: &[Value<'_>], name: &str, codes: [i32; 2]) -> Result<(usize, usize)> {
    let read = |at: usize, what, default| match arguments.get(at) {
        Some(position) => position_argument(position.as_ref(), name, what, codes),
        None => Ok(default),
    };
    Ok((
        read(2, "starting index", 0)?,
        read(3, "ending index", usize::MAX)?,
    ))
}

/// A position argument: an integer that is not negative.
fn position_argument(
    value: ValueRef<'_>,
    name: &str,
    what: &str,
    [no_integer, negative]: [i32; 2],
) -> Result<usize> {
    let Some(position) = exact_i32(value) else {
        return Err(error(
            no_integer,
            format!(
                "{name} requires an integral {what}, found a value of type: {}",
                value.type_name()
            ),
        ));
    };
    usize::try_from(position).map_err(|_| {
        error(
            negative,
            format!("{name} requires a nonnegative {what}, found: {position}"),
        )
    })
}

/// How many bytes the sign has that a byte begins, by its leading ones as the server reads them: up to eight where it
/// is no UTF-8. `None` for a byte that goes on with a sign.
#[inline(always)]
pub fn sign_length(first: u8) -> Option<usize> {
    match first.leading_ones() {
        0 => Some(1),
        1 => None,
        ones => Some(ones as usize),
    }
}
