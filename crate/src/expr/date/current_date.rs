//! `$currentDate`: the time at which the expression is evaluated, unlike `$$NOW`.
//!
//! Follows the manual's "$currentDate" expression page.

use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::miscellaneous::rand::{now, without_arguments};
use super::super::node::{Call, Node, Result};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    without_arguments(name, argument, compiler, evaluate)
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    Ok(ValueRef::DateTime(now(call, scope)).into())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn gives_the_time() {
        evaluates("{$currentDate: {}}", "{}", "Date(1000)");
        fails("{$currentDate: 1}", "{}", 9);
    }
}
