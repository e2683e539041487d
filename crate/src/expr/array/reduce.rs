//! `$reduce`: the items of an array combined into one value.
//!
//! Follows the manual's "$reduce" page.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::{Frame, Scope};
use super::super::form::{Form, Names};
use super::super::node::{Call, Function, Node, Result, Style};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &["input", "initialValue", "in"],
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
    let (variables, body) =
        compiler.with_variables(&["this", "value"], |compiler| compiler.operand(parts[2]))?;
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
    let mut value = call.argument(1, scope)?.into_owned();
    for item in items.iter() {
        let this = Frame {
            slot: slot(0),
            value: item,
            outer: scope.frame,
        };
        let accumulated = Frame {
            slot: slot(1),
            value: value.as_ref(),
            outer: Some(&this),
        };
        let inner = Scope {
            frame: Some(&accumulated),
            ..*scope
        };
        let next = call.argument(2, &inner)?.into_owned();
        value = next;
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

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
        evaluates("{$reduce: {input: [], initialValue: 7, in: 1}}", "{}", "7");
        fails("{$reduce: {input: 1, initialValue: 7, in: 1}}", "{}", 40080);
        fails("{$reduce: {input: [], in: 1}}", "{}", 40078);
    }
}
