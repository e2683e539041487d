//! `$sigmoid`: one over one and e to the number's negative.
//!
//! Invariant: it is compiled to the operators that it is short for, so that types, nulls and refusals are theirs.

use super::super::compile::Compiler;
use super::super::form::Form;
use super::super::node::{Node, Result};
use crate::bson::{DocumentBuilder, ValueRef};

/// How the operator takes its argument.
pub const FORM: Form = Form::Custom(compile);

fn compile(_: &'static str, argument: ValueRef<'_>, compiler: &mut Compiler<'_>) -> Result<Node> {
    let mut builder = DocumentBuilder::new();
    builder.begin_array("$divide");
    builder.push_item(0, 1);
    builder.begin_document("1");
    builder.begin_array("$add");
    builder.push_item(0, 1);
    builder.begin_document("1");
    builder.begin_document("$exp");
    builder.begin_array("$multiply");
    builder.push_item(0, -1);
    builder.push_item(1, argument);
    for _ in 0..6 {
        builder.end();
    }
    let document = builder.finish();
    compiler.operand(ValueRef::Document(document.as_document()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn lies_between_zero_and_one() {
        evaluates("{$sigmoid: '$a'}", "{a: 0}", "0.5");
        evaluates("{$sigmoid: 1000}", "{}", "1.0");
        evaluates("{$sigmoid: -1000.0}", "{}", "0.0");
        evaluates("{$sigmoid: '$a'}", "{a: Decimal('0')}", "Decimal('0.5')");
        evaluates("{$sigmoid: '$q'}", "{}", "null");
        fails("{$sigmoid: 'x'}", "{}", 14);
        fails("{$sigmoid: [1]}", "{}", 14);
    }
}
