//! `$percentile` as an expression: percentiles of an array's numbers.
//!
//! Follows the manual's "$percentile" page.

use super::super::array::several::collect;
use super::super::compile::Compiler;
use super::super::form::{Form, Names};
use super::super::node::{Call, Function, Invocation, Node, Result, Style};
use super::inputs::each_value;
use super::percentiles::{check_method, constant_shares, shares};
use super::state::Percentiles;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &["input", "p", "method"],
    missing: &[40414, 40414, 40414],
    not_object: 7_436_200,
    unknown: 40415,
};

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let parts = NAMES.split(name, argument)?;
    check_method(parts[2], name)?;
    let input = compiler.operand(parts[0])?;
    let list = compiler.operand(parts[1])?;
    constant_shares(list.as_constant(), parts[1])?;
    let method = Node::constant(parts[2].to_value());
    let style = Style::Named(NAMES.names);
    let arguments = vec![input, list, method];
    Ok(compiler.finish(Call::new(name, style, Function::Eager(evaluate), arguments)))
}

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let shares = shares(arguments[1].as_ref())?;
    let mut state = Percentiles::default();
    each_value(&arguments[..1], &mut |value| state.add(value));
    let values = shares.into_iter().map(|share| state.value(share, call.env));
    let values = values.collect::<Result<Vec<_>>>()?;
    collect(values.iter().map(Value::as_ref), call)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_several() {
        evaluates(
            "{$percentile: {input: '$a', p: [0, 0.5, 0.9, 1], method: 'approximate'}}",
            "{a: [4, 1, 3, 2]}",
            "[1.0, 2.0, 4.0, 4.0]",
        );
        fails(
            "{$percentile: {input: '$a', p: [2], method: 'approximate'}}",
            "{a: 1}",
            7750303,
        );
        fails(
            "{$percentile: {input: '$a', p: '$p', method: 'approximate'}}",
            "{a: 1, p: [0.5]}",
            7750300,
        );
    }
}
