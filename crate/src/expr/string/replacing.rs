//! The arguments of `$replaceOne` and `$replaceAll`.

use super::super::arguments::error;
use super::super::form::Names;
use super::super::growth::allow_text;
use super::super::node::Invocation;
use super::super::node::Result;
use super::finding::each_place;
use crate::bson::{Text, Value, ValueRef};

/// The arguments of both operators.
pub const NAMES: Names = Names {
    names: &["input", "find", "replacement"],
    missing: &[51749, 51748, 51747],
    not_object: 51751,
    unknown: 51750,
};

/// The three arguments: input, text to find, replacement. `None` when one of them is null.
fn texts<'a>(arguments: &'a [Value<'_>], name: &str) -> Result<Option<[Text<'a>; 3]>> {
    let mut texts = [Text(b""); 3];
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

/// The input with the replacement in the place of the first `most` occurrences of the text to find.
pub fn replace<'v>(
    arguments: &[Value<'v>],
    call: Invocation<'_>,
    most: usize,
) -> Result<Value<'v>> {
    let Some([input, find, replacement]) = texts(arguments, call.name)? else {
        return Ok(Value::NULL);
    };
    let bytes = input.as_bytes();
    let mut replaced = Vec::new();
    let (mut rest, mut count) = (0, 0);
    each_place(input, find, call.env, &mut |at| {
        for part in [&bytes[rest..at], replacement.as_bytes()] {
            allow_text(call.env, replaced.len() + part.len())?;
            replaced.extend_from_slice(part);
        }
        rest = at + find.len();
        count += 1;
        Ok(count < most)
    })?;
    allow_text(call.env, replaced.len() + bytes.len() - rest)?;
    replaced.extend_from_slice(&bytes[rest..]);
    Ok(Value::String(replaced.into()))
}
