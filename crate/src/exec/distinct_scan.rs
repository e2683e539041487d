//! DISTINCT_SCAN: one key for each distinct value of a field of an index, skipping the rest.

use super::index_scan::BoundedCursor;
use super::record::Record;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_by_work};
use crate::bson::DocumentBuilder;
use crate::error::CommandError;
use crate::keycode;
use crate::plan::IndexScanPlan;
use crate::storage::Tree;

/// Visits each distinct prefix once.
pub struct DistinctScan {
    cursor: BoundedCursor,
    type_bits: Vec<u8>,
    /// The leading fields that make the prefix, and whether each runs downwards.
    components: Vec<(String, bool)>,
    statistics: StageStatistics,
}

impl DistinctScan {
    /// `field` is the position of the distinct field in the key pattern.
    pub fn new(tree: &Tree, scan: &IndexScanPlan, field: usize) -> Self {
        Self {
            cursor: BoundedCursor::new(tree, scan),
            type_bits: Vec::new(),
            components: scan.index.fields.iter().take(field + 1).cloned().collect(),
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for DistinctScan {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        advance_by_work(self, context)
    }

    fn current(&self) -> Record<'_> {
        self.cursor.record(Some(&self.type_bits))
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let progress = self.cursor.advance(context)?;
        if progress == Progress::Advanced {
            self.cursor.read_type_bits(context, &mut self.type_bits)?;
            let key = self.cursor.components();
            let mut end = 0;
            for (_, descending) in &self.components {
                let rest = key.get(end..).unwrap_or_default();
                end += keycode::component_length(rest, *descending)?;
            }
            let prefix = key.get(..end).unwrap_or_default().to_vec();
            self.cursor.skip_prefix(&prefix);
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
