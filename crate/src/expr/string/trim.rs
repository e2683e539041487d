//! `$trim`: a string without the characters at its ends.
//!
//! Follows the manual's "$trim" page.

use super::super::context::Scope;
use super::super::form::{Form, named_lazy};
use super::super::node::{Call, Result};
use super::trimming::{NAMES, trim};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = named_lazy(&NAMES, evaluate);

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let input = call.argument(0, scope)?;
    let characters = call.argument(1, scope)?;
    let given = call.has(1).then(|| characters.as_ref());
    trim(input.as_ref(), given, call.name, true, true)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn trims() {
        evaluates("{$trim: {input: '  a b '}}", "{}", "'a b'");
        evaluates("{$trim: {input: 'xxaxx', chars: 'x'}}", "{}", "'a'");
        evaluates("{$trim: {input: '$q'}}", "{}", "null");
        fails("{$trim: {input: 1}}", "{}", 50699);
        fails("{$trim: {chars: 'x'}}", "{}", 50695);
        fails("{$trim: 'x'}", "{}", 50696);
        fails("{$trim: {input: 'x', chars: 1}}", "{}", 50700);
    }
}
