//! `$let`: an expression with variables of its own.
//!
//! Follows the manual's "$let" page. Invariant: the variables' own expressions see only outer variables.

use super::super::arguments::error;
use super::super::compile::{Compiler, check_variable_for_write};
use super::super::context::{Frame, Scope};
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
    let ValueRef::Document(fields) = argument else {
        return Err(error(16874, "$let only supports an object as its argument"));
    };
    let (mut bindings, mut body) = (ValueRef::Missing, ValueRef::Missing);
    for field in fields.iter() {
        match field.name {
            "vars" => bindings = field.value,
            "in" => body = field.value,
            other => {
                return Err(error(
                    16875,
                    format!("Unrecognized parameter to $let: {other}"),
                ));
            }
        }
    }
    if bindings.is_missing() {
        return Err(error(16876, "Missing 'vars' parameter to $let"));
    }
    if body.is_missing() {
        return Err(error(16877, "Missing 'in' parameter to $let"));
    }
    let Some(bindings) = bindings.as_document() else {
        return Err(error(10065, "invalid parameter: expected an object (vars)"));
    };
    let mut arguments = Vec::new();
    let mut names = Vec::new();
    for binding in bindings.iter() {
        check_variable_for_write(binding.name)?;
        names.push(binding.name);
        arguments.push(compiler.operand(binding.value)?);
    }
    let (variables, body) = compiler.with_variables(&names, |compiler| compiler.operand(body))?;
    arguments.push(body);
    let mut call = Call::new(name, Style::Let, Function::Lazy(evaluate), arguments);
    call.variables = variables;
    Ok(compiler.finish(call))
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    bind(call, 0, scope, scope).map(Value::into_owned)
}

/// Binds the variables from `position` on, each in a frame of its own, then evaluates the body.
fn bind(
    call: &Call,
    position: usize,
    outer: &Scope<'_>,
    scope: &Scope<'_>,
) -> Result<Value<'static>> {
    let Some((name, slot)) = call.variables.get(position) else {
        return call.argument(position, scope).map(Value::into_owned);
    };
    let value = call.argument(position, outer)?;
    let frame = Frame::new(*slot, value.as_ref(), scope.frame);
    let mut inner = Scope {
        frame: Some(&frame),
        ..*scope
    };
    if &**name == "CURRENT" {
        inner.current = value.as_ref();
    }
    bind(call, position + 1, outer, &inner)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn binds_for_the_body_only() {
        evaluates(
            "{$let: {vars: {a: 2, b: '$x'}, in: {$multiply: ['$$a', '$$b']}}}",
            "{x: 5}",
            "10",
        );
        evaluates(
            "{$let: {vars: {a: '$x'}, in: '$$a.y'}}",
            "{x: [{y: 1}, {y: 2}]}",
            "[1, 2]",
        );
        evaluates(
            "{$let: {vars: {a: 1}, in: {$let: {vars: {a: 2, b: '$$a'}, in: ['$$a', '$$b']}}}}",
            "{}",
            "[2, 1]",
        );
        evaluates(
            "{$let: {vars: {CURRENT: '$x'}, in: '$y'}}",
            "{x: {y: 7}}",
            "7",
        );
        fails("{$let: {vars: {A: 1}, in: 1}}", "{}", 9);
        fails("{$let: {vars: {}}}", "{}", 16877);
        fails("{$let: {vars: {a: 1, b: '$$a'}, in: 1}}", "{}", 17276);
    }
}
