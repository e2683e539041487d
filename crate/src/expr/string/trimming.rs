//! Trimming, shared by `$trim`, `$ltrim` and `$rtrim`.

use super::super::arguments::error;
use super::super::form::Names;
use super::super::node::Result;
use crate::algorithms::sorting;
use crate::bson::{Value, ValueRef};

/// The arguments of the three operators.
pub const NAMES: Names = Names {
    names: &["input", "chars"],
    missing: &[50695],
    not_object: 50696,
    unknown: 50694,
};

/// Characters of so many bytes are looked through one by one.
const FEW_BYTES: usize = 64;
/// The characters trimmed when none are given.
const WHITESPACE: &str = "\0 \t\n\u{b}\u{c}\r\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\
                          \u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}";

/// Trims the input at either end. `given` says whether characters were named at all.
pub fn trim(
    input: ValueRef<'_>,
    characters: Option<ValueRef<'_>>,
    name: &str,
    start: bool,
    end: bool,
) -> Result<Value<'static>> {
    let mut text = match input {
        value if value.is_nullish() => return Ok(Value::NULL),
        ValueRef::String(text) => text,
        other => {
            return Err(error(
                50699,
                format!(
                    "{name} requires its input to be a string, got a value of type {} instead.",
                    other.type_name()
                ),
            ));
        }
    };
    let characters = match characters {
        None => WHITESPACE,
        Some(ValueRef::String(characters)) => characters,
        Some(value) if value.is_nullish() => return Ok(Value::NULL),
        Some(other) => {
            return Err(error(
                50700,
                format!(
                    "{name} requires 'chars' to be a string, got a value of type {} instead.",
                    other.type_name()
                ),
            ));
        }
    };
    let mut sorted = Vec::new();
    if characters.len() > FEW_BYTES {
        sorted.extend(characters.chars());
        sorting::sort(&mut sorted);
    }
    let is_trimmed = |c: char| match sorted.is_empty() {
        true => characters.contains(c),
        false => sorted.binary_search(&c).is_ok(),
    };
    if start {
        text = text.trim_start_matches(is_trimmed);
    }
    if end {
        text = text.trim_end_matches(is_trimmed);
    }
    Ok(Value::from(text.to_owned()))
}
