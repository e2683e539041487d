//! `$sum` and `$avg` as expressions: the sum of numbers, and their mean.
//!
//! Follows the manual's "$sum" and "$avg" pages.

use super::super::form::{Form, variadic};
use super::inputs::each_value;
use super::state::Sum;
use crate::bson::Value;

/// How `$sum` takes its arguments.
pub const SUM: Form = variadic(|arguments, _| Ok(added(arguments).value()));

/// How `$avg` takes its arguments.
pub const AVG: Form = variadic(|arguments, _| Ok(added(arguments).rounded_mean()));

fn added(arguments: &[Value<'_>]) -> Sum {
    let mut sum = Sum::default();
    each_value(arguments, &mut |value| sum.add(value));
    sum
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn adds() {
        evaluates("{$sum: ['$a', 2, 'x', 1.5]}", "{a: 1}", "4.5");
        evaluates("{$sum: '$a'}", "{a: [1, 2, [3]]}", "3");
        evaluates("{$sum: '$q'}", "{}", "0");
    }

    #[test]
    fn takes_the_mean() {
        evaluates("{$avg: '$a'}", "{a: [1, 2]}", "1.5");
        evaluates("{$avg: ['$q', 'x']}", "{}", "null");
        evaluates("{$avg: [Decimal('1'), 2]}", "{}", "Decimal('1.5')");
    }
}
