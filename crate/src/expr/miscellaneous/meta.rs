//! `$meta`: a row's metadata, such as its sort key.
//!
//! Follows the manual's "$meta" page: missing where it is not known.

use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::metadata::{MetaKind, Metadata};
use super::super::node::{Call, Function, Node, Result, Style};
use crate::bson::{Value, ValueRef};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    let kind = MetaKind::parse(argument)?;
    let mut call = Call::new(name, Style::Constant, Function::Lazy(evaluate), Vec::new());
    call.metadata = Some(Metadata::wanting(&compiler.context.metadata, kind));
    call.constant = argument.to_value();
    // Not `finish`: it would fold to the metadata of no row.
    Ok(Node::Call(Box::new(call)))
}

fn evaluate<'v>(call: &'v Call, _: &Scope<'v>) -> Result<Value<'v>> {
    Ok(match (&call.metadata, kind_of(call)) {
        (Some(metadata), Some(kind)) => metadata.get(kind),
        _ => Value::MISSING,
    })
}

/// The kind of metadata that a call asks for, if it is one of `$meta`.
pub fn kind_of(call: &Call) -> Option<&str> {
    call.metadata.as_ref()?;
    call.constant.as_ref().as_str()
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{canonical, evaluates, fails};

    #[test]
    fn is_missing_where_nothing_is_known() {
        evaluates("{$meta: 'recordId'}", "{}", "missing");
        evaluates("{a: {$meta: 'searchScore'}}", "{}", "{}");
        fails("{$meta: 'nonsense'}", "{}", 17308);
        fails("{$meta: {}}", "{}", 17307);
        assert_eq!(
            canonical("{$add: [{$meta: 'randVal'}, 1]}"),
            "{x: {$add: [{$meta: 'randVal'}, {$const: 1}]}}"
        );
    }
}
