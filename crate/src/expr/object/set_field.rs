//! `$setField` and `$unsetField`: a document with one field set or removed, by any name.
//!
//! Follows the manual's "$setField" page.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::{Form, Names};
use super::super::growth::allow_document;
use super::super::node::{Call, Function, Node, Result, Style};
use super::constant_name::{self, name_of};
use crate::bson::{DocumentBuilder, Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

const SET: Names = Names {
    names: &["field", "input", "value"],
    missing: &[4_161_102, 4_161_109, 4_161_103],
    not_object: 4_161_100,
    unknown: 4_161_101,
};
const UNSET: Names = Names {
    names: &["field", "input"],
    missing: &[4_161_102, 4_161_109],
    not_object: 4_161_100,
    unknown: 4_161_101,
};

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let names = if name == "$setField" { &SET } else { &UNSET };
    let parts = names.split(name, argument)?;
    let codes = [4_161_108, 4_161_106, 4_161_107];
    let field = constant_name::compile(name, parts[0], codes, compiler)?;
    let input = compiler.operand(parts[1])?;
    let mut arguments = vec![field, input];
    if let Some(value) = parts.get(2) {
        arguments.push(compiler.operand(*value)?);
    }
    let style = Style::Named(names.names);
    Ok(compiler.finish(Call::new(name, style, Function::Lazy(evaluate), arguments)))
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let field = call.argument(0, scope)?;
    let name = name_of(&field);
    let input = call.argument(1, scope)?;
    let document = match input.as_ref() {
        value if value.is_nullish() => return Ok(Value::NULL),
        ValueRef::Document(document) => document,
        _ => {
            return Err(error(
                4_161_105,
                format!("{} requires 'input' to evaluate to type Object", call.name),
            ));
        }
    };
    let value = call.argument(2, scope)?;
    let mut builder = DocumentBuilder::new();
    let mut found = false;
    for element in document.iter() {
        if element.name == name {
            found = true;
            builder.append(name, value.as_ref());
        } else {
            builder.append_raw(element.raw);
        }
        allow_document(scope.env, builder.len())?;
    }
    if !found {
        builder.append(name, value.as_ref());
        allow_document(scope.env, builder.len())?;
    }
    Ok(Value::Document(builder.finish()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn sets_and_removes() {
        evaluates(
            "{$setField: {field: 'a.b', input: '$$ROOT', value: 2}}",
            "{x: 1}",
            "{x: 1, a.b: 2}",
        );
        evaluates(
            "{$setField: {field: 'x', input: '$$ROOT', value: '$$REMOVE'}}",
            "{x: 1, y: 2}",
            "{y: 2}",
        );
        evaluates(
            "{$unsetField: {field: 'x', input: '$$ROOT'}}",
            "{x: 1, y: 2}",
            "{y: 2}",
        );
        evaluates(
            "{$setField: {field: 'x', input: '$q', value: 1}}",
            "{}",
            "null",
        );
        fails(
            "{$setField: {field: 'x', input: 1, value: 1}}",
            "{}",
            4161105,
        );
        fails(
            "{$setField: {field: '$x', input: 1, value: 1}}",
            "{}",
            4161108,
        );
        fails(
            "{$unsetField: {field: 'x', input: 1, value: 1}}",
            "{}",
            4161101,
        );
    }
}
