//! `$isoDayOfWeek`: the ISO 8601 day of the week, 1 (Monday) to 7 of a date.
//!
//! Follows the manual's "$isoDayOfWeek" page.

use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Result};
use super::calendar::iso_week;
use super::part;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form =
    Form::Custom(|name, argument, compiler| part::compile(name, argument, compiler, evaluate));

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    part::value(call, scope, |local| iso_week(local).2)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_the_part() {
        evaluates("{$isoDayOfWeek: '$d'}", "{d: Date(1615112430456)}", "7");
        evaluates(
            "{$isoDayOfWeek: {date: '$d', timezone: 'Europe/Test'}}",
            "{d: null}",
            "null",
        );
        fails("{$isoDayOfWeek: 'x'}", "{}", 16006);
        fails(
            "{$isoDayOfWeek: {date: '$d', timezone: 'No/Where'}}",
            "{d: Date(0)}",
            40485,
        );
    }
}
