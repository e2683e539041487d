//! `$rand`: a random number from 0 up to 1, anew for every document.
//!
//! Follows the manual's "$rand" page.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Function, Lazy, Node, Result, Style};
use crate::bson::{Value, ValueRef};
use crate::env::Env;
use crate::error::Code;

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

fn compile(name: &'static str, argument: ValueRef<'_>, _: &mut Compiler<'_>) -> Result<Node> {
    let empty = match argument {
        ValueRef::Document(fields) => fields.is_empty(),
        ValueRef::Array(items) => items.is_empty(),
        _ => {
            return Err(error(
                10065,
                "invalid parameter: expected an object ($rand)",
            ));
        }
    };
    if !empty {
        return Err(error(
            3_040_501,
            "$rand does not currently accept arguments",
        ));
    }
    Ok(unfolded(name, evaluate, Value::MISSING))
}

/// A call without arguments. Not `finish`: it would fold to one value.
fn unfolded(name: &'static str, evaluate: Lazy, constant: Value<'static>) -> Node {
    let style = Style::Named(&[]);
    let mut call = Call::new(name, style, Function::Lazy(evaluate), Vec::new());
    call.constant = constant;
    Node::Call(Box::new(call))
}

/// Compiles an operator that takes an empty document and may ask for the time.
///
/// # Errors
/// 9 for any other argument.
pub fn without_arguments(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
    evaluate: Lazy,
) -> Result<Node> {
    if !argument
        .as_document()
        .is_some_and(|fields| fields.is_empty())
    {
        return Err(error(
            Code::FailedToParse as i32,
            format!("{name} does not accept arguments"),
        ));
    }
    let context = compiler.context;
    let ahead = context.now_millis - context.env.now_millis();
    Ok(unfolded(name, evaluate, Value::from(ahead)))
}

/// The engine's time. The call knows how far it is ahead of the host's.
pub fn now(call: &Call, scope: &Scope<'_>) -> i64 {
    let ahead = call.constant.as_ref().as_exact_i64().unwrap_or(0);
    scope.env.now_millis() + ahead
}

fn evaluate<'v>(_: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    Ok(Value::from(random(scope.env)))
}

/// A random number from 0 up to 1.
pub fn random(env: &dyn Env) -> f64 {
    let mut bytes = [0; 8];
    env.fill_random(&mut bytes);
    // The 53 bits of a double's fraction.
    let bits = u64::from_le_bytes(bytes) >> 11;
    bits as f64 / 9_007_199_254_740_992.0
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn is_not_folded() {
        evaluates("{$lt: [{$rand: {}}, 1]}", "{}", "true");
        fails("{$rand: {a: 1}}", "{}", 3040501);
        fails("{$rand: null}", "{}", 10065);
    }
}
