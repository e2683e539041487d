//! `$stdDevPop` and `$stdDevSamp` as expressions: the standard deviation of a population and of a sample.
//!
//! Follows the manual's "$stdDevPop" and "$stdDevSamp" pages.

use super::super::form::{Form, variadic};
use super::super::node::Result;
use super::inputs::each_value;
use super::state::Deviation;
use crate::bson::Value;

/// How `$stdDevPop` takes its arguments.
pub const POPULATION: Form = variadic(|arguments, _| deviation(arguments, false));

/// How `$stdDevSamp` takes its arguments.
pub const SAMPLE: Form = variadic(|arguments, _| deviation(arguments, true));

fn deviation<'v>(arguments: &[Value<'v>], is_sample: bool) -> Result<Value<'v>> {
    let mut state = Deviation::default();
    each_value(arguments, &mut |value| state.add(value));
    Ok(state.value(is_sample))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn computes() {
        evaluates("{$stdDevPop: '$a'}", "{a: [2, 4, 4, 4, 5, 5, 7, 9]}", "2.0");
        evaluates("{$stdDevPop: '$q'}", "{}", "null");
        evaluates("{$stdDevSamp: '$a'}", "{a: [1, 3]}", "1.4142135623730951");
        evaluates("{$stdDevSamp: [1]}", "{}", "null");
    }
}
