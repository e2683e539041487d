//! LIMIT and `$limit`: passes a fixed number of records.

use super::record::{Record, Visitor};
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_input};
use crate::catalog::Collection;
use crate::error::CommandError;

/// Ends after `limit` records.
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

    fn count(&mut self, progress: Progress) {
        self.left -= u64::from(progress == Progress::Advanced);
        self.statistics.count(progress);
        // The server's stage knows that it is finished as soon as it passed its last record.
        self.statistics.is_eof |= self.left == 0;
    }
}

impl Stage for Limit {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        let found =
            self.left > 0 && advance_input(&mut *self.input, &mut self.statistics, context)?;
        self.count(match found {
            true => Progress::Advanced,
            false => Progress::Done,
        });
        Ok(found)
    }

    fn current(&self) -> Record<'_> {
        self.input.current()
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let progress = match self.left {
            0 => Progress::Done,
            _ => self.input.work(context)?,
        };
        self.count(progress);
        Ok(progress)
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        let (before, limit) = (self.input.statistics().need_time, self.left);
        let mut wants_more = true;
        if limit > 0 {
            let left = &mut self.left;
            self.input.visit(context, &mut |record| {
                *left -= 1;
                wants_more = visitor(record)?;
                Ok(wants_more && *left > 0)
            })?;
        }
        let passed = limit - self.left;
        self.statistics.advanced += passed;
        self.statistics.works += passed;
        self.statistics
            .count_idle(self.input.statistics().need_time - before);
        if wants_more {
            self.statistics.count(Progress::Done);
        }
        self.statistics.is_eof |= self.left == 0;
        Ok(wants_more)
    }

    fn statistics(&self) -> StageStatistics {
        self.statistics
    }

    fn resume(&mut self, collection: &Collection) -> bool {
        self.input.resume(collection)
    }

    fn inputs(&self) -> Vec<&dyn Stage> {
        vec![&*self.input]
    }
}
