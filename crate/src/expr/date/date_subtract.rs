//! `$dateSubtract`: a date moved back by a number of units.
//!
//! Follows the manual's "$dateSubtract" page.

use super::super::context::Scope;
use super::super::form::{Form, named_lazy};
use super::super::node::{Call, Result};
use super::adding::{self, NAMES};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    adding::evaluate(call, scope, -1)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn moves_a_date() {
        evaluates(
            "{$dateSubtract: {startDate: Date(86400000), unit: 'day', amount: 1}}",
            "{}",
            "Date(0)",
        );
        evaluates(
            "{$dateSubtract: {startDate: Date(1583020800000), unit: 'year', amount: 1}}",
            "{}",
            "Date(1551398400000)",
        );
        fails(
            "{$dateSubtract: {startDate: Date(0), unit: 'day', amount: NumberLong(-9223372036854775808)}}",
            "{}",
            5166406,
        );
    }
}
