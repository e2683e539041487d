//! The definition of an operator: a change of the value at one path.

use super::super::compile::ApplyContext;
use crate::bson::{Document, Value, ValueRef};
use crate::error::CommandError;
use crate::expr::CompileContext;

/// The change of a value.
pub(in super::super) enum Change<'v> {
    /// Nothing: an absent field stays absent.
    Same,
    Set(Value<'v>),
    /// The field goes away; an array item becomes null.
    Remove,
}

/// The outcome of a path that leads through a scalar, or through an array by a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum DeadEnd {
    /// As good as an absent field, so it is no error.
    Tolerated,
    /// The field cannot be created.
    NotCreated,
    /// Nothing would be created there, and still it is an error.
    NotTraversed,
    /// Nothing can be moved from there.
    NotRenamed,
}

/// Where an operator is being applied.
pub(in super::super) struct Place<'p> {
    /// The document as it was before the update.
    pub(in super::super) document: Document<'p>,
    /// The dotted path, positions filled in.
    pub(in super::super) path: &'p str,
    pub(in super::super) context: &'p ApplyContext<'p>,
}

/// One operator over one path.
pub(in super::super) trait Operator {
    /// The change of the value at the path, which is `Missing` where there is none.
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError>;

    /// The outcome where a path leads through a scalar.
    fn dead_end(&self, _is_insert: bool) -> DeadEnd {
        DeadEnd::NotCreated
    }
}

/// A field of an operator's document: `{$inc: {path: value}}`.
pub(in super::super) struct Argument<'a> {
    pub(in super::super) path: &'a str,
    pub(in super::super) value: ValueRef<'a>,
    pub(in super::super) context: &'a CompileContext<'a>,
}

impl Argument<'_> {
    /// `{a: 5}`, as messages show it.
    pub(in super::super) fn text(&self) -> String {
        format!("{{{}: {}}}", self.path, self.value)
    }
}

pub(in super::super) type Compiled = Result<Box<dyn Operator>, CommandError>;
