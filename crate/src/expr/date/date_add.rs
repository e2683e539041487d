//! `$dateAdd`: a date moved on by a number of units.
//!
//! Follows the manual's "$dateAdd" page.

use super::super::context::Scope;
use super::super::form::{Form, named_lazy};
use super::super::node::{Call, Result};
use super::adding::{self, NAMES};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    adding::evaluate(call, scope, 1)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn moves_a_date() {
        evaluates(
            "{$dateAdd: {startDate: Date(1612051200000), unit: 'month', amount: 1}}",
            "{}",
            "Date(1614470400000)",
        );
        evaluates(
            "{$dateAdd: {startDate: Date(0), unit: 'hour', amount: 2}}",
            "{}",
            "Date(7200000)",
        );
        evaluates(
            "{$dateAdd: {startDate: Date(0), unit: 'quarter', amount: -1}}",
            "{}",
            "Date(-7948800000)",
        );
        evaluates(
            "{$dateAdd: {startDate: '$q', unit: 'hour', amount: 2}}",
            "{}",
            "null",
        );
        fails(
            "{$dateAdd: {startDate: 1, unit: 'hour', amount: 2}}",
            "{}",
            5166403,
        );
        fails(
            "{$dateAdd: {startDate: Date(0), unit: 'eon', amount: 2}}",
            "{}",
            9,
        );
        fails(
            "{$dateAdd: {startDate: Date(0), unit: 'day', amount: 1.5}}",
            "{}",
            5166405,
        );
        fails(
            "{$dateAdd: {startDate: Date(0), unit: 'day'}}",
            "{}",
            5166402,
        );
    }
}
