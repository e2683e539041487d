//! `$hour`: the hour, 0 to 23 of a date.
//!
//! Follows the manual's "$hour" page.

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
    part::value(call, scope, |local| Parts::of(local).hour)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_the_part() {
        evaluates("{$hour: '$d'}", "{d: Date(1615112430456)}", "10");
        evaluates(
            "{$hour: {date: '$d', timezone: 'Europe/Test'}}",
            "{d: Date(1615112430456)}",
            "11",
        );
        evaluates(
            "{$hour: {date: '$d', timezone: '+05:30'}}",
            "{d: Date(1615112430456)}",
            "15",
        );
        evaluates(
            "{$hour: {date: '$d', timezone: 'Europe/Test'}}",
            "{d: null}",
            "null",
        );
        evaluates(
            "{$hour: {date: '$d', timezone: '$q'}}",
            "{d: Date(0)}",
            "null",
        );
        fails(
            "{$hour: {date: '$d', timezone: 'europe/test'}}",
            "{d: Date(0)}",
            40485,
        );
        fails("{$hour: 'x'}", "{}", 16006);
        fails(
            "{$hour: {date: '$d', timezone: 'No/Where'}}",
            "{d: Date(0)}",
            40485,
        );
    }
}
