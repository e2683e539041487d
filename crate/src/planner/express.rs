//! Look-ups that need no planning: one value of one field that an index holds.
//!
//! Follows the server's express path, and its IDHACK for requests that the express path does not take. For example
//! `{sku: "x"}` with a unique index `{sku: 1}` gives EXPRESS_IXSCAN, and with a sort or a projection a plan.

use super::access::holds_all;
use super::request::{QueryRequest, Reader};
use crate::bson::{Value, ValueRef};
use crate::catalog::index::facts::has_position;
use crate::catalog::{Collection, Index};
use crate::collation::is_collatable;
use crate::error::CommandError;
use crate::plan::Plan;
use crate::query::MatchNode;
use crate::query::predicate::comparison::ComparisonKind;
use crate::storage::Pager;

/// The look-up that answers a request, if one does: EXPRESS_IXSCAN, or IDHACK, which looks up `_id` alone. IDHACK it is
/// where more than the document is asked for (keys, projections that compute, metadata), for a reader that has no
/// express look-up, and where an index filter is set (`is_free` is false).
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
    let is_id = path == "_id";
    let is_in_id_order = collection.is_in_id_order();
    let is_computed = { request.projection.iter() }.any(|projection| !projection.is_simple());
    let is_id_hack = !is_free
        || is_computed
        || request.return_key
        || request.metadata.is_some()
        || match request.reader {
            Reader::Query | Reader::Write => false,
            Reader::SizedBatches | Reader::GivingWrite => true,
            Reader::Upsert => !is_in_id_order,
        };
    let position = match is_id_hack {
        true => (is_id && !is_in_id_order && is_id_value(request, value)).then_some(0),
        false => shortest_index(request, collection, path, value.as_ref()),
    };
    let Some((position, index)) =
        position.and_then(|position| Some((position, collection.indexes.get(position)?)))
    else {
        return Ok(None);
    };
    let key = index.key_of(pager, value.as_ref())?.into_owned();
    let index = index.facts(position);
    Ok(Some(match is_id_hack {
        true => Plan::IdLookUp { index, key },
        false => Plan::Express {
            index,
            key,
            projection: request.projection.clone(),
        },
    }))
}

/// Whether IDHACK looks a value up: it does not look up strings under a collation.
fn is_id_value(request: &QueryRequest, value: &Value<'static>) -> bool {
    !is_collatable(value.as_ref()) || request.matcher.collation().is_simple()
}

/// The index with the fewest fields whose first key of the value is the answer: it holds the value once, or one
/// document is enough.
fn shortest_index(
    request: &QueryRequest,
    collection: &Collection,
    path: &str,
    value: ValueRef<'_>,
) -> Option<usize> {
    let is_bare = request.projection.is_none() && request.sort.is_none() && request.reads.is_none();
    let may_be_any = request.reader == Reader::Query && is_bare && !collection.is_in_id_order();
    if path != "_id" && !may_be_any {
        return None;
    }
    let is_one_enough = request.limit == Some(1) && request.sort.is_none();
    let is_of_arrays = has_position(path) || matches!(value, ValueRef::MinKey | ValueRef::MaxKey);
    let serves = |index: &Index| {
        let definition = &index.definition;
        let fields = &definition.fields;
        let holds_once = fields.len() == 1 && (definition.unique || definition.is_id_index());
        *fields[0].path == *path
            && (holds_once || is_one_enough)
            && definition.kind.rules().keys_are_values()
            && !definition.hidden
            && !(index.multikey && is_of_arrays)
            && (!is_collatable(value) || definition.collation == *request.matcher.collation())
            && holds_all(index, &request.matcher)
    };
    let indexes = collection.indexes.iter().enumerate();
    let serving = indexes.filter(|(_, index)| serves(index));
    serving
        .min_by_key(|(_, index)| index.definition.fields.len())
        .map(|(position, _)| position)
}

/// The path and the value of a filter that is one field's equality with a value that has one key, of a request that
/// nothing keeps from being a look-up.
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
    let [MatchNode::Compare(test)] = request.matcher.root().conjuncts() else {
        return None;
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
