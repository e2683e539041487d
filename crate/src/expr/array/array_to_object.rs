//! `$arrayToObject`: pairs or `{k, v}` documents as one document; the last of a name wins.
//!
//! Follows the manual's "$arrayToObject" page.

use super::super::arguments::error;
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use super::super::object::merging::Merged;
use crate::bson::{DocumentBuf, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let input = match arguments[0].as_ref() {
        value if value.is_nullish() => return Ok(Value::NULL),
        ValueRef::Array(array) => array,
        other => {
            return Err(error(
                40386,
                format!(
                    "$arrayToObject requires an array input, found: {}",
                    other.type_name()
                ),
            ));
        }
    };
    let pairs = match input.get(0) {
        ValueRef::Missing => return Ok(Value::Document(DocumentBuf::default())),
        ValueRef::Array(_) => true,
        ValueRef::Document(_) => false,
        other => {
            return Err(error(
                40398,
                format!(
                    "Unrecognised input type format for $arrayToObject: {}",
                    other.type_name()
                ),
            ));
        }
    };
    let mut fields = Merged::default();
    for item in input.iter() {
        let (name, value) = if pairs { pair(item)? } else { named(item)? };
        fields.set(name, value);
        call.env.checkpoint()?;
    }
    Ok(Value::Document(fields.finish(call.env)?))
}

fn pair(item: ValueRef<'_>) -> Result<(&str, ValueRef<'_>)> {
    let ValueRef::Array(items) = item else {
        return Err(inconsistent(40396, "Array", item));
    };
    if items.len() != 2 {
        return Err(error(
            40397,
            format!(
                "$arrayToObject requires an array of size 2 arrays,found array of size: {}",
                items.len()
            ),
        ));
    }
    Ok((name(items.get(0), 40395, 4_940_400)?, items.get(1)))
}

fn named(item: ValueRef<'_>) -> Result<(&str, ValueRef<'_>)> {
    let ValueRef::Document(fields) = item else {
        return Err(inconsistent(40391, "Object", item));
    };
    if fields.len() != 2 {
        return Err(error(
            40392,
            format!(
                "$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of \
                 keys:{}",
                fields.len()
            ),
        ));
    }
    let (key, value) = (fields.get("k"), fields.get("v"));
    if key.is_missing() || value.is_missing() {
        return Err(error(
            40393,
            "$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys",
        ));
    }
    Ok((name(key, 40394, 4_940_401)?, value))
}

fn name(key: ValueRef<'_>, not_string: i32, has_null: i32) -> Result<&str> {
    match key {
        ValueRef::String(name) if name.as_bytes().contains(&0) => Err(error(
            has_null,
            "Key field cannot contain an embedded null byte",
        )),
        ValueRef::String(name) => name.checked(),
        other => Err(error(
            not_string,
            format!(
                "$arrayToObject requires keys of type string. Found key type: {}",
                other.type_name()
            ),
        )),
    }
}

fn inconsistent(code: i32, first: &str, item: ValueRef<'_>) -> crate::error::CommandError {
    error(
        code,
        format!(
            "$arrayToObject requires a consistent input format. Elements must all be arrays or all \
             be objects. {first} was detected, now found: {}",
            item.type_name()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_both_forms() {
        evaluates(
            "{$arrayToObject: [[['a', 1], ['b', 2], ['a', 3]]]}",
            "{}",
            "{a: 3, b: 2}",
        );
        evaluates("{$arrayToObject: '$x'}", "{x: [{k: 'a', v: 1}]}", "{a: 1}");
        evaluates("{$arrayToObject: '$x'}", "{x: []}", "{}");
        evaluates("{$arrayToObject: '$x'}", "{}", "null");
        fails("{$arrayToObject: '$x'}", "{x: 1}", 40386);
        fails("{$arrayToObject: '$x'}", "{x: [['a', 1], 5]}", 40396);
        fails("{$arrayToObject: '$x'}", "{x: [{k: 1, v: 1}]}", 40394);
        fails("{$arrayToObject: '$x'}", "{x: [[1]]}", 40397);
    }
}
