//! EOF: no rows at all (the collection does not exist, or the filter can match nothing).

use super::row::Row;
use super::stage::{ExecContext, Progress, Stage, StageStatistics};
use crate::error::CommandError;

/// A stage without rows.
#[derive(Default)]
pub struct Eof {
    statistics: StageStatistics,
}

impl Stage for Eof {
    fn work(&mut self, _: &ExecContext<'_>, _: &mut Row) -> Result<Progress, CommandError> {
        self.statistics.count(Progress::Done);
        Ok(Progress::Done)
    }

    fn statistics(&self) -> StageStatistics {
        StageStatistics {
            is_eof: true,
            ..self.statistics
        }
    }
}
