//! `$strLenCP`: the length of a string in code points.
//!
//! Follows the manual's "$strLenCP" page.

use super::super::arguments::{length, string};
use super::super::form::{Form, fixed};
use super::super::node::{Invocation, Result};
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed(1, evaluate);

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let what = format!("{} requires a string argument", call.name);
    let text = string(&arguments[0], 34471, &what)?;
    Ok(length(text.count()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn counts_code_points() {
        evaluates("{$strLenCP: 'fü'}", "{}", "2");
        fails("{$strLenCP: 5}", "{}", 34471);
    }
}
