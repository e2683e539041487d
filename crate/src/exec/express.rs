//! EXPRESS_IXSCAN: one look-up in `_id` or another unique index, without planning or stages between.

use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::catalog::collection::find_prefix;
use crate::catalog::{Collection, RecordId};
use crate::error::CommandError;
use crate::keycode;
use crate::query::Projection;
use crate::storage::accounting::bump;
use crate::storage::{PageBytes, Pager, Tree};
use std::rc::Rc;

/// The record that a unique index holds for a value, if any.
///
/// # Errors
/// Storage errors.
pub fn look_up(
    pager: &Pager,
    tree: &Tree,
    value: ValueRef<'_>,
    descending: bool,
) -> Result<Option<RecordId>, CommandError> {
    let mut prefix = Vec::with_capacity(32);
    keycode::encode(
        value,
        descending,
        &mut prefix,
        &mut keycode::TypeBits::default(),
    );
    let found = find_prefix(tree, pager, &prefix)?;
    if found.is_some() {
        bump(&pager.accounting().keys_examined, 1);
    }
    Ok(found)
}

/// The document that a unique index holds for a value, if any.
///
/// # Errors
/// Storage errors.
pub fn look_up_document(
    pager: &Pager,
    collection: &Collection,
    tree: &Tree,
    value: ValueRef<'_>,
    descending: bool,
) -> Result<Option<(RecordId, PageBytes)>, CommandError> {
    let Some(record_id) = look_up(pager, tree, value, descending)? else {
        return Ok(None);
    };
    bump(&pager.accounting().documents_examined, 1);
    let bytes = collection.records.get(pager, &record_id.to_bytes())?;
    Ok(bytes.map(|bytes| (record_id, bytes)))
}

/// The stage form, for explain and cursors.
pub struct Express {
    collection: Rc<Collection>,
    tree: Tree,
    key: crate::bson::Value<'static>,
    descending: bool,
    projection: Option<Rc<Projection>>,
    done: bool,
    found: u64,
    statistics: StageStatistics,
}

impl Express {
    pub fn new(
        collection: Rc<Collection>,
        tree: Tree,
        key: crate::bson::Value<'static>,
        descending: bool,
        projection: Option<Rc<Projection>>,
    ) -> Self {
        Self {
            collection,
            tree,
            key,
            descending,
            projection,
            done: false,
            found: 0,
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for Express {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let found = if self.done {
            None
        } else {
            self.done = true;
            look_up_document(
                context.pager,
                &self.collection,
                &self.tree,
                self.key.as_ref(),
                self.descending,
            )?
        };
        let progress = match found {
            None => Progress::Done,
            Some((record_id, bytes)) => {
                self.found += 1;
                row.record_id = Some(record_id);
                row.document = RowDocument::Stored(bytes);
                if let (Some(projection), Some(document)) = (&self.projection, row.document()) {
                    let mut builder = DocumentBuilder::new();
                    projection.apply(document, &mut builder, context.env)?;
                    row.document = RowDocument::Built(builder.finish());
                }
                Progress::Advanced
            }
        };
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        StageStatistics {
            is_eof: self.done,
            ..self.statistics
        }
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.append_integer("keysExamined", self.found as i64);
        builder.append_integer("docsExamined", self.found as i64);
    }

    fn examined(&self) -> (u64, u64) {
        (self.found, self.found)
    }
}
