//! `$year`: the year of a date.
//!
//! Follows the manual's "$year" page.

use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Result};
use super::calendar::Parts;
use super::part;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| part::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    part::value(call, scope, |local| Parts::of(local).year)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_the_part() {
        evaluates("{$year: '$d'}", "{d: Date(1615112430456)}", "2021");
        evaluates(
            "{$year: ['$d']}",
            "{d: ObjectId('5f5e10000000000000000000')}",
            "2020",
        );
        evaluates(
            "{$year: {date: '$d', timezone: 'Europe/Test'}}",
            "{d: null}",
            "null",
        );
        fails("{$year: 'x'}", "{}", 16006);
        fails(
            "{$year: {date: '$d', timezone: 'No/Where'}}",
            "{d: Date(0)}",
            40485,
        );
        fails("{$year: {day: 1}}", "{}", 40535);
        fails("{$year: [1, 2]}", "{}", 40536);
    }
}
