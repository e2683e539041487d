//! `$setEquals`: whether arrays have the same distinct items.
//!
//! Follows the manual's "$setEquals" page.

use super::super::arguments::{array, error};
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Function, Node, Result, Style};
use super::members::distinct;
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
            17045,
            format!(
                "$setEquals needs at least two arguments had: {}",
                arguments.len()
            ),
        ));
    }
    let function = Function::Lazy(evaluate);
    Ok(compiler.finish(Call::new(name, Style::Positional, function, arguments)))
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let mut arguments = Vec::new();
    for node in &call.arguments {
        arguments.push(node.evaluate(scope)?);
    }
    let invocation = call.invocation(scope.env);
    let mut sets = Vec::new();
    for (position, argument) in arguments.iter().enumerate() {
        let what = format!(
            "All operands of $setEquals must be arrays. {}-th argument is of type: ",
            position + 1
        );
        // The server looks at constants while it optimizes.
        let code = match call.arguments[position] {
            Node::Constant(_) => 5_887_502,
            _ => 17044,
        };
        sets.push(distinct(array(argument, code, &what)?, invocation)?);
    }
    let equal = sets.windows(2).all(|pair| {
        let mut items = pair[0].iter().zip(&pair[1]);
        pair[0].len() == pair[1].len() && items.all(|(a, b)| invocation.collation.equal(*a, *b))
    });
    Ok(Value::from(equal))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn ignores_order_and_repetition() {
        evaluates("{$setEquals: [[1, 2, 1], [2, 1.0]]}", "{}", "true");
        evaluates("{$setEquals: [[1], [2]]}", "{}", "false");
        evaluates("{$setEquals: [['$a'], ['$a'], [1]]}", "{a: 1}", "true");
        fails("{$setEquals: [['$a'], 1]}", "{}", 5887502);
        fails("{$setEquals: [['$a'], '$a']}", "{a: 1}", 17044);
        fails("{$setEquals: [['$a']]}", "{}", 17045);
    }
}
