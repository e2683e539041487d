//! EOF: no records at all (the collection does not exist, or the filter can match nothing).

use super::record::Record;
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::error::CommandError;

/// A stage without records.
#[derive(Default)]
pub struct Eof {
    statistics: StageStatistics,
}

impl Stage for Eof {
    fn advance(&mut self, _: &ExecContext<'_>) -> Result<bool, CommandError> {
        self.statistics.count(Progress::Done);
        Ok(false)
    }

    fn current(&self) -> Record<'_> {
        Record::default()
    }

    fn statistics(&self) -> StageStatistics {
        StageStatistics {
            is_eof: true,
            ..self.statistics
        }
    }
}
