//! `$range`: a sequence of integers.
//!
//! Follows the manual's "$range" page.

use super::super::arguments::{error, exact_i32};
use super::super::form::{Form, range};
use super::super::growth::MOST_BYTES;
use super::super::node::{Invocation, Result};
use crate::bson::{ArrayBuilder, Value, ValueRef};
use crate::error::{Code, CommandError};

/// How the operator takes its arguments.
pub const FORM: Form = range(2, 3, evaluate);

/// The most items a sequence may have, each of which counts as 16 bytes.
const LONGEST: i64 = MOST_BYTES as i64 / 16;

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let start = integer(arguments[0].as_ref(), 34443, "a", "starting value")?;
    let end = integer(arguments[1].as_ref(), 34445, "an", "ending value")?;
    let step = match arguments.get(2) {
        Some(step) => integer(step.as_ref(), 34447, "a", "step value")?,
        None => 1,
    };
    if step == 0 {
        return Err(error(34449, "$range requires a non-zero step value"));
    }
    if (end - start) / step > LONGEST {
        let bytes = (end - start) / step * 16;
        return Err(CommandError::new(
            Code::ExceededMemoryLimit,
            format!(
                "$range would use too much memory ({bytes} bytes) and cannot spill to disk. Memory limit: \
                 {MOST_BYTES} bytes"
            ),
        ));
    }
    let mut numbers = ArrayBuilder::new();
    let mut current = start;
    while (step > 0 && current < end) || (step < 0 && current > end) {
        numbers.push(current as i32);
        call.env.checkpoint()?;
        current += step;
    }
    Ok(Value::Array(numbers.finish()))
}

fn integer(value: ValueRef<'_>, code: i32, article: &str, what: &str) -> Result<i64> {
    if value.as_number().is_none() {
        return Err(error(
            code,
            format!(
                "$range requires a numeric {what}, found value of type: {}",
                value.type_name()
            ),
        ));
    }
    exact_i32(value).map(i64::from).ok_or_else(|| {
        error(
            code + 1,
            format!("$range requires {article} {what} that can be represented as a 32-bit integer"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_either_way() {
        evaluates("{$range: [0, 5, 2]}", "{}", "[0, 2, 4]");
        evaluates("{$range: [3, 0, -1]}", "{}", "[3, 2, 1]");
        evaluates("{$range: [3, 0]}", "{}", "[]");
        evaluates("{$range: [0, 2.0]}", "{}", "[0, 1]");
        fails("{$range: ['a', 2]}", "{}", 34443);
        fails("{$range: [0, 2.5]}", "{}", 34446);
        fails("{$range: [0, 2, 0]}", "{}", 34449);
        fails("{$range: [0, 2000000000]}", "{}", 146);
    }
}
