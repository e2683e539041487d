//! The context of compiling and evaluating beside the document: host, time, variables.
//!
//! Invariant: a command's `$$NOW` and its `let` variables are fixed when it is compiled; only variables that change per
//! document (`$lookup`'s `let`, `$map`'s `as`) live in frames. A scope with bound values reads at their paths values
//! that replace the document's; the stage that bound one has seen to it that no expression reads the document as a
//! whole, or a value above such a path.

use super::metadata::SharedMetadata;
use super::path::FieldPath;
use crate::bson::{ArrayBuilder, BsonType, DocumentBuf, ReadValue, Value, ValueRef};
use crate::collation::Collation;
use crate::env::Env;
use crate::error::CommandError;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

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
    /// The first constant expression that fails whenever it is reached: the pipeline is refused with its error.
    pub failure: RefCell<Option<CommandError>>,
    /// How the operation compares strings.
    pub collation: Collation,
    /// The metadata of rows, once a `$meta` asks for some.
    pub metadata: SharedMetadata,
    /// Whether `$$NOW` and `$$CLUSTER_TIME` may be read: a command's `let` may not.
    pub has_clock: bool,
    /// Whether a collection's validator is compiled, which may call no function.
    pub in_validator: bool,
    /// The settings of the query's shape, for the planner.
    pub query_settings: Option<Rc<DocumentBuf>>,
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
            metadata: RefCell::default(),
            has_clock: true,
            in_validator: false,
            query_settings: None,
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
    /// A number that no other frame and no scope has.
    serial: u64,
}

impl<'v> Frame<'v> {
    /// Binds a variable inside the frames that there are.
    pub fn new(slot: usize, value: ValueRef<'v>, outer: Option<&'v Frame<'v>>) -> Self {
        Self {
            slot,
            value,
            outer,
            serial: next_serial(),
        }
    }
}

/// A number that was not given before.
fn next_serial() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Whether bytes lie within those of a document or an array.
fn holds(value: ValueRef<'_>, bytes: &[u8]) -> bool {
    let whole = match value {
        ValueRef::Document(document) => document.as_bytes().as_ptr_range(),
        ValueRef::Array(array) => array.as_bytes().as_ptr_range(),
        _ => return false,
    };
    let part = bytes.as_ptr_range();
    whole.start <= part.start && part.end <= whole.end
}

/// A value that stands at a path of the document, in the place of the document's own.
#[derive(Clone, Copy)]
pub struct Bound<'v> {
    pub path: &'v [Box<str>],
    pub value: BoundValue<'v>,
    pub outer: Option<&'v Bound<'v>>,
}

/// The value bound to a path.
#[derive(Clone, Copy)]
pub enum BoundValue<'v> {
    Whole(ReadValue<'v>),
    /// An array of one document, of which only the values that expressions read are known.
    OnlyItem(Ends<'v>),
}

/// The values at some paths of a document, where no array lies on the way of any. None is below another.
#[derive(Clone, Copy)]
pub struct Ends<'v> {
    pub paths: &'v [Vec<Box<str>>],
    /// For each path, where its value lies in the bytes.
    pub places: &'v [EndPlace],
    pub bytes: &'v [u8],
}

/// Where a value lies.
#[derive(Clone, Copy)]
pub struct EndPlace {
    pub kind: BsonType,
    pub start: u32,
    pub end: u32,
}

impl EndPlace {
    pub const MISSING: Self = Self {
        kind: BsonType::Missing,
        start: 0,
        end: 0,
    };
}

impl<'v> Ends<'v> {
    /// The value at a path that is one of the known paths or lies below one.
    fn evaluate(&self, path: &[Box<str>]) -> Value<'v> {
        for (known, place) in self.paths.iter().zip(self.places) {
            if let Some(below) = path.strip_prefix(known.as_slice()) {
                let bytes = self.bytes.get(place.start as usize..place.end as usize);
                let read = ReadValue {
                    kind: place.kind,
                    value_bytes: bytes.unwrap_or_default(),
                    walked: known.len(),
                };
                return FieldPath::walk(below, read.value());
            }
        }
        Value::MISSING
    }
}

/// The document, variables and host that one evaluation sees.
#[derive(Clone, Copy)]
pub struct Scope<'v> {
    /// `$$ROOT`.
    pub root: ValueRef<'v>,
    /// `$$CURRENT`, which field paths start from.
    pub current: ValueRef<'v>,
    pub frame: Option<&'v Frame<'v>>,
    /// Values bound in the place of fields of the root.
    pub bound: Option<&'v Bound<'v>>,
    pub env: &'v dyn Env,
    /// A number that no other scope of a document has, and no frame.
    pub serial: u64,
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
            serial: next_serial(),
        }
    }

    /// The serial number of the scope where bytes are part of its document, or of the outermost frame that they are
    /// part of: while that lives they neither change nor move.
    pub fn holder_of(&self, bytes: &[u8]) -> Option<u64> {
        if holds(self.root, bytes) {
            return Some(self.serial);
        }
        let (mut found, mut frame) = (None, self.frame);
        while let Some(held) = frame {
            if holds(held.value, bytes) {
                found = Some(held.serial);
            }
            frame = held.outer;
        }
        found
    }

    /// The value at a path below a document, which is the root or, where nothing is bound, any other.
    pub fn field(&self, path: &FieldPath, start: ValueRef<'v>) -> Value<'v> {
        match self.located(path) {
            None => path.evaluate(start),
            Some((below, BoundValue::Whole(value))) => FieldPath::walk(below, value.value()),
            Some((below, BoundValue::OnlyItem(item))) => {
                let mut collected = ArrayBuilder::new();
                let found = item.evaluate(below);
                if !found.as_ref().is_missing() {
                    collected.push(found.as_ref());
                }
                Value::Array(collected.finish())
            }
        }
    }

    /// The first or last item of the array that a path of `$$CURRENT` collects, where it leads through one.
    pub fn end_of_field(&self, path: &FieldPath, last: bool) -> Option<Value<'v>> {
        match self.located(path) {
            None => FieldPath::end_through_array(path.parts(), self.current, last),
            Some((below, BoundValue::Whole(value))) => {
                FieldPath::end_through_array(below, value.value(), last)
            }
            Some((below, BoundValue::OnlyItem(item))) => Some(item.evaluate(below)),
        }
    }

    /// The value bound at or above a path, and the path from there.
    fn located<'p>(&self, path: &'p FieldPath) -> Option<(&'p [Box<str>], &'v BoundValue<'v>)> {
        let mut bound = self.bound;
        while let Some(held) = bound {
            if let Some(below) = path.parts().strip_prefix(held.path) {
                return Some((below, &held.value));
            }
            bound = held.outer;
        }
        None
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
