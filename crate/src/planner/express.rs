//! Look-ups that need no planning: one value of one field that an index holds alone.
//!
//! Follows the server's express path, and its IDHACK for what that does not do. Invariant: `point_filter` recognises, before anything is compiled, only
//! filters that `plan` would make an express plan of once they are, so that both give the same answer.

use super::candidates::{conjuncts, facts, holds_all};
use super::plan::Plan;
use super::request::{LookUps, QueryRequest};
use crate::bson::{Document, Value, ValueRef};
use crate::catalog::{Collection, Index, IndexKind};
use crate::collation::{Collation, is_collatable};
use crate::error::CommandError;
use crate::query::MatchNode;
use crate::query::predicate::comparison::ComparisonKind;
use crate::storage::Pager;

/// One value looked up in `_id`, in a unique index, or (with a limit of one) in any index of that
/// single field.
///
/// # Errors
/// Storage errors.
pub(super) fn plan(
    request: &QueryRequest,
    collection: &Collection,
    pager: &Pager,
) -> Result<Option<Plan>, CommandError> {
    let is_computed = { request.projection.iter() }.any(|projection| !projection.is_simple());
    if request.return_key || request.metadata.is_some() || is_computed {
        return Ok(None);
    }
    let Some((path, value)) = point(request) else {
        return Ok(None);
    };
    let first_is_enough = request.limit == Some(1) && request.sort.is_none();
    let position = match request.explain {
        true => shown_index(request, collection, path, first_is_enough, value.as_ref()),
        false => index_for(
            collection,
            path,
            first_is_enough,
            value.as_ref(),
            request.matcher.collation(),
        ),
    };
    let Some((position, index)) =
        position.and_then(|position| Some((position, collection.indexes.get(position)?)))
    else {
        return Ok(None);
    };
    Ok(Some(Plan::Express {
        index: facts(position, index),
        key: index.key_of(pager, value.as_ref())?.into_owned(),
        projection: request.projection.clone(),
        is_stage: false,
    }))
}

/// The index that the server's express path takes, which is what explain shows: a read is answered from `index_for`'s where
/// the server makes a plan.
#[inline(never)]
fn shown_index(
    request: &QueryRequest,
    collection: &Collection,
    path: &str,
    first_is_enough: bool,
    value: ValueRef<'_>,
) -> Option<usize> {
    let is_bare = request.projection.is_none() && request.sort.is_none() && request.reads.is_none();
    let is_allowed = match request.look_ups {
        LookUps::Free => path == "_id" || (is_bare && !collection.is_clustered()),
        LookUps::ById => path == "_id",
        LookUps::Staged => false,
    };
    let serves = |index: &Index| {
        let definition = &index.definition;
        let is_one =
            definition.fields.len() == 1 && (definition.unique || definition.is_id_index());
        definition.kind == IndexKind::Ordered
            && !definition.hidden
            && { definition.fields.first() }.is_some_and(|field| *field.path == *path)
            && (is_one || first_is_enough)
            && (!is_collatable(value) || definition.collation == *request.matcher.collation())
            && holds_all(index, &request.matcher)
    };
    let found = collection.indexes.iter().enumerate();
    let found = found.filter(|(_, index)| is_allowed && serves(index));
    let shortest = found.min_by_key(|(_, index)| index.definition.fields.len());
    shortest.map(|(position, _)| position)
}

/// One value looked up in `_id`, for what is above it to make of: keys, projections that compute, metadata.
pub(super) fn by_id(request: &QueryRequest, collection: &Collection) -> Option<Plan> {
    let (path, value) = point(request).filter(|(path, _)| *path == "_id")?;
    let collation = request.matcher.collation();
    let position = index_for(collection, path, false, value.as_ref(), collation)?;
    let index = facts(position, collection.indexes.get(position)?);
    (!index.is_clustered).then(|| Plan::Express {
        index,
        key: value.clone(),
        projection: None,
        is_stage: true,
    })
}

/// The path and the value of a filter that is one field's equality with a value that has one key, of a request that nothing
/// keeps from being a look-up.
fn point(request: &QueryRequest) -> Option<(&str, &Value<'static>)> {
    if request.hint.is_some()
        || request.skip > 0
        || request.show_record_id
        || request.tailable
        || request.count_only
        || request.limit == Some(0)
    {
        return None;
    }
    let test = match request.matcher.root() {
        MatchNode::Compare(test) => test,
        root => match conjuncts(root)[..] {
            [MatchNode::Compare(test)] => test,
            _ => return None,
        },
    };
    if test.kind != ComparisonKind::Equal
        || matches!(
            test.operand.as_ref(),
            ValueRef::Null | ValueRef::Undefined | ValueRef::Array(_) | ValueRef::Regex { .. }
        )
    {
        return None;
    }
    Some((test.path.dotted(), &test.operand))
}

/// The index in which one look-up answers for a path. `first_is_enough`: any document of that value will do.
/// A string is looked up only where neither index nor query has a collation.
pub fn index_for(
    collection: &Collection,
    path: &str,
    first_is_enough: bool,
    value: ValueRef<'_>,
    collation: &Collation,
) -> Option<usize> {
    let is_collatable = is_collatable(value);
    if is_collatable && !collation.is_simple() {
        return None;
    }
    let serves = |index: &Index| {
        let definition = &index.definition;
        let [field] = definition.fields.as_slice() else {
            return false;
        };
        field.path.len() == path.len()
            && *field.path == *path
            && definition.kind == IndexKind::Ordered
            && !definition.hidden
            && (!is_collatable || definition.collation.is_simple())
            && definition.partial.is_none()
            && !index.multikey
            && (definition.unique || definition.is_id_index() || first_is_enough)
    };
    collection.indexes.iter().position(serves)
}

/// The path and value of a filter that is nothing but one field's equality with a plain value.
pub fn point_filter<'a>(filter: Document<'a>) -> Option<(&'a str, ValueRef<'a>)> {
    let mut elements = filter.raw_elements();
    let only = elements.next()?;
    let value = only.value();
    if is_plain(value) && !only.name.starts_with(b"$") && elements.next().is_none() {
        Some((std::str::from_utf8(only.name).ok()?, value))
    } else {
        None
    }
}

/// Whether a value stands for itself in a filter, is in no index under another key, and has but one type to be compared with.
pub(super) fn is_plain(value: ValueRef<'_>) -> bool {
    matches!(
        value,
        ValueRef::String(_)
            | ValueRef::ObjectId(_)
            | ValueRef::Int32(_)
            | ValueRef::Int64(_)
            | ValueRef::Double(_)
            | ValueRef::Boolean(_)
            | ValueRef::DateTime(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::DocumentBuilder;

    #[test]
    fn only_one_equality_with_a_plain_value_is_a_point() {
        let mut builder = DocumentBuilder::new();
        builder.append("a.b", 5);
        let one = builder.finish();
        let found = point_filter(one.as_document());
        assert!(matches!(found, Some(("a.b", ValueRef::Int32(5)))));
        let refused = |build: &dyn Fn(&mut DocumentBuilder)| {
            let mut builder = DocumentBuilder::new();
            build(&mut builder);
            assert!(point_filter(builder.finish().as_document()).is_none());
        };
        refused(&|_| {});
        refused(&|builder| {
            builder.append("a", 1).append("b", 2);
        });
        refused(&|builder| {
            builder.append("$comment", "x");
        });
        refused(&|builder| {
            builder.append("a", ValueRef::Null);
        });
        refused(&|builder| {
            builder.begin_document("a").append("$gt", 1).end();
        });
        refused(&|builder| {
            builder.append(
                "a",
                ValueRef::Regex {
                    pattern: "x",
                    options: "",
                },
            );
        });
    }
}
