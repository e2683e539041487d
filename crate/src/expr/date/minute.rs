//! `$minute`: the minute, 0 to 59 of a date.
//!
//! Follows the manual's "$minute" page.

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
    part::value(call, scope, |local| Parts::of(local).minute)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn reads_the_part() {
        evaluates("{$minute: '$d'}", "{d: Date(1615112430456)}", "20");
        evaluates(
            "{$minute: {date: '$d', timezone: 'Europe/Test'}}",
            "{d: null}",
            "null",
        );
        fails("{$minute: 'x'}", "{}", 16006);
        fails(
            "{$minute: {date: '$d', timezone: 'No/Where'}}",
            "{d: Date(0)}",
            40485,
        );
    }
}
