//! LIMIT: passes a fixed number of rows.

use super::row::Row;
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_input};
use crate::catalog::Collection;
use crate::error::CommandError;

/// Ends after `limit` rows.
pub struct Limit {
    input: Box<dyn Stage>,
    left: u64,
    statistics: StageStatistics,
}

impl Limit {
    pub fn new(input: Box<dyn Stage>, limit: u64) -> Self {
        Self {
            input,
            left: limit,
            statistics: StageStatistics::default(),
        }
    }
}

impl Stage for Limit {
    fn work(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<Progress, CommandError> {
        let progress = if self.left == 0 {
            Progress::Done
        } else {
            self.input.work(context, row)?
        };
        if progress == Progress::Advanced {
            self.left -= 1;
        }
        self.statistics.count(progress);
        // The server's stage knows that it is finished as soon as it passed its last row.
        self.statistics.is_eof |= self.left == 0;
        Ok(progress)
    }

    fn advance(&mut self, context: &ExecContext<'_>, row: &mut Row) -> Result<bool, CommandError> {
        let found = self.left > 0
            && advance_input(self.input.as_mut(), &mut self.statistics, context, row)?;
        self.left -= u64::from(found);
        self.statistics.count(if found {
            Progress::Advanced
        } else {
            Progress::Done
        });
        self.statistics.is_eof |= self.left == 0;
        Ok(found)
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
