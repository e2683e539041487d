//! `$last`: the last item of an array.
//!
//! Follows the manual's "$last (array operator)" page.

use super::super::context::Scope;
use super::super::form::{Form, fixed_lazy};
use super::super::node::{Call, Result};
use super::element;
use crate::bson::Value;

/// How the operator takes its arguments.
pub const FORM: Form = fixed_lazy(1, evaluate);

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    element::end(call, true, scope)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn gives_the_end() {
        evaluates("{$last: '$a'}", "{a: [1, 2]}", "2");
        evaluates("{$last: '$a'}", "{a: []}", "missing");
        evaluates("{$last: [[1, 5]]}", "{}", "5");
        fails("{$last: '$a'}", "{a: 1}", 28689);
    }
}
