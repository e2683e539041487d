//! The script functions of one `mapReduce`: how they are put together, called in batches, and share their scope.
//!
//! Manual: reference/command/mapReduce. Invariant: the three functions are closures of one script, so that a change
//! that one of them makes to the scope's variables is seen by the others; the first call of a command begins anew.

use crate::bson::extended_json::{self, Format};
use crate::bson::{Array, ArrayBuf, Document, Value, ValueRef};
use crate::env::{Env, call_function};
use crate::error::{Code, CommandError};
use crate::expr::miscellaneous::function::evaluated;

/// Turns code among a scope's variables into functions.
const REVIVE: &str = "for (const name of Object.keys(vars)) if (vars[name] !== null && typeof vars[name] === 'object' && \
                      vars[name]._bsontype === 'Code') vars[name] = eval(__function$(vars[name].code));";

/// The most bytes that one document may emit, and the least that a pair counts for: the room of a pair of the shortest
/// values in the sandbox. Of longer values only texts are counted; other values end with the sandbox's memory.
const MOST_EMITTED: usize = 100 << 20;
const LEAST_EMITTED: usize = 128;

/// Texts of documents for one call grow to about so many bytes.
pub(in crate::command) const MOST_WAITING: usize = 1 << 20;

pub(in crate::command) struct Functions {
    source: String,
    /// The scope's variables, until the first call.
    scope: Option<String>,
}

fn failed(reason: impl Into<String>) -> CommandError {
    CommandError::new(Code::JSInterpreterFailure, reason)
}

/// The text of values, each as canonical Extended JSON.
pub(in crate::command) fn text<'v>(value: impl Into<ValueRef<'v>>) -> String {
    extended_json::to_string(value.into(), Format::Canonical)
}

/// The function that `$merge` calls where `reduce` and `finalize` meet stored documents: with the scope as its last
/// argument.
pub(in crate::command) fn with_scope(function: &str) -> String {
    let function = evaluated(function);
    format!(
        "function(key, value, vars) {{ {REVIVE} with (vars) {{ return {function}(key, value) }} }}"
    )
}

impl Functions {
    // `emit` takes a list instead of `arguments`: QuickJS-ng loses itself in memory where many such objects are made.
    pub(in crate::command) fn new(
        map: &str,
        reduce: &str,
        finalize: Option<&str>,
        scope: Document<'_>,
    ) -> Self {
        let (map, reduce) = (evaluated(map), evaluated(reduce));
        let finalize = finalize.map_or_else(|| "undefined".to_owned(), evaluated);
        let source = format!(
            "function batches(verb, given, vars) {{ const open = function (vars) {{ {REVIVE} let emitted = [], wrong = \
             false, room = 0; const size = (value) => typeof value === 'string' ? value.length : 0; const emit = function \
             (...given) {{ const [key, value] = given; if (given.length !== 2) {{ wrong = null; throw new Error('emit takes 2 args') }} room -= \
             {LEAST_EMITTED} + size(key) + size(value); if (room < 0) {{ wrong = room; throw new Error('too much') }} \
             emitted.push([key === undefined ? null : key, value]) }}; with (vars) {{ const map = {map}, reduce = \
             {reduce}, finalize = {finalize}; return {{ map(documents) {{ emitted = []; wrong = false; try {{ for \
             (const each of documents) {{ room = {MOST_EMITTED}; map.call(each) }} }} \
             catch (thrown) {{ if (wrong !== false) return wrong; throw thrown }} return emitted }}, reduce(groups) {{ return groups.map(([key, \
             values]) => reduce(key, values)) }}, finalize(groups) {{ return groups.map(([key, value]) => \
             finalize(key, value)) }} }} }} }}; if (vars !== null) batches.kept = open(vars); return \
             batches.kept[verb](given) }}"
        );
        Self {
            source,
            scope: Some(text(scope)),
        }
    }

    /// Calls one of the functions with a list of its arguments, given as texts; gives the list of its values.
    fn call(
        &mut self,
        env: &dyn Env,
        verb: &str,
        given: &str,
    ) -> Result<Value<'static>, CommandError> {
        let scope = self.scope.take();
        let arguments = [
            format!("\"{verb}\""),
            format!("[{given}]"),
            scope.unwrap_or_else(|| "null".to_owned()),
        ];
        let answer = call_function(env, &self.source, None, &arguments)?;
        extended_json::parse_value(&answer)
            .map_err(|_| failed("the functions' values cannot be read"))
    }

    /// Maps documents; gives the pairs that they emitted.
    ///
    /// # Errors
    /// 31220 for an `emit` of another number of arguments; 31292 for more than a document may emit; 139 for an error
    /// that the function throws.
    pub(in crate::command) fn map(
        &mut self,
        env: &dyn Env,
        documents: &str,
    ) -> Result<ArrayBuf, CommandError> {
        match self.call(env, "map", documents)? {
            Value::Array(emitted) => Ok(emitted),
            other => Err(match other.as_ref() {
                ValueRef::Null => CommandError::location(31220, "emit takes 2 args"),
                _ => CommandError::location(
                    31292,
                    format!(
                        "Size of emitted values exceeds the set size limit of {MOST_EMITTED} bytes"
                    ),
                ),
            }),
        }
    }

    /// Reduces or finalizes groups, each `[key, values]`: gives a value for each.
    ///
    /// # Errors
    /// 139 for an error that the function throws.
    pub(in crate::command) fn each(
        &mut self,
        env: &dyn Env,
        verb: &str,
        groups: &str,
    ) -> Result<ArrayBuf, CommandError> {
        match self.call(env, verb, groups)? {
            Value::Array(values) => Ok(values),
            _ => Err(failed("the functions' values cannot be read")),
        }
    }
}

/// A pair of an emitted list.
pub(in crate::command) fn pair(item: ValueRef<'_>) -> Option<(ValueRef<'_>, ValueRef<'_>)> {
    let pair: Array<'_> = item.as_array()?;
    let mut parts = pair.iter();
    Some((parts.next()?, parts.next()?))
}
