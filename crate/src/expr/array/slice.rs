//! `$slice`: part of an array, by a count or a position and a count.
//!
//! Follows the manual's "$slice (aggregation)" page.

use super::super::arguments::{error, exact_i32};
use super::super::form::{Form, range};
use super::super::node::{Invocation, Result};
use super::several::collect;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = range(2, 3, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let second = arguments[1].as_ref();
    let array = match arguments[0].as_ref() {
        value if value.is_nullish() || second.is_nullish() => return Ok(Value::NULL),
        ValueRef::Array(array) => array,
        other => {
            return Err(error(
                28724,
                format!(
                    "First argument to $slice must be an array, but is of type: {}",
                    other.type_name()
                ),
            ));
        }
    };
    let second = integer(
        second,
        28725,
        "Second argument to $slice must be a numeric value",
    )?;
    let size = array.len() as i64;
    let (start, end) = match arguments.get(2).map(Value::as_ref) {
        None if second >= 0 => (0, second),
        None => ((size + second).max(0), size),
        Some(count) if count.is_nullish() => return Ok(Value::NULL),
        Some(count) => {
            let count = integer(count, 28727, "Third argument to $slice must be numeric")?;
            if count <= 0 {
                return Err(error(
                    28729,
                    format!("Third argument to $slice must be positive: {count}"),
                ));
            }
            let start = if second < 0 {
                (size + second).max(0)
            } else {
                second
            };
            (start, start + count)
        }
    };
    let count = usize::try_from(end - start).unwrap_or(0);
    collect(array.iter().skip(start as usize).take(count), call)
}

fn integer(value: ValueRef<'_>, code: i32, what: &str) -> Result<i64> {
    if value.as_number().is_none() {
        return Err(error(
            code,
            format!("{what}, but is of type: {}", value.type_name()),
        ));
    }
    exact_i32(value).map(i64::from).ok_or_else(|| {
        error(
            code + 1,
            "An argument to $slice can't be represented as a 32-bit integer",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_counts_and_positions() {
        evaluates("{$slice: ['$a', 2]}", "{a: [1, 2, 3]}", "[1, 2]");
        evaluates("{$slice: ['$a', -2]}", "{a: [1, 2, 3]}", "[2, 3]");
        evaluates("{$slice: ['$a', 1, 1]}", "{a: [1, 2, 3]}", "[2]");
        evaluates("{$slice: ['$a', -9, 2]}", "{a: [1, 2, 3]}", "[1, 2]");
        evaluates("{$slice: ['$a', 9, 2]}", "{a: [1, 2, 3]}", "[]");
        evaluates("{$slice: ['$b', 2]}", "{}", "null");
        fails("{$slice: [1, 2]}", "{}", 28724);
        fails("{$slice: [[1], 0, 0]}", "{}", 28729);
        fails("{$slice: [[1], 1.5]}", "{}", 28726);
    }
}
