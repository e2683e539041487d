//! The n first, last, least or greatest items, shared by `$firstN`, `$lastN`, `$minN` and `$maxN`.

use super::super::arguments::error;
use super::super::form::Names;
use super::super::node::Result;
use crate::bson::{Array, ArrayBuilder, Value, ValueRef, compare, order};

/// The arguments of the four operators.
pub const NAMES: Names = Names {
    names: &["n", "input"],
    missing: &[5_787_906, 5_787_907],
    not_object: 5_787_900,
    unknown: 5_787_901,
};

/// The count that `n` asks for.
pub fn count(value: ValueRef<'_>) -> Result<usize> {
    if value.as_number().is_none() {
        return Err(error(
            5_787_902,
            format!(
                "Value for 'n' must be of integral type, but found type: {}",
                value.type_name()
            ),
        ));
    }
    let Some(count) = value.as_exact_i64() else {
        return Err(error(5_787_903, "Value for 'n' must be of integral type"));
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
pub fn arguments<'a>(arguments: &'a [Value<'_>], name: &str) -> Result<(usize, Array<'a>)> {
    let count = count(arguments[0].as_ref())?;
    match arguments[1].as_ref() {
        ValueRef::Array(array) => Ok((count, array)),
        other => Err(error(
            5_788_200,
            format!(
                "Input must be an array for {name}, found: {}",
                other.type_name()
            ),
        )),
    }
}

/// The extreme items that are not null: least first, or greatest first.
pub fn extremes(values: &[Value<'_>], name: &str, greatest: bool) -> Result<Value<'static>> {
    let (count, array) = arguments(values, name)?;
    let mut items: Vec<_> = array.iter().filter(|item| !item.is_nullish()).collect();
    order::sort_by(&mut items, &mut |a, b| {
        let ordering = compare(*a, *b);
        if greatest {
            ordering.reverse()
        } else {
            ordering
        }
    });
    Ok(collect(items.into_iter().take(count)))
}

/// Items as an array value.
pub fn collect<'a>(items: impl Iterator<Item = ValueRef<'a>>) -> Value<'static> {
    let mut builder = ArrayBuilder::new();
    for item in items {
        builder.push(item);
    }
    Value::Array(builder.finish())
}
