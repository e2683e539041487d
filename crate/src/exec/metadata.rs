//! SORT_KEY_GENERATOR, and the other metadata that `$meta` asks for of a row.
//!
//! Invariant: the metadata of a row is told before the stage above sees the row.

use super::index_key;
use super::record::Record;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::bson::DocumentBuilder;
use crate::catalog::Collection;
use crate::env::{Env, NoEnv};
use crate::error::{Code, CommandError};
use crate::expr::{MetaKind, Metadata};
use crate::query::SortPattern;
use crate::query::predicate::near::Near;
use std::rc::Rc;

/// How a `$meta` shows the index key that a row was found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownKey {
    /// Not at all: the rows come from several indexes, from a look-up of `_id`, or from the records themselves.
    Nothing,
    Key,
    /// Refused: the key of an index with a collation holds labels in the place of strings.
    Labels,
}

/// Fills in the metadata of each row.
pub struct TellMetadata {
    pub input: Box<dyn Stage>,
    pub metadata: Rc<Metadata>,
    pub sort: Option<Rc<SortPattern>>,
    /// From where distances are measured.
    pub near: Option<Rc<Near>>,
    /// The key pattern of the index the rows come from.
    pub key_fields: Vec<(String, bool)>,
    pub shown: ShownKey,
    pub statistics: StageStatistics,
}

impl TellMetadata {
    fn tell(&self, record: &Record<'_>, env: &dyn Env) -> Result<(), CommandError> {
        let mut known = DocumentBuilder::new();
        if let Some(near) = &self.near
            && (self.metadata.wants(MetaKind::DISTANCE) || self.metadata.wants(MetaKind::PLACE))
            && let Some((distance, place)) = near.distance(record.document(), env)?
        {
            known.append(MetaKind::DISTANCE.name(), distance);
            known.append(MetaKind::PLACE.name(), place);
        }
        if self.metadata.wants(MetaKind::RECORD_ID)
            && let Some(record_id) = record.record_id
        {
            known.append(MetaKind::RECORD_ID.name(), record_id.0 as i64);
        }
        if self.metadata.wants(MetaKind::INDEX_KEY)
            && let Some(key) = record.key
        {
            match self.shown {
                ShownKey::Nothing => {}
                ShownKey::Key => {
                    let key = index_key::decode(key, &self.key_fields)?;
                    known.append(MetaKind::INDEX_KEY.name(), &key);
                }
                ShownKey::Labels => {
                    return Err(CommandError::new(
                        Code::NotImplemented,
                        "Projecting $meta \"indexKey\" of an index with a collation is not supported",
                    ));
                }
            }
        }
        let score = self.metadata.get(MetaKind::TEXT_SCORE.name());
        if !score.as_ref().is_missing() {
            known.append(MetaKind::TEXT_SCORE.name(), score.as_ref());
        }
        if self.metadata.wants(MetaKind::SORT_KEY) {
            known.begin_array(MetaKind::SORT_KEY.name());
            if let Some(pattern) = &self.sort {
                let from_key;
                let document = match (record.document, record.key) {
                    (None, Some(key)) => {
                        from_key = index_key::decode_nested(key, &self.key_fields)?;
                        from_key.as_document()
                    }
                    _ => record.document(),
                };
                pattern.append_key_values(document, &mut known)?;
            }
            known.end();
        }
        self.metadata.set(known.finish().as_document());
        Ok(())
    }
}

impl Stage for TellMetadata {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        let record = self.input.current();
        // A sort by score goes back to the row's score alone when it is looked at. No such query measures distances,
        // which is the only work here that a host may end.
        if self.metadata.wants(MetaKind::TEXT_SCORE) && self.tell(&record, &NoEnv).is_err() {
            return Record::default();
        }
        record
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let progress = self.input.work(context)?;
        if progress == Progress::Advanced {
            self.tell(&self.input.current(), context.env)?;
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn is_eof(&self) -> bool {
        self.input.is_eof()
    }

    fn resume(&mut self, collection: &Collection) -> bool {
        self.input.resume(collection)
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![self.input.as_ref()]
    }
}
