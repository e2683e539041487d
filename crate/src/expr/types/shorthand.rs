//! The shape of `$toInt` and its siblings: one argument, null for null.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::node::{Call, Eager, Function, Invocation, Node, Result, Style};
use super::binary::Format;
use super::conversion::{Target, Writing, convert};
use crate::bson::{BsonType, Value, ValueRef};

/// Compiles a shorthand.
pub fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
    function: Eager,
) -> Result<Node> {
    let arguments = compiler.arguments(argument)?;
    if arguments.len() != 1 {
        return Err(error(
            50723,
            format!("{name} requires a single argument, got {}", arguments.len()),
        ));
    }
    let function = Function::Eager(function);
    Ok(compiler.finish(Call::new(name, Style::Positional, function, arguments)))
}

/// Evaluates a shorthand.
pub fn evaluate<'v>(
    arguments: &[Value<'v>],
    call: Invocation<'_>,
    to: BsonType,
) -> Result<Value<'v>> {
    match arguments[0].as_ref() {
        value if value.is_nullish() => Ok(Value::NULL),
        value => {
            let target = Target { to, subtype: 0 };
            convert(value, target, Writing::of(Format::Auto), call.env)
        }
    }
}
