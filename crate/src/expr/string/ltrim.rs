//! `$ltrim`: a string without the characters at its start.
//!
//! Follows the manual's "$ltrim" page.

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
    trim(input.as_ref(), given, call.name, true, false)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn trims() {
        evaluates("{$ltrim: {input: '  a b '}}", "{}", "'a b '");
        evaluates("{$ltrim: {input: 'x', chars: null}}", "{}", "null");
    }
}
