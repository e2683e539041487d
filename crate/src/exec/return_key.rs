//! RETURN_KEY: gives the index key a row was found by in place of its document (`returnKey: true`).

use super::index_key;
use super::row::{Row, RowDocument};
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::catalog::Collection;
use crate::error::CommandError;

/// Replaces documents by index keys; a row found without an index becomes an empty document.
pub struct ReturnKey {
    input: Box<dyn Stage>,
    fields: Vec<(String, bool)>,
    statistics: StageStatistics,
}

impl ReturnKey {
    pub fn new(input: Box<dyn Stage>, fields: Vec<(String, bool)>) -> Self {
        Self {
            input,
            fields,
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for ReturnKey {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let progress = self.input.work(context, row)?;
        if progress == Progress::Advanced {
            let key = index_key::decode(&row.index_key, &row.type_bits, &self.fields)?;
            row.document = RowDocument::Built(key);
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn resume(&mut self, collection: &Collection) {
        self.input.resume(collection);
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![self.input.as_ref()]
    }
}
