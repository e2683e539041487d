//! What compiling and evaluating need beside the document: host, time, variables.
//!
//! Invariant: a command's `$$NOW` and its `let` variables are fixed when it is compiled; only
//! variables that change per document (`$lookup`'s `let`, `$map`'s `as`) live in frames. A scope with bound values reads
//! at their paths what stands there instead of what the document holds; whoever makes one has seen to it that no
//! expression reads the document as a whole, or anything that such a path lies below.

use super::path::FieldPath;
use crate::bson::{ReadValue, Value, ValueRef};
use crate::collation::Collation;
use crate::env::Env;
use crate::error::CommandError;
use std::cell::RefCell;

/// Passed to every compile function of `query`, `expr`, `update` and `aggregate`.
#[derive(Clone)]
pub struct CompileContext<'e> {
    pub env: &'e dyn Env,
    /// The engine's time (virtual-clock offset included), fixed per command.
    pub now_millis: i64,
    /// The command's `let` variables, already evaluated: inlined as constants.
    pub constants: Vec<(String, Value<'static>)>,
    /// Names of variables that frames provide per document, in slot order.
    pub slots: Vec<String>,
    /// The first constant expression that failed and will fail whenever it is reached: what a pipeline is refused for.
    pub failure: RefCell<Option<CommandError>>,
    /// How the operation compares strings.
    pub collation: Collation,
}

impl<'e> CompileContext<'e> {
    pub fn new(env: &'e dyn Env, now_millis: i64) -> Self {
        Self {
            env,
            now_millis,
            constants: Vec::new(),
            slots: Vec::new(),
            failure: RefCell::default(),
            collation: Collation::SIMPLE,
        }
    }
}

/// One bound variable of a frame; frames form a list from the innermost outwards.
#[derive(Clone, Copy)]
pub struct Frame<'v> {
    /// The slot `CompileContext::slots` gave the variable.
    pub slot: usize,
    pub value: ValueRef<'v>,
    pub outer: Option<&'v Frame<'v>>,
}

/// A value that stands at a path of the document, in the place of what the document holds there.
#[derive(Clone, Copy)]
pub struct Bound<'v> {
    pub path: &'v [Box<str>],
    pub value: ReadValue<'v>,
    pub outer: Option<&'v Bound<'v>>,
}

/// What one evaluation sees.
#[derive(Clone, Copy)]
pub struct Scope<'v> {
    /// `$$ROOT`.
    pub root: ValueRef<'v>,
    /// `$$CURRENT`, which field paths start from.
    pub current: ValueRef<'v>,
    pub frame: Option<&'v Frame<'v>>,
    /// What stands in the place of fields of the root.
    pub bound: Option<&'v Bound<'v>>,
    pub env: &'v dyn Env,
}

impl<'v> Scope<'v> {
    /// A scope over a whole document, without variables.
    pub fn of(root: ValueRef<'v>, env: &'v dyn Env) -> Self {
        Self {
            root,
            current: root,
            frame: None,
            bound: None,
            env,
        }
    }

    /// The value at a path below a document, which is the root or, where nothing is bound, any other.
    pub fn field(&self, path: &FieldPath, start: ValueRef<'v>) -> Value<'v> {
        let (parts, start) = self.located(path, start);
        FieldPath::walk(parts, start)
    }

    /// The first or last item of the array that a path of `$$CURRENT` collects, where it leads through one.
    pub fn end_of_field(&self, path: &FieldPath, last: bool) -> Option<Value<'v>> {
        let (parts, start) = self.located(path, self.current);
        FieldPath::end_through_array(parts, start, last)
    }

    /// Where a path begins, and what of it is left from there.
    fn located<'p>(
        &self,
        path: &'p FieldPath,
        start: ValueRef<'v>,
    ) -> (&'p [Box<str>], ValueRef<'v>) {
        let mut bound = self.bound;
        while let Some(held) = bound {
            if let Some(below) = path.parts().strip_prefix(held.path) {
                return (below, held.value.value());
            }
            bound = held.outer;
        }
        (path.parts(), start)
    }

    /// The value bound to a slot, or `Missing`.
    pub fn variable(&self, slot: usize) -> ValueRef<'v> {
        let mut frame = self.frame;
        while let Some(bound) = frame {
            if bound.slot == slot {
                return bound.value;
            }
            frame = bound.outer;
        }
        ValueRef::Missing
    }
}
