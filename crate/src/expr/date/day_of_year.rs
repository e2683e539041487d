//! `$dayOfYear`: the day of the year, 1 to 366 of a date.
//!
//! Follows the manual's "$dayOfYear" page.

use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Result};
use super::calendar::day_of_year;
use super::part;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| part::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    part::value(call, scope, day_of_year)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_the_part() {
        evaluates("{$dayOfYear: '$d'}", "{d: Date(1615112430456)}", "66");
        evaluates(
            "{$dayOfYear: {date: '$d', timezone: 'Europe/Test'}}",
            "{d: null}",
            "null",
        );
        fails("{$dayOfYear: 'x'}", "{}", 16006);
        fails(
            "{$dayOfYear: {date: '$d', timezone: 'No/Where'}}",
            "{d: Date(0)}",
            40485,
        );
    }
}
