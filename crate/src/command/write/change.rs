//! Changing one document: the updated document, checked and stored.
//!
//! Invariant: explain and run get the updated document from the same function (`changed`).

use super::update_statement::PlannedUpdate;
use super::validation::Validator;
use super::write_target::store;
use crate::bson::{Document, DocumentBuf};
use crate::catalog::{Collection, RecordId, WriteScratch};
use crate::command::context::CommandContext;
use crate::env::Env;
use crate::error::CommandError;
use crate::query::{MatchDetails, Matcher};
use crate::state::CollectionWriter;
use crate::storage::LogicalClock;
use crate::update::{ApplyContext, Update, UpdateScratch, document_for_upsert};

/// Buffers that are larger are not kept for the next command.
const MOST_SPARE_ROOM: usize = 1 << 18;

/// Buffers that changing documents reuses.
#[derive(Default)]
pub struct ChangeScratch {
    pub update: UpdateScratch,
    pub write: WriteScratch,
    /// The document before the change.
    pub before: Vec<u8>,
}

/// The change made to each record of a statement.
pub struct Change<'c> {
    pub update: &'c Update,
    /// The query's, which tells a positional update its array item.
    pub matcher: Option<&'c Matcher>,
    pub validator: Option<&'c Validator>,
}

/// The host and the clocks that the changes of a statement are made by.
#[derive(Clone, Copy)]
pub struct Clocks<'c> {
    pub env: &'c dyn Env,
    pub now_millis: i64,
    pub timestamps: &'c LogicalClock,
}

/// Applies an update to one record. `None` when the record is gone, else whether it changed;
/// `scratch.before` then holds the document before the change.
///
/// # Errors
/// Errors of the update, the indexes and the storage.
pub fn change_record(
    collection: &mut CollectionWriter<'_>,
    record: RecordId,
    change: &Change<'_>,
    clocks: Clocks<'_>,
    scratch: &mut ChangeScratch,
) -> Result<Option<bool>, CommandError> {
    let update = change.update;
    let Some(located) = collection.collection().locate(collection.pager(), record)? else {
        return Ok(None);
    };
    let bytes = collection
        .collection()
        .read_at(collection.pager(), &located)?;
    scratch.before.clear();
    scratch.before.extend_from_slice(&bytes);
    let before = Document::from_valid_bytes(&scratch.before);
    let apply = ApplyContext::new(clocks.env, clocks.now_millis, clocks.timestamps);
    let Some(after) = changed(before, update, change.matcher, apply, &mut scratch.update)? else {
        return Ok(Some(false));
    };
    if let Some(validator) = change.validator {
        validator.check(after, Some(before), clocks.env, clocks.now_millis)?;
    }
    collection.update(
        (record, located),
        before,
        after,
        update.modified_paths(),
        &mut scratch.write,
    )?;
    Ok(Some(true))
}

/// Whether an update would change a record, for explain.
///
/// # Errors
/// Errors of the update and the storage.
pub fn would_change(
    context: &CommandContext<'_>,
    collection: &Collection,
    record: RecordId,
    planned: &PlannedUpdate,
    scratch: &mut ChangeScratch,
) -> Result<bool, CommandError> {
    let Some(bytes) = collection.read(context.view().pages, record)? else {
        return Ok(false);
    };
    let apply = ApplyContext::new(
        context.env,
        context.now_millis,
        &context.deployment.timestamps,
    );
    let (before, matcher) = (Document::from_valid_bytes(&bytes), &planned.query.matcher);
    let update = &planned.update;
    let after = changed(before, update, Some(matcher), apply, &mut scratch.update)?;
    Ok(after.is_some())
}

/// A document as an update changes it; `None` when that makes no difference. `matcher` tells a positional update its
/// array item.
fn changed<'s>(
    before: Document<'_>,
    update: &Update,
    matcher: Option<&Matcher>,
    mut apply: ApplyContext<'_>,
    scratch: &'s mut UpdateScratch,
) -> Result<Option<Document<'s>>, CommandError> {
    if update.needs_array_index()
        && let Some(matcher) = matcher
    {
        let mut details = MatchDetails::default();
        matcher.matches_with_details(before, apply.env, &mut details)?;
        apply.array_index = details.array_index;
    }
    update.apply(before, &apply, scratch)
}

/// Inserts the document of an upsert and gives it.
///
/// # Errors
/// Errors of the update, the indexes and the storage.
pub fn insert_for_upsert(
    context: &mut CommandContext<'_>,
    namespace: &str,
    update: &Update,
    matcher: &Matcher,
    scratch: &mut ChangeScratch,
) -> Result<DocumentBuf, CommandError> {
    let now_millis = context.now_millis;
    let deployment = &mut *context.deployment;
    let apply = ApplyContext::new(context.env, now_millis, &deployment.timestamps);
    let object_ids = &mut deployment.object_ids;
    let document = document_for_upsert(update, matcher, &apply, &mut scratch.update, &mut || {
        object_ids.next(now_millis)
    })?;
    if let Some(validator) = context.validator(namespace)? {
        validator.check(document.as_document(), None, context.env, now_millis)?;
    }
    store(
        context,
        namespace,
        document.as_document(),
        &mut scratch.write,
    )?;
    Ok(document)
}

/// Keeps the room that changing documents took, unless it is a lot.
pub fn keep_scratch(context: &mut CommandContext<'_>, scratch: ChangeScratch) {
    if scratch.before.capacity() <= MOST_SPARE_ROOM {
        context.deployment.change_scratch = scratch;
    }
}
