//! `$dayOfMonth`: the day of the month, 1 to 31 of a date.
//!
//! Follows the manual's "$dayOfMonth" page.

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
    part::value(call, scope, |local| Parts::of(local).day)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_the_part() {
        evaluates("{$dayOfMonth: '$d'}", "{d: Date(1615112430456)}", "7");
        evaluates(
            "{$dayOfMonth: {date: '$d', timezone: 'Europe/Test'}}",
            "{d: null}",
            "null",
        );
        fails("{$dayOfMonth: 'x'}", "{}", 16006);
        fails(
            "{$dayOfMonth: {date: '$d', timezone: 'No/Where'}}",
            "{d: Date(0)}",
            40485,
        );
    }
}
