//! `$median` as an expression: the 50th percentile of an array's numbers.
//!
//! Follows the manual's "$median" page.

use super::super::compile::Compiler;
use super::super::form::{Form, Names};
use super::super::node::{Call, Function, Invocation, Node, Result, Style};
use super::inputs::each_value;
use super::percentiles::check_method;
use super::state::Percentiles;
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const NAMES: Names = Names {
    names: &["input", "method"],
    missing: &[40414, 40414],
    not_object: 7_436_201,
    unknown: 40415,
};

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let parts = NAMES.split(name, argument)?;
    check_method(parts[1], name)?;
    let input = compiler.operand(parts[0])?;
    let method = Node::constant(parts[1].to_value());
    let style = Style::Named(NAMES.names);
    let arguments = vec![input, method];
    Ok(compiler.finish(Call::new(name, style, Function::Eager(evaluate), arguments)))
}

fn evaluate<'v>(arguments: &[Value<'v>], call: Invocation<'_>) -> Result<Value<'v>> {
    let mut state = Percentiles::default();
    each_value(&arguments[..1], &mut |value| state.add(value));
    state.value(0.5, call.env)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_the_lower_middle() {
        evaluates(
            "{$median: {input: '$a', method: 'approximate'}}",
            "{a: [4, 1, 3, 2]}",
            "2.0",
        );
        evaluates(
            "{$median: {input: '$q', method: 'approximate'}}",
            "{}",
            "null",
        );
        fails("{$median: {input: '$a', method: 'exact'}}", "{a: 1}", 2);
        fails("{$median: {input: '$a'}}", "{}", 40414);
    }
}
