//! `$function`: a script function's value for some arguments.
//!
//! Follows the manual's "$function (aggregation)" page. The host calls the function; a host without
//! scripts refuses it. Invariant: never folded, so a function runs once for each document that asks for it.

use super::super::arguments::error;
use super::super::compile::Compiler;
use super::super::context::Scope;
use super::super::form::Form;
use super::super::growth::allow_arguments;
use super::super::node::{Call, Function, Node, Result, Style};
use crate::bson::extended_json::{self, Format};
use crate::bson::{Text, Value, ValueRef};
use crate::env::call_function;
use crate::error::{Code, CommandError};

/// How the operator takes its arguments.
pub const FORM: Form = Form::Custom(compile);

/// The expression, for a function around a user's own, that makes a function of the user's code where it stands.
/// `web/src/shell/functions.ts` has the name in it.
pub fn evaluated(code: &str) -> String {
    let code = extended_json::to_string(ValueRef::from(code), Format::Canonical);
    format!("eval(__function$({code}))")
}

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    compiler: &mut Compiler<'_>,
) -> Result<Node> {
    if compiler.context.in_validator {
        let message = format!("{name} cannot be used inside a validator.");
        return Err(error(4660800, message));
    }
    let ValueRef::Document(fields) = argument else {
        return Err(error(
            31260,
            format!(
                "{name} requires an object as an argument, found: {}",
                argument.type_name()
            ),
        ));
    };
    let body = fields.get("body");
    if body.is_missing() {
        return Err(error(31261, "The body function must be specified."));
    }
    let body = compiler.operand(body)?;
    let Node::Constant(text) = &body else {
        return Err(error(
            31432,
            "The body function must be a constant expression",
        ));
    };
    if !matches!(text.as_ref(), ValueRef::String(_) | ValueRef::JavaScript(_)) {
        return Err(error(
            31262,
            "The body function must evaluate to type string or code",
        ));
    }
    let given = fields.get("args");
    if given.is_missing() {
        return Err(error(31263, "The args field must be specified."));
    }
    let given = compiler.operand(given)?;
    match fields.get("lang") {
        ValueRef::Missing => return Err(error(31418, "The lang field must be specified.")),
        ValueRef::String(text) if text == "js" => {}
        _ => {
            return Err(error(
                31419,
                "Currently the only supported language specifier is 'js'.",
            ));
        }
    }
    let language = Node::Constant(ValueRef::String(Text(b"js")).to_value());
    let style = Style::Named(&["body", "args", "lang"]);
    let arguments = vec![body, given, language];
    let call = Call::new(name, style, Function::Lazy(evaluate), arguments);
    Ok(Node::Call(Box::new(call)))
}

fn evaluate<'v>(call: &'v Call, scope: &Scope<'v>) -> Result<Value<'v>> {
    let body = call.argument(0, scope)?;
    let (ValueRef::String(source) | ValueRef::JavaScript(source)) = body.as_ref() else {
        return Ok(Value::NULL);
    };
    let given = call.argument(1, scope)?;
    let ValueRef::Array(given) = given.as_ref() else {
        return Err(error(31266, "The args field must be of type array"));
    };
    // The arguments are one document on a server; and their text may take many times their room.
    allow_arguments(scope.env, given.as_bytes().len())?;
    let texts: Vec<String> = given
        .iter()
        .map(|value| extended_json::to_string(value, Format::Canonical))
        .collect();
    let failed = |reason: String| CommandError::new(Code::JSInterpreterFailure, reason);
    let answer = call_function(scope.env, source.checked()?, None, &texts)?;
    extended_json::parse_value(&answer)
        .map_err(|_| failed("a $function's value cannot be read".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{evaluates, fails};

    #[test]
    fn calls_the_host() {
        // The test host's only function gives its two arguments the other way round.
        evaluates(
            "{$function: {body: 'function(a, b) { return [b, a] }', args: ['$x', {c: 1}], lang: 'js'}}",
            "{x: NumberLong(2)}",
            "[{c: 1}, NumberLong(2)]",
        );
        fails(
            "{$function: {body: 'function() { throw 1 }', args: [], lang: 'js'}}",
            "{}",
            139,
        );
    }

    #[test]
    fn refuses_bad_arguments() {
        fails("{$function: 5}", "{}", 31260);
        fails("{$function: {args: [], lang: 'js'}}", "{}", 31261);
        fails(
            "{$function: {body: '$x', args: [], lang: 'js'}}",
            "{}",
            31432,
        );
        fails("{$function: {body: 5, args: [], lang: 'js'}}", "{}", 31262);
        fails("{$function: {body: 'f', lang: 'js'}}", "{}", 31263);
        fails("{$function: {body: 'f', args: []}}", "{}", 31418);
        fails(
            "{$function: {body: 'f', args: [], lang: 'py'}}",
            "{}",
            31419,
        );
        fails("{$function: {body: 'f', args: 1, lang: 'js'}}", "{}", 31266);
    }
}
