//! Reads that are prepared once for each shape: a request's shape is looked up before anything of it is compiled.
//!
//! ```text
//! {find: "c", filter: {qty: {$gte: 5}}, sort: {qty: 1}}      the request
//!   shape    a range of numbers of `qty`, in ascending order    `ReadShape::of`, from bytes or a matcher
//!   access   keys of the index `qty_1`, forward, documents      `known`: the plan of `choose` for that shape before
//!   read     keys from enc(5) to the end of the numbers         the access with this request's values
//! ```
//!
//! A shape that is met for the first time, and every request that has none (other operators, two fields, a hint), is
//! compiled and planned. `keep` notes the plan if it does nothing but read keys and their documents. The stages are the
//! same in both cases: `exec` makes them of the `KeyRead`, which it finds in a plan too. Explain shows the plan.
//!
//! Invariant: an access is kept only where planning has one outcome for all values of the shape: there was one
//! candidate, no partial or wildcard index could be another for other values, and no index filter is set. Changes of
//! the indexes empty the cache, and an access is of one state of its index (`is_multikey`).

use super::field_range::FieldRange;
use super::memory;
use super::request::{Planned, Reader};
use crate::bson::{Document, ValueRef};
use crate::catalog::plan_cache::{KeyAccess, KeyRead, ReadTraits, WantedOrder};
use crate::catalog::{Collection, Index};
use crate::plan::{Plan, ProjectionKind};

/// A read of one field's value or range, with the other traits that decide its plan.
#[derive(Debug, Clone, Copy)]
pub struct ReadShape<'a> {
    range: FieldRange<'a>,
    projection: Document<'a>,
    limit: Option<u64>,
    traits: ReadTraits,
}

impl<'a> ReadShape<'a> {
    /// The shape of a request with nothing but a filter, a sort, plain fields to give and a limit; `None` where the
    /// plan may depend on values.
    pub fn of(
        range: Option<FieldRange<'a>>,
        sort: Document<'_>,
        projection: Document<'a>,
        limit: Option<u64>,
        reader: Reader,
    ) -> Option<Self> {
        let range = range?;
        let order = wanted_order(&range, sort)?;
        if !projection.is_empty() && !gives_fields(projection) {
            return None;
        }
        let traits = ReadTraits {
            is_point: range.is_point,
            is_text: range.is_text(),
            order,
            is_first_only: limit == Some(1),
            is_count: false,
            reader,
        };
        Some(Self {
            range,
            projection,
            limit,
            traits,
        })
    }

    /// The shape of a write's search, which takes all of one field's value or range.
    pub fn of_write(filter: Document<'a>, reader: Reader) -> Option<Self> {
        let (sort, projection) = (Document::EMPTY, Document::EMPTY);
        Self::of(FieldRange::of(filter), sort, projection, None, reader)
    }

    /// The same read where only the number of documents is wanted.
    pub fn counting(mut self) -> Self {
        self.traits.is_count = true;
        self
    }
}

/// Whether a projection only gives fields of documents, which the reader makes of the documents of a known read.
fn gives_fields(projection: Document<'_>) -> bool {
    projection.iter().all(|field| {
        let is_switch = matches!(field.value, ValueRef::Int32(_) | ValueRef::Boolean(_));
        is_switch && !field.name.contains('$')
    })
}

/// The order that a sort asks for; `None` where it is not one of the range's field.
fn wanted_order(range: &FieldRange<'_>, sort: Document<'_>) -> Option<WantedOrder> {
    if sort.is_empty() {
        return Some(WantedOrder::Any);
    }
    let mut fields = sort.iter();
    let only = fields.next()?;
    if only.name != range.path || fields.next().is_some() || range.is_point {
        return None;
    }
    match only.value.as_exact_i64() {
        Some(1) => Some(WantedOrder::Ascending),
        Some(-1) => Some(WantedOrder::Descending),
        _ => None,
    }
}

/// The read of that shape with this request's values, if a read of the shape was planned before.
pub fn known(shape: &ReadShape<'_>, collection: &Collection) -> Option<KeyRead> {
    let access = memory::with(collection, |cache| {
        let (path, indexes) = (shape.range.path, &collection.indexes);
        cache.read(path, shape.traits, shape.projection, indexes)
    })?;
    let (start, end) = match access.is_one_key {
        true => (access.key_of(shape.range.value()?), None),
        false => {
            let (start, end) = shape.range.encode(access.is_descending)?;
            (start, Some(end))
        }
    };
    Some(KeyRead {
        access,
        start,
        end,
        limit: shape.limit,
    })
}

/// Keeps a shape's plan, if every read of the shape is planned so.
// Apart: most reads are of shapes that are known.
#[inline(never)]
pub fn keep(shape: &ReadShape<'_>, collection: &Collection, planned: &Planned) {
    let mut plan = &planned.winner;
    while let Plan::Limit { input, .. }
    | Plan::Project {
        input,
        kind: ProjectionKind::Document | ProjectionKind::Read,
        ..
    } = plan
    {
        plan = input;
    }
    let Some(access) = plan.key_access() else {
        return;
    };
    if planned.has_rivals || !is_for_all_values(shape, collection, access) {
        return;
    }
    memory::with(collection, |cache| {
        if cache.filters().is_empty() {
            cache.keep_read(shape.range.path, shape.traits, shape.projection, access);
        }
    });
}

/// The look-up that answers for any value of a field, if there is one: in an index of that field alone, which is
/// unique and has all documents, without arrays and collations.
pub fn look_up_of(path: &str, collection: &Collection) -> Option<KeyAccess> {
    let serves = |index: &Index| {
        let definition = &index.definition;
        definition.fields.len() == 1
            && { definition.fields.first() }.is_some_and(|field| *field.path == *path)
            && (definition.unique || definition.is_id_index())
            && definition.kind.rules().keys_are_values()
            && definition.collation.is_simple()
            && definition.partial.is_none()
            && !definition.hidden
            && !index.multikey
    };
    let position = collection.indexes.iter().position(serves)?;
    Some(KeyAccess::look_up(
        &collection.indexes.get(position)?.facts(position),
    ))
}

/// Whether no index takes part for some values of the shape only, and keys are made of the values as they are.
fn is_for_all_values(shape: &ReadShape<'_>, collection: &Collection, access: KeyAccess) -> bool {
    let is_text = shape.traits.is_text;
    let Some(used) = collection.indexes.get(access.index) else {
        return false;
    };
    let is_simple =
        collection.options.collation.is_simple() && used.definition.collation.is_simple();
    (is_simple || !is_text)
        && !collection.is_in_id_order()
        && used.definition.kind.rules().keys_are_values()
        && collection.indexes.iter().all(|index| {
            let definition = &index.definition;
            let leads =
                { definition.fields.first() }.is_some_and(|field| *field.path == *shape.range.path);
            definition.hidden
                || (definition.kind.rules().holds_every_document()
                    && (!leads || definition.partial.is_none()))
        })
}
