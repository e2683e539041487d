//! `$literal` and `$const`: a value that is not parsed.
//!
//! Follows the manual's "$literal" page.

use super::super::compile::Compiler;
use super::super::form::Form;
use super::super::node::{Node, Result};
use crate::bson::ValueRef;

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

fn compile(_: &'static str, argument: ValueRef<'_>, _: &mut Compiler<'_>) -> Result<Node> {
    Ok(Node::Constant(argument.to_value()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::evaluates;

    #[test]
    fn is_not_parsed() {
        evaluates("{$literal: {$add: [1, 2]}}", "{}", "{$add: [1, 2]}");
        evaluates("{$literal: '$x'}", "{}", "'$x'");
    }
}
