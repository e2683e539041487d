//! `$ifNull`: the first argument that is not null, undefined or missing; else the last.
//!
//! Follows the manual's "$ifNull" page.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Function, Node, Result, Style};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let arguments = compiler.arguments(argument)?;
    if arguments.len() < 2 {
        return Err(error(
            1_257_300,
            format!(
                "$ifNull needs at least two arguments, had: {}",
                arguments.len()
            ),
        ));
    }
    let function = Function::Lazy(evaluate);
    Ok(compiler.finish(Call::new(name, Style::Positional, function, arguments)))
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let mut last = Value::MISSING;
    for node in &call.arguments {
        last = node.evaluate(scope)?;
        if !last.as_ref().is_nullish() {
            break;
        }
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn gives_the_first_present_value() {
        evaluates("{$ifNull: ['$a', 5]}", "{}", "5");
        evaluates("{$ifNull: ['$a', 5]}", "{a: 0}", "0");
        evaluates("{$ifNull: ['$a', undefined, '$b', 7]}", "{b: 'x'}", "'x'");
        evaluates("{$ifNull: ['$a', '$b']}", "{}", "missing");
        fails("{$ifNull: ['$a']}", "{}", 1257300);
    }
}
