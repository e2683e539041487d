//! SKIP: drops a fixed number of rows.

use super::row::Row;
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::catalog::Collection;
use crate::error::CommandError;

/// Drops the first `skip` rows.
pub struct Skip {
    input: Box<dyn Stage>,
    left: u64,
    statistics: StageStatistics,
}

impl Skip {
    pub fn new(input: Box<dyn Stage>, skip: u64) -> Self {
        Self {
            input,
            left: skip,
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for Skip {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let mut progress = self.input.work(context, row)?;
        if progress == Progress::Advanced && self.left > 0 {
            self.left -= 1;
            progress = Progress::NeedTime;
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
