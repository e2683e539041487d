//! Positions and lengths within strings and arrays, as several operators take them.

use super::super::arguments::{error, exact_i32};
use super::super::node::Result;
use crate::bson::ValueRef;

/// A position argument: an integer that is not negative.
pub fn position_argument(value: ValueRef<'_>, name: &str, what: &str) -> Result<usize> {
    let Some(position) = exact_i32(value) else {
        return Err(error(
            40096,
            format!(
                "{name} requires an integral {what}, found a value of type: {}",
                value.type_name()
            ),
        ));
    };
    usize::try_from(position).map_err(|_| {
        error(
            40097,
            format!("{name} requires a nonnegative {what}, found: {position}"),
        )
    })
}

/// The byte at which a character starts; the length of the text when it has fewer characters.
pub fn byte_of_character(text: &str, character: usize) -> usize {
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(byte, _)| byte)
}
