//! `$pull`: removes all items that match a value or a condition.

use super::super::array_filter::wrap;
use super::super::errors::bad_value;
use super::{Argument, Change, Compiled, DeadEnd, Operator, Place};
use crate::bson::{ArrayBuilder, Document, DocumentBuilder, Value, ValueRef};
use crate::collation::Collation;
use crate::error::CommandError;
use crate::query::Matcher;
use std::cell::RefCell;

enum Pull {
    Equal(Value<'static>, Collation),
    /// A filter of documents: `{$pull: {results: {score: 8}}}`.
    Documents(Matcher),
    /// Operators over the item itself, which is tested as the field of a document.
    Items {
        matcher: Matcher,
        wrapped: RefCell<Vec<u8>>,
    },
}

/// The name under which an item is wrapped; any will do.
const ITEM: &str = "item";

/// Compiles `{$pull: {path: value | condition}}`.
pub(in super::super) fn compile(argument: &Argument<'_>) -> Compiled {
    let items = |condition: ValueRef<'_>| -> Compiled {
        let mut filter = DocumentBuilder::new();
        filter.append(ITEM, condition);
        let filter = filter.finish();
        Ok(Box::new(Pull::Items {
            matcher: Matcher::compile_without_scripts(filter.as_document(), argument.context)?,
            wrapped: RefCell::new(Vec::new()),
        }))
    };
    match argument.value {
        ValueRef::Document(condition) if begins_with_operator(condition) => items(argument.value),
        ValueRef::Document(condition) => Ok(Box::new(Pull::Documents(
            Matcher::compile_without_scripts(condition, argument.context)?,
        ))),
        ValueRef::Regex { .. } => items(argument.value),
        value => Ok(Box::new(Pull::Equal(
            value.to_value(),
            argument.context.collation.clone(),
        ))),
    }
}

/// Whether the condition is about the item itself, rather than a filter of its fields.
fn begins_with_operator(condition: Document<'_>) -> bool {
    condition.iter().next().is_some_and(|first| {
        first.name.starts_with('$')
            && !matches!(
                first.name,
                "$and"
                    | "$or"
                    | "$nor"
                    | "$expr"
                    | "$comment"
                    | "$jsonSchema"
                    | "$where"
                    | "$ref"
                    | "$id"
                    | "$db"
                    | "$alwaysTrue"
                    | "$alwaysFalse"
            )
    })
}

/// Rebuilds an array without some of its items.
pub(super) fn remove_items<'v>(
    current: ValueRef<'v>,
    place: &Place<'_>,
    removes: &mut dyn FnMut(ValueRef<'v>) -> Result<bool, CommandError>,
) -> Result<Change<'v>, CommandError> {
    let array = match current {
        ValueRef::Missing => return Ok(Change::Same),
        ValueRef::Array(array) => array,
        _ => return Err(bad_value("Cannot apply $pull to a non-array value")),
    };
    let mut kept = ArrayBuilder::new();
    let mut removed = false;
    for item in array.iter() {
        place.context.env.checkpoint()?;
        if removes(item)? {
            removed = true;
        } else {
            kept.push(item);
        }
    }
    Ok(match removed {
        true => Change::Set(Value::Array(kept.finish())),
        false => Change::Same,
    })
}

impl Operator for Pull {
    fn apply<'v>(
        &'v self,
        current: ValueRef<'v>,
        place: &Place<'_>,
    ) -> Result<Change<'v>, CommandError> {
        let env = place.context.env;
        remove_items(current, place, &mut |item| match self {
            Self::Equal(value, collation) => Ok(collation.equal(item, value.as_ref())),
            Self::Documents(matcher) => match item {
                ValueRef::Document(document) => matcher.matches(document, env),
                _ => Ok(false),
            },
            Self::Items { matcher, wrapped } => {
                let mut wrapped = wrapped.borrow_mut();
                wrap(&mut wrapped, ITEM, item);
                matcher.matches(Document::from_valid_bytes(&wrapped), env)
            }
        })
    }
    fn dead_end(&self, _is_insert: bool) -> DeadEnd {
        DeadEnd::NotTraversed
    }
}
