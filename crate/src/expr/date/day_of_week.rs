//! `$dayOfWeek`: the day of the week, 1 (Sunday) to 7 of a date.
//!
//! Follows the manual's "$dayOfWeek" page.

use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Result};
use super::calendar::{DAY, weekday};
use super::part;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| part::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    part::value(call, scope, |local| weekday(local.div_euclid(DAY)) + 1)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_the_part() {
        evaluates("{$dayOfWeek: '$d'}", "{d: Date(1615112430456)}", "1");
        evaluates(
            "{$dayOfWeek: {date: '$d', timezone: 'Europe/Test'}}",
            "{d: null}",
            "null",
        );
        fails("{$dayOfWeek: 'x'}", "{}", 16006);
        fails(
            "{$dayOfWeek: {date: '$d', timezone: 'No/Where'}}",
            "{d: Date(0)}",
            40485,
        );
    }
}
