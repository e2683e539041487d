//! What compiling and evaluating need beside the document: host, time, variables.
//!
//! Invariant: a command's `$$NOW` and its `let` variables are fixed when it is compiled; only
//! variables that change per document (`$lookup`'s `let`, `$map`'s `as`) live in frames.

use crate::bson::{Value, ValueRef};
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

/// What one evaluation sees.
#[derive(Clone, Copy)]
pub struct Scope<'v> {
    /// `$$ROOT`.
    pub root: ValueRef<'v>,
    /// `$$CURRENT`, which field paths start from.
    pub current: ValueRef<'v>,
    pub frame: Option<&'v Frame<'v>>,
    pub env: &'v dyn Env,
}

impl<'v> Scope<'v> {
    /// A scope over a whole document, without variables.
    pub fn of(root: ValueRef<'v>, env: &'v dyn Env) -> Self {
        Self {
            root,
            current: root,
            frame: None,
            env,
        }
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
