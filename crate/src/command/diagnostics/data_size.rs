//! `dataSize`: the bytes of a collection's documents. Manual: reference/command/dataSize.

use crate::bson::{Document, DocumentBuilder};
use crate::catalog::{Collection, RecordId, names};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::keycode::{self, TypeBits};
use crate::storage::{Direction, Pager, Tree};
use std::ops::Bound;

/// Bounds at which the count ends early.
struct Limits {
    size: Option<i64>,
    objects: Option<i64>,
}

impl Limits {
    fn is_none(&self) -> bool {
        self.size.is_none() && self.objects.is_none()
    }
}

#[derive(Default)]
struct Measured {
    size: i64,
    objects: i64,
    max_reached: bool,
}

/// A run of an index: from the first key on, before the second.
struct IndexRange {
    tree: Tree,
    start: Vec<u8>,
    end: Vec<u8>,
}

impl IndexRange {
    /// The run between two keys, or their beginnings, of an index that begins with a pattern and has one key a
    /// document. Without a pattern, `min` names the fields.
    fn find(
        collection: &Collection,
        pattern: Document<'_>,
        min: Document<'_>,
        max: Document<'_>,
    ) -> Result<Self, CommandError> {
        let begins = |key: Document<'_>| match pattern.is_empty() {
            true => {
                min.len() <= key.len()
                    && min.iter().zip(key.iter()).all(|(bound, field)| {
                        bound.name == field.name && field.value.as_exact_i64() == Some(1)
                    })
            }
            false => {
                pattern.len() <= key.len()
                    && pattern.iter().zip(key.iter()).all(|(wanted, field)| {
                        wanted.name == field.name
                            && wanted.value.as_exact_i64() == field.value.as_exact_i64()
                    })
            }
        };
        let index = collection
            .indexes
            .iter()
            .find(|index| {
                let definition = &index.definition;
                !index.multikey
                    && !definition.sparse
                    && definition.kind.rules().holds_every_document()
                    && definition.partial.is_none()
                    && begins(definition.key.as_document())
            })
            .ok_or_else(|| {
                CommandError::new(
                    Code::OperationFailed,
                    "Couldn't find valid index containing key pattern",
                )
            })?;
        let encode = |bound: Document<'_>| {
            let mut bytes = Vec::new();
            let mut type_bits = TypeBits::new();
            for (element, field) in bound.iter().zip(&index.definition.fields) {
                keycode::encode(element.value, field.descending, &mut bytes, &mut type_bits);
            }
            bytes
        };
        Ok(Self {
            tree: index.tree,
            start: encode(min),
            end: encode(max),
        })
    }
}

fn measure(
    collection: &Collection,
    pager: &Pager,
    range: Option<IndexRange>,
    average: Option<i64>,
    limits: &Limits,
) -> Result<Measured, CommandError> {
    let mut measured = Measured::default();
    let mut entries = match &range {
        Some(range) => range.tree.range(
            Bound::Included(&range.start),
            Bound::Excluded(&range.end),
            Direction::Forward,
        ),
        None => collection
            .records
            .range(Bound::Unbounded, Bound::Unbounded, Direction::Forward),
    };
    while entries.next(pager)? {
        measured.size += match (average, &range) {
            (Some(average), _) => average,
            (None, None) => entries.value_ref(pager)?.len() as i64,
            (None, Some(_)) => match RecordId::from_index_key(entries.key()) {
                Some(id) => collection
                    .read(pager, id)?
                    .map_or(0, |document| document.len() as i64),
                None => 0,
            },
        };
        measured.objects += 1;
        if limits.size.is_some_and(|limit| measured.size > limit)
            || limits.objects.is_some_and(|limit| measured.objects > limit)
        {
            measured.max_reached = true;
            break;
        }
    }
    Ok(measured)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let Some(namespace) = request.argument().as_text() else {
        return Err(request.wrong_argument("string"));
    };
    let namespace = names::of(namespace)?;
    names::check_namespace(namespace)?;
    let started = context.env.monotonic_millis();
    let params = request.params();
    let pattern = params.document("keyPattern")?.unwrap_or(Document::EMPTY);
    let bounds = (params.document("min")?, params.document("max")?);
    let estimate = params.safe_bool("estimate")?.unwrap_or(false);
    let limits = Limits {
        size: params.integer("maxSize")?.filter(|limit| *limit != 0),
        objects: params.integer("maxObjects")?.filter(|limit| *limit != 0),
    };
    params.finish()?;
    context.view().catalog.refuse_view(namespace)?;
    let (min, max) = match bounds {
        (Some(min), Some(max)) => (min, max),
        (None, None) => (Document::EMPTY, Document::EMPTY),
        (min, _) => {
            let negation = if min.is_some() { "" } else { "not " };
            return Err(CommandError::new(
                Code::BadValue,
                format!("Max must {negation}be set if min is {negation}set."),
            ));
        }
    };
    let measured = match context.view().catalog.collection(namespace) {
        None => Measured::default(),
        Some(collection) if collection.count() == 0 => Measured::default(),
        Some(_) if min.is_empty() != max.is_empty() => {
            return Err(CommandError::new(
                Code::BadValue,
                "Only one of min or max specified",
            ));
        }
        // The size is kept with every write, so it is exact whether an estimate is wanted or not.
        Some(collection) if min.is_empty() && limits.is_none() => Measured {
            size: collection.data_size() as i64,
            objects: collection.count() as i64,
            max_reached: false,
        },
        Some(collection) => {
            let pager = context.view().pages;
            let average =
                estimate.then(|| collection.data_size() as i64 / collection.count() as i64);
            let range = match min.is_empty() {
                true => None,
                false => Some(IndexRange::find(collection, pattern, min, max)?),
            };
            measure(collection, pager, range, average, &limits)?
        }
    };
    let Measured {
        size,
        objects,
        max_reached,
    } = measured;
    let mut reply = DocumentBuilder::new();
    reply.append("size", size).append("numObjects", objects);
    reply.append("millis", (context.env.monotonic_millis() - started) as i64);
    reply.append("estimate", estimate);
    if max_reached {
        reply.append("maxReached", true);
    }
    Ok(finish_ok(reply))
}
