//! `$rand`: a random number from 0 up to 1, anew for every document.
//!
//! Follows the manual's "$rand" page.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::node::{Call, Function, Node, Result, Style};
use crate::bson::{Value, ValueRef};
use crate::env::Env;

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
    // Not `finish`: a call without arguments would fold to one number.
    let style = Style::Named(&[]);
    let call = Call::new(name, style, Function::Lazy(evaluate), Vec::new());
    Ok(Node::Call(Box::new(call)))
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
