//! Look-ups that need no planning: one value of one field that an index holds alone.
//!
//! Follows the server's express path, and its IDHACK for what that does not do. Invariant: `point_filter` recognises, before anything is compiled, only
//! filters that `plan` would make an express plan of once they are, so that both give the same answer.

use super::candidates::{conjuncts, facts, holds_all};
use super::request::{LookUps, QueryRequest};
use crate::bson::{Document, Value, ValueRef};
use crate::catalog::{Collection, Index, IndexKind};
use crate::collation::{Collation, is_collatable};
use crate::error::CommandError;
use crate::plan::Plan;
use crate::query::MatchNode;
use crate::query::predicate::comparison::ComparisonKind;
use crate::storage::Pager;

/// One value looked up: in `_id`, in a unique index, or (with a limit of one) in any index of that single field. Where what
/// is asked for is made of what the look-up finds (keys, projections that compute, metadata), or `is_free` says that it may
/// not take the place of all plans, it is a stage, and of `_id` alone.
///
/// # Errors
/// Storage errors.
pub(super) fn plan(
    request: &QueryRequest,
    collection: &Collection,
    pager: &Pager,
    is_free: bool,
) -> Result<Option<Plan>, CommandError> {
    let Some((path, value)) = point(request) else {
        return Ok(None);
    };
    let is_computed = { request.projection.iter() }.any(|projection| !projection.is_simple());
    let is_stage = !is_free
        || is_computed
        || request.return_key
        || request.metadata.is_some()
        || (request.explain && request.look_ups == LookUps::Staged);
    if is_stage && (path != "_id" || collection.is_clustered()) {
        return Ok(None);
    }
    let first_is_enough = !is_stage && request.limit == Some(1) && request.sort.is_none();
    let position = match request.explain && !is_stage {
        true => shown_index(request, collection, path, first_is_enough, value.as_ref()),
        false => index_for(
            collection,
            path,
            first_is_enough,
            value.as_ref(),
            request.matcher.collation(),
        ),
    };
    let Some(position) = position else {
        return Ok(None);
    };
    let index = &collection.indexes[position];
    Ok(Some(Plan::Express {
        index: facts(position, index),
        key: index.key_of(pager, value.as_ref())?.into_owned(),
        projection: request.projection.clone().filter(|_| !is_stage),
        is_stage,
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
    let may_be_any = request.look_ups == LookUps::Free && is_bare && !collection.is_clustered();
    if path != "_id" && !may_be_any {
        return None;
    }
    let mut shortest = None;
    let mut length = usize::MAX;
    for (position, index) in collection.indexes.iter().enumerate() {
        let definition = &index.definition;
        let fields = &definition.fields;
        let is_one = fields.len() == 1 && (definition.unique || definition.is_id_index());
        if fields.len() < length
            && *fields[0].path == *path
            && (is_one || first_is_enough)
            && definition.kind == IndexKind::Ordered
            && !definition.hidden
            && (!is_collatable(value) || definition.collation == *request.matcher.collation())
            && holds_all(index, &request.matcher)
        {
            length = fields.len();
            shortest = Some(position);
        }
    }
    shortest
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
