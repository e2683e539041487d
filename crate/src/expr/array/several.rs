//! The shared half of `$firstN`, `$lastN`, `$minN` and `$maxN`: their arguments, and their result.
//! And the ways from an array to a list of its items and back, which many operators go.

use super::super::arguments::error;
use super::super::form::Names;
use super::super::growth::allow_array;
use super::super::node::{Invocation, Result};
use crate::bson::{Array, ArrayBuilder, Value, ValueRef};
use crate::env::Env;

/// The arguments of `$minN` and `$maxN`.
pub const EXTREMES: Names = Names {
    names: &["n", "input"],
    missing: &[5_787_906, 5_787_907],
    not_object: 5_787_900,
    unknown: 5_787_901,
};

/// The arguments of `$firstN` and `$lastN`.
pub const ENDS: Names = Names {
    not_object: 5_787_801,
    ..EXTREMES
};

/// The count that `n` asks for.
pub fn count(value: ValueRef<'_>) -> Result<usize> {
    let Some(count) = value.as_exact_i64() else {
        let code = match value.as_number() {
            None => 5_787_902,
            Some(_) => 5_787_903,
        };
        return Err(error(
            code,
            format!("Value for 'n' must be of integral type, but found {value}"),
        ));
    };
    match usize::try_from(count) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(error(
            5_787_908,
            format!("'n' must be greater than 0, found {count}"),
        )),
    }
}

/// The count and the input array.
pub fn arguments<'a>(arguments: &'a [Value<'_>]) -> Result<(usize, Array<'a>)> {
    let count = count(arguments[0].as_ref())?;
    match arguments[1].as_ref() {
        ValueRef::Array(array) => Ok((count, array)),
        _ => Err(error(5_788_200, "Input must be an array")),
    }
}

/// Items as the array value of a call, which is bounded.
///
/// # Errors
/// 146 `ExceededMemoryLimit` beyond the bound of arrays, and errors of `Env::checkpoint`.
pub fn collect<'a>(
    items: impl Iterator<Item = ValueRef<'a>>,
    call: Invocation<'_>,
) -> Result<Value<'static>> {
    let mut builder = ArrayBuilder::new();
    for item in items {
        builder.push(item);
        allow_array(call.env, call.name, builder.byte_len())?;
    }
    Ok(Value::Array(builder.finish()))
}

/// An array's items as a list, which may take several times the array's own bytes.
///
/// # Errors
/// Errors of `Env::checkpoint`.
pub fn list<'a>(array: Array<'a>, env: &dyn Env) -> Result<Vec<ValueRef<'a>>> {
    let mut items = Vec::new();
    for item in array.iter() {
        env.checkpoint()?;
        items.push(item);
    }
    Ok(items)
}
