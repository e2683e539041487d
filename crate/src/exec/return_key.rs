//! RETURN_KEY: gives the index key a row was found by in place of its document (`returnKey: true`), and
//! beside it the sort key where the projection asks for that; all else of a projection is left out.

use super::index_key;
use super::record::{IndexKey, Record};
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::catalog::Collection;
use crate::error::CommandError;
use crate::expr::MetaKind;
use crate::plan::ShownSortKey;

/// Replaces documents by index keys; a row found without an index becomes an empty document.
pub struct ReturnKey {
    pub input: Box<dyn Stage>,
    pub fields: Vec<(String, bool)>,
    /// The fields that show the sort key beside the index key.
    pub sort_key: Option<ShownSortKey>,
    /// The current record's key as a document.
    pub shown: DocumentBuf,
    pub statistics: StageStatistics,
}

impl Stage for ReturnKey {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        Record {
            document: Some(self.shown.as_document()),
            ..self.input.current()
        }
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let progress = self.input.work(context)?;
        if progress == Progress::Advanced {
            let key = self.input.current().key.unwrap_or(IndexKey::EMPTY);
            let key = index_key::decode(key, &self.fields)?;
            self.shown = match &self.sort_key {
                None => key,
                Some(shown_sort_key) => {
                    let mut shown = DocumentBuilder::new();
                    shown.append_all(key.as_document());
                    let sort_key = shown_sort_key.metadata.get(MetaKind::SORT_KEY.name());
                    for name in shown_sort_key.fields.iter() {
                        shown.append(name, sort_key.as_ref());
                    }
                    shown.finish()
                }
            };
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn resume(&mut self, collection: &Collection) -> bool {
        self.input.resume(collection)
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![self.input.as_ref()]
    }
}
