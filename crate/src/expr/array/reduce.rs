//! `$reduce`: the items of an array combined into one value.
//!
//! Follows the manual's "$reduce" page.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::{Frame, Scope};
use super::super::form::{Form, Names};
use super::super::growth::{self, Growing};
use super::super::node::{Call, Function, Node, Result, Style};
use super::binding;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &[
        "input",
        "initialValue",
        "in",
        "as",
        "valueAs",
        "arrayIndexAs",
    ],
    missing: &[40077, 40078, 40079],
    not_object: 40075,
    unknown: 40076,
};

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let parts = NAMES.split(name, argument)?;
    let input = compiler.operand(parts[0])?;
    let initial = compiler.operand(parts[1])?;
    let names = [
        binding::name(name, "as", parts[3], "this")?,
        binding::name(name, "valueAs", parts[4], "value")?,
        binding::name(name, "arrayIndexAs", parts[5], "IDX")?,
    ];
    let (variables, body) = binding::compile(&names, parts[2], 9_298_401, compiler)?;
    let style = Style::Named(NAMES.names);
    let arguments = vec![input, initial, body];
    let mut call = Call::new(name, style, Function::Lazy(evaluate), arguments);
    call.variables = variables;
    Ok(compiler.finish(call))
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let input = call.argument(0, scope)?;
    let items = match input.as_ref() {
        value if value.is_nullish() => return Ok(Value::NULL),
        ValueRef::Array(array) => array,
        other => {
            return Err(error(
                40080,
                format!(
                    "$reduce requires that 'input' be an array, found: {}",
                    other.type_name()
                ),
            ));
        }
    };
    let slot = |position: usize| call.variables.get(position).map_or(0, |(_, slot)| *slot);
    let mut value = Growing::Value(call.argument(1, scope)?.into_owned());
    let Some(body) = call.arguments.get(2) else {
        return Ok(value.finish());
    };
    for (at, item) in items.iter().enumerate() {
        scope.env.checkpoint()?;
        let position = binding::position(&call.variables, 2, at, scope.frame);
        let this = Frame::new(slot(0), item, position.as_ref().or(scope.frame));
        let inner = Scope {
            frame: Some(&this),
            ..*scope
        };
        growth::grow(body, slot(1), &mut value, &inner)?;
    }
    Ok(value.finish())
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{canonical, evaluates, fails};

    #[test]
    fn folds_from_the_left() {
        evaluates(
            "{$reduce: {input: '$a', initialValue: 0, in: {$add: ['$$value', '$$this']}}}",
            "{a: [1, 2, 3]}",
            "6",
        );
        evaluates(
            "{$reduce: {input: '$a', initialValue: '', in: {$concat: ['$$value', '$$this']}}}",
            "{a: ['x', 'y']}",
            "'xy'",
        );
        evaluates(
            "{$reduce: {input: '$a', initialValue: 0, in: 1}}",
            "{}",
            "null",
        );
        evaluates(
            "{$reduce: {input: '$a', initialValue: 0, in: {$add: ['$$value', {$multiply: ['$$this', '$$IDX']}]}}}",
            "{a: [1, 2, 3]}",
            "8",
        );
        evaluates(
            "{$reduce: {input: '$a', initialValue: '', as: 'x', valueAs: 'all', in: {$concat: ['$$all', '$$x']}}}",
            "{a: ['x', 'y']}",
            "'xy'",
        );
        fails(
            "{$reduce: {input: [1], initialValue: 0, as: 'x', in: '$$this'}}",
            "{}",
            17276,
        );
        fails(
            "{$reduce: {input: [1], initialValue: 0, valueAs: 'x', arrayIndexAs: 'x', in: 1}}",
            "{}",
            9298401,
        );
        assert_eq!(
            canonical("{$reduce: {input: '$a', initialValue: '$b', arrayIndexAs: 'i', in: '$$i'}}"),
            "{x: {$reduce: {input: '$a', initialValue: '$b', in: '$$i', arrayIndexAs: 'i'}}}"
        );
        evaluates("{$reduce: {input: [], initialValue: 7, in: 1}}", "{}", "7");
        fails("{$reduce: {input: 1, initialValue: 7, in: 1}}", "{}", 40080);
        fails("{$reduce: {input: [], in: 1}}", "{}", 40078);
    }
}
