//! `$filter`: the items for which a condition is true.
//!
//! Follows the manual's "$filter" page.

use super::super::arguments::{error, exact_i32};
use super::super::compile::Compiler;
use super::super::context::{Frame, Scope};
use super::super::form::{Form, Names};
use super::super::node::{Call, Function, Node, Result, Style};
use super::binding;
use crate::bson::{ArrayBuilder, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &["input", "cond", "as", "limit", "arrayIndexAs"],
    missing: &[28648, 28650],
    not_object: 28646,
    unknown: 28647,
};

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let parts = NAMES.split(name, argument)?;
    let item = binding::name(name, "as", parts[2], "this")?;
    let position = binding::name(name, "arrayIndexAs", parts[4], "IDX")?;
    let input = compiler.operand(parts[0])?;
    let (variables, condition) =
        binding::compile(&[item, position], parts[1], 9_375_802, compiler)?;
    let limit = match parts[3] {
        ValueRef::Missing => Node::Absent,
        limit => compiler.operand(limit)?,
    };
    // In the order of the printed names: `as` prints from the variables.
    let arguments = vec![input, condition, Node::Absent, limit];
    let style = Style::Named(NAMES.names);
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
                28651,
                format!(
                    "input to $filter must be an array not {}",
                    other.type_name()
                ),
            ));
        }
    };
    let limit = call.argument(3, scope)?;
    let mut room = match limit.as_ref() {
        limit if limit.is_nullish() => u32::MAX,
        limit => match exact_i32(limit) {
            Some(limit) if limit > 0 => limit.unsigned_abs(),
            Some(limit) => {
                return Err(error(
                    327_392,
                    format!("$filter: limit must be greater than 0: {limit}"),
                ));
            }
            None => {
                return Err(error(
                    327_391,
                    "$filter: limit must be represented as a 32-bit integral value",
                ));
            }
        },
    };
    let slot = call.variables.first().map_or(0, |(_, slot)| *slot);
    let mut kept = ArrayBuilder::new();
    for (at, item) in items.iter().enumerate() {
        if room == 0 {
            break;
        }
        scope.env.checkpoint()?;
        let position = binding::position(&call.variables, 1, at, scope.frame);
        let frame = Frame::new(slot, item, position.as_ref().or(scope.frame));
        let inner = Scope {
            frame: Some(&frame),
            ..*scope
        };
        if call.argument(1, &inner)?.as_ref().is_truthy() {
            kept.push(item);
            room -= 1;
        }
    }
    Ok(Value::Array(kept.finish()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn keeps_what_passes() {
        evaluates(
            "{$filter: {input: '$a', as: 'x', cond: {$gt: ['$$x', 1]}}}",
            "{a: [1, 2, 3]}",
            "[2, 3]",
        );
        evaluates(
            "{$filter: {input: '$a', cond: {$gt: ['$$this', '$b']}, limit: 1}}",
            "{a: [1, 2, 3], b: 1}",
            "[2]",
        );
        evaluates(
            "{$filter: {input: '$a', cond: {$eq: ['$$this', '$$IDX']}}}",
            "{a: [0, 7, 2, 5, 4, 0]}",
            "[0, 2, 4]",
        );
        evaluates(
            "{$filter: {input: '$a', arrayIndexAs: 'i', cond: {$gt: ['$$i', 1]}, limit: 1}}",
            "{a: [0, 7, 2, 5]}",
            "[2]",
        );
        fails(
            "{$filter: {input: [1], arrayIndexAs: 'i', cond: '$$IDX'}}",
            "{}",
            17276,
        );
        fails(
            "{$filter: {input: [1], as: 'i', arrayIndexAs: 'i', cond: true}}",
            "{}",
            9375802,
        );
        evaluates("{$filter: {input: '$a', cond: true}}", "{}", "null");
        fails("{$filter: {input: 1, cond: true}}", "{}", 28651);
        fails("{$filter: {cond: true}}", "{}", 28648);
        fails(
            "{$filter: {input: [1], cond: true, limit: 0}}",
            "{}",
            327392,
        );
    }
}
