//! The bounds on values that expressions make, and a value that grows where it lies.
//!
//! Invariant: an operator asks here before each step of its growth, so that no expression ever holds a value much
//! larger than these bounds, and every long evaluation can be interrupted. A string is bounded as the document that it
//! has to fit into; an array or a document may be larger between the stages of a pipeline, as the server's are.

use super::context::{Frame, Scope};
use super::node::{Function, Node, Result};
use crate::bson::{ArrayBuilder, Document, MAX_DOCUMENT_SIZE, Text, Value, ValueRef};
use crate::env::Env;
use crate::error::{Code, CommandError};

/// The most bytes of the arguments of a script function, or of a document that leaves a pipeline: of a stored document,
/// and some for the bytes beside it.
pub const MOST_RESULT_BYTES: usize = MAX_DOCUMENT_SIZE + 16 * 1024;
/// A document of fewer bytes is not asked about.
const FEW_BYTES: usize = 64 * 1024;
/// The most bytes of an array or a document that an expression, an accumulator or a stage makes.
pub const MOST_BYTES: usize = 104_857_600;

/// Asks whether a string may grow to that many bytes: it has to be shorter than a stored document may be.
///
/// # Errors
/// 16493 beyond the bound, and errors of `Env::checkpoint`.
pub fn allow_text(env: &dyn Env, bytes: usize) -> Result<()> {
    match bytes >= MAX_DOCUMENT_SIZE {
        true => Err(CommandError::location(
            16493,
            "Tried to create string longer than 16MB",
        )),
        false => env.checkpoint(),
    }
}

/// Asks whether the arguments of a script function may take this many bytes together.
///
/// # Errors
/// 10334 `BSONObjectTooLarge` beyond the bound, and errors of `Env::checkpoint`.
pub fn allow_arguments(env: &dyn Env, bytes: usize) -> Result<()> {
    match bytes > MOST_RESULT_BYTES {
        true => Err(too_large(bytes, MOST_RESULT_BYTES)),
        false => env.checkpoint(),
    }
}

/// Asks whether a document may have grown to that many bytes.
///
/// # Errors
/// 10334 `BSONObjectTooLarge` beyond the bound, and errors of `Env::checkpoint`.
#[inline]
pub fn allow_document(env: &dyn Env, bytes: usize) -> Result<()> {
    match bytes {
        0..FEW_BYTES => Ok(()),
        FEW_BYTES..=MOST_BYTES => env.checkpoint(),
        _ => Err(too_large(bytes, MOST_BYTES)),
    }
}

/// Refuses a document that leaves a pipeline, for a reply or a collection, and is larger than any message carries.
///
/// # Errors
/// 10334 `BSONObjectTooLarge`.
#[inline]
pub fn allow_result(document: Document<'_>) -> Result<()> {
    match document.as_bytes().len() > MOST_RESULT_BYTES {
        true => Err(too_large_result(document)),
        false => Ok(()),
    }
}

#[cold]
#[inline(never)]
fn too_large_result(document: Document<'_>) -> CommandError {
    let mut error = too_large(document.as_bytes().len(), MOST_RESULT_BYTES);
    if let Some(first) = document.iter().next() {
        error.message += &format!(" First element: {}: {}", first.name, first.value);
    }
    error
}

/// Asks whether an array, which an operator of that name makes, may have grown to that many bytes.
///
/// # Errors
/// 146 `ExceededMemoryLimit` beyond the bound, and errors of `Env::checkpoint`.
pub fn allow_array(env: &dyn Env, name: &str, bytes: usize) -> Result<()> {
    match bytes > MOST_BYTES {
        true => Err(exceeds_memory(name, bytes)),
        false => env.checkpoint(),
    }
}

#[cold]
#[inline(never)]
fn too_large(bytes: usize, most: usize) -> CommandError {
    let message = format!(
        "BSONObj size: {bytes} (0x{bytes:X}) is invalid. Size must be between 0 and {most}({}MB)",
        most >> 20
    );
    CommandError::new(Code::BSONObjectTooLarge, message)
}

/// The refusal of an operator or accumulator that would hold more than `MOST_BYTES`.
#[cold]
#[inline(never)]
pub fn exceeds_memory(name: &str, bytes: usize) -> CommandError {
    let message = format!(
        "{name} used too much memory and cannot spill to disk. Used: {bytes} bytes. Memory limit: {MOST_BYTES} bytes"
    );
    CommandError::new(Code::ExceededMemoryLimit, message)
}

/// A value under construction, turn by turn: operators that append to their first argument append to it where it lies.
pub enum Growing {
    Value(Value<'static>),
    Text(Vec<u8>),
    Items(ArrayBuilder),
}

impl Growing {
    /// Lets `look` see the value as it is now.
    pub fn lend<T>(&mut self, look: impl FnOnce(ValueRef<'_>) -> T) -> T {
        match self {
            Self::Value(value) => look(value.as_ref()),
            Self::Text(text) => look(ValueRef::String(Text(text))),
            Self::Items(items) => items.lend(|array| look(ValueRef::Array(array))),
        }
    }

    /// The value as a string that can grow, if it is a string.
    pub fn text(&mut self) -> Option<&mut Vec<u8>> {
        if let Self::Value(Value::String(text)) = self {
            *self = Self::Text(std::mem::take(text).into_vec());
        }
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value as an array that can grow, if it is an array.
    pub fn items(&mut self) -> Option<&mut ArrayBuilder> {
        if let Self::Value(Value::Array(array)) = self {
            *self = Self::Items(ArrayBuilder::from_array(array.as_array()));
        }
        match self {
            Self::Items(items) => Some(items),
            _ => None,
        }
    }

    /// The value, grown.
    pub fn finish(self) -> Value<'static> {
        match self {
            Self::Value(value) => value,
            Self::Text(text) => Value::String(text.into()),
            Self::Items(items) => Value::Array(items.finish()),
        }
    }
}

/// Gives a variable the value of an expression of it, as `$reduce` does with `$$value` after each item. The scope lacks
/// the variable. Where the expression appends to the variable, as `{$concat: ["$$value", "$$this"]}`, nothing of the
/// value is copied.
pub fn grow(node: &Node, slot: usize, value: &mut Growing, scope: &Scope<'_>) -> Result<()> {
    let is_variable = |node: &Node| matches!(node, Node::Variable { slot: read, path, .. } if *read == slot && path.is_empty());
    if is_variable(node) {
        return Ok(());
    }
    if let Node::Call(call) = node {
        match (call.function, call.arguments.as_slice()) {
            (Function::Joining(_, append), [first, rest @ ..]) if is_variable(first) => {
                let appended = with_variable(slot, value, scope, |inner| {
                    let mut appended = Vec::with_capacity(rest.len());
                    for node in rest {
                        scope.env.checkpoint()?;
                        appended.push(node.evaluate(inner)?.into_owned());
                    }
                    Ok(appended)
                })?;
                return match append(value, &appended, call.invocation(scope.env))? {
                    Some(other) => {
                        *value = Growing::Value(other);
                        Ok(())
                    }
                    None => Ok(()),
                };
            }
            (Function::Choosing(choose), _) => {
                let chosen = with_variable(slot, value, scope, |inner| choose(call, inner))?;
                if let Some(node) = call.arguments.get(chosen) {
                    return grow(node, slot, value, scope);
                }
            }
            _ => {}
        }
    }
    let next = with_variable(slot, value, scope, |inner| {
        node.evaluate(inner).map(Value::into_owned)
    })?;
    *value = Growing::Value(next);
    Ok(())
}

fn with_variable<T>(
    slot: usize,
    value: &mut Growing,
    scope: &Scope<'_>,
    evaluate: impl FnOnce(&Scope<'_>) -> Result<T>,
) -> Result<T> {
    value.lend(|value| {
        let frame = Frame::new(slot, value, scope.frame);
        evaluate(&Scope {
            frame: Some(&frame),
            ..*scope
        })
    })
}
