//! The arguments of `$replaceOne` and `$replaceAll`.

use super::super::arguments::error;
use super::super::form::Names;
use super::super::node::Result;
use crate::bson::{Value, ValueRef};

/// The arguments of both operators.
pub const NAMES: Names = Names {
    names: &["input", "find", "replacement"],
    missing: &[51749, 51748, 51747],
    not_object: 51751,
    unknown: 51750,
};

/// The three arguments: input, text to find, replacement. `None` when one of them is null.
pub fn texts<'a>(arguments: &'a [Value<'_>], name: &str) -> Result<Option<[&'a str; 3]>> {
    let mut texts = [""; 3];
    let mut null = false;
    let codes = [10_503_904, 10_503_901, 10_503_902];
    for (position, code) in codes.into_iter().enumerate() {
        match arguments[position].as_ref() {
            ValueRef::String(text) => texts[position] = text,
            value if value.is_nullish() => null = true,
            other => {
                return Err(error(
                    code,
                    format!(
                        "{name} requires that '{}' be a string, found: {}",
                        NAMES.names[position],
                        other.type_name()
                    ),
                ));
            }
        }
    }
    Ok((!null).then_some(texts))
}
