//! `$createObjectId`: a new ObjectId, another for every document.
//!
//! Follows the manual's "$createObjectId" page. Invariant: its bytes after the time are random.

use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Node, Result};
use super::rand::without_arguments;
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
    let mut id = [0; 12];
    scope.env.fill_random(&mut id);
    let seconds = super::rand::now(call, scope).div_euclid(1000) as u32;
    id[..4].copy_from_slice(&seconds.to_be_bytes());
    Ok(ValueRef::ObjectId(id).into())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn makes_an_id() {
        evaluates(
            "{$toString: {$createObjectId: {}}}",
            "{}",
            "'000000014040404040404040'",
        );
        for argument in ["{a: 1}", "null", "['x']", "'x'"] {
            fails(&format!("{{$createObjectId: {argument}}}"), "{}", 9);
        }
    }
}
