//! `$accumulator`: a state that script functions begin, feed and finish.
//!
//! Follows the manual's "$accumulator (aggregation)" page. The host calls the functions; a host without scripts refuses
//! them. Invariant: one call of the host feeds many documents, in their order, so that a group costs few crossings;
//! `merge` is checked and never called, because one node merges no partial groups.

use super::accumulator::{Accumulator, AccumulatorPlan, Form, Result};
use crate::bson::extended_json::{self, Format};
use crate::bson::{Document, DocumentBuilder, Value, ValueRef};
use crate::env::{Env, call_function};
use crate::error::{Code, CommandError};
use crate::expr::growth::allow_arguments;
use crate::expr::miscellaneous::function::evaluated;
use crate::expr::{CompileContext, Expression, Scope, compile as compile_expression};
use std::rc::Rc;

/// How the accumulator takes its argument.
pub const FORM: Form = Form::Custom(compile);

/// Texts of arguments that wait for one call grow to about so many bytes.
const MOST_WAITING: usize = 1 << 20;

/// The functions of one `$accumulator`, as they are called.
struct Functions {
    initial: String,
    arguments: Expression,
    accumulate: String,
    finalize: Option<String>,
}

fn location(code: i32, message: impl Into<String>) -> CommandError {
    CommandError::location(code, message)
}

/// The text of a function that is a constant expression.
fn function(name: &str, value: ValueRef<'_>, context: &CompileContext<'_>) -> Result<String> {
    let expression = compile_expression(value, context)?;
    let constant = expression.as_constant().ok_or_else(|| {
        location(
            4_544_701,
            format!("$accumulator '{name}' must be a constant expression"),
        )
    })?;
    match constant.as_ref() {
        ValueRef::String(text) | ValueRef::JavaScript(text) => {
            Ok(text.checked()?.trim().to_owned())
        }
        _ => Err(location(
            4_544_702,
            format!("$accumulator '{name}' must be a String or Code"),
        )),
    }
}

fn compile(
    name: &'static str,
    argument: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<AccumulatorPlan> {
    let ValueRef::Document(fields) = argument else {
        return Err(location(
            4_544_703,
            format!(
                "$accumulator expects an object as an argument; found: {}",
                argument.type_name()
            ),
        ));
    };
    let [mut init, mut accumulate, mut merge, mut finalize] = [None, None, None, None];
    let (mut init_args, mut accumulate_args) = (None, None);
    for field in fields.iter() {
        match (field.name, field.value) {
            ("init", value) => init = Some(function("init", value, context)?),
            ("accumulate", value) => accumulate = Some(function("accumulate", value, context)?),
            ("merge", value) => merge = Some(function("merge", value, context)?),
            ("finalize", value) => finalize = Some(function("finalize", value, context)?),
            ("initArgs", value) => init_args = Some(value),
            ("accumulateArgs", value) => accumulate_args = Some(value),
            ("lang", ValueRef::String(text)) if text == "js" => {}
            ("lang", ValueRef::String(_)) => {
                return Err(location(4_544_705, "$accumulator only supports lang: 'js'"));
            }
            ("lang", other) => {
                return Err(location(
                    4_544_704,
                    format!(
                        "$accumulator lang must be a string; found: {}",
                        other.type_name()
                    ),
                ));
            }
            (other, _) => {
                return Err(location(
                    4_544_706,
                    format!("$accumulator got an unexpected field: {other}"),
                ));
            }
        }
    }
    let required = |found: Option<String>, name: &str, code| {
        let found = found.filter(|text| !text.is_empty());
        let missing = || format!("$accumulator missing required argument '{name}'");
        found.ok_or_else(|| location(code, missing()))
    };
    let init = required(init, "init", 4_544_707)?;
    let accumulate = required(accumulate, "accumulate", 4_544_708)?;
    let merge = required(merge, "merge", 4_544_709)?;
    let accumulate_args = accumulate_args.ok_or_else(|| {
        location(
            4_544_710,
            "$accumulator missing required argument 'accumulateArgs'",
        )
    })?;
    let none = crate::bson::ArrayBuilder::new().finish();
    let init_args = init_args.unwrap_or(ValueRef::Array(none.as_array()));
    let mut shown = DocumentBuilder::new();
    shown.append("init", init.as_str());
    let init_args = compile_expression(init_args, context)?;
    init_args.to_bson("initArgs", &mut shown);
    shown.append("accumulate", accumulate.as_str());
    let argument = compile_expression(accumulate_args, context)?;
    argument.to_bson("accumulateArgs", &mut shown);
    shown.append("merge", merge.as_str());
    if let Some(finalize) = &finalize {
        shown.append("finalize", finalize.as_str());
    }
    shown.append("lang", "js");
    let functions = Rc::new(Functions {
        initial: init,
        arguments: init_args,
        accumulate: format!(
            "function(state, calls) {{ const step = {}; for (const given of calls) state = \
             step(state, ...given); return state }}",
            evaluated(&accumulate)
        ),
        finalize,
    });
    Ok(AccumulatorPlan {
        name,
        argument,
        specification: Value::Document(shown.finish()),
        start: Box::new(move || {
            Box::new(State {
                functions: Rc::clone(&functions),
                state: String::new(),
                waiting: String::new(),
            })
        }),
    })
}

struct State {
    functions: Rc<Functions>,
    /// The state as canonical Extended JSON.
    state: String,
    /// Arrays of arguments that were not given to `accumulate` yet, separated by commas.
    waiting: String,
}

/// A value in a message.
fn worded(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Missing => "MISSING".to_owned(),
        value => value.to_string(),
    }
}

/// Calls a function; gives the text of its value.
fn call(env: &dyn Env, source: &str, arguments: &[String]) -> Result<String> {
    call_function(env, source, None, arguments)
}

fn read(text: &str) -> Result<Value<'static>> {
    extended_json::parse_value(text).map_err(|_| {
        CommandError::new(
            Code::JSInterpreterFailure,
            "an $accumulator's value cannot be read",
        )
    })
}

impl State {
    /// Calls `accumulate` once, with the arguments of all waiting documents.
    fn feed(&mut self, env: &dyn Env) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let calls = format!("[{}]", self.waiting);
        self.waiting.clear();
        let state = std::mem::take(&mut self.state);
        self.state = call(env, &self.functions.accumulate, &[state, calls])?;
        Ok(())
    }
}

impl Accumulator for State {
    fn begin(&mut self, group: ValueRef<'_>, env: &dyn Env) -> Result<()> {
        let group = match group {
            ValueRef::Document(_) => group,
            _ => ValueRef::Document(Document::EMPTY),
        };
        let scope = Scope::of(group, env);
        let given = self.functions.arguments.evaluate(&scope)?;
        let ValueRef::Array(items) = given.as_ref() else {
            return Err(location(
                4_544_711,
                format!(
                    "$accumulator initArgs must evaluate to an array: {}",
                    worded(given.as_ref())
                ),
            ));
        };
        allow_arguments(env, items.as_bytes().len())?;
        let texts: Vec<String> = items
            .iter()
            .map(|item| extended_json::to_string(item, Format::Canonical))
            .collect();
        self.state = call(env, &self.functions.initial, &texts)?;
        Ok(())
    }

    fn add(&mut self, value: ValueRef<'_>) -> Result<usize> {
        if !matches!(value, ValueRef::Array(_)) {
            return Err(location(
                4_544_712,
                format!(
                    "$accumulator accumulateArgs must evaluate to an array: {}",
                    worded(value)
                ),
            ));
        }
        if !self.waiting.is_empty() {
            self.waiting.push(',');
        }
        self.waiting
            .push_str(&extended_json::to_string(value, Format::Canonical));
        Ok(0)
    }

    fn add_in(&mut self, value: ValueRef<'_>, env: &dyn Env) -> Result<usize> {
        let before = self.state.len() + self.waiting.len();
        if let ValueRef::Array(given) = value {
            allow_arguments(env, given.as_bytes().len())?;
        }
        self.add(value)?;
        if self.waiting.len() > MOST_WAITING {
            self.feed(env)?;
        }
        Ok((self.state.len() + self.waiting.len()).saturating_sub(before))
    }

    /// The state so far, without the documents that wait; stages call `finish`, which feeds those first.
    fn value(&mut self) -> Result<Value<'static>> {
        read(&self.state)
    }

    fn finish(&mut self, env: &dyn Env) -> Result<Value<'static>> {
        self.feed(env)?;
        match &self.functions.finalize {
            None => self.value(),
            Some(finalize) => read(&call(env, finalize, std::slice::from_ref(&self.state))?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{accumulates, refuses};

    const REST: &str = "accumulate: 'f', accumulateArgs: ['$x'], merge: 'm', lang: 'js'";

    #[test]
    fn feeds_the_host() {
        // The test host's function `f` of a state and calls gives the state with the calls behind it.
        accumulates(
            "{$accumulator: {init: 'i', accumulate: 'f', accumulateArgs: ['$x'], merge: 'm', lang: 'js'}}",
            "[{x: 1}, {x: 'a'}]",
            "[0, [[1], ['a']]]",
        );
    }

    #[test]
    fn refuses_bad_arguments() {
        let fails = |fields: &str, code| {
            refuses(&format!("{{$accumulator: {{{fields}}}}}"), "[{x: 1}]", code);
        };
        refuses("{$accumulator: 5}", "[{}]", 4_544_703);
        fails(&format!("init: '$x', {REST}"), 4_544_701);
        fails(&format!("init: 5, {REST}"), 4_544_702);
        fails("init: 'i', lang: 5", 4_544_704);
        fails("init: 'i', lang: 'py'", 4_544_705);
        fails(&format!("init: 'i', x: 1, {REST}"), 4_544_706);
        fails(REST, 4_544_707);
        fails("init: 'i', accumulateArgs: [], merge: 'm'", 4_544_708);
        fails("init: 'i', accumulate: 'f', accumulateArgs: []", 4_544_709);
        fails("init: 'i', accumulate: 'f', merge: 'm'", 4_544_710);
        fails(&format!("init: 'i', initArgs: 5, {REST}"), 4_544_711);
        fails(
            "init: 'i', accumulate: 'f', accumulateArgs: '$x', merge: 'm'",
            4_544_712,
        );
        fails(&format!("init: 'unknown', {REST}"), 139);
    }
}
