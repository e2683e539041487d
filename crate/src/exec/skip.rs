//! SKIP and `$skip`: drops a fixed number of records.

use super::record::{Record, Visitor};
use super::stage::{ExecContext, Progress, Stage, StageStatistics, advance_input, visit_input};
use crate::catalog::Collection;
use crate::error::CommandError;

/// Drops the first `skip` records.
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

    /// Counts a unit of the input's work: a record that is skipped is an idle unit of this stage.
    fn count(&mut self, mut progress: Progress) -> Progress {
        if progress == Progress::Advanced && self.left > 0 {
            self.left -= 1;
            progress = Progress::NeedTime;
        }
        self.statistics.count(progress);
        progress
    }
}

impl Stage for Skip {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        loop {
            let found = advance_input(&mut *self.input, &mut self.statistics, context)?;
            match self.count(match found {
                true => Progress::Advanced,
                false => Progress::Done,
            }) {
                Progress::Advanced => return Ok(true),
                Progress::NeedTime => {}
                Progress::Done => return Ok(false),
            }
        }
    }

    fn current(&self) -> Record<'_> {
        self.input.current()
    }

    fn work(&mut self, context: &ExecContext<'_>) -> Result<Progress, CommandError> {
        let progress = self.input.work(context)?;
        Ok(self.count(progress))
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        while self.left > 0 {
            let found = advance_input(&mut *self.input, &mut self.statistics, context)?;
            if !found {
                self.statistics.count(Progress::Done);
                return Ok(true);
            }
            self.count(Progress::Advanced);
        }
        visit_input(&mut *self.input, &mut self.statistics, context, visitor)
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
