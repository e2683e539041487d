//! COUNT_SCAN: the keys inside bounds, counted without reading a document.

use super::index_scan::BoundedCursor;
use super::record::Record;
use super::record_set::RecordSet;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::bson::DocumentBuilder;
use crate::error::CommandError;
use crate::plan::IndexScanPlan;
use crate::storage::Tree;

/// Gives each record without its document.
pub struct CountScan {
    cursor: BoundedCursor,
    seen: Option<RecordSet>,
    statistics: StageStatistics,
}

impl CountScan {
    pub fn new(tree: &Tree, scan: &IndexScanPlan) -> Self {
        Self {
            cursor: BoundedCursor::new(tree, scan),
            seen: (scan.index.is_multikey || scan.repeats).then(RecordSet::default),
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for CountScan {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        self.cursor.record(None)
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let mut progress = self.cursor.advance(context)?;
        if progress == Progress::Advanced
            && let Some(seen) = &mut self.seen
            && let Some(record_id) = self.cursor.record_id()
            && !seen.insert(record_id)
        {
            progress = Progress::NeedTime;
        }
        self.statistics.count(progress);
        Ok(progress)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.append_integer("keysExamined", self.cursor.keys_examined as i64);
    }

    fn examined(&self) -> (u64, u64) {
        (self.cursor.keys_examined, 0)
    }
}
