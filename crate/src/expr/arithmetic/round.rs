//! `$round`: a number rounded half to even at a decimal place.
//!
//! Follows the manual's "$round" page.

use super::super::form::{Form, range};
use super::super::node::{Invocation, Result};
use super::rounding;
use crate::bson::{DecimalRounding, Value};

/// How the operator takes its arguments.
pub const FORM: Form = range(1, 2, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    rounding::evaluate(arguments, call, DecimalRounding::HalfEven)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn works_at_any_place() {
        evaluates("{$round: 2.5}", "{}", "2.0");
        evaluates("{$round: 3.5}", "{}", "4.0");
        evaluates("{$round: [19, -1]}", "{}", "20");
        evaluates("{$round: [25, -1]}", "{}", "20");
        evaluates("{$round: [2.675, 2]}", "{}", "2.67");
        evaluates("{$round: [Decimal('2.675'), 2]}", "{}", "Decimal('2.68')");
        evaluates("{$round: [5, 2]}", "{}", "5");
        evaluates("{$round: [1.25, 1]}", "{}", "1.2");
        evaluates("{$round: ['$a', 1]}", "{}", "null");
        fails("{$round: [1, 101]}", "{}", 51083);
        fails("{$round: [1, 1.5]}", "{}", 51082);
        fails("{$round: 'x'}", "{}", 51081);
    }
}
