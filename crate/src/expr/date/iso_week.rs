//! `$isoWeek`: the ISO 8601 week, 1 to 53 of a date.
//!
//! Follows the manual's "$isoWeek" page.

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
    part::value(call, scope, |local| iso_week(local).1)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_the_part() {
        evaluates("{$isoWeek: '$d'}", "{d: Date(1615112430456)}", "9");
        evaluates(
            "{$isoWeek: {date: '$d', timezone: 'Europe/Test'}}",
            "{d: null}",
            "null",
        );
        fails("{$isoWeek: 'x'}", "{}", 16006);
        fails(
            "{$isoWeek: {date: '$d', timezone: 'No/Where'}}",
            "{d: Date(0)}",
            40485,
        );
    }
}
