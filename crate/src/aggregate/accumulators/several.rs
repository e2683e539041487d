//! The shared half of `$firstN`, `$lastN`, `$minN`, `$maxN`, `$topN` and `$bottomN`: a count and a bounded list.

use super::accumulator::Result;
use crate::bson::{ArrayBuilder, Document, Value, ValueRef};
use crate::env::Env;
use crate::expr::array::several::count;
use crate::expr::{CompileContext, Expression, Scope, compile};
use std::rc::Rc;

/// The `n` of an accumulator: a constant, or an expression of the group's `_id`.
pub enum Limit {
    Constant(usize),
    OfGroup(Expression),
}

impl Limit {
    /// Compiles the `n` argument.
    ///
    /// # Errors
    /// Errors of the expression, and a constant that is no count.
    pub fn compile(value: ValueRef<'_>, context: &CompileContext<'_>) -> Result<Rc<Self>> {
        let expression = compile(value, context)?;
        Ok(Rc::new(match expression.as_constant() {
            Some(constant) => Self::Constant(count(constant.as_ref())?),
            None => Self::OfGroup(expression),
        }))
    }

    /// The count for a group; without one, the expression sees no fields.
    ///
    /// # Errors
    /// For another value than a count.
    pub fn of(&self, group: ValueRef<'_>, env: &dyn Env) -> Result<usize> {
        match self {
            Self::Constant(held) => Ok(*held),
            Self::OfGroup(expression) => {
                let group = group.as_document().unwrap_or(Document::EMPTY);
                let scope = Scope::of(ValueRef::Document(group), env);
                count(expression.evaluate(&scope)?.as_ref())
            }
        }
    }
}

/// Values as an array.
pub fn to_array<'a>(values: impl Iterator<Item = &'a Value<'static>>) -> Value<'static> {
    let mut builder = ArrayBuilder::new();
    for value in values {
        builder.push(value.as_ref());
    }
    Value::Array(builder.finish())
}

/// About how many bytes a value takes.
pub fn size(value: ValueRef<'_>) -> usize {
    48 + bytes_beside(value)
}

/// How many bytes a value takes beside itself.
fn bytes_beside(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::String(text) => text.len(),
        ValueRef::Document(document) => document.as_bytes().len(),
        ValueRef::Array(array) => array.as_bytes().len(),
        ValueRef::Binary { bytes, .. } => bytes.len(),
        _ => 0,
    }
}

/// The one value that an accumulator keeps of all that came.
#[derive(Default)]
pub struct Kept {
    pub value: Option<Value<'static>>,
    /// The most bytes that a kept value took so far: as much is counted.
    counted: usize,
}

impl Kept {
    /// Keeps a value in the place of another; gives how many more bytes are to be counted.
    pub fn set(&mut self, value: ValueRef<'_>) -> usize {
        self.value = Some(value.to_value());
        let bytes = bytes_beside(value);
        let grown = bytes.saturating_sub(self.counted);
        self.counted += grown;
        grown
    }

    /// The value, or null when none came.
    pub fn get(&self) -> Value<'static> {
        self.value.clone().unwrap_or(Value::NULL)
    }
}
