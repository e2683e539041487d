//! The `field` argument of `$getField`, `$setField` and `$unsetField`: a constant string.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::node::{Node, Result};
use crate::bson::{Value, ValueRef};

/// Codes of the refusals: a path, not a constant, not a string.
pub type Codes = [i32; 3];

/// Compiles the argument and checks that it is a constant string.
pub fn compile(
    name: &str,
    source: ValueRef<'_>,
    codes: Codes,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let node = compiler.operand(source)?;
    match &node {
        Node::Constant(value) => match value.as_ref() {
            // Names of fields are UTF-8.
            ValueRef::String(text) => {
                text.checked()?;
                Ok(node)
            }
            other => Err(error(
                codes[2],
                format!(
                    "{name} requires 'field' to evaluate to type String, but got {}",
                    other.type_name()
                ),
            )),
        },
        Node::Field(path) => Err(error(
            codes[0],
            format!(
                "'${0}' is a field path reference which is not allowed in this context. Did you \
                 mean {{$literal: '${0}'}}?",
                path.dotted()
            ),
        )),
        _ => Err(error(
            codes[1],
            format!(
                "{name} requires 'field' to evaluate to a constant, but got a non-constant argument"
            ),
        )),
    }
}

/// The name that a compiled argument holds.
pub fn name_of<'a>(value: &'a Value<'_>) -> &'a str {
    value.as_ref().as_str().unwrap_or("")
}
