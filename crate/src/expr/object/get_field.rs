//! `$getField`: a field by its name, which may hold dots and dollar signs.
//!
//! Follows the manual's "$getField" page.

use super::super::arguments::{error, part_of};
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Function, Node, Result, Style};
use super::constant_name::{self, name_of};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let mut field = argument;
    let mut input = Node::Current;
    if let ValueRef::Document(parts) = argument
        && !parts
            .iter()
            .next()
            .is_some_and(|part| part.name.starts_with('$'))
    {
        field = ValueRef::Missing;
        input = Node::Absent;
        for part in parts.iter() {
            match part.name {
                "field" => field = part.value,
                "input" => input = compiler.operand(part.value)?,
                other => {
                    return Err(error(
                        3_041_701,
                        format!("$getField found an unknown argument: {other}"),
                    ));
                }
            }
        }
    }
    if field.is_missing() {
        return Err(error(
            3_041_702,
            "$getField requires 'field' to be specified",
        ));
    }
    if matches!(input, Node::Absent) {
        return Err(error(
            3_041_703,
            "$getField requires 'input' to be specified",
        ));
    }
    let codes = [5_654_600, 5_654_601, 5_654_602];
    let field = constant_name::compile(name, field, codes, compiler)?;
    let style = Style::Named(&["field", "input"]);
    let function = Function::Lazy(evaluate);
    Ok(compiler.finish(Call::new(name, style, function, vec![field, input])))
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let field = call.argument(0, scope)?;
    let input = call.argument(1, scope)?;
    Ok(match input.as_ref() {
        ValueRef::Document(_) => part_of(&input, &|value| match value {
            ValueRef::Document(document) => document.get(name_of(&field)),
            _ => ValueRef::Missing,
        }),
        ValueRef::Null | ValueRef::Undefined => Value::NULL,
        _ => Value::MISSING,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn takes_any_name() {
        evaluates("{$getField: 'a.b'}", "{'a.b': 5}", "5");
        evaluates(
            "{$getField: {field: {$literal: '$x'}, input: '$d'}}",
            "{d: {'$x': 1}}",
            "1",
        );
        evaluates(
            "{$getField: {field: 'x', input: '$d'}}",
            "{d: null}",
            "null",
        );
        evaluates(
            "{$getField: {field: 'x', input: '$d'}}",
            "{d: 3}",
            "missing",
        );
        fails("{$getField: '$a'}", "{}", 5654600);
        fails("{$getField: {field: 1, input: '$a'}}", "{}", 5654602);
        fails("{$getField: {field: 'x'}}", "{}", 3041703);
    }
}
