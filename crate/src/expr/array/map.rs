//! `$map`: an expression applied to every item.
//!
//! Follows the manual's "$map" page.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::{Frame, Scope};
use super::super::form::{Form, Names};
use super::super::growth::allow_array;
use super::super::node::{Call, Function, Node, Result, Style};
use super::binding;
use crate::bson::{ArrayBuilder, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &["input", "in", "as", "arrayIndexAs"],
    missing: &[16880, 16882],
    not_object: 16878,
    unknown: 16879,
};

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let parts = NAMES.split(name, argument)?;
    let item = binding::name(name, "as", parts[2], "this")?;
    let position = binding::name(name, "arrayIndexAs", parts[3], "IDX")?;
    let input = compiler.operand(parts[0])?;
    let (variables, body) = binding::compile(&[item, position], parts[1], 9_375_801, compiler)?;
    let style = Style::Named(NAMES.names);
    let mut call = Call::new(name, style, Function::Lazy(evaluate), vec![input, body]);
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
                16883,
                format!("input to $map must be an array not {}", other.type_name()),
            ));
        }
    };
    let slot = call.variables.first().map_or(0, |(_, slot)| *slot);
    let mut mapped = ArrayBuilder::new();
    for (at, item) in items.iter().enumerate() {
        let position = binding::position(&call.variables, 1, at, scope.frame);
        let frame = Frame::new(slot, item, position.as_ref().or(scope.frame));
        let inner = Scope {
            frame: Some(&frame),
            ..*scope
        };
        mapped.push(call.argument(1, &inner)?.as_ref());
        allow_array(scope.env, call.name, mapped.byte_len())?;
    }
    Ok(Value::Array(mapped.finish()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn maps_every_item() {
        evaluates(
            "{$map: {input: '$a', as: 'x', in: {$multiply: ['$$x', '$b']}}}",
            "{a: [1, 2], b: 10}",
            "[10, 20]",
        );
        evaluates(
            "{$map: {input: '$a', in: '$$this.x'}}",
            "{a: [{x: 1}, {}]}",
            "[1, null]",
        );
        evaluates(
            "{$map: {input: [1, 2], in: {$map: {input: [10], as: 'y', in: {$add: ['$$this', '$$y']}}}}}",
            "{}",
            "[[11], [12]]",
        );
        evaluates(
            "{$map: {input: [5, 6], in: {$map: {input: [7], arrayIndexAs: 'i', in: ['$$IDX', '$$i', '$$this']}}}}",
            "{}",
            "[[[0, 0, 7]], [[1, 0, 7]]]",
        );
        fails("{$map: {input: '$$IDX', in: 1}}", "{}", 17276);
        fails("{$map: {input: [], arrayIndexAs: 'IDX', in: 1}}", "{}", 9);
        fails(
            "{$map: {input: [], as: 'i', arrayIndexAs: 'i', in: 1}}",
            "{}",
            9375801,
        );
        evaluates("{$map: {input: '$a', in: 1}}", "{}", "null");
        fails("{$map: {input: 5, in: 1}}", "{}", 16883);
        fails("{$map: {input: [], as: 'A', in: 1}}", "{}", 9);
        fails("{$map: {input: []}}", "{}", 16882);
    }
}
