//! `$rtrim`: a string without the characters at its end.
//!
//! Follows the manual's "$rtrim" page.

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
    trim(input.as_ref(), given, call.name, false, true)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn trims() {
        evaluates("{$rtrim: {input: '  a b '}}", "{}", "'  a b'");
    }
}
